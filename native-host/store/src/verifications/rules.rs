//! Rules: an action of a project that a person allowed for a while.

use opentoolbar_core::model::{Project, Rule, RuleId, Timestamp, Verification};
use opentoolbar_core::protocol::ErrorCode;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::MOST_RULES;
use super::rows::moment;
use crate::applied::millis;
use crate::fault::Fault;
use opentoolbar_leaves::error::error;

const HOUR: u64 = 60 * 60 * 1_000;

/// The rule that allows this; one for its very context before one for any.
pub(super) fn matching(
    transaction: &Transaction<'_>,
    asked: &Verification,
    now: Timestamp,
) -> Result<Option<RuleId>, Fault> {
    let found = transaction
        .prepare_cached(
            "SELECT id FROM rules WHERE root = ?1 AND action = ?2 AND (any_context = 1 OR context IS ?3) \
             AND stopped_at IS NULL AND made_at <= ?4 AND expires_at > ?4 ORDER BY any_context, expires_at DESC LIMIT 1",
        )?
        .query_row(params![asked.project.root, asked.action, asked.context, millis(now)], |row| {
            row.get::<_, String>(0)
        })
        .optional()?;
    // One that cannot be read allows nothing.
    Ok(found.and_then(|id| id.parse().ok()))
}

pub(super) fn use_once(transaction: &Transaction<'_>, id: &RuleId) -> Result<(), Fault> {
    transaction.prepare_cached("UPDATE rules SET uses = uses + 1 WHERE id = ?1")?.execute([id.as_str()])?;
    Ok(())
}

/// Allows the action of this verification from now on.
pub(super) fn make(
    transaction: &Transaction<'_>,
    of: &Verification,
    (id, hours, any_context): (RuleId, u32, bool),
    now: Timestamp,
) -> Result<(), Fault> {
    let hold = "SELECT count(*) FROM rules WHERE root = ?1 AND stopped_at IS NULL AND expires_at > ?2";
    let count: u32 = transaction
        .prepare_cached(hold)?
        .query_row(params![of.project.root, millis(now)], |row| row.get(0))?;
    if count >= MOST_RULES {
        return Err(Fault::Refused(error(
            ErrorCode::RateLimited,
            format!("{MOST_RULES} rules hold in this project already"),
            "Stop one of them first, or decide without a rule.",
        )));
    }
    let until = Timestamp(now.0.saturating_add(u64::from(hours).saturating_mul(HOUR)));
    transaction
        .prepare_cached(
            "INSERT INTO rules (id, root, project, action, context, any_context, made_at, expires_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            id.as_str(),
            of.project.root,
            of.project.name,
            of.action,
            of.context,
            any_context,
            millis(now),
            millis(until),
        ])?;
    Ok(())
}

/// False when no such rule holds.
pub(super) fn stop(transaction: &Transaction<'_>, id: &RuleId, now: Timestamp) -> Result<bool, Fault> {
    let stopped = transaction
        .prepare_cached(
            "UPDATE rules SET stopped_at = ?2 WHERE id = ?1 AND stopped_at IS NULL AND expires_at > ?2",
        )?
        .execute(params![id.as_str(), millis(now)])?;
    Ok(stopped > 0)
}

/// The next to expire first.
pub(super) fn that_hold(transaction: &Transaction<'_>, now: Timestamp) -> Result<Vec<Rule>, Fault> {
    let mut statement = transaction.prepare_cached(
        "SELECT id, root, project, action, context, any_context, made_at, expires_at, uses FROM rules \
         WHERE stopped_at IS NULL AND expires_at > ?1 ORDER BY expires_at, id",
    )?;
    let mut rows = statement.query([millis(now)])?;
    let mut rules = Vec::new();
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(rule) => rules.push(rule),
            // Of a newer version, or damaged: it costs itself alone.
            Err(fault) if fault.is_of_a_row() => tracing::warn!(%fault, "a rule cannot be read"),
            Err(fault) => return Err(fault),
        }
    }
    Ok(rules)
}

fn read(row: &Row<'_>) -> Result<Rule, Fault> {
    Ok(Rule {
        id: row.get::<_, String>("id")?.parse().map_err(Fault::unreadable)?,
        project: Project { root: row.get("root")?, name: row.get("project")? },
        action: row.get("action")?,
        context: row.get("context")?,
        any_context: row.get("any_context")?,
        made_at: moment(row.get("made_at")?),
        expires_at: moment(row.get("expires_at")?),
        uses: row.get("uses")?,
    })
}

/// Whether there were any.
pub(super) fn forget(transaction: &Transaction<'_>, root: &str) -> Result<bool, Fault> {
    Ok(transaction.execute("DELETE FROM rules WHERE root = ?1", [root])? > 0)
}
