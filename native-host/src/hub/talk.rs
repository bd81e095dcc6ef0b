//! What is said over one connection, from the first message to the last, whatever carries it. Decides nothing about what
//! requests mean.

use std::sync::Arc;
use std::time::{Duration, Instant};

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, Hello, PROTOCOL_VERSION, Request, RequestEnvelope, Role,
};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::answering::{bad_frame, busy, encode, incompatible, late, send_answer, send_answer_as};
use super::body::{Body, bytes_of, decode, is_hello};
use super::error::{error, too_large};
use super::frame::FrameError;
use super::handle;
use super::life::Life;
use super::outbox::{Outbox, Outgoing};
use super::plain::Plain;
use super::rate::Rate;
use super::state::{Hub, Peer};
use super::turns::{ANSWER_WITHIN, Subject, Turn, Turns, answer_within, waits_within};
use super::under_way::{Full, Held, holding};

/// Messages read ahead while one is being handled.
pub(crate) const INBOX: usize = 4;
/// Waits at once on one connection. An agent has one; a client that cancels and asks again has a few.
const WAITS: usize = 64;
/// How long a request may take before those that come after it and are about something else go on beside it.
const PROMPT: Duration = Duration::from_millis(200);
const HELLO_WITHIN: Duration = Duration::from_secs(10);
/// A project that has made no step for so long, and for which a connection has no room left, is not waited for.
const FULL_WITHIN: Duration = Duration::from_secs(2);
/// How often it is looked whether others have made room.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// What brought the connection, and with it what is known before the first message.
#[derive(Debug)]
pub(crate) enum Carrier {
    /// Of one of our own processes, which says what it is.
    LocalSocket,
    /// Of a browser, or of a plain client of one session.
    WebSocket(Option<Plain>, Arc<Life>),
}

/// Why a conversation is over, for carriers that tell the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The other end closed it or broke off.
    ByPeer,
    /// The hub leaves.
    Leaving,
    /// It reads too little of what it is sent, or another connection took its place.
    CutOff,
    /// It was told so; the conversation cannot begin, or not go on.
    Refused(ErrorCode),
}

/// Holds the conversation with one peer until either side ends it.
pub(crate) async fn talk(
    hub: Arc<Hub>,
    carrier: Carrier,
    inbox: mpsc::Receiver<Result<Body, FrameError>>,
    outbox: Outbox,
) -> Ended {
    let (browsers_only, plain, life) = match carrier {
        Carrier::LocalSocket => (false, None, None),
        Carrier::WebSocket(plain, life) => (true, plain, Some(life)),
    };
    let rate = Rate::new(Instant::now());
    Talk {
        hub,
        browsers_only,
        life,
        rate,
        inbox,
        outbox,
        waits: JoinSet::new(),
        turns: Turns::default(),
        aside: JoinSet::new(),
    }
    .hold(plain)
    .await
}

/// Waits until the flag is true or its owner is gone.
async fn raised(flag: &mut watch::Receiver<bool>) {
    drop(flag.wait_for(|raised| *raised).await);
}

struct Talk {
    hub: Arc<Hub>,
    browsers_only: bool,
    /// What tells whether the other end is still there; a process of this machine cannot be gone without a word.
    life: Option<Arc<Life>>,
    rate: Rate,
    inbox: mpsc::Receiver<Result<Body, FrameError>>,
    outbox: Outbox,
    /// Requests that wait for something to happen; they end with the connection.
    waits: JoinSet<()>,
    turns: Turns,
    /// Requests that take long.
    aside: JoinSet<()>,
}

/// How a part of a connection ended.
enum End {
    Over(Ended),
    /// A client that could have been a plain one said hello as its first word.
    Hello(Body),
}

impl Talk {
    async fn hold(mut self, plain: Option<Plain>) -> Ended {
        let mut first = None;
        if let Some(plain) = plain {
            match self.hold_plain(plain).await {
                End::Hello(body) => first = Some(body),
                End::Over(ended) => return ended,
            }
        }
        let (hello, greeting) = match self.greet(first).await {
            Ok(greeted) => greeted,
            Err(ended) => return ended,
        };
        let (peer, closed) = Peer::new(hello, None, self.life.clone(), self.outbox.clone());
        match self.hub.enter(peer, Some(greeting)).await {
            Ok(peer) => match self.serve(&peer, closed).await {
                End::Over(ended) => ended,
                End::Hello(_) => Ended::Refused(ErrorCode::BadRequest),
            },
            Err(refusal) => self.refuse(None, refusal).await,
        }
    }

    async fn refuse(&self, id: Option<MessageId>, refusal: ErrorBody) -> Ended {
        let code = refusal.code;
        self.answer(id, Answer::Error(refusal)).await;
        Ended::Refused(code)
    }

    /// A plain client is served before its first word: it may have come back to hear what it missed.
    async fn hold_plain(&mut self, plain: Plain) -> End {
        self.hub.make_room(&plain.session).await;
        let (peer, closed) = Peer::new(plain.hello(), Some(plain), self.life.clone(), self.outbox.clone());
        let refusal = match self.hub.enter(peer, None).await {
            Ok(peer) => match self.hub.resume(&peer).await {
                Ok(()) => return self.serve(&peer, closed).await,
                Err(refusal) => {
                    self.hub.exit(&peer).await;
                    refusal
                }
            },
            Err(refusal) => refusal,
        };
        let code = refusal.code;
        tracing::warn!(?code, "a plain client was refused");
        if let Ok(json) = serde_json::to_vec(&Answer::Error(refusal)) {
            let _ = self.outbox.send(Outgoing::new(json)).await;
        }
        End::Over(Ended::Refused(code))
    }

    async fn serve(&mut self, peer: &Arc<Peer>, mut closed: watch::Receiver<bool>) -> End {
        tracing::info!(connection = peer.id, role = ?peer.hello.role, client = ?peer.hello.client, "connected");
        let mut leaving = self.hub.leaving();
        let outbox = self.outbox.clone();
        let mut is_first = true;
        let end = loop {
            tokio::select! {
                body = self.inbox.recv() => match body {
                    Some(Ok(body)) if is_first && peer.plain.is_some() && is_hello(&body) => {
                        break End::Hello(body);
                    }
                    Some(Ok(body)) => {
                        is_first = false;
                        if !self.take(peer, body).await {
                            break End::Over(Ended::CutOff);
                        }
                    }
                    Some(Err(error)) => break End::Over(self.refuse_frame(&error).await),
                    None => break End::Over(Ended::ByPeer),
                },
                Some(_) = self.waits.join_next() => {}
                Some(_) = self.aside.join_next() => {}
                () = raised(&mut leaving) => {
                    // What was begun is finished and answered, as long as the hub waits for it.
                    while self.aside.join_next().await.is_some() {}
                    break End::Over(Ended::Leaving);
                }
                () = outbox.cut_off() => break End::Over(Ended::CutOff),
                () = raised(&mut closed) => {
                    tracing::warn!(connection = peer.id, "closed: it does not read what it is sent, or is gone");
                    break End::Over(Ended::CutOff);
                }
            }
        };
        self.hub.exit(peer).await;
        tracing::info!(connection = peer.id, "disconnected");
        end
    }

    /// The first message must be a hello of our protocol. Its answer is not sent yet.
    async fn greet(&mut self, first: Option<Body>) -> Result<(Hello, Vec<u8>), Ended> {
        let body = match first {
            Some(body) => body,
            None => match tokio::time::timeout(HELLO_WITHIN, self.inbox.recv()).await {
                Ok(Some(Ok(body))) => body,
                Ok(Some(Err(error))) => return Err(self.refuse_frame(&error).await),
                Ok(None) => return Err(Ended::ByPeer),
                Err(_) => return Err(Ended::Refused(ErrorCode::BadRequest)),
            },
        };
        let (id, refusal) = match decode(&body) {
            Ok(RequestEnvelope { id, request: Request::Hello(hello), .. }) => {
                if hello.protocol != PROTOCOL_VERSION {
                    (id, incompatible(&hello))
                } else if self.browsers_only && hello.role != Role::Browser {
                    let next = "Start agents with `opentoolbar mcp`, and run verbs where the hub runs.";
                    (id, error(ErrorCode::Forbidden, "only browsers come over the gateway", next))
                } else {
                    let greeting = encode(id, Answer::Hello(self.hub.hello()));
                    return greeting
                        .map(|json| (hello, json))
                        .map_err(|_| Ended::Refused(ErrorCode::Internal));
                }
            }
            Ok(envelope) => {
                let next = "Send `hello` first, or connect with `?sessionId=` as a client of one session.";
                (envelope.id, error(ErrorCode::BadRequest, "the first message was not hello", next))
            }
            Err((id, error)) => (id, error),
        };
        Err(self.refuse(id, refusal).await)
    }

    /// False when the connection cannot go on.
    async fn take(&mut self, peer: &Arc<Peer>, body: Body) -> bool {
        let in_time = self.rate.take(Instant::now());
        let envelope = match decode(&body) {
            Ok(envelope) => envelope,
            Err((id, _)) if in_time.is_err() => return self.refuse_flood(peer, id, in_time).await,
            Err((id, error)) => {
                // The sentence may quote what was sent, which is not for the log.
                tracing::warn!(connection = peer.id, code = ?error.code, "a message was refused");
                return self.answer_as(peer, id, Answer::Error(error)).await;
            }
        };
        let id = envelope.id.clone();
        if in_time.is_err() {
            return self.refuse_flood(peer, id, in_time).await;
        }
        let is_wait = is_wait(peer, &envelope.request);
        let subject = if is_wait { Subject::default() } else { Subject::of(&self.hub, peer, &envelope) };
        let held = match self.room_for(bytes_of(&body), &subject, is_wait).await {
            Ok(held) => held,
            Err(refusal) => {
                tracing::warn!(connection = peer.id, code = ?refusal.code, "too much is under way");
                return self.answer_as(peer, id, Answer::Error(refusal)).await;
            }
        };
        drop(body);
        if is_wait {
            if self.waits.len() >= WAITS {
                if matches!(envelope.request, Request::Ping) {
                    // A sign of life is never refused. The agents are being asked by those before it.
                    return self.answer(id, Answer::Pong { agents: self.hub.agents() }).await;
                }
                let busy = error(
                    ErrorCode::Conflict,
                    format!("{WAITS} waits are under way on this connection"),
                    "Let one of them end, then wait again.",
                );
                return self.answer(id, Answer::Error(busy)).await;
            }
            let (hub, peer, outbox) = (Arc::clone(&self.hub), Arc::clone(peer), self.outbox.clone());
            self.waits.spawn(async move {
                let turn = Turn::beside_all();
                let answer = holding(held, handle::handle(&hub, &peer, &turn, envelope)).await;
                send_answer(&outbox, id, answer.unwrap_or_else(Answer::Error)).await;
            });
            return true;
        }
        let (waits, within) = (waits_within(&envelope.request), answer_within(&envelope.request));
        let turn = Arc::new(self.turns.enter(subject));
        let is_silent = |root: &String| self.hub.stores.is_silent(root.as_ref());
        if waits > within && turn.projects_before().iter().any(is_silent) {
            // What it would wait for has no end, and it may be sent again and again.
            return self.answer_as(peer, id, Answer::Error(late())).await;
        }
        let handled = {
            let (hub, peer, turn) = (Arc::clone(&self.hub), Arc::clone(peer), Arc::clone(&turn));
            async move {
                handle::handle(&hub, &peer, &turn, envelope).await.unwrap_or_else(|error| {
                    tracing::info!(connection = peer.id, code = ?error.code, "a request was refused");
                    Answer::Error(error)
                })
            }
        };
        let mut handled = Box::pin(holding(Arc::clone(&held), handled));
        if !turn.must_wait()
            && let Ok(answer) = tokio::time::timeout(PROMPT, &mut handled).await
        {
            return self.answer_as(peer, id, answer).await;
        }
        let (peer, outbox) = (Arc::clone(peer), self.outbox.clone());
        self.aside.spawn(async move {
            let mut work = Box::pin(async {
                // Who has waited enough goes on all the same.
                let _ = tokio::time::timeout(waits, turn.comes()).await;
                handled.await
            });
            // Who does not get an answer is gone.
            match tokio::time::timeout(within, &mut work).await {
                Ok(answer) => drop(send_answer_as(&outbox, &peer, id, answer).await),
                Err(_) => {
                    held.is_late();
                    send_answer_as(&outbox, &peer, id, Answer::Error(late())).await;
                    // Done all the same, in its order: those behind it may build on it.
                    work.await;
                }
            }
        });
        true
    }

    /// What a request counts for while it is handled. While its project has no room, nothing is read: what comes next is behind it.
    /// Only a project whose disk is silent is not waited for: what comes next may be about one that answers.
    async fn room_for(&self, bytes: usize, subject: &Subject, is_wait: bool) -> Result<Arc<Held>, ErrorBody> {
        let project = subject.project.as_deref();
        let until = Instant::now() + ANSWER_WITHIN;
        let leaving = self.hub.leaving();
        loop {
            if is_wait || self.turns.have_room(project) {
                match self.hub.under_way.take(bytes, project) {
                    Ok(held) => return Ok(held),
                    Err(Full::Everybody) => return Err(busy()),
                    Err(Full::Project) => {}
                }
            }
            let stands = project.map(|root| self.hub.stores.stands_for(root.as_ref()));
            let is_over = Instant::now() >= until || *leaving.borrow();
            if is_over || stands.is_some_and(|stands| stands >= FULL_WITHIN) {
                return Err(late());
            }
            let _ = tokio::time::timeout(LOOK_AGAIN, self.turns.changed()).await;
        }
    }

    async fn refuse_flood(&self, peer: &Peer, id: Option<MessageId>, in_time: Result<(), Duration>) -> bool {
        tracing::warn!(connection = peer.id, "too many messages");
        let wait = in_time.err().unwrap_or_default().as_millis().max(1);
        let flood = error(
            ErrorCode::RateLimited,
            "too many messages at once",
            format!("Wait {wait} ms, then send it again; it was not stored."),
        );
        self.answer_as(peer, id, Answer::Error(flood)).await
    }

    async fn answer_as(&self, peer: &Peer, id: Option<MessageId>, answer: Answer) -> bool {
        send_answer_as(&self.outbox, peer, id, answer).await
    }

    /// The connection ends with it: what comes next cannot be told.
    async fn refuse_frame(&self, fault: &FrameError) -> Ended {
        tracing::warn!(%fault, "a frame was refused");
        let body = match fault {
            FrameError::TooLarge(size) => too_large(*size),
            FrameError::Io(_) | FrameError::Truncated | FrameError::Stalled => return Ended::ByPeer,
            FrameError::Version(_) | FrameError::Malformed => bad_frame(fault),
        };
        self.refuse(None, body).await
    }

    async fn answer(&self, reply_to: Option<MessageId>, answer: Answer) -> bool {
        send_answer(&self.outbox, reply_to, answer).await
    }
}

/// What is answered when something happened; meanwhile the connection goes on. A browser's ping waits for agents.
fn is_wait(peer: &Peer, request: &Request) -> bool {
    match request {
        Request::WaitForFeedback { .. } | Request::RequestAnnotation { .. } => true,
        Request::Ping => peer.hello.role == Role::Browser && peer.plain.is_none(),
        _ => false,
    }
}
