//! Which agent works on which comment. Written in the same transaction as the change that begins or ends the work, so
//! that the two never say different things, whatever fails.

use std::collections::BTreeMap;

use opentoolbar_core::model::{Author, Comment, CommentChange, CommentId, Stage};
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::comment_rows;
use super::fault::Fault;
use super::unreadable::Unreadable;
use super::worker::Worker;

/// A row, when it is told that one cannot be read.
const CLAIM: &str = "claim";

/// The answerers that began the work on these comments and have not ended it, by comment.
pub type Holders = BTreeMap<CommentId, String>;

/// The agent that began, while the comment is in progress by an agent's doing. A claim that cannot be read is nobody's.
pub(super) fn holder(
    connection: &Connection,
    comment: &Comment,
    unreadable: &Unreadable,
) -> Result<Option<String>, Fault> {
    if !matches!(comment.begun_by(), Some(Author::Agent { .. })) {
        return Ok(None);
    }
    let sql = "SELECT answerer FROM claims WHERE comment_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let id = comment.id.as_str();
    let found = statement.query_row([id], |row| row.get(0)).optional().map_err(Fault::from);
    Ok(unreadable.skip(CLAIM, id, found)?.flatten())
}

/// Keeps who holds the comment after this change, which `answerer` made; without one, a person.
pub(super) fn keep(
    transaction: &Transaction<'_>,
    comment: &Comment,
    change: &CommentChange,
    answerer: Option<&str>,
) -> Result<(), Fault> {
    let id = comment.id.as_str();
    let begins = matches!(change, CommentChange::SetStage { stage: Stage::InProgress });
    match answerer.filter(|_| begins) {
        Some(answerer) => transaction
            .prepare_cached("INSERT OR REPLACE INTO claims (comment_id, answerer) VALUES (?1, ?2)")?
            .execute([id, answerer])?,
        None if begins || comment.stage != Stage::InProgress => {
            transaction.prepare_cached("DELETE FROM claims WHERE comment_id = ?1")?.execute([id])?
        }
        None => 0,
    };
    Ok(())
}

pub(super) fn holders(worker: &mut Worker, among: &[Comment]) -> Result<Holders, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Holders::new()) };
    let mut holders = Holders::new();
    for comment in among {
        if let Some(holder) = holder(&database.connection, comment, &unreadable)? {
            holders.insert(comment.id.clone(), holder);
        }
    }
    Ok(holders)
}

/// The comments that this agent holds. One that is deleted or cannot be read is left out.
pub(super) fn held_by(worker: &mut Worker, answerer: &str) -> Result<Vec<CommentId>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let connection = &database.connection;
    let mut statement = connection.prepare_cached("SELECT comment_id FROM claims WHERE answerer = ?1")?;
    let mut rows = statement.query([answerer])?;
    let mut held = Vec::new();
    while let Some(row) = rows.next()? {
        let Some(id) = row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok()) else {
            unreadable.note(CLAIM, "of no id");
            continue;
        };
        let Some(comment) = comment_rows::read(connection, &id).ok().flatten() else { continue };
        if comment.deleted_at.is_none() && holder(connection, &comment, &unreadable)?.is_some() {
            held.push(comment.id);
        }
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use opentoolbar_core::model::Timestamp;
    use opentoolbar_core::protocol::ErrorBody;

    use super::super::{By, Fingerprint, Sent, Store, Stores};
    use super::*;
    use opentoolbar_project::Catalogue;

    fn comment() -> Comment {
        serde_json::from_value(serde_json::json!({
            "id": "c_1", "revision": 1, "url": "http://shop.test/", "pathname": "/", "title": "Shop",
            "status": "active", "stage": "open", "text": "blue", "author": { "kind": "person" },
            "targets": [{
                "snapshot": {
                    "tag": "button", "classes": [], "ownText": "", "text": "",
                    "box": { "x": 0, "y": 0, "width": 80, "height": 24 }
                },
                "selector": "button", "anchor": "AQ=="
            }],
            "createdAt": 1_700_000_000_000_u64, "updatedAt": 1_700_000_000_000_u64
        }))
        .unwrap()
    }

    fn agent(answerer: &str) -> By {
        By { author: Author::Agent { name: "X".into() }, answerer: Some(answerer.into()) }
    }

    /// Gives whom the store says that the comment was held by.
    async fn change(
        store: &Store,
        message: &str,
        by: By,
        change: CommentChange,
    ) -> Result<Option<String>, ErrorBody> {
        let sent =
            Sent { message: message.parse().unwrap(), fingerprint: Fingerprint::of_change(&change).unwrap() };
        let (seen, holder) = std::sync::mpsc::channel();
        let may = move |_: &Comment, holder: Option<&str>| {
            seen.send(holder.map(str::to_owned)).unwrap();
            Ok(())
        };
        store.change(sent, "c_1".parse().unwrap(), (change, by, Timestamp(1)), may, |_| ()).await?;
        Ok(holder.try_recv().ok().flatten())
    }

    const BEGIN: CommentChange = CommentChange::SetStage { stage: Stage::InProgress };

    async fn held_by(store: &Store) -> Option<String> {
        let comment = store.get("c_1".parse().unwrap()).await.unwrap().unwrap();
        store.holders(vec![comment]).await.unwrap().into_values().next()
    }

    #[tokio::test]
    async fn a_claim_begins_and_ends_with_what_is_stored() {
        let home = tempfile::tempdir().unwrap();
        let stores = || Stores::new(Catalogue::at(home.path().join("projects")));
        let before = stores();
        let store = before.of(home.path());
        store.create("m_0".parse().unwrap(), comment(), None, Timestamp(1), |_| ()).await.unwrap();
        assert_eq!(change(&store, "m_1", agent("a"), BEGIN).await, Ok(None));
        // What fails ends nothing.
        let too_long = CommentChange::Resolve { summary: Some("x".repeat(100_000)) };
        let refused = change(&store, "m_2", agent("a"), too_long).await.unwrap_err();
        assert!(refused.message.contains("summary"), "{refused}");
        assert_eq!(held_by(&store).await.as_deref(), Some("a"));
        // The next hub knows it, also when the agent says once more what it had said.
        before.close(std::time::Instant::now() + std::time::Duration::from_secs(10));
        let after = stores();
        let store = after.of(home.path());
        assert_eq!(change(&store, "m_1", agent("a"), BEGIN).await, Ok(None));
        assert_eq!(store.held_by("a".into()).await.unwrap().len(), 1);
        // Of the same name, as it may be when the first has ended.
        assert_eq!(change(&store, "m_3", agent("b"), BEGIN).await, Ok(Some("a".into())));
        assert_eq!(held_by(&store).await.as_deref(), Some("b"));
        assert!(store.held_by("a".into()).await.unwrap().is_empty());
        let person = || By { author: Author::Person, answerer: None };
        change(&store, "m_4", person(), CommentChange::Resolve { summary: None }).await.unwrap();
        assert_eq!(held_by(&store).await, None);
        assert!(store.held_by("b".into()).await.unwrap().is_empty());
        change(&store, "m_5", person(), CommentChange::Reopen).await.unwrap();
        assert_eq!(change(&store, "m_6", agent("a"), BEGIN).await, Ok(None));
        // The person may begin as well.
        change(&store, "m_7", person(), BEGIN).await.unwrap();
        assert_eq!(held_by(&store).await, None);
    }

    #[tokio::test]
    async fn a_claim_that_cannot_be_read_is_nobodys_and_stops_no_other() {
        for sql in [
            "UPDATE claims SET answerer = x'ff00' WHERE comment_id = 'c_1'",
            "UPDATE claims SET answerer = CAST(x'ff00' AS TEXT) WHERE comment_id = 'c_1'",
        ] {
            let home = tempfile::tempdir().unwrap();
            let stores = Stores::new(Catalogue::at(home.path().join("projects")));
            let store = stores.of(home.path());
            let mut comments = Vec::new();
            for (n, id) in ["c_1", "c_2"].into_iter().enumerate() {
                let one = Comment { id: id.parse().unwrap(), ..comment() };
                store
                    .create(format!("m_{n}").parse().unwrap(), one, None, Timestamp(1), |_| ())
                    .await
                    .unwrap();
                let sent = Sent {
                    message: format!("m_begin_{n}").parse().unwrap(),
                    fingerprint: Fingerprint::of_change(&BEGIN).unwrap(),
                };
                let change = (BEGIN, agent("a"), Timestamp(1));
                store.change(sent, id.parse().unwrap(), change, |_, _| Ok(()), |_| ()).await.unwrap();
                comments.push(store.get(id.parse().unwrap()).await.unwrap().unwrap());
            }
            let data = Catalogue::at(home.path().join("projects")).find(home.path()).unwrap().unwrap();
            let database = Connection::open(data.join("opentoolbar.db")).unwrap();
            assert_eq!(database.execute(sql, []).unwrap(), 1);
            let holders = store.holders(comments).await.unwrap();
            assert_eq!(holders.into_keys().map(|id| id.to_string()).collect::<Vec<_>>(), ["c_2"], "{sql}");
            assert_eq!(stores.unreadable([home.path()]), 1, "{sql}");
            // Whoever wants it has it.
            assert_eq!(change(&store, "m_5", agent("b"), BEGIN).await, Ok(None), "{sql}");
            assert_eq!(store.held_by("b".into()).await.unwrap().len(), 1, "{sql}");
            let strange = "UPDATE claims SET comment_id = CAST(x'ff00' AS TEXT), answerer = 'a' WHERE comment_id = 'c_1'";
            assert_eq!(database.execute(strange, []).unwrap(), 1);
            let held = store.held_by("a".into()).await.unwrap();
            assert_eq!(held.iter().map(CommentId::as_str).collect::<Vec<_>>(), ["c_2"], "{sql}");
        }
    }
}
