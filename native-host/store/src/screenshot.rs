//! Screenshots: PNG files named after their comment or selection, written whole or not at all. They stand in the
//! project, where agents can read them and anybody can put others in their place: the database has the hash of each,
//! and one that does not fit is none. What a project cannot take is kept in the home.

pub(super) mod find;

use std::collections::BTreeMap;
use std::path::PathBuf;

use opentoolbar_core::model::{CommentId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use sha2::{Digest as _, Sha256};

use super::complaints::Complaints;
use super::directory;
use super::fault::{Fault, Places};
use super::file_names::{id_of, stem_of};
use super::root::{Root, SharedRoot};
use opentoolbar_leaves::error::error;
use opentoolbar_leaves::files::{Directory, Stamp};
use opentoolbar_leaves::names::{DIRECTORY, PICTURES};

/// Most bytes of one picture.
pub(super) const MOST: usize = 8 * 1024 * 1024;
/// Longest side that a browser's canvas makes, in pixels.
const LONGEST_SIDE: u32 = 32_767;
/// Pictures of selections that are kept, and their bytes together.
const MOST_FILES: usize = 400;
const MOST_BYTES: u64 = 512 * 1024 * 1024;
/// How long a picture of a selection is kept, in milliseconds.
const KEEP_MS: u64 = 30 * 24 * 60 * 60 * 1000;
/// How many of the latest stay whatever the clock says.
const LATEST: usize = 100;
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
/// How the name of a session's latest picture ends.
const LATEST_OF: &str = "_ctx.png";
/// Pictures of all names, in complaints.
const ANY: &str = "screenshots/*.png";
/// Pictures that are not read again while nobody has changed them.
const MOST_SEEN: usize = 1_000;

/// What became of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// None was taken, or none that this home knows of.
    None,
    /// The one that was taken is not in its place: it was removed, or something else stands there.
    Gone,
    /// Its absolute path.
    At(PathBuf),
}

impl Picture {
    /// The path, when there is one.
    pub fn path(self) -> Option<PathBuf> {
        match self {
            Self::At(path) => Some(path),
            Self::None | Self::Gone => None,
        }
    }
}

/// Puts pictures where they belong.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    /// Looked for when there is a picture: only that one waits for its disk.
    root: SharedRoot,
    places: Places,
    complaints: Complaints,
}

/// A picture that goes away again unless `commit` is called.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) name: String,
    directory: Directory,
    hash: [u8; 32],
    stays: bool,
}

impl Kept {
    /// In the transaction that stores what the picture belongs to.
    pub(super) fn remember(&self, transaction: &Transaction<'_>) -> Result<(), Fault> {
        remember(transaction, &self.name, &self.hash)
    }

    pub(super) fn commit(mut self) {
        self.stays = true;
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.stays {
            // The comment was not stored; a file without one is harmless if it cannot be removed.
            let _ = self.directory.remove(&self.name);
        }
    }
}

pub(super) fn remember(transaction: &Transaction<'_>, name: &str, hash: &[u8; 32]) -> Result<(), Fault> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO pictures (name, sha256) VALUES (?1, ?2)")?
        .execute(params![name, hash])?;
    Ok(())
}

pub(super) fn name(id: &CommentId) -> String {
    format!("{}.png", stem_of(id.as_str()))
}

/// The same in versions that gave ids which differ by capital letters alone one name on some disks.
pub(super) fn earlier_name(id: &CommentId) -> String {
    format!("{id}.png")
}

impl Shelf {
    pub(super) fn new(root: SharedRoot, places: Places, complaints: Complaints) -> Self {
        Self { root, places, complaints }
    }

    /// Writes the picture; what it belongs to is not stored yet. `name`: a file name made of ids.
    pub(super) fn keep(&self, name: &str, png: &[u8]) -> Result<Kept, Fault> {
        check(png)?;
        let directory = match self.put_in_project(ANY, |directory| directory.put_durably(name, png)) {
            Some(directory) => directory,
            None => self.in_home(name, png).map_err(Fault::Home)?,
        };
        Ok(Kept { name: name.to_owned(), directory, hash: Sha256::digest(png).into(), stays: false })
    }

    /// A copy under another name, for those who look for it there.
    pub(super) fn keep_copy(&self, name: &str, png: &[u8]) {
        let _ = self.put_in_project(&format!("{PICTURES}/{name}"), |directory| directory.put(name, png));
    }

    /// `what`: what is complained of.
    fn put_in_project(
        &self,
        what: &str,
        put: impl FnOnce(&Directory) -> std::io::Result<()>,
    ) -> Option<Directory> {
        let root = self.root.find(&self.root.lease())?;
        let open = directory::project_directory(&root).and_then(|ours| ours.make(PICTURES));
        let directory = self.complaints.note(root.path(), PICTURES, open)?;
        let done = put(&directory);
        self.complaints.note(root.path(), what, done)?;
        Some(directory)
    }

    fn in_home(&self, name: &str, png: &[u8]) -> std::io::Result<Directory> {
        let directory = Directory::open(&self.places.data)?.make(PICTURES)?;
        directory.sweep();
        directory.put_durably(name, png)?;
        Ok(directory)
    }

    /// Removes pictures of selections that are old, too many or too large together. Those of comments stay with their
    /// comments, and those of this selection and session whatever the clock says: they may be the newest. What others
    /// put there is neither counted nor removed.
    pub(super) fn tidy(&self, connection: &Connection, now: Timestamp, context: &str, session: &str) {
        let [element, viewport] = names_of(context);
        let mine = [element, viewport, latest_of(session)];
        let of_selection = |name: &str| {
            // What cannot be told stays.
            !mine.iter().any(|own| own == name) && is_of_selection(connection, name).unwrap_or(false)
        };
        for (directory, _) in shelves(self.root.find(&self.root.lease()).as_ref(), &self.places) {
            let ours = || {
                let mut files = directory.files(of_selection);
                // No picture of ours is larger.
                files.retain(|file| file.bytes <= MOST as u64);
                files
            };
            directory::remove_older(&directory, ours(), now.0.saturating_sub(KEEP_MS), LATEST);
            directory::keep_newest(&directory, ours(), MOST_FILES, MOST_BYTES);
        }
    }
}

/// How the pictures of a selection are called: of its element and of its page. No id has a dot in it, so no picture has
/// the name of another's.
pub(super) fn names_of(context: &str) -> [String; 2] {
    let stem = stem_of(context);
    [format!("{stem}.png"), format!("{stem}.viewport.png")]
}

/// How a session's latest picture of a selection is called.
pub(super) fn latest_of(session: &str) -> String {
    format!("{}{LATEST_OF}", stem_of(session))
}

/// Whether a picture of a selection was stored under this name.
fn is_of_selection(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let (sql, key) = match name.strip_suffix(LATEST_OF) {
        Some(stem) => {
            let session = id_of(stem).unwrap_or_else(|| stem.to_owned());
            ("SELECT EXISTS (SELECT 1 FROM contexts WHERE session_id = ?1)", session)
        }
        None if name.starts_with("ctx_") => {
            ("SELECT EXISTS (SELECT 1 FROM pictures WHERE name = ?1)", name.to_owned())
        }
        None => return Ok(false),
    };
    connection.prepare_cached(sql)?.query_row([key], |row| row.get(0))
}

/// The directories that may have pictures, with their paths.
fn shelves(root: Option<&Root>, places: &Places) -> impl Iterator<Item = (Directory, PathBuf)> {
    let in_project = root.map_or(Ok(None), |root| directory::existing_in_project(root, PICTURES));
    let in_home = Directory::open(&places.data).and_then(|home| home.existing(PICTURES));
    let paths = [places.root.join(DIRECTORY).join(PICTURES), places.data.join(PICTURES)];
    [in_project, in_home]
        .into_iter()
        .zip(paths)
        .filter_map(|(directory, path)| Some((directory.ok()??, path)))
}

/// Pictures that fitted their hash, by name, with what tells that they are still the same. Saves reading them each time
/// that somebody asks where they are.
pub(super) type Seen = BTreeMap<String, Stamp>;

/// The name of a comment's picture, when one was taken.
pub(super) fn known(transaction: &Transaction<'_>, id: &CommentId) -> Result<Option<String>, Fault> {
    // The name of now comes first: `+` is before every letter.
    let sql = "SELECT name FROM pictures WHERE name IN (?1, ?2) ORDER BY name LIMIT 1";
    let mut known = transaction.prepare_cached(sql)?;
    Ok(known.query_row([name(id), earlier_name(id)], |row| row.get(0)).optional()?)
}

pub(super) fn check(png: &[u8]) -> Result<(), Fault> {
    may_be_kept(png).map_err(Fault::Refused)
}

/// Whether a picture of ours can look so.
///
/// # Errors
/// `too_large`; `bad_request` for what is no PNG, or one without or with too much of an area.
pub fn may_be_kept(png: &[u8]) -> Result<(), ErrorBody> {
    let refuse = |code, message: String, next: &str| Err(error(code, message, next));
    if png.len() > MOST {
        return refuse(
            ErrorCode::TooLarge,
            format!("the screenshot has {} bytes; at most {MOST} are kept", png.len()),
            "Send it with a smaller picture, or with none.",
        );
    }
    let sides = png.strip_prefix(SIGNATURE).and_then(|rest| {
        let (width, rest) = rest.split_first_chunk::<4>()?;
        let (height, _) = rest.split_first_chunk::<4>()?;
        Some([u32::from_be_bytes(*width), u32::from_be_bytes(*height)])
    });
    match sides {
        Some(sides) if sides.iter().all(|side| (1..=LONGEST_SIDE).contains(side)) => Ok(()),
        Some([width, height]) => refuse(
            ErrorCode::BadRequest,
            format!("the screenshot says it is {width} by {height} pixels"),
            "Send it with another picture, or with none.",
        ),
        None => refuse(
            ErrorCode::BadRequest,
            "the screenshot is not a PNG".into(),
            "Send it with a PNG, or with no picture.",
        ),
    }
}

#[cfg(test)]
mod tests;
