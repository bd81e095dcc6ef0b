//! `opentoolbar check`: do comments still hold, told from HTML. `text` and `json` say what was found.

mod json;
mod text;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use opentoolbar_core::model::{Comment, CommentChange, CommentRef};
use opentoolbar_core::protocol::{Answer, FeedbackQuery, Request, StatusFilter};

use super::{Exit, Failure, comments, connect, directory, output};
use crate::check::{self, Address, Checked, Looked, MayHaveChanged};
use crate::hub::client::Client;

const EXAMPLES: &str = "\
Examples:
  opentoolbar check http://localhost:5173/settings     the comments of /settings, from the running dev server
  opentoolbar check dist/index.html --pathname /       from a built file
  curl -s localhost:5173/about | opentoolbar check - --pathname /about --json
  opentoolbar check page.html --comment c_abc123 --report

There is no browser: scripts do not run and nothing is laid out. Pages that scripts build are better checked in the browser, or
from HTML that was saved after the scripts ran.

Exit codes: 0 every comment still holds, 1 at least one may have changed, 2 nothing could be checked (wrong arguments, no such
comment, a page that cannot be read), 3 the hub cannot be reached, 4 none is known to have changed, but of at least one it
cannot be told (an almost empty page that scripts fill, an anchor that cannot be read).";

/// Arguments of `opentoolbar check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArgs {
    /// An HTML file, an http address on this machine, or - for standard input
    #[arg(value_name = "FILE|URL|-")]
    page: Option<String>,
    /// Only this comment, resolved or not: id or number; can be given several times
    #[arg(long, value_name = "ID|NUMBER", conflicts_with = "pathname")]
    comment: Vec<CommentRef>,
    /// The comments of this page: /settings; default: the path of the address
    #[arg(long, value_name = "PATH")]
    pathname: Option<String>,
    /// The project; default: the current directory
    #[arg(long, value_name = "DIR", env = "OPENTOOLBAR_PROJECT")]
    project: Option<PathBuf>,
    /// What was found as JSON
    #[arg(long)]
    json: bool,
    /// Store the verdicts: a comment that may have changed says so and stays active, one that is as it was is active
    /// again
    #[arg(long)]
    report: bool,
}

/// What was looked at and found, for those who say it.
struct Report {
    project: String,
    /// As it was given.
    page: String,
    /// In the order of `looked.comments`.
    comments: Vec<Comment>,
    looked: Looked,
    /// Whether the verdicts were to be stored.
    report: bool,
}

pub(super) fn run(args: CheckArgs) -> Result<Exit, Failure> {
    // 1 says that a comment may have changed, so nothing else may.
    checked(args).map_err(|failure| failure.instead_of_failed(Exit::Usage))
}

fn checked(args: CheckArgs) -> Result<Exit, Failure> {
    // What is given first is judged first.
    let page = source(args.page)?;
    let pathname = args.pathname.as_deref().map(comments::pathname).transpose()?;
    let project = directory::of_project(args.project)?;
    let (html, address) = match &page {
        Source::Standard => (check::read_stdin()?, None),
        Source::File(path) => (check::read(path)?, None),
        Source::Url(url) => {
            let (html, address) = check::fetch(url)?;
            (html, Some(address))
        }
    };
    let wanted = match (args.comment, pathname, &address) {
        (names, ..) if !names.is_empty() => Wanted::Named(names),
        (_, Some(pathname), _) => Wanted::Pathname(pathname),
        (_, None, Some(address)) => Wanted::Pathname(address.pathname().to_owned()),
        (_, None, None) => Wanted::TheOnlyPage,
    };
    let json = args.json;
    let report = connect::block_on(async {
        let client =
            Client::connect(connect::hello("check", Some(&project))).await.map_err(connect::no_hub)?;
        let (project, comments) = find(&client, wanted).await?;
        let looked = check::look(&html, &comments, connect::now())?;
        if args.report {
            store(&client, &comments, &looked).await?;
        }
        Ok(Report { project, page: page.to_string(), comments, looked, report: args.report })
    })?;
    if json {
        output::print_json(&json::of(&report))?;
    } else {
        output::print(&text::of(&report))?;
    }
    Ok(exit(&report.looked.comments))
}

fn exit(checked: &[Checked]) -> Exit {
    let any = |known: MayHaveChanged| checked.iter().any(|one| one.may_have_changed == known);
    if any(MayHaveChanged::Yes) {
        Exit::MayHaveChanged
    } else if any(MayHaveChanged::Untold) {
        Exit::Untold
    } else {
        Exit::Done
    }
}

/// Where the HTML is.
enum Source {
    Standard,
    File(PathBuf),
    Url(Address),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Standard => f.write_str("standard input"),
            Self::File(path) => path.display().fmt(f),
            Self::Url(address) => address.fmt(f),
        }
    }
}

fn no_page() -> Failure {
    Failure::new(
        "no page is given",
        "Give an HTML file, an address like http://localhost:5173/, or pipe HTML in.",
    )
}

fn source(given: Option<String>) -> Result<Source, Failure> {
    match given.as_deref() {
        Some("") => Err(no_page()),
        None if std::io::stdin().is_terminal() => Err(no_page()),
        None | Some("-") => Ok(Source::Standard),
        Some(url) if url.contains("://") && !Path::new(url).exists() => Ok(Source::Url(Address::parse(url)?)),
        Some(file) => Ok(Source::File(file.into())),
    }
}

/// Which comments.
enum Wanted {
    Named(Vec<CommentRef>),
    Pathname(String),
    /// Those that wait for work, if they are all of one page.
    TheOnlyPage,
}

/// The project's root and its comments that are meant; at least one, the oldest of a page first.
async fn find(client: &Client, wanted: Wanted) -> Result<(String, Vec<Comment>), Failure> {
    let query =
        |pathname| FeedbackQuery { pathname, status: StatusFilter::Unresolved, ..FeedbackQuery::default() };
    let (project, mut comments) = match wanted {
        Wanted::Named(names) => {
            let one = Request::GetFeedback(FeedbackQuery { limit: Some(1), ..query(None) });
            let Answer::Feedback { project, .. } = client.request(one).await? else {
                return Err(connect::mismatch("comments"));
            };
            (project.root, named(client, names).await?)
        }
        Wanted::Pathname(pathname) => {
            let (project, comments) = comments::all(client, query(Some(pathname.clone()))).await?;
            if comments.is_empty() {
                let (_, there) = comments::all(client, query(None)).await?;
                return Err(none(&project, Some(&pathname), &there));
            }
            (project, comments)
        }
        Wanted::TheOnlyPage => {
            let (project, comments) = comments::all(client, query(None)).await?;
            if pathnames(&comments).len() != 1 {
                return Err(none(&project, None, &comments));
            }
            (project, comments)
        }
    };
    comments.sort_by(|a, b| (&a.pathname, a.created_at, &a.id).cmp(&(&b.pathname, b.created_at, &b.id)));
    Ok((project, comments))
}

async fn named(client: &Client, names: Vec<CommentRef>) -> Result<Vec<Comment>, Failure> {
    let mut ids = Vec::new();
    for name in names {
        ids.push(comments::id_of(client, name).await?);
    }
    ids.sort();
    ids.dedup();
    let mut comments = Vec::new();
    for comment_id in ids {
        let Answer::Comment { comment } = client.request(Request::GetComment { comment_id }).await? else {
            return Err(connect::mismatch("a comment"));
        };
        comments.push(*comment);
    }
    Ok(comments)
}

/// How many comments each page has.
fn pathnames(comments: &[Comment]) -> BTreeMap<&str, usize> {
    let mut pathnames = BTreeMap::new();
    for comment in comments {
        *pathnames.entry(comment.pathname.as_str()).or_default() += 1;
    }
    pathnames
}

/// Most pages that are named.
const NAMED: usize = 20;

fn none(project: &str, pathname: Option<&str>, there: &[Comment]) -> Failure {
    let pathnames = pathnames(there);
    if pathnames.is_empty() {
        return Failure::new(
            format!("no comment of {project} waits for work"),
            "Give --project DIR if that is not your project, or --comment ID for a resolved one.",
        );
    }
    let more = pathnames.len().saturating_sub(NAMED);
    let mut list: Vec<String> = pathnames
        .iter()
        .take(NAMED)
        .map(|(pathname, count)| format!("{} ({count})", output::plain(pathname)))
        .collect();
    if more > 0 {
        list.push(format!("and {more} more"));
    }
    let message = match pathname {
        Some(pathname) => format!("no comment of {project} on {pathname} waits for work"),
        None => "the comments are of several pages, and which one this is was not said".to_owned(),
    };
    Failure::new(message, format!("Give --pathname with one of: {}.", list.join(", ")))
}

/// Tells the hub what was found. Where something could not be told nothing is changed.
async fn store(client: &Client, comments: &[Comment], looked: &Looked) -> Result<(), Failure> {
    for (comment, checked) in comments.iter().zip(&looked.comments) {
        let Some(states) = checked.states() else { continue };
        let change = CommentChange::ReportStates { states };
        client
            .request(Request::ChangeComment { comment_id: comment.id.clone(), change, at: connect::now() })
            .await?;
    }
    Ok(())
}
