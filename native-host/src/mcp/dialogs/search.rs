//! Looking for words in the dialogs that an agent may be told: ours first, then those of other programs, from the
//! newest to the oldest.

use std::str::FromStr;
use std::time::{Duration, Instant};

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::{MessageRole, Timestamp};
use opentoolbar_core::prompt::{neutralise, one_line};
use opentoolbar_core::protocol::ErrorBody;
use opentoolbar_dialogs::{Cursor, Query, Speaker, preview};

use super::background::{failed, read};
use super::source::Source;
use super::{own, scope};
use crate::mcp::context::Context;
use crate::mcp::outcome::Outcome;

/// Characters of a place in our own chats.
const SNIPPET: usize = 200;
/// Who said it.
const PERSON: &str = "person";
const AGENT: &str = "agent";
/// How long one page is looked for.
const WITHIN: Duration = Duration::from_secs(10);

/// Where a page ended.
#[derive(Clone, Debug)]
pub(in crate::mcp) enum Reached {
    /// Behind this place in our own.
    Own(u64),
    /// In another program's.
    Theirs(Cursor),
}

impl std::fmt::Display for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Own(place) => write!(f, "{}.{place}", own::SOURCE),
            Self::Theirs(cursor) => cursor.fmt(f),
        }
    }
}

impl FromStr for Reached {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.strip_prefix(own::SOURCE).and_then(|rest| rest.strip_prefix('.')) {
            Some(place) => place.parse().map(Self::Own).map_err(drop),
            None => text.parse().map(Self::Theirs).map_err(drop),
        }
    }
}

/// What is looked for.
#[derive(Debug)]
pub(in crate::mcp) struct Wanted {
    pub(in crate::mcp) words: String,
    /// Of which program; of all without it.
    pub(in crate::mcp) source: Option<Source>,
    pub(in crate::mcp) limit: usize,
    pub(in crate::mcp) after: Option<Reached>,
}

/// A page of what was found.
#[derive(Debug, Default)]
pub(in crate::mcp) struct Found {
    pub(in crate::mcp) hits: Vec<Hit>,
    pub(in crate::mcp) next: Option<Reached>,
    /// Other programs' dialogs that were looked through, of how many, and those that could not be.
    pub(in crate::mcp) looked_through: usize,
    pub(in crate::mcp) dialogs: usize,
    pub(in crate::mcp) unreadable: usize,
    /// Whether the time ran out.
    pub(in crate::mcp) was_stopped: bool,
    /// What is to be said of our own, where they could not be read.
    pub(in crate::mcp) left_out: Option<String>,
    /// Why it is not known whether the person allows dialogs of other projects.
    pub(in crate::mcp) permission: Option<ErrorBody>,
    /// Whether the agent works in no project, and nothing else is allowed.
    pub(in crate::mcp) is_nowhere: bool,
}

/// One place.
#[derive(Debug)]
pub(in crate::mcp) struct Hit {
    pub(in crate::mcp) session_id: Option<String>,
    pub(in crate::mcp) source: Source,
    pub(in crate::mcp) title: Option<String>,
    /// Which request, or which one was answered; none where it is not known.
    pub(in crate::mcp) request: Option<u64>,
    /// `person` or `agent`; none where it is not known.
    pub(in crate::mcp) by: Option<&'static str>,
    pub(in crate::mcp) at: Option<Timestamp>,
    pub(in crate::mcp) snippet: String,
}

/// A page of places with the words.
pub(in crate::mcp) async fn search(context: &Context, wanted: Wanted) -> Result<Found, Outcome> {
    let (scope, permission) = scope::allowed(context).await;
    let Some(scope) = scope else { return Ok(Found { permission, is_nowhere: true, ..Found::default() }) };
    let Some(mut query) = Query::new(&wanted.words, scope) else {
        return Err(Outcome::refused(
            "`query` has no word, or too many",
            "Give one to 16 words, at most 1,000 bytes. All must be in a text.",
        ));
    };
    let mut found = Found { permission, ..Found::default() };
    let is_own = wanted.source.is_none_or(|source| source == Source::Own);
    if let (true, None | Some(Reached::Own(_))) = (is_own, &wanted.after) {
        let before = match wanted.after {
            Some(Reached::Own(place)) => Some(place),
            _ => None,
        };
        let limit = u32::try_from(wanted.limit).unwrap_or(u32::MAX);
        let ours = own::search(context, wanted.words.clone(), limit, before).await.unwrap_or_else(|error| {
            found.left_out = Some(own::left_out(&error));
            own::Found::default()
        });
        found.hits = ours.hits.into_iter().map(own_hit).collect();
        if ours.more || (found.hits.len() == wanted.limit && wanted.source.is_none()) {
            found.next = ours.last.map(Reached::Own);
            return Ok(found);
        }
    }
    query.source = match wanted.source {
        Some(Source::Own) => return Ok(found),
        Some(Source::Theirs(source)) => Some(source),
        None => None,
    };
    query.most = wanted.limit.saturating_sub(found.hits.len());
    query.clean = |text| neutralise(&redact_text(text));
    query.after = match wanted.after {
        Some(Reached::Theirs(cursor)) => Some(cursor),
        _ => None,
    };
    let reading =
        read(context, Instant::now() + WITHIN, move |histories, going| histories.search(&query, going));
    let theirs = reading.await?.map_err(failed)?;
    found.hits.extend(theirs.hits.into_iter().map(|hit| Hit {
        session_id: Some(hit.dialog.id),
        source: Source::Theirs(hit.dialog.source),
        title: hit.title.map(|title| preview(&neutralise(&redact_text(&title)))),
        request: Some(hit.request).filter(|request| *request > 0),
        by: Some(match hit.speaker {
            Speaker::Person => PERSON,
            Speaker::Agent => AGENT,
        }),
        at: hit.at,
        snippet: hit.snippet,
    }));
    found.next = theirs.next.map(Reached::Theirs);
    (found.looked_through, found.dialogs) = (theirs.looked_through, theirs.dialogs);
    (found.unreadable, found.was_stopped) = (theirs.unreadable, theirs.was_stopped);
    Ok(found)
}

fn own_hit(hit: opentoolbar_core::protocol::Hit) -> Hit {
    Hit {
        session_id: hit.session_id.map(|id| id.to_string()),
        source: Source::Own,
        title: None,
        request: hit.request.map(u64::from),
        by: hit.role.map(|role| match role {
            MessageRole::User => PERSON,
            MessageRole::Assistant => AGENT,
        }),
        at: Some(hit.at),
        // The index tells whole words, and a word may be a picture.
        snippet: one_line(&redact_text(&hit.excerpt), SNIPPET),
    }
}
