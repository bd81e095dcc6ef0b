//! The tools, one file each, declared in one table. A tool decodes its arguments, asks the hub and says how it ended;
//! how that stands on the wire is not its business.

mod check_comment;
mod get_conversation_history;
mod get_screenshot;
mod get_ui_context;
mod get_ui_feedback;
mod list_sessions;
mod reply_to_comment;
mod request_annotation;
mod resolve_comment;
mod respond_to_browser;
mod select_session;
mod update_comment;
mod update_status;
mod wait_for_feedback;

use super::declared::Declared;

/// Every tool, sorted by name.
pub(super) const TABLE: [&Declared; 14] = [
    &check_comment::TOOL,
    &get_conversation_history::TOOL,
    &get_screenshot::TOOL,
    &get_ui_context::TOOL,
    &get_ui_feedback::TOOL,
    &list_sessions::TOOL,
    &reply_to_comment::TOOL,
    &request_annotation::TOOL,
    &resolve_comment::TOOL,
    &respond_to_browser::TOOL,
    &select_session::TOOL,
    &update_comment::TOOL,
    &update_status::TOOL,
    &wait_for_feedback::TOOL,
];

/// The tool of that name.
pub(super) fn find(name: &str) -> Option<&'static Declared> {
    TABLE.into_iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_description_has_its_parts() {
        assert!(TABLE.is_sorted_by_key(|tool| tool.name));
        for tool in TABLE {
            for part in ["Use this tool when:", "Parameters", "Returns:", "Example usage scenarios:"] {
                assert!(tool.description.contains(part), "{} lacks {part:?}", tool.name);
            }
            let listed = tool.listed();
            let properties = listed.input_schema.get("properties").and_then(|p| p.as_object());
            for (name, schema) in properties.into_iter().flatten() {
                assert!(schema.get("description").is_some(), "{}.{name} has no description", tool.name);
                assert!(tool.description.contains(name), "{} does not explain {name}", tool.name);
            }
            assert_eq!(listed.output_schema.and_then(|s| s.get("type").cloned()), Some("object".into()));
        }
    }

    /// A model looks in the answer for what the description promised, and overlooks what it did not.
    #[test]
    fn descriptions_name_every_field_of_their_answers() {
        // With every answer, and explained by what they say.
        let everywhere = ["success", "error", "message", "note", "notice"];
        for tool in TABLE {
            let (_, returns) = tool.description.split_once("Returns:").unwrap_or_default();
            let (returns, _) = returns.split_once("Example usage scenarios:").unwrap_or_default();
            let output = (tool.output)();
            let fields = output.get("properties").and_then(|all| all.as_object()).into_iter();
            let fields = fields.flat_map(|all| all.keys());
            for field in fields.filter(|field| !everywhere.contains(&field.as_str())) {
                let is_named = returns.split(|c: char| !c.is_alphanumeric()).any(|word| word == field);
                assert!(is_named, "{} does not say that it returns {field}", tool.name);
            }
        }
    }

    /// A model that looks for what was promised, and is nowhere in the answer, guesses.
    #[test]
    fn descriptions_name_no_field_that_their_answers_lack() {
        // Values of `warnings` and `outcome`, which the schema does not list.
        let values = ["emptyShell", "filledByScripts", "answered", "declined", "waiting"];
        for tool in TABLE {
            let (_, returns) = tool.description.split_once("Returns:").unwrap_or_default();
            let (returns, _) = returns.split_once("Example usage scenarios:").unwrap_or_default();
            let mut known: BTreeSet<String> = values.map(str::to_owned).into();
            named_in(&serde_json::Value::Object((tool.output)()), &mut known);
            let promised = promised(returns);
            assert!(!promised.is_empty(), "{} does not say what it returns", tool.name);
            for name in promised {
                assert!(known.contains(&name), "{} says that it returns {name}, and does not", tool.name);
            }
        }
    }

    /// What a text behind "Returns:" names as a field: each word that is written as `nextCursor` is, and each part of
    /// the list it begins with that is one word, apart from what stands in brackets.
    fn promised(returns: &str) -> BTreeSet<String> {
        let is_camel = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.contains(|c: char| c.is_ascii_uppercase())
        };
        let mut depth = 0;
        let outside = returns.chars().filter(|c| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && *c != ')'
        });
        let outside: String = outside.collect();
        let list = outside.split(". ").next().unwrap_or_default();
        let list = list.replace(" and ", ",").replace(" or ", ",").replace(" with ", ",");
        let parts = list.split([',', ':', ';']).map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
        let words = returns.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| is_camel(word));
        let is_word = |part: &&str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
        words.chain(parts.filter(is_word)).map(str::to_owned).collect()
    }

    /// The names of all fields in a schema, and the words that it lists as values.
    fn named_in(schema: &serde_json::Value, into: &mut BTreeSet<String>) {
        for (key, value) in schema.as_object().into_iter().flatten() {
            match key.as_str() {
                "properties" | "$defs" => {
                    let all = value.as_object().into_iter().flatten();
                    all.for_each(|(name, schema)| {
                        into.extend((key == "properties").then(|| name.clone()));
                        named_in(schema, into);
                    });
                }
                "enum" => {
                    into.extend(
                        value
                            .as_array()
                            .into_iter()
                            .flatten()
                            .filter_map(|one| one.as_str())
                            .map(str::to_owned),
                    );
                }
                "const" => into.extend(value.as_str().map(str::to_owned)),
                _ => {
                    named_in(value, into);
                    value.as_array().into_iter().flatten().for_each(|one| named_in(one, into));
                }
            }
        }
    }

    /// A client may call such a tool again when it did not hear the answer.
    #[test]
    fn only_what_adds_nothing_the_second_time_is_idempotent() {
        let idempotent = TABLE.iter().filter(|tool| {
            let hints = tool.listed().annotations;
            hints.is_some_and(|hints| hints.idempotent_hint == Some(true))
        });
        let idempotent: Vec<_> = idempotent.map(|tool| tool.name).collect();
        // `update_comment` adds its note, a wait hands over what comes next.
        assert_eq!(
            idempotent,
            [
                "get_conversation_history",
                "get_ui_context",
                "resolve_comment",
                "select_session",
                "update_status"
            ]
        );
    }

    #[test]
    fn the_list_of_tools_is_stable() {
        let list: Vec<_> = TABLE.iter().map(|tool| tool.listed()).collect();
        insta::assert_json_snapshot!(list);
    }
}
