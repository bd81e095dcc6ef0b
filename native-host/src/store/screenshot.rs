//! Screenshots: PNG files named after their comment or selection, written whole or not at all.

use std::path::{Path, PathBuf};

use opentoolbar_core::model::{CommentId, Timestamp};
use opentoolbar_core::protocol::ErrorCode;

use super::directory::Directory;
use super::fault::Fault;
use super::{DIRECTORY, files};
use crate::hub::error::error;

/// Most bytes of one picture.
const MOST: usize = 8 * 1024 * 1024;
/// Longest side that a browser's canvas makes, in pixels.
const LONGEST_SIDE: u32 = 32_767;
/// Pictures of selections that are kept, and their bytes together.
const MOST_FILES: usize = 400;
const MOST_BYTES: u64 = 512 * 1024 * 1024;
/// How long a picture of a selection is kept, in milliseconds.
const KEEP_MS: u64 = 30 * 24 * 60 * 60 * 1000;
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";

/// A picture that goes away again unless `commit` is called.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) name: String,
    directory: Directory,
    stays: bool,
}

impl Kept {
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

pub(super) fn name(id: &CommentId) -> String {
    format!("{id}.png")
}

const FOLDER: &str = "screenshots";

/// Writes the picture; what it belongs to is not stored yet. `name`: a file name made of ids.
pub(super) fn keep(root: &Path, name: &str, png: &[u8]) -> Result<Kept, Fault> {
    check(png)?;
    let directory = files::project_directory(root)?.make(FOLDER)?;
    directory.put_durably(name, png)?;
    Ok(Kept { name: name.to_owned(), directory, stays: false })
}

/// Removes pictures of selections that are old, too many or too large together. Those of comments stay with their comments,
/// and those of this selection and session whatever the clock says: they may be the newest.
pub(super) fn tidy(root: &Path, now: Timestamp, context: &str, session: &str) {
    let Ok(Some(directory)) = files::existing_in_project(root, FOLDER) else { return };
    let mine = [format!("{context}.png"), format!("{context}.viewport.png"), format!("{session}_ctx.png")];
    let of_selection = |name: &str| {
        let is_latest = name.starts_with("s_") && name.ends_with("_ctx.png");
        (name.starts_with("ctx_") || is_latest) && !mine.iter().any(|own| own == name)
    };
    files::remove_older(&directory, now.0.saturating_sub(KEEP_MS), of_selection);
    files::keep_newest(&directory, MOST_FILES, MOST_BYTES, of_selection);
}

/// By the name that [`keep`] gave.
pub(super) fn find_named(root: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = !name.contains(['/', '\\']) && !name.starts_with('.');
    let directory = files::existing_in_project(root, FOLDER).ok().flatten().filter(|_| is_plain)?;
    // A file, and not through a link: those would lead an agent to something else than a picture.
    directory.has_file(name).unwrap_or(false).then(|| root.join(DIRECTORY).join(FOLDER).join(name))
}

/// Where it is, if it is. The path is made from the id, never from what a comment says.
pub(super) fn find(root: &Path, id: &CommentId) -> Option<PathBuf> {
    find_named(root, &name(id))
}

fn check(png: &[u8]) -> Result<(), Fault> {
    let refuse = |code, message: String, next: &str| Err(Fault::Refused(error(code, message, next)));
    if png.len() > MOST {
        return refuse(
            ErrorCode::TooLarge,
            format!("the screenshot has {} bytes; at most {MOST} are kept", png.len()),
            "Send the comment with a smaller screenshot, or with none.",
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
            "Send the comment with another screenshot, or with none.",
        ),
        None => refuse(
            ErrorCode::BadRequest,
            "the screenshot is not a PNG".into(),
            "Send the comment with a PNG, or with no screenshot.",
        ),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn head(width: u32, height: u32) -> Vec<u8> {
        [SIGNATURE, &width.to_be_bytes(), &height.to_be_bytes()].concat()
    }

    proptest! {
        #[test]
        fn no_bytes_panic_the_check(bytes: Vec<u8>) {
            prop_assert!(check(&bytes).is_err());
        }
    }

    #[test]
    fn only_a_png_of_a_possible_size_is_kept() {
        assert!(check(&head(1, 1)).is_ok());
        assert!(check(&head(0, 1)).is_err());
        assert!(check(&head(1, 40_000)).is_err());
        assert!(check(&head(1, 1)[..20]).is_err());
        assert!(check(b"GIF89a").is_err());
    }

    #[test]
    fn a_picture_whose_comment_was_not_stored_goes_away() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(DIRECTORY)).unwrap();
        let id: CommentId = "c_1".parse().unwrap();
        let kept = keep(root.path(), &name(&id), &head(1, 1)).unwrap();
        assert!(find(root.path(), &id).is_some());
        drop(kept);
        assert!(find(root.path(), &id).is_none());
        keep(root.path(), &name(&id), &head(1, 1)).unwrap().commit();
        assert!(find(root.path(), &id).is_some());
    }
}
