//! JSON-RPC over lines of standard input and output.
//!
//! rmcp's own line transport swallows what it cannot parse, so a client with a defect waits for ever. This one
//! answers every malformed line with the error that JSON-RPC 2.0 names, with the request's id where it has one,
//! and goes on. What cannot come before the handshake (notifications, answers) is dropped there, not fatal.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::prompt::escape_json;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, timeout_at};

use super::underway::Underway;

/// Longest line that is read, in bytes. A call's arguments are far smaller; a line without an end must not fill memory.
const MAX_LINE: usize = 16 * 1024 * 1024;

/// How long after the end of the input what was asked before it may take to be answered.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// Where the ids of the server's own requests begin. Clients count theirs from 0 or 1, and one that looks at the id
/// alone must not take a question for its answer. A number that every client can hold, unlike a text.
const OWN_IDS: i64 = 1_000_000_000;

/// Methods that this server answers.
const KNOWN: [&str; 14] = [
    "completion/complete",
    "initialize",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// Lines in, lines out.
pub(super) struct Lines<R, W> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// In the middle of a line that is too long.
    skipping: bool,
    /// A request has been seen.
    begun: bool,
    write: Arc<Mutex<W>>,
    underway: Underway,
    /// Becomes true when the client is gone.
    gone: watch::Sender<bool>,
    /// Once the input has ended: when what is not answered yet is given up.
    until: Option<Instant>,
}

enum Line {
    Whole,
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    /// The receiver turns true when the input ends.
    pub(super) fn new(read: R, write: W, underway: Underway) -> (Self, watch::Receiver<bool>) {
        let (gone, receiver) = watch::channel(false);
        let lines = Self {
            read: BufReader::new(read),
            line: Vec::new(),
            skipping: false,
            begun: false,
            write: Arc::new(Mutex::new(write)),
            underway,
            gone,
            until: None,
        };
        (lines, receiver)
    }

    /// Reads on until a line is whole. Can be cancelled at any await: what was read stays in `line`.
    async fn next_line(&mut self) -> io::Result<Line> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                // The last line may come without its end.
                return Ok(match (std::mem::take(&mut self.skipping), self.line.is_empty()) {
                    (true, _) => Line::TooLong,
                    (false, false) => Line::Whole,
                    (false, true) => Line::End,
                });
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |at| at + 1);
            if !self.skipping {
                if self.line.len() + taken > MAX_LINE {
                    self.skipping = true;
                    self.line.clear();
                } else {
                    self.line.extend_from_slice(&available[..taken]);
                }
            }
            self.read.consume(taken);
            if end.is_some() {
                return Ok(if std::mem::take(&mut self.skipping) { Line::TooLong } else { Line::Whole });
            }
        }
    }
}

impl<R, W> Lines<R, W> {
    /// What is to be answered, and what no longer is.
    fn note(&mut self, message: &RxJsonRpcMessage<RoleServer>, bytes: usize) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.begun = true;
                self.underway.begin(Some(request.id.clone()), bytes);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.underway.answered(id);
                }
            }
            _ => {}
        }
    }
}

/// Why a line is not a message, as JSON-RPC says it.
#[derive(Debug, PartialEq)]
struct Malformed {
    id: Value,
    code: i32,
    message: String,
}

fn decode(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, Malformed> {
    let malformed = |id, code, message| Malformed { id, code, message };
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        malformed(
            Value::Null,
            PARSE_ERROR,
            format!("Parse error: the line is not JSON ({error}). Send one JSON-RPC 2.0 message per line."),
        )
    })?;
    let Value::Object(object) = &value else {
        let what = if value.is_array() { "a batch; batches are not supported" } else { "not an object" };
        return Err(malformed(
            Value::Null,
            INVALID_REQUEST,
            format!("Invalid Request: the message is {what}. Send one JSON-RPC 2.0 message per line."),
        ));
    };
    let id = match object.get("id") {
        Some(id) if serde_json::from_value::<RequestId>(id.clone()).is_ok() => id.clone(),
        _ => Value::Null,
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(malformed(id, INVALID_REQUEST, "Invalid Request: `jsonrpc` must be \"2.0\".".to_owned()));
    }
    let method = object.get("method").map(|method| method.as_str().map(str::to_owned));
    if object.get("id").is_some_and(|given| given != &id) && method.is_some() {
        return Err(malformed(
            Value::Null,
            INVALID_REQUEST,
            "Invalid Request: `id` must be a string or an integer.".to_owned(),
        ));
    }
    let params = |id, method: &str| {
        malformed(
            id,
            INVALID_PARAMS,
            format!("Invalid params: `params` of {method} do not have the shape that MCP defines."),
        )
    };
    let message = serde_json::from_value(value).map_err(|_| match method {
        Some(Some(method)) => params(id.clone(), &method),
        Some(None) => {
            malformed(id.clone(), INVALID_REQUEST, "Invalid Request: `method` must be a string.".to_owned())
        }
        None => malformed(
            id.clone(),
            INVALID_REQUEST,
            "Invalid Request: neither a request, a notification nor a response of MCP.".to_owned(),
        ),
    })?;
    // rmcp takes a known method with parameters that do not fit for a method of somebody else's.
    if let JsonRpcMessage::Request(request) = &message
        && let ClientRequest::CustomRequest(custom) = &request.request
        && KNOWN.contains(&custom.method.as_str())
    {
        return Err(params(id, &custom.method));
    }
    Ok(message)
}

/// What a line says, if it is a message.
#[cfg(feature = "fuzzing")]
pub(super) fn decode_line(line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
    deserves_answer(line);
    decode(line).ok().map(inward)
}

/// A notification is never answered, even when it is malformed.
fn deserves_answer(line: &[u8]) -> bool {
    !serde_json::from_slice::<Value>(line)
        .is_ok_and(|value| value.get("method").is_some_and(Value::is_string) && value.get("id").is_none())
}

/// rmcp counts the server's requests from 0 as well.
fn outward(mut message: TxJsonRpcMessage<RoleServer>) -> TxJsonRpcMessage<RoleServer> {
    if let JsonRpcMessage::Request(request) = &mut message
        && let RequestId::Number(id) = &mut request.id
    {
        *id = id.saturating_add(OWN_IDS);
    }
    message
}

/// An answer gets back the id that rmcp knows; to what was never asked it becomes one that rmcp does not know.
fn inward(mut message: RxJsonRpcMessage<RoleServer>) -> RxJsonRpcMessage<RoleServer> {
    let id = match &mut message {
        JsonRpcMessage::Response(response) => Some(&mut response.id),
        JsonRpcMessage::Error(error) => error.id.as_mut(),
        _ => None,
    };
    if let Some(id) = id {
        // Some clients give a number back as a text.
        let number = match id {
            RequestId::Number(number) => Some(*number),
            RequestId::String(text) => text.parse().ok(),
        };
        if let Some(number) = number {
            *id = RequestId::Number(number.saturating_sub(OWN_IDS));
        }
    }
    message
}

/// A line of JSON. A client may show it as it came: what would command a terminal or hide is written as escapes.
async fn write_line<W: AsyncWrite + Unpin>(write: &Mutex<W>, line: Vec<u8>) -> io::Result<()> {
    let line = String::from_utf8(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let mut line = escape_json(&line).into_bytes();
    line.push(b'\n');
    let mut write = write.lock().await;
    write.write_all(&line).await?;
    write.flush().await
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (write, underway) = (self.write.clone(), self.underway.clone());
        let answers = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        async move {
            let written = match serde_json::to_vec(&outward(message)) {
                Ok(line) => write_line(&write, line).await,
                Err(error) => Err(error.into()),
            };
            if let Some(id) = answers {
                underway.answered(&id);
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // A client that does not read what it is answered is not read either.
            self.underway.room().await;
            let mut bytes = 0;
            let malformed = match self.next_line().await {
                Err(_) | Ok(Line::End) => {
                    self.gone.send_replace(true);
                    let until = *self.until.get_or_insert_with(|| Instant::now() + LAST_ANSWERS);
                    let _ = timeout_at(until, self.underway.none()).await;
                    return None;
                }
                Ok(Line::TooLong) => Malformed {
                    id: Value::Null,
                    code: INVALID_REQUEST,
                    message: format!("Invalid Request: the message is larger than {MAX_LINE} bytes."),
                },
                Ok(Line::Whole) => {
                    let line = std::mem::take(&mut self.line);
                    let line = line.trim_ascii();
                    if line.is_empty() {
                        continue;
                    }
                    bytes = line.len();
                    match decode(line) {
                        Ok(message) => {
                            self.note(&message, bytes);
                            if self.begun {
                                return Some(inward(message));
                            }
                            continue;
                        }
                        Err(_) if !deserves_answer(line) => continue,
                        Err(malformed) => malformed,
                    }
                }
            };
            tracing::warn!(code = malformed.code, message = malformed.message, "malformed message");
            let answer = json!({
                "jsonrpc": "2.0",
                "id": malformed.id,
                "error": { "code": malformed.code, "message": malformed.message },
            });
            // In a task of its own: `receive` is dropped at any await, an answer must be written whole.
            let (write, underway) = (self.write.clone(), self.underway.clone());
            let number = underway.begin(None, bytes);
            tokio::spawn(async move {
                if let Err(error) = write_line(&write, answer.to_string().into_bytes()).await {
                    tracing::warn!(%error, "cannot answer a malformed message");
                }
                underway.end(number);
            });
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.write.lock().await.shutdown().await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn refused(line: &str) -> (Value, i32) {
        let malformed = decode(line.as_bytes()).unwrap_err();
        (malformed.id, malformed.code)
    }

    #[test]
    fn each_kind_of_malformed_line_has_its_code_and_id() {
        assert_eq!(refused("{"), (Value::Null, PARSE_ERROR));
        assert_eq!(refused("[]"), (Value::Null, INVALID_REQUEST));
        assert_eq!(refused("7"), (Value::Null, INVALID_REQUEST));
        assert_eq!(refused(r#"{"id":3,"method":"ping"}"#), (json!(3), INVALID_REQUEST));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#), (Value::Null, INVALID_REQUEST));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":3,"method":5}"#), (json!(3), INVALID_REQUEST));
        assert_eq!(
            refused(r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}"#),
            (json!("a"), INVALID_PARAMS)
        );
    }

    #[test]
    fn a_malformed_notification_is_not_answered() {
        assert!(!deserves_answer(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#));
        assert!(deserves_answer(b"{"));
    }

    #[test]
    fn an_answer_is_for_the_question_whose_id_it_has_and_for_no_other() {
        let id_of = |line: &str| match inward(decode(line.as_bytes()).unwrap()) {
            JsonRpcMessage::Response(response) => Some(response.id),
            JsonRpcMessage::Error(error) => error.id,
            JsonRpcMessage::Request(request) => Some(request.id),
            JsonRpcMessage::Notification(_) => None,
        };
        let question = RequestId::Number(7);
        for answer in [
            r#"{"jsonrpc":"2.0","id":1000000007,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"1000000007","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1000000007,"error":{"code":-32601,"message":"?"}}"#,
        ] {
            assert_eq!(id_of(answer).as_ref(), Some(&question), "{answer}");
        }
        for other in [
            r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":-9223372036854775808,"result":{}}"#,
        ] {
            assert_ne!(id_of(other).as_ref(), Some(&question), "{other}");
        }
        assert_eq!(id_of(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#), Some(question), "the client's own");
    }

    proptest! {
        #[test]
        fn no_bytes_panic_the_decoder(line in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = decode(&line);
        }
    }
}
