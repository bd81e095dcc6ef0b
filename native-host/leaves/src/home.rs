//! Where the hub keeps its own state: `$OPENTOOLBAR_HOME`, by default `~/.opentoolbar`.

use std::path::{Path, PathBuf};

use crate::why::why;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

/// `sun_path` of a Unix socket holds 108 bytes on Linux and 104 on macOS, the final zero included.
const MAX_SOCKET_PATH: usize = 103;

/// The hub's own directory. Only its owner can enter it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    dir: PathBuf,
}

impl Home {
    /// From `OPENTOOLBAR_HOME`, else `~/.opentoolbar`. Nothing is created.
    ///
    /// # Errors
    /// When the user has no home directory and the variable is not set.
    pub fn from_env() -> Result<Self, ErrorBody> {
        if let Some(dir) = std::env::var_os("OPENTOOLBAR_HOME").filter(|dir| !dir.is_empty()) {
            let dir = std::path::absolute(&dir).unwrap_or_else(|_| PathBuf::from(dir));
            return Ok(Self { dir });
        }
        match etcetera::home_dir() {
            Ok(home) => Ok(Self { dir: home.join(".opentoolbar") }),
            Err(error) => Err(ErrorBody {
                code: ErrorCode::Storage,
                message: format!("cannot find the home directory: {error}"),
                next_step: "Set OPENTOOLBAR_HOME to a directory of yours.".into(),
            }),
        }
    }

    /// In the directory `dir`.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The directory itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The local socket (on Windows, the name of the pipe is made from this path).
    pub fn socket(&self) -> PathBuf {
        self.dir.join("hub.sock")
    }

    /// Locked by the one hub that lives.
    pub fn lock(&self) -> PathBuf {
        self.dir.join("hub.lock")
    }

    /// The living hub's process id, for people and scripts.
    pub fn pid(&self) -> PathBuf {
        self.dir.join("server.pid")
    }

    /// Origin -> project, session -> project, known projects.
    pub fn registry(&self) -> PathBuf {
        self.dir.join("registry.json")
    }

    /// What is kept of each project, in a directory of its own.
    pub fn projects(&self) -> PathBuf {
        self.dir.join("projects")
    }

    /// What plain clients sent before the project of their page was known.
    pub fn unplaced(&self) -> PathBuf {
        self.dir.join("unplaced.db")
    }

    /// What agents ask a person to decide, and what was decided.
    pub fn verifications(&self) -> PathBuf {
        self.dir.join("verifications.db")
    }

    /// The person's settings.
    pub fn config(&self) -> PathBuf {
        self.dir.join("config.json")
    }

    /// What a client of the gateway must show.
    pub fn token(&self) -> PathBuf {
        self.dir.join("token")
    }

    /// Browsers that were paired.
    pub fn paired(&self) -> PathBuf {
        self.dir.join("paired.json")
    }

    /// Log files: `hub.log`, and the one before it.
    pub fn logs(&self) -> PathBuf {
        self.dir.join("logs")
    }

    /// Makes sure that the directory exists, is ours alone (0700), and that a socket fits into it.
    ///
    /// # Errors
    /// `storage` when it cannot be made or its path is too long for a local socket.
    pub fn ensure(&self) -> Result<(), ErrorBody> {
        let socket = self.socket();
        let length = socket.as_os_str().len();
        if cfg!(unix) && length > MAX_SOCKET_PATH {
            return Err(ErrorBody {
                code: ErrorCode::Storage,
                message: format!(
                    "the path {} has {length} bytes; a local socket's may have {MAX_SOCKET_PATH}",
                    socket.display()
                ),
                next_step: "Set OPENTOOLBAR_HOME to a shorter path.".into(),
            });
        }
        self.make().map_err(|error| cannot_use(&self.dir, &error))
    }

    fn make(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.dir)?;
        std::fs::create_dir_all(self.logs())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&self.dir)?.permissions().mode() & 0o777;
            if mode != 0o700 {
                std::fs::set_permissions(&self.dir, std::fs::Permissions::from_mode(0o700))?;
            }
        }
        Ok(())
    }
}

/// For a home that the system refuses.
pub fn cannot_use(dir: &Path, error: &std::io::Error) -> ErrorBody {
    ErrorBody {
        code: ErrorCode::Storage,
        message: format!("cannot use {}: {}", dir.display(), why(error)),
        next_step: "Make it a directory that you can write, or set OPENTOOLBAR_HOME to another one.".into(),
    }
}
