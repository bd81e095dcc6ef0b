//! Copies that cannot be written: said in the log once each, until it works again. The database has everything, so nobody else
//! is told.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::why::why;

/// Files that are remembered; more trouble than that is said again.
const MOST: usize = 1_000;

/// Shared by the threads that write.
#[derive(Clone, Debug, Default)]
pub(super) struct Complaints(Arc<Mutex<BTreeSet<String>>>);

impl Complaints {
    /// What came of writing `file`, a path in the project's directory of ours.
    pub(super) fn note<T>(&self, root: &Path, file: &str, done: std::io::Result<T>) -> Option<T> {
        match done {
            Ok(done) => {
                self.files().remove(file);
                Some(done)
            }
            Err(error) => {
                self.say(root, file, &why(&error));
                None
            }
        }
    }

    pub(super) fn say(&self, root: &Path, file: &str, why: &str) {
        let is_new = {
            let mut files = self.files();
            if files.len() >= MOST {
                files.clear();
            }
            files.insert(file.to_owned())
        };
        if is_new {
            tracing::warn!(project = ?root, file, why, "a copy could not be written; others are");
        }
    }

    fn files(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
