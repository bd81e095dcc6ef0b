//! Looks into the copy of a database that may be a stranger's, in a process of its own whose memory and time are
//! bounded: a schema can be made so that reading it alone costs seconds and gigabytes.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use opentoolbar_core::model::Comment;
use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};

use super::fault::fails_by_disk;
use super::{database, migrations};
use opentoolbar_leaves::bounded;

/// The hidden verb that this runs as.
pub const VERB: &str = "examine-database";
/// How long an examination may take.
const WITHIN: Duration = Duration::from_secs(20);
/// Processor seconds, and bytes of memory that SQLite and the whole process may take.
#[cfg(unix)]
const MOST_SECONDS: u64 = 15;
const MOST_HEAP: i64 = 128 * 1024 * 1024;
#[cfg(unix)]
const MOST_MEMORY: u64 = 512 * 1024 * 1024;
/// Comments that are read from a stranger's database, bytes of one, and of all.
const MOST_COMMENTS: i64 = 10_000;
const MOST_DOCUMENT: i64 = 1024 * 1024;
const MOST_OUTPUT: usize = 48 * 1024 * 1024;

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether it is a database as one of our versions made it, tables and all; its log is written into it then.
    IsOurs,
    /// Which comments are in it.
    Comments,
}

impl Question {
    fn word(self) -> &'static str {
        match self {
            Self::IsOurs => "is-ours",
            Self::Comments => "comments",
        }
    }

    /// By the word that is its argument.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::IsOurs, Self::Comments].into_iter().find(|question| question.word() == word)
    }
}

/// One line of what the process says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    /// JSON of a comment, as it stands in the database.
    Comment(String),
    /// It is not what was asked for, and why.
    No(String),
    /// The disk under the copy failed or is full, which says nothing of the database; and what it said.
    Failed(String),
    /// Nothing more comes.
    Done,
}

/// The comments in a stranger's database, with how many cannot be read; or why there are none to be had.
pub(super) fn comments(path: &Path) -> io::Result<Result<(Vec<Comment>, u32), String>> {
    let lines = match ask(Question::Comments, path)? {
        Ok(lines) => lines,
        Err(why) => return Ok(Err(why)),
    };
    let (mut comments, mut unreadable) = (Vec::new(), 0);
    for line in lines {
        let Line::Comment(document) = line else { continue };
        match serde_json::from_str(&document) {
            Ok(comment) => comments.push(comment),
            Err(_) => unreadable += 1,
        }
    }
    Ok(Ok((comments, unreadable)))
}

/// Whether the database is as one of our versions made it; or why not.
pub(super) fn is_ours(path: &Path) -> io::Result<Result<(), String>> {
    Ok(ask(Question::IsOurs, path)?.map(drop))
}

fn ask(question: Question, path: &Path) -> io::Result<Result<Vec<Line>, String>> {
    // What runs now, also when an update has put another program in its place.
    let program = if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
    read(Command::new(program).args([VERB, question.word()]).arg(path), WITHIN)
}

/// What the process says, or why it is not what was asked for. A process that takes more of the processor or of memory
/// than it may has found a database that costs too much. One that is not done in time may wait for a disk or for other
/// processes, and one that was told to end was told so by a system that shuts down, or a person: that says nothing.
fn read(process: &mut Command, within: Duration) -> io::Result<Result<Vec<Line>, String>> {
    let too_much = || Ok(Err("reading it takes too much".to_owned()));
    let late = || {
        let why = "the database in the project could not be examined in time";
        Err(io::Error::new(io::ErrorKind::TimedOut, why))
    };
    let outcome = match bounded::run(process, within, MOST_OUTPUT) {
        Ok(outcome) => outcome,
        Err(e) => {
            return match e.kind() {
                io::ErrorKind::FileTooLarge => too_much(),
                io::ErrorKind::TimedOut => late(),
                _ => Err(e),
            };
        }
    };
    if was_told_to_end(outcome.status) {
        return late();
    }
    let lines: Result<Vec<Line>, _> =
        serde_json::Deserializer::from_slice(&outcome.output).into_iter::<Line>().collect();
    let Ok(mut lines) = lines else { return too_much() };
    match lines.pop() {
        Some(Line::Done) if outcome.status.success() => Ok(Ok(lines)),
        Some(Line::No(why)) => Ok(Err(why)),
        Some(Line::Failed(why)) => Err(io::Error::other(why)),
        _ => too_much(),
    }
}

/// By a signal that no bound of ours sends.
fn was_told_to_end(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        use std::os::unix::process::ExitStatusExt;
        let told = [Signal::TERM, Signal::INT, Signal::HUP];
        told.iter().any(|signal| status.signal() == Some(signal.as_raw()))
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

/// What the process does: answers on standard output, and is ended by the system when it takes too much. True when the
/// answer is whole.
pub fn examine(question: Question, path: &Path) -> bool {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut say = |line: &Line| -> io::Result<()> {
        serde_json::to_writer(&mut out, line)?;
        out.write_all(b"\n")
    };
    let examined = bound_myself().and_then(|()| match question {
        Question::IsOurs => must_be_ours(path),
        Question::Comments => read_comments(path, &mut say),
    });
    let last = match examined {
        Ok(()) => Line::Done,
        Err(last) => last,
    };
    say(&last).is_ok() && out.flush().is_ok()
}

fn bound_myself() -> Result<(), Line> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
        let bounds = [(Resource::Cpu, MOST_SECONDS), (Resource::As, MOST_MEMORY), (Resource::Core, 0)];
        for (resource, most) in bounds {
            setrlimit(resource, limit(most))
                .map_err(|error| Line::No(format!("it cannot be read safely: {error}")))?;
        }
    }
    Ok(())
}

fn no(error: rusqlite::Error) -> Line {
    let why = format!("it cannot be read: {error}");
    if fails_by_disk(&error) { Line::Failed(why) } else { Line::No(why) }
}

fn bounded(connection: &Connection) -> Result<(), Line> {
    connection.pragma_update(None, "hard_heap_limit", MOST_HEAP).map_err(no)?;
    database::harden(connection).map_err(|fault| match fault.is_of_a_disk() {
        true => Line::Failed(fault.to_string()),
        false => Line::No(fault.to_string()),
    })
}

/// Name, kind and text of everything in a schema, in order.
type Schema = Vec<(String, String, Option<String>)>;

fn schema(connection: &Connection) -> rusqlite::Result<Schema> {
    let sql = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
}

/// As one of our versions made it, to the letter: no trigger, view, generated column or table more. Its log, when there
/// is one, is written into it.
fn must_be_ours(path: &Path) -> Result<(), Line> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags).map_err(no)?;
    bounded(&connection)?;
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(no)?;
    let expected = migrations::schema_of(version).ok_or_else(|| {
        Line::No(format!("no version of opentoolbar known to this one made it (it says {version})"))
    })?;
    let expected = schema(&expected).map_err(no)?;
    if schema(&connection).map_err(no)? != expected {
        return Err(Line::No("its tables are not as opentoolbar makes them".to_owned()));
    }
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(no)?;
    connection.close().map_err(|(_, error)| no(error))
}

/// Reads the one table and the one column that are known, and nothing else of it.
fn read_comments(path: &Path, say: &mut dyn FnMut(&Line) -> io::Result<()>) -> Result<(), Line> {
    let connection = database::open_immutable(path).map_err(no)?;
    bounded(&connection)?;
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'comments'";
    let table: String = connection
        .query_row(sql, [], |row| row.get(0))
        .map_err(|_| Line::No("it has no comments as opentoolbar keeps them".to_owned()))?;
    if Some(table) != migrations::table_of_comments() {
        return Err(Line::No("its comments are not kept as opentoolbar keeps them".to_owned()));
    }
    let sql = "SELECT document FROM comments NOT INDEXED \
               WHERE typeof(document) = 'text' AND octet_length(document) <= ?1 AND deleted_at IS NULL LIMIT ?2";
    let mut statement = connection.prepare(sql).map_err(no)?;
    let mut rows = statement.query([MOST_DOCUMENT, MOST_COMMENTS]).map_err(no)?;
    while let Some(row) = rows.next().map_err(no)? {
        // One that is no text in UTF-8 is no comment.
        let Ok(document) = row.get::<_, String>(0) else { continue };
        say(&Line::Comment(document)).map_err(|error| Line::No(error.to_string()))?;
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shell(script: &str) -> io::Result<Result<Vec<Line>, String>> {
        read(Command::new("sh").args(["-c", script]), Duration::from_secs(60))
    }

    #[test]
    fn what_is_not_done_in_time_says_nothing_of_the_database() {
        let late = read(Command::new("sleep").arg("600"), Duration::from_millis(50)).unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        // As a process whose time on the processor is over, and one whose memory is.
        for ended in ["kill -XCPU $$", "kill -KILL $$", "kill -ABRT $$", "echo '\"done\"'; exit 1"] {
            assert!(shell(ended).unwrap().unwrap_err().contains("takes too much"), "{ended}");
        }
        for told in ["kill -TERM $$", "echo '\"done\"'; kill -INT $$"] {
            assert_eq!(shell(told).unwrap_err().kind(), io::ErrorKind::TimedOut, "{told}");
        }
        assert!(shell("echo '\"done\"'").unwrap().unwrap().is_empty());
    }
}
