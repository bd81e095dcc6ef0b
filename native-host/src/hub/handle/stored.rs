//! What is kept of projects, for the person: listed, exported, moved, deleted, and what is offered to a project
//! answered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use opentoolbar_core::model::{Comment, MessageId, Project, SessionId};
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, FeedbackQuery, MAX_FEEDBACK, Offer, OfferKind, Role, StatusFilter,
    UnreadableProject,
};

use super::projects::usable;
use crate::clock::now;
use crate::error::{error, internal};
use crate::hub::changed::Stored;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::project::{Decision, Presence, UnreadableRecord, presences, project_at};
use crate::store::Feedback;

const LOOK: &str = "Run `opentoolbar projects` to see what is kept and what is offered.";

pub(super) async fn list(hub: &Arc<Hub>) -> Result<Answer, ErrorBody> {
    let looked = hub.blocking(|hub| -> Result<Answer, ErrorBody> {
        let projects = hub.stores.stored()?;
        let mut offers = Vec::new();
        let mut roots: Vec<PathBuf> =
            hub.registry.projects().into_iter().map(|project| project.root.into()).collect();
        // What is on a disk that does not answer is offered once it does.
        let mut found = presences(&roots).into_iter();
        roots.retain(|_| found.next() == Some(Presence::There));
        for offered in hub.stores.offers_of(&roots) {
            match offered {
                Ok(some) => offers.extend(some),
                // One project hides nothing of the others.
                Err(error) => {
                    tracing::warn!(code = ?error.code, "what is offered to a project could not be looked at");
                }
            }
        }
        let unreadable = hub.stores.unreadable_records()?.into_iter().map(unreadable_project).collect();
        Ok(Answer::Stored { projects, offers, unreadable })
    });
    looked.await.ok_or_else(|| internal("what is kept could not be looked at"))?
}

fn unreadable_project(record: UnreadableRecord) -> UnreadableProject {
    UnreadableProject {
        message: record.to_string(),
        root: record.root.as_ref().and_then(|root| root.to_str()).map(str::to_owned),
        id: record.id,
        next_step: UnreadableRecord::NEXT_STEP.to_owned(),
    }
}

/// What is offered to the project of a tab.
pub(super) async fn offers(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    session: SessionId,
) -> Result<Answer, ErrorBody> {
    let project = of_session(hub, peer, &session)?;
    let offers = match project {
        Some(project) => {
            turn.goes_to(hub, &project.root).await?;
            offers_to(hub, project.root.into()).await?
        }
        None => Vec::new(),
    };
    Ok(Answer::Offers { session_id: session, offers })
}

fn of_session(hub: &Hub, peer: &Peer, id: &SessionId) -> Result<Option<Project>, ErrorBody> {
    let live = hub.live();
    let session = live.sessions.get(id).filter(|session| session.peer == peer.id);
    let session = session.ok_or_else(|| crate::hub::live_session::unknown_session(id))?;
    Ok(session.project().cloned())
}

async fn offers_to(hub: &Arc<Hub>, root: PathBuf) -> Result<Vec<Offer>, ErrorBody> {
    let looked = hub.blocking(move |hub| hub.stores.offers(&root)).await;
    looked.ok_or_else(|| internal("what is offered could not be looked at"))?
}

/// The person's answer, in the panel or on the command line.
pub(super) async fn answer(
    hub: &Arc<Hub>,
    peer: &Peer,
    message: MessageId,
    (root, offer, accept): (String, String, bool),
) -> Result<Answer, ErrorBody> {
    let root = PathBuf::from(root);
    if peer.hello.role == Role::Browser && !has_tab_of(hub, peer, &root) {
        return Err(error(
            ErrorCode::Forbidden,
            "no tab of this browser belongs to that project",
            "Answer the offer in a tab of the project, or with `opentoolbar projects`.",
        ));
    }
    let offered = offers_to(hub, root.clone()).await?;
    let Some(offer) = offered.into_iter().find(|one| one.id == offer) else {
        return Err(error(
            ErrorCode::Conflict,
            format!("{offer} is not offered to {}", root.display()),
            LOOK,
        ));
    };
    let store = hub.stores.of(&root);
    if !accept {
        store.decide(offer.id, Decision::Declined).await?;
        return Ok(Answer::OfferAnswered { added: 0, skipped: 0 });
    }
    match offer.kind {
        OfferKind::Moved => {
            let from = PathBuf::from(&offer.from);
            let comments = move_data(hub, &from, &root).await?;
            Ok(Answer::OfferAnswered { added: count(comments.len()), skipped: 0 })
        }
        OfferKind::Found => {
            let id = offer.id.clone();
            let place = root.clone();
            let read = hub.blocking(move |hub| hub.stores.read_found(&place, &id)).await;
            let (comments, unreadable) = read.ok_or_else(|| internal("the file could not be read"))??;
            let mut fresh = Vec::new();
            let mut skipped = unreadable;
            for comment in comments {
                // What we have of this id is ours, or was taken before.
                match store.get(comment.id.clone()).await? {
                    Some(_) => skipped += 1,
                    None => fresh.push(comment),
                }
            }
            let (teller, place) = (Arc::clone(hub), path(&root)?.to_owned());
            let told = move |changed: &[Comment]| {
                changed.iter().for_each(|comment| teller.tell_stored(&place, Stored::Comment(comment)));
            };
            let imported = store.import(message, fresh, now(), told).await?;
            store.decide(offer.id, Decision::Accepted).await?;
            Ok(Answer::OfferAnswered {
                added: imported.added,
                skipped: skipped + imported.skipped + imported.left_out,
            })
        }
    }
}

fn path(root: &Path) -> Result<&str, ErrorBody> {
    root.to_str().ok_or_else(|| internal("a project's path is not UTF-8"))
}

fn has_tab_of(hub: &Hub, peer: &Peer, root: &Path) -> bool {
    let live = hub.live();
    let of_peer = live.sessions.values().filter(|session| session.peer == peer.id);
    of_peer.filter_map(|session| session.project()).any(|project| Path::new(&project.root) == root)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) async fn move_to(hub: &Arc<Hub>, id: &str, to: &str) -> Result<Answer, ErrorBody> {
    let from = root_of_id(hub, id).await?;
    let to = PathBuf::from(to);
    let to = hub
        .blocking(move |hub| usable(hub, &to))
        .await
        .ok_or_else(|| internal("the directory was lost"))??;
    let comments = move_data(hub, &from, &to).await?;
    Ok(Answer::OfferAnswered { added: count(comments.len()), skipped: 0 })
}

/// From one project to another that has no data of its own; browsers that show it are told. Returns its comments.
async fn move_data(hub: &Arc<Hub>, from: &Path, to: &Path) -> Result<Vec<Comment>, ErrorBody> {
    hub.stores.of(from).close_database().await?;
    let store = hub.stores.of(to);
    store.receive(from.to_owned()).await?;
    let left = path(from)?.to_owned();
    // The data is where it should be: what is not withdrawn runs out.
    if let Err(error) = hub.deciding(move |kept, moment, effects| kept.leave(&left, moment, effects)).await {
        tracing::warn!(%error, "what waited in the project's old place is not withdrawn");
    }
    let root = to.to_owned();
    let remembered = hub.blocking(move |hub| hub.registry.remember_project(&root, now())).await;
    if let Some(Err(error)) = remembered {
        tracing::warn!(%error, "the project is not remembered");
    }
    let mut comments = Vec::new();
    let mut cursor = None;
    loop {
        let query = FeedbackQuery {
            status: StatusFilter::All,
            limit: Some(MAX_FEEDBACK),
            cursor,
            ..FeedbackQuery::default()
        };
        let page = store.feedback(query).await?;
        comments.extend(page.comments);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    for comment in &comments {
        hub.tell_stored(path(to)?, Stored::Comment(comment));
    }
    Ok(comments)
}

pub(super) async fn delete(hub: &Arc<Hub>, id: &str) -> Result<Answer, ErrorBody> {
    let root = root_of_id(hub, id).await?;
    hub.stores.of(&root).delete().await?;
    let root = path(&root)?.to_owned();
    hub.deciding(move |kept, moment, effects| kept.forget(&root, moment, effects)).await?;
    Ok(Answer::Done)
}

/// Comments of a project, whether or not its directory is there.
pub(super) async fn export(hub: &Arc<Hub>, id: &str, cursor: Option<String>) -> Result<Answer, ErrorBody> {
    let root = root_of_id(hub, id).await?;
    let query = FeedbackQuery {
        status: StatusFilter::All,
        limit: Some(MAX_FEEDBACK),
        cursor,
        ..FeedbackQuery::default()
    };
    let Feedback { summary, comments, next_cursor, position, unreadable } =
        hub.stores.of(&root).kept(query).await?;
    let project = project_at(&root).ok_or_else(|| internal("a project's path is not UTF-8"))?;
    Ok(Answer::Feedback { project, summary, comments, next_cursor, claims: Vec::new(), position, unreadable })
}

async fn root_of_id(hub: &Arc<Hub>, id: &str) -> Result<PathBuf, ErrorBody> {
    let stored = hub.blocking(|hub| hub.stores.stored()).await;
    let stored = stored.ok_or_else(|| internal("what is kept could not be looked at"))??;
    if let Some(project) = stored.into_iter().find(|project| project.id == id) {
        return Ok(project.root.into());
    }
    let unreadable = hub.blocking(|hub| hub.stores.unreadable_records()).await;
    let unreadable = unreadable.ok_or_else(|| internal("what is kept could not be looked at"))??;
    Err(match unreadable.into_iter().find(|record| record.id == id) {
        Some(record) => error(ErrorCode::Storage, record.to_string(), UnreadableRecord::NEXT_STEP),
        None => error(ErrorCode::BadRequest, format!("nothing is kept under {id}"), LOOK),
    })
}
