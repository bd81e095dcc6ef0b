//! The dialogs that an agent may be told, the newest first, a page at a time.

use std::cmp::{Ordering, Reverse};
use std::str::FromStr;
use std::time::{Duration, Instant};

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::Timestamp;
use opentoolbar_core::prompt::neutralise;
use opentoolbar_core::protocol::{ConversationSummary, ErrorBody};
use opentoolbar_dialogs::{Dialog, Error, Histories, Workspace, preview};

use super::background::{PATIENCE, failed, read};
use super::source::Source;
use super::{own, scope};
use crate::mcp::context::Context;
use crate::mcp::outcome::Outcome;

/// How long the requests of a page's dialogs are counted.
pub(in crate::mcp) const COUNTING: Duration = Duration::from_secs(10);

/// Which dialogs are wanted.
#[derive(Clone, Debug, Default)]
pub(in crate::mcp) struct Which {
    /// Of which program; of all without it.
    pub(in crate::mcp) source: Option<Source>,
    pub(in crate::mcp) limit: usize,
    /// Where the page before ended.
    pub(in crate::mcp) after: Option<After>,
    /// How long histories are looked into: for the count of requests, and a title. Not at all by default.
    pub(in crate::mcp) looks_inside: Duration,
}

/// A page of dialogs.
#[derive(Debug, Default)]
pub(in crate::mcp) struct Listed {
    pub(in crate::mcp) dialogs: Vec<Entry>,
    pub(in crate::mcp) next: Option<After>,
    /// Directories that could not be looked into.
    pub(in crate::mcp) unread: usize,
    /// What is to be said of our own, where they could not be read.
    pub(in crate::mcp) left_out: Option<String>,
    /// Why it is not known whether the person allows dialogs of other projects.
    pub(in crate::mcp) permission: Option<ErrorBody>,
    /// Whether the agent works in no project, and nothing else is allowed.
    pub(in crate::mcp) is_nowhere: bool,
}

/// One dialog.
#[derive(Debug)]
pub(in crate::mcp) struct Entry {
    pub(in crate::mcp) session_id: String,
    pub(in crate::mcp) source: Source,
    /// The folder that it was held in, where it has one.
    pub(in crate::mcp) folder: Option<String>,
    pub(in crate::mcp) title: Option<String>,
    /// What was asked in it; none where it was not counted in time.
    pub(in crate::mcp) requests: Option<u64>,
    pub(in crate::mcp) last_active: Timestamp,
    /// Why its history cannot be had.
    pub(in crate::mcp) no_data: Option<String>,
}

impl Entry {
    /// Where it stands in the order.
    pub(in crate::mcp) fn place(&self) -> After {
        After::of(self.last_active, self.source, &self.session_id)
    }
}

/// A place in the order of dialogs. As text it is `<moment>.<source>.<id>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::mcp) struct After(Reverse<u64>, String, String);

impl After {
    fn of(moment: Timestamp, source: Source, id: &str) -> Self {
        Self(Reverse(moment.0), source.word().to_owned(), id.to_owned())
    }
}

impl After {
    /// Which of our own come behind it.
    fn of_own(&self) -> own::Behind {
        let Self(Reverse(moment), source, id) = self;
        let moment = Timestamp(*moment);
        match source.as_str().cmp(Source::Own.word()) {
            Ordering::Less => own::Behind { until: moment, id: None },
            Ordering::Equal => own::Behind { until: moment, id: id.parse().ok() },
            Ordering::Greater => own::Behind { until: Timestamp(moment.0.saturating_sub(1)), id: None },
        }
    }
}

impl std::fmt::Display for After {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(Reverse(moment), source, id) = self;
        write!(f, "{moment}.{source}.{id}")
    }
}

impl FromStr for After {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.splitn(3, '.');
        let mut next = || parts.next().ok_or(());
        let moment = next()?.parse().map_err(drop)?;
        Ok(Self(Reverse(moment), next()?.to_owned(), next()?.to_owned()))
    }
}

/// Of this machine or of ours.
enum Found {
    Theirs(Dialog),
    Own(ConversationSummary),
}

impl Found {
    fn place(&self) -> After {
        match self {
            Self::Theirs(one) => After::of(one.last_active, Source::Theirs(one.source), &one.id),
            Self::Own(one) => After::of(one.last_active, Source::Own, one.session_id.as_str()),
        }
    }
}

/// A page of the dialogs that the agent may be told.
pub(in crate::mcp) async fn list(context: &Context, which: Which) -> Result<Listed, Outcome> {
    let until = Instant::now() + PATIENCE;
    let (scope, permission) = scope::allowed(context).await;
    let Some(scope) = scope else { return Ok(Listed { permission, is_nowhere: true, ..Listed::default() }) };
    let mut found: Vec<Found> = Vec::new();
    let is_wanted = |source: Source| which.source.is_none_or(|wanted| wanted == source);
    let mut unread = 0;
    let mut left_out = None;
    if which.source != Some(Source::Own) {
        let listed = read(context, until, move |histories, going| histories.list(&scope, going)).await?;
        let listed = listed.map_err(failed)?;
        unread = listed.unread;
        let theirs = listed.dialogs.into_iter().filter(|dialog| is_wanted(Source::Theirs(dialog.source)));
        found.extend(theirs.map(Found::Theirs));
    }
    if is_wanted(Source::Own) {
        let behind = which.after.as_ref().map(After::of_own);
        // One more tells that there are others.
        match own::conversations(context, which.limit.saturating_add(1), behind.as_ref()).await {
            Ok(own) => found.extend(own.into_iter().map(Found::Own)),
            Err(error) => left_out = Some(own::left_out(&error)),
        }
    }
    found.sort_by_cached_key(Found::place);
    found.retain(|one| which.after.as_ref().is_none_or(|after| one.place() > *after));
    let next = found.len() > which.limit;
    found.truncate(which.limit);
    let next = found.last().filter(|_| next).map(Found::place);
    let inside = Instant::now() + which.looks_inside;
    let counting = read(context, until, move |histories, going| {
        let going = &|| going() && Instant::now() < inside;
        Ok(found.into_iter().map(|one| entry(one, histories, going)).collect())
    });
    let dialogs = counting.await?.map_err(failed)?;
    Ok(Listed { dialogs, next, unread, permission, left_out, is_nowhere: false })
}

/// Of other programs' dialogs the ids that begin so. Without our own, which the hub knows.
pub(in crate::mcp) async fn ids(context: &Context, prefix: &str) -> Vec<String> {
    let Some(scope) = scope::allowed(context).await.0 else { return Vec::new() };
    let until = Instant::now() + PATIENCE;
    let listed = read(context, until, move |histories, going| histories.list(&scope, going)).await;
    let Ok(Ok(listed)) = listed else { return Vec::new() };
    let ids = listed.dialogs.into_iter().map(|dialog| dialog.id);
    ids.filter(|id| id.starts_with(prefix)).collect()
}

fn entry(found: Found, histories: &Histories, going: &dyn Fn() -> bool) -> Entry {
    match found {
        Found::Own(one) => Entry {
            session_id: one.session_id.to_string(),
            source: Source::Own,
            folder: None,
            title: shown(one.first_request),
            requests: Some(one.requests.into()),
            last_active: one.last_active,
            no_data: None,
        },
        Found::Theirs(dialog) => {
            let requests = if going() { histories.requests(&dialog, going) } else { Err(Error::Stopped) };
            let title = match &requests {
                Ok(requests) => requests.title().map(str::to_owned),
                Err(_) => None,
            };
            // Its words, and no preview of them: what is secret is found in whole words alone.
            let first = || requests.as_ref().ok().and_then(|requests| requests.get(1, going).ok());
            let title = title.or_else(|| dialog.title.clone()).or_else(|| first().map(|asked| asked.words));
            Entry {
                folder: folder(&dialog.workspace),
                title: shown(title),
                requests: requests.as_ref().ok().map(opentoolbar_dialogs::Requests::count),
                no_data: match requests {
                    Err(Error::NoData(why)) => Some(why.to_string()),
                    _ => None,
                },
                source: Source::Theirs(dialog.source),
                last_active: dialog.last_active,
                session_id: dialog.id,
            }
        }
    }
}

/// Without secrets, and no longer than a line in a list.
fn shown(title: Option<String>) -> Option<String> {
    title.map(|title| preview(&neutralise(&redact_text(&title)))).filter(|title| !title.is_empty())
}

fn folder(workspace: &Workspace) -> Option<String> {
    match workspace {
        Workspace::Folders(folders) | Workspace::AllOf(folders) => {
            folders.first().map(|folder| folder.to_string_lossy().into_owned())
        }
        _ => None,
    }
}
