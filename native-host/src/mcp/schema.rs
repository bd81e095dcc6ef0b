//! JSON Schemas of tools, from the types that decode and encode them. Flat and without `$ref`, which some clients
//! do not follow.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

fn generate<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut value = schema.to_value();
    tidy(&mut value);
    match value {
        Value::Object(mut object) => {
            object.remove("description");
            object
        }
        // Only `true` or `false` schemas are not objects; parameter and result types are structs.
        _ => JsonObject::new(),
    }
}

/// Drops what tells a model nothing: titles, number formats, line breaks inside descriptions.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let of_numbers = matches!(object.get("type").and_then(Value::as_str), Some("integer" | "number"));
            if of_numbers {
                object.remove("format");
            }
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            if object.get("title").is_some_and(Value::is_string) {
                object.remove("title");
            }
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(list) => list.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Of a call's arguments.
pub(super) fn input<T: JsonSchema>() -> JsonObject {
    let mut schema = generate::<T>();
    // A tool without parameters still has an object.
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// Of a call's result: `success` always, the fields of `T` when it is true, `error` or `message` when it is not.
pub(super) fn output<T: JsonSchema>() -> JsonObject {
    let mut schema = generate::<T>();
    // An answer without fields of its own has these nevertheless.
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.insert("success".into(), json!({ "type": "boolean" }));
        properties.insert(
            "error".into(),
            json!({ "type": "string", "description": "Why not, and what to do next" }),
        );
        properties
            .insert("message".into(), json!({ "type": "string", "description": "What failed unexpectedly" }));
    }
    schema.insert("required".into(), json!(["success"]));
    schema
}
