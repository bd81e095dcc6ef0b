//! How a verb fails: one sentence, the next step, and the exit code. The only place that knows exit codes.

use std::io::Write;
use std::process::ExitCode;

use opentoolbar_core::prompt::neutralise;
use opentoolbar_core::protocol::ErrorBody;

use crate::check::Refusal;
use crate::why::why;

/// What the process says with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It worked. `check`: every comment still holds.
    Done,
    /// It did not work.
    Failed,
    /// The arguments are wrong. `check`: or there is nothing to check.
    Usage,
    /// The hub cannot be reached or started.
    NoHub,
    /// `check`: a comment may have changed.
    MayHaveChanged,
    /// `check`: no comment is known to have changed, but of at least one it could not be told.
    Untold,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Failed | Exit::MayHaveChanged => 1,
            Exit::Usage => 2,
            Exit::NoHub => 3,
            Exit::Untold => 4,
        })
    }
}

/// Why a verb did not work.
#[derive(Debug, thiserror::Error)]
#[error("{message}. {next_step}")]
pub struct Failure {
    message: String,
    next_step: String,
    exit: Exit,
}

impl Failure {
    /// `message`: what happened, a sentence without its full stop. `next_step`: what to do, a sentence.
    pub fn new(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self { message: message.into(), next_step: next_step.into(), exit: Exit::Failed }
    }

    /// The same with another exit code.
    #[must_use]
    pub fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// For a verb whose 1 means something else than that it did not work.
    #[must_use]
    pub fn instead_of_failed(self, exit: Exit) -> Self {
        if self.exit == Exit::Failed { self.exit(exit) } else { self }
    }

    /// Standard output could not be written.
    pub fn output(error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // The reader (`head`, a pager) has seen enough: not a failure, and nobody left to tell.
            return Self { message: String::new(), next_step: String::new(), exit: Exit::Done };
        }
        Self::new(
            format!("cannot write the output: {}", why(error)),
            "Check the disk or the pipe it goes to.",
        )
    }

    /// Prints itself to standard error and gives the exit code.
    pub fn report(&self) -> ExitCode {
        if !self.message.is_empty() {
            // Nobody may be listening on standard error either; the exit code still tells.
            let _ = writeln!(std::io::stderr(), "opentoolbar: {}", neutralise(&self.to_string()));
        }
        self.exit.into()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.message, refusal.next_step)
    }
}

impl From<ErrorBody> for Failure {
    fn from(error: ErrorBody) -> Self {
        Self::new(error.message, error.next_step)
    }
}

/// Help and version go to standard output with 0, wrong arguments to standard error with 2.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    // Without colours: they are what a terminal obeys, as what was typed or pasted may be. A closed pipe is the
    // reader's wish.
    let text = neutralise(&error.render().to_string());
    let _ = match error.use_stderr() {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => std::io::stdout().write_all(text.as_bytes()),
    };
    if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() }
}
