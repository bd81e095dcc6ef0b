//! libfaketime, with which `faults` sets the clock of programs: found where systems put it, installed where that can be
//! done unattended.

use std::path::PathBuf;

use super::browsers::{is_debian, is_root};
use crate::step;

/// Where Debian and Fedora put it; `OPENTOOLBAR_FAKETIME` names another place.
const LIBRARIES: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
];
const APT: &str = "apt-get update && apt-get install -y --no-install-recommends libfaketime";

/// The library, where there is one.
pub fn faketime() -> Option<PathBuf> {
    find().or_else(|| {
        if !(is_debian() && is_root()) {
            return None;
        }
        let mut apt = step::command("sh", "", &["-c", APT]);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        // Without it one kind of fault is not run, and says so.
        step::run("install libfaketime", &mut apt).ok()?;
        find()
    })
}

fn find() -> Option<PathBuf> {
    let named = std::env::var_os("OPENTOOLBAR_FAKETIME").map(PathBuf::from);
    named.into_iter().chain(LIBRARIES.map(PathBuf::from)).find(|path| path.is_file())
}
