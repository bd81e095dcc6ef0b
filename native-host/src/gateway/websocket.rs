//! One WebSocket, from the upgrade to its end: text in, text out, and a sign of life every now and then.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{ErrorCode, MAX_MESSAGE};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::farewell::{self, Farewell};
use super::paired::Pass;
use super::state::Gateway;
use crate::error::error;
use crate::hub::{Body, Carrier, Ended, FrameError, Hub, INBOX, Life, Outbox, Plain, Queued, talk};

/// Between two pings, unless `OPENTOOLBAR_PING_MS` says otherwise. A client that is silent for twice as long is gone.
const PING: Duration = Duration::from_secs(20);
/// How long what is queued may take to go out when the conversation is over.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How long the client may take to answer a close frame.
const CLOSE_WITHIN: Duration = Duration::from_secs(1);

/// Serves the connection until either side ends it.
pub(super) async fn serve(
    hub: Arc<Hub>,
    gateway: Arc<Gateway>,
    socket: WebSocket,
    plain: Option<Plain>,
    pass: Option<Pass>,
) {
    let is_program = pass.is_none();
    let (send, receive) = socket.split();
    let (bodies, inbox) = mpsc::channel(INBOX);
    let (outbox, outgoing) = Outbox::new();
    let life = Arc::new(Life::default());
    let why = Arc::new(OnceLock::new());
    let reader = Reader {
        hub: Arc::clone(&hub),
        session: plain.as_ref().map(|plain| plain.session.clone()),
        life: Arc::clone(&life),
        bodies: Some(bodies),
        why: Arc::clone(&why),
    };
    let mut reading = JoinSet::new();
    reading.spawn(reader.run(receive, pass, gateway.closing.subscribe()));
    let (farewell, told) = oneshot::channel();
    let mut writer = tokio::spawn(write(send, outgoing, told, Arc::clone(&life)));
    let leaving = hub.leaving();
    let ended = talk(hub, Carrier::WebSocket { plain, life, is_program }, inbox, outbox).await;
    // A hub that leaves closes its gateway as well. Else what the reader saw comes first: the conversation ended of it.
    let of_hub = leaving.borrow().then(|| farewell::of(Ended::Leaving));
    let _ = farewell.send(of_hub.or_else(|| why.get().copied()).unwrap_or_else(|| farewell::of(ended)));
    // The last sender of its channel is gone: it says goodbye and ends, unless the client takes nothing any more.
    if timeout(LAST_WORDS, &mut writer).await.is_err() {
        writer.abort();
    } else {
        // Until the client has seen the close frame: what it sent and nobody read would take that from it.
        let _ = timeout(CLOSE_WITHIN, reading.join_next()).await;
    }
}

/// Returns when the pairing ends; for who came in without one, never.
async fn is_over(pass: &mut Option<Pass>) {
    match pass {
        // Nothing is ever sent: it changes with its owner's end alone.
        Some(pass) => while pass.changed().await.is_ok() {},
        None => std::future::pending().await,
    }
}

fn ping() -> Duration {
    let told = std::env::var("OPENTOOLBAR_PING_MS").ok().and_then(|ms| ms.parse().ok());
    told.filter(|ms| *ms > 0).map_or(PING, Duration::from_millis)
}

/// Hands on what the client sends.
struct Reader {
    hub: Arc<Hub>,
    /// Of a plain client.
    session: Option<SessionId>,
    life: Arc<Life>,
    /// Until the conversation is over. Then what still comes is read and let go.
    bodies: Option<mpsc::Sender<Result<Body, FrameError>>>,
    /// Why it ended, when that was seen here.
    why: Arc<OnceLock<Farewell>>,
}

impl Reader {
    /// Ends with the client, or when it has shown no sign of life although it was asked for one.
    async fn run(
        mut self,
        mut receive: SplitStream<WebSocket>,
        mut pass: Option<Pass>,
        mut closing: watch::Receiver<bool>,
    ) {
        let patience = ping() * 2;
        loop {
            let is_open = self.bodies.is_some();
            let received = tokio::select! {
                received = timeout(patience, receive.next()) => received,
                () = is_over(&mut pass), if is_open => {
                    tracing::info!("closed: its pairing was taken back");
                    self.end(farewell::UNPAIRED);
                    continue;
                }
                _ = closing.wait_for(|closing| *closing), if is_open => {
                    self.end(farewell::CLOSING);
                    continue;
                }
            };
            let message = match received {
                Err(_) => {
                    tracing::warn!("closed: a WebSocket answered no ping");
                    self.end(farewell::SILENT);
                    break;
                }
                Ok(None) => break,
                Ok(Some(Err(broken))) => {
                    self.refuse(broken).await;
                    break;
                }
                Ok(Some(Ok(message))) => message,
            };
            self.life.heard();
            match message {
                Message::Close(_) => break,
                Message::Text(text) => self.hand_on(Body::Json(axum::body::Bytes::from(text).into())).await,
                Message::Binary(bytes) => {
                    let refusal = error(
                        ErrorCode::BadRequest,
                        format!("a binary message of {} bytes is not of this protocol", bytes.len()),
                        "Send JSON in text messages.",
                    );
                    self.hand_on(Body::Refused(refusal)).await;
                }
                Message::Ping(_) => {}
                Message::Pong(payload) => {
                    let Some(Ping { question, position }) = Ping::of(&payload) else { continue };
                    self.life.answered(question);
                    // What we wrote before the ping has arrived.
                    if let (Some(session), Some(position)) = (&self.session, position) {
                        self.hub.heard(session, position);
                    }
                }
            }
        }
        self.life.over();
    }

    /// The conversation ends, and the writer says why.
    fn end(&mut self, why: Farewell) {
        let _ = self.why.set(why);
        self.bodies = None;
    }

    async fn hand_on(&mut self, body: Body) {
        let Some(bodies) = &self.bodies else { return };
        if bodies.send(Ok(body)).await.is_err() {
            self.bodies = None;
        }
    }

    /// What came is no WebSocket's, or too large. A link that broke is nobody's fault, and nobody is there to be told.
    async fn refuse(&mut self, broken: axum::Error) {
        let message = format!("the connection is broken: {broken}");
        let Some(why) = farewell::of_broken(broken) else { return };
        let next = format!("Connect again, and send text of at most {MAX_MESSAGE} bytes at once.");
        self.hand_on(Body::Refused(error(ErrorCode::BadRequest, message, next))).await;
        self.end(why);
    }
}

async fn write(
    mut send: SplitSink<WebSocket, Message>,
    mut outgoing: mpsc::Receiver<Queued>,
    farewell: oneshot::Receiver<Farewell>,
    life: Arc<Life>,
) {
    let mut pings = interval(ping());
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let patience = ping() * 2;
    let mut position = None;
    // The client was not asked yet whether it has got as far.
    let mut unasked = false;
    loop {
        let (message, asks) = tokio::select! {
            message = outgoing.recv() => {
                let Some(Queued { message, .. }) = &message else { break };
                position = message.position.max(position);
                unasked |= message.position.is_some();
                // Once for all that goes in a row.
                let asks = unasked && outgoing.is_empty();
                unasked &= !asks;
                // Only JSON of our own comes here, and that is UTF-8.
                let text = String::from_utf8_lossy(&message.json).into_owned();
                (Message::Text(text.into()), asks)
            }
            _ = pings.tick() => (Ping::new(&life, position).message(), false),
            () = life.wanted() => (Ping::new(&life, position).message(), false),
        };
        let sending = async {
            send.send(message).await?;
            if asks { send.send(Ping::new(&life, position).message()).await } else { Ok(()) }
        };
        // Without this end a client that sends and never reads would be waited for without end.
        match timeout(patience, sending).await {
            Ok(Ok(())) => {}
            // The client has said goodbye, which is to be answered, or the link broke, which a last try shows as well.
            Ok(Err(_)) => break,
            Err(_) => {
                tracing::warn!("closed: a WebSocket reads nothing");
                return;
            }
        }
    }
    // Nothing goes out any more: who still has something to say is told so, and the conversation ends.
    drop(outgoing);
    // Without a word the conversation ended by a defect of ours.
    let Farewell { code, reason } = farewell.await.unwrap_or(farewell::DEFECT);
    let _ = send.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    let _ = send.close().await;
}

/// What a ping carries, so that its answer tells what it answers.
#[derive(Debug, PartialEq, Eq)]
struct Ping {
    /// The last one whether the other end is there.
    question: u64,
    /// Everything up to it was sent before.
    position: Option<u64>,
}

impl Ping {
    fn new(life: &Life, position: Option<u64>) -> Self {
        Self { question: life.question(), position }
    }

    fn message(&self) -> Message {
        let position = self.position.map(|position| position.to_string()).unwrap_or_default();
        Message::Ping(format!("{} {position}", self.question).into())
    }

    /// `None` for what no ping of ours has carried.
    fn of(payload: &[u8]) -> Option<Self> {
        let (question, position) = std::str::from_utf8(payload).ok()?.split_once(' ')?;
        let position = if position.is_empty() { None } else { Some(position.parse().ok()?) };
        Some(Self { question: question.parse().ok()?, position })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_a_ping_is_understood_and_nothing_else() {
        for ping in [Ping { question: 0, position: None }, Ping { question: 7, position: Some(u64::MAX) }] {
            assert_eq!(Ping::of(&ping.message().into_data()), Some(ping));
        }
        for other in ["", " ", "x 1", "1 x", "1", "-1 2", "1 2 3"] {
            assert_eq!(Ping::of(other.as_bytes()), None, "{other}");
        }
    }
}
