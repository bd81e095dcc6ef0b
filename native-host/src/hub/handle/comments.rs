//! Comments that are made, changed, brought in and looked at.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::model::{
    Author, Comment, CommentChange, CommentId, MessageId, Project, SessionId, Timestamp,
};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Role};

use super::projects::silent;
use super::roles::own_project;
use tokio::task::JoinSet;

use crate::hub::error::{error, internal};
use crate::hub::sessions::unknown_session;
use crate::hub::state::{Hub, Peer, now};
use crate::project::project_at;
use crate::store::{Fingerprint, Imported, Picture, Sent, Store, Written};

/// How long a project that is not the peer's own is asked for a comment.
const OTHERS_WITHIN: Duration = Duration::from_secs(2);

pub(super) async fn create(
    hub: &Arc<Hub>,
    peer: &Peer,
    message: MessageId,
    session: SessionId,
    comment: Comment,
    screenshot: Option<String>,
) -> Result<Answer, ErrorBody> {
    let mut comment = hub.redact(move || comment.redacted().not_after(now())).await?;
    let project = hub.project_for(&session, Some((peer, comment.url.clone()))).await?;
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
    peer: &Peer,
    message: MessageId,
    session: Option<SessionId>,
    (id, change, at): (CommentId, CommentChange, Timestamp),
) -> Result<Answer, ErrorBody> {
    // A clock that runs ahead must not order a change after what is yet to come.
    let at = at.min(now());
    let by = peer.author();
    let sent = Sent { message, fingerprint: fingerprinted(Fingerprint::of_change(&change))? };
    let change = hub.redact(move || change.redacted().not_after(now())).await?;
    let Places { likely, open } = places(hub, peer, session).await?;
    let mut fault = None;
    let asked = likely.iter().map(|project| PathBuf::from(&project.root)).collect();
    for project in likely {
        let changed = change_in(hub, &project, &sent, &id, &change, &by, at).await;
        match changed {
            Ok(Some(written)) => return Ok(answer(written)),
            Ok(None) => {}
            // The comment may be in another project; if not, this one may have it once it can be read.
            Err(error) if error.code == ErrorCode::Storage && peer.hello.role == Role::Browser => {
                fault.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    if peer.hello.role == Role::Browser
        && let Some(project) = elsewhere(hub, &id, asked, open, &mut fault).await
        && let Some(written) = change_in(hub, &project, &sent, &id, &change, &by, at).await?
    {
        return Ok(answer(written));
    }
    Err(fault.unwrap_or_else(|| unknown_comment(&id)))
}

/// `None` when the project has no such comment, or none that the author may see.
async fn change_in(
    hub: &Arc<Hub>,
    project: &Project,
    sent: &Sent,
    id: &CommentId,
    change: &CommentChange,
    by: &Author,
    at: Timestamp,
) -> Result<Option<Written>, ErrorBody> {
    let store = hub.stores.of(project.root.as_ref());
    if matches!(by, Author::Agent { .. }) && is_hidden(&store, id).await? {
        return Ok(None);
    }
    let told = announce(hub, project);
    store.change(sent.clone(), id.clone(), change.clone(), by.clone(), at, told).await
}

async fn is_hidden(store: &Store, id: &CommentId) -> Result<bool, ErrorBody> {
    Ok(store.get(id.clone()).await?.is_some_and(|comment| comment.deleted_at.is_some()))
}

pub(super) async fn import(
    hub: &Arc<Hub>,
    peer: &Peer,
    message: MessageId,
    session: SessionId,
    comments: Vec<Comment>,
) -> Result<Answer, ErrorBody> {
    let url = comments.first().map(|comment| comment.url.clone());
    let project = hub.project_for(&session, url.map(|url| (peer, url))).await?;
    let redact = move || comments.into_iter().map(Comment::redacted).collect();
    let comments: Vec<Comment> = hub.redact(redact).await?;
    let announce = announce(hub, &project);
    let told = move |changed: &[Comment]| changed.iter().for_each(announce);
    let imported = hub.stores.of(project.root.as_ref()).import(message, comments, now(), told).await?;
    let Imported { added, updated, skipped, left_out, .. } = imported;
    Ok(Answer::Imported { added, updated, skipped, left_out })
}

pub(super) async fn get(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: Option<SessionId>,
    id: CommentId,
) -> Result<Answer, ErrorBody> {
    let (_, comment) = find(hub, peer, session, &id).await?;
    Ok(Answer::Comment { comment: Box::new(comment) })
}

pub(super) async fn screenshot(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: Option<SessionId>,
    id: CommentId,
) -> Result<Answer, ErrorBody> {
    let (project, _) = find(hub, peer, session, &id).await?;
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
    peer: &Peer,
    session: Option<SessionId>,
    id: &CommentId,
) -> Result<(Project, Comment), ErrorBody> {
    let Places { likely, open } = places(hub, peer, session).await?;
    let mut fault = None;
    let asked = likely.iter().map(|project| PathBuf::from(&project.root)).collect();
    for project in likely {
        match hub.stores.of(project.root.as_ref()).get(id.clone()).await {
            Ok(Some(comment)) if peer.hello.role != Role::Browser && comment.deleted_at.is_some() => break,
            Ok(Some(comment)) => return Ok((project, comment)),
            Ok(None) => {}
            Err(error) => {
                fault.get_or_insert(error);
            }
        }
    }
    if peer.hello.role == Role::Browser
        && let Some(project) = elsewhere(hub, id, asked, open, &mut fault).await
        && let Some(comment) = hub.stores.of(project.root.as_ref()).get(id.clone()).await?
    {
        return Ok((project, comment));
    }
    Err(fault.unwrap_or_else(|| unknown_comment(id)))
}

/// Where a comment can be.
struct Places {
    /// Projects of the peer's own, in the order in which they are asked.
    likely: Vec<Project>,
    /// For a browser, whose outbox outlives its tabs: other projects whose database is open anyway. No other one is opened for
    /// writing for an id that may be nobody's.
    open: Vec<(Project, Arc<Store>)>,
}

/// An agent or a verb has its own project only; a browser has that of the session it names, and those of its open tabs.
async fn places(hub: &Arc<Hub>, peer: &Peer, session: Option<SessionId>) -> Result<Places, ErrorBody> {
    if peer.hello.role != Role::Browser {
        return Ok(Places { likely: vec![own_project(peer)?.clone()], open: Vec::new() });
    }
    let mut likely: Vec<Project> = Vec::new();
    let is_own = |id: &SessionId| hub.live().sessions.get(id).is_some_and(|session| session.peer == peer.id);
    match session {
        Some(id) if is_own(&id) => likely.push(hub.project_for(&id, None).await?),
        // Unknown here is its session, not yet the comment: a browser opens it and asks again.
        Some(id) => {
            let before = hub.registry.session(&id).and_then(|root| project_at(&root));
            likely.push(before.ok_or_else(|| unknown_session(&id))?);
        }
        None => {}
    }
    {
        let live = hub.live();
        let own = live.sessions.values().filter(|session| session.peer == peer.id);
        likely.extend(own.filter_map(|session| session.project().cloned()));
    }
    let mut seen = BTreeSet::new();
    likely.retain(|project| seen.insert(project.root.clone()));
    let others = hub.stores.open_ones().into_iter();
    let others = others.filter_map(|(root, store)| Some((project_at(&root)?, store)));
    Ok(Places { likely, open: others.filter(|(project, _)| !seen.contains(&project.root)).collect() })
}

/// Looks in all of them at once. One whose disk does not answer keeps the others' comments from nobody.
async fn among(
    open: Vec<(Project, Arc<Store>)>,
    id: &CommentId,
    fault: &mut Option<ErrorBody>,
) -> Option<(Project, Comment)> {
    let mut looks = JoinSet::new();
    for (project, store) in open {
        let id = id.clone();
        looks.spawn(async move {
            let found = tokio::time::timeout(OTHERS_WITHIN, store.get(id)).await;
            let found = found.unwrap_or_else(|_| Err(silent(project.root.as_ref())));
            found.map(|comment| comment.map(|comment| (project, comment)))
        });
    }
    while let Some(look) = looks.join_next().await {
        match look {
            Ok(Ok(Some(found))) => return Some(found),
            Ok(Ok(None)) | Err(_) => {}
            Ok(Err(error)) => {
                fault.get_or_insert(error);
            }
        }
    }
    None
}

/// The project that has the comment, of those that are not the browser's own: a change that is refused is lost to its person, so
/// that it is looked for everywhere before it is called unknown, whichever databases happen to be open. `open`: those.
async fn elsewhere(
    hub: &Arc<Hub>,
    id: &CommentId,
    mut asked: BTreeSet<PathBuf>,
    open: Vec<(Project, Arc<Store>)>,
    fault: &mut Option<ErrorBody>,
) -> Option<Project> {
    asked.extend(open.iter().map(|(project, _)| PathBuf::from(&project.root)));
    if let Some((project, _)) = among(open, id, fault).await {
        return Some(project);
    }
    match in_closed_ones(hub, id, asked).await {
        Ok(Some(project)) => return Some(project),
        Ok(None) => {}
        Err(error) => drop(fault.get_or_insert(error)),
    }
    // Each is taken over once, whoever asks first.
    let earlier = hub.blocking(|hub| hub.stores.awaiting_takeover()).await.unwrap_or_default();
    let earlier = earlier.into_iter().filter_map(|(root, store)| Some((project_at(&root)?, store)));
    among(earlier.collect(), id, fault).await.map(|(project, _)| project)
}

/// The project that has the comment, of those whose database is not open. To look changes nothing.
async fn in_closed_ones(
    hub: &Arc<Hub>,
    id: &CommentId,
    asked: BTreeSet<PathBuf>,
) -> Result<Option<Project>, ErrorBody> {
    let late = || {
        error(
            ErrorCode::Storage,
            format!("in which project the comment {id} is could not be found out in time"),
            "See whether opentoolbar's home can be read; it is asked again.",
        )
    };
    let until = Instant::now() + OTHERS_WITHIN;
    let look = async {
        // One look at a time, also while one hangs: ids that are nobody's must not take all threads.
        let one_at_a_time = Arc::clone(&hub.seeking).lock_owned().await;
        let id = id.clone();
        let work = move |hub: &Hub| {
            let found = hub.stores.project_with(&id, &asked, until);
            drop(one_at_a_time);
            found
        };
        hub.blocking(work).await.ok_or_else(|| internal("the comment could not be looked for"))?
    };
    let found = tokio::time::timeout_at(until.into(), look).await.unwrap_or_else(|_| Err(late()))?;
    Ok(found.as_deref().and_then(project_at))
}

/// Tells browsers of a comment of this project. Called by the store once the comment is on disk, whether or not somebody
/// still waits for the answer.
fn announce(hub: &Arc<Hub>, project: &Project) -> impl Fn(&Comment) + Send + 'static {
    let (hub, root) = (Arc::clone(hub), project.root.clone());
    move |comment| hub.tell_comment(&root, comment)
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
