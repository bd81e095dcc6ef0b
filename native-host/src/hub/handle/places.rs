//! In which project a comment is that somebody names by its id. To look is never to wait for a project's disk: the
//! databases are in the home, and are read there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentoolbar_core::model::{CommentId, Project, SessionId};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, Role};
use tokio::task::JoinSet;

use super::projects::silent;
use super::roles::own_project;
use crate::error::{error, internal};
use crate::hub::live_session::unknown_session;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::project::project_at;
use crate::store::Store;

/// How long is looked for the project of a comment.
const WITHIN: Duration = Duration::from_secs(2);

/// The project that a request of this session is done in; from here on it is in that project's line alone, and has its
/// turn there. `page`: as [`Hub::project_for`] has it.
pub(super) async fn project_of(
    hub: &Arc<Hub>,
    turn: &Turn,
    session: &SessionId,
    page: Option<(&Peer, String)>,
) -> Result<Project, ErrorBody> {
    let project = hub.project_for(session, page).await?;
    turn.goes_to(hub, &project.root).await?;
    Ok(project)
}

/// Where a comment can be.
pub(super) enum Places {
    /// Of an agent or a verb: in its own project.
    Own(Project),
    /// Of a browser, whose outbox outlives its tabs.
    Of(OfBrowser),
}

pub(super) struct OfBrowser {
    /// That of the session it names, and those of its open tabs, in the order in which they are asked.
    likely: Vec<Project>,
    /// Whether the first one is of the session it names.
    is_named: bool,
    /// Other projects whose database is open anyway.
    open: Vec<PathBuf>,
}

pub(super) async fn places(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: Option<SessionId>,
) -> Result<Places, ErrorBody> {
    if peer.hello.role != Role::Browser {
        return Ok(Places::Own(own_project(peer)?.clone()));
    }
    let mut likely: Vec<Project> = Vec::new();
    let is_named = session.is_some();
    let is_own = |id: &SessionId| hub.live().sessions.get(id).is_some_and(|session| session.peer == peer.id);
    match session {
        Some(id) if is_own(&id) => likely.push(hub.project_for(&id, None).await?),
        // Unknown here is its session, not yet the comment: a browser opens it and asks again.
        Some(id) => {
            let before = hub.registry.session(&id).and_then(|root| project_at(&root));
            likely.push(before.ok_or_else(|| unknown_session(&id))?);
        }
        None => {}
    }
    {
        let live = hub.live();
        let own = live.sessions.values().filter(|session| session.peer == peer.id);
        likely.extend(own.filter_map(|session| session.project().cloned()));
    }
    let mut seen = BTreeSet::new();
    likely.retain(|project| seen.insert(PathBuf::from(&project.root)));
    let open = hub.stores.open_ones().into_iter().filter(|root| !seen.contains(root)).collect();
    Ok(Places::Of(OfBrowser { likely, is_named, open }))
}

impl OfBrowser {
    /// The project that has the comment, and why it could not be looked for everywhere. A change that is refused is
    /// lost to its person, so it is looked for in every project before it is called unknown, whichever databases happen
    /// to be open.
    pub(super) async fn find(&self, hub: &Arc<Hub>, id: &CommentId) -> (Option<Project>, Option<ErrorBody>) {
        let mut fault = None;
        let mut noted = |looked: Result<Option<Project>, ErrorBody>| {
            looked.unwrap_or_else(|error| {
                fault.get_or_insert(error);
                None
            })
        };
        let mut found = noted(self.with(hub, id).await);
        if found.is_none() {
            found = noted(self.elsewhere(hub, id).await);
        }
        if found.is_none() {
            // Each is taken over once, whoever asks first.
            let earlier = hub.blocking(|hub| hub.stores.awaiting_takeover()).await.unwrap_or_default();
            let earlier = earlier.into_iter().filter_map(|(root, store)| Some((project_at(&root)?, store)));
            found = noted(ask_each(earlier.collect(), id).await);
        }
        if found.is_none() {
            let absent = hub.blocking(|hub| hub.stores.absent_before_takeover()).await.flatten();
            found = noted(absent.map_or(Ok(None), |root| Err(absent_project(id, &root))));
        }
        if found.is_none() {
            found = noted(self.unseen(hub, id).await);
        }
        (found, fault)
    }

    /// The project whose database in the home has the comment: of the likely ones the first, else of those that are
    /// open.
    async fn with(&self, hub: &Arc<Hub>, id: &CommentId) -> Result<Option<Project>, ErrorBody> {
        let of_likely = self.likely.iter().map(|project| PathBuf::from(&project.root));
        let roots: Vec<PathBuf> = of_likely.chain(self.open.iter().cloned()).collect();
        let until = Instant::now() + WITHIN;
        let look = {
            let id = id.clone();
            hub.blocking(move |hub: &Hub| hub.stores.first_with(&id, &roots, until))
        };
        found_within(id, until, look).await
    }

    /// The same of all others. An id that is nobody's opens none of them.
    async fn elsewhere(&self, hub: &Arc<Hub>, id: &CommentId) -> Result<Option<Project>, ErrorBody> {
        let of_likely = self.likely.iter().map(|project| PathBuf::from(&project.root));
        let asked: BTreeSet<PathBuf> = of_likely.chain(self.open.iter().cloned()).collect();
        let until = Instant::now() + WITHIN;
        let look = async {
            // One look at a time, also while one hangs: ids that are nobody's must not take all threads.
            let one_at_a_time = Arc::clone(&hub.seeking).lock_owned().await;
            let id = id.clone();
            let work = move |hub: &Hub| {
                let found = hub.stores.project_with(&id, &asked, until);
                drop(one_at_a_time);
                found
            };
            hub.blocking(work).await
        };
        found_within(id, until, look).await
    }

    /// Where it is when no database has it: in the project that is named, which may be about to store it. Without a
    /// name, in a likely one that says so in time.
    async fn unseen(&self, hub: &Arc<Hub>, id: &CommentId) -> Result<Option<Project>, ErrorBody> {
        if self.is_named {
            return Ok(self.likely.first().cloned());
        }
        let of = |project: &Project| (project.clone(), hub.stores.of(project.root.as_ref()));
        ask_each(self.likely.iter().map(of).collect(), id).await
    }
}

/// The one of them whose store says that it has the comment. All are asked at once: one whose disk does not answer
/// keeps the others' comments from nobody.
async fn ask_each(stores: Vec<(Project, Arc<Store>)>, id: &CommentId) -> Result<Option<Project>, ErrorBody> {
    let mut looks = JoinSet::new();
    for (project, store) in stores {
        let id = id.clone();
        looks.spawn(async move {
            let found = tokio::time::timeout(WITHIN, store.get(id)).await;
            let found = found.unwrap_or_else(|_| Err(silent(project.root.as_ref())));
            found.map(|comment| comment.map(|_| project))
        });
    }
    let mut fault = None;
    while let Some(look) = looks.join_next().await {
        match look {
            Ok(Ok(Some(project))) => return Ok(Some(project)),
            Ok(Ok(None)) | Err(_) => {}
            Ok(Err(error)) => drop(fault.get_or_insert(error)),
        }
    }
    fault.map_or(Ok(None), Err)
}

/// Its disk may be mounted later.
fn absent_project(id: &CommentId, root: &Path) -> ErrorBody {
    error(
        ErrorCode::Storage,
        format!(
            "whether the comment {id} is in {} cannot be told: the project's directory is not there",
            root.display()
        ),
        "See whether its disk is mounted, or put the directory back; it is asked again.",
    )
}

type Found = Result<Option<PathBuf>, ErrorBody>;

async fn found_within(
    id: &CommentId,
    until: Instant,
    look: impl Future<Output = Option<Found>>,
) -> Result<Option<Project>, ErrorBody> {
    let late = || {
        error(
            ErrorCode::Storage,
            format!("in which project the comment {id} is could not be found out in time"),
            "See whether opentoolbar's home can be read; it is asked again.",
        )
    };
    let found = tokio::time::timeout_at(until.into(), look).await.map_err(|_| late())?;
    let found = found.ok_or_else(|| internal("the comment could not be looked for"))??;
    Ok(found.as_deref().and_then(|root: &Path| project_at(root)))
}
