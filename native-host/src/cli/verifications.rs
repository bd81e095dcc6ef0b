//! `opentoolbar verifications`: what agents ask a person to decide, what was decided, and the rules that hold.

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use opentoolbar_core::model::{Decided, DecidedBy, DecidedIn, Rule, RuleId, Timestamp, Verification};
use opentoolbar_core::prompt::neutralise;
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::json;

use super::{Exit, Failure, connect, output};
use crate::home::Home;
use crate::hub::client::{Client, Connector};

const EXAMPLES: &str = "\
Examples:
  opentoolbar verifications                  what waits for you, in every project, and what was decided last
  opentoolbar approve v_1a2b --note 'Go on'  say yes, after you typed what it asks for
  opentoolbar reject v_1a2b                  say no
  opentoolbar verifications stop rule_3c4d   allow an action no longer without asking";

/// Lines of each part that the list shows; who decides sees all.
const LINES_IN_LIST: usize = 40;
/// Characters of a line: what the terminal breaks by itself would begin at its edge, as a field does.
const LINE: usize = 60;

/// Arguments of `opentoolbar verifications`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct VerificationsArgs {
    #[command(subcommand)]
    what: Option<What>,
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Stop a rule: the action is asked about again.
    Stop {
        /// Id of the rule, as the list shows it
        rule: String,
    },
}

/// What waits, what was decided, and what is allowed.
pub(super) struct Listed {
    pub(super) pending: Vec<Verification>,
    left_out: u32,
    decided: Vec<Verification>,
    rules: Vec<Rule>,
}

pub(super) fn run(args: VerificationsArgs) -> Result<(), Failure> {
    let rule = args.what.map(|What::Stop { rule }| rule_id(&rule)).transpose()?;
    let listed = connect::block_on(async {
        let Some(rule_id) = rule else {
            // Looking starts no hub, but for what ran out while none was there.
            let connector = Connector::new(Home::from_env()?);
            let client = connector.connect(connect::hello("verifications", None)).await;
            return list(&client.map_err(connect::no_hub)?).await;
        };
        let client = Client::connect(connect::hello("verifications", None)).await.map_err(connect::no_hub)?;
        listed(client.request(Request::StopRule { rule_id }).await?)
    })?;
    if args.json {
        let Listed { pending, left_out, decided, rules } = listed;
        let json = json!({ "pending": pending, "leftOut": left_out, "decided": decided, "rules": rules });
        return output::print_json(&json.to_string());
    }
    output::print(&text(&listed, connect::now()))
}

fn rule_id(given: &str) -> Result<RuleId, Failure> {
    given.parse().map_err(|error| {
        let next = "Take the id from `opentoolbar verifications`: rule_ and what follows.";
        Failure::new(format!("that is no rule: {error}"), next).exit(Exit::Usage)
    })
}

pub(super) async fn list(client: &Client) -> Result<Listed, Failure> {
    listed(client.request(Request::ListVerifications).await?)
}

fn listed(answer: Answer) -> Result<Listed, Failure> {
    match answer {
        Answer::Verifications { pending, left_out, decided, rules } => {
            Ok(Listed { pending, left_out, decided, rules })
        }
        _ => Err(connect::mismatch("what waits for you")),
    }
}

fn text(listed: &Listed, now: Timestamp) -> String {
    let Listed { pending, left_out, decided, rules } = listed;
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = match pending.len() {
        0 => writeln!(text, "Nothing waits for you."),
        count => writeln!(text, "Waiting for you: {}", count + *left_out as usize),
    };
    for one in pending {
        let _ = writeln!(text, "\n{}", shown(one, now, LINES_IN_LIST));
    }
    if *left_out > 0 {
        let _ = writeln!(text, "\n{left_out} more wait; they are shown when these are decided.");
    }
    if !rules.is_empty() {
        let _ = writeln!(text, "\nAllowed without asking:");
    }
    for rule in rules {
        let context = match (&rule.context, rule.any_context) {
            (_, true) => ", whatever the context",
            (Some(_), false) => ", with one context",
            (None, false) => "",
        };
        let _ = writeln!(
            text,
            "  {}  {}{context}, in {}, for {} more, used {} times",
            rule.id,
            output::plain(&rule.action),
            output::plain(&rule.project.root),
            span(now, rule.expires_at),
            rule.uses,
        );
    }
    if !decided.is_empty() {
        let _ = writeln!(text, "\nDecided last:");
    }
    for one in decided {
        if let Some(how) = &one.decided {
            let _ = writeln!(text, "  {}  {}: {}", one.id, outcome(how), output::plain(&one.action));
        }
    }
    text
}

/// Everything that a person decides by, with nothing left out.
pub(super) fn whole(one: &Verification, now: Timestamp) -> String {
    shown(one, now, usize::MAX)
}

fn shown(one: &Verification, now: Timestamp, most: usize) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = writeln!(text, "{}  {} left", one.id, span(now, one.expires_at));
    let mut part = |name: &str, words: &str| {
        let lines: Vec<String> = words.lines().flat_map(pieces).collect();
        for (place, line) in lines.iter().take(most).enumerate() {
            let name = if place == 0 { name } else { "" };
            let _ = writeln!(text, "  {name:<8} {line}");
        }
        if lines.len() > most {
            let _ = writeln!(
                text,
                "  {:<8} ({} more lines: opentoolbar verifications --json)",
                "",
                lines.len() - most
            );
        }
    };
    part("action", &one.action);
    part("reason", &one.reason);
    if let Some(context) = &one.context {
        part("context", context);
    }
    part("project", &one.project.root);
    part("asked by", &format!("{} (says it is)", one.asker));
    text
}

/// A line in pieces that a terminal does not break, and obeys nothing in. One without words is none.
fn pieces(line: &str) -> Vec<String> {
    let letters: Vec<char> = neutralise(line).chars().collect();
    let pieces = letters.chunks(LINE).map(|piece| piece.iter().collect::<String>());
    pieces.map(|piece| output::plain(&piece)).filter(|piece| !piece.is_empty()).collect()
}

pub(super) fn outcome(decided: &Decided) -> String {
    let word = if decided.approved { "approved" } else { "rejected" };
    let by = match (decided.by, decided.way) {
        (DecidedBy::Person, Some(DecidedIn::Terminal)) => "by a person in a terminal",
        (DecidedBy::Person, _) => "by a person in the browser",
        (DecidedBy::Rule, _) => "by a rule",
        (DecidedBy::Timeout, _) => "as nobody decided in time",
        (DecidedBy::Withdrawn, _) => "as its asker took it back",
    };
    format!("{word} {by}")
}

fn span(now: Timestamp, until: Timestamp) -> String {
    match until.0.saturating_sub(now.0).div_ceil(1_000) {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use opentoolbar_core::model::Project;

    use super::*;

    #[test]
    fn what_is_asked_is_shown_whole_and_obeyed_by_no_terminal() {
        let asked = Verification {
            id: "v_1".parse().unwrap(),
            project: Project { root: "/shop".into(), name: "shop".into() },
            action: "Delete build/\u{1b}[2J\n  and dist/".into(),
            reason: "It is stale".into(),
            context: Some((0..60).map(|line| format!("line {line}\n")).collect()),
            asker: "codex\u{202e} 1.2".into(),
            processes: Vec::new(),
            hash: "00".into(),
            asked_at: Timestamp(0),
            expires_at: Timestamp(300_000),
            decided: None,
        };
        let listed = shown(&asked, Timestamp(1), LINES_IN_LIST);
        assert!(listed.starts_with("v_1  5 min left\n  action   Delete build/"), "{listed}");
        assert!(listed.contains("and dist/") && listed.contains("line 39") && !listed.contains("line 40\n"));
        assert!(listed.contains("20 more lines"), "{listed}");
        assert!(!listed.contains('\u{1b}') && !listed.contains('\u{202e}'), "{listed:?}");
        let hidden = format!("{}; rm -rf ~", "harmless ".repeat(1_000));
        let decided_by = whole(&Verification { context: Some(hidden), ..asked.clone() }, Timestamp(1));
        assert!(decided_by.contains("rm -rf ~"), "{decided_by}");
        let whole = whole(&asked, Timestamp(1));
        assert!(whole.contains("line 59") && !whole.contains("more lines"), "{whole}");
        assert!(decided_by.lines().all(|line| line.chars().count() <= 11 + LINE), "{decided_by}");
    }
}
