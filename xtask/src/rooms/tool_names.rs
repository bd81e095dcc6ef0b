//! The names of agents' tools stand in sentences of two places, so that a tool that gets another name is called by it
//! everywhere.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Result;

use crate::workspace;

/// One file a tool, named after it.
const TOOLS: &str = "native-host/src/mcp/tools";
/// Where sentences may name them: with the tools, and for everybody else here.
const WITH_TOOLS: &str = "native-host/src/mcp/";
const FOR_OTHERS: &str = "core/src/protocol/next_step.rs";

pub(super) fn names() -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(workspace::path(TOOLS))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".rs").filter(|name| *name != "mod").map(str::to_owned));
    }
    Ok(names)
}

/// What names a tool elsewhere, and what looks like the name of a tool and is none. `texts`: with their files.
pub(super) fn complaints(texts: &[(String, String)], tools: &BTreeSet<String>) -> Vec<String> {
    let mut told = Vec::new();
    for (file, text) in texts.iter().filter(|(file, _)| !file.starts_with(WITH_TOOLS)) {
        for word in words(text) {
            if file == FOR_OTHERS {
                if word.contains('_') && !tools.contains(word) {
                    told.push(format!(
                        "{file} names `{word}`, which is no tool in {TOOLS}: call it by its name there."
                    ));
                }
            } else if tools.contains(word) && !is_word_of_code(text) {
                told.push(format!(
                    "{file} names the tool `{word}` in a text: put the sentence into {FOR_OTHERS}, where the names of tools are."
                ));
            }
        }
    }
    told
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
}

/// A text of one word is no sentence: a request may be called as a tool is.
fn is_word_of_code(text: &str) -> bool {
    words(text).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(file: &str, text: &str) -> String {
        let tools = ["get_ui_context", "resolve_comment"].map(str::to_owned).into();
        complaints(&[(file.to_owned(), text.to_owned())], &tools).join("\n")
    }

    #[test]
    fn a_sentence_that_names_a_tool_is_told_unless_it_stands_where_the_names_are() {
        let sentence = "\"Ask with `get_ui_context`.\"";
        let elsewhere = told("native-host/store/src/fault.rs", sentence);
        assert!(
            elsewhere
                .starts_with("native-host/store/src/fault.rs names the tool `get_ui_context` in a text: put"),
            "{elsewhere}"
        );
        assert_eq!(told(FOR_OTHERS, sentence), "");
        assert_eq!(told("native-host/src/mcp/link.rs", sentence), "");
        assert_eq!(told("core/src/protocol/request.rs", "\"get_ui_context\""), "", "a word of code");
        assert_eq!(told("core/src/prompt/mod.rs", "\"forget_ui_context is none\""), "");
    }

    #[test]
    fn a_name_that_no_tool_has_any_more_is_told() {
        let gone = told(FOR_OTHERS, "\"Ask with `get_context`.\"");
        assert!(gone.contains("names `get_context`, which is no tool"), "{gone}");
    }
}
