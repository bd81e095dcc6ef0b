//! Starts a hub in the background: the same program with the hidden verb `hub`, in a session of its own.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::{Child, Command};

use crate::home::Home;

/// Last words of hubs before that are kept, in bytes.
const MOST_LAST_WORDS: u64 = 256 * 1024;

/// The program that is to be the hub.
pub(super) fn own_program() -> std::io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    // Linux marks a program that was replaced while it ran; an upgrade put the new one in its place.
    let replaced = program.to_str().and_then(|p| p.strip_suffix(" (deleted)")).map(PathBuf::from);
    match replaced {
        Some(path) if !program.exists() && path.exists() => Ok(path),
        _ => Ok(program),
    }
}

/// What a hub in the background says before its log is open, and where a defect's last words go.
pub(super) fn last_words(home: &Home) -> PathBuf {
    home.logs().join("hub-stderr.log")
}

/// Starts it. Whether it lives is decided by the lock: one that comes second exits with 0 at once.
/// The hub leaves our session itself (`setsid`): only the new process may do so without unsafe code here.
pub(super) fn start(home: &Home, program: &Path) -> std::io::Result<Child> {
    let stderr = std::fs::OpenOptions::new().create(true).append(true).open(last_words(home))?;
    if stderr.metadata()?.len() > MOST_LAST_WORDS {
        stderr.set_len(0)?;
    }
    let mut command = Command::new(program);
    command
        .arg("hub")
        .env("OPENTOOLBAR_HOME", home.dir())
        // The starter's directory may be deleted or unmounted long before the hub leaves.
        .current_dir(home.dir())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .kill_on_drop(false);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x0000_0008;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
    }
    command.spawn()
}
