#![allow(clippy::unwrap_used)]
use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::mcp::server::INSTRUCTIONS;
use crate::mcp::tools::TABLE;

const TOOLSETS: [Toolset; 4] = [Toolset::Feedback, Toolset::Chat, Toolset::Approval, Toolset::Dialogs];

/// Every one that there can be.
fn offers() -> Vec<Offer> {
    let sets = [vec![], vec![TOOLSETS[0]], vec![TOOLSETS[1]], vec![TOOLSETS[2]], vec![TOOLSETS[3]]];
    sets.into_iter()
        .flat_map(|set| [false, true].map(|read_only| Offer::new(set.clone(), read_only)))
        .collect()
}

/// The tools that a text names.
fn named(text: &str) -> BTreeSet<&'static str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter_map(tools::find).map(|tool| tool.name).collect()
}

/// Every schema in it, with the path of its names.
fn schemas<'a>(path: &str, schema: &'a Value, into: &mut Vec<(String, &'a Value)>) {
    into.push((path.to_owned(), schema));
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        schemas(&format!("{path}.{name}"), field, into);
    }
    if let Some(items) = schema.get("items") {
        schemas(&format!("{path}[]"), items, into);
    }
}

#[test]
fn the_table_is_sorted_and_every_description_has_its_parts() {
    assert!(TABLE.is_sorted_by_key(|tool| tool.name));
    for tool in TABLE {
        for part in ["\n\nUse this tool when:\n- ", "\n\nExample usage scenarios:\n- "] {
            assert!(tool.description.contains(part), "{} lacks {part:?}", tool.name);
        }
    }
}

/// What the description does not say again must stand there.
#[test]
fn every_parameter_is_described_and_every_field_has_its_type() {
    for tool in Offer::default().tools() {
        let listed = Offer::default().listed(tool);
        let (input, output) = ((*listed.input_schema).clone(), (*listed.output_schema.unwrap()).clone());
        assert_eq!((&input["type"], &output["type"]), (&"object".into(), &"object".into()));
        for (name, schema) in input["properties"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "{}.{name} has no description", tool.name);
        }
        for schema in [input, output].map(Value::Object) {
            let mut all = Vec::new();
            schemas(tool.name, &schema, &mut all);
            for (path, schema) in all {
                let has_type = schema["type"].is_string() || schema.get("anyOf").is_some();
                assert!(has_type, "{path}: {schema}");
                assert!(
                    schema["type"] != "array" || schema.get("items").is_some(),
                    "{path} says not what of"
                );
            }
        }
    }
}

/// Some clients refuse a list of types, a format that JSON Schema does not have, or a reference.
#[test]
fn schemas_are_such_that_every_client_takes_them() {
    fn check(path: &str, value: &Value) {
        for (name, field) in value.as_object().into_iter().flatten() {
            assert!(!matches!(name.as_str(), "$ref" | "$defs" | "format" | "$schema"), "{path} has {name}");
            assert!(name != "type" || !field.is_array(), "{path} has a list of types");
            check(&format!("{path}.{name}"), field);
        }
        for one in value.as_array().into_iter().flatten() {
            check(path, one);
        }
    }
    for tool in TABLE {
        check(tool.name, &Value::Object((tool.input)()));
        check(tool.name, &Value::Object((tool.output)()));
    }
}

#[test]
fn nothing_that_is_said_names_a_tool_that_is_not_offered() {
    for offer in offers() {
        let on: BTreeSet<_> = offer.tools().map(|tool| tool.name).collect();
        assert!(!on.is_empty());
        let said = named(&offer.about_what_is_on(INSTRUCTIONS));
        assert!(said.is_subset(&on), "{offer:?} names {said:?}");
        for tool in offer.tools() {
            let listed = serde_json::to_string(&offer.listed(tool)).unwrap();
            assert!(named(&listed).is_subset(&on), "{offer:?} {}: {listed}", tool.name);
            let description = offer.about_what_is_on(tool.description);
            for part in ["\n\nUse this tool when:\n- ", "\n\nExample usage scenarios:\n- "] {
                assert!(description.contains(part), "{offer:?} {} lacks {part:?}: {description}", tool.name);
            }
        }
    }
}

#[test]
fn with_everything_on_nothing_is_left_out() {
    let everything = Offer::default();
    assert_eq!(everything.tools().count(), TABLE.len());
    assert_eq!(everything.about_what_is_on(INSTRUCTIONS), INSTRUCTIONS);
    for tool in TABLE {
        assert_eq!(everything.about_what_is_on(tool.description), tool.description);
    }
}

#[test]
fn read_only_leaves_what_reads_and_says_so_of_each() {
    let offer = Offer::new(Vec::new(), true);
    let names: Vec<_> = offer.tools().map(|tool| tool.name).collect();
    insta::assert_json_snapshot!(names);
    for tool in offer.tools() {
        assert_eq!(offer.listed(tool).annotations.unwrap().read_only_hint, Some(true), "{}", tool.name);
    }
    assert!(offer.find("resolve_comment").is_none());
}

/// A client may call such a tool again when it did not hear the answer.
#[test]
fn only_what_adds_nothing_the_second_time_is_idempotent() {
    let everything = Offer::default();
    let is_idempotent = |tool: &&Declared| {
        everything.listed(tool).annotations.is_some_and(|hints| hints.idempotent_hint == Some(true))
    };
    let idempotent: Vec<_> = everything.tools().filter(is_idempotent).map(|tool| tool.name).collect();
    // `update_comment` adds its note, a wait hands over what comes next.
    assert_eq!(
        idempotent,
        ["get_conversation_history", "get_ui_context", "resolve_comment", "select_session", "update_status"]
    );
}

#[test]
fn the_list_of_tools_is_stable() {
    let everything = Offer::default();
    let list: Vec<_> = everything.tools().map(|tool| everything.listed(tool)).collect();
    insta::assert_json_snapshot!(list);
}
