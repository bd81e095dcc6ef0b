//! `search_dialogs`: where words were said in earlier dialogs of this project.

use opentoolbar_core::prompt::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_dialogs::{Source, cursor};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::dialogs::{self, Wanted};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, budget, schema};

const NAME: &str = "search_dialogs";

/// Places of a page, at most and when `limit` is not given: so many fit into an answer, told shorter where they are
/// dear.
const MOST: u32 = 20;
/// Characters of a place and its title where an answer would be too large.
const SHORT: usize = 60;

/// Tokens of everything but the places.
const REST: usize = 500;

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Search dialogs",
    toolsets: &[Toolset::Dialogs],
    effect: Effect::Reads,
    description: "\
Finds texts that have all the words, in earlier dialogs of this project, from the newest to the oldest. Takes 10 s at \
most; nextCursor goes on.

Use this tool when:
- you need what was asked or answered before, and not where

Example usage scenarios:
- \"As we agreed on the header\": query \"header sticky\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Words, in any case
    query: String,
    /// Default: all
    #[serde(default)]
    #[schemars(with = "Source")]
    source: Option<Source>,
    /// Default 20
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = MOST))]
    limit: Option<u32>,
    /// nextCursor, same query
    #[serde(default)]
    #[schemars(with = "String")]
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    found: Vec<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    notice: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    // The request, or the one that was answered, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    // person or agent
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    // Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    snippet: String,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let limit = arguments::within("limit", wanted.limit.unwrap_or(MOST), 1, MOST)?;
    let wanted = Wanted {
        words: wanted.query,
        source: wanted.source.map(Into::into),
        limit: limit as usize,
        after: wanted.cursor.as_deref().map(cursor).transpose()?,
    };
    let found = dialogs::search(context, wanted).await?;
    let mut notes = Vec::new();
    if found.was_stopped {
        notes.push(format!(
            "The time ran out after {} of {} dialogs of other programs: call again with nextCursor.",
            found.looked_through, found.dialogs
        ));
    }
    if found.unreadable > 0 {
        notes.push(format!("{} dialogs could not be read.", found.unreadable));
    }
    if found.is_nowhere {
        notes.push(dialogs::NOWHERE.to_owned());
    } else if found.hits.is_empty() && !found.was_stopped {
        notes.push(match found.next {
            Some(_) => "Nothing yet: call again with nextCursor.".to_owned(),
            None => "Nothing was found.".to_owned(),
        });
    }
    notes.extend(found.left_out);
    notes.extend(found.permission.as_ref().map(dialogs::not_known));
    let told = |hit: dialogs::Hit| Place {
        session_id: hit.session_id,
        source: hit.source.word(),
        title: hit.title,
        index: hit.request,
        by: hit.by,
        timestamp: hit.at.map(|at| at.0),
        snippet: hit.snippet,
    };
    let mut places: Vec<Place> = found.hits.into_iter().map(told).collect();
    let cost = serde_json::to_string(&places).map_or(usize::MAX, |json| budget::tokens(&json));
    if cost > budget::ANSWER - REST {
        for place in &mut places {
            place.snippet = one_line(&place.snippet, SHORT);
            place.title = place.title.take().map(|title| one_line(&title, SHORT));
        }
    }
    Ok(Outcome::success(&Told {
        found: places,
        next_cursor: found.next.map(|next| next.to_string()),
        note: (!notes.is_empty()).then(|| notes.join(" ")),
        notice: dialogs::NOTICE,
    }))
}
