//! VS Code's own list of its dialogs, in the SQLite of a workspace. Never opened in place: a copy is, as immutable, so
//! that neither a journal nor a log beside it is looked at and VS Code is not kept from writing.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::Path;

use opentoolbar_leaves::files::Opened;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};
use serde::Deserialize;
use serde_json::Value;

use crate::error::NoData;
use crate::index::MOST_TITLE;
use crate::lists::ListEntry;

pub(super) const NAME: &str = "state.vscdb";
const KEY: &str = "chat.ChatSessionStore.index";
/// Bytes of the database and of the list. A workspace's has a few megabytes mostly.
const MOST: u64 = 64 * 1024 * 1024;
const MOST_LIST: i64 = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct Stored {
    version: u64,
    /// Each by itself: one that is strange costs no other.
    entries: HashMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(default)]
    title: String,
    last_message_date: f64,
    /// Kept by another program, of which VS Code has no history.
    #[serde(default)]
    is_external: bool,
    is_empty: Option<bool>,
}

/// Of a database without a list there are none.
///
/// # Errors
/// It is too large to be copied, or cannot be read.
pub(super) fn read(opened: Opened) -> Result<Vec<ListEntry>, NoData> {
    if opened.bytes > MOST {
        return Err(NoData::TooLarge);
    }
    let folder = tempfile::Builder::new().prefix("otb-list-").tempdir().map_err(|_| NoData::Unreadable)?;
    let copy = folder.path().join("state");
    copied(opened, &copy).map_err(|_| NoData::Unreadable)?;
    let list = value(&copy).map_err(|error| {
        tracing::debug!(%error, "VS Code's list cannot be read");
        NoData::Broken
    })?;
    Ok(list.map(|list| entries(&list)).unwrap_or_default())
}

fn copied(opened: Opened, copy: &Path) -> io::Result<u64> {
    io::copy(&mut opened.file.take(MOST), &mut std::fs::File::create(copy)?)
}

fn value(copy: &Path) -> rusqlite::Result<Option<String>> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let path = percent_encoding::utf8_percent_encode(
        copy.to_str().ok_or(rusqlite::Error::InvalidQuery)?,
        percent_encoding::NON_ALPHANUMERIC,
    );
    let connection = Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)?;
    // Its schema runs nothing.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    let sql = "SELECT CAST(value AS TEXT) FROM ItemTable WHERE key = ?1 AND length(value) <= ?2";
    connection.query_row(sql, (KEY, MOST_LIST), |row| row.get(0)).optional()
}

fn entries(list: &str) -> Vec<ListEntry> {
    let Ok(stored) = serde_json::from_str::<Stored>(list) else { return Vec::new() };
    if stored.version != 1 {
        return Vec::new();
    }
    let listed = stored.entries.into_iter().filter_map(|(id, entry)| {
        let entry: Entry = serde_json::from_value(entry).ok()?;
        let last_message = crate::index::moment(Some(entry.last_message_date)).map_or(0, |at| at.0);
        let mut title = entry.title;
        title.truncate(title.floor_char_boundary(MOST_TITLE));
        let is_ours = !entry.is_external && id.len() <= 200;
        is_ours.then_some(ListEntry { id, title, last_message, is_empty: entry.is_empty })
    });
    listed.collect()
}
