//! `opentoolbar search`: what was said, in comments and in the chat.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use opentoolbar_core::protocol::{Answer, Hit, Request};
use serde_json::json;

use super::{Exit, Failure, connect, directory, output};
use crate::hub::client::Client;

/// What the hub gives at most.
const MOST: u32 = 200;

const EXAMPLES: &str = "\
Examples:
  opentoolbar search button            comments, their threads and chat messages with a word that begins so
  opentoolbar search save button       with both words, in any order
  opentoolbar search heading --json --limit 5";

/// Arguments of `opentoolbar search`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SearchArgs {
    /// Words, or their beginnings; all must be there
    #[arg(required = true, value_name = "WORDS", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    words: Vec<String>,
    /// At most this many, the best ones
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    limit: u32,
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
    /// The project; default: the current directory
    #[arg(long, value_name = "DIR", env = "OPENTOOLBAR_PROJECT")]
    project: Option<PathBuf>,
}

pub(super) fn run(args: SearchArgs) -> Result<(), Failure> {
    let project = directory::of_project(args.project)?;
    let query = args.words.join(" ");
    if query.trim().is_empty() {
        let next = "Give one or several words, or their beginnings: `opentoolbar search button`.";
        return Err(Failure::new("there is no word to look for", next).exit(Exit::Usage));
    }
    let answer = connect::block_on(async {
        let client =
            Client::connect(connect::hello("search", Some(&project))).await.map_err(connect::no_hub)?;
        let search = Request::Search { query: query.clone(), limit: args.limit };
        client.request(search).await.map_err(Failure::from)
    })?;
    let Answer::Found { hits, more, unreadable, .. } = answer else {
        return Err(connect::mismatch("what was found"));
    };
    output::note_unreadable(unreadable);
    if args.json {
        return output::print_json(&json!({ "hits": hits, "more": more }).to_string());
    }
    if hits.is_empty() {
        output::note(&nothing(&query, &project));
        return Ok(());
    }
    let mut text = String::new();
    for hit in &hits {
        let Hit { kind, id, excerpt, at, .. } = hit;
        let at = at.to_string();
        let (day, minute) = (at.get(..10).unwrap_or_default(), at.get(11..16).unwrap_or_default());
        // Writing to a String does not fail.
        let _ = writeln!(text, "{kind:<7}  {day} {minute} UTC  {id}");
        let _ = writeln!(text, "    {}", output::plain(excerpt));
    }
    output::print(&text)?;
    if more {
        output::note(&match args.limit {
            MOST => "There is more: add a word to find fewer.".to_owned(),
            limit => format!("There is more: --limit {}.", (limit * 2).min(MOST)),
        });
    }
    Ok(())
}

fn nothing(query: &str, project: &Path) -> String {
    let query = output::plain(query);
    format!(
        "Nothing in {} has all of: {query}. Try fewer words or their beginnings; another project: --project DIR.",
        output::plain(&project.to_string_lossy())
    )
}
