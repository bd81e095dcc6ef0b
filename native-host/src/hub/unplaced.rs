//! What plain clients select and say before it is known to which project their page belongs. They have no outbox, and
//! the first agent may come much later: it is kept on disk ([`crate::store::Waiting`]), and stored in its order once
//! the project is known.

mod pages;
mod week;

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{ContextId, Session, SessionId, Timestamp};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode};

use super::answering::encode;
use super::changed::Stored;
use super::outbox::Outgoing;
use super::placing::Settle;
use super::state::Hub;
use crate::clock::now;
use crate::error::internal;
use crate::project::{Evidence, place};
use crate::store::{About, First, Latest, Page, Store, Thing, Unplaced, Waiting};
pub(super) use pages::Pages;
use pages::Storing;
pub(super) use week::Week;

/// Between two tries to store something, longer each time.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long an agent that comes waits for what is stored then.
const STORED_WITHIN: Duration = Duration::from_secs(2);

/// The project of a page.
enum Sought {
    In(String),
    Nowhere,
    /// Nothing of the page is kept any more.
    Gone,
}

/// Whether it may be stored later, as far as this answer tells.
fn may_pass(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::Storage | ErrorCode::RateLimited | ErrorCode::NoProject | ErrorCode::Internal)
}

impl Hub {
    async fn ask_waiting<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Waiting) -> Result<T, ErrorBody> + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let done = self.blocking(move |hub| work(&hub.waiting)).await;
        done.unwrap_or_else(|| Err(internal("what waits for its project could not be looked at")))
    }

    /// Whether what an earlier hub left could be read.
    pub(super) fn knows_unplaced(&self) -> bool {
        self.live().unplaced.is_read
    }

    /// Reads what an earlier hub left, when that could not be read until now.
    ///
    /// # Errors
    /// `storage`: it is still not known.
    pub(super) async fn know_unplaced(self: &Arc<Self>) -> Result<(), ErrorBody> {
        if self.live().unplaced.is_read {
            return Ok(());
        }
        let left = self.ask_waiting(Waiting::pages).await?;
        self.blocking(Self::know_earlier_sessions).await;
        {
            let mut live = self.live();
            live.unplaced.is_read = true;
            for page in &left {
                live.unplaced.kept.entry(page.clone()).or_default();
            }
        }
        left.iter().for_each(|page| self.place_unplaced(page));
        Ok(())
    }

    /// The same for who goes on without it, and soon.
    pub(super) async fn may_know_unplaced(self: &Arc<Self>) {
        // Told when the hub began.
        let _ = tokio::time::timeout(STORED_WITHIN, self.know_unplaced()).await;
    }

    /// Keeps something of a session that has no project: on disk when this returns. False when the session has one by
    /// now: then it is to be stored there. `about`: the page that it is about, when that is not the one the session is
    /// on.
    pub(super) async fn keep_unplaced(
        self: &Arc<Self>,
        id: &SessionId,
        about: Option<(Page, Session)>,
        one: Unplaced,
    ) -> Result<bool, ErrorBody> {
        let (page, session) = match about {
            Some(about) => about,
            None => {
                let live = self.live();
                let Some(open) = live.sessions.get(id).filter(|open| open.project().is_none()) else {
                    return Ok(false);
                };
                (Page { session: id.clone(), origin: open.origin.clone() }, open.session.clone())
            }
        };
        let kept = page.clone();
        self.ask_waiting(move |waiting| waiting.keep(&kept, &session, &one)).await?;
        self.may_know_unplaced().await;
        let is_placed = {
            let mut live = self.live();
            // All of it may be stored, but for this.
            live.unplaced.kept.entry(page.clone()).or_default().is_asked_again = true;
            live.sessions
                .get(id)
                .is_none_or(|session| session.origin != page.origin || session.project().is_some())
        };
        if is_placed {
            self.place_unplaced(&page);
        }
        Ok(true)
    }

    /// The page on which a selection that is kept was made, when that is not the one the session is on.
    pub(super) async fn unplaced_elsewhere(
        self: &Arc<Self>,
        session: &SessionId,
        context: Option<&ContextId>,
    ) -> Result<Option<(Page, Session)>, ErrorBody> {
        let Some(context) = context.filter(|_| self.live().unplaced.is_of(session)).cloned() else {
            return Ok(None);
        };
        let of = session.clone();
        let found = self.ask_waiting(move |waiting| waiting.page_of(&of, &context)).await?;
        let live = self.live();
        let now = live.sessions.get(session).map(|session| &session.origin);
        Ok(found.filter(|(page, _)| now != Some(&page.origin)))
    }

    /// What words are about that name no selection and are said on the page that the session is on now.
    ///
    /// # Errors
    /// `storage`: whether one was lost is not known.
    pub(super) async fn latest_selection_on_page(
        self: &Arc<Self>,
        session: &SessionId,
    ) -> Result<Latest, ErrorBody> {
        let origin = self.live().sessions.get(session).map(|open| open.origin.clone()).unwrap_or_default();
        // What was kept of the page was looked at before.
        if self.waiting.unreadable() == 0 {
            return Ok(Latest { origin, lost: None });
        }
        let page = Page { session: session.clone(), origin: origin.clone() };
        let lost = self.ask_waiting(move |waiting| waiting.lost_selection(&page)).await?;
        Ok(Latest { origin, lost })
    }

    /// A tab is on a page: what was said in it on pages of another origin does not go where it goes now.
    pub(super) async fn note_unplaced_page(self: &Arc<Self>, session: &SessionId, origin: &str) {
        if !self.live().unplaced.is_of(session) {
            return;
        }
        let page = Page { session: session.clone(), origin: origin.to_owned() };
        if let Err(error) = self.ask_waiting(move |waiting| waiting.is_on(&page)).await {
            tracing::warn!(%error, "that a tab went to another page is not noted");
        }
    }

    /// Looks for the projects of the pages that a changed fact concerns, and waits a little for what is stored then.
    pub(super) async fn settle_unplaced(self: &Arc<Self>, which: &Settle, placed: &[SessionId]) {
        self.may_know_unplaced().await;
        let concerned: Vec<Page> = {
            let live = self.live();
            let is_concerned = |page: &&Page| match which {
                Settle::New => placed.contains(&page.session),
                Settle::Origin(origin) => page.origin == *origin || placed.contains(&page.session),
                Settle::WithoutProject | Settle::All => true,
            };
            live.unplaced.kept.keys().filter(is_concerned).cloned().collect()
        };
        concerned.iter().for_each(|page| self.place_unplaced(page));
        let all = async {
            for page in &concerned {
                let _ = self.is_stored(page, None).await;
            }
        };
        // One disk that does not answer holds up nobody else's place.
        let _ = tokio::time::timeout(STORED_WITHIN, all).await;
    }

    /// Stores what is kept of a page where it belongs now: beside everything else, as that disk may be slow.
    fn place_unplaced(self: &Arc<Self>, page: &Page) {
        {
            let mut live = self.live();
            let Some(kept) = live.unplaced.kept.get_mut(page) else { return };
            let is_begun = kept.storing.send_if_modified(|storing| {
                let rests = matches!(storing, Storing::Rests);
                if rests {
                    *storing = Storing::Seeks;
                }
                rests
            });
            if !is_begun {
                kept.is_asked_again = true;
                kept.again.notify_one();
                return;
            }
            kept.is_asked_again = false;
        }
        let (hub, page) = (Arc::clone(self), page.clone());
        tokio::spawn(async move { hub.store_page(&page).await });
    }

    async fn store_page(self: &Arc<Self>, page: &Page) {
        let mut pause = FIRST_PAUSE;
        loop {
            let root = match self.project_of_unplaced(page).await {
                Sought::In(root) => root,
                Sought::Nowhere if self.rests(page) => return,
                Sought::Gone if self.is_done(page) => return,
                Sought::Nowhere | Sought::Gone => continue,
            };
            self.live().unplaced.note(page, Storing::Goes(root.clone()));
            let Err(error) = self.store_all(page, &root).await else {
                if self.is_done(page) {
                    return;
                }
                pause = FIRST_PAUSE;
                continue;
            };
            tracing::warn!(code = ?error.code, "what was sent before its project was known is not stored yet");
            self.live().unplaced.note(page, Storing::Failed(root, error));
            let again = self.live().unplaced.kept.get(page).map(|kept| Arc::clone(&kept.again));
            let Some(again) = again else { return };
            let _ = tokio::time::timeout(pause, again.notified()).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// The project of the page by what is true of it now: never one to which its tab came with another page.
    async fn project_of_unplaced(self: &Arc<Self>, page: &Page) -> Sought {
        let sought = Arc::clone(&self.live().unplaced.sought);
        // Never closed.
        let turn = sought.acquire().await;
        let port = self.port_of(&page.origin).await;
        let agents = self.agents().into_iter().map(|agent| agent.project).collect();
        let (page, session) = (page.clone(), page.session.clone());
        let looked = self.blocking(move |hub| {
            let Some(whereto) = hub.waiting.whereto(&page)? else { return Ok(Sought::Gone) };
            let evidence = Evidence {
                chosen: hub.registry.chosen(&page.origin),
                origin: page.origin,
                url: whereto.url,
                port,
                agents: if whereto.is_left { Vec::new() } else { agents },
                // Some of it may be stored there already.
                stays: whereto.root,
                before: None,
                known: hub.registry.known(),
                is_known_only: true,
            };
            let Some(project) = place(&evidence).project else { return Ok(Sought::Nowhere) };
            // Its client may be gone, and is told there what it missed when it comes back.
            if !whereto.is_left
                && let Err(error) = hub.registry.remember_session(&session, project.root.as_ref(), now())
            {
                tracing::warn!(%error, "a session is not remembered");
            }
            Ok(Sought::In(project.root))
        });
        let found = looked.await.unwrap_or(Ok(Sought::Nowhere)).unwrap_or_else(|error: ErrorBody| {
            tracing::warn!(%error, "what waits for its project cannot be read");
            Sought::Nowhere
        });
        drop(turn);
        self.save_registry_soon().await;
        found
    }

    /// All that is kept of a page, until there is no more.
    async fn store_all(self: &Arc<Self>, page: &Page, root: &str) -> Result<(), ErrorBody> {
        let project = self.stores.of(root.as_ref());
        let (of, to) = (page.clone(), root.to_owned());
        // Killed in the middle of it, the next hub goes on there.
        self.ask_waiting(move |waiting| waiting.goes_to(&of, to.as_ref())).await?;
        loop {
            let of = page.clone();
            let Some(first) = self.ask_waiting(move |waiting| waiting.first(&of)).await? else {
                return Ok(());
            };
            let (number, message) = (first.number, first.one.sent.message.clone());
            match self.store_and_tell(first, &project, (page, root)).await {
                Ok(()) => {}
                Err(error) if may_pass(error.code) => return Err(error),
                Err(error) => {
                    tracing::error!(code = ?error.code, session = %page.session, "what was sent before its project was \
                                    known is let go: it can never be stored");
                    let lost = Answer::Error(ErrorBody {
                        message: format!(
                            "what was kept until its project was known is not stored: {}",
                            error.message
                        ),
                        ..error
                    });
                    if let Ok(json) = encode(Some(message), lost) {
                        let live = self.live();
                        let is_its = |plain: &super::plain::Plain| plain.session == page.session;
                        let own = live.peers.values().filter(|peer| peer.plain.as_ref().is_some_and(is_its));
                        own.for_each(|peer| peer.tell(Outgoing::new(json.clone())));
                    }
                }
            }
            self.ask_waiting(move |waiting| waiting.forget(number)).await?;
        }
    }

    /// As what is stored at once.
    async fn store_and_tell(
        &self,
        first: First,
        store: &Store,
        (page, root): (&Page, &str),
    ) -> Result<(), ErrorBody> {
        let First { one: Unplaced { sent, at, thing }, made, lost, .. } = first;
        // What came while the clock was ahead is not yet to come.
        let (at, made) = (at.min(now()), made.min(now()));
        match thing {
            Thing::Selected { context, pictures } => {
                let id = store.store_kept_context(sent, *context, pictures, (made, at)).await?;
                self.tell_stored(root, Stored::Selected(&id));
            }
            Thing::Said { context, text } => {
                let about = About::of(context.clone(), Latest { origin: page.origin.clone(), lost });
                let said = store.say_kept(sent, page.session.clone(), about, text, (made, at)).await?;
                let (session, about, is_first) = (&page.session, context.as_ref(), said.is_first);
                self.tell_stored(root, Stored::Said { session, about, is_first });
            }
        }
        Ok(())
    }

    /// False when a fact has changed meanwhile.
    fn rests(&self, page: &Page) -> bool {
        let mut live = self.live();
        let Some(kept) = live.unplaced.kept.get_mut(page) else { return true };
        if std::mem::take(&mut kept.is_asked_again) {
            return false;
        }
        kept.storing.send_replace(Storing::Rests);
        true
    }

    /// False when something may have come meanwhile.
    fn is_done(&self, page: &Page) -> bool {
        let mut live = self.live();
        let Some(kept) = live.unplaced.kept.get_mut(page) else { return true };
        if std::mem::take(&mut kept.is_asked_again) {
            return false;
        }
        live.unplaced.kept.remove(page);
        true
    }

    /// Returns when nothing waits any more that goes to this project and was said on the session's page before, so that
    /// what comes now is stored behind it.
    ///
    /// # Errors
    /// What the project says to it.
    pub(super) async fn unplaced_is_stored(
        self: &Arc<Self>,
        session: &SessionId,
        root: &str,
    ) -> Result<(), ErrorBody> {
        self.may_know_unplaced().await;
        let page = {
            let live = self.live();
            let Some(open) = live.sessions.get(session) else { return Ok(()) };
            Page { session: session.clone(), origin: open.origin.clone() }
        };
        self.is_stored(&page, Some(root)).await
    }

    async fn is_stored(self: &Arc<Self>, page: &Page, root: Option<&str>) -> Result<(), ErrorBody> {
        let storing = self.live().unplaced.kept.get(page).map(|kept| kept.storing.subscribe());
        let Some(mut storing) = storing else { return Ok(()) };
        if let Some(root) = root {
            // Also what was refused a moment ago: an earlier answer is none to this.
            self.place_unplaced(page);
            if matches!(&*storing.borrow(), Storing::Goes(to) if to != root) {
                return Ok(());
            }
        } else if !matches!(&*storing.borrow(), Storing::Seeks | Storing::Goes(_)) {
            return Ok(());
        }
        while storing.changed().await.is_ok() {
            match &*storing.borrow_and_update() {
                Storing::Seeks => {}
                Storing::Goes(to) if root.is_none_or(|root| root == to) => {}
                Storing::Failed(to, error) if root == Some(to) => return Err(error.clone()),
                Storing::Rests | Storing::Goes(_) | Storing::Failed(..) => break,
            }
        }
        Ok(())
    }

    /// The person took back what was said in this session. What is being stored at this moment is in its project when
    /// this returns, unless that disk is slow.
    ///
    /// # Errors
    /// `storage`.
    pub(super) async fn take_back_unplaced(self: &Arc<Self>, session: &SessionId) -> Result<(), ErrorBody> {
        let of = session.clone();
        self.ask_waiting(move |waiting| waiting.take_back(&of)).await?;
        self.may_know_unplaced().await;
        let pages: Vec<Page> = {
            let live = self.live();
            live.unplaced.kept.keys().filter(|page| page.session == *session).cloned().collect()
        };
        let stored = async {
            for page in &pages {
                let _ = self.is_stored(page, None).await;
            }
        };
        let _ = tokio::time::timeout(STORED_WITHIN, stored).await;
        Ok(())
    }

    /// The page on which something was kept last, and when.
    pub(super) async fn unplaced_page(
        self: &Arc<Self>,
        session: &SessionId,
    ) -> Result<Option<(Session, Timestamp)>, ErrorBody> {
        self.may_know_unplaced().await;
        if !self.live().unplaced.is_of(session) {
            return Ok(None);
        }
        let session = session.clone();
        self.ask_waiting(move |waiting| waiting.latest_page(&session)).await
    }

    /// Lets go of what nobody asked for in a week. What is too old is asked of the file: rows that cannot be read are
    /// of no page here.
    pub(super) async fn forget_unplaced(self: &Arc<Self>, before: Timestamp) {
        match self.ask_waiting(move |waiting| waiting.forget_before(before)).await {
            Ok(0) => {}
            // Pages of which nothing is left are seen when their project is looked for.
            Ok(count) => tracing::warn!(count, "what waited a week for its project is let go"),
            Err(error) => tracing::warn!(%error, "what waited too long for its project is still kept"),
        }
    }
}
