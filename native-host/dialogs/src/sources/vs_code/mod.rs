//! VS Code, its Insiders and VSCodium: Copilot Chat. A directory for each workspace, `chatSessions/<id>.jsonl` or the
//! older `<id>.json` in it, and a list of its own in `state.vscdb`.

mod log;
mod own_list;
mod path;
mod session;
mod workspace;

use std::collections::HashSet;
use std::path::PathBuf;

use opentoolbar_core::model::Timestamp;
use opentoolbar_leaves::files::{Directory, Entry};

use super::reader::{Listing, Reader, histories, moment_of, no_file, stem};
use crate::dialog::{Dialog, Source, Workspace};
use crate::error::NoData;
use crate::pass::Pass;
use crate::place::{FileAt, Place, open_in};

const LOG: &str = ".jsonl";
const SNAPSHOT: &str = ".json";
const STORAGE: &str = "workspaceStorage";
const GLOBAL: &str = "globalStorage";

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
        let sessions =
            listing.open(&self.user, &below).map(|directory| sessions(&directory)).unwrap_or_default();
        let listed = list_below.map(|list_below| {
            let below: Vec<String> = list_below.iter().map(|&step| step.to_owned()).collect();
            let at = FileAt { base: self.user.clone(), below: below.clone(), name: own_list::NAME.into() };
            let directory = listing.open(&self.user, &below);
            let stamp = directory.as_ref().and_then(|directory| directory.stamp(own_list::NAME));
            let read = || {
                let opened = directory.and_then(|directory| open_in(&directory, own_list::NAME).ok());
                opened.and_then(own_list::read).unwrap_or_default()
            };
            if stamp.is_some() { listing.heads.list(&at, stamp, read) } else { Default::default() }
        });
        let listed = listed.unwrap_or_default();
        let with_file: HashSet<String> = sessions.iter().map(|session| session.id.clone()).collect();
        for session in sessions {
            let title =
                listed.iter().find(|listed| listed.id == session.id).map(|listed| listed.title.clone());
            let at = FileAt { base: self.user.clone(), below: below.clone(), name: session.name };
            listing.add(Dialog {
                source: self.source,
                id: session.id,
                title,
                workspace: held.clone(),
                last_active: session.last_active,
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
                place: Place { file: Err(NoData::Missing) },
            });
        }
    }
}

impl Reader for VsCode {
    fn source(&self) -> Source {
        self.source
    }

    fn list(&self, listing: &mut Listing<'_>) {
        let storage = listing.open(&self.user, &[STORAGE.to_owned()]);
        let names = storage.as_ref().and_then(|storage| storage.all_names().ok()).unwrap_or_default();
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
fn sessions(directory: &Directory) -> Vec<Session> {
    let (files, others) = histories(directory, &[LOG, SNAPSHOT]);
    let is_log = |name: &str| name.ends_with(LOG);
    let id = |name: &str| stem(name, LOG).or_else(|| stem(name, SNAPSHOT)).map(str::to_owned);
    let readable = files.iter().filter_map(|entry: &Entry| {
        Some(Session {
            id: id(&entry.name)?,
            name: entry.name.clone(),
            last_active: moment_of(entry),
            no_data: None,
        })
    });
    let unreadable = others.iter().filter_map(|name| {
        let no_data = Some(no_file(directory, name));
        Some(Session { id: id(name)?, name: name.clone(), last_active: Timestamp(0), no_data })
    });
    let mut all: Vec<Session> = readable.chain(unreadable).collect();
    // The log wins also where it cannot be read: what stands beside it is older, and would be told as what is so.
    all.sort_by_key(|session| !is_log(&session.name));
    let mut seen = HashSet::new();
    all.retain(|session| seen.insert(session.id.clone()));
    all
}
