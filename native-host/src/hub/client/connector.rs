//! How the hub is found: in which home, from which program it is started, whether it may be started.

use std::path::PathBuf;
use std::time::Duration;

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use crate::error::error;
use crate::home::Home;

/// How to find the hub.
#[derive(Clone, Debug)]
pub struct Connector {
    pub(super) home: Home,
    pub(super) program: Option<PathBuf>,
    pub(super) start: bool,
}

impl Connector {
    /// The user's hub, by `OPENTOOLBAR_HOME`; started from this very program when none runs.
    ///
    /// # Errors
    /// `storage` when the user has no home directory.
    pub fn from_env() -> Result<Self, ErrorBody> {
        Ok(Self::new(Home::from_env()?))
    }

    /// The hub of this home.
    pub fn new(home: Home) -> Self {
        Self { home, program: None, start: true }
    }

    /// Starts this program as the hub instead of the running one.
    #[must_use]
    pub fn program(self, program: impl Into<PathBuf>) -> Self {
        Self { program: Some(program.into()), ..self }
    }

    /// Fails when no hub runs, instead of starting one.
    #[must_use]
    pub fn never_start(self) -> Self {
        Self { start: false, ..self }
    }

    /// For a hub that is there and does not answer.
    pub(super) fn late(&self, within: Duration) -> ErrorBody {
        error(
            ErrorCode::Internal,
            format!("the hub did not answer within {} seconds", within.as_secs()),
            format!(
                "Try again in a moment. If it stays, run `opentoolbar status`; when that gets no answer either, {}.",
                self.way_out()
            ),
        )
    }

    /// What ends a hub that hangs.
    pub(super) fn way_out(&self) -> String {
        let pid = std::fs::read_to_string(self.home.pid()).ok();
        match pid.as_deref().map(str::trim).filter(|pid| pid.parse::<u32>().is_ok()) {
            Some(pid) => {
                let command = if cfg!(windows) { "taskkill /F /PID" } else { "kill -9" };
                format!("end the hub (`{command} {pid}`) and try again: a new one starts by itself")
            }
            None => format!(
                "end the hub, the process whose id is in {}, and try again: a new one starts by itself",
                self.home.pid().display()
            ),
        }
    }
}
