//! An agent asks the person to point at something; the person does, or declines.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{AnnotationId, ContextId, SessionId};
use opentoolbar_core::protocol::{
    AnnotationOutcome, AnnotationRequest, Answer, ErrorBody, ErrorCode, Event, MAX_WAIT_MS, next_step,
};
use tokio::sync::watch;

use super::places::project_of;
use super::roles::own_project;
use super::sessions::meant;
use crate::error::error;
use crate::hub::live::Live;
use crate::hub::live_session::LiveAnnotation;
use crate::hub::live_session::no_such_page;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::store::AnsweredAnnotation;

/// Requests of one agent that may stand at once.
const MOST: usize = 8;

/// The reason where it is not the person's, for clients of earlier versions that know nothing of `closed`.
const CLOSED: &str = "The page was closed, or went to another project, before the person did anything.";

/// What an agent asks.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) session: Option<SessionId>,
    pub(super) id: AnnotationId,
    pub(super) message: String,
    pub(super) timeout_ms: u32,
}

/// Shows the request in the session, once, and waits for what the person does about it.
pub(super) async fn request(hub: &Arc<Hub>, peer: &Peer, wish: Wish) -> Result<Answer, ErrorBody> {
    hub.asked_by(peer);
    let Wish { session, id, message, timeout_ms } = wish;
    let project = own_project(peer)?;
    let (session, mut outcome) = match known(hub, peer, &id)? {
        Some(known) => known,
        None => {
            // An earlier hub may have taken the answer, or this one when the agent did not hear it.
            let store = hub.stores.of(project.root.as_ref());
            if let Some(AnsweredAnnotation { session, answerer, outcome }) =
                store.annotation(id.clone()).await?
            {
                if answerer != peer.answerer() {
                    return Err(of_another(&id));
                }
                peer.pulse.seen();
                return Ok(Answer::Annotation { annotation_id: id, session_id: session, outcome });
            }
            let session = meant(hub, project, session).await?;
            must_take_requests(hub, &session)?;
            let request = AnnotationRequest { annotation_id: id.clone(), message, agent: peer.agent_name() };
            let (known, is_new) = ask(hub, (peer, &project.root), &session, &request)?;
            if is_new {
                let event = Event::AnnotationRequested(request);
                hub.tell_session(&project.root, &session, event, Some(peer.agent_name()), None);
            }
            known
        }
    };
    let wait = Duration::from_millis(timeout_ms.min(MAX_WAIT_MS).into());
    let decided = outcome.wait_for(|outcome| *outcome != AnnotationOutcome::Waiting);
    let outcome = match tokio::time::timeout(wait, decided).await {
        Ok(Ok(outcome)) => outcome.clone(),
        // The tab was closed or is of another project now, or the time ran out.
        Ok(Err(_)) => AnnotationOutcome::Declined { reason: Some(CLOSED.to_owned()), closed: true },
        Err(_) => AnnotationOutcome::Waiting,
    };
    if outcome != AnnotationOutcome::Waiting {
        hub.live().annotations.remove(&id);
    }
    peer.pulse.seen();
    Ok(Answer::Annotation { annotation_id: id, session_id: session, outcome })
}

/// A program that shows the page and speaks the conversation alone has no way to answer.
fn must_take_requests(hub: &Hub, session: &SessionId) -> Result<(), ErrorBody> {
    let live = hub.live();
    let owner = live.sessions.get(session).and_then(|session| live.peers.get(&session.peer));
    if owner.is_none_or(|owner| owner.plain.is_none()) {
        return Ok(());
    }
    Err(error(
        ErrorCode::Forbidden,
        format!(
            "nobody can be asked to point at something in {session}: its page is open in a program that only chats"
        ),
        next_step::ASK_IN_WORDS,
    ))
}

type Known = (SessionId, watch::Receiver<AnnotationOutcome>);

fn known(hub: &Hub, peer: &Peer, id: &AnnotationId) -> Result<Option<Known>, ErrorBody> {
    find(&hub.live(), peer, id)
}

fn find(live: &Live, peer: &Peer, id: &AnnotationId) -> Result<Option<Known>, ErrorBody> {
    match live.annotations.get(id) {
        None => Ok(None),
        Some(one) if one.answerer == peer.answerer() => {
            Ok(Some((one.session.clone(), one.outcome.subscribe())))
        }
        Some(_) => Err(of_another(id)),
    }
}

fn of_another(id: &AnnotationId) -> ErrorBody {
    error(
        ErrorCode::Conflict,
        format!("the annotation id {id} belongs to another agent"),
        "Ask with an id of your own; ids must be random.",
    )
}

/// The request as it stands now, and whether it was not known: the same may have been asked a moment ago.
fn ask(
    hub: &Hub,
    (peer, root): (&Peer, &str),
    session: &SessionId,
    request: &AnnotationRequest,
) -> Result<(Known, bool), ErrorBody> {
    let mut live = hub.live();
    if let Some(known) = find(&live, peer, &request.annotation_id)? {
        return Ok((known, false));
    }
    // It may have been closed meanwhile, or gone to a page of another project.
    if !live.sessions.get(session).is_some_and(|open| open.may_be_of(root)) {
        return Err(no_such_page(session));
    }
    let of_agent = live.annotations.values().filter(|one| one.answerer == peer.answerer());
    let stands = |one: &&LiveAnnotation| one.is_open() && live.sessions.contains_key(&one.session);
    if of_agent.filter(stands).count() >= MOST {
        return Err(error(
            ErrorCode::Conflict,
            format!("{MOST} of your requests stand on the page already"),
            "Wait for the person to answer one of them.",
        ));
    }
    let (outcome, seen) = watch::channel(AnnotationOutcome::Waiting);
    let live_one = LiveAnnotation {
        session: session.clone(),
        answerer: peer.answerer().to_owned(),
        root: root.to_owned(),
        request: request.clone(),
        outcome,
    };
    live.annotations.insert(request.annotation_id.clone(), live_one);
    Ok(((session.clone(), seen), true))
}

/// The person points at something, or declines.
pub(super) async fn answer(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    session: Option<SessionId>,
    id: &AnnotationId,
    context_id: Option<ContextId>,
    message: Option<String>,
) -> Result<Answer, ErrorBody> {
    let session = hub.session_of(peer, session).await?;
    let project = project_of(hub, turn, &session, None).await?;
    let store = hub.stores.of(project.root.as_ref());
    if let Some(context) = &context_id {
        store.must_have(context.clone(), session.clone()).await?;
    }
    let message = message.filter(|message| !message.trim().is_empty());
    let outcome = match context_id {
        Some(context_id) => AnnotationOutcome::Answered { context_id, message },
        None => AnnotationOutcome::Declined { reason: message, closed: false },
    };
    // What an agent of the project before asked is none of this page's.
    let of_session = |one: &&LiveAnnotation| one.session == session && one.root == project.root;
    let waits = hub.live().annotations.get(id).filter(of_session).map(|one| one.answerer.clone());
    // Kept before the page is told that it is taken: this hub may end before the agent has heard it.
    let kept = match waits {
        Some(answerer) => {
            let (session, outcome) = (session.clone(), outcome.clone());
            Some(store.keep_annotation(id.clone(), AnsweredAnnotation { session, answerer, outcome }).await?)
        }
        // Sent again by a page that did not hear that it was taken.
        None => store.annotation(id.clone()).await?,
    };
    if kept.is_none_or(|kept| kept.session != session || kept.outcome != outcome) {
        return Err(error(
            ErrorCode::BadRequest,
            "nobody waits for this any more",
            "The agent has gone, has its answer or has taken its request back; say it as a message instead.",
        ));
    }
    if let Some(one) = hub.live().annotations.get(id).filter(of_session) {
        one.outcome.send_replace(outcome);
    }
    Ok(Answer::Done)
}
