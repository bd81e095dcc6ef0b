//! One WebSocket, from the upgrade to its end: text in, text out, and a sign of life every now and then.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{ErrorCode, MAX_MESSAGE};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::Gateway;
use super::paired::Pass;
use crate::hub::error::error;
use crate::hub::{Body, Carrier, FrameError, Hub, INBOX, Life, OUTBOX, Outgoing, Plain, talk};

/// Between two pings, unless `OPENTOOLBAR_PING_MS` says otherwise. A client that is silent for twice as long is gone.
const PING: Duration = Duration::from_secs(20);
/// How long what is queued may take to go out when the conversation is over.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Serves the connection until either side ends it.
pub(super) async fn serve(
    hub: Arc<Hub>,
    gateway: Arc<Gateway>,
    socket: WebSocket,
    plain: Option<Plain>,
    pass: Option<Pass>,
) {
    let (send, receive) = socket.split();
    let (bodies, inbox) = mpsc::channel(INBOX);
    let (outbox, outgoing) = mpsc::channel(OUTBOX);
    let session = plain.as_ref().map(|plain| plain.session.clone());
    let life = Arc::new(Life::default());
    let mut reader = JoinSet::new();
    let reading = read(Arc::clone(&hub), session, Arc::clone(&life), receive, bodies);
    let ends = Ends { leaving: hub.leaving(), closing: gateway.closing.subscribe(), pass };
    let (mut ended, mut closing) = (ends.pass.clone(), ends.closing.clone());
    // Without a reader the conversation ends, and the writer says why.
    reader.spawn(async move {
        tokio::select! {
            () = reading => {}
            () = is_over(&mut ended) => tracing::info!("closed: its pairing was taken back"),
            _ = closing.wait_for(|closing| *closing) => {}
        }
    });
    let mut writer = tokio::spawn(write(send, outgoing, ends, Arc::clone(&life)));
    talk(hub, Carrier::WebSocket(plain, life), inbox, outbox).await;
    // The last sender of its channel is gone: it says goodbye and ends, unless the client takes nothing any more.
    if timeout(LAST_WORDS, &mut writer).await.is_err() {
        writer.abort();
    }
    reader.abort_all();
}

/// What may end a connection from this side.
struct Ends {
    leaving: watch::Receiver<bool>,
    closing: watch::Receiver<bool>,
    pass: Option<Pass>,
}

impl Ends {
    /// The close frame's code and words, once the conversation is over.
    fn why(&self) -> (u16, &'static str) {
        if *self.leaving.borrow() {
            (close_code::AWAY, "the hub leaves; connect again")
        } else if *self.closing.borrow() {
            (close_code::AWAY, "the gateway closes; connect again")
        } else if self.pass.as_ref().is_some_and(|pass| pass.has_changed().is_err()) {
            (close_code::POLICY, "the pairing was taken back")
        } else {
            (close_code::NORMAL, "")
        }
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

/// Ends with the client, or when it has shown no sign of life although it was asked for one.
async fn read(
    hub: Arc<Hub>,
    session: Option<SessionId>,
    life: Arc<Life>,
    mut receive: SplitStream<WebSocket>,
    bodies: mpsc::Sender<Result<Body, FrameError>>,
) {
    let patience = ping() * 2;
    loop {
        let received = timeout(patience, receive.next()).await;
        life.heard();
        let body = match received {
            Err(_) => {
                tracing::warn!("closed: a WebSocket answered no ping");
                return;
            }
            Ok(None | Some(Ok(Message::Close(_)))) => return,
            Ok(Some(Ok(Message::Text(text)))) => Ok(Body::Json(axum::body::Bytes::from(text).into())),
            Ok(Some(Ok(Message::Binary(bytes)))) => Ok(Body::Refused(error(
                ErrorCode::BadRequest,
                format!("a binary message of {} bytes is not of this protocol", bytes.len()),
                "Send JSON in text messages.",
            ))),
            Ok(Some(Ok(Message::Ping(_)))) => continue,
            Ok(Some(Ok(Message::Pong(payload)))) => {
                // What we wrote before the ping has arrived.
                if let (Some(session), Some(position)) = (&session, position_of(&payload)) {
                    hub.heard(session, position);
                }
                continue;
            }
            Ok(Some(Err(broken))) => {
                let next = format!("Connect again, and send text of at most {MAX_MESSAGE} bytes at once.");
                let what = error(ErrorCode::BadRequest, format!("the connection is broken: {broken}"), next);
                let _ = bodies.send(Ok(Body::Refused(what))).await;
                return;
            }
        };
        if bodies.send(body).await.is_err() {
            return;
        }
    }
}

async fn write(
    mut send: SplitSink<WebSocket, Message>,
    mut outgoing: mpsc::Receiver<Outgoing>,
    ends: Ends,
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
                let Some(message) = message else { break };
                position = message.position.max(position);
                unasked |= message.position.is_some();
                // Once for all that goes in a row.
                let asks = unasked && outgoing.is_empty();
                unasked &= !asks;
                // Only JSON of our own comes here, and that is UTF-8.
                let text = String::from_utf8_lossy(&message.json).into_owned();
                (Message::Text(text.into()), asks)
            }
            _ = pings.tick() => (ping_for(position), false),
            () = life.wanted() => (ping_for(position), false),
        };
        let sending = async {
            send.send(message).await?;
            if asks { send.send(ping_for(position)).await } else { Ok(()) }
        };
        // Without this end a client that sends and never reads would be waited for without end.
        match timeout(patience, sending).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => {
                tracing::warn!("closed: a WebSocket reads nothing");
                return;
            }
        }
    }
    let (code, reason) = ends.why();
    let _ = send.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    let _ = send.close().await;
}

/// Its answer says that everything up to the position has arrived.
fn ping_for(position: Option<u64>) -> Message {
    Message::Ping(position.map(|position| position.to_string()).unwrap_or_default().into())
}

fn position_of(payload: &[u8]) -> Option<u64> {
    std::str::from_utf8(payload).ok()?.parse().ok()
}
