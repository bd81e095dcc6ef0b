//! `project.json`: what is known of a project beside its comments.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use opentoolbar_core::model::Timestamp;
use serde::{Deserialize, Serialize};

use opentoolbar_leaves::files::{Identity, write_whole};
use opentoolbar_leaves::names::{DATABASE, PICTURES};

const VERSION: u32 = 1;
/// Its name in the project's directory of the home.
pub(super) const FILE: &str = "project.json";
/// Decisions that are remembered of a project.
pub(super) const MOST_DECIDED: usize = 100;

/// What is known of a project beside its comments: the content of `project.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    pub(super) version: u32,
    /// The project's directory, with links resolved.
    pub root: PathBuf,
    /// Device and inode of that directory when it was last used; absent where the system has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// When something was first stored.
    pub first_used: Timestamp,
    /// When the database was last opened to be written.
    pub last_used: Timestamp,
    /// What became of data that was offered to it, by the offer's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decided: BTreeMap<String, Decision>,
    /// Ids of what was decided, oldest first; those that an earlier version decided are not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) decided_in_order: Vec<String>,
    /// Its data was deleted or given to another project; what was decided outlives it. A kill may have left some of the
    /// data.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cleared: bool,
}

impl Record {
    /// Of a project of which nothing was known.
    pub(super) fn new(root: &Path, at: Timestamp) -> Self {
        Self {
            version: VERSION,
            root: root.to_owned(),
            identity: Identity::of_directory(root),
            first_used: at,
            last_used: at,
            decided: BTreeMap::new(),
            decided_in_order: Vec::new(),
            is_cleared: false,
        }
    }

    /// What is left of it when its data is gone.
    pub(super) fn cleared(&self) -> Self {
        Self { is_cleared: true, ..self.clone() }
    }

    pub(super) fn decide(&mut self, offer: &str, decision: Decision) {
        self.decided_in_order.retain(|id| id != offer);
        self.decided_in_order.push(offer.to_owned());
        self.decided.insert(offer.to_owned(), decision);
        self.forget_the_oldest();
    }

    /// Adds what was decided of another project; of one offer that holds.
    pub(super) fn also_decided(&mut self, other: &Self) {
        self.decided_in_order.retain(|id| !other.decided.contains_key(id));
        let order = other.decided_in_order.iter().filter(|id| other.decided.contains_key(*id));
        self.decided_in_order.extend(order.cloned());
        self.decided.extend(other.decided.clone());
        self.forget_the_oldest();
    }

    fn forget_the_oldest(&mut self) {
        // Somebody may have edited the file.
        self.decided_in_order.retain(|id| self.decided.contains_key(id));
        while self.decided.len() > MOST_DECIDED {
            let is_of_before = |id: &&String| !self.decided_in_order.contains(id);
            let Some(of_before) = self.decided.keys().find(is_of_before).cloned() else { break };
            self.decided.remove(&of_before);
        }
        let too_many = self.decided.len().saturating_sub(MOST_DECIDED).min(self.decided_in_order.len());
        for id in self.decided_in_order.drain(..too_many) {
            self.decided.remove(&id);
        }
    }
}

/// What became of an offer. It is not made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// The hub took it over by itself: it was its own.
    TakenOver,
    /// The person took it.
    Accepted,
    /// The person did not want it.
    Declined,
}

/// A record that is damaged, or that a newer version wrote. Its project is not used before somebody has mended it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot be read ({why})", path.display())]
pub struct UnreadableRecord {
    /// The file.
    pub path: PathBuf,
    /// Name of the directory that it is in.
    pub id: String,
    /// The project's directory, when the record says at least that.
    pub root: Option<PathBuf>,
    why: String,
}

impl UnreadableRecord {
    /// For people.
    pub const NEXT_STEP: &str = "Update opentoolbar if a newer one wrote it, else repair the file (docs/projects.md says what it has); or move its directory aside, out of `projects`, to start afresh.";
}

impl From<UnreadableRecord> for io::Error {
    fn from(unreadable: UnreadableRecord) -> Self {
        Self::other(unreadable)
    }
}

/// What a newer version says at least.
#[derive(Deserialize)]
struct Head {
    version: u32,
    root: PathBuf,
}

/// Whether a project's record, readable or not, or data is there.
pub(super) fn is_taken(directory: &Path) -> io::Result<bool> {
    Ok(directory.join(FILE).try_exists()? || has_data(directory)?)
}

/// Whether a database, what belongs to one, or a picture is there.
fn has_data(directory: &Path) -> io::Result<bool> {
    let entries = match std::fs::read_dir(directory) {
        Err(e) if is_absent(&e) => return Ok(false),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        if name.as_encoded_bytes().starts_with(DATABASE.as_bytes()) || name == PICTURES {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// `None` when there is none. Data without a record is somebody's: that its record is missing is an error, not a fresh
/// start.
pub(super) fn read(directory: &Path) -> Result<Option<Record>, UnreadableRecord> {
    let path = directory.join(FILE);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(e) if is_absent(&e) => {
            return match has_data(directory) {
                Ok(false) => Ok(None),
                Ok(true) => Err(unreadable(path, None, "it is missing, and data is beside it".to_owned())),
                Err(e) => Err(unreadable(path, None, opentoolbar_leaves::why::why(&e))),
            };
        }
        Err(e) => return Err(unreadable(path, None, opentoolbar_leaves::why::why(&e))),
    };
    // Whose it is may be said by a record that is otherwise of another kind; of version 1 it is one's own or nothing.
    let head = serde_json::from_slice::<Head>(&bytes).ok().filter(|head| head.version != VERSION);
    if let Some(Head { version, root }) = head {
        let why = format!("its version {version} is not known");
        return Err(unreadable(path, Some(root), why));
    }
    match serde_json::from_slice::<Record>(&bytes) {
        Ok(record) => Ok(Some(record)),
        // What the error says may quote a path.
        Err(error) => {
            let why = format!("line {}, column {}", error.line(), error.column());
            Err(unreadable(path, None, why))
        }
    }
}

fn unreadable(path: PathBuf, root: Option<PathBuf>, why: String) -> UnreadableRecord {
    let directory = path.parent().and_then(Path::file_name).unwrap_or_default();
    UnreadableRecord { id: directory.to_string_lossy().into_owned(), path, root, why }
}

pub(super) fn write(directory: &Path, record: &Record) -> io::Result<()> {
    let mut json = serde_json::to_vec_pretty(record)?;
    json.push(b'\n');
    write_whole(&directory.join(FILE), &json)
}
