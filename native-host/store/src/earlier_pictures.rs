//! Pictures of comments whose database is taken over from an earlier version, which kept no hashes of them. Kept are
//! those that stood there at the update and were not touched since, as the database itself; the others are gone.

use std::path::Path;

use opentoolbar_core::model::{Comment, CommentId};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::database::Database;
use super::fault::Fault;
use super::screenshot;
use opentoolbar_leaves::files::{Directory, Opened};
use opentoolbar_leaves::names::PICTURES;
use opentoolbar_project::{EarlierFiles, Left};

/// Bytes of all pictures of one project that are taken over.
const MOST_BYTES: usize = 512 * 1024 * 1024;

/// Copies them into the directory that has the copy of the database, and their hashes into that.
pub(super) fn keep(files: &EarlierFiles, left: &Left, prepared: &Path) -> Result<(), Fault> {
    let Some(pictures) = files.ours.existing(PICTURES).ok().flatten() else { return Ok(()) };
    if !left.has_pictures_in(&pictures) || !pictures.is_mine() {
        return Ok(());
    }
    let mut database = Database::open(prepared)?;
    let ids = without_hash(&database.connection)?;
    let shelf = Directory::open(prepared).and_then(|home| home.make(PICTURES)).map_err(Fault::Home)?;
    let transaction = database.connection.transaction()?;
    let mut bytes = 0;
    for id in ids {
        let Some(png) = read(&pictures, left, &id) else { continue };
        bytes += png.len();
        if bytes > MOST_BYTES {
            break;
        }
        let name = screenshot::earlier_name(&id);
        shelf.put_durably(&name, &png).map_err(Fault::Home)?;
        screenshot::remember(&transaction, &name, &Sha256::digest(&png).into())?;
    }
    transaction.commit()?;
    // Its log is written into it.
    database.connection.close().map_err(|(_, error)| error.into())
}

/// The comments that say that they have a picture, of which no hash is known.
fn without_hash(connection: &Connection) -> Result<Vec<CommentId>, Fault> {
    let sql = "SELECT document FROM comments WHERE id || '.png' NOT IN (SELECT name FROM pictures)";
    let mut statement = connection.prepare(sql)?;
    let documents = statement.query_map([], |row| row.get::<_, String>(0))?;
    let comments = documents.filter_map(|document| serde_json::from_str::<Comment>(&document.ok()?).ok());
    Ok(comments.filter(|comment| comment.screenshot.is_some()).map(|comment| comment.id).collect())
}

/// The picture as it stood there at the update; `None` when it is not that one.
fn read(pictures: &Directory, left: &Left, id: &CommentId) -> Option<Vec<u8>> {
    let name = screenshot::earlier_name(id);
    let stamp = left.picture(id)?;
    let is_it = |opened: &Opened| opened.is_mine && opened.stamp == stamp;
    pictures.open_file(&name).ok()?.filter(is_it)?;
    let png = pictures.read(&name, screenshot::MOST as u64).ok()??;
    // What was read is what was looked at.
    let is_unchanged = pictures.stamp(&name) == Some(stamp);
    (is_unchanged && screenshot::check(&png).is_ok()).then_some(png)
}
