//! Copies that cannot be written, and what stands in a project's directory of ours and cannot be put right: said in the
//! log once each, until it works again, and told by `opentoolbar status`. The database has everything, so nobody else
//! is told.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use opentoolbar_leaves::files::Lease;
use opentoolbar_leaves::why::why;

/// Files that are remembered; more trouble than that is said again.
const MOST: usize = 1_000;

/// Why, and what a person can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// A path in the project's directory of ours, or what is meant in words.
    pub file: String,
    /// A sentence without its full stop.
    pub why: String,
    /// A sentence.
    pub next_step: &'static str,
}

/// Of one project. Shared by the threads that write, and by those that tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Complaints(Arc<Mutex<BTreeMap<String, Complaint>>>);

impl Complaints {
    /// What came of writing `file`, a path in the project's directory of ours.
    pub(super) fn note<T>(&self, root: &Path, file: &str, done: std::io::Result<T>) -> Option<T> {
        match done {
            Ok(done) => {
                self.files().remove(file);
                Some(done)
            }
            // Nothing is wrong with the copy: it is not this store's any more.
            Err(error) if Lease::ended(&error) => None,
            Err(error) => {
                self.put(root, file, why(&error), next_step(&error));
                None
            }
        }
    }

    pub(super) fn say(&self, root: &Path, file: &str, why: &str) {
        self.put(
            root,
            file,
            why.to_owned(),
            "Nothing is lost: opentoolbar's home has it. Update opentoolbar.",
        );
    }

    fn put(&self, root: &Path, file: &str, why: String, next_step: &'static str) {
        let complaint = Complaint { file: file.to_owned(), why, next_step };
        let is_new = {
            let mut files = self.files();
            if files.len() >= MOST {
                files.clear();
            }
            files.insert(file.to_owned(), complaint.clone()).is_none()
        };
        if is_new {
            tracing::warn!(project = ?root, file, why = complaint.why, "a copy could not be written; others are");
        }
    }

    /// It is not so any more, or is looked at anew.
    pub(super) fn forget(&self, is_over: impl Fn(&str) -> bool) {
        self.files().retain(|file, _| !is_over(file));
    }

    pub(super) fn is_about(&self, file: &str) -> bool {
        self.files().contains_key(file)
    }

    pub(super) fn is_any(&self) -> bool {
        !self.files().is_empty()
    }

    /// Whether somebody may still write into it.
    pub(super) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    pub(super) fn all(&self) -> Vec<Complaint> {
        self.files().values().cloned().collect()
    }

    fn files(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Complaint>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn next_step(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::PermissionDenied => {
            "See whose it is (`ls -la`); give it to your own user, or move it away. It is tried again at the next request for the project."
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "Free some space; opentoolbar's home has what is missing here."
        }
        ErrorKind::ReadOnlyFilesystem => {
            "Make that disk writable to have copies there; opentoolbar's home has what is missing here."
        }
        ErrorKind::IsADirectory | ErrorKind::NotADirectory | ErrorKind::AlreadyExists | ErrorKind::Other => {
            "Move it away, or delete it when it is not yours. It is tried again at the next request for the project."
        }
        _ => "See whether its disk is well; opentoolbar's home has what is missing here.",
    }
}
