//! `opentoolbar export`: the comments of a project, as a markdown prompt or as JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use opentoolbar_core::prompt::{Level, PromptOptions, escape_json, export_json, markdown};
use opentoolbar_core::protocol::{FeedbackQuery, StatusFilter};

use super::{Failure, comments, connect, directory, output};
use crate::hub::client::Client;
use crate::why::why;

const EXAMPLES: &str = "\
Examples:
  opentoolbar export                                  unresolved comments of the project in this directory
  opentoolbar export --pathname /settings --level brief
  opentoolbar export --json -o comments.json          everything, resolved comments too; the panel can import it";

/// Arguments of `opentoolbar export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExportArgs {
    /// How much is said about each element
    #[arg(long, value_enum, default_value_t = LevelArg::Standard, conflicts_with = "json")]
    level: LevelArg,
    /// All comments as JSON instead of a prompt
    #[arg(long)]
    json: bool,
    /// Only this page: /settings
    #[arg(long, value_name = "PATH")]
    pathname: Option<String>,
    /// The project; default: the current directory
    #[arg(long, value_name = "DIR", env = "OPENTOOLBAR_PROJECT")]
    project: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LevelArg {
    Brief,
    Standard,
    Full,
}

pub(super) fn run(args: ExportArgs) -> Result<(), Failure> {
    let project = directory::of_project(args.project)?;
    let status = if args.json { StatusFilter::All } else { StatusFilter::Unresolved };
    let pathname = args.pathname.as_deref().map(comments::pathname).transpose()?;
    let query = FeedbackQuery { pathname, status, ..FeedbackQuery::default() };
    let (root, comments) = connect::block_on(async {
        let client =
            Client::connect(connect::hello("export", Some(&project))).await.map_err(connect::no_hub)?;
        comments::all(&client, query).await
    })?;
    if comments.is_empty() {
        // Beside what is exported, so that a script gets the same as ever.
        let of = args.pathname.map(|pathname| format!(" on {pathname}")).unwrap_or_default();
        let which = if args.json { "has no comments" } else { "has no comments that wait for work" };
        output::note(&format!(
            "The project {} {which}{of}. Another one: --project DIR.",
            output::plain(&root)
        ));
    }
    let text = if args.json {
        export_json(&comments, connect::now())
    } else {
        let level = match args.level {
            LevelArg::Brief => Level::Brief,
            LevelArg::Standard => Level::Standard,
            LevelArg::Full => Level::Full,
        };
        markdown(&comments, &PromptOptions { level, ..PromptOptions::default() })
    };
    let text = if args.json { escape_json(&text) } else { text };
    put_out(args.output, &text)
}

/// To the file, whole or not at all, or to standard output.
pub(super) fn put_out(file: Option<PathBuf>, text: &str) -> Result<(), Failure> {
    match file {
        Some(file) => write(&file, text),
        None => output::print(text),
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let directory = directory_of(file);
    if !directory.is_dir() {
        return Err(Failure::new(
            format!("cannot write {}: there is no directory {}", file.display(), directory.display()),
            "Make it, or give a file in another one.",
        ));
    }
    put(file, text).map_err(|error| {
        // The error of a temporary file names that one, which nobody asked for.
        let inner = error.get_ref().and_then(std::error::Error::source);
        let inner = inner.and_then(|inner| inner.downcast_ref::<std::io::Error>());
        Failure::new(
            format!("cannot write {}: {}", file.display(), why(inner.unwrap_or(&error))),
            "Give a file in a directory that you can write.",
        )
    })
}

fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file whole or not at all, with the mode that the person's other files have, or that it had before. What is no file
/// (a pipe, a terminal) is written to, not replaced; so is the file that a symbolic link names.
fn put(file: &Path, text: &str) -> std::io::Result<()> {
    let there = std::fs::metadata(file).ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes());
    }
    let file = if there.is_some() { file.canonicalize()? } else { file.to_owned() };
    let directory = directory_of(&file);
    let mut named = tempfile::Builder::new();
    named.prefix(".opentoolbar-");
    #[cfg(unix)]
    {
        // A temporary file is 0600 unless told; the system takes from this what the person's umask says.
        use std::os::unix::fs::PermissionsExt;
        named.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut whole = named.tempfile_in(directory)?;
    whole.write_all(text.as_bytes())?;
    if let Some(there) = there {
        whole.as_file().set_permissions(there.permissions())?;
    }
    whole.persist(&file)?;
    Ok(())
}
