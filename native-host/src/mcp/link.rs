//! The link to the hub: made in the background as soon as the agent's name is known. The client behind it finds the
//! hub again when it restarts and repeats what was under way with the id it had, so nothing is applied twice.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Hello, PROTOCOL_VERSION, Request, Role};
use tokio::sync::Mutex;

use crate::hub::client::{Client, new_message_id};

/// The link of one agent.
#[derive(Clone)]
pub(super) struct Link {
    state: Arc<State>,
}

struct State {
    directory: PathBuf,
    /// Tells this process from others of its name; the same over every connection.
    instance: Option<String>,
    name: Mutex<Option<String>>,
    client: Mutex<Option<Client>>,
}

impl Link {
    /// `directory`: where the agent works.
    pub(super) fn new(directory: PathBuf) -> Self {
        // Without randomness the name has to do.
        let instance = new_message_id().ok().map(String::from);
        let state = State { directory, instance, name: Mutex::default(), client: Mutex::default() };
        Self { state: Arc::new(state) }
    }

    /// Tells the hub in the background that this agent is here. Only the first name counts.
    pub(super) fn introduce(&self, name: String) {
        let link = self.clone();
        tokio::spawn(async move {
            {
                let mut known = link.state.name.lock().await;
                if known.is_some() {
                    return;
                }
                *known = Some(name);
            }
            if let Err(error) = link.client().await {
                // The next call tries again and tells the agent.
                tracing::warn!(%error, "the hub cannot be reached yet");
            }
        });
    }

    async fn client(&self) -> Result<Client, ErrorBody> {
        let mut slot = self.state.client.lock().await;
        if let Some(client) = slot.as_ref() {
            return Ok(client.clone());
        }
        let name = self.state.name.lock().await.clone().unwrap_or_else(|| "agent".to_owned());
        let hello = Hello {
            protocol: PROTOCOL_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            role: Role::Agent,
            client: name,
            instance: self.state.instance.clone(),
            cwd: Some(self.state.directory.to_string_lossy().into_owned()),
            capabilities: Vec::new(),
        };
        let client = Client::connect(hello).await?;
        *slot = Some(client.clone());
        Ok(client)
    }

    /// Asks the hub. A connection that has ended for good is replaced, and the request repeated once with its id.
    pub(super) async fn ask(&self, request: Request) -> Result<Answer, ErrorBody> {
        let id = new_message_id()?;
        match self.client().await?.request_as(id.clone(), request.clone()).await {
            Err(error) if error.code == ErrorCode::Internal => {
                tracing::warn!(%error, "asking the hub again over a new connection");
                self.state.client.lock().await.take();
                self.client().await?.request_as(id, request).await
            }
            done => done,
        }
    }
}

/// Now, for changes.
pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
