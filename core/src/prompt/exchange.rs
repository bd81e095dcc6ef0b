//! JSON export and import of comments.

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

/// All given comments as an [`Export`], oldest first; deleted ones are left out.
#[must_use]
pub fn export(comments: &[Comment], exported_at: Timestamp) -> Export {
    let mut comments: Vec<Comment> =
        comments.iter().filter(|one| one.deleted_at.is_none()).cloned().collect();
    sort::by(&mut comments, |a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    Export { version: EXPORT_VERSION, exported_at: exported_at.to_string(), comments }
}

/// The JSON text of [`export`].
#[must_use]
pub fn export_json(comments: &[Comment], exported_at: Timestamp) -> String {
    // Strings, numbers and lists only: there is nothing in an export that JSON cannot say.
    serde_json::to_string_pretty(&export(comments, exported_at)).unwrap_or_default()
}

/// Reads an export and checks all of it.
///
/// # Errors
/// [`ImportError`] names the comment and the field. No input panics.
pub fn import_json(bytes: &[u8]) -> Result<Vec<Comment>, ImportError> {
    check_import_size(bytes.len())?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let json: &RawValue =
        serde_json::from_slice(bytes).map_err(|error| ImportError::Json(error.to_string()))?;
    let outline = json.get().starts_with('{').then(|| serde_json::from_str::<Outline>(json.get()));
    let outline = outline.and_then(Result::ok);
    let version = outline
        .as_ref()
        .map(|outline| outline.version.and_then(|version| serde_json::from_str::<u64>(version.get()).ok()));
    let comments = outline.and_then(|outline| outline.comments);
    let values = comments.and_then(|list| serde_json::from_str::<Vec<&RawValue>>(list.get()).ok());
    check_import_outline(version, values.as_ref().map(Vec::len))?;
    collect_import(values.unwrap_or_default().into_iter().map(read_comment))
}

/// Refuses more than is read at once, before anything is read.
///
/// # Errors
/// [`ImportError::TooLarge`].
pub fn check_import_size(bytes: usize) -> Result<(), ImportError> {
    if bytes > MAX_MESSAGE { Err(ImportError::TooLarge { bytes }) } else { Ok(()) }
}

/// Whether what was read is an export of a version known here. `version` is none when it is no object at all, and
/// some none when its version is no whole number; `comments` is none when they are no list.
///
/// # Errors
/// [`ImportError`] says what it is instead.
pub fn check_import_outline(
    version: Option<Option<u64>>,
    comments: Option<usize>,
) -> Result<(), ImportError> {
    match version {
        None => {
            return Err(ImportError::NotAnExport(
                "it is not an object with version, exportedAt and comments",
            ));
        }
        Some(None | Some(0)) => return Err(ImportError::NotAnExport("version is not a number from 1")),
        Some(Some(found)) if found > u64::from(EXPORT_VERSION) => return Err(ImportError::Newer { found }),
        Some(Some(_)) => {}
    }
    match comments {
        None => Err(ImportError::NotAnExport("comments is not a list")),
        Some(count) if count > MAX_IMPORT => Err(ImportError::TooMany { count }),
        Some(_) => Ok(()),
    }
}

/// All comments of an export, each read already or with its id, where it has one, and its problem.
///
/// # Errors
/// The first comment that is not valid, or has the id of an earlier one.
pub fn collect_import(
    comments: impl Iterator<Item = Result<Comment, (Option<String>, String)>>,
) -> Result<Vec<Comment>, ImportError> {
    let mut all: Vec<Comment> = Vec::new();
    for (index, comment) in comments.enumerate() {
        all.push(comment.map_err(|(id, problem)| {
            let id = id.unwrap_or_else(|| "no id".to_owned()).chars().take(limits::MAX_NAME).collect();
            ImportError::Comment { index, id, problem }
        })?);
    }
    let mut by_id: Vec<u32> = (0..all.len() as u32).collect();
    sort::by(&mut by_id, |&a, &b| all[a as usize].id.cmp(&all[b as usize].id));
    // The sort is stable: of two with one id the later one comes second.
    let twice = by_id.windows(2).filter(|pair| all[pair[0] as usize].id == all[pair[1] as usize].id);
    match twice.map(|pair| pair[1] as usize).min() {
        Some(index) => Err(ImportError::Duplicate { index, id: all[index].id.clone() }),
        None => Ok(all),
    }
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

fn read_comment(value: &RawValue) -> Result<Comment, (Option<String>, String)> {
    serde_json::from_str(value.get()).map_err(|error| {
        let id = serde_json::from_str::<Id>(value.get()).ok().map(|one| one.id);
        (id, error.to_string())
    })
}

/// What an import does to the comments that are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merge {
    /// Everything, oldest first.
    pub comments: Vec<Comment>,
    /// What was imported and has room, every word of it marked as imported: what is sent on.
    pub imported: Vec<Comment>,
    /// Ids that were new.
    pub added: Vec<CommentId>,
    /// Ids of which the import knew something more.
    pub updated: Vec<CommentId>,
    /// Ids of which the import knew nothing more.
    pub skipped: Vec<CommentId>,
    /// Ids that stay as they were: both copies together are more than a comment can hold.
    pub full: Vec<CommentId>,
}

/// Merges by id, each comment as [`Comment::merge_imported`] says. `at` is when: imported words are marked with it.
#[must_use]
pub fn merge(existing: &[Comment], imported: Vec<Comment>, at: Timestamp) -> Merge {
    let mut merge = Merge { comments: existing.to_vec(), ..Merge::default() };
    // Places in `merge.comments`, by id.
    let mut places: Vec<u32> = (0..existing.len() as u32).collect();
    sort::by(&mut places, |&a, &b| existing[a as usize].id.cmp(&existing[b as usize].id));
    for new in imported {
        let new = new.imported(at);
        match places.binary_search_by(|&place| merge.comments[place as usize].id.cmp(&new.id)) {
            Err(at) => {
                places.insert(at, merge.comments.len() as u32);
                merge.added.push(new.id.clone());
                // Whether it keeps its number is the hub's to say.
                merge.comments.push(Comment { number: None, ..new.clone() });
            }
            Ok(at) => {
                let old = &mut merge.comments[places[at] as usize];
                let Ok(both) = old.merge_imported(&new) else {
                    merge.full.push(new.id);
                    continue;
                };
                let ids = if both == *old { &mut merge.skipped } else { &mut merge.updated };
                ids.push(new.id.clone());
                *old = both;
            }
        }
        merge.imported.push(new);
    }
    sort::by(&mut merge.comments, |a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    merge
}
