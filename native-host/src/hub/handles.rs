//! How many files and sockets the hub may have open.

/// Raises the limit to what the system allows this user. A login gives 1,024 or, on macOS, 256: a few projects, tabs
/// and agents each take several.
#[cfg(unix)]
pub(super) fn raise() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// For systems that say that there is no limit, and then refuse it.
    const ENOUGH: u64 = 10_240;
    let limit = getrlimit(Resource::Nofile);
    let set = |current| setrlimit(Resource::Nofile, Rlimit { current, ..limit });
    if set(limit.maximum).or_else(|_| set(Some(ENOUGH))).is_err() {
        tracing::warn!(?limit, "the limit of open files stays as it is");
    }
}

/// There is no such limit.
#[cfg(windows)]
pub(super) fn raise() {}
