//! One connection of the hub, from the first byte to the last. Decides nothing about what requests mean.

use std::sync::Arc;
use std::time::{Duration, Instant};

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::model::{MessageId, SessionId};
use opentoolbar_core::protocol::{
    Answer, AnswerEnvelope, ErrorBody, ErrorCode, Hello, MAX_IMPORT, MAX_MESSAGE, PROTOCOL_VERSION, Request,
    RequestEnvelope,
};
use tokio::io::{ReadHalf, WriteHalf};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::error::{error, too_large};
use super::frame::{self, Frame, FrameError};
use super::handle;
use super::rate::Rate;
use super::socket;
use super::state::{Hub, Outbox, Peer};

/// Messages that wait for a slow reader; one more and the connection is closed, so that it starts afresh. An import tells
/// of every comment at once and must not cost its own browser the connection.
const OUTBOX: usize = MAX_IMPORT + 512;
/// Messages read ahead while one is being handled.
const INBOX: usize = 4;
/// Waits at once on one connection. An agent has one; a client that cancels and asks again has a few.
const WAITS: usize = 64;
/// A message of this many bytes is decoded away from the other connections.
const LARGE: usize = 256 * 1024;
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// Serves the connection until either side ends it.
pub(super) async fn serve(hub: Arc<Hub>, stream: Stream) {
    if !matches!(socket::peer_is_us(&stream), Ok(true)) {
        tracing::warn!("refused a connection of another user");
        return;
    }
    let (receive, send) = tokio::io::split(stream);
    let (bodies, inbox) = mpsc::channel(INBOX);
    let (outbox, outgoing) = mpsc::channel(OUTBOX);
    let mut reader = JoinSet::new();
    reader.spawn(read(receive, bodies));
    let writer = tokio::spawn(write(send, outgoing, hub.leaving()));
    talk(hub, None, inbox, outbox).await;
    reader.abort_all();
    // Ends by itself: the last sender of its channel is gone. What is queued still goes out.
    let _ = writer.await;
}

/// One conversation with a peer, whatever carries its messages.
pub(super) async fn talk(
    hub: Arc<Hub>,
    plain: Option<Plain>,
    inbox: mpsc::Receiver<Result<Vec<u8>, FrameError>>,
    outbox: Outbox,
) {
    let rate = Rate::new(Instant::now());
    Talk { hub, plain, rate, inbox, outbox, waits: JoinSet::new() }.hold().await;
}

async fn read(mut receive: ReadHalf<Stream>, bodies: mpsc::Sender<Result<Vec<u8>, FrameError>>) {
    loop {
        let read = match frame::read_body(&mut receive).await {
            Ok(Some(body)) => Ok(body),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if bodies.send(read).await.is_err() || failed {
            return;
        }
    }
}

async fn write(
    mut send: WriteHalf<Stream>,
    mut outgoing: mpsc::Receiver<Arc<[u8]>>,
    leaving: watch::Receiver<bool>,
) {
    while let Some(json) = outgoing.recv().await {
        if frame::write(&mut send, &Frame::Message(&json)).await.is_err() {
            return;
        }
    }
    if *leaving.borrow() {
        let _ = frame::write(&mut send, &Frame::Goodbye).await;
    }
}

/// Waits until the flag is true or its owner is gone.
async fn raised(flag: &mut watch::Receiver<bool>) {
    drop(flag.wait_for(|raised| *raised).await);
}

/// Who speaks when the first message is not hello: a client that belongs to one session and knows the conversation alone.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) session: SessionId,
    pub(super) hello: Hello,
}

/// What is known after the first message.
struct Greeted {
    hello: Hello,
    greeting: Option<Arc<[u8]>>,
    plain: Option<SessionId>,
    /// The first message, when it was more than a greeting.
    first: Option<Vec<u8>>,
}

struct Talk {
    hub: Arc<Hub>,
    plain: Option<Plain>,
    rate: Rate,
    inbox: mpsc::Receiver<Result<Vec<u8>, FrameError>>,
    outbox: Outbox,
    /// Requests that wait for something to happen; they end with the connection.
    waits: JoinSet<()>,
}

impl Talk {
    async fn hold(mut self) {
        let Some(Greeted { hello, greeting, plain, first }) = self.greet().await else { return };
        let (peer, mut closed) = Peer::new(hello, plain, self.outbox.clone());
        let peer = self.hub.enter(peer, greeting.as_ref()).await;
        tracing::info!(connection = peer.id, role = ?peer.hello.role, client = %peer.hello.client, "connected");
        let mut leaving = self.hub.leaving();
        let mut alive = match first {
            Some(body) => self.take(&peer, &body).await,
            None => true,
        };
        while alive {
            tokio::select! {
                body = self.inbox.recv() => match body {
                    Some(Ok(body)) => alive = self.take(&peer, &body).await,
                    Some(Err(error)) => { self.refuse_frame(&error).await; break }
                    None => break,
                },
                Some(_) = self.waits.join_next() => {}
                () = raised(&mut leaving) => break,
                () = raised(&mut closed) => {
                    tracing::warn!(connection = peer.id, "closed: it does not read what it is sent");
                    break;
                }
            }
        }
        self.hub.exit(&peer).await;
        tracing::info!(connection = peer.id, "disconnected");
    }

    /// The first message must be a hello of our protocol, unless the connection says by itself who speaks. The hello's
    /// answer is not sent yet.
    async fn greet(&mut self) -> Option<Greeted> {
        let within = if self.plain.is_some() { Duration::MAX } else { HELLO_WITHIN };
        let body = match tokio::time::timeout(within, self.inbox.recv()).await {
            Ok(Some(Ok(body))) => body,
            Ok(Some(Err(error))) => {
                self.refuse_frame(&error).await;
                return None;
            }
            Ok(None) | Err(_) => return None,
        };
        let (id, refusal) = match (decode(&body), self.plain.take()) {
            (Ok(RequestEnvelope { id, request: Request::Hello(hello), .. }), _) => {
                if hello.protocol == PROTOCOL_VERSION {
                    let greeting = encode(id, Answer::Hello(self.hub.hello())).ok()?;
                    return Some(Greeted {
                        hello,
                        greeting: Some(greeting.into()),
                        plain: None,
                        first: None,
                    });
                }
                (id, incompatible(&hello))
            }
            (_, Some(Plain { session, hello })) => {
                return Some(Greeted { hello, greeting: None, plain: Some(session), first: Some(body) });
            }
            (Ok(envelope), None) => {
                let next = "Send `hello` first on every connection.";
                (envelope.id, error(ErrorCode::BadRequest, "the first message was not hello", next))
            }
            (Err((id, error)), None) => (id, error),
        };
        self.answer(id, Answer::Error(refusal)).await;
        None
    }

    /// False when the connection cannot go on.
    async fn take(&mut self, peer: &Arc<Peer>, body: &[u8]) -> bool {
        let envelope = match decode(body) {
            Ok(envelope) => envelope,
            Err((id, error)) => {
                // The sentence may quote what was sent, which is not for the log.
                tracing::warn!(connection = peer.id, code = ?error.code, "a message was refused");
                return self.answer_as(peer, id, Answer::Error(error)).await;
            }
        };
        let id = envelope.id.clone();
        if let Err(wait) = self.rate.take(Instant::now()) {
            tracing::warn!(connection = peer.id, "too many messages");
            let flood = error(
                ErrorCode::RateLimited,
                "too many messages at once",
                format!("Wait {} ms, then send it again; it was not stored.", wait.as_millis().max(1)),
            );
            return self.answer_as(peer, id, Answer::Error(flood)).await;
        }
        if let Request::WaitForFeedback { .. } | Request::RequestAnnotation { .. } = envelope.request {
            if self.waits.len() >= WAITS {
                let busy = error(
                    ErrorCode::Conflict,
                    format!("{WAITS} waits are under way on this connection"),
                    "Let one of them end, then wait again.",
                );
                return self.answer(id, Answer::Error(busy)).await;
            }
            let (hub, peer, outbox) = (Arc::clone(&self.hub), Arc::clone(peer), self.outbox.clone());
            self.waits.spawn(async move {
                let answer = handle::handle(&hub, &peer, envelope).await;
                send_answer(&outbox, id, answer.unwrap_or_else(Answer::Error)).await;
            });
            return true;
        }
        let answer = handle::handle(&self.hub, peer, envelope).await.unwrap_or_else(|error| {
            tracing::info!(connection = peer.id, code = ?error.code, "a request was refused");
            Answer::Error(error)
        });
        self.answer_as(peer, id, answer).await
    }

    /// A plain client is answered in the plainest form, and hears nothing when there is nothing to tell.
    async fn answer_as(&self, peer: &Peer, id: Option<MessageId>, answer: Answer) -> bool {
        if peer.plain.is_none() || id.is_some() {
            return self.answer(id, answer).await;
        }
        let json = match &answer {
            Answer::MessageStored { .. } | Answer::Done => return true,
            Answer::Pong { .. } => Ok(br#"{"type":"pong"}"#.to_vec()),
            answer => serde_json::to_vec(answer),
        };
        match json {
            Ok(json) => self.outbox.send(json.into()).await.is_ok(),
            Err(error) => {
                tracing::error!(%error, "an answer could not be encoded");
                false
            }
        }
    }

    async fn refuse_frame(&self, fault: &FrameError) {
        tracing::warn!(%fault, "a frame was refused");
        let body = match fault {
            FrameError::TooLarge(size) => too_large(*size),
            FrameError::Io(_) | FrameError::Truncated => return,
            FrameError::Version(_) | FrameError::Malformed => bad_frame(fault),
        };
        self.answer(None, Answer::Error(body)).await;
    }

    async fn answer(&self, reply_to: Option<MessageId>, answer: Answer) -> bool {
        send_answer(&self.outbox, reply_to, answer).await
    }
}

async fn send_answer(outbox: &Outbox, reply_to: Option<MessageId>, answer: Answer) -> bool {
    match encode(reply_to, answer) {
        Ok(json) => outbox.send(json.into()).await.is_ok(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be encoded");
            false
        }
    }
}

/// An answer that nobody could receive would end the connection, and its asker would connect and ask again for ever: it
/// is told that there is too much instead.
fn encode(reply_to: Option<MessageId>, answer: Answer) -> serde_json::Result<Vec<u8>> {
    let json = serde_json::to_vec(&AnswerEnvelope { reply_to: reply_to.clone(), answer })?;
    if json.len() <= MAX_MESSAGE {
        return Ok(json);
    }
    let too_much = error(
        ErrorCode::TooLarge,
        format!("the answer has {} bytes; at most {MAX_MESSAGE} can be sent", json.len()),
        "Ask for less at once; `opentoolbar export` writes everything to a file.",
    );
    serde_json::to_vec(&AnswerEnvelope { reply_to, answer: Answer::Error(too_much) })
}

fn bad_frame(fault: &FrameError) -> ErrorBody {
    let (code, next) = match fault {
        FrameError::Version(_) => (ErrorCode::Incompatible, "Update the older of the two programs."),
        _ => (ErrorCode::BadRequest, "Send frames as `hub::frame` describes them."),
    };
    error(code, fault.to_string(), next)
}

/// The one place where bytes of a connection become a request.
fn decode(body: &[u8]) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    if body.len() < LARGE {
        return decode_here(body);
    }
    tokio::task::block_in_place(|| decode_here(body))
}

fn decode_here(body: &[u8]) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    match Frame::decode(body) {
        Ok(Frame::Message(json)) => handle::decode(json),
        Ok(Frame::Goodbye) => Err((None, bad_frame(&FrameError::Malformed))),
        Err(fault) => Err((None, bad_frame(&fault))),
    }
}

fn incompatible(hello: &Hello) -> ErrorBody {
    let older = if hello.protocol < PROTOCOL_VERSION {
        format!("Update {}: its opentoolbar {} is older than the hub's.", hello.client, hello.version)
    } else {
        format!(
            "Update the opentoolbar program on this machine, then stop the running hub (process {}); \
             a new one starts by itself.",
            std::process::id()
        )
    };
    error(
        ErrorCode::Incompatible,
        format!("{} speaks protocol {}, this hub speaks {PROTOCOL_VERSION}", hello.client, hello.protocol),
        older,
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn an_answer_that_nobody_could_receive_becomes_an_error() {
        let id: MessageId = "m_1".parse().unwrap();
        let small = encode(Some(id.clone()), Answer::Screenshot { path: "x".repeat(1_000) }).unwrap();
        assert!(small.len() > 1_000);
        let large = encode(Some(id.clone()), Answer::Screenshot { path: "x".repeat(MAX_MESSAGE) }).unwrap();
        let answer: AnswerEnvelope = serde_json::from_slice(&large).unwrap();
        assert_eq!(answer.reply_to, Some(id));
        assert!(matches!(answer.answer, Answer::Error(error) if error.code == ErrorCode::TooLarge));
    }
}
