//! One connection, from the first attempt to its end.

use std::time::{Duration, Instant};

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::protocol::{
    Answer, AnswerEnvelope, ErrorBody, ErrorCode, Hello, HubEnvelope, PROTOCOL_VERSION, Request,
    RequestEnvelope,
};
use tokio::io::WriteHalf;
use tokio::process::Child;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{Connector, new_message_id};
use crate::hub::error::{error, internal};
use crate::hub::frame::{self, Frame, FrameError};
use crate::hub::home::cannot_use;
use crate::hub::{socket, start};
use crate::why::why;

/// A hub on a busy machine takes a second; this is when we stop believing.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// A hub that took the connection answers hello at once unless it is stuck or leaving.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// How long a hub that is only looked for may hang up on us before we say that it cannot be reached: one that leaves
/// does so for a moment.
const LEAVING_TIMEOUT: Duration = Duration::from_secs(1);

/// What came.
pub(super) enum Heard {
    Envelope(Box<HubEnvelope>),
    /// The connection is over.
    End,
}

/// One connection with its hello done.
pub(super) struct Link {
    pub(super) hub: Hello,
    send: WriteHalf<Stream>,
    heard: mpsc::UnboundedReceiver<HubEnvelope>,
    /// Holds the other half of the socket; ended with the link, so that the hub sees the end at once.
    _reader: JoinSet<()>,
}

enum Missed {
    /// Nobody listens.
    Absent(String),
    /// Somebody listens, but we cannot talk to them. Try again.
    Unreachable(String),
    /// Trying again will not help.
    Refused(ErrorBody),
}

impl Link {
    /// Finds the hub and says hello; with `start`, starts one when there is none.
    pub(super) async fn establish(
        connector: &Connector,
        hello: &Hello,
        start: bool,
    ) -> Result<Link, ErrorBody> {
        Self::look_for(connector, hello, start).await?.ok_or_else(|| {
            error(
                ErrorCode::Internal,
                "no hub is running",
                "Start an agent or a browser with opentoolbar, or run `opentoolbar serve`.",
            )
        })
    }

    /// The same; `None` when no hub runs and none is to be started.
    pub(super) async fn look_for(
        connector: &Connector,
        hello: &Hello,
        start: bool,
    ) -> Result<Option<Link>, ErrorBody> {
        match find(connector, start, Some(hello)).await? {
            Some(Found::Greeted(link)) => Ok(Some(link)),
            Some(Found::Silent(_)) => Err(internal("the connection was not greeted")),
            None => Ok(None),
        }
    }

    async fn greet(stream: Stream, hello: &Hello) -> Result<Link, Missed> {
        let (mut receive, mut send) = tokio::io::split(stream);
        let id = new_message_id().map_err(Missed::Refused)?;
        let envelope =
            RequestEnvelope { id: Some(id), session_id: None, request: Request::Hello(hello.clone()) };
        let json = serde_json::to_vec(&envelope).map_err(|e| Missed::Refused(internal(e.to_string())))?;
        let broke = |e: FrameError| Missed::Unreachable(e.to_string());
        frame::write(&mut send, &Frame::Message(&json)).await.map_err(broke)?;
        let body = frame::read_body(&mut receive).await.map_err(broke)?;
        let Some(Ok(Frame::Message(json))) = body.as_deref().map(Frame::decode) else {
            return Err(Missed::Unreachable("it left".into()));
        };
        let Ok(AnswerEnvelope { answer, .. }) = serde_json::from_slice(json) else {
            return Err(Missed::Refused(internal("the hub did not answer hello")));
        };
        let hub = match answer {
            Answer::Hello(hub) if hub.protocol == PROTOCOL_VERSION => hub,
            Answer::Hello(hub) => return Err(Missed::Refused(incompatible(&hub))),
            Answer::Error(error) => return Err(Missed::Refused(error)),
            _ => return Err(Missed::Refused(internal("the hub did not answer hello"))),
        };
        let (hear, heard) = mpsc::unbounded_channel();
        let mut reader = JoinSet::new();
        reader.spawn(async move {
            while let Ok(Some(body)) = frame::read_body(&mut receive).await {
                let Ok(Frame::Message(json)) = Frame::decode(&body) else { break };
                // A kind of message that this version does not know is not for it.
                let Ok(envelope) = serde_json::from_slice(json) else { continue };
                if hear.send(envelope).is_err() {
                    break;
                }
            }
        });
        Ok(Link { hub, send, heard, _reader: reader })
    }

    pub(super) async fn send(&mut self, json: &[u8]) -> Result<(), FrameError> {
        frame::write(&mut self.send, &Frame::Message(json)).await
    }

    pub(super) async fn hear(&mut self) -> Heard {
        match self.heard.recv().await {
            Some(envelope) => Heard::Envelope(Box::new(envelope)),
            None => Heard::End,
        }
    }
}

/// A connection to the hub on which nothing has been said yet; for whoever forwards what others say.
pub(super) async fn raw(connector: &Connector) -> Result<Stream, ErrorBody> {
    match find(connector, connector.start, None).await? {
        Some(Found::Silent(stream)) => Ok(stream),
        Some(Found::Greeted(_)) => Err(internal("the connection was greeted already")),
        None => Err(internal("no hub is running")),
    }
}

enum Found {
    Silent(Stream),
    Greeted(Link),
}

async fn attempt(connector: &Connector, hello: Option<&Hello>) -> Result<Found, Missed> {
    let stream = open(connector).await?;
    let Some(hello) = hello else { return Ok(Found::Silent(stream)) };
    match tokio::time::timeout(HELLO_TIMEOUT, Link::greet(stream, hello)).await {
        Ok(done) => done.map(Found::Greeted),
        Err(_) => Err(Missed::Unreachable("it does not answer".into())),
    }
}

/// Tries until it works, will never work, or the time is over; with `start`, starts a hub meanwhile. Without, `None`
/// when nobody listens.
async fn find(connector: &Connector, start: bool, hello: Option<&Hello>) -> Result<Option<Found>, ErrorBody> {
    if start {
        connector.home.ensure()?;
    }
    let began = Instant::now();
    let mut pause = FIRST_PAUSE;
    let mut child: Option<Child> = None;
    loop {
        let missed = match attempt(connector, hello).await {
            Ok(found) => return Ok(Some(found)),
            Err(Missed::Refused(error)) => return Err(error),
            Err(Missed::Absent(_)) if !start => return Ok(None),
            Err(Missed::Absent(why) | Missed::Unreachable(why)) => why,
        };
        if !start && began.elapsed() > LEAVING_TIMEOUT {
            return Err(error(
                ErrorCode::Internal,
                format!(
                    "something listens at {} but does not talk to us ({missed})",
                    connector.home.socket().display()
                ),
                format!(
                    "If a hub hangs, end the process whose id is in {} and try again.",
                    connector.home.pid().display()
                ),
            ));
        }
        if began.elapsed() > START_TIMEOUT {
            let logs = connector.home.logs();
            return Err(error(
                ErrorCode::Internal,
                format!("the hub did not come up within {} seconds ({missed})", START_TIMEOUT.as_secs()),
                format!("Look into the newest file in {}, or run `opentoolbar serve`.", logs.display()),
            ));
        }
        if start {
            see_to_child(connector, &mut child)?;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn open(connector: &Connector) -> Result<Stream, Missed> {
    use std::io::ErrorKind::{ConnectionRefused, NotADirectory, NotFound, PermissionDenied};
    let stream = socket::connect(&connector.home).await.map_err(|e| match e.kind() {
        // The second: a socket file that a killed hub left behind.
        NotFound | ConnectionRefused => Missed::Absent(e.to_string()),
        NotADirectory | PermissionDenied => Missed::Refused(cannot_use(connector.home.dir(), &e)),
        _ => Missed::Unreachable(e.to_string()),
    })?;
    match socket::peer_is_us(&stream) {
        Ok(true) => Ok(stream),
        Ok(false) => Err(Missed::Refused(error(
            ErrorCode::Forbidden,
            "the hub's socket belongs to another user",
            "Set OPENTOOLBAR_HOME to a directory of yours.",
        ))),
        Err(e) => Err(Missed::Unreachable(e.to_string())),
    }
}

/// Starts a hub unless ours is still coming up. One that exits with 0 found another in its place.
fn see_to_child(connector: &Connector, child: &mut Option<Child>) -> Result<(), ErrorBody> {
    if let Some(running) = child {
        match running.try_wait() {
            Ok(None) => return Ok(()),
            Ok(Some(status)) if status.success() => {}
            Ok(Some(status)) => {
                let words = std::fs::read_to_string(start::last_words(&connector.home)).unwrap_or_default();
                let last = words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
                return Err(error(
                    ErrorCode::Internal,
                    format!("the hub could not start ({status}): {last}"),
                    "Run `opentoolbar serve` to see it in the foreground.",
                ));
            }
            Err(wait) => return Err(internal(format!("cannot watch the hub that was started: {wait}"))),
        }
    }
    let program = match &connector.program {
        Some(program) => Ok(program.clone()),
        None => start::own_program(),
    };
    let started = program.and_then(|program| start::start(&connector.home, &program));
    *child = Some(started.map_err(|e| {
        error(
            ErrorCode::Internal,
            format!("cannot start the hub: {}", why(&e)),
            "Check that the opentoolbar program is still where it was installed.",
        )
    })?);
    Ok(())
}

fn incompatible(hub: &Hello) -> ErrorBody {
    error(
        ErrorCode::Incompatible,
        format!(
            "the running hub {} speaks protocol {}, this program speaks {PROTOCOL_VERSION}",
            hub.version, hub.protocol
        ),
        "Stop the old hub (its process id is in server.pid of the opentoolbar home); a new one starts by itself.",
    )
}
