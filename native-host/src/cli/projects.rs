//! `opentoolbar projects`: what is kept of which project, moved, exported, deleted; and what is offered.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use opentoolbar_core::model::Comment;
use opentoolbar_core::prompt::export_json;
use opentoolbar_core::protocol::{
    Answer, FeedbackSummary, Offer, OfferKind, Request, StoredProject, UnreadableProject,
};
use serde_json::json;

use super::{Exit, Failure, connect, export, output};
use crate::home::Home;
use crate::hub::client::Client;
use crate::project::may_be_project_of;

const EXAMPLES: &str = "\
Examples:
  opentoolbar projects                                     what is kept, and what is offered
  opentoolbar projects export ~/shop -o shop.json          all comments of a project, also of one that is gone
  opentoolbar projects move ~/shop ~/work/shop             after the directory was moved
  opentoolbar projects accept moved-shop-1a2b3c4d          take what is offered; `decline` is not asked again";

/// Arguments of `opentoolbar projects`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ProjectsArgs {
    #[command(subcommand)]
    what: Option<What>,
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// What is kept of which project, and what is offered.
    List {
        /// For programs: one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Give what is kept of one project to another directory that has nothing yet.
    Move {
        /// Where the project was: a path, or an id of the list
        from: String,
        /// Where it is now
        to: PathBuf,
    },
    /// Print all comments of a project as JSON that the panel can import; its directory may be gone.
    Export {
        /// A path, or an id of the list
        project: String,
        /// Write to this file instead of standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Delete what is kept of a project, for good.
    Delete {
        /// A path, or an id of the list
        project: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Take over what is offered.
    Accept(OfferArgs),
    /// Do not take over what is offered, and do not offer it again.
    Decline(OfferArgs),
}

#[derive(Debug, Args)]
struct OfferArgs {
    /// Its name in the list
    offer: String,
    /// To which project, when it is offered to several
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
}

pub(super) fn run(args: ProjectsArgs) -> Result<(), Failure> {
    match args.what {
        None => list(args.json),
        Some(What::List { json }) => list(json || args.json),
        Some(_) if args.json => Err(Failure::new(
            "--json belongs to the list alone",
            "Leave it out, or run `opentoolbar projects --json`.",
        )
        .exit(Exit::Usage)),
        Some(What::Move { from, to }) => move_to(&from, &to),
        Some(What::Export { project, output }) => export_all(&project, output),
        Some(What::Delete { project, yes }) => delete(&project, yes),
        Some(What::Accept(args)) => answer(args, true),
        Some(What::Decline(args)) => answer(args, false),
    }
}

/// The hub alone reads and writes what is kept; it is started when it does not run.
async fn connected() -> Result<Client, Failure> {
    Client::connect(connect::hello("projects", None)).await.map_err(connect::no_hub)
}

/// What is kept, what is offered, and what cannot be read.
struct Listed {
    projects: Vec<StoredProject>,
    offers: Vec<Offer>,
    unreadable: Vec<UnreadableProject>,
}

async fn stored(client: &Client) -> Result<Listed, Failure> {
    match client.request(Request::ListStored).await? {
        Answer::Stored { projects, offers, unreadable } => Ok(Listed { projects, offers, unreadable }),
        _ => Err(connect::mismatch("what is kept")),
    }
}

/// By its id, or by its path as it is or was.
fn find(Listed { projects, unreadable, .. }: Listed, given: &str) -> Result<StoredProject, Failure> {
    let path = Path::new(given);
    let real = path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
    let is_meant = |project: &StoredProject| project.id == given || Path::new(&project.root) == real;
    if let Some(project) = projects.into_iter().find(is_meant) {
        return Ok(project);
    }
    let may_be_meant = |project: &UnreadableProject| {
        project.id == given || may_be_project_of(&project.id, project.root.as_deref(), &real)
    };
    Err(match unreadable.into_iter().find(may_be_meant) {
        Some(UnreadableProject { message, next_step, .. }) => Failure::new(message, next_step),
        None => Failure::new(
            format!("nothing is kept of {}", output::plain(given)),
            "Run `opentoolbar projects` to see what is; give a path or an id of that list.",
        ),
    })
}

fn list(json: bool) -> Result<(), Failure> {
    let Listed { projects, offers, unreadable } =
        connect::block_on(async { stored(&connected().await?).await })?;
    for UnreadableProject { message, next_step, .. } in &unreadable {
        output::note(&format!("Left out: {}. {next_step}", output::plain(message)));
    }
    if json {
        let listed = json!({ "projects": projects, "offers": offers, "unreadable": unreadable });
        return output::print_json(&listed.to_string());
    }
    let mut text = String::new();
    if projects.is_empty() {
        text.push_str("Nothing is kept of any project yet.\n");
    }
    let width = projects.iter().map(|project| project.id.len()).max().unwrap_or_default();
    for StoredProject { id, root, is_there, bytes, last_used, .. } in &projects {
        let day = last_used.to_string();
        let day = day.get(..10).unwrap_or_default();
        let gone = if *is_there { "" } else { "  (the directory is gone)" };
        // Writing to a String does not fail.
        let _ = writeln!(text, "{id:<width$}  {:>9}  {day}  {}{gone}", size(*bytes), output::plain(root));
    }
    text.push_str(&offered(&offers));
    output::print(&text)
}

/// What is offered, with how to answer; empty when nothing is.
pub(super) fn offered(offers: &[Offer]) -> String {
    let mut text = String::new();
    if !offers.is_empty() {
        text.push_str("Offered, and not taken over by itself:\n");
    }
    for Offer { id, project, kind, from, bytes, reason } in offers {
        let from = output::plain(from);
        let what = match kind {
            OfferKind::Moved => format!("what is kept of {from}"),
            OfferKind::Found => format!("the comments in {from}, as somebody else's"),
        };
        let _ = writeln!(text, "  To {}: {what} ({}).", output::plain(&project.root), size(*bytes));
        let _ = writeln!(text, "    Why it is asked: {}.", output::plain(reason));
        let _ = writeln!(text, "    opentoolbar projects accept {id}");
        let _ = writeln!(text, "    opentoolbar projects decline {id}");
    }
    text
}

fn size(bytes: u64) -> String {
    match bytes {
        0 => "empty".to_owned(),
        bytes if bytes < 1024 * 1024 => format!("{} KiB", bytes.div_ceil(1024)),
        bytes => format!("{} MiB", bytes.div_ceil(1024 * 1024)),
    }
}

fn move_to(from: &str, to: &Path) -> Result<(), Failure> {
    let real = to.canonicalize().ok().filter(|real| real.is_dir()).ok_or_else(|| {
        Failure::new(
            format!("{} is not a directory", to.display()),
            "Give the directory in which the project is now.",
        )
    })?;
    let (from, comments) = connect::block_on(async {
        let client = connected().await?;
        let project = find(stored(&client).await?, from)?;
        let to = real.to_string_lossy().into_owned();
        match client.request(Request::MoveStored { id: project.id, to }).await? {
            Answer::OfferAnswered { added, .. } => Ok((project.root, added)),
            _ => Err(connect::mismatch("what was moved")),
        }
    })?;
    output::print(&format!(
        "What was kept of {} belongs to {} now: {}.",
        output::plain(&from),
        real.display(),
        comments_in_words(comments)
    ))
}

fn comments_in_words(count: u32) -> String {
    if count == 1 { "1 comment".to_owned() } else { format!("{count} comments") }
}

/// Every comment that is kept of a project, and how many there are.
async fn all(client: &Client, id: &str) -> Result<(FeedbackSummary, Vec<Comment>), Failure> {
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let asked = Request::ExportStored { id: id.to_owned(), cursor };
        let Answer::Feedback { summary, comments, next_cursor, .. } = client.request(asked).await? else {
            return Err(connect::mismatch("comments"));
        };
        all.extend(comments);
        cursor = next_cursor;
        if cursor.is_none() {
            return Ok((summary, all));
        }
    }
}

fn export_all(project: &str, file: Option<PathBuf>) -> Result<(), Failure> {
    let comments = connect::block_on(async {
        let client = connected().await?;
        let project = find(stored(&client).await?, project)?;
        Ok(all(&client, &project.id).await?.1)
    })?;
    export::put_out(file, &export_json(&comments, connect::now()))
}

fn delete(given: &str, yes: bool) -> Result<(), Failure> {
    connect::block_on(async {
        let client = connected().await?;
        let project = find(stored(&client).await?, given)?;
        let directory = Home::from_env()?.projects().join(&project.id);
        let root = output::plain(&project.root);
        // One that cannot be read can still be deleted.
        let what = match all(&client, &project.id).await {
            Ok((summary, _)) => comments_in_words(summary.total),
            Err(_) => "comments that cannot be read".to_owned(),
        };
        let what =
            format!("{what} and every message of {root}, {} in {}", size(project.bytes), directory.display());
        if !yes {
            confirm(&what, &project.id)?;
        }
        client.request(Request::DeleteStored { id: project.id }).await?;
        output::print(&format!(
            "Deleted: {what}. Copies and pictures in {root}/{} are left; delete that directory yourself.",
            crate::names::DIRECTORY
        ))
    })
}

fn confirm(what: &str, id: &str) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::new(
            format!("this deletes {what}, for good, and nobody is there to be asked"),
            format!("Keep a copy with `opentoolbar projects export {id} -o FILE`; then give --yes."),
        )
        .exit(Exit::Usage));
    }
    output::note(&format!(
        "This deletes {what}, for good.\nTo keep a copy first: opentoolbar projects export {id} -o FILE\nDelete? (yes/no)"
    ));
    let mut line = String::new();
    // What cannot be read is no yes.
    let _ = std::io::stdin().lock().read_line(&mut line);
    if matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Failure::new("nothing was deleted", "Answer yes to delete."))
}

fn answer(OfferArgs { offer, project }: OfferArgs, accept: bool) -> Result<(), Failure> {
    let project = project.map(|given| super::directory::of_project(Some(given))).transpose()?;
    connect::block_on(async {
        let client = connected().await?;
        let mut offers = stored(&client).await?.offers;
        offers.retain(|one| {
            one.id == offer && project.as_ref().is_none_or(|root| Path::new(&one.project.root) == root)
        });
        let one = match offers.len() {
            0 => Err(Failure::new(
                format!("{} is not offered", output::plain(&offer)),
                "Run `opentoolbar projects` to see what is.",
            )),
            1 => offers.pop().ok_or_else(|| connect::mismatch("an offer")),
            _ => Err(Failure::new(
                "it is offered to several projects",
                "Say which one is meant with --project DIR.",
            )
            .exit(Exit::Usage)),
        }?;
        let root = one.project.root.clone();
        let request = Request::AnswerOffer { root: root.clone(), offer_id: one.id, accept };
        let Answer::OfferAnswered { added, skipped } = client.request(request).await? else {
            return Err(connect::mismatch("what was taken over"));
        };
        let root = output::plain(&root);
        let from = output::plain(&one.from);
        let mut text = match (accept, one.kind) {
            (false, _) => format!("Declined; it is not offered again. {from} is left as it is."),
            (true, OfferKind::Moved) => {
                format!("What was kept of {from} belongs to {root} now: {}.", comments_in_words(added))
            }
            (true, OfferKind::Found) => format!(
                "Taken into {root} as somebody else's: {}. {from} is left as it is.",
                comments_in_words(added)
            ),
        };
        if skipped > 0 {
            let _ = write!(text, " {skipped} were there already or cannot be read.");
        }
        output::print(&text)
    })
}
