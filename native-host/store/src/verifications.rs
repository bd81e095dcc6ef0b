//! What agents ask a person to decide, what was decided, and the rules that decide in the person's place: SQLite in the
//! home's `verifications.db`, for all projects, because a person decides wherever they are and a hub that begins must
//! know at once what ran out. Knows nothing of who may decide.

mod rows;
mod rules;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opentoolbar_core::model::{
    Decided, DecidedBy, DecidedIn, MessageId, Project, Rule, RuleId, Timestamp, Verification, VerificationId,
};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use sha2::{Digest as _, Sha256};

use super::database::Database;
use super::fault::Fault;
use opentoolbar_leaves::error::error;

/// Most that wait for a person in one project, and in all.
pub const MOST_PENDING: u32 = 100;
/// The same in all projects.
pub const MOST_PENDING_IN_ALL: u32 = 1_000;
/// Most rules that hold in one project.
pub const MOST_RULES: u32 = 100;
/// Most decisions that are kept; of more the oldest goes.
const MOST_DECIDED: u32 = 10_000;

/// Moments in milliseconds since 1970. `approved`: null while it waits. `seen`: the latest moment that a hub was at, so
/// that a clock that is set back prolongs nothing.
const SCHEMA: &str = "
CREATE TABLE verifications (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    project TEXT NOT NULL,
    action TEXT NOT NULL,
    reason TEXT NOT NULL,
    context TEXT,
    asker TEXT NOT NULL,
    process INTEGER,
    hash TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    approved INTEGER,
    decided_by TEXT,
    way TEXT,
    decided_at INTEGER,
    note TEXT,
    rule_id TEXT
);
CREATE UNIQUE INDEX verifications_pending ON verifications (hash) WHERE approved IS NULL;
CREATE INDEX verifications_due ON verifications (expires_at) WHERE approved IS NULL;
CREATE INDEX verifications_decided ON verifications (decided_at) WHERE approved IS NOT NULL;
CREATE TABLE rules (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    project TEXT NOT NULL,
    action TEXT NOT NULL,
    context TEXT,
    any_context INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    stopped_at INTEGER,
    uses INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX rules_by_action ON rules (root, action);
CREATE TABLE seen (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) WITHOUT ROWID;
";

/// Who asked was one process; now it is that one and those that started it, as JSON. `message`: that asked.
const PROCESSES: &str = "
ALTER TABLE verifications DROP COLUMN process;
ALTER TABLE verifications ADD COLUMN processes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE verifications ADD COLUMN message TEXT;
CREATE INDEX verifications_by_message ON verifications (message) WHERE message IS NOT NULL;
DROP INDEX verifications_decided;
CREATE INDEX verifications_decided ON verifications (decided_by, decided_at) WHERE approved IS NOT NULL;
CREATE INDEX verifications_by_root ON verifications (root, project);
";

/// To who asked in a project that is there no longer.
const MOVED: &str = "The data of this project was moved or removed.";

const STEPS: [&str; 2] = [SCHEMA, PROCESSES];

/// A decision of a person's.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The `hash` of what the person saw.
    pub hash: String,
    /// Yes or no.
    pub approve: bool,
    /// To the asker.
    pub note: Option<String>,
    /// Where it was made.
    pub way: DecidedIn,
    /// With a yes: the rule's id, for how many hours, and whether whatever the context.
    pub rule: Option<(RuleId, u32, bool)>,
}

/// What waits, what was decided last, and the rules that hold.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// The next to expire first.
    pub pending: Vec<Verification>,
    /// The latest first.
    pub decided: Vec<Verification>,
    /// The next to expire first.
    pub rules: Vec<Rule>,
}

/// What a call changed, beside what it was asked for.
#[derive(Debug, Default)]
pub struct Effects {
    /// Verifications that were asked or decided, or whose time ran out.
    pub changed: Vec<Verification>,
    /// Whether other rules hold, or have decided more.
    pub has_other_rules: bool,
}

/// What binds a decision to the exact words: of the same words of the same asker in the same project it is the same.
#[must_use]
pub fn hash_of(root: &str, asker: &str, action: &str, reason: &str, context: Option<&str>) -> String {
    let mut hash = Sha256::new();
    // With its length before each, no words can pass for others.
    for part in [Some(root), Some(asker), Some(action), Some(reason), context] {
        hash.update([u8::from(part.is_some())]);
        let part = part.unwrap_or_default();
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The database, made when the first thing is asked. Calls block; they belong on threads that may. Each is one
/// transaction, in which first everything is rejected whose time has run out.
#[derive(Debug)]
pub struct Verifications {
    path: PathBuf,
    open: Mutex<Option<Database>>,
}

impl Verifications {
    /// In this file. Nothing is opened yet.
    pub fn at(path: PathBuf) -> Self {
        Self { path, open: Mutex::default() }
    }

    /// The latest moment that a hub is known to have been at; none where nothing was ever asked. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn seen(&self) -> Result<Option<Timestamp>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.with(rows::seen)
    }

    /// Stores what is asked, unless the same asker has asked just that and it waits: then that is given. A rule that
    /// holds decides at once. It is on disk when this returns.
    ///
    /// # Errors
    /// `rate_limited` when too many wait; `storage`.
    pub fn ask(
        &self,
        message: &MessageId,
        asked: Verification,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<Verification, ErrorBody> {
        self.at_moment(now, effects, move |transaction, effects| {
            if let Some(known) = rows::asked_with(transaction, &asked.hash, message)? {
                return Ok(known);
            }
            let asked = Verification { decided: by_rule(transaction, &asked, now, effects)?, ..asked };
            if asked.decided.is_none() {
                must_have_room(transaction, &asked)?;
            }
            rows::insert(transaction, &asked, message)?;
            rows::forget_oldest(transaction, MOST_DECIDED)?;
            effects.changed.push(asked.clone());
            Ok(asked)
        })
    }

    /// One, as it stands now. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn get(
        &self,
        id: &VerificationId,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<Option<Verification>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.at_moment(now, effects, |transaction, _| rows::get(transaction, id))
    }

    /// A person decides, once: of two that decide at the same moment one is told that it is decided.
    ///
    /// # Errors
    /// `unknown_verification`; `conflict` when it is decided, when its time has run out, or when the person saw other
    /// words; `rate_limited` when the project has too many rules; `storage`.
    pub fn decide(
        &self,
        id: &VerificationId,
        choice: Choice,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<Verification, ErrorBody> {
        let Choice { hash, approve, note, way, rule } = choice;
        self.at_moment(now, effects, |transaction, effects| {
            let found = rows::get(transaction, id)?.ok_or_else(|| Fault::Refused(unknown(id)))?;
            if let Some(decided) = &found.decided {
                return Err(Fault::Refused(is_decided(id, decided)));
            }
            if found.hash != hash {
                return Err(Fault::Refused(error(
                    ErrorCode::Conflict,
                    format!("the decision is about other words than those of {id}"),
                    "Look at it again and decide then.",
                )));
            }
            let makes_rule = rule.is_some();
            if let Some((rule_id, hours, any_context)) = rule {
                rules::make(transaction, &found, (rule_id, hours, any_context), now)?;
                effects.has_other_rules = true;
            }
            let root = found.project.root.clone();
            let decided = Decided {
                approved: approve,
                by: DecidedBy::Person,
                way: Some(way),
                at: now,
                note,
                rule_id: None,
            };
            let decided = rows::decide(transaction, found, decided)?;
            effects.changed.push(decided.clone());
            if makes_rule {
                decide_by_rules(transaction, &root, now, effects)?;
            }
            Ok(decided)
        })
    }

    /// Its asker takes it back.
    ///
    /// # Errors
    /// `unknown_verification` also when it is another's; `conflict` when it is decided; `storage`.
    pub fn withdraw(
        &self,
        id: &VerificationId,
        (root, asker): (&str, &str),
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<Verification, ErrorBody> {
        if self.is_none() {
            return Err(unknown(id));
        }
        self.at_moment(now, effects, |transaction, effects| {
            let found = rows::get(transaction, id)?;
            let found = found.filter(|one| one.project.root == root && one.asker == asker);
            let found = found.ok_or_else(|| Fault::Refused(unknown(id)))?;
            if let Some(decided) = &found.decided {
                return Err(Fault::Refused(is_decided(id, decided)));
            }
            let decided = rows::decide(transaction, found, withdrawn(now, None))?;
            effects.changed.push(decided.clone());
            Ok(decided)
        })
    }

    /// Rejects what ran out, and notes how far time has come. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn expire(&self, now: Timestamp, effects: &mut Effects) -> Result<(), ErrorBody> {
        if self.is_none() {
            return Ok(());
        }
        self.at_moment(now, effects, |transaction, _| rows::see(transaction, now))
    }

    /// When the next one runs out; none when nothing waits. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn next_expiry(&self) -> Result<Option<Timestamp>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.with(rows::next_expiry)
    }

    /// Where no more may be asked in this project: until when at the latest. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn full_until(&self, root: &str) -> Result<Option<Timestamp>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.with(|transaction| {
            let (of_project, of_all) = rows::count_pending(transaction, root)?;
            match (of_project >= MOST_PENDING, of_all >= MOST_PENDING_IN_ALL) {
                (true, _) => rows::next_expiry_in(transaction, root),
                (_, true) => rows::next_expiry(transaction),
                _ => Ok(None),
            }
        })
    }

    /// The project with this root, if something was asked in it. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn project_at(&self, root: &str) -> Result<Option<Project>, ErrorBody> {
        if self.is_none() {
            return Ok(None);
        }
        self.with(|transaction| rows::project_at(transaction, root))
    }

    /// The projects in which something was asked. Looks at the whole record. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn projects(&self) -> Result<Vec<Project>, ErrorBody> {
        if self.is_none() {
            return Ok(Vec::new());
        }
        self.with(rows::projects)
    }

    /// The rules that hold, the next to expire first. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn rules(&self, now: Timestamp) -> Result<Vec<Rule>, ErrorBody> {
        if self.is_none() {
            return Ok(Vec::new());
        }
        self.with(|transaction| rules::that_hold(transaction, now))
    }

    /// What there is for a person to see. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn overview(
        &self,
        latest: u32,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<Overview, ErrorBody> {
        if self.is_none() {
            return Ok(Overview::default());
        }
        self.at_moment(now, effects, |transaction, _| {
            Ok(Overview {
                pending: rows::pending(transaction)?,
                decided: rows::decided(transaction, latest)?,
                rules: rules::that_hold(transaction, now)?,
            })
        })
    }

    /// A rule holds no longer.
    ///
    /// # Errors
    /// `unknown_verification` when no such rule holds; `storage`.
    pub fn stop_rule(&self, id: &RuleId, now: Timestamp, effects: &mut Effects) -> Result<(), ErrorBody> {
        let none = || {
            error(
                ErrorCode::UnknownVerification,
                format!("no rule {id} holds"),
                "It may have run out or been stopped elsewhere.",
            )
        };
        if self.is_none() {
            return Err(none());
        }
        self.at_moment(now, effects, |transaction, effects| {
            if !rules::stop(transaction, id, now)? {
                return Err(Fault::Refused(none()));
            }
            effects.has_other_rules = true;
            Ok(())
        })
    }

    /// A project is no longer at this root: what waits there is withdrawn, and its rules hold no longer. What was
    /// decided stays in the record. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn leave(&self, root: &str, now: Timestamp, effects: &mut Effects) -> Result<(), ErrorBody> {
        if self.is_none() {
            return Ok(());
        }
        self.at_moment(now, effects, |transaction, effects| leave(transaction, root, now, effects))
    }

    /// The same, and what was decided goes with all else that is kept of the project. Makes no file.
    ///
    /// # Errors
    /// `storage`.
    pub fn forget(&self, root: &str, now: Timestamp, effects: &mut Effects) -> Result<(), ErrorBody> {
        if self.is_none() {
            return Ok(());
        }
        self.at_moment(now, effects, |transaction, effects| {
            leave(transaction, root, now, effects)?;
            rows::forget(transaction, root)
        })
    }

    /// There is no file. One that cannot be looked at is none of them.
    fn is_none(&self) -> bool {
        matches!(self.path.try_exists(), Ok(false))
    }

    /// One transaction, in which first everything is rejected whose time has run out: that stays so also when the work
    /// is refused.
    fn at_moment<T>(
        &self,
        now: Timestamp,
        effects: &mut Effects,
        work: impl FnOnce(&Transaction<'_>, &mut Effects) -> Result<T, Fault>,
    ) -> Result<T, ErrorBody> {
        let mut done = Effects::default();
        let outcome = self.with(|transaction| {
            done.changed = rows::expire(transaction, now)?;
            let outcome = match work(transaction, &mut done) {
                // Nothing is written before it is refused.
                Err(Fault::Refused(refused)) => Ok(Err(refused)),
                done => done.map(Ok),
            };
            // Who only looks writes nothing: what is decided can be read on a full disk.
            if !done.changed.is_empty() || done.has_other_rules {
                rows::see(transaction, now)?;
            }
            outcome
        });
        match outcome {
            Ok(outcome) => {
                effects.changed.append(&mut done.changed);
                effects.has_other_rules |= done.has_other_rules;
                outcome
            }
            // Rolled back.
            Err(error) => Err(error),
        }
    }

    fn with<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, ErrorBody> {
        let mut open = self.lock();
        // Deleted by somebody: what is asked now must be in the file that is found later.
        open.take_if(|database| !database.is_in_place());
        let result = match &mut *open {
            Some(database) => in_transaction(&mut database.connection, work),
            None => Database::of_home(self.path.clone(), &STEPS)
                .and_then(|new| in_transaction(&mut open.insert(new).connection, work)),
        };
        result.map_err(|fault| self.body(fault))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Database>> {
        // What a panic leaves is a transaction that is rolled back.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn body(&self, fault: Fault) -> ErrorBody {
        let path = self.path.display();
        match fault {
            Fault::Refused(body) => body,
            Fault::Newer { .. } => error(
                ErrorCode::Storage,
                format!("what waits for a person's decision is in {path}, which a newer opentoolbar made"),
                "Update opentoolbar. Nothing is approved until then.",
            ),
            fault => error(
                ErrorCode::Storage,
                format!("{path}, which has what waits for a person's decision, cannot be used: {fault}"),
                "See whether its disk is full and the file can be read and written; move it aside if it is damaged. Nothing is \
                 approved until then.",
            ),
        }
    }
}

/// The yes of a rule, if one says so.
fn by_rule(
    transaction: &Transaction<'_>,
    asked: &Verification,
    now: Timestamp,
    effects: &mut Effects,
) -> Result<Option<Decided>, Fault> {
    let Some(rule) = rules::matching(transaction, asked, now)? else { return Ok(None) };
    rules::use_once(transaction, &rule)?;
    effects.has_other_rules = true;
    let by = DecidedBy::Rule;
    Ok(Some(Decided { approved: true, by, way: None, at: now, note: None, rule_id: Some(rule) }))
}

/// What waits in a project and is allowed now, whoever asked it.
fn decide_by_rules(
    transaction: &Transaction<'_>,
    root: &str,
    now: Timestamp,
    effects: &mut Effects,
) -> Result<(), Fault> {
    for waiting in rows::pending(transaction)?.into_iter().filter(|waiting| waiting.project.root == root) {
        if let Some(decided) = by_rule(transaction, &waiting, now, effects)? {
            effects.changed.push(rows::decide(transaction, waiting, decided)?);
        }
    }
    Ok(())
}

fn leave(
    transaction: &Transaction<'_>,
    root: &str,
    now: Timestamp,
    effects: &mut Effects,
) -> Result<(), Fault> {
    for waiting in rows::pending(transaction)? {
        if waiting.project.root == root {
            effects.changed.push(rows::decide(transaction, waiting, withdrawn(now, Some(MOVED)))?);
        }
    }
    effects.has_other_rules |= rules::forget(transaction, root)?;
    Ok(())
}

/// `note`: why, when it was not its asker that took it back.
fn withdrawn(at: Timestamp, note: Option<&str>) -> Decided {
    let note = note.map(str::to_owned);
    Decided { approved: false, by: DecidedBy::Withdrawn, way: None, at, note, rule_id: None }
}

fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

fn must_have_room(transaction: &Transaction<'_>, asked: &Verification) -> Result<(), Fault> {
    let (of_project, of_all) = rows::count_pending(transaction, &asked.project.root)?;
    let (count, place) = match (of_project >= MOST_PENDING, of_all >= MOST_PENDING_IN_ALL) {
        (true, _) => (of_project, "in this project"),
        (_, true) => (of_all, "on this machine"),
        _ => return Ok(()),
    };
    Err(Fault::Refused(error(
        ErrorCode::RateLimited,
        format!("{count} verifications wait for a person {place} already"),
        "Wait until some are decided or have run out, or take one back; then ask again.",
    )))
}

fn unknown(id: &VerificationId) -> ErrorBody {
    error(
        ErrorCode::UnknownVerification,
        format!("there is no verification {id} in this project"),
        "Use the id that was given when it was asked; each project and agent has its own.",
    )
}

fn is_decided(id: &VerificationId, decided: &Decided) -> ErrorBody {
    let how = match (decided.by, decided.approved) {
        (DecidedBy::Timeout, _) => "its time ran out",
        (DecidedBy::Withdrawn, _) => "its asker took it back",
        (_, true) => "it is approved",
        (_, false) => "it is rejected",
    };
    error(
        ErrorCode::Conflict,
        format!("{id} is decided: {how}"),
        "A decision stays as it is; the agent can ask anew.",
    )
}

#[cfg(test)]
mod tests;
