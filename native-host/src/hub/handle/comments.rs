//! Comments that are made, changed, brought in and looked at.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::model::{
    Author, Comment, CommentChange, CommentId, MessageId, Project, SessionId, Timestamp,
};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode};

use super::places::{Places, places, project_of};
use crate::clock::now;
use crate::error::{error, internal};
use crate::hub::changed::Stored;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::ids::random_id;
use crate::store::{By, Fingerprint, Imported, Picture, Sent, Store, Written};

pub(super) async fn create(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    message: MessageId,
    session: SessionId,
    comment: Comment,
    screenshot: Option<String>,
) -> Result<Answer, ErrorBody> {
    let mut comment = hub.redact(move || comment.redacted().not_after(now())).await?;
    let project = project_of(hub, turn, &session, Some((peer, comment.url.clone()))).await?;
    let png = screenshot.map(|base64| {
        STANDARD.decode(base64).map_err(|e| {
            error(
                ErrorCode::BadRequest,
                format!("the screenshot is not base64: {e}"),
                "Send the comment with standard, padded base64, or with no screenshot.",
            )
        })
    });
    // What agents answer goes to that session's tab.
    comment.session_id = hub.is_free_for(peer, &session).then_some(session);
    comment.author = peer.author();
    let store = hub.stores.of(project.root.as_ref());
    let written = store.create(message, comment, png.transpose()?, now(), announce(hub, &project)).await?;
    Ok(answer(written))
}

pub(super) async fn change(
    hub: &Arc<Hub>,
    (peer, turn): (&Arc<Peer>, &Turn),
    message: MessageId,
    session: Option<SessionId>,
    (id, change, at): (CommentId, CommentChange, Timestamp),
) -> Result<Answer, ErrorBody> {
    // A clock that runs ahead must not order a change after what is yet to come.
    let at = at.min(now());
    let sent = Sent { message, fingerprint: fingerprinted(Fingerprint::of_change(&change))? };
    let change = hub.redact(move || change.redacted().not_after(now())).await?;
    let places = match places(hub, peer, session).await? {
        Places::Own(project) => {
            let written = change_in(hub, &project, &sent, &id, &change, peer, at).await?;
            return written.map(answer).ok_or_else(|| unknown_comment(&id));
        }
        Places::Of(places) => places,
    };
    let (found, fault) = places.find(hub, &id).await;
    if let Some(project) = found {
        turn.goes_to(hub, &project.root).await?;
        if let Some(written) = change_in(hub, &project, &sent, &id, &change, peer, at).await? {
            return Ok(answer(written));
        }
    }
    // Where it could not be looked for it may be.
    Err(fault.unwrap_or_else(|| unknown_comment(&id)))
}

/// `None` when the project has no such comment, or none that the author may see.
async fn change_in(
    hub: &Arc<Hub>,
    project: &Project,
    sent: &Sent,
    id: &CommentId,
    change: &CommentChange,
    peer: &Arc<Peer>,
    at: Timestamp,
) -> Result<Option<Written>, ErrorBody> {
    let by = peer.by();
    let store = hub.stores.of(project.root.as_ref());
    if matches!(by.author, Author::Agent { .. }) && is_hidden(&store, id).await? {
        return Ok(None);
    }
    let may = {
        let (hub, project, peer, change) =
            (Arc::clone(hub), project.clone(), Arc::clone(peer), change.clone());
        move |stored: &Comment, holder: Option<&str>| {
            hub.must_be_free_for(&peer, &project, (stored, holder), &change)
        }
    };
    let told = announce_change(hub, project, change.clone());
    store.change(sent.clone(), id.clone(), (change.clone(), by, at), may, told).await
}

/// What the hub itself does in the name of an agent with a comment that this agent holds.
///
/// # Errors
/// `conflict` when the agent holds it no more; as [`Store::change`].
pub(in crate::hub) async fn change_as(
    hub: &Arc<Hub>,
    project: &Project,
    id: &CommentId,
    change: CommentChange,
    by: &By,
) -> Result<(), ErrorBody> {
    let sent =
        Sent { message: random_id("m_")?, fingerprint: fingerprinted(Fingerprint::of_change(&change))? };
    let answerer = by.answerer.clone();
    let may = move |stored: &Comment, holder: Option<&str>| {
        if stored.deleted_at.is_none() && holder.is_some() && holder == answerer.as_deref() {
            return Ok(());
        }
        let why = "the agent that began it holds it no more";
        Err(error(ErrorCode::Conflict, why, "Look at the comment again."))
    };
    let told = announce_change(hub, project, change.clone());
    let store = hub.stores.of(project.root.as_ref());
    store.change(sent, id.clone(), (change, by.clone(), now()), may, told).await.map(drop)
}

async fn is_hidden(store: &Store, id: &CommentId) -> Result<bool, ErrorBody> {
    Ok(store.get(id.clone()).await?.is_some_and(|comment| comment.deleted_at.is_some()))
}

pub(super) async fn import(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    message: MessageId,
    session: SessionId,
    comments: Vec<Comment>,
) -> Result<Answer, ErrorBody> {
    let url = comments.first().map(|comment| comment.url.clone());
    let project = project_of(hub, turn, &session, url.map(|url| (peer, url))).await?;
    let redact = move || comments.into_iter().map(Comment::redacted).collect();
    let comments: Vec<Comment> = hub.redact(redact).await?;
    let announce = announce(hub, &project);
    let told = move |changed: &[Comment]| changed.iter().for_each(announce);
    let imported = hub.stores.of(project.root.as_ref()).import(message, comments, now(), told).await?;
    let Imported { added, updated, skipped, left_out, renumbered, changed: _ } = imported;
    Ok(Answer::Imported { added, updated, skipped, left_out, renumbered })
}

pub(super) async fn get(
    hub: &Arc<Hub>,
    asker: (&Peer, &Turn),
    session: Option<SessionId>,
    id: CommentId,
) -> Result<Answer, ErrorBody> {
    let (_, comment) = find(hub, asker, session, &id).await?;
    Ok(Answer::Comment { comment: Box::new(comment) })
}

pub(super) async fn screenshot(
    hub: &Arc<Hub>,
    asker: (&Peer, &Turn),
    session: Option<SessionId>,
    id: CommentId,
) -> Result<Answer, ErrorBody> {
    let (project, _) = find(hub, asker, session, &id).await?;
    let picture = hub.stores.of(project.root.as_ref()).screenshot(id.clone()).await?;
    let why = match &picture {
        Picture::At(path) => match path.to_str() {
            Some(path) => return Ok(Answer::Screenshot { path: path.to_owned() }),
            None => format!("the screenshot of {id} is in a directory whose name is no text"),
        },
        Picture::Gone => {
            format!(
                "the screenshot of {id} was removed, or is not the one that was taken when the comment was made"
            )
        }
        Picture::None => format!("the comment {id} has no screenshot"),
    };
    Err(error(ErrorCode::BadRequest, why, "Work from its element snapshot and selector instead."))
}

async fn find(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    session: Option<SessionId>,
    id: &CommentId,
) -> Result<(Project, Comment), ErrorBody> {
    let unknown = || unknown_comment(id);
    let of = async |project: Project| {
        let comment = hub.stores.of(project.root.as_ref()).get(id.clone()).await?;
        Ok::<_, ErrorBody>(comment.map(|comment| (project, comment)))
    };
    let places = match places(hub, peer, session).await? {
        Places::Own(project) => {
            let found = of(project).await?.filter(|(_, comment)| comment.deleted_at.is_none());
            return found.ok_or_else(unknown);
        }
        Places::Of(places) => places,
    };
    let (project, fault) = places.find(hub, id).await;
    let found = match project {
        Some(project) => {
            turn.goes_to(hub, &project.root).await?;
            of(project).await?
        }
        None => None,
    };
    found.ok_or_else(|| fault.unwrap_or_else(unknown))
}

/// Tells of a comment of this project. Called by the store once the comment is on disk, whether or not
/// somebody still waits for the answer.
fn announce(hub: &Arc<Hub>, project: &Project) -> impl Fn(&Comment) + Send + 'static {
    let (hub, root) = (Arc::clone(hub), project.root.clone());
    move |comment| hub.tell_stored(&root, Stored::Comment(comment))
}

/// The same of one that this change was made to.
fn announce_change(
    hub: &Arc<Hub>,
    project: &Project,
    change: CommentChange,
) -> impl Fn(&Comment) + Send + 'static {
    let (hub, root) = (Arc::clone(hub), project.root.clone());
    move |comment| hub.tell_stored(&root, Stored::by(&change, comment))
}

pub(super) fn fingerprinted(made: serde_json::Result<Fingerprint>) -> Result<Fingerprint, ErrorBody> {
    made.map_err(|e| internal(format!("a message has no fingerprint: {e}")))
}

fn answer(written: Written) -> Answer {
    Answer::Comment { comment: Box::new(written.comment) }
}

fn unknown_comment(id: &CommentId) -> ErrorBody {
    error(
        ErrorCode::UnknownComment,
        format!("there is no comment {id} in this project"),
        "Ask for the comments again and use an id of the answer; a deleted comment needs no work.",
    )
}
