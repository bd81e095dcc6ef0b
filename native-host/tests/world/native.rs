//! A browser as the hub knows it, in a few lines: the real relay, spoken to as browsers do.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentoolbar::identity::Identity;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;

type Waiting = Arc<Mutex<BTreeMap<String, oneshot::Sender<Value>>>>;
type Heard = Arc<Mutex<Vec<Value>>>;

/// A relay process that speaks native messaging.
pub struct Browser {
    pub process: Child,
    input: tokio::sync::Mutex<ChildStdin>,
    waiting: Waiting,
    /// Every event of a session, in the order in which they came.
    pub heard: Heard,
    sent: Mutex<u32>,
}

impl Browser {
    pub async fn start(home: &Path, name: &str) -> Self {
        let mut process = Command::new(super::program())
            .arg(format!("chrome-extension://{}/", Identity::get().chrome_id))
            .env("OPENTOOLBAR_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let (waiting, heard) = (Waiting::default(), Heard::default());
        tokio::spawn(read(process.stdout.take().unwrap(), Arc::clone(&waiting), Arc::clone(&heard)));
        let input = tokio::sync::Mutex::new(process.stdin.take().unwrap());
        let browser = Self { process, input, waiting, heard, sent: Mutex::default() };
        let hello =
            json!({ "protocol": 1, "version": "0.1.0", "role": "browser", "client": name, "instance": name });
        assert_eq!(browser.ask("hello", None, hello).await["type"], "hello");
        browser
    }

    pub async fn ask(&self, kind: &str, session: Option<&str>, payload: Value) -> Value {
        let id = {
            let mut sent = self.sent.lock().unwrap();
            *sent += 1;
            format!("m_{}-{sent}", self.process.id().unwrap())
        };
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id.clone(), answer);
        let mut message = json!({ "id": id, "type": kind, "payload": payload });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let text = message.to_string();
        let mut frame = u32::try_from(text.len()).unwrap().to_ne_bytes().to_vec();
        frame.extend_from_slice(text.as_bytes());
        self.input.lock().await.write_all(&frame).await.unwrap();
        let answer = tokio::time::timeout(Duration::from_secs(60), answered).await;
        answer.expect("answered in time").expect("the relay is alive")
    }

    /// What was heard of a session since the last look: texts by agent's word, in order.
    pub fn take(&self, session: &str) -> Vec<Value> {
        let mut heard = self.heard.lock().unwrap();
        let (own, others) =
            std::mem::take(&mut *heard).into_iter().partition(|event| event["sessionId"] == session);
        *heard = others;
        own
    }
}

async fn read(mut output: ChildStdout, waiting: Waiting, heard: Heard) {
    let mut head = [0; 4];
    while output.read_exact(&mut head).await.is_ok() {
        let mut frame = vec![0; u32::from_ne_bytes(head) as usize];
        output.read_exact(&mut frame).await.unwrap();
        let message: Value = serde_json::from_slice(&frame).unwrap();
        if let Some(id) = message["replyTo"].as_str() {
            let asked = waiting.lock().unwrap().remove(id).expect("an answer to what this browser asked");
            let _ = asked.send(message);
        } else if message["sessionId"].is_string() {
            heard.lock().unwrap().push(message);
        }
    }
}
