//! A hub of one's own: the real program, a home and projects that go away with it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::mcp::Started;

/// Worlds of this process, so that each has a folder of its own.
static WORLDS: AtomicUsize = AtomicUsize::new(0);

pub(crate) struct World {
    pub(crate) host: PathBuf,
    folder: PathBuf,
    /// `127.0.0.1:PORT` of the gateway.
    pub(crate) gateway: String,
    pub(crate) token: String,
    /// Absent where clients start it.
    hub: Option<Child>,
    /// Of every program of this world.
    environment: Vec<(String, String)>,
}

impl World {
    /// Starts a hub with its gateway open.
    pub(crate) fn start(host: &Path) -> Result<Self> {
        let number = WORLDS.fetch_add(1, Ordering::Relaxed);
        // Short, because a socket's path is.
        let folder = std::env::temp_dir().join(format!("otb-hub-{}-{number}", std::process::id()));
        let home = folder.join("h");
        std::fs::create_dir_all(&home)?;
        let mut hub = program(host, &home)
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .context("the hub does not start")?;
        let mut line = String::new();
        BufReader::new(hub.stdout.take().context("no output")?).read_line(&mut line)?;
        let gateway = line
            .trim()
            .strip_prefix("The gateway is open: ws://")
            .and_then(|rest| rest.strip_suffix("/ws"))
            .with_context(|| format!("the hub said {line:?} instead of its address"))?
            .to_owned();
        let token = std::fs::read_to_string(home.join("token"))?;
        let environment = Vec::new();
        Ok(Self { host: host.to_owned(), folder, gateway, token, hub: Some(hub), environment })
    }

    /// A world in a folder of the caller's, whose hub is started by whoever comes first, with the gateway open on a
    /// port that was free. `environment`: for every program in it.
    pub(crate) fn with_hub_on_demand(
        host: &Path,
        folder: PathBuf,
        environment: Vec<(String, String)>,
    ) -> Result<Self> {
        let home = folder.join("h");
        std::fs::create_dir_all(&home)?;
        let gateway = std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let config = serde_json::json!({ "gateway": { "enabled": true, "port": gateway.port() } });
        std::fs::write(home.join("config.json"), config.to_string())?;
        let mut world = Self {
            host: host.to_owned(),
            folder,
            gateway: gateway.to_string(),
            token: String::new(),
            hub: None,
            environment,
        };
        // Any client starts the hub, which writes the token.
        let mut agent = Started::in_project(&world, 0)?;
        agent.client.introduce()?;
        world.token = std::fs::read_to_string(world.home().join("token"))?;
        agent.process.kill()?;
        agent.process.wait()?;
        Ok(world)
    }

    /// The hub's process: our own, or the one that says it is.
    pub(crate) fn hub_pid(&self) -> u32 {
        let written = || std::fs::read_to_string(self.home().join("server.pid")).ok()?.trim().parse().ok();
        self.hub.as_ref().map(Child::id).or_else(written).unwrap_or_default()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.join("h")
    }

    /// The host with arguments of its own, in this world.
    pub(crate) fn program(&self) -> Command {
        let mut command = program(&self.host, &self.home());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The directory of a project, made when it is not there.
    pub(crate) fn project(&self, number: usize) -> Result<PathBuf> {
        let root = self.folder.join(format!("p{number}"));
        std::fs::create_dir_all(&root)?;
        std::fs::write(root.join("package.json"), "{}")?;
        Ok(root.canonicalize()?)
    }

    /// What the hub says of itself.
    pub(crate) fn status(&self) -> Result<Value> {
        let output = self.program().args(["status", "--json"]).stdout(Stdio::piped()).output()?;
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Where the pages of a project are. No loopback address: whose process listens there is not what is measured.
pub(crate) fn origin(project: usize) -> String {
    format!("https://shop-{project}.test")
}

fn program(host: &Path, home: &Path) -> Command {
    let mut command = Command::new(host);
    command.env("OPENTOOLBAR_HOME", home).env_remove("OPENTOOLBAR_PROJECT").env_remove("OPENTOOLBAR_LOG");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Drop for World {
    fn drop(&mut self) {
        // It has nothing to lose: everything it wrote goes away as well.
        if let Some(mut hub) = self.hub.take() {
            let _ = hub.kill();
            let _ = hub.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
