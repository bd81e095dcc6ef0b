//! The rows of what is asked and decided.

use opentoolbar_core::model::{
    Decided, DecidedBy, DecidedIn, MessageId, Project, Timestamp, Verification, VerificationId,
};
use rusqlite::{OptionalExtension, Row, ToSql, Transaction, params};

use crate::applied::millis;
use crate::fault::Fault;

const COLUMNS: &str = "id, root, project, action, reason, context, asker, processes, hash, asked_at, expires_at, approved, \
                       decided_by, way, decided_at, note, rule_id";

/// The latest moment at which something was done here.
pub(super) fn seen(transaction: &Transaction<'_>) -> Result<Option<Timestamp>, Fault> {
    let at = transaction.query_row("SELECT at FROM seen", [], |row| row.get::<_, i64>(0)).optional()?;
    Ok(at.map(moment))
}

/// Something is done here now.
pub(super) fn see(transaction: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
    transaction
        .prepare_cached(
            "INSERT INTO seen (one, at) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET at = max(at, ?1)",
        )?
        .execute([millis(now)])?;
    Ok(())
}

/// Rejects what ran out, the first to do so first.
pub(super) fn expire(transaction: &Transaction<'_>, now: Timestamp) -> Result<Vec<Verification>, Fault> {
    let condition = "approved IS NULL AND expires_at <= ?1 ORDER BY expires_at, number";
    let due = select(transaction, condition, &[&millis(now)])?;
    // All of it, also what cannot be read; most of the time there is none, and nothing is written.
    transaction
        .prepare_cached(
            "UPDATE verifications SET approved = 0, decided_by = ?2, decided_at = expires_at \
             WHERE approved IS NULL AND expires_at <= ?1",
        )?
        .execute(params![millis(now), word_of(DecidedBy::Timeout)])?;
    let rejected = |one: Verification| {
        let decided = Decided {
            approved: false,
            by: DecidedBy::Timeout,
            way: None,
            at: one.expires_at,
            note: None,
            rule_id: None,
        };
        Verification { decided: Some(decided), ..one }
    };
    Ok(due.into_iter().map(rejected).collect())
}

/// What has these words and waits, or was asked by this very message, whatever became of it.
pub(super) fn asked_with(
    transaction: &Transaction<'_>,
    hash: &str,
    message: &MessageId,
) -> Result<Option<Verification>, Fault> {
    let again = select(transaction, "message = ?1 AND hash = ?2", &[&message.as_str(), &hash])?.pop();
    if again.is_some() {
        return Ok(again);
    }
    Ok(select(transaction, "hash = ?1 AND approved IS NULL", &[&hash])?.pop())
}

pub(super) fn get(transaction: &Transaction<'_>, id: &VerificationId) -> Result<Option<Verification>, Fault> {
    Ok(select(transaction, "id = ?1", &[&id.as_str()])?.pop())
}

/// What waits, the next to expire first.
pub(super) fn pending(transaction: &Transaction<'_>) -> Result<Vec<Verification>, Fault> {
    select(transaction, "approved IS NULL ORDER BY expires_at, number", &[])
}

/// What was decided last, the latest first. What askers took back has a fifth of the places: they could take all.
pub(super) fn decided(transaction: &Transaction<'_>, most: u32) -> Result<Vec<Verification>, Fault> {
    let latest =
        "approved IS NOT NULL AND (decided_by = ?1) = ?2 ORDER BY decided_at DESC, number DESC LIMIT ?3";
    let withdrawn = word_of(DecidedBy::Withdrawn);
    let of_askers = most / 5;
    let mut all = select(transaction, latest, &[&withdrawn, &false, &(most - of_askers)])?;
    all.extend(select(transaction, latest, &[&withdrawn, &true, &of_askers])?);
    all.sort_by_key(|one| std::cmp::Reverse(one.decided.as_ref().map(|decided| decided.at)));
    Ok(all)
}

/// How many wait, in the project and in all.
pub(super) fn count_pending(transaction: &Transaction<'_>, root: &str) -> Result<(u32, u32), Fault> {
    let counted =
        "SELECT count(*) FILTER (WHERE root = ?1), count(*) FROM verifications WHERE approved IS NULL";
    Ok(transaction.prepare_cached(counted)?.query_row([root], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// When the next runs out.
pub(super) fn next_expiry(transaction: &Transaction<'_>) -> Result<Option<Timestamp>, Fault> {
    let next = "SELECT min(expires_at) FROM verifications WHERE approved IS NULL";
    let at: Option<i64> = transaction.prepare_cached(next)?.query_row([], |row| row.get(0))?;
    Ok(at.map(moment))
}

/// The same in one project.
pub(super) fn next_expiry_in(transaction: &Transaction<'_>, root: &str) -> Result<Option<Timestamp>, Fault> {
    let next = "SELECT min(expires_at) FROM verifications WHERE root = ?1 AND approved IS NULL";
    let at: Option<i64> = transaction.prepare_cached(next)?.query_row([root], |row| row.get(0))?;
    Ok(at.map(moment))
}

/// That with this root, if something was asked in it.
pub(super) fn project_at(transaction: &Transaction<'_>, root: &str) -> Result<Option<Project>, Fault> {
    let read = |row: &Row<'_>| Ok(Project { root: root.to_owned(), name: row.get("project")? });
    let found = transaction
        .prepare_cached("SELECT project FROM verifications WHERE root = ?1 LIMIT 1")?
        .query_row([root], read)
        .optional()?;
    Ok(found)
}

/// Those in which something was asked.
pub(super) fn projects(transaction: &Transaction<'_>) -> Result<Vec<Project>, Fault> {
    let mut statement = transaction
        .prepare_cached("SELECT root, min(project) AS project FROM verifications GROUP BY root")?;
    let read = |row: &Row<'_>| Ok(Project { root: row.get("root")?, name: row.get("project")? });
    let projects = statement.query_map([], read)?.collect::<Result<_, _>>()?;
    Ok(projects)
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    one: &Verification,
    message: &MessageId,
) -> Result<(), Fault> {
    let decided = one.decided.as_ref();
    transaction
        .prepare_cached(&format!(
            "INSERT INTO verifications ({COLUMNS}, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, \
             ?15, ?16, ?17, ?18)"
        ))?
        .execute(params![
            one.id.as_str(),
            one.project.root,
            one.project.name,
            one.action,
            one.reason,
            one.context,
            one.asker,
            serde_json::to_string(&one.processes).map_err(Fault::unreadable)?,
            one.hash,
            millis(one.asked_at),
            millis(one.expires_at),
            decided.map(|decided| decided.approved),
            decided.map(|decided| word_of(decided.by)),
            decided.and_then(|decided| decided.way).map(word_of_way),
            decided.map(|decided| millis(decided.at)),
            decided.and_then(|decided| decided.note.as_deref()),
            decided.and_then(|decided| decided.rule_id.as_ref()).map(|rule| rule.as_str()),
            message.as_str(),
        ])?;
    Ok(())
}

/// Notes a decision about what waits; nothing is decided twice.
pub(super) fn decide(
    transaction: &Transaction<'_>,
    one: Verification,
    decided: Decided,
) -> Result<Verification, Fault> {
    let changed = transaction
        .prepare_cached(
            "UPDATE verifications SET approved = ?2, decided_by = ?3, way = ?4, decided_at = ?5, note = ?6, \
             rule_id = ?7 WHERE id = ?1 AND approved IS NULL",
        )?
        .execute(params![
            one.id.as_str(),
            decided.approved,
            word_of(decided.by),
            decided.way.map(word_of_way),
            millis(decided.at),
            decided.note,
            decided.rule_id.as_ref().map(|rule| rule.as_str()),
        ])?;
    if changed == 0 {
        return Err(Fault::unreadable("a verification that waited is decided"));
    }
    Ok(Verification { decided: Some(decided), ..one })
}

/// Of decisions so many are kept: a person's for longest, and what askers took back or let run out goes first.
pub(super) fn forget_oldest(transaction: &Transaction<'_>, most: u32) -> Result<(), Fault> {
    let decided = "SELECT count(*) FROM verifications WHERE approved IS NOT NULL";
    let count: u32 = transaction.prepare_cached(decided)?.query_row([], |row| row.get(0))?;
    if count <= most {
        return Ok(());
    }
    transaction
        .prepare_cached(
            "DELETE FROM verifications WHERE number IN (SELECT number FROM verifications WHERE approved IS NOT NULL \
             ORDER BY CASE decided_by WHEN 'person' THEN 0 WHEN 'rule' THEN 1 ELSE 2 END, decided_at DESC, number DESC \
             LIMIT -1 OFFSET ?1)",
        )?
        .execute([most])?;
    Ok(())
}

pub(super) fn forget(transaction: &Transaction<'_>, root: &str) -> Result<(), Fault> {
    transaction.execute("DELETE FROM verifications WHERE root = ?1", [root])?;
    Ok(())
}

fn select(
    transaction: &Transaction<'_>,
    condition: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<Verification>, Fault> {
    let mut statement =
        transaction.prepare_cached(&format!("SELECT {COLUMNS} FROM verifications WHERE {condition}"))?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(one) => found.push(one),
            // Of a newer version, or damaged: it costs itself alone.
            Err(fault) if fault.is_of_a_row() => tracing::warn!(%fault, "a verification cannot be read"),
            Err(fault) => return Err(fault),
        }
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Verification, Fault> {
    let approved: Option<bool> = row.get("approved")?;
    let decided = match approved {
        None => None,
        Some(approved) => Some(Decided {
            approved,
            by: by_word(&row.get::<_, String>("decided_by")?)?,
            way: row.get::<_, Option<String>>("way")?.map(|word| way_of(&word)).transpose()?,
            at: moment(row.get("decided_at")?),
            note: row.get("note")?,
            rule_id: row
                .get::<_, Option<String>>("rule_id")?
                .map(|id| id.parse().map_err(Fault::unreadable))
                .transpose()?,
        }),
    };
    Ok(Verification {
        id: row.get::<_, String>("id")?.parse().map_err(Fault::unreadable)?,
        project: Project { root: row.get("root")?, name: row.get("project")? },
        action: row.get("action")?,
        reason: row.get("reason")?,
        context: row.get("context")?,
        asker: row.get("asker")?,
        processes: serde_json::from_str(&row.get::<_, String>("processes")?).map_err(Fault::unreadable)?,
        hash: row.get("hash")?,
        asked_at: moment(row.get("asked_at")?),
        expires_at: moment(row.get("expires_at")?),
        decided,
    })
}

pub(super) fn moment(millis: i64) -> Timestamp {
    Timestamp(u64::try_from(millis).unwrap_or(0))
}

fn word_of(by: DecidedBy) -> &'static str {
    match by {
        DecidedBy::Person => "person",
        DecidedBy::Rule => "rule",
        DecidedBy::Timeout => "timeout",
        DecidedBy::Withdrawn => "withdrawn",
    }
}

fn by_word(word: &str) -> Result<DecidedBy, Fault> {
    let all = [DecidedBy::Person, DecidedBy::Rule, DecidedBy::Timeout, DecidedBy::Withdrawn];
    all.into_iter().find(|by| word_of(*by) == word).ok_or_else(|| unknown_word(word))
}

fn word_of_way(way: DecidedIn) -> &'static str {
    match way {
        DecidedIn::Browser => "browser",
        DecidedIn::Terminal => "terminal",
    }
}

fn way_of(word: &str) -> Result<DecidedIn, Fault> {
    let all = [DecidedIn::Browser, DecidedIn::Terminal];
    all.into_iter().find(|way| word_of_way(*way) == word).ok_or_else(|| unknown_word(word))
}

fn unknown_word(word: &str) -> Fault {
    Fault::unreadable(format!("`{word}` is no way to decide"))
}
