//! JSON Schemas of tools, from the types that decode and encode them. Flat and without `$ref`, which some clients
//! do not follow.

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
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

/// Drops what tells a model nothing (titles, sizes of numbers, line breaks inside descriptions), what the error says
/// when it matters (unknown parameters, lengths, a smallest number), and what some clients do not understand: a list of
/// types. Of a field that may be `null` only [`nullable`] says so.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|one| one != "null");
                if let [one] = types.as_slice() {
                    let one = one.clone();
                    object.insert("type".into(), one);
                }
            }
            let is_number = matches!(object.get("type").and_then(Value::as_str), Some("integer" | "number"));
            if is_number {
                object.remove("format");
            }
            if object.get("minimum").is_some_and(Value::is_number) {
                object.remove("minimum");
            }
            // A schema says so of an object; a property may be called so.
            if object.get("additionalProperties").is_some_and(Value::is_boolean) {
                object.remove("additionalProperties");
            }
            for length in ["minLength", "maxLength"] {
                if object.get(length).is_some_and(Value::is_number) {
                    object.remove(length);
                }
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

/// Of a field that is `null` where there is nothing.
pub(super) fn nullable<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let schema = generator.subschema_for::<T>();
    json_schema!({ "anyOf": [schema, { "type": "null" }] })
}

/// Of a call's arguments.
pub(super) fn input<T: JsonSchema>() -> JsonObject {
    let mut schema = generate::<T>();
    // A tool without parameters still has an object.
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// Of a call's result: `success`, and the fields of `T` when it is true. What cannot be done (`error`, `nextStep`) and
/// what failed unexpectedly (`isError`, `message`) fit too, as nothing is required: the instructions tell of them once.
pub(super) fn output<T: JsonSchema>() -> JsonObject {
    let mut schema = generate::<T>();
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.insert("success".into(), json!({ "type": "boolean" }));
    }
    let mut schema = Value::Object(schema);
    require_nothing(&mut schema);
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

/// What an answer always has costs a model more than it tells it.
fn require_nothing(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            // A list of names; a property may be called so.
            if object.get("required").is_some_and(Value::is_array) {
                object.remove("required");
            }
            object.values_mut().for_each(require_nothing);
        }
        Value::Array(list) => list.iter_mut().for_each(require_nothing),
        _ => {}
    }
}
