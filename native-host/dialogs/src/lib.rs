//! Chat histories that other programs keep on this machine: VS Code's Copilot Chat, Claude Code, Codex.
//!
//! Reads only, never a whole file: of a history an index is kept, its words are read where they stand when they are
//! asked for. They are given as they are, secrets and all: whoever answers redacts them (`core::prompt`).
//! Knows nothing of who asks, of MCP, and of our own conversations.

mod dialog;
mod error;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod heads;
mod index;
mod json;
mod lists;
mod memory;
mod pass;
mod place;
mod places;
mod recent;
mod requests;
mod search;
mod sources;
mod time;

pub use dialog::{Dialog, Scope, Source, Workspace};
pub use error::{Error, NoData};
pub use place::Place;
pub use places::{Places, System};
pub use requests::{Asked, MOST_PREVIEW, MOST_WORDS, Requests, preview};
pub use search::{Cursor, Found, Hit, NoCursor, Query, Speaker};

use heads::Heads;
use lists::Lists;
use memory::Memory;
use sources::{Listing, Reader};

/// All histories of a user, with what is kept of those that were read.
pub struct Histories {
    readers: Vec<Box<dyn Reader>>,
    heads: Heads,
    lists: Lists,
    memory: Memory,
}

/// Dialogs, the newest first.
#[derive(Debug, Default)]
pub struct Listed {
    /// Of the scope.
    pub dialogs: Vec<Dialog>,
    /// Directories that could not be looked into, or not to their end as more is in them than is looked at, and VS
    /// Code's own lists that cannot be read: there may be more dialogs than these.
    pub unread: usize,
}

impl Histories {
    /// Those in these places.
    pub fn new(places: Places) -> Self {
        Self {
            readers: sources::readers(places),
            heads: Heads::default(),
            lists: Lists::default(),
            memory: Memory::default(),
        }
    }

    /// The dialogs of a scope. Blocks.
    ///
    /// # Errors
    /// [`Error::Stopped`] when `keep_going` says no.
    pub fn list(&self, scope: &Scope, keep_going: &dyn Fn() -> bool) -> Result<Listed, Error> {
        self.heads.next_round();
        let (heads, lists) = (&self.heads, &self.lists);
        let mut listing = Listing { scope, heads, lists, keep_going, dialogs: Vec::new(), unread: 0 };
        for reader in &self.readers {
            reader.list(&mut listing);
            if listing.is_stopped() {
                return Err(Error::Stopped);
            }
        }
        let Listing { mut dialogs, unread, .. } = listing;
        dialogs.sort_by(|a, b| search::order(a).cmp(&search::order(b)));
        Ok(Listed { dialogs, unread })
    }

    /// The dialog with this id; of several the newest that has a history. Blocks.
    ///
    /// # Errors
    /// [`Error::NotFound`]; as for [`Histories::list`].
    pub fn find(&self, scope: &Scope, id: &str, keep_going: &dyn Fn() -> bool) -> Result<Dialog, Error> {
        let mut found = self.list(scope, keep_going)?.dialogs;
        found.retain(|dialog| dialog.id == id);
        let best = found.iter().position(Dialog::has_history).unwrap_or(0);
        if found.is_empty() { Err(Error::NotFound) } else { Ok(found.swap_remove(best)) }
    }

    /// The requests of a dialog. Blocks: a history that was not read lately is read.
    ///
    /// # Errors
    /// [`Error::NoData`] when its history cannot be had, also when it is gone since it was listed;
    /// [`Error::Stopped`].
    pub fn requests(&self, dialog: &Dialog, keep_going: &dyn Fn() -> bool) -> Result<Requests, Error> {
        let file = dialog.place.file.as_ref().map_err(|&why| why)?;
        let reader = self.readers.iter().find(|reader| reader.source() == dialog.source);
        let reader = reader.ok_or(Error::NotFound)?;
        let opened = file.open()?;
        let kept = self.memory.index(file, &opened, || reader.pass(&file.name), keep_going)?;
        Ok(Requests { opened, kept })
    }

    /// A page of texts with the words that are looked for. Blocks until the page is full, all was looked through, or
    /// `keep_going` says no: then what was found until there is told.
    ///
    /// # Errors
    /// [`Error::Stopped`] when not even the list of dialogs could be made.
    pub fn search(&self, query: &Query, keep_going: &dyn Fn() -> bool) -> Result<Found, Error> {
        let mut dialogs = self.list(&query.scope, keep_going)?.dialogs;
        dialogs.retain(|dialog| query.source.is_none_or(|source| source == dialog.source));
        Ok(search::search(dialogs, query, keep_going, |dialog| self.requests(dialog, keep_going)))
    }
}

impl std::fmt::Debug for Histories {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.readers.iter().map(|reader| reader.source())).finish()
    }
}
