//! Comments that are made, changed, brought in and looked at.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::model::{
    Author, Comment, CommentChange, CommentId, MessageId, Project, SessionId, Timestamp,
};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Role};

use super::roles::own_project;
use crate::hub::error::{error, internal};
use crate::hub::state::{Hub, Peer, now};
use crate::store::{Picture, Written};

pub(super) async fn create(
    hub: &Arc<Hub>,
    peer: &Peer,
    message: MessageId,
    session: SessionId,
    comment: Comment,
    screenshot: Option<String>,
) -> Result<Answer, ErrorBody> {
    let mut comment = comment.redacted();
    let project = hub.project_for(&session, Some(comment.url.clone())).await?;
    let png = screenshot.map(|base64| {
        STANDARD.decode(base64).map_err(|e| {
            error(
                ErrorCode::BadRequest,
                format!("the screenshot is not base64: {e}"),
                "Send the comment with standard, padded base64, or with no screenshot.",
            )
        })
    });
    comment.session_id = Some(session);
    comment.author = peer.author();
    let store = hub.stores.of(project.root.as_ref());
    let written = store.create(message, comment, png.transpose()?, now(), announce(hub, &project)).await?;
    Ok(answer(written))
}

pub(super) async fn change(
    hub: &Arc<Hub>,
    peer: &Peer,
    message: MessageId,
    id: CommentId,
    change: CommentChange,
    at: Timestamp,
) -> Result<Answer, ErrorBody> {
    // A clock that runs ahead must not order a change after what is yet to come.
    let at = at.min(now());
    let by = peer.author();
    let change = change.redacted();
    let mut fault = None;
    for project in places(hub, peer).await? {
        let store = hub.stores.of(project.root.as_ref());
        if matches!(by, Author::Agent { .. }) && is_hidden(&store, &id).await? {
            break;
        }
        let told = announce(hub, &project);
        match store.change(message.clone(), id.clone(), change.clone(), by.clone(), at, told).await {
            Ok(Some(written)) => return Ok(answer(written)),
            Ok(None) => {}
            // The comment may be in another project; if not, this one may have it once it can be read.
            Err(error) if error.code == ErrorCode::Storage && peer.hello.role == Role::Browser => {
                fault.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(fault.unwrap_or_else(|| unknown_comment(&id)))
}

async fn is_hidden(store: &crate::store::Store, id: &CommentId) -> Result<bool, ErrorBody> {
    Ok(store.get(id.clone()).await?.is_some_and(|comment| comment.deleted_at.is_some()))
}

pub(super) async fn import(
    hub: &Arc<Hub>,
    message: MessageId,
    session: SessionId,
    comments: Vec<Comment>,
) -> Result<Answer, ErrorBody> {
    let url = comments.first().map(|comment| comment.url.clone());
    let project = hub.project_for(&session, url).await?;
    let comments = redacted(hub, comments).await?;
    let announce = announce(hub, &project);
    let told = move |changed: &[Comment]| changed.iter().for_each(announce);
    let imported = hub.stores.of(project.root.as_ref()).import(message, comments, now(), told).await?;
    Ok(Answer::Imported { added: imported.added, updated: imported.updated, skipped: imported.skipped })
}

/// Away from the threads that serve connections: ten thousand comments take seconds.
async fn redacted(hub: &Arc<Hub>, comments: Vec<Comment>) -> Result<Vec<Comment>, ErrorBody> {
    let work = move |_: &Hub| comments.into_iter().map(Comment::redacted).collect();
    hub.blocking(work).await.ok_or_else(|| internal("the comments could not be read"))
}

pub(super) async fn get(hub: &Arc<Hub>, peer: &Peer, id: CommentId) -> Result<Answer, ErrorBody> {
    let (_, comment) = find(hub, peer, &id).await?;
    Ok(Answer::Comment { comment: Box::new(comment) })
}

pub(super) async fn screenshot(hub: &Arc<Hub>, peer: &Peer, id: CommentId) -> Result<Answer, ErrorBody> {
    let (project, _) = find(hub, peer, &id).await?;
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

async fn find(hub: &Arc<Hub>, peer: &Peer, id: &CommentId) -> Result<(Project, Comment), ErrorBody> {
    let mut fault = None;
    for project in places(hub, peer).await? {
        match hub.stores.of(project.root.as_ref()).get(id.clone()).await {
            Ok(Some(comment)) if peer.hello.role != Role::Browser && comment.deleted_at.is_some() => break,
            Ok(Some(comment)) => return Ok((project, comment)),
            Ok(None) => {}
            Err(error) => {
                fault.get_or_insert(error);
            }
        }
    }
    Err(fault.unwrap_or_else(|| unknown_comment(id)))
}

/// Where a comment of this peer can be. An agent or a verb has its own project only; a browser has those of its open
/// tabs and, as its outbox outlives tabs, all that are known.
async fn places(hub: &Arc<Hub>, peer: &Peer) -> Result<Vec<Project>, ErrorBody> {
    if peer.hello.role != Role::Browser {
        return Ok(vec![own_project(peer)?.clone()]);
    }
    let mut places: Vec<Project> = {
        let live = hub.live();
        let own = live.sessions.values().filter(|session| session.peer == peer.id);
        own.filter_map(|session| session.project().cloned()).collect()
    };
    places.extend(hub.blocking(|hub| hub.registry().projects()).await.unwrap_or_default());
    let mut seen = std::collections::BTreeSet::new();
    places.retain(|project| seen.insert(project.root.clone()));
    Ok(places)
}

/// Tells browsers of a comment of this project. Called by the store once the comment is on disk, whether or not somebody
/// still waits for the answer.
fn announce(hub: &Arc<Hub>, project: &Project) -> impl Fn(&Comment) + Send + 'static {
    let (hub, root) = (Arc::clone(hub), project.root.clone());
    move |comment| hub.tell_comment(&root, comment)
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
