//! A prompt chain as its file says it: JSON that people and agents write by hand.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Largest template, in bytes.
pub const MAX_TEMPLATE: usize = 1024 * 1024;

/// Names of prompts that begin a chain, the first that is there.
const ENTRIES: [&str; 2] = ["main", "start"];

/// A chain that can be used: it has a prompt to begin with. What else stands in the file stays in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    meta: ChainMeta,
    prompts: Vec<ChainPrompt>,
    tools: Vec<ChainTool>,
    /// Place of the prompt that begins.
    entry: usize,
}

/// What a chain says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChainMeta {
    /// `_id`.
    #[serde(rename = "_id")]
    pub id: Option<String>,
    /// `_name`, for people.
    #[serde(rename = "_name")]
    pub name: Option<String>,
    /// `_description`.
    #[serde(rename = "_description")]
    pub description: Option<String>,
    /// `_source`: where it comes from.
    #[serde(rename = "_source")]
    pub source: Option<String>,
}

/// One prompt of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChainPrompt {
    /// By which others of the chain mean it; not empty.
    pub name: String,
    /// The instructions.
    #[serde(default)]
    pub system: String,
    /// What is said, with variables.
    #[serde(default)]
    pub user: String,
    /// Free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_format: Option<Value>,
    /// Free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_format: Option<Value>,
    /// Tools of the chain that it uses. Free: described to agents, and never run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Value>,
    /// What comes after it. Free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<Value>,
}

/// A tool of a chain. Its script is for another program, and nothing here runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainTool {
    /// Not empty.
    pub name: String,
    /// What for.
    pub description: String,
}

/// Why a text is no chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}{}", place(*line, *column))]
pub struct ChainError {
    /// What is wrong.
    pub problem: Problem,
    /// From 1; 0 where it is about the whole.
    pub line: usize,
    /// From 1, in bytes of the line; 0 where it is about the whole.
    pub column: usize,
}

/// What is wrong with a chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Longer than [`MAX_TEMPLATE`].
    #[error("it has {0} bytes, and a template may have {MAX_TEMPLATE}")]
    TooLarge(usize),
    /// No JSON, or other types than a chain has.
    #[error("{0}")]
    Json(String),
    /// `prompts` is empty, or not there.
    #[error("it has no prompts")]
    NoPrompts,
    /// A prompt whose `name` is empty; its place, from 1.
    #[error("prompt {0} has no name")]
    NoName(usize),
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(" (line {line}, column {column})") }
}

/// As it stands in the file; other keys are nothing to us.
#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    meta: ChainMeta,
    #[serde(default)]
    prompts: Vec<ChainPrompt>,
    #[serde(default)]
    tools: Vec<WrittenTool>,
}

#[derive(Deserialize)]
struct WrittenTool {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    description: String,
}

impl Chain {
    /// Reads a template.
    ///
    /// # Errors
    /// It is too large, no JSON, of other types, or has no prompt to begin with.
    pub fn parse(text: &str) -> Result<Self, ChainError> {
        let whole = |problem| ChainError { problem, line: 0, column: 0 };
        if text.len() > MAX_TEMPLATE {
            return Err(whole(Problem::TooLarge(text.len())));
        }
        let Written { meta, prompts, tools } = serde_json::from_str(text).map_err(|error| {
            let said = error.to_string();
            // The place stands beside it.
            let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
            ChainError { problem: Problem::Json(said.to_owned()), line: error.line(), column: error.column() }
        })?;
        if let Some(nameless) = prompts.iter().position(|prompt| prompt.name.trim().is_empty()) {
            return Err(whole(Problem::NoName(nameless + 1)));
        }
        if prompts.is_empty() {
            return Err(whole(Problem::NoPrompts));
        }
        let named = |name: &str| prompts.iter().position(|prompt| prompt.name == name);
        let entry = ENTRIES.iter().find_map(|name| named(name)).unwrap_or(0);
        let tool = |WrittenTool { function: Function { name, description } }| ChainTool { name, description };
        let tools = tools.into_iter().map(tool).filter(|tool| !tool.name.trim().is_empty()).collect();
        Ok(Self { meta, prompts, tools, entry })
    }

    /// What it says of itself.
    #[must_use]
    pub fn meta(&self) -> &ChainMeta {
        &self.meta
    }

    /// At least one.
    #[must_use]
    pub fn prompts(&self) -> &[ChainPrompt] {
        &self.prompts
    }

    /// Its tools that have a name.
    #[must_use]
    pub fn tools(&self) -> &[ChainTool] {
        &self.tools
    }

    /// The prompt that begins: `main`, else `start`, else the first.
    #[must_use]
    pub fn entry(&self) -> &ChainPrompt {
        // Parsing has made sure that there is one at this place.
        &self.prompts[self.entry]
    }

    /// The prompts that do not begin, in their order.
    pub fn sub_prompts(&self) -> impl Iterator<Item = &ChainPrompt> {
        self.prompts.iter().enumerate().filter(|(place, _)| *place != self.entry).map(|(_, prompt)| prompt)
    }

    /// How people call it: `_name`, else `otherwise`.
    #[must_use]
    pub fn name<'a>(&'a self, otherwise: &'a str) -> &'a str {
        let said = self.meta.name.as_deref().filter(|name| !name.trim().is_empty());
        said.unwrap_or(otherwise)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn names(text: &str) -> (String, Vec<String>) {
        let chain = Chain::parse(text).unwrap();
        (chain.entry().name.clone(), chain.sub_prompts().map(|prompt| prompt.name.clone()).collect())
    }

    #[test]
    fn a_chain_begins_with_main_else_with_start_else_with_the_first() {
        let text = |list: &[&str]| {
            let prompts: Vec<String> = list.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
            format!(r#"{{"prompts":[{}]}}"#, prompts.join(","))
        };
        assert_eq!(names(&text(&["a", "start", "main"])), ("main".into(), vec!["a".into(), "start".into()]));
        assert_eq!(names(&text(&["a", "start"])), ("start".into(), vec!["a".into()]));
        assert_eq!(names(&text(&["a", "b"])), ("a".into(), vec!["b".into()]));
        // Of two of one name the first begins, and the other is still there.
        assert_eq!(names(&text(&["main", "main"])), ("main".into(), vec!["main".into()]));
    }

    #[test]
    fn meta_prompts_and_tools_are_read_and_scripts_are_not() {
        let chain = Chain::parse(
            r#"{
                "_id": "sf", "_name": "Software Factory", "_description": "Plans and builds", "_source": "team",
                "prompts": [{ "name": "main", "system": "Plan first.", "user": "{goal}", "then": ["build"], "x": 1 }],
                "tools": [{ "type": "function", "function": {
                    "name": "run", "description": "Runs it", "parameters": {}, "script": "process.exit()"
                } }],
                "mine": { "kept": true }
            }"#,
        )
        .unwrap();
        assert_eq!(chain.meta().id.as_deref(), Some("sf"));
        assert_eq!(chain.name("file"), "Software Factory");
        assert_eq!((chain.entry().system.as_str(), chain.entry().user.as_str()), ("Plan first.", "{goal}"));
        assert_eq!(chain.tools(), [ChainTool { name: "run".into(), description: "Runs it".into() }]);
        let nameless = Chain::parse(r#"{"_name":" ","prompts":[{"name":"a"}]}"#).unwrap();
        assert_eq!(nameless.name("file"), "file");
    }

    #[test]
    fn what_is_no_chain_is_told_with_its_place() {
        let place = |text: &str| {
            let error = Chain::parse(text).unwrap_err();
            (error.line, error.column, error.to_string())
        };
        let (line, _, said) = place("{\n  \"prompts\": [\n    {\"name\": 1}\n]}");
        assert!(said.contains("invalid type: integer `1`, expected a string"), "{said}");
        // A flattened part is read from what was read before, so that the place is that of the whole.
        assert!(line >= 1, "{said}");
        let (line, column, said) = place("{\n  \"prompts\": [,]}");
        assert_eq!((line, column), (2, 15), "{said}");
        assert!(said.ends_with("(line 2, column 15)"), "{said}");
        assert_eq!(place("{}").2, "it has no prompts");
        assert_eq!(place(r#"{"prompts":[]}"#).2, "it has no prompts");
        assert_eq!(place(r#"{"prompts":[{"name":"a"},{"name":" "}]}"#).2, "prompt 2 has no name");
        assert_eq!(place("[]").0, 1);
        let large = format!(r#"{{"prompts":[{{"name":"a","user":"{}"}}]}}"#, "x".repeat(MAX_TEMPLATE));
        assert!(matches!(Chain::parse(&large).unwrap_err().problem, Problem::TooLarge(_)));
    }

    proptest! {
        #[test]
        fn no_text_does_more_than_be_refused(text in ".{0,200}") {
            let _ = Chain::parse(&text);
        }

        #[test]
        fn every_prompt_is_the_one_that_begins_or_one_of_the_others(
            list in proptest::collection::vec("main|start|[a-z]{1,4}", 1..6)
        ) {
            let prompts: Vec<Value> = list.iter().map(|name| serde_json::json!({ "name": name })).collect();
            let chain = Chain::parse(&serde_json::json!({ "prompts": prompts }).to_string()).unwrap();
            prop_assert_eq!(chain.sub_prompts().count() + 1, list.len());
            prop_assert!(chain.prompts().contains(chain.entry()));
        }
    }
}
