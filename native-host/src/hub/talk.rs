//! What is said over one connection, from the first message to the last, whatever carries it. Decides nothing about
//! what requests mean.

use std::sync::Arc;
use std::time::{Duration, Instant};

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, Hello, PROTOCOL_VERSION, Request, RequestEnvelope, Role,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use super::answering::{bad_frame, busy, encode, incompatible, late, send_answer, send_answer_as};
use super::body::{Body, bytes_of, decode, is_hello};
use super::frame::FrameError;
use super::frame::too_large;
use super::handle;
use super::life::{ENDS_AT_LAST, Life};
use super::outbox::{Outbox, Outgoing};
use super::plain::Plain;
use super::rate::Rate;
use super::running::{Asker, Bounds, in_turn, unless_defect};
use super::state::{Hub, Peer};
use super::subject::{Subject, answer_within, is_immediate, is_look, is_wait, waits_within};
use super::turns::{Turn, Turns, no_room};
use crate::budget::under_way::{Owner, holding};
use crate::error::error;

/// Messages read ahead while one is being handled.
pub(crate) const INBOX: usize = 4;
/// Waits at once on one connection. An agent has one; a client that cancels and asks again has a few.
const WAITS: usize = 64;
const HELLO_WITHIN: Duration = Duration::from_secs(10);
/// How long nothing of what the other end has sent may be done when it is gone: a script that says something and ends
/// waits for no answer. A disk that does not answer lets go of the connection after that.
const ENDS_WITHIN: Duration = Duration::from_secs(2);
/// Requests of a plain client that are read before the first is answered: fewer than a project has room for. It could
/// not be told which one was refused, and has one session, so that it holds up nobody else.
const READ_AHEAD: u32 = 1_000;
/// One whose project is yet to be found counts as so many: there is less room for those.
const UNPLACED_COUNTS: u32 = 4;
/// One more for each so many bytes.
const COUNTED_BYTES: usize = 16 * 1024;

/// What brought the connection, and with it what is known before the first message.
#[derive(Debug)]
pub(crate) enum Carrier {
    /// Of one of our own processes, which says what it is; the system says which.
    LocalSocket {
        /// Its id.
        process: Option<u32>,
    },
    /// Of a browser, or of a plain client of one session.
    WebSocket {
        /// The client, when it says no hello.
        plain: Option<Plain>,
        /// Whether it is still there.
        life: Arc<Life>,
        /// It is no browser that a person has paired: it showed the token that programs read.
        is_program: bool,
    },
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
    let (browsers_only, plain, life, process, is_program) = match carrier {
        Carrier::LocalSocket { process } => (false, None, None, process, false),
        Carrier::WebSocket { plain, life, is_program } => (true, plain, Some(life), None, is_program),
    };
    let rate = Rate::new(Instant::now());
    Talk {
        hub,
        browsers_only,
        process,
        is_program,
        life,
        rate,
        inbox,
        outbox,
        waits: JoinSet::new(),
        turns: Turns::default(),
        aside: JoinSet::new(),
        looks: JoinSet::new(),
        read_ahead: Arc::new(Semaphore::new(READ_AHEAD as usize)),
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
    process: Option<u32>,
    is_program: bool,
    /// What tells whether the other end is still there; a process of this machine cannot be gone without a word.
    life: Option<Arc<Life>>,
    rate: Rate,
    inbox: mpsc::Receiver<Result<Body, FrameError>>,
    outbox: Outbox,
    /// Requests that wait for something to happen; they end with the connection.
    waits: JoinSet<()>,
    turns: Turns,
    /// All other requests that may have to wait for something: reading goes on meanwhile.
    aside: JoinSet<()>,
    /// Those of them that end with the connection.
    looks: JoinSet<()>,
    /// What a plain client may send before it is answered.
    read_ahead: Arc<Semaphore>,
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
        let (mut peer, closed) = Peer::new(hello, None, self.life.clone(), self.outbox.clone());
        (peer.process, peer.is_program) = (self.process, self.is_program);
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
        let read_ahead = Arc::clone(&self.read_ahead);
        let mut is_first = true;
        let end = loop {
            tokio::select! {
                body = async {
                    // Who reads no answers is asked no more.
                    outbox.has_room().await;
                    if peer.plain.is_some() {
                        // Never closed.
                        drop(read_ahead.acquire().await);
                    }
                    self.inbox.recv().await
                } => match body {
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
                Some(_) = self.looks.join_next() => {}
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
        self.looks.shutdown().await;
        if peer.plain.is_some() && matches!(end, End::Over(Ended::CutOff)) {
            // The link may have broken as we wrote to it. What came over it before is still to be taken.
            let rest = async {
                while let Some(Ok(body)) = self.inbox.recv().await {
                    self.take(peer, body).await;
                }
            };
            let _ = tokio::time::timeout(ENDS_WITHIN, rest).await;
        }
        let rest = async {
            while let Ok(Some(_)) = tokio::time::timeout(ENDS_WITHIN, self.aside.join_next()).await {}
        };
        let _ = tokio::time::timeout(ENDS_AT_LAST, rest).await;
        // Whatever went on after the exit would leave traces of a connection that is gone.
        self.aside.shutdown().await;
        self.waits.shutdown().await;
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
        let mut envelope = match decode(&body) {
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
        self.hub.resolve_earlier_names(peer, &mut envelope);
        if is_wait(peer, &envelope.request) {
            return self.wait(peer, envelope, bytes_of(&body)).await;
        }
        if is_immediate(&envelope.request) {
            let turn = Turn::beside_all();
            let answer = unless_defect(peer, handle::handle(&self.hub, peer, &turn, envelope)).await;
            return self.answer_as(peer, id, answer.unwrap_or_else(Answer::Error)).await;
        }
        let (waits, within) = (waits_within(&envelope.request), answer_within(&envelope.request));
        let subject = Subject::of(&self.hub, peer, &envelope);
        let is_silent = |root: &String| self.hub.stores.is_silent(root.as_ref());
        if waits > within && self.turns.projects_before(&subject).iter().any(is_silent) {
            // What it would wait for has no end, and it may be sent again and again.
            return self.answer_as(peer, id, Answer::Error(late())).await;
        }
        let project = subject.place.project().map(str::to_owned);
        let ahead = self.counted_ahead(peer, project.is_some(), bytes_of(&body));
        let turn = match self.turns.enter(&self.hub.under_way, subject, bytes_of(&body)) {
            Ok(turn) => turn,
            Err(full) => {
                tracing::warn!(connection = peer.id, ?full, "too much is under way");
                let refusal = no_room(&self.hub, project.as_deref());
                return self.answer_as(peer, id, Answer::Error(refusal)).await;
            }
        };
        drop(body);
        let tasks = if is_look(&envelope.request) { &mut self.looks } else { &mut self.aside };
        let (hub, peer, outbox) = (Arc::clone(&self.hub), Arc::clone(peer), self.outbox.clone());
        tasks.spawn(async move {
            let work = handle::handle(&hub, &peer, &turn, envelope);
            let asker = Asker { outbox: &outbox, peer: &peer, id: &id };
            in_turn(&turn, asker, Bounds { waits, within }, ahead, work).await;
        });
        true
    }

    /// For a request of a plain client, until it is answered. What is not left is not waited for: the next one is.
    fn counted_ahead(&self, peer: &Peer, is_placed: bool, bytes: usize) -> Option<OwnedSemaphorePermit> {
        peer.plain.as_ref()?;
        let counts = if is_placed { 1 } else { UNPLACED_COUNTS };
        let counts = counts.saturating_add(u32::try_from(bytes / COUNTED_BYTES).unwrap_or(u32::MAX));
        let left = u32::try_from(self.read_ahead.available_permits()).unwrap_or(u32::MAX);
        Arc::clone(&self.read_ahead).try_acquire_many_owned(counts.min(left)).ok()
    }

    /// Waits for what the request waits for, beside everything else.
    async fn wait(&mut self, peer: &Arc<Peer>, envelope: RequestEnvelope, bytes: usize) -> bool {
        let id = envelope.id.clone();
        if self.waits.len() >= WAITS {
            if matches!(envelope.request, Request::Ping) {
                // A sign of life is never refused. The agents are being asked by those before it.
                return self.answer(id, Answer::Pong { agents: self.hub.agents() }).await;
            }
            let too_many = error(
                ErrorCode::RateLimited,
                format!("{WAITS} waits are under way on this connection"),
                "Let one of them end, then wait again.",
            );
            return self.answer(id, Answer::Error(too_many)).await;
        }
        let Ok(held) = self.hub.under_way.take(bytes, Owner::Nobody) else {
            return self.answer_as(peer, id, Answer::Error(busy())).await;
        };
        let (hub, peer, outbox) = (Arc::clone(&self.hub), Arc::clone(peer), self.outbox.clone());
        self.waits.spawn(async move {
            let turn = Turn::beside_all();
            let work = unless_defect(&peer, handle::handle(&hub, &peer, &turn, envelope));
            let answer = holding(held, work).await;
            send_answer(&outbox, id, answer.unwrap_or_else(Answer::Error)).await;
        });
        true
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
