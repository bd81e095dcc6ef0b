//! Prompts: what a person starts in the agent's program, with the feedback as it is now inside. One a file.

mod declared;
mod explain_element;
mod fix_feedback;
mod review_page;

use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

use super::context::Context;
use super::offer::Offer;
use super::outcome::Outcome;
use super::running;

use declared::{Argument, Declared, Given};

/// Sorted by name.
const TABLE: &[&Declared] = &[&explain_element::PROMPT, &fix_feedback::PROMPT, &review_page::PROMPT];

/// Those that are offered.
pub(super) fn offered(offer: &Offer) -> impl Iterator<Item = &'static Declared> + '_ {
    TABLE.iter().copied().filter(|prompt| offer.has(prompt.toolset))
}

/// As `prompts/list` tells them.
pub(super) fn list(offer: &Offer) -> Vec<Prompt> {
    let argument = |one: &Argument| {
        PromptArgument::new(one.name).with_description(one.description).with_required(one.required)
    };
    offered(offer)
        .map(|one| {
            let arguments = one.arguments.iter().map(argument).collect();
            Prompt::new(one.name, Some(one.description), Some(arguments)).with_title(one.title)
        })
        .collect()
}

/// What the agent is told.
///
/// # Errors
/// `invalid_params` with the next step; `internal_error` where it failed unexpectedly.
pub(super) async fn get(
    context: &Context,
    offer: &Offer,
    wanted: GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, None);
    let Some(prompt) = offered(offer).find(|one| one.name == wanted.name) else {
        let names: Vec<_> = offered(offer).map(|one| one.name).collect();
        return Err(invalid(format!("There is no such prompt. The prompts are: {}.", names.join(", "))));
    };
    let mut given = Given::new();
    for (name, value) in wanted.arguments.unwrap_or_default() {
        if !prompt.arguments.iter().any(|one| one.name == name) {
            let names: Vec<_> = prompt.arguments.iter().map(|one| one.name).collect();
            return Err(invalid(format!(
                "{} has no such argument. It has: {}.",
                prompt.name,
                names.join(", ")
            )));
        }
        match value {
            Value::String(text) if text.trim().is_empty() => {}
            Value::String(text) => drop(given.insert(name, text)),
            Value::Null => {}
            _ => return Err(invalid(format!("`{name}` must be a text."))),
        }
    }
    if let Some(one) = prompt.arguments.iter().find(|one| one.required && !given.contains_key(one.name)) {
        return Err(invalid(format!("`{}` is required: {}.", one.name, one.description)));
    }
    match running::run_with(context, offer, prompt.tool, (prompt.given)(&given)).await {
        Outcome::Success { text, .. } => {
            let words = format!("{}\n\n```json\n{text}\n```", offer.about_what_is_on(prompt.text));
            let message = PromptMessage::new_text(Role::User, words);
            Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
        }
        Outcome::Refused { error, next_step } => Err(invalid(format!("{error}. {next_step}"))),
        Outcome::Unexpected(message) => Err(ErrorData::internal_error(message, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::declared::Toolset;
    use crate::mcp::tools;

    #[test]
    fn the_table_is_sorted_and_no_prompt_names_a_tool_that_is_not_offered() {
        assert!(TABLE.is_sorted_by_key(|prompt| prompt.name));
        let offers = [
            Offer::default(),
            Offer::new(vec![Toolset::Feedback], true),
            Offer::new(vec![Toolset::Chat], false),
            Offer::new(vec![Toolset::Dialogs], false),
        ];
        for offer in offers {
            for prompt in offered(&offer) {
                assert!(prompt.tool.toolsets.contains(&prompt.toolset), "{}", prompt.name);
                let text = offer.about_what_is_on(prompt.text);
                assert!(!text.trim().is_empty(), "{}", prompt.name);
                let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let off = words.find(|word| tools::find(word).is_some() && offer.find(word).is_none());
                assert_eq!(off, None, "{} with {offer:?}", prompt.name);
            }
        }
    }
}
