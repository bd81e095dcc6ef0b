//! A disk that does not answer, made without waiting for one to break.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system whose server is gone: whoever touches it waits for ever.
pub struct DeadMount {
    at: PathBuf,
    server: Option<File>,
}

impl DeadMount {
    /// `None` where such a thing cannot be made.
    pub fn new(at: &Path) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let server = File::options().read(true).write(true).open("/dev/fuse").ok()?;
        let number = std::os::fd::AsRawFd::as_raw_fd(&server);
        // `mount` inherits it under its number.
        rustix::io::fcntl_setfd(&server, rustix::io::FdFlags::empty()).ok()?;
        let options = format!("fd={number},rootmode=40000,user_id=0,group_id=0");
        let mount =
            Command::new("mount").args(["-i", "-t", "fuse", "-o", &options, "none"]).arg(at).output().ok()?;
        rustix::io::fcntl_setfd(&server, rustix::io::FdFlags::CLOEXEC).ok()?;
        mount.status.success().then(|| Self { at: at.to_owned(), server: Some(server) })
    }
}

impl DeadMount {
    /// Whoever touches it, or waits, is refused from here on.
    pub fn fail(&mut self) {
        drop(self.server.take());
    }
}

impl Drop for DeadMount {
    fn drop(&mut self) {
        // `umount` too would wait.
        self.fail();
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}
