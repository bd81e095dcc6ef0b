//! Holds an answer against the schema that its tool declares.

use serde_json::Value;

/// Everything in which the value is not what the schema says. An object's fields must be declared where any are, as a
/// model looks for what is declared and for nothing else.
pub fn wrong(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Anything at all.
    if *schema == true {
        return found;
    }
    let rules = schema.as_object().unwrap_or_else(|| panic!("{place}: not a schema: {schema}"));
    for (rule, wanted) in rules {
        match rule.as_str() {
            "type" => {
                let is_one = match wanted {
                    Value::String(one) => is(one, value),
                    several => several.as_array().unwrap().iter().any(|one| is(one.as_str().unwrap(), value)),
                };
                if !is_one {
                    found.push(format!("{place} is not {wanted}: {value}"));
                }
            }
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                found.push(format!("{place} is none of {wanted}: {value}"));
            }
            "minimum" if value.as_f64() < wanted.as_f64() => {
                found.push(format!("{place} is under {wanted}: {value}"))
            }
            "anyOf" => {
                let ways = wanted.as_array().unwrap();
                if !ways.iter().any(|way| wrong(way, value, place).is_empty()) {
                    found.push(format!("{place} is nothing of {wanted}: {value}"));
                }
            }
            "items" => {
                for (number, one) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(wrong(wanted, one, &format!("{place}[{number}]")));
                }
            }
            "properties" => {
                for (name, one) in value.as_object().into_iter().flatten() {
                    match wanted.get(name) {
                        Some(field) => found.extend(wrong(field, one, &format!("{place}.{name}"))),
                        None => found.push(format!("{place}.{name} is not declared: {one}")),
                    }
                }
            }
            "required" => {
                let names = wanted.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                found.extend(missing.map(|name| format!("{place}.{name} is missing")));
            }
            "enum" | "minimum" | "description" => {}
            "additionalProperties" if wanted == true => {}
            other => panic!("{place}: nothing here knows {other:?} in {schema}"),
        }
    }
    found
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "null" => value.is_null(),
        other => panic!("no type: {other}"),
    }
}
