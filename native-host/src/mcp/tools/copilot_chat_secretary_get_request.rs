//! `copilot_chat_secretary_get_request`: one request of a dialog, by its position. Its name, parameters, fields and
//! sentences are a contract.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{Cut, with_unreadable, words_from};
use crate::mcp::{budget, dialogs, schema};

const NAME: &str = "copilot_chat_secretary_get_request";

/// Tokens of everything but the words.
const REST: usize = 400;

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get a request of a dialog",
    toolsets: &[Toolset::Dialogs],
    effect: Effect::Reads,
    description: "\
Gets what the person asked at a position of a dialog, word for word.

Use this tool when:
- the person refers to an earlier request (\"as in my second message\")
- you need what was asked before your context begins

Parameters:
- index (required): position, from 1
- sessionId: the dialog; default: the current one of VS Code's chat or the chat beside the page

Returns: JSON, for example {\"success\": true, \"sessionId\": \"abc-123\", \"request\": \"Fix the header\", \"index\": 2, \
\"timestamp\": 1764000000000, \"totalRequests\": 5}

Example usage scenarios:
- without sessionId: index 2
- with: index 3, sessionId \"abc-123\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("required" = ["index"]))]
struct Arguments {
    /// From 1
    #[schemars(with = "u64", range(min = 1))]
    index: Option<Number>,
    /// Default: the current dialog
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// Of a long one: from this character
    #[schemars(with = "u32")]
    from: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    session_id: String,
    request: String,
    index: u64,
    // When it was made, milliseconds since 1970; absent where the history does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    total_requests: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let (index, shown) = position(wanted.index)?;
    let asked = dialogs::request(context, wanted.session_id.as_deref(), index).await?;
    let total = asked.total;
    let Some(request) = asked.requests.into_iter().next() else {
        let next = match total {
            0 => "Nothing was asked in this dialog yet.".to_owned(),
            _ => format!("Give an index from 1 to {total}."),
        };
        return Err(Outcome::refused(format!("Index {shown} exceeds total requests ({total})"), next));
    };
    let from = wanted.from.unwrap_or(0);
    let (words, cut) = words_from(&request.words, from as usize, budget::ANSWER - REST)?;
    let note = match cut {
        Some(Cut { end, all }) => {
            Some(format!("These are the characters from {from} to {end} of {all}. For the rest: from {end}."))
        }
        // A secret that begins before the end must not be told in part.
        None if request.is_cut => {
            Some("The request is longer than 1 MB, and the rest isn't available.".to_owned())
        }
        None => None,
    };
    let told = Told {
        session_id: asked.session_id,
        request: words,
        index,
        timestamp: request.at.map(|at| at.0),
        total_requests: total,
        note: with_unreadable(joined(asked.note, note), asked.unreadable),
    };
    Ok(Outcome::success(&told))
}

fn joined(one: Option<String>, other: Option<String>) -> Option<String> {
    let notes: Vec<String> = one.into_iter().chain(other).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

/// Before any dialog is looked for; and as it was given.
fn position(index: Option<Number>) -> Result<(u64, String), Outcome> {
    let next = "Give index as a whole number from 1, for example 1 for the first request.";
    let Some(index) = index else { return Err(Outcome::refused("Index parameter is required", next)) };
    let number = index.as_f64().unwrap_or(f64::NAN);
    if number.fract() != 0.0 {
        return Err(Outcome::refused(format!("`index` must be an integer, got {index}"), next));
    }
    if number < 1.0 {
        return Err(Outcome::refused("Index must be 1 or greater", next));
    }
    // 2.0 is a whole number too; more than there can be is as many as there can be.
    let shown = format!("{number:.0}");
    let position = index.as_u64().or_else(|| shown.parse().ok()).unwrap_or(u64::MAX);
    Ok((position, index.as_u64().map_or(shown, |index| index.to_string())))
}
