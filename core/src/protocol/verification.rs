//! What is said of verifications beside what they are.

use serde::{Deserialize, Serialize};

use crate::model::{DecidedBy, Verification};

/// What the person allows from now on, with the yes to one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct RuleWish {
    /// For how long, from 1 to 168.
    pub hours: u32,
    /// Whatever the context; else this very one alone.
    #[serde(default)]
    pub any_context: bool,
}

/// How a verification stands, a sentence or two for its asker. `seen_by`: how many browsers show it.
#[must_use]
pub fn verification_message(verification: &Verification, seen_by: u32) -> String {
    let Some(decided) = &verification.decided else {
        let until = verification.expires_at;
        return match seen_by {
            0 => format!(
                "Nobody sees it yet: no browser with opentoolbar is connected. It waits until {until}; a person can also \
                 decide in a terminal, with `opentoolbar verifications`."
            ),
            _ => format!("It waits for the person until {until}."),
        };
    };
    let words = match (decided.approved, decided.by) {
        (true, DecidedBy::Rule) => "A rule that the person made allows it. Do exactly this, once.",
        (true, _) => "The person approved it. Do exactly this, once.",
        (false, DecidedBy::Timeout) => {
            "Nobody decided in time, so it is rejected. Do not do it; ask again only if it is still needed."
        }
        (false, DecidedBy::Withdrawn) => "You took it back. Do not do it.",
        (false, _) => "The person rejected it. Do not do it.",
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::model::{Decided, DecidedIn, Project, Timestamp};

    fn asked() -> Verification {
        Verification {
            id: "v_1".parse().unwrap(),
            project: Project { root: "/shop".into(), name: "shop".into() },
            action: "Delete build/".into(),
            reason: "It is stale".into(),
            context: None,
            asker: "codex 1.2".into(),
            processes: Vec::new(),
            hash: "00".into(),
            asked_at: Timestamp(0),
            expires_at: Timestamp(300_000),
            decided: None,
        }
    }

    #[test]
    fn what_is_said_tells_a_no_from_silence_and_an_unseen_question_from_a_waiting_one() {
        let said = |by, approved| {
            let decided = Decided {
                approved,
                by,
                way: Some(DecidedIn::Browser),
                at: Timestamp(1),
                note: None,
                rule_id: None,
            };
            verification_message(&Verification { decided: Some(decided), ..asked() }, 1)
        };
        let all = [
            verification_message(&asked(), 0),
            verification_message(&asked(), 1),
            said(DecidedBy::Person, true),
            said(DecidedBy::Rule, true),
            said(DecidedBy::Person, false),
            said(DecidedBy::Timeout, false),
            said(DecidedBy::Withdrawn, false),
        ];
        for (place, one) in all.iter().enumerate() {
            assert!(!all.iter().skip(place + 1).any(|other| other == one), "{one}");
        }
        assert!(all[0].contains("Nobody sees it yet") && all[1].contains("1970-01-01T00:05:00.000Z"));
    }
}
