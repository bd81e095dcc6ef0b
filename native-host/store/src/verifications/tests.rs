#![allow(clippy::unwrap_used)]
use opentoolbar_core::model::{AskingProcess, Project};
use proptest::prelude::*;

use super::*;

struct Room {
    _home: tempfile::TempDir,
    path: PathBuf,
    verifications: Verifications,
}

impl Room {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("verifications.db");
        Self { _home: home, verifications: Verifications::at(path.clone()), path }
    }

    /// As after another hub has begun.
    fn again(&mut self) {
        self.verifications = Verifications::at(self.path.clone());
    }

    fn ask(&self, asked: Verification, now: u64) -> Result<Verification, ErrorBody> {
        let message = format!("m_{}", asked.id).parse().unwrap();
        self.verifications.ask(&message, asked, Timestamp(now), &mut Effects::default())
    }

    fn get(&self, id: &str, now: u64) -> Option<Verification> {
        self.verifications.get(&id.parse().unwrap(), Timestamp(now), &mut Effects::default()).unwrap()
    }

    fn decide(&self, id: &str, choice: Choice, now: u64) -> Result<Verification, ErrorBody> {
        self.verifications.decide(&id.parse().unwrap(), choice, Timestamp(now), &mut Effects::default())
    }
}

fn asked(id: &str, action: &str, now: u64) -> Verification {
    asked_in("/shop", id, action, None, now)
}

fn asked_in(root: &str, id: &str, action: &str, context: Option<&str>, now: u64) -> Verification {
    Verification {
        id: id.parse().unwrap(),
        project: Project { root: root.into(), name: "shop".into() },
        action: action.into(),
        reason: "It is stale".into(),
        context: context.map(str::to_owned),
        asker: "codex".into(),
        processes: vec![AskingProcess { id: 7, started: 1 }],
        hash: format!("{root} {action} {context:?}"),
        asked_at: Timestamp(now),
        expires_at: Timestamp(now + 300),
        decided: None,
    }
}

fn choice(of: &Verification, approve: bool) -> Choice {
    Choice { hash: of.hash.clone(), approve, note: None, way: DecidedIn::Browser, rule: None }
}

#[test]
fn the_same_words_are_the_same_while_they_wait_and_another_question_after_the_answer() {
    let room = Room::new();
    let first = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    assert_eq!(room.ask(asked("v_2", "Delete build/", 50), 50).unwrap(), first, "its time is not prolonged");
    assert_ne!(room.ask(asked("v_3", "Delete dist/", 50), 50).unwrap().id, first.id);
    room.decide("v_1", choice(&first, true), 100).unwrap();
    let again = room.ask(asked("v_4", "Delete build/", 110), 110).unwrap();
    assert_eq!((again.id.as_str(), again.decided), ("v_4", None), "an old yes is none for a new question");
}

#[test]
fn a_decision_is_made_once_and_is_about_the_words_that_were_seen() {
    let mut room = Room::new();
    let asked = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    let other = Choice { hash: "other".into(), ..choice(&asked, true) };
    assert_eq!(room.decide("v_1", other, 10).unwrap_err().code, ErrorCode::Conflict);
    let noted = Choice { note: Some("Go on".into()), ..choice(&asked, true) };
    let decided = room.decide("v_1", noted, 10).unwrap();
    for approve in [true, false] {
        let refused = room.decide("v_1", choice(&asked, approve), 20).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Conflict);
        assert!(refused.message.contains("it is approved"), "{refused}");
    }
    room.again();
    let kept = room.get("v_1", 1_000).unwrap();
    assert_eq!(kept, decided);
    assert_eq!(kept.decided.unwrap().note.as_deref(), Some("Go on"));
    let nobody = room.decide("v_9", choice(&asked, true), 20).unwrap_err();
    assert_eq!(nobody.code, ErrorCode::UnknownVerification);
}

#[test]
fn what_ran_out_is_rejected_before_anybody_can_approve_it_also_by_a_later_hub() {
    let mut room = Room::new();
    let asked = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    room.again();
    let mut effects = Effects::default();
    let refused =
        room.verifications.decide(&asked.id, choice(&asked, true), Timestamp(300), &mut effects).unwrap_err();
    assert!(refused.message.contains("its time ran out"), "{refused}");
    assert_eq!(effects.changed.len(), 1, "those who wait are told all the same");
    let decided = room.get("v_1", 0).unwrap().decided.unwrap();
    assert_eq!((decided.by, decided.approved, decided.at), (DecidedBy::Timeout, false, Timestamp(300)));
}

#[test]
fn other_words_have_another_hash_wherever_they_are_cut() {
    let all = [
        hash_of("/shop", "codex", "ab", "c", None),
        hash_of("/shop", "codex", "a", "bc", None),
        hash_of("/shop", "codex", "ab", "", Some("c")),
        hash_of("/shop", "codex", "ab", "c", Some("")),
        hash_of("/shopcodex", "", "ab", "c", None),
    ];
    let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    assert_eq!(all[0], hash_of("/shop", "codex", "ab", "c", None));
}

#[test]
fn where_nothing_was_asked_there_is_no_file() {
    let room = Room::new();
    let mut effects = Effects::default();
    assert_eq!(room.get("v_1", 0), None);
    room.verifications.expire(Timestamp(0), &mut effects).unwrap();
    assert_eq!(room.verifications.next_expiry().unwrap(), None);
    assert!(room.verifications.overview(50, Timestamp(0), &mut effects).unwrap().pending.is_empty());
    assert_eq!(room.verifications.seen().unwrap(), None);
    room.verifications.forget("/shop", Timestamp(0), &mut effects).unwrap();
    assert!(!room.path.exists());
}

#[test]
fn the_latest_moment_is_remembered_and_never_goes_back() {
    let mut room = Room::new();
    room.ask(asked("v_1", "Delete build/", 100), 100).unwrap();
    room.verifications.expire(Timestamp(250), &mut Effects::default()).unwrap();
    room.verifications.expire(Timestamp(50), &mut Effects::default()).unwrap();
    room.again();
    assert_eq!(room.verifications.seen().unwrap(), Some(Timestamp(250)));
}

#[test]
fn a_rule_allows_its_very_action_and_context_in_its_project_until_it_runs_out_or_is_stopped() {
    let room = Room::new();
    let hour = 60 * 60 * 1_000;
    let with = |id: &str, context: Option<&str>, now| asked_in("/shop", id, "Run migrations", context, now);
    let first = room.ask(with("v_1", Some("staging"), 0), 0).unwrap();
    let rule: RuleId = "rule_1".parse().unwrap();
    let ruled = Choice { rule: Some((rule.clone(), 1, false)), ..choice(&first, true) };
    room.decide("v_1", ruled, 10).unwrap();
    let by = |id: &str, asked: Verification, now| {
        room.ask(Verification { id: id.parse().unwrap(), ..asked }, now).unwrap().decided.map(|one| one.by)
    };
    assert_eq!(by("v_2", with("v_2", Some("staging"), 20), 20), Some(DecidedBy::Rule));
    assert_eq!(by("v_3", with("v_3", Some("production"), 20), 20), None);
    assert_eq!(by("v_4", with("v_4", None, 20), 20), None);
    assert_eq!(by("v_5", asked_in("/other", "v_5", "Run migrations", Some("staging"), 20), 20), None);
    assert_eq!(by("v_6", asked_in("/shop", "v_6", "Run migration", Some("staging"), 20), 20), None);
    let used = room.get("v_2", 30).unwrap().decided.unwrap();
    assert_eq!((used.rule_id, used.way), (Some(rule.clone()), None));
    let overview = room.verifications.overview(50, Timestamp(30), &mut Effects::default()).unwrap();
    assert_eq!(overview.rules.iter().map(|rule| rule.uses).collect::<Vec<_>>(), [1]);
    assert_eq!(by("v_7", with("v_7", Some("staging"), 10 + hour), 10 + hour), None, "it ran out");
    let stopped = room.verifications.stop_rule(&rule, Timestamp(10 + hour), &mut Effects::default());
    assert_eq!(stopped.unwrap_err().code, ErrorCode::UnknownVerification);

    let next = room.get("v_7", 11 + hour).unwrap();
    let any: RuleId = "rule_2".parse().unwrap();
    let ruled = Choice { rule: Some((any.clone(), 2, true)), ..choice(&next, true) };
    room.decide("v_7", ruled, 11 + hour).unwrap();
    assert_eq!(by("v_8", with("v_8", Some("anything"), 12 + hour), 12 + hour), Some(DecidedBy::Rule));
    room.verifications.stop_rule(&any, Timestamp(13 + hour), &mut Effects::default()).unwrap();
    assert_eq!(by("v_9", with("v_9", Some("else"), 14 + hour), 14 + hour), None, "it was stopped");
}

#[test]
fn a_no_makes_no_rule_and_withdrawing_is_the_askers_alone() {
    let room = Room::new();
    let asked = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    let withdraw = |root: &str, asker: &str| {
        room.verifications.withdraw(&asked.id, (root, asker), Timestamp(10), &mut Effects::default())
    };
    for (root, asker) in [("/other", "codex"), ("/shop", "claude")] {
        assert_eq!(withdraw(root, asker).unwrap_err().code, ErrorCode::UnknownVerification);
    }
    assert_eq!(withdraw("/shop", "codex").unwrap().decided.unwrap().by, DecidedBy::Withdrawn);
    assert_eq!(withdraw("/shop", "codex").unwrap_err().code, ErrorCode::Conflict);
    assert_eq!(room.decide("v_1", choice(&asked, true), 20).unwrap_err().code, ErrorCode::Conflict);
}

#[test]
fn no_more_wait_than_a_person_can_see_and_what_is_decided_makes_room() {
    let room = Room::new();
    for number in 0..MOST_PENDING {
        room.ask(asked(&format!("v_{number}"), &format!("Step {number}"), 0), 0).unwrap();
    }
    let refused = room.ask(asked("v_more", "One more", 0), 0).unwrap_err();
    assert_eq!(refused.code, ErrorCode::RateLimited);
    assert!(room.ask(asked("v_same", "Step 3", 0), 0).is_ok(), "the same is no more");
    assert!(room.ask(asked_in("/other", "v_other", "One more", None, 0), 0).is_ok());
    let first = room.get("v_0", 10).unwrap();
    room.decide("v_0", choice(&first, false), 10).unwrap();
    assert!(room.ask(asked("v_more", "One more", 20), 20).is_ok());
    assert!(room.ask(asked("v_late", "Much later", 900), 900).is_ok(), "the others have run out");
}

#[test]
fn of_all_projects_together_a_thousand_wait() {
    let room = Room::new();
    for number in 0..MOST_PENDING_IN_ALL {
        let root = format!("/project-{}", number / MOST_PENDING);
        room.ask(asked_in(&root, &format!("v_{number}"), &format!("Step {number}"), None, 0), 0).unwrap();
    }
    let refused = room.ask(asked_in("/new", "v_more", "One more", None, 0), 0).unwrap_err();
    assert_eq!(refused.code, ErrorCode::RateLimited);
    assert!(refused.message.contains("on this machine"), "{refused}");
}

#[test]
fn a_damaged_or_newer_file_approves_nothing() {
    let mut room = Room::new();
    room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    rusqlite::Connection::open(&room.path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    room.again();
    let refused = room.ask(asked("v_2", "Delete dist/", 0), 0).unwrap_err();
    assert!(refused.code == ErrorCode::Storage && refused.message.contains("newer"), "{refused}");
    std::fs::write(&room.path, "no database").unwrap();
    room.again();
    assert_eq!(room.ask(asked("v_2", "Delete dist/", 0), 0).unwrap_err().code, ErrorCode::Storage);
}

#[test]
fn a_row_that_cannot_be_read_costs_itself_alone_and_runs_out_too() {
    let mut room = Room::new();
    let one = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    room.ask(asked("v_2", "Delete dist/", 0), 0).unwrap();
    let file = rusqlite::Connection::open(&room.path).unwrap();
    file.execute("UPDATE verifications SET id = 'damaged' WHERE id = 'v_2'", []).unwrap();
    room.again();
    let mut effects = Effects::default();
    let overview = room.verifications.overview(50, Timestamp(10), &mut effects).unwrap();
    assert_eq!(overview.pending, std::slice::from_ref(&one));
    room.decide("v_1", choice(&one, true), 20).unwrap();
    room.verifications.expire(Timestamp(300), &mut effects).unwrap();
    assert_eq!(room.verifications.next_expiry().unwrap(), None, "nobody waits for ever for it");
}

#[test]
fn what_askers_take_back_hides_no_decision_of_a_persons() {
    let room = Room::new();
    let one = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    room.decide("v_1", choice(&one, true), 1).unwrap();
    for number in 2..80 {
        let id = format!("v_{number}");
        room.ask(asked(&id, "Again", number), number).unwrap();
        let id = id.parse().unwrap();
        let withdrawn =
            room.verifications.withdraw(&id, ("/shop", "codex"), Timestamp(number), &mut Effects::default());
        withdrawn.unwrap();
    }
    let overview = room.verifications.overview(50, Timestamp(200), &mut Effects::default()).unwrap();
    assert!(overview.decided.iter().any(|one| one.id.as_str() == "v_1"));
    assert_eq!(overview.decided.len(), 11);
}

#[test]
fn what_is_kept_of_a_project_goes_whole() {
    let room = Room::new();
    let one = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    let ruled = Choice { rule: Some(("rule_1".parse().unwrap(), 1, true)), ..choice(&one, true) };
    room.decide("v_1", ruled, 10).unwrap();
    room.ask(asked_in("/other", "v_2", "Delete build/", None, 0), 0).unwrap();
    room.ask(asked("v_3", "Delete dist/", 15), 15).unwrap();
    let mut effects = Effects::default();
    room.verifications.forget("/shop", Timestamp(20), &mut effects).unwrap();
    assert_eq!(effects.changed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["v_3"]);
    assert!(effects.has_other_rules && effects.changed[0].decided.is_some());
    let left = room.verifications.overview(50, Timestamp(20), &mut Effects::default()).unwrap();
    assert_eq!((left.pending.len(), left.decided.len(), left.rules.len()), (1, 0, 0));
}

#[test]
fn what_a_project_leaves_behind_waits_no_more_and_stays_in_the_record() {
    let room = Room::new();
    let one = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    let ruled = Choice { rule: Some(("rule_1".parse().unwrap(), 1, true)), ..choice(&one, true) };
    room.decide("v_1", ruled, 10).unwrap();
    room.ask(asked("v_2", "Delete dist/", 15), 15).unwrap();
    room.verifications.leave("/shop", Timestamp(20), &mut Effects::default()).unwrap();
    let left = room.verifications.overview(50, Timestamp(20), &mut Effects::default()).unwrap();
    assert_eq!((left.pending.len(), left.decided.len(), left.rules.len()), (0, 2, 0));
    assert_eq!(room.ask(asked("v_3", "Delete build/", 30), 30).unwrap().decided, None, "no rule says yes");
}

#[test]
fn a_message_that_is_sent_once_more_asks_nothing_new_whatever_was_decided() {
    let room = Room::new();
    let ask = |id: &str, message: &str, now: u64| {
        let asked = asked(id, "Delete build/", now);
        let message = message.parse().unwrap();
        room.verifications.ask(&message, asked, Timestamp(now), &mut Effects::default()).unwrap()
    };
    let first = ask("v_1", "m_1", 0);
    let decided = room.decide("v_1", choice(&first, true), 10).unwrap();
    assert_eq!(ask("v_2", "m_1", 20), decided);
    assert_eq!(ask("v_3", "m_2", 20).decided, None, "the same words of another message");
}

#[test]
fn a_rule_that_cannot_be_read_costs_itself_alone_and_allows_nothing() {
    let room = Room::new();
    let one = room.ask(asked("v_1", "Delete build/", 0), 0).unwrap();
    for (verification, rule) in [("v_1", "rule_1"), ("v_2", "rule_2")] {
        let one = match verification {
            "v_1" => one.clone(),
            id => room.ask(asked(id, "Delete dist/", 10), 10).unwrap(),
        };
        let ruled = Choice { rule: Some((rule.parse().unwrap(), 1, true)), ..choice(&one, true) };
        room.decide(verification, ruled, 10).unwrap();
    }
    let other = rusqlite::Connection::open(&room.path).unwrap();
    other.execute("UPDATE rules SET id = '' WHERE id = 'rule_1'", []).unwrap();
    let seen = room.verifications.overview(50, Timestamp(20), &mut Effects::default()).unwrap();
    assert_eq!(seen.rules.iter().map(|rule| rule.id.as_str()).collect::<Vec<_>>(), ["rule_2"]);
    assert_eq!(room.ask(asked("v_3", "Delete build/", 20), 20).unwrap().decided, None);
}

#[test]
fn a_new_rule_also_decides_what_waits_already_and_no_more_than_it_says() {
    let room = Room::new();
    let asks = |id: &str, asker: &str, context: Option<&str>| {
        let one = asked_in("/shop", id, "Delete build/", context, 0);
        let hash = format!("{} {asker}", one.hash);
        room.ask(Verification { asker: asker.into(), hash, ..one }, 0).unwrap()
    };
    let first = asks("v_1", "codex", Some("staging"));
    asks("v_2", "zed", Some("staging"));
    asks("v_3", "zed", Some("production"));
    room.ask(asked_in("/other", "v_4", "Delete build/", Some("staging"), 0), 0).unwrap();
    let ruled = Choice { rule: Some(("rule_1".parse().unwrap(), 1, false)), ..choice(&first, true) };
    room.decide("v_1", ruled, 10).unwrap();
    let decided = room.get("v_2", 10).unwrap().decided.unwrap();
    assert_eq!((decided.by, decided.rule_id.unwrap().as_str()), (DecidedBy::Rule, "rule_1"));
    let seen = room.verifications.overview(50, Timestamp(20), &mut Effects::default()).unwrap();
    assert_eq!(seen.pending.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["v_3", "v_4"]);
    assert_eq!(seen.rules[0].uses, 1);
}

#[derive(Clone, Debug)]
enum Step {
    Ask(u8),
    Decide(u8, bool),
    Withdraw(u8),
    Restart,
    Pass(u16),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..4u8).prop_map(Step::Ask),
        (0..12u8, any::<bool>()).prop_map(|(id, approve)| Step::Decide(id, approve)),
        (0..12u8).prop_map(Step::Withdraw),
        Just(Step::Restart),
        (0..400u16).prop_map(Step::Pass),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever happens in whatever order: a decision never changes, none is approved without a person after its time,
    /// and of the same words at most one waits.
    #[test]
    fn a_decision_is_final(steps in prop::collection::vec(step(), 1..40)) {
        let mut room = Room::new();
        let (mut now, mut next) = (0u64, 0u8);
        let mut decided: std::collections::BTreeMap<String, Decided> = Default::default();
        for step in steps {
            match step {
                Step::Ask(action) => {
                    let id = format!("v_{next}");
                    next = next.saturating_add(1);
                    let _ = room.ask(asked(&id, &format!("Step {action}"), now), now);
                }
                Step::Decide(id, approve) => {
                    if let Some(found) = room.get(&format!("v_{id}"), now) {
                        let done = room.decide(&format!("v_{id}"), choice(&found, approve), now);
                        prop_assert_eq!(done.is_ok(), found.decided.is_none());
                        if let Ok(done) = done {
                            prop_assert!(now < done.expires_at.0);
                        }
                    }
                }
                Step::Withdraw(id) => {
                    let id: VerificationId = format!("v_{id}").parse().unwrap();
                    let _ = room.verifications.withdraw(
                        &id, ("/shop", "codex"), Timestamp(now), &mut Effects::default(),
                    );
                }
                Step::Restart => room.again(),
                Step::Pass(time) => now += u64::from(time),
            }
            let mut pending = std::collections::BTreeSet::new();
            for id in 0..next {
                let Some(found) = room.get(&format!("v_{id}"), now) else { continue };
                match found.decided {
                    None => prop_assert!(pending.insert(found.hash.clone()) && now < found.expires_at.0),
                    Some(now_decided) => {
                        let before = decided.entry(format!("v_{id}")).or_insert_with(|| now_decided.clone());
                        prop_assert_eq!(&*before, &now_decided);
                    }
                }
            }
        }
    }
}
