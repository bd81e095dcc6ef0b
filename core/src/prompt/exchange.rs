//! JSON export and import of comments.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::{Comment, CommentId, Timestamp, limits};
use crate::protocol::{MAX_IMPORT, MAX_MESSAGE};
use crate::sort;

/// Version of the export that this build writes; older ones are read, newer ones refused.
pub const EXPORT_VERSION: u32 = 1;

/// An export file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// `EXPORT_VERSION` of the writer.
    pub version: u32,
    /// RFC 3339, UTC: `2026-11-21T10:15:30.000Z`.
    pub exported_at: String,
    /// Oldest first.
    pub comments: Vec<Comment>,
}

/// Why an import was refused. Nothing was imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// More than is read at once.
    #[error("the file has {bytes} bytes; at most {MAX_MESSAGE} are read. Export fewer comments at a time")]
    TooLarge {
        /// In bytes.
        bytes: usize,
    },
    /// Not JSON at all.
    #[error("the file is not JSON ({0}). Choose a file that opentoolbar exported")]
    Json(String),
    /// JSON of something else.
    #[error("the file is not an opentoolbar export: {0}. Choose a file that opentoolbar exported")]
    NotAnExport(&'static str),
    /// Written by a newer opentoolbar.
    #[error(
        "the file has version {found}, and this opentoolbar reads up to {EXPORT_VERSION}. Update opentoolbar"
    )]
    Newer {
        /// The version it says.
        found: u64,
    },
    /// More comments than are taken at once.
    #[error("the file has {count} comments; at most {MAX_IMPORT} are imported at once. Split the file")]
    TooMany {
        /// How many it has.
        count: usize,
    },
    /// A comment that is not valid.
    #[error("comments[{index}] ({id}) is not valid: {problem}. Correct it in the file, or remove it")]
    Comment {
        /// Its place in `comments`, from 0.
        index: usize,
        /// Its id as it stands there, or `no id`.
        id: String,
        /// Names the field.
        problem: String,
    },
    /// The same id twice.
    #[error("comments[{index}] has the id {id} of an earlier one. Remove one of the two")]
    Duplicate {
        /// The second one's place in `comments`, from 0.
        index: usize,
        /// Of both.
        id: CommentId,
    },
}

/// All given comments as the JSON of an [`Export`], oldest first; deleted ones are left out.
#[must_use]
pub fn export_json(comments: &[Comment], exported_at: Timestamp) -> String {
    let mut comments: Vec<Comment> =
        comments.iter().filter(|one| one.deleted_at.is_none()).cloned().collect();
    sort::by(&mut comments, |a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    let export = Export { version: EXPORT_VERSION, exported_at: exported_at.to_string(), comments };
    // Strings, numbers and lists only: there is nothing in an export that JSON cannot say.
    serde_json::to_string_pretty(&export).unwrap_or_default()
}

/// Reads an export and checks all of it.
///
/// # Errors
/// [`ImportError`] names the comment and the field. No input panics.
pub fn import_json(bytes: &[u8]) -> Result<Vec<Comment>, ImportError> {
    if bytes.len() > MAX_MESSAGE {
        return Err(ImportError::TooLarge { bytes: bytes.len() });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let json: &RawValue =
        serde_json::from_slice(bytes).map_err(|error| ImportError::Json(error.to_string()))?;
    let not_an_object = ImportError::NotAnExport("it is not an object with version, exportedAt and comments");
    let outline = json.get().starts_with('{').then(|| serde_json::from_str::<Outline>(json.get()));
    let Some(Ok(outline)) = outline else { return Err(not_an_object) };
    match outline.version.and_then(|version| serde_json::from_str::<u64>(version.get()).ok()) {
        None | Some(0) => return Err(ImportError::NotAnExport("version is not a number from 1")),
        Some(found) if found > u64::from(EXPORT_VERSION) => return Err(ImportError::Newer { found }),
        Some(_) => {}
    }
    let values = outline.comments.and_then(|list| serde_json::from_str::<Vec<&RawValue>>(list.get()).ok());
    let Some(values) = values else { return Err(ImportError::NotAnExport("comments is not a list")) };
    if values.len() > MAX_IMPORT {
        return Err(ImportError::TooMany { count: values.len() });
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut comments = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        let comment = read_comment(index, value)?;
        if !seen.insert(comment.id.clone()) {
            return Err(ImportError::Duplicate { index, id: comment.id });
        }
        comments.push(comment);
    }
    Ok(comments)
}

/// An export before its parts are read, each still as JSON text.
#[derive(Deserialize)]
struct Outline<'a> {
    #[serde(borrow)]
    version: Option<&'a RawValue>,
    #[serde(borrow)]
    comments: Option<&'a RawValue>,
}

/// The id of a comment that could not be read whole.
#[derive(Deserialize)]
struct Id {
    id: String,
}

fn read_comment(index: usize, value: &RawValue) -> Result<Comment, ImportError> {
    serde_json::from_str(value.get()).map_err(|error| {
        let id = serde_json::from_str::<Id>(value.get()).map_or("no id".to_owned(), |one| one.id);
        let id = id.chars().take(limits::MAX_NAME).collect();
        ImportError::Comment { index, id, problem: error.to_string() }
    })
}

/// What an import does to the comments that are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merge {
    /// Everything, oldest first.
    pub comments: Vec<Comment>,
    /// Ids that were new.
    pub added: Vec<CommentId>,
    /// Ids whose imported revision was newer.
    pub updated: Vec<CommentId>,
    /// Ids whose imported revision was the same or older; what is there stays.
    pub skipped: Vec<CommentId>,
}

/// Merges by id: a newer revision replaces, the same or an older one is skipped, nothing else goes away. Replies that
/// only the replaced comment had are kept.
#[must_use]
pub fn merge(existing: &[Comment], imported: &[Comment]) -> Merge {
    let mut merge = Merge::default();
    let mut by_id: BTreeMap<CommentId, Comment> =
        existing.iter().map(|one| (one.id.clone(), one.clone())).collect();
    for new in imported {
        match by_id.get_mut(&new.id) {
            None => {
                merge.added.push(new.id.clone());
                by_id.insert(new.id.clone(), new.clone());
            }
            Some(old) if new.revision > old.revision => {
                merge.updated.push(new.id.clone());
                let old = std::mem::replace(old, new.clone());
                keep_replies(&mut by_id, old);
            }
            Some(_) => merge.skipped.push(new.id.clone()),
        }
    }
    merge.comments = by_id.into_values().collect();
    sort::by(&mut merge.comments, |a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    merge
}

fn keep_replies(by_id: &mut BTreeMap<CommentId, Comment>, old: Comment) {
    let Some(new) = by_id.get_mut(&old.id) else { return };
    for reply in old.replies {
        if new.replies.len() < limits::MAX_REPLIES && new.replies.iter().all(|known| known.id != reply.id) {
            new.replies.push(reply);
        }
    }
    sort::by_key(&mut new.replies, |reply| reply.created_at);
}
