//! What a process and a folder take, as the system tells it. Known on Linux.

use std::fs;
use std::path::Path;

/// KiB and counts of one process.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Process {
    /// Resident memory (`VmRSS`).
    pub(super) resident_kib: u64,
    /// Of that, what is no file's (`RssAnon`): the heap and the stacks.
    pub(super) anonymous_kib: u64,
    /// The most that ever was resident (`VmHWM`).
    pub(super) peak_kib: u64,
    pub(super) threads: u64,
    pub(super) handles: u64,
}

impl Process {
    pub(super) fn of(pid: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let field = |name: &str| -> Option<u64> {
            status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
        };
        Some(Self {
            resident_kib: field("VmRSS:")?,
            anonymous_kib: field("RssAnon:")?,
            peak_kib: field("VmHWM:")?,
            threads: field("Threads:")?,
            handles: u64::try_from(fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count()).ok()?,
        })
    }
}

/// Bytes of a file; 0 when it is not there.
pub(super) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Bytes of all databases in a hub's home, and of their write-ahead logs.
pub(super) fn databases(home: &Path) -> (u64, u64) {
    let projects = fs::read_dir(home.join("projects")).into_iter().flatten().flatten();
    projects.fold((0, 0), |(databases, logs), project| {
        let bytes = |name: &str| size(&project.path().join(name));
        (databases + bytes("opentoolbar.db"), logs + bytes("opentoolbar.db-wal"))
    })
}

/// How many files a folder holds, and their bytes.
pub(super) fn folder(path: &Path) -> (u64, u64) {
    let files = fs::read_dir(path).into_iter().flatten().flatten();
    files.fold((0, 0), |(count, bytes), file| (count + 1, bytes + size(&file.path())))
}
