//! One connection, from the first attempt to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::protocol::{
    Answer, AnswerEnvelope, ErrorBody, ErrorCode, Hello, PROTOCOL_VERSION, Request, RequestEnvelope,
};
use tokio::io::WriteHalf;
use tokio::process::Child;
use tokio::task::JoinSet;

use super::connector::Connector;
use super::received;
use super::waiting::{Shared, new_message_id};
use crate::error::{error, internal};
use crate::home::cannot_use;
use crate::hub::frame::{self, Frame, FrameError};
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

/// One connection with its hello done.
pub(super) struct Link {
    pub(super) hub: Hello,
    send: WriteHalf<Stream>,
    /// Holds the other half of the socket; ended with the link, so that the hub sees the end at once.
    reader: JoinSet<()>,
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
        shared: &Arc<Shared>,
        hello: &Hello,
        start: bool,
    ) -> Result<Link, ErrorBody> {
        Self::look_for(shared, hello, start).await?.ok_or_else(|| {
            error(
                ErrorCode::Internal,
                "no hub is running",
                "Start an agent or a browser with opentoolbar, or run `opentoolbar serve`.",
            )
        })
    }

    /// The same; `None` when no hub runs and none is to be started.
    pub(super) async fn look_for(
        shared: &Arc<Shared>,
        hello: &Hello,
        start: bool,
    ) -> Result<Option<Link>, ErrorBody> {
        match find(&shared.connector, start, Some((hello, shared))).await? {
            Some(Found::Greeted(link)) => Ok(Some(link)),
            Some(Found::Silent(_)) => Err(internal("the connection was not greeted")),
            None => Ok(None),
        }
    }

    async fn greet(stream: Stream, hello: &Hello, shared: &Arc<Shared>) -> Result<Link, Missed> {
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
        // The first that comes is the answer, also of a hub that could not read whose it is.
        let answer = match serde_json::from_slice(json) {
            Ok(AnswerEnvelope { answer, .. }) => answer,
            Err(_) => received::read_leniently(json).map_err(Missed::Refused)?,
        };
        let hub = match answer {
            Answer::Hello(hub) if hub.protocol == PROTOCOL_VERSION => hub,
            Answer::Hello(hub) => return Err(Missed::Refused(incompatible(&hub))),
            Answer::Error(error) => return Err(Missed::Refused(error)),
            _ => return Err(Missed::Refused(internal("the hub did not answer hello"))),
        };
        let greeted = Arc::clone(shared);
        let shared = Arc::clone(shared);
        let mut reader = JoinSet::new();
        reader.spawn(async move {
            while let Ok(Some(body)) = frame::read_body(&mut receive).await {
                let Ok(Frame::Message(json)) = Frame::decode(&body) else { break };
                shared.received(json);
            }
        });
        greeted.greetings.send_modify(|count| *count += 1);
        Ok(Link { hub, send, reader })
    }

    pub(super) async fn send(&mut self, json: &[u8]) -> Result<(), FrameError> {
        frame::write(&mut self.send, &Frame::Message(json)).await
    }

    /// Returns when nothing will come any more.
    pub(super) async fn ended(&mut self) {
        // Its only task ends with the connection.
        self.reader.join_next().await;
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

/// What is said first, and where what comes then goes.
type Greeting<'a> = (&'a Hello, &'a Arc<Shared>);

async fn attempt(connector: &Connector, greeting: Option<Greeting<'_>>) -> Result<Found, Missed> {
    let stream = open(connector).await?;
    let Some((hello, shared)) = greeting else { return Ok(Found::Silent(stream)) };
    match tokio::time::timeout(HELLO_TIMEOUT, Link::greet(stream, hello, shared)).await {
        Ok(done) => done.map(Found::Greeted),
        Err(_) => Err(Missed::Unreachable("it does not answer".into())),
    }
}

/// Tries until it works, will never work, or the time is over; with `start`, starts a hub meanwhile. Without, `None`
/// when nobody listens.
async fn find(
    connector: &Connector,
    start: bool,
    greeting: Option<Greeting<'_>>,
) -> Result<Option<Found>, ErrorBody> {
    if start {
        connector.home.ensure()?;
    }
    let began = Instant::now();
    let mut pause = FIRST_PAUSE;
    let mut child: Option<Child> = None;
    loop {
        let (missed, is_absent) = match attempt(connector, greeting).await {
            Ok(found) => return Ok(Some(found)),
            Err(Missed::Refused(error)) => return Err(error),
            Err(Missed::Absent(_)) if !start => return Ok(None),
            Err(Missed::Absent(why)) => (why, true),
            Err(Missed::Unreachable(why)) => (why, false),
        };
        let patience = if start { START_TIMEOUT } else { LEAVING_TIMEOUT };
        if !is_absent && began.elapsed() > patience {
            return Err(error(
                ErrorCode::Internal,
                format!("the hub at {} cannot be reached: {missed}", connector.home.socket().display()),
                format!("Try again in a moment. If it stays, {}.", connector.way_out()),
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
        // Beside one that is there another would leave at once.
        if start && is_absent {
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
                // The end of the sentence is put by whoever shows it.
                let last = last.trim_start_matches("opentoolbar: ").trim_end_matches('.');
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
