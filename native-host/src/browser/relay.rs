//! The process between a browser and the hub: forwards messages both ways and understands none of them.
//!
//! When the hub ends the connection the relay ends too, and the browser sees its port close. The extension then
//! connects again: that starts a new relay, which finds or starts the next hub, and the extension says hello,
//! opens its sessions and sends its outbox. Only the extension knows those, so a relay that reconnected silently
//! would have to remember what it does not understand.

use std::future::pending;
use std::time::Duration;

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::protocol::{Answer, AnswerEnvelope, ErrorBody, ErrorCode, MAX_FRAME, split};
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use super::frame::{self, FrameError};
use crate::error::{error, internal};
use crate::home::Home;
use crate::hub::client::Connector;
use crate::hub::frame::{self as local, Frame, too_large};
use crate::hub::stall;

/// How long what the browser sent before its end may take to reach the hub.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long the hub may send nothing after the first message, which is a hello and answered at once. The extension
/// closes the port after 10 s, and would not be told.
const FIRST_ANSWER: Duration = Duration::from_secs(8);

/// Relays between standard input and output and the hub until either side ends. Blocks.
///
/// # Errors
/// When no hub can be reached or started, or the browser sends what is no message; the browser is told as well.
pub fn run(home: Home) -> Result<(), ErrorBody> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| internal(format!("cannot start the relay: {e}")))?;
    let done = runtime.block_on(relay(home, tokio::io::stdin(), tokio::io::stdout()));
    // A read of standard input cannot be cancelled; waiting for it would keep a closed port's process alive.
    runtime.shutdown_background();
    done
}

async fn relay(
    home: Home,
    mut from_browser: impl AsyncRead + Unpin,
    mut to_browser: impl AsyncWrite + Unpin,
) -> Result<(), ErrorBody> {
    let stream = match Connector::new(home).raw().await {
        Ok(stream) => stream,
        Err(error) => return Err(tell(&mut to_browser, error).await),
    };
    let (from_hub, to_hub) = tokio::io::split(stream);
    let (asked, answered) = (Notify::new(), Notify::new());
    let up = async { upward(&mut from_browser, to_hub, &asked).await };
    let down = async { downward(from_hub, &mut to_browser, &answered).await };
    let silence = async {
        asked.notified().await;
        if timeout(FIRST_ANSWER, answered.notified()).await.is_ok() {
            pending::<()>().await;
        }
    };
    let ended = tokio::select! {
        ended = up => ended,
        ended = down => ended,
        () = silence => Err(hangs("the hub does not answer")),
    };
    match ended {
        Ok(()) => Ok(()),
        Err(error) => Err(tell(&mut to_browser, error).await),
    }
}

/// Browser to hub; ends with the browser, whatever the hub does.
async fn upward(
    from: &mut (impl AsyncRead + Unpin),
    mut to: WriteHalf<Stream>,
    asked: &Notify,
) -> Result<(), ErrorBody> {
    // Read ahead by one: a hub that takes nothing must not keep the browser's end from being seen.
    let (messages, mut queue) = mpsc::channel::<Vec<u8>>(1);
    let reading = async move {
        loop {
            match frame::read(from).await {
                Ok(Some(message)) => {
                    if messages.send(message).await.is_err() {
                        return Ok(());
                    }
                }
                // A browser that is killed ends in the middle of a message: nobody is left to tell.
                Ok(None) | Err(FrameError::Truncated | FrameError::Io(_)) => return Ok(()),
                Err(FrameError::TooLarge(size)) => return Err(too_large(size)),
            }
        }
    };
    let writing = async move {
        while let Some(message) = queue.recv().await {
            match local::write_within(&mut to, &Frame::Message(&message), stall()).await {
                Ok(()) => asked.notify_one(),
                Err(local::FrameError::Stalled) => {
                    return Err(hangs("the hub does not take what it is sent"));
                }
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    };
    tokio::pin!(writing);
    let read = tokio::select! {
        read = reading => read,
        written = &mut writing => return written,
    };
    // What came before the end still goes out, to a hub that takes it.
    let _ = timeout(LAST_WORDS, writing).await;
    read
}

fn hangs(how: &str) -> ErrorBody {
    error(
        ErrorCode::Internal,
        how,
        "Run `opentoolbar status`; when it gets no answer, it says which process to end.",
    )
}

/// Hub to browser, cut to what a browser takes.
async fn downward(
    mut from: ReadHalf<Stream>,
    to: &mut (impl AsyncWrite + Unpin),
    answered: &Notify,
) -> Result<(), ErrorBody> {
    let mut transfer = 0u32;
    loop {
        let body = match local::read_body(&mut from).await {
            Ok(Some(body)) => body,
            Ok(None) | Err(_) => return Ok(()),
        };
        answered.notify_one();
        let Ok(Frame::Message(json)) = Frame::decode(&body) else { return Ok(()) };
        if json.len() <= MAX_FRAME {
            if !write(to, json).await {
                return Ok(());
            }
            continue;
        }
        let json = std::str::from_utf8(json).map_err(|_| internal("the hub sent what is not UTF-8"))?;
        transfer = transfer.wrapping_add(1);
        for part in split(json, transfer, MAX_FRAME).map_err(ErrorBody::from)? {
            let part =
                serde_json::to_vec(&part).map_err(|e| internal(format!("cannot encode a part: {e}")))?;
            if !write(to, &part).await {
                return Ok(());
            }
        }
    }
}

/// False when the browser is gone, or takes nothing.
async fn write(to: &mut (impl AsyncWrite + Unpin), message: &[u8]) -> bool {
    matches!(timeout(stall(), frame::write(to, message)).await, Ok(Ok(())))
}

/// The browser shows a person what the relay's standard error shows nobody.
async fn tell(to: &mut (impl AsyncWrite + Unpin), error: ErrorBody) -> ErrorBody {
    let answer = AnswerEnvelope { reply_to: None, answer: Answer::Error(error.clone()) };
    if let Ok(json) = serde_json::to_vec(&answer) {
        write(to, &json).await;
    }
    error
}
