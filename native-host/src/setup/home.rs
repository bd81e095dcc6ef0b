//! The hub's own state, removed when nothing is registered any more. What is kept of projects stays, in `projects/`.

use std::io;

use super::register::{Change, Effect};
use crate::hub::Home;

/// Removes what the hub keeps for itself, and the directory when nothing else is in it. Only for a hub that is down.
pub fn forget_home(home: &Home) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut note = |path: std::path::PathBuf, done: io::Result<()>, effect| match done {
        Ok(()) => changes.push(Change { place: "the hub".to_owned(), path, effect }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            changes.push(Change { place: "the hub".to_owned(), path, effect: Effect::Failed(error) })
        }
    };
    for file in [home.socket(), home.lock(), home.pid(), home.registry(), home.token(), home.paired()] {
        let done = std::fs::remove_file(&file);
        note(file, done, Effect::Removed);
    }
    let logs = home.logs();
    let done = std::fs::remove_dir_all(&logs);
    note(logs, done, Effect::Removed);
    // Removes an empty directory only: whatever else a person keeps there stays.
    if std::fs::remove_dir(home.dir()).is_ok() {
        changes.push(Change {
            place: "the hub".to_owned(),
            path: home.dir().to_owned(),
            effect: Effect::RemovedDirectory,
        });
    }
    changes
}
