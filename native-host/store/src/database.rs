//! One open database file: where it is, how it is opened, whether it is still the one on disk.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

use super::fault::Fault;
use super::migrations;
use opentoolbar_leaves::names::DATABASE;

/// Another program (a second hub, a person's `sqlite3`) may hold the lock for a moment.
const BUSY: Duration = Duration::from_secs(3);
/// The same for who looks in many, one after another.
const BUSY_READING: Duration = Duration::from_millis(200);
/// A write-ahead log that a burst made long is cut back to this many bytes.
const LOG_LIMIT: i64 = 4 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct Database {
    pub(super) connection: Connection,
    path: PathBuf,
    identity: Option<Identity>,
    /// Opened on read-only storage: what it says may be read, nothing else.
    frozen: bool,
    /// False on a file system that has no shared memory; SQLite then makes each change durable by itself.
    has_log: bool,
}

impl Database {
    /// Opens the database in the project's directory of the home for writing; makes the file when it is not there.
    pub(super) fn open(directory: &Path) -> Result<Self, Fault> {
        Self::open_at(directory.join(DATABASE))
    }

    fn open_at(path: PathBuf) -> Result<Self, Fault> {
        Self::open_with(path, migrations::migrate)
    }

    /// The same of another file, with a schema of its own.
    pub(super) fn open_with(
        path: PathBuf,
        migrate: impl FnOnce(&mut Connection) -> Result<(), Fault>,
    ) -> Result<Self, Fault> {
        if path.is_symlink() {
            let link = format!("{} is a link, which is not followed", path.display());
            return Err(Fault::Home(std::io::Error::other(link)));
        }
        make(&path).map_err(Fault::Home)?;
        #[cfg(unix)]
        make_private(&path);
        let mut connection = Connection::open(&path)?;
        connection.busy_timeout(BUSY)?;
        harden(&connection)?;
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
        let has_log = mode == "wal";
        // An acknowledged message is deleted from its sender's outbox: it must survive a power cut here. SQLite itself
        // writes the log to disk only when it begins and ends one; `sync` does after every change, and before anybody
        // is told, one time for all changes that were waiting.
        connection.pragma_update(None, "synchronous", if has_log { "NORMAL" } else { "FULL" })?;
        connection.pragma_update(None, "journal_size_limit", LOG_LIMIT)?;
        migrate(&mut connection)?;
        let identity = Identity::of(&path);
        // With a log left by a killed hub SQLite opens what it cannot write without a word.
        let frozen = connection.is_readonly(rusqlite::MAIN_DB)?;
        Ok(Self { connection, path, identity, frozen, has_log })
    }

    /// Opens a file of the home's own that these steps made. Each change is durable at the end of its transaction, when
    /// it is told.
    pub(super) fn of_home(path: PathBuf, steps: &[&'static str]) -> Result<Self, Fault> {
        let database = Self::open_with(path, |connection| {
            let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
            let found = found as usize;
            if found > steps.len() {
                return Err(Fault::Newer { found, known: steps.len() });
            }
            let steps = steps.iter().map(|step| M::up(step));
            Migrations::from_iter(steps).to_latest(connection).map_err(Fault::Migration)
        })?;
        database.connection.pragma_update(None, "synchronous", "FULL")?;
        Ok(database)
    }

    /// Opens it when it is there, even on storage that cannot be written.
    pub(super) fn open_existing(directory: &Path) -> Result<Option<Self>, Fault> {
        let path = directory.join(DATABASE);
        if !path.exists() {
            return Ok(None);
        }
        match Self::open_at(path.clone()) {
            Ok(database) => Ok(Some(database)),
            Err(fault) if is_read_only(&fault) => Self::open_frozen(path).map(Some),
            Err(fault) => Err(fault),
        }
    }

    /// SQLite cannot make the shared memory file that a write-ahead log needs; `immutable` does without, but would pass
    /// over what a killed hub left in the log. That needs the log and its shared memory file, which are there then.
    fn open_frozen(path: PathBuf) -> Result<Self, Fault> {
        let log = std::fs::metadata(path.with_extension("db-wal"));
        let way = if log.is_ok_and(|log| log.len() > 0) { "mode=ro" } else { "immutable=1" };
        let mut connection = open_to_read(&path, way)?;
        harden(&connection)?;
        migrations::migrate(&mut connection)?;
        let identity = Identity::of(&path);
        Ok(Self { connection, path, identity, frozen: true, has_log: false })
    }

    /// Puts everything that was committed on disk: what `synchronous = FULL` does at the end of each transaction.
    pub(super) fn sync(&self) -> std::io::Result<()> {
        if !self.has_log {
            return Ok(());
        }
        // Windows lets only those make a file durable who may write it.
        OpenOptions::new().write(true).open(self.log())?.sync_data()
    }

    /// The same after `sync` has failed: the system may have given up what it was to write, and says of the same file
    /// the next time that all is well. What is in the log is written into the database, and the log begins anew.
    pub(super) fn sync_without_log(&self) -> Result<(), Fault> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_kept_out: bool = self.connection.query_row(checkpoint, [], |row| row.get(0))?;
        if is_kept_out {
            return Err(Fault::KeptOut);
        }
        match self.sync() {
            // Somebody deleted it.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            synced => synced.map_err(Fault::NotDurable),
        }
    }

    fn log(&self) -> PathBuf {
        self.path.with_extension("db-wal")
    }

    /// Whether it can only be read, until it is opened again.
    pub(super) fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Whether the file that is open is the one at its path.
    pub(super) fn is_in_place(&self) -> bool {
        let now = Identity::of(&self.path);
        now.is_some() && now == self.identity
    }
}

/// Makes the file when it is not there, its owner's alone: what was said in it is nobody else's on this machine. SQLite
/// gives the files beside it the same mode.
fn make(path: &Path) -> std::io::Result<()> {
    let mut new = OpenOptions::new();
    new.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    match new.open(path) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => Err(e),
        _ => Ok(()),
    }
}

/// Takes from everybody else what they may do with a file that somebody has put there, and with what lies beside it. A
/// disk on which that cannot be done is no reason not to open it.
#[cfg(unix)]
fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let beside = ["db-wal", "db-shm", "db-journal"].map(|end| path.with_extension(end));
    for path in std::iter::once(path).chain(beside.iter().map(PathBuf::as_path)) {
        let Ok(found) = std::fs::symlink_metadata(path) else { continue };
        let private = std::fs::Permissions::from_mode(0o600);
        if found.is_file()
            && found.permissions().mode() & 0o077 != 0
            && let Err(error) = std::fs::set_permissions(path, private)
        {
            tracing::warn!(%error, "a file of the home stays open to other users of this machine");
        }
    }
}

/// `way`: what SQLite's addresses take after the `?`.
fn open_to_read(path: &Path, way: &str) -> rusqlite::Result<Connection> {
    let encoded: String = path
        .to_string_lossy()
        .chars()
        .flat_map(|c| match c {
            '%' => vec!['%', '2', '5'],
            '?' => vec!['%', '3', 'f'],
            '#' => vec!['%', '2', '3'],
            c => vec![c],
        })
        .collect();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{encoded}?{way}"), flags)
}

/// Whether the database in this directory has the comment, whatever version made it: nothing in it is changed or
/// brought up to date. Of the files of a killed hub SQLite reads its log, too. `is_open`: somebody may be writing it.
pub(super) fn has_comment(directory: &Path, id: &str, is_open: bool) -> Result<bool, Fault> {
    let path = directory.join(DATABASE);
    if path.is_symlink() {
        let link = format!("{} is a link, which is not followed", path.display());
        return Err(Fault::Home(std::io::Error::other(link)));
    }
    match std::fs::metadata(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(Fault::Home(e)),
        // What was in it is lost, or not there yet; to SQLite it is a database with nothing in it.
        Ok(file) if file.len() == 0 => {
            return Err(Fault::Home(std::io::Error::other(format!("{} is empty", path.display()))));
        }
        Ok(_) => {}
    }
    let left = ["db-wal", "db-journal"].map(|end| std::fs::metadata(path.with_extension(end)));
    let is_left = left.iter().flatten().any(|file| file.len() > 0);
    let connection = open_to_read(&path, if is_left || is_open { "mode=ro" } else { "immutable=1" })?;
    connection.busy_timeout(BUSY_READING)?;
    harden(&connection)?;
    let schema = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'comments')";
    let has_comments: bool = connection.query_row(schema, [], |row| row.get(0))?;
    if !has_comments {
        return Ok(false);
    }
    let one = "SELECT EXISTS (SELECT 1 FROM comments WHERE id = ?1)";
    Ok(connection.query_row(one, [id], |row| row.get(0))?)
}

/// The file alone, whatever lies beside it. Nobody else may write it.
pub(super) fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    open_to_read(path, "immutable=1")
}

/// A database may have been taken over from a project: its schema must not run anything of its own.
pub(super) fn harden(connection: &Connection) -> Result<(), Fault> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    Ok(())
}

fn is_read_only(fault: &Fault) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    match fault {
        Fault::Sql(e) | Fault::Migration(rusqlite_migration::Error::RusqliteError { err: e, .. }) => {
            matches!(e.sqlite_error_code(), Some(CannotOpen | ReadOnly | PermissionDenied))
        }
        _ => false,
    }
}

/// Tells a file from another one at the same path.
#[derive(Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self(metadata.dev(), metadata.ino()))
    }

    /// Windows does not let anybody delete an open file, so being there is enough.
    #[cfg(windows)]
    fn of(path: &Path) -> Option<Self> {
        path.exists().then_some(Self(0, 0))
    }
}
