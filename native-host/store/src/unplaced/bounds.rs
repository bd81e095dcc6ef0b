//! How much may wait for its project.

use std::collections::BTreeMap;

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::Page;
use opentoolbar_leaves::error::error;

/// Bytes of everything that is kept, pictures included.
pub(super) const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// The same of one session: its client may never come back.
pub(super) const MOST_BYTES_OF_SESSION: u64 = 20 * 1024 * 1024;
/// Things that are kept of one session.
pub(super) const MOST_OF_SESSION: u32 = 200;
/// Sessions of which something is kept.
pub(super) const MOST_SESSIONS: usize = 1_000;
/// What a row takes beside its texts and pictures, with its entries in the indexes.
pub(super) const ROW_BYTES: u64 = 512;
/// Of an address without a host its whole is the origin, and is held in memory.
const MOST_ORIGIN: usize = 2_048;

/// What is kept, by session.
#[derive(Debug, Default)]
pub(super) struct Counts {
    sessions: BTreeMap<SessionId, (u32, u64)>,
    bytes: u64,
}

impl Counts {
    pub(super) fn must_have_room(&self, page: &Page, bytes: u64) -> Result<(), ErrorBody> {
        let own = self.sessions.get(&page.session);
        let (count, of_session) = own.copied().unwrap_or_default();
        let has_room = self.bytes + bytes <= MOST_BYTES
            && of_session + bytes <= MOST_BYTES_OF_SESSION
            && count < MOST_OF_SESSION
            && (own.is_some() || self.sessions.len() < MOST_SESSIONS)
            && page.origin.len() <= MOST_ORIGIN;
        if has_room {
            return Ok(());
        }
        Err(error(
            ErrorCode::NoProject,
            "it is not known to which project this page belongs, and no more can be kept until it is",
            "Start an agent in the project, or choose the project, and send it again.",
        ))
    }

    pub(super) fn add(&mut self, session: &SessionId, bytes: u64) {
        let (count, of_session) = self.sessions.entry(session.clone()).or_default();
        *count += 1;
        *of_session += bytes;
        self.bytes += bytes;
    }

    pub(super) fn remove(&mut self, session: &SessionId, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
        let Some((count, of_session)) = self.sessions.get_mut(session) else { return };
        *count = count.saturating_sub(1);
        *of_session = of_session.saturating_sub(bytes);
        if *count == 0 {
            self.sessions.remove(session);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }
}
