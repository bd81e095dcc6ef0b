//! The hub's own state, removed when nothing is registered any more. What is kept of projects stays, in `projects/`.

use std::io;
use std::path::PathBuf;

use crate::home::Home;

/// What was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removed {
    State,
    /// The home itself, in which nothing was left.
    EmptyHome,
}

/// Removes what the hub keeps for itself, and the directory when nothing else is in it; tells of each thing that was
/// there. Only for a hub that is down.
pub(crate) fn forget(home: &Home) -> Vec<(PathBuf, io::Result<Removed>)> {
    let mut told = Vec::new();
    let mut note = |path: PathBuf, done: io::Result<()>| match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        done => told.push((path, done.map(|()| Removed::State))),
    };
    for file in [home.socket(), home.lock(), home.pid(), home.registry(), home.token(), home.paired()] {
        let done = std::fs::remove_file(&file);
        note(file, done);
    }
    let logs = home.logs();
    let done = std::fs::remove_dir_all(&logs);
    note(logs, done);
    // Removes an empty directory only: whatever else a person keeps there stays.
    if std::fs::remove_dir(home.dir()).is_ok() {
        told.push((home.dir().to_owned(), Ok(Removed::EmptyHome)));
    }
    told
}
