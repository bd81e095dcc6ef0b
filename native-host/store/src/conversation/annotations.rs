//! What the person did about agents' requests to point at something. It is kept before the page is told that it is
//! taken: the agent may hear it of a later hub.

use opentoolbar_core::model::{AnnotationId, SessionId};
use opentoolbar_core::protocol::AnnotationOutcome;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::super::fault::Fault;
use super::super::worker::Worker;

/// Answers that are kept: an agent asks again for its last ones only.
const MOST: i64 = 100;

/// The answer to one request.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredAnnotation {
    /// In which tab.
    pub session: SessionId,
    /// Which agent asked.
    pub answerer: String,
    /// What the person did.
    pub outcome: AnnotationOutcome,
}

/// Keeps the answer, unless one is kept. Returns the one that counts.
pub(crate) fn keep_annotation(
    worker: &mut Worker,
    id: &AnnotationId,
    answer: AnsweredAnnotation,
) -> Result<AnsweredAnnotation, Fault> {
    let unreadable = worker.unreadable();
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Some(kept) = unreadable.skip("annotation", id.as_str(), read(&transaction, id))?.flatten() {
        return Ok(kept);
    }
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO annotations (id, session_id, answerer, outcome) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            id.as_str(),
            answer.session.as_str(),
            answer.answerer,
            serde_json::to_string(&answer.outcome)?
        ])?;
    transaction
        .prepare_cached("DELETE FROM annotations WHERE number <= (SELECT max(number) FROM annotations) - ?1")?
        .execute([MOST])?;
    transaction.commit()?;
    Ok(answer)
}

/// The answer to a request, when it was given.
pub(crate) fn annotation(
    worker: &mut Worker,
    id: &AnnotationId,
) -> Result<Option<AnsweredAnnotation>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(None) };
    Ok(unreadable.skip("annotation", id.as_str(), read(&database.connection, id))?.flatten())
}

fn read(connection: &Connection, id: &AnnotationId) -> Result<Option<AnsweredAnnotation>, Fault> {
    let row: Option<(String, String, String)> = connection
        .prepare_cached("SELECT session_id, answerer, outcome FROM annotations WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((session, answerer, outcome)) = row else { return Ok(None) };
    let session = session.parse().map_err(Fault::unreadable)?;
    Ok(Some(AnsweredAnnotation { session, answerer, outcome: serde_json::from_str(&outcome)? }))
}
