//! `list_dialogs`: what was talked about in this project, with which agent, the newest first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::dialogs::{self, Which};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, budget, schema};

const NAME: &str = "list_dialogs";

/// Dialogs of a page when `limit` is not given, and at most.
const LIMIT: u32 = 20;
const MOST: u32 = 50;

/// Tokens of everything but the dialogs.
const REST: usize = 500;

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "List dialogs",
    toolsets: &[Toolset::Dialogs],
    effect: Effect::Reads,
    description: "\
Lists earlier dialogs of this project, of VS Code's chat, Claude Code, Codex and the chat beside the page, the latest \
first.

Use this tool when:
- the person speaks of an earlier dialog and you need its sessionId

Example usage scenarios:
- \"What did I ask Codex yesterday?\": source \"codex\", then copilot_chat_secretary_get_request",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

/// Which program.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Source {
    VsCode,
    VsCodeInsiders,
    #[serde(rename = "vscodium")]
    VsCodium,
    ClaudeCode,
    Codex,
    Opentoolbar,
}

impl From<Source> for dialogs::Source {
    fn from(source: Source) -> Self {
        use opentoolbar_dialogs::Source as Program;
        match source {
            Source::VsCode => Self::Theirs(Program::VsCode),
            Source::VsCodeInsiders => Self::Theirs(Program::VsCodeInsiders),
            Source::VsCodium => Self::Theirs(Program::VsCodium),
            Source::ClaudeCode => Self::Theirs(Program::ClaudeCode),
            Source::Codex => Self::Theirs(Program::Codex),
            Source::Opentoolbar => Self::Own,
        }
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Default: all
    #[schemars(with = "Source")]
    source: Option<Source>,
    /// Default 20
    #[schemars(with = "u32", range(min = 1, max = MOST))]
    limit: Option<u32>,
    /// nextCursor
    #[schemars(with = "String")]
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    dialogs: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    notice: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Entry {
    session_id: String,
    source: &'static str,
    // The folder; absent of our own, which are this project's.
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    // Absent where it was not counted in time, or cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<u64>,
    // Milliseconds since 1970.
    last_active: u64,
    // Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let limit = arguments::within("limit", wanted.limit.unwrap_or(LIMIT), 1, MOST)?;
    let which = Which {
        source: wanted.source.map(Into::into),
        limit: limit as usize,
        after: wanted.cursor.as_deref().map(cursor).transpose()?,
        looks_inside: dialogs::COUNTING,
    };
    let mut found = dialogs::list(context, which).await?;
    let mut left = budget::ANSWER - REST;
    let mut told = Vec::new();
    let mut ends = Vec::new();
    for one in found.dialogs {
        ends.push(one.place());
        let entry = Entry {
            session_id: one.session_id,
            source: one.source.word(),
            project: one.folder,
            title: one.title,
            requests: one.requests,
            last_active: one.last_active.0,
            unavailable: one.no_data,
        };
        let cost = serde_json::to_string(&entry).map_or(usize::MAX, |json| budget::tokens(&json) + 1);
        if cost > left && !told.is_empty() {
            // The next page begins behind the last one that fitted.
            ends.pop();
            found.next = ends.pop();
            break;
        }
        left = left.saturating_sub(cost);
        told.push(entry);
    }
    let mut notes = Vec::new();
    if told.is_empty() {
        notes.push(if found.is_nowhere {
            dialogs::NOWHERE.to_owned()
        } else {
            "There are no dialogs.".to_owned()
        });
    }
    if told.iter().any(|one| one.requests.is_none() && one.unavailable.is_none()) {
        notes.push("Some were not counted in time: call again.".to_owned());
    }
    if found.unread > 0 {
        notes.push(format!("{} directories could not be looked into.", found.unread));
    }
    notes.extend(found.left_out);
    notes.extend(found.permission.as_ref().map(dialogs::not_known));
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    Ok(Outcome::success(&Told {
        dialogs: told,
        next_cursor: found.next.map(|next| next.to_string()),
        note,
        notice: dialogs::NOTICE,
    }))
}

/// Where an answer before ended.
pub(super) fn cursor<T: std::str::FromStr>(text: &str) -> Result<T, Outcome> {
    text.parse().map_err(|_| {
        Outcome::refused("Unknown `cursor`", "Give nextCursor of the answer before, or leave it out.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an answer names a program by is what an agent gives for it.
    #[test]
    fn a_source_is_asked_for_by_the_word_that_answers_have() {
        let ours = std::iter::once(dialogs::Source::Own);
        let theirs = opentoolbar_dialogs::Source::ALL.into_iter().map(dialogs::Source::Theirs);
        for source in ours.chain(theirs) {
            let given = serde_json::from_value::<Source>(source.word().into());
            assert!(given.is_ok_and(|given| dialogs::Source::from(given) == source), "{}", source.word());
        }
    }
}
