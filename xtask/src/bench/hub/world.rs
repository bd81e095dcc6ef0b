//! A hub of one's own: the real program, a home and projects that go away with it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};
use serde_json::Value;

/// Worlds of this process, so that each has a folder of its own.
static WORLDS: AtomicUsize = AtomicUsize::new(0);

pub(super) struct World {
    pub(super) host: PathBuf,
    folder: PathBuf,
    /// `127.0.0.1:PORT` of the gateway.
    pub(super) gateway: String,
    pub(super) token: String,
    hub: Child,
}

impl World {
    /// Starts a hub with its gateway open.
    pub(super) fn start(host: &Path) -> Result<Self> {
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
        Ok(Self { host: host.to_owned(), folder, gateway, token, hub })
    }

    pub(super) fn hub_pid(&self) -> u32 {
        self.hub.id()
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.join("h")
    }

    /// The host with arguments of its own, in this world.
    pub(super) fn program(&self) -> Command {
        program(&self.host, &self.home())
    }

    /// The directory of a project, made when it is not there.
    pub(super) fn project(&self, number: usize) -> Result<PathBuf> {
        let root = self.folder.join(format!("p{number}"));
        std::fs::create_dir_all(&root)?;
        std::fs::write(root.join("package.json"), "{}")?;
        Ok(root.canonicalize()?)
    }

    /// What the hub says of itself.
    pub(super) fn status(&self) -> Result<Value> {
        let output = self.program().args(["status", "--json"]).stdout(Stdio::piped()).output()?;
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Where the pages of a project are. No loopback address: whose process listens there is not what is measured.
pub(super) fn origin(project: usize) -> String {
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
        let _ = self.hub.kill();
        let _ = self.hub.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
