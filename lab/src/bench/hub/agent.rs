//! The agent's side: a real `opentoolbar mcp` process that waits for what a person says and answers it.

use std::process::Child;
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use crate::clients::mcp::{Client, Started};
use crate::clients::world::World;

/// Moments travel in answers as what passed since this one.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// A wait of the MCP tool, in seconds.
const WAIT: u32 = 45;

pub(super) struct Agent {
    process: Child,
    serving: JoinHandle<Result<()>>,
}

impl Agent {
    /// Starts it in a project. When this returns, nothing that is said there from now on is missed.
    pub(super) fn start(world: &World, project: usize) -> Result<Self> {
        LazyLock::force(&BEGAN);
        let Started { process, mut client } = Started::in_project(world, project)?;
        let position = client.introduce()?;
        let serving = std::thread::spawn(move || serve(&mut client, position));
        Ok(Self { process, serving })
    }

    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Ends the process, and fails when it failed before.
    pub(super) fn stop(mut self) -> Result<()> {
        let failed = self.serving.is_finished();
        self.process.kill()?;
        self.process.wait()?;
        let served = self.serving.join().map_err(|_| anyhow::anyhow!("the agent's thread broke"))?;
        if failed { served.and_then(|()| bail!("the agent ended by itself")) } else { Ok(()) }
    }
}

/// Waits and answers until the process ends. A wait is always under way, also while answers are given.
fn serve(client: &mut Client, mut position: u64) -> Result<()> {
    loop {
        let wait =
            client.send_call("wait_for_feedback", &json!({ "after": position, "timeoutSeconds": WAIT }))?;
        let news = loop {
            let answer = client.next_answer()?;
            let content = &answer["result"]["structuredContent"];
            if content["success"] != true {
                bail!("the agent was refused: {answer}");
            }
            if answer["id"] == wait {
                break content.clone();
            }
        };
        let seen = BEGAN.elapsed().as_nanos();
        position = news["position"].as_u64().context("no position")?;
        for message in news["messages"].as_array().into_iter().flatten() {
            let text = format!("{seen} {}", ANSWER);
            client.send_call(
                "respond_to_browser",
                &json!({
                    "sessionId": message["sessionId"], "contextId": message["contextId"], "message": text,
                    "isComplete": true,
                }),
            )?;
        }
    }
}

/// What it says, behind the moment in which it heard: 300 bytes of markdown.
const ANSWER: &str = "Done: the button is **8 px taller** and uses the accent colour.\n\n\
```css\n.btn.buy { min-height: 32px; background: var(--accent); }\n```\n\n\
The change is in `src/cart/Buy.tsx`, line 12, and in its story. The other buttons of the page keep their height; \
say so if they are to follow it.";

/// When the agent had heard what it answers.
pub(super) fn heard_at(answer: &str) -> Result<Instant> {
    let nanos = answer.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Ok(*BEGAN + Duration::from_nanos(nanos.with_context(|| format!("not our answer: {answer:?}"))?))
}
