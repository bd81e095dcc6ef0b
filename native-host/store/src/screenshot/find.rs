//! Where a picture is that was taken, when what stands there is it.

use opentoolbar_core::model::CommentId;
use rusqlite::{OptionalExtension as _, Row};
use sha2::{Digest as _, Sha256};

use super::{MOST, MOST_SEEN, Picture, Seen, earlier_name, name, shelves};
use crate::comments;
use crate::fault::Fault;
use crate::worker::Worker;
use opentoolbar_leaves::files::Directory;

/// The first of two names that has a picture: the name of now has a `+` where an earlier one has a letter or its end.
pub(super) const STORED: &str =
    "SELECT name, sha256 FROM pictures WHERE name IN (?1, ?2) ORDER BY name LIMIT 1";

/// By the name that [`Shelf::keep`] gave. The path is made from that name, never from what a comment says.
pub(crate) fn find_named(worker: &mut Worker, name: &str) -> Result<Picture, Fault> {
    find_first(worker, [name, name])
}

/// The first of two names that has a picture.
fn find_first(worker: &mut Worker, names: [&str; 2]) -> Result<Picture, Fault> {
    let Some(database) = worker.reading()? else { return Ok(Picture::None) };
    let row = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, [u8; 32]>(1)?));
    let stored = database.connection.prepare_cached(STORED)?.query_row(names, row).optional()?;
    let Some((name, hash)) = stored else { return Ok(Picture::None) };
    let (root, places) = (worker.found_root(), worker.places().clone());
    let seen = worker.seen_pictures();
    for (directory, path) in shelves(root.as_ref(), &places) {
        if fits(&directory, &name, &hash, seen) {
            return Ok(Picture::At(path.join(name)));
        }
    }
    Ok(Picture::Gone)
}

fn fits(directory: &Directory, name: &str, hash: &[u8; 32], seen: &mut Seen) -> bool {
    let before = directory.stamp(name);
    if before.is_some() && seen.get(name).copied() == before {
        return true;
    }
    let content = directory.read(name, MOST as u64).ok().flatten();
    let is_it = content.is_some_and(|content| Sha256::digest(content).as_slice() == hash);
    // Changed while it was read, it is read again the next time.
    if let (true, Some(stamp)) = (is_it && before == directory.stamp(name), before) {
        if seen.len() >= MOST_SEEN {
            seen.clear();
        }
        seen.insert(name.to_owned(), stamp);
    }
    is_it
}

/// Of a comment.
pub(crate) fn find(worker: &mut Worker, id: &CommentId) -> Result<Picture, Fault> {
    match find_first(worker, [&name(id), &earlier_name(id)])? {
        // One was taken by a version that kept no hashes, and nobody can tell that what stands there is it.
        Picture::None if comments::get(worker, id)?.is_some_and(|comment| comment.screenshot.is_some()) => {
            Ok(Picture::Gone)
        }
        found => Ok(found),
    }
}
