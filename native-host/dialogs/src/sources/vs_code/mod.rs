//! VS Code, its Insiders and VSCodium: Copilot Chat. A directory for each workspace, `chatSessions/<id>.jsonl` or the
//! older `<id>.json` in it, and a list of its own in `state.vscdb`.

mod log;
mod own_list;
mod path;
mod session;
mod workspace;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use opentoolbar_core::model::Timestamp;
use opentoolbar_leaves::files::{Directory, Entry};

use super::reader::{Listing, Reader, histories, moment_of, no_file, stem};
use crate::dialog::{Dialog, Source, Workspace};
use crate::error::{Error, NoData};
use crate::heads::Head;
use crate::lists::ListEntry;
use crate::pass::{Pass, run};
use crate::place::{FileAt, Place};

const LOG: &str = ".jsonl";
const SNAPSHOT: &str = ".json";
const STORAGE: &str = "workspaceStorage";
const GLOBAL: &str = "globalStorage";
/// Bytes of a history up to which it is read when it is listed: one without requests has a few.
const MOST_SMALL: u64 = 64 * 1024;

/// One build's histories.
pub(super) struct VsCode {
    source: Source,
    /// The user directory.
    user: PathBuf,
}

/// What stands under one id.
#[derive(Debug)]
struct Session {
    id: String,
    name: String,
    last_active: Timestamp,
    bytes: u64,
    no_data: Option<NoData>,
}

impl VsCode {
    pub(super) fn new(source: Source, user: PathBuf) -> Self {
        Self { source, user }
    }

    /// The dialogs of one workspace, or those of windows without one.
    fn sessions(
        &self,
        listing: &mut Listing<'_>,
        below: &[&str],
        list_below: Option<&[&str]>,
        held: &Workspace,
    ) {
        let below: Vec<String> = below.iter().map(|&step| step.to_owned()).collect();
        let directory = listing.open(&self.user, &below);
        let sessions = directory.as_ref().map(|directory| sessions(listing, directory)).unwrap_or_default();
        let listed = list_below.map(|list_below| self.listed(listing, list_below)).unwrap_or_default();
        let with_file: HashSet<String> = sessions.iter().map(|session| session.id.clone()).collect();
        let titles: HashMap<&str, &str> =
            listed.iter().map(|listed| (listed.id.as_str(), listed.title.as_str())).collect();
        for session in sessions {
            let title = titles.get(session.id.as_str()).map(|&title| title.to_owned());
            let at = FileAt { base: self.user.clone(), below: below.clone(), name: session.name };
            let stamp = directory.as_ref().and_then(|directory| directory.stamp(&at.name));
            let is_small = session.no_data.is_none() && session.bytes <= MOST_SMALL;
            let is_empty = is_small
                .then(|| listing.head(&at, stamp, |at| self.head(at, listing.keep_going)))
                .and_then(|head| head.ok()?.is_empty);
            listing.add(Dialog {
                source: self.source,
                id: session.id,
                title,
                workspace: held.clone(),
                last_active: session.last_active,
                is_empty,
                place: Place { file: session.no_data.map_or(Ok(at), Err) },
            });
        }
        for missing in listed.iter().filter(|listed| !with_file.contains(&listed.id)) {
            listing.add(Dialog {
                source: self.source,
                id: missing.id.clone(),
                title: Some(missing.title.clone()),
                workspace: held.clone(),
                last_active: Timestamp(missing.last_message),
                is_empty: missing.is_empty,
                place: Place { file: Err(NoData::Missing) },
            });
        }
    }

    /// VS Code's own list in the database of a storage.
    fn listed(&self, listing: &mut Listing<'_>, below: &[&str]) -> Arc<Vec<ListEntry>> {
        let below: Vec<String> = below.iter().map(|&step| step.to_owned()).collect();
        let at = FileAt { base: self.user.clone(), below, name: own_list::NAME.into() };
        let Some(directory) = listing.open(&self.user, &at.below) else { return Arc::default() };
        let read = listing.lists.get(&at, &directory, listing.heads.round(), own_list::read);
        read.unwrap_or_else(|why| {
            tracing::debug!(path = %at.path().display(), %why, "VS Code's own list is left out");
            listing.unread += 1;
            Arc::default()
        })
    }

    /// Whether a small history has no request. One that is being written may be about to have its first.
    fn head(&self, at: &FileAt, keep_going: &dyn Fn() -> bool) -> Result<Head, NoData> {
        let opened = at.open()?;
        let mut pass = self.pass(&at.name);
        let is_empty = match run(pass.as_mut(), &opened.file, 0, opened.bytes.min(MOST_SMALL), keep_going) {
            Ok(_) => Some(pass.index().requests.is_empty()).filter(|_| !pass.index().is_cut),
            Err(Error::NoData(_)) => None,
            Err(_) => return Err(NoData::Unreadable),
        };
        Ok(Head { is_empty, ..Head::default() })
    }
}

impl Reader for VsCode {
    fn source(&self) -> Source {
        self.source
    }

    fn list(&self, listing: &mut Listing<'_>) {
        let storage = listing.open(&self.user, &[STORAGE.to_owned()]);
        let names = storage.as_ref().map(|storage| listing.names(storage)).unwrap_or_default();
        for name in names {
            if listing.is_stopped() {
                return;
            }
            let Some(directory) = storage.as_ref().and_then(|storage| storage.existing(&name).ok().flatten())
            else {
                continue;
            };
            let held = workspace::held_in(&directory, listing.heads);
            // Most workspaces are other projects': their lists are not looked at.
            if listing.scope.has(&held) {
                let at = [STORAGE, &name];
                self.sessions(listing, &[STORAGE, &name, "chatSessions"], Some(&at), &held);
            }
        }
        if listing.scope.has(&Workspace::NoFolder) {
            let global: &[&str] = &[GLOBAL];
            self.sessions(listing, &[GLOBAL, "emptyWindowChatSessions"], Some(global), &Workspace::NoFolder);
            self.sessions(listing, &[GLOBAL, "transferredChatSessions"], None, &Workspace::NoFolder);
        }
    }

    fn pass(&self, name: &str) -> Box<dyn Pass + Sync> {
        if name.ends_with(LOG) {
            Box::new(log::Log::default())
        } else {
            Box::new(session::Snapshot::default())
        }
    }
}

/// What a directory of histories holds; of two under one id the log.
fn sessions(listing: &mut Listing<'_>, directory: &Directory) -> Vec<Session> {
    let (files, others) = histories(listing, directory, &[LOG, SNAPSHOT]);
    let is_log = |name: &str| name.ends_with(LOG);
    let id = |name: &str| stem(name, LOG).or_else(|| stem(name, SNAPSHOT)).map(str::to_owned);
    let readable = files.iter().filter_map(|entry: &Entry| {
        Some(Session {
            id: id(&entry.name)?,
            name: entry.name.clone(),
            last_active: moment_of(entry),
            bytes: entry.bytes,
            no_data: None,
        })
    });
    let unreadable = others.iter().filter_map(|name| {
        let no_data = Some(no_file(directory, name));
        Some(Session { id: id(name)?, name: name.clone(), last_active: Timestamp(0), bytes: 0, no_data })
    });
    let mut all: Vec<Session> = readable.chain(unreadable).collect();
    // The log wins also where it cannot be read: what stands beside it is older, and would be told as what is so.
    all.sort_by_key(|session| !is_log(&session.name));
    let mut seen = HashSet::new();
    all.retain(|session| seen.insert(session.id.clone()));
    all
}
