//! `opentoolbar ui`: which pages of the project are open, and which of them its agents work with.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use opentoolbar_core::model::{SessionId, Timestamp};
use opentoolbar_core::protocol::{Answer, Request, SessionSummary};
use serde_json::json;

use super::{Exit, Failure, connect, directory, output};
use crate::home::Home;
use crate::hub::client::Connector;

const EXAMPLES: &str = "\
Examples:
  opentoolbar ui list        open pages, the latest active one first
  opentoolbar ui '#2'        agents that name no page work with this one, for as long as it is open
  opentoolbar ui latest      agents work with the latest active page again; the same as '#0'";

/// Arguments of `opentoolbar ui`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UiArgs {
    /// `list`, a page by its number ('#2' or 2), or `latest`
    #[arg(value_name = "list|#N|latest", default_value = "list")]
    what: String,
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
    /// The project; default: the current directory
    #[arg(long, value_name = "DIR", env = "OPENTOOLBAR_PROJECT")]
    project: Option<PathBuf>,
}

enum What {
    List,
    Latest,
    Number(u32),
}

fn what(given: &str) -> Result<What, Failure> {
    match given {
        "list" => return Ok(What::List),
        "latest" => return Ok(What::Latest),
        _ => {}
    }
    match given.strip_prefix('#').unwrap_or(given).parse() {
        Ok(0) => Ok(What::Latest),
        Ok(number) => Ok(What::Number(number)),
        Err(_) => {
            let message = format!("{given:?} is no page");
            let next = "Give `list`, a number as `opentoolbar ui list` shows it ('#2'), or `latest`.";
            Err(Failure::new(message, next).exit(Exit::Usage))
        }
    }
}

pub(super) fn run(args: UiArgs) -> Result<(), Failure> {
    let what = what(&args.what)?;
    let project = directory::of_project(args.project)?;
    let (sessions, unreadable) = connect::block_on(ask(&what, &project))?;
    output::note_unreadable(unreadable);
    if args.json {
        return output::print_json(&json!({ "sessions": sessions }).to_string());
    }
    output::print(&text(&sessions, &project, connect::now()))
}

/// The open pages, and how many more cannot be shown.
type Open = (Vec<SessionSummary>, u32);

async fn ask(what: &What, project: &Path) -> Result<Open, Failure> {
    // Without a hub no page is open, and looking starts none.
    let connector = Connector::new(Home::from_env()?);
    let running = connector.connect_if_running(connect::hello("ui", Some(project))).await;
    let (sessions, unreadable) = match running.map_err(connect::no_hub)? {
        None => (Vec::new(), 0),
        Some(client) => {
            let (sessions, unreadable) = listed(client.request(Request::ListSessions).await?)?;
            let pick = async |session_id: Option<SessionId>| {
                listed(client.request(Request::SelectSession { session_id }).await?)
            };
            match what {
                What::List => return Ok((sessions, unreadable)),
                What::Latest => return pick(None).await,
                What::Number(number) => match sessions.iter().find(|session| session.number == *number) {
                    Some(session) => return pick(Some(session.session_id.clone())).await,
                    None => (sessions, unreadable),
                },
            }
        }
    };
    match what {
        What::Number(number) => Err(unknown(*number, &sessions)),
        What::List | What::Latest => Ok((sessions, unreadable)),
    }
}

fn listed(answer: Answer) -> Result<Open, Failure> {
    match answer {
        Answer::Sessions { sessions, unreadable } => Ok((sessions, unreadable)),
        _ => Err(connect::mismatch("the open pages")),
    }
}

fn unknown(number: u32, sessions: &[SessionSummary]) -> Failure {
    let open: Vec<String> = sessions.iter().map(|session| format!("#{}", session.number)).collect();
    let next = match open.is_empty() {
        true => "No page of this project is open: open the app in a browser with opentoolbar.".to_owned(),
        false => format!("Open are {}: see `opentoolbar ui list`.", open.join(", ")),
    };
    Failure::new(format!("there is no page #{number}"), next)
}

fn text(sessions: &[SessionSummary], project: &Path, now: Timestamp) -> String {
    if sessions.is_empty() {
        return format!(
            "No page of {} is open. Open the app in a browser with opentoolbar; `opentoolbar status` shows every tab.",
            output::plain(&project.to_string_lossy())
        );
    }
    let mut text = String::new();
    for session in sessions {
        let SessionSummary { number, page_url, page_title, last_active, .. } = session;
        let title = if page_title.trim().is_empty() { "(no title)" } else { page_title };
        let mut marks = vec![format!("active {}", ago(*last_active, now))];
        marks.extend(session.has_unread_message.then(|| "unread message".to_owned()));
        marks.extend(session.is_selected.then(|| "picked".to_owned()));
        // Writing to a String does not fail.
        let _ = writeln!(text, "#{number}  {}", output::plain(title));
        let _ = writeln!(text, "    {}", output::plain(page_url));
        let _ = writeln!(text, "    {}", marks.join(", "));
    }
    let meant = match sessions.iter().find(|session| session.is_selected) {
        Some(session) => format!("#{}, the one you picked", session.number),
        None => format!("the latest active one, now #{}", sessions.first().map_or(0, |first| first.number)),
    };
    let _ = writeln!(text, "Agents that name no page work with {meant}.");
    text
}

/// How long ago; a clock that jumped back is no reason to count backwards.
fn ago(at: Timestamp, now: Timestamp) -> String {
    match now.0.saturating_sub(at.0) / 1000 {
        0..60 => "just now".to_owned(),
        seconds @ 60..3_600 => format!("{} min ago", seconds / 60),
        seconds @ 3_600..86_400 => format!("{} h ago", seconds / 3_600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_in_words_and_never_backwards() {
        for (passed, said) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (7_300, "2 h ago"),
            (200_000, "2 days ago"),
        ] {
            assert_eq!(ago(Timestamp(1_000), Timestamp(1_000 + passed * 1000)), said);
        }
        assert_eq!(ago(Timestamp(9_000), Timestamp(1)), "just now");
    }
}
