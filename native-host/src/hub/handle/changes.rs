//! When files of a tab's project changed, and whether words stand in them.

use std::path::PathBuf;
use std::sync::Arc;

use opentoolbar_core::anchor::FoundIn;
use opentoolbar_core::model::{SessionId, Timestamp};
use opentoolbar_core::protocol::{Answer, ErrorBody, FileChanged, SourceQuery};

use super::projects::silent;
use crate::error::internal;
use crate::hub::live_session::unknown_session;
use crate::hub::state::{Hub, Peer};
use crate::project::{Asked, Changed, WordsAsked, changes, words};

pub(super) async fn get(
    hub: &Arc<Hub>,
    peer: &Peer,
    id: SessionId,
    since: Timestamp,
    files: Vec<String>,
) -> Result<Answer, ErrorBody> {
    let (root, served_from) = places(hub, peer, &id)?;
    let Some(root) = root else {
        let files = vec![FileChanged::default(); files.len()];
        return Ok(Answer::SourceChanges { at: None, files });
    };
    let asked = Asked { root: root.clone(), served_from, since: since.0, files };
    let looked = hub.blocking(move |hub| changes(&asked, &hub.sources.known(&asked.root))).await;
    let changed = looked.ok_or_else(|| internal("the project's files could not be looked at"))?;
    let Changed { at, files } = changed.ok_or_else(|| silent(&root))?;
    let of_file =
        |file: crate::project::FileAt| FileChanged { known: file.is_known, at: file.at.map(Timestamp) };
    Ok(Answer::SourceChanges { at: at.map(Timestamp), files: files.into_iter().map(of_file).collect() })
}

/// Of a tab without a project nothing can be told. Nor is anything to a browser over the gateway: by many questions it
/// could find out what a file says.
pub(super) async fn find(
    hub: &Arc<Hub>,
    peer: &Peer,
    id: SessionId,
    queries: Vec<SourceQuery>,
) -> Result<Answer, ErrorBody> {
    let (root, served_from) = places(hub, peer, &id)?;
    let Some(root) = root.filter(|_| !peer.is_over_gateway()) else {
        let found = queries.iter().map(|query| vec![FoundIn::Unknown; query.words.len()]).collect();
        return Ok(Answer::FoundInSource { found });
    };
    // Nobody closes it.
    let turn = hub.sources.search(&root).acquire_owned().await.ok();
    let asked = WordsAsked { root: root.clone(), served_from, queries };
    // Gone when nobody waits for the answer any more, as its connection has ended.
    let asker = Arc::new(());
    let is_wanted = Arc::downgrade(&asker);
    let looked = hub.blocking(move |hub| {
        let _turn = turn;
        words(&asked, &hub.sources.known(&asked.root), &|| is_wanted.strong_count() > 0)
    });
    let looked = looked.await;
    drop(asker);
    let found = looked.ok_or_else(|| internal("the project's files could not be read"))?;
    Ok(Answer::FoundInSource { found: found.ok_or_else(|| silent(&root))? })
}

/// The project of a tab, and where in it the page's server runs.
fn places(hub: &Hub, peer: &Peer, id: &SessionId) -> Result<(Option<PathBuf>, Option<PathBuf>), ErrorBody> {
    let live = hub.live();
    let session = live.sessions.get(id).filter(|session| session.peer == peer.id);
    let session = session.ok_or_else(|| unknown_session(id))?;
    Ok((session.project().map(|project| PathBuf::from(&project.root)), session.served_from()))
}
