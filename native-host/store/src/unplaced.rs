//! What plain clients select and say before it is known to which project their page belongs: SQLite in the home's
//! `unplaced.db`, a row for each thing from before it is acknowledged until a project has stored it.

mod bounds;
mod rows;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use opentoolbar_core::model::{Context, ContextId, Session, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, UnplacedSummary};
use rusqlite::TransactionBehavior;

use super::applied::Sent;
use super::conversation::Pictures;
use super::database::Database;
use super::fault::Fault;
use super::unreadable::Unreadable;
use bounds::Counts;
use opentoolbar_leaves::error::error;

/// `url` and `title`: of the page at that moment. `root`: the project in which it may be stored already. `is_left`: its
/// session went on to a page of another origin. `bytes`: what the row costs, roughly. Times in milliseconds since 1970.
const UNPLACED: &str = "
CREATE TABLE unplaced (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    message_id TEXT NOT NULL UNIQUE,
    fingerprint INTEGER NOT NULL,
    is_selection INTEGER NOT NULL,
    context_id TEXT,
    document TEXT NOT NULL,
    element BLOB,
    viewport BLOB,
    root TEXT,
    is_left INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX unplaced_by_page ON unplaced (session_id, origin, number);
CREATE UNIQUE INDEX unplaced_selections ON unplaced (context_id) WHERE is_selection = 1;
CREATE INDEX unplaced_by_age ON unplaced (at);
";

/// Until now the session of the client `x` was called `s_x`: which those are that are kept.
const EARLIER: &str = "
CREATE TABLE earlier (session_id TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO earlier SELECT DISTINCT session_id FROM unplaced WHERE typeof(session_id) = 'text';
";

/// `made`: as `at`, but no earlier than of what came before it on its page, so that they keep their order when the
/// clock was set back.
const MADE: &str = "
ALTER TABLE unplaced ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
UPDATE unplaced SET made = at WHERE typeof(at) = 'integer';
";

const STEPS: [&str; 3] = [UNPLACED, EARLIER, MADE];

/// The pages of one origin in one session: what is said there goes to one project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// The tab.
    pub session: SessionId,
    /// Of the page that it was on.
    pub origin: String,
}

/// One thing that a client sent.
#[derive(Clone, Debug)]
pub enum Thing {
    /// `set_context`, redacted.
    Selected {
        /// The selection, without the names of its pictures.
        context: Box<Context>,
        /// Its pictures.
        pictures: Pictures,
    },
    /// `user_message`.
    Said {
        /// What it is about.
        context: Option<ContextId>,
        /// The words.
        text: String,
    },
}

/// One thing that waits for its project.
#[derive(Clone, Debug)]
pub struct Unplaced {
    /// The message that brought it: with its id a project stores it once.
    pub sent: Sent,
    /// When it came.
    pub at: Timestamp,
    /// What it is.
    pub thing: Thing,
}

/// What decides where the things of a page go, beside what is true now.
#[derive(Clone, Debug, Default)]
pub struct Whereto {
    /// The latest page.
    pub url: String,
    /// The project in which some of it may be stored already.
    pub root: Option<PathBuf>,
    /// The session is on a page of another origin, or was when it was last heard of.
    pub is_left: bool,
}

/// What is to be stored next of a page.
#[derive(Clone, Debug)]
pub struct First {
    /// By which it is let go.
    pub number: i64,
    /// The thing.
    pub one: Unplaced,
    /// When it came, but no earlier than what came before it on its page.
    pub made: Timestamp,
    /// When the latest selection of the page was made that came before it and cannot be read.
    pub lost: Option<Timestamp>,
}

/// The database, made when the first thing comes. Calls block; they belong on threads that may.
#[derive(Debug)]
pub struct Waiting {
    path: PathBuf,
    /// Held while SQLite works, for seconds when the disk is slow. Only threads that may block wait for it
    /// (`Hub::blocking`), and the hub's start, when nobody is served yet; never one that serves connections.
    open: Mutex<Option<Open>>,
    unreadable: Unreadable,
}

#[derive(Debug)]
struct Open {
    database: Database,
    counts: Counts,
    /// The last row of which it is known whether it can be read.
    checked: i64,
}

impl Waiting {
    /// In this file. Nothing is opened yet.
    pub fn at(path: PathBuf) -> Self {
        Self { path, open: Mutex::default(), unreadable: Unreadable::default() }
    }

    /// Keeps one thing that was sent on a page. It is on disk when this returns.
    ///
    /// # Errors
    /// `no_project` when no more can be kept; `unknown_context` when the page has not the selection that it is about;
    /// `conflict` and `bad_request` when an id was used for something else; `storage`.
    pub fn keep(&self, page: &Page, session: &Session, one: &Unplaced) -> Result<(), ErrorBody> {
        self.with(|open| {
            let bytes = rows::bytes(page, session, one)?;
            let transaction =
                open.database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if rows::is_repeated(&transaction, page, one)? {
                return Ok(());
            }
            open.counts.must_have_room(page, bytes).map_err(Fault::Refused)?;
            rows::insert(&transaction, page, session, one, bytes)?;
            transaction.commit()?;
            open.counts.add(&page.session, bytes);
            Ok(())
        })
    }

    /// Every page of which something is kept. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn pages(&self) -> Result<Vec<Page>, ErrorBody> {
        if self.is_none() {
            return Ok(Vec::new());
        }
        self.with(|open| rows::pages(&open.database.connection, &self.unreadable))
    }

    /// Sessions of when that of the client `x` was called `s_x`, until [`Self::knows_earlier`]. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn earlier(&self) -> Result<BTreeSet<SessionId>, ErrorBody> {
        if self.is_none() {
            return Ok(BTreeSet::new());
        }
        self.with(|open| rows::earlier(&open.database.connection))
    }

    /// Which those are is on disk elsewhere.
    ///
    /// # Errors
    /// `storage`.
    pub fn knows_earlier(&self) -> Result<(), ErrorBody> {
        self.with(|open| Ok(open.database.connection.execute("DELETE FROM earlier", []).map(drop)?))
    }

    /// How much is kept that can be read, and what cannot; `None` for nothing. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn summary(&self) -> Result<Option<UnplacedSummary>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.with(|open| {
            rows::check(&open.database.connection, &mut open.checked, &self.unreadable)?;
            rows::summary(&open.database.connection, &self.unreadable)
        })
    }

    /// How many rows were met and could not be read.
    pub fn unreadable(&self) -> u32 {
        self.unreadable.count()
    }

    /// Where the things of a page may go; `None` when nothing of it is kept.
    ///
    /// # Errors
    /// `storage`.
    pub fn whereto(&self, page: &Page) -> Result<Option<Whereto>, ErrorBody> {
        self.with(|open| rows::whereto(&open.database.connection, page))
    }

    /// The page of a session on which something was kept last, and when.
    ///
    /// # Errors
    /// `storage`.
    pub fn latest_page(&self, session: &SessionId) -> Result<Option<(Session, Timestamp)>, ErrorBody> {
        self.with(|open| rows::latest_page(&open.database.connection, session, &self.unreadable))
    }

    /// The page on which a selection that is kept was made.
    ///
    /// # Errors
    /// `storage`.
    pub fn page_of(
        &self,
        session: &SessionId,
        context: &ContextId,
    ) -> Result<Option<(Page, Session)>, ErrorBody> {
        self.with(|open| rows::page_of(&open.database.connection, session, context, &self.unreadable))
    }

    /// The session is on a page of this origin now: of what is kept of others it has left the page.
    ///
    /// # Errors
    /// `storage`.
    pub fn is_on(&self, page: &Page) -> Result<(), ErrorBody> {
        self.with(|open| rows::is_on(&open.database.connection, page))
    }

    /// The project in which the things of a page are stored from now on.
    ///
    /// # Errors
    /// `storage`.
    pub fn goes_to(&self, page: &Page, root: &Path) -> Result<(), ErrorBody> {
        self.with(|open| rows::goes_to(&open.database.connection, page, root))
    }

    /// The oldest thing of a page that can be read.
    ///
    /// # Errors
    /// `storage`.
    pub fn first(&self, page: &Page) -> Result<Option<First>, ErrorBody> {
        self.with(|open| rows::first(&open.database.connection, page, &self.unreadable))
    }

    /// When the latest selection of a page was made that is still here, because it cannot be read.
    ///
    /// # Errors
    /// `storage`.
    pub fn lost_selection(&self, page: &Page) -> Result<Option<Timestamp>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.with(|open| rows::lost_before(&open.database.connection, page, i64::MAX))
    }

    /// A project has stored it, or none ever will.
    ///
    /// # Errors
    /// `storage`.
    pub fn forget(&self, number: i64) -> Result<(), ErrorBody> {
        self.with(|open| {
            let forgotten = rows::forget(&open.database.connection, number)?;
            self.unreadable.is_gone(rows::WAITS, &number.to_string());
            forgotten.iter().for_each(|(session, bytes)| open.counts.remove(session, *bytes));
            Ok(())
        })
    }

    /// Lets go of what came before, readable or not. Returns how many things. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn forget_before(&self, at: Timestamp) -> Result<usize, ErrorBody> {
        if self.is_none() {
            return Ok(0);
        }
        self.with(|open| {
            let (count, forgotten) = rows::forget_before(&open.database.connection, at, &self.unreadable)?;
            forgotten.iter().for_each(|(session, bytes)| open.counts.remove(session, *bytes));
            Ok(count)
        })
    }

    /// Lets go of what was said in a session and is stored nowhere yet: the person took it back. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn take_back(&self, session: &SessionId) -> Result<(), ErrorBody> {
        if self.is_none() {
            return Ok(());
        }
        self.with(|open| {
            let forgotten = rows::take_back(&open.database.connection, session)?;
            forgotten.iter().for_each(|(session, bytes)| open.counts.remove(session, *bytes));
            Ok(())
        })
    }

    /// There is no file. One that cannot be looked at is none of them.
    fn is_none(&self) -> bool {
        matches!(self.path.try_exists(), Ok(false))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Open) -> Result<T, Fault>) -> Result<T, ErrorBody> {
        // What a panic leaves is a transaction that is rolled back.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Deleted by somebody: what is kept now must be in the file that is found later.
        open.take_if(|open| !open.database.is_in_place());
        let result = match &mut *open {
            Some(open) => work(open),
            None => {
                // What was met in another file is not in this one.
                self.unreadable.forget_all();
                Open::at(&self.path).and_then(|new| work(open.insert(new)))
            }
        };
        result.map_err(|fault| self.body(fault))
    }

    fn body(&self, fault: Fault) -> ErrorBody {
        let path = self.path.display();
        match fault {
            Fault::Refused(body) => body,
            Fault::Newer { .. } => error(
                ErrorCode::Storage,
                format!("what waits for its project is in {path}, which a newer opentoolbar made"),
                "Update opentoolbar, or choose the project of the page.",
            ),
            fault => error(
                ErrorCode::Storage,
                format!("{path}, which has what waits for its project, cannot be used: {fault}"),
                "See whether its disk is full and the file can be read and written; move it aside if it is damaged. Then send it \
                 again.",
            ),
        }
    }
}

impl Open {
    fn at(path: &Path) -> Result<Self, Fault> {
        let database = Database::of_home(path.to_owned(), &STEPS)?;
        rows::date(&database.connection)?;
        let counts = rows::counts(&database.connection)?;
        if counts.is_empty() {
            // Words of others are not left in free pages, nor their room taken from the disk.
            database.connection.execute_batch("VACUUM")?;
        }
        Ok(Self { database, counts, checked: 0 })
    }
}

#[cfg(test)]
mod tests;
