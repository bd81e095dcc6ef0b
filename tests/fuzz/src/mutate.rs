//! Changes JSON as JSON: a decoder of it looks at the values, and most changes of bytes end at its syntax.

use serde_json::{Map, Value, json};

/// A small generator: the engine gives the seed, so that each run can be told from it.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).unwrap_or_default()
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.roll(all.len()))
    }
}

/// The same with one to three changes; `None` when it is no JSON, or has become longer than `most` bytes.
#[must_use]
pub fn mutated(json: &[u8], most: usize, seed: u32) -> Option<Vec<u8>> {
    let mut dice = Dice(u64::from(seed) | 1 << 40);
    dice.roll(2);
    let mut root: Value = serde_json::from_slice(json).ok()?;
    for _ in 0..=dice.roll(3) {
        let count = count(&root);
        let donor = value_at(&mut root, dice.roll(count)).map(|value| value.clone());
        let at = dice.roll(count);
        if let Some(value) = value_at(&mut root, at) {
            change(value, donor, &mut dice);
        }
    }
    serde_json::to_vec(&root).ok().filter(|bytes| bytes.len() <= most)
}

fn children(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.len(),
        Value::Object(object) => object.len(),
        _ => 0,
    }
}

fn count(root: &Value) -> usize {
    let mut left = vec![root];
    let mut count = 0;
    while let Some(value) = left.pop() {
        count += 1;
        match value {
            Value::Array(list) => left.extend(list),
            Value::Object(object) => left.extend(object.values()),
            _ => {}
        }
    }
    count
}

/// The value that comes after `skipped` others, in a walk from the root.
fn value_at(root: &mut Value, mut skipped: usize) -> Option<&mut Value> {
    let mut value = root;
    while skipped > 0 {
        skipped -= 1;
        let mut found = None;
        for place in 0..children(value) {
            let inside = child(value, place).map_or(0, |child| count(child));
            if skipped < inside {
                found = Some(place);
                break;
            }
            skipped -= inside;
        }
        let place = found?;
        value = child(value, place)?;
    }
    Some(value)
}

fn child(value: &mut Value, place: usize) -> Option<&mut Value> {
    match value {
        Value::Array(list) => list.get_mut(place),
        Value::Object(object) => object.values_mut().nth(place),
        _ => None,
    }
}

fn change(value: &mut Value, donor: Option<Value>, dice: &mut Dice) {
    match dice.roll(10) {
        0 => *value = any(dice),
        1 => *value = donor.unwrap_or(Value::Null),
        _ => match value {
            Value::Object(object) => change_object(object, donor, dice),
            Value::Array(list) => change_list(list, donor, dice),
            Value::String(text) => change_text(text, dice),
            Value::Number(number) => *value = near(number.as_i64().unwrap_or_default(), dice),
            Value::Bool(is_so) => *is_so = !*is_so,
            Value::Null => *value = any(dice),
        },
    }
}

fn change_object(object: &mut Map<String, Value>, donor: Option<Value>, dice: &mut Dice) {
    let keys: Vec<String> = object.keys().cloned().collect();
    let Some(key) = dice.one_of(&keys).cloned() else {
        object.insert("id".to_owned(), any(dice));
        return;
    };
    match dice.roll(4) {
        0 => drop(object.remove(&key)),
        1 => drop(object.insert(key, any(dice))),
        2 => drop(object.insert(key, donor.unwrap_or(Value::Null))),
        _ => {
            if let Some(value) = object.remove(&key) {
                let mut other = key;
                change_text(&mut other, dice);
                object.insert(other, value);
            }
        }
    }
}

fn change_list(list: &mut Vec<Value>, donor: Option<Value>, dice: &mut Dice) {
    let at = dice.roll(list.len());
    match dice.roll(5) {
        0 if !list.is_empty() => drop(list.remove(at)),
        1 if !list.is_empty() => {
            let other = dice.roll(list.len());
            list.swap(at, other);
        }
        2 if !list.is_empty() => {
            let again = list[at].clone();
            list.extend(std::iter::repeat_n(again, 1 + dice.roll(20)));
        }
        3 => list.extend(donor),
        _ => list.insert(at.min(list.len()), any(dice)),
    }
}

fn change_text(text: &mut String, dice: &mut Dice) {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let at = dice.one_of(&places).copied().unwrap_or_default();
    match dice.roll(4) {
        0 => text.truncate(at),
        1 => drop(text.drain(..at)),
        2 => *text = text.repeat(2 + dice.roll(8)),
        _ => text.insert_str(at, dice.one_of(PIECES).copied().unwrap_or_default()),
    }
}

fn near(number: i64, dice: &mut Dice) -> Value {
    match dice.roll(6) {
        0 => json!(number.saturating_add(1)),
        1 => json!(number.saturating_sub(1)),
        2 => json!(number.saturating_mul(2)),
        3 => json!(number.saturating_neg()),
        4 => json!(dice.roll(40)),
        _ => any(dice),
    }
}

/// A value that decoders have been known to stumble over.
fn any(dice: &mut Dice) -> Value {
    let all = [
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(0.5),
        json!(1e308),
        json!(i32::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(""),
        json!([]),
        json!({}),
        json!([[]]),
        json!("x".repeat(dice.roll(10_000))),
        json!(dice.one_of(PIECES)),
    ];
    dice.one_of(&all).cloned().unwrap_or_default()
}

/// Pieces of text that mean something to somebody.
const PIECES: &[&str] = &[
    "\0",
    "\n",
    "\r\n",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{200d}",
    "\u{fe0f}",
    "\u{e0041}",
    "\u{feff}",
    "\u{2028}",
    "é",
    "🦀",
    "\"",
    "\\",
    "'",
    "`",
    "```",
    "<",
    ">",
    "</script>",
    "<!--",
    "&",
    "../",
    "/",
    "//",
    "?token=",
    "#",
    "%2e",
    "%",
    ":",
    "c_1",
    "s_1",
    "m_1",
    "[redacted]",
    "Bearer ",
    "password=",
    "eyJhbGciOiJIUzI1NiJ9.",
    "AKIA",
    " >>> ",
    ":nth-child(",
    "[",
    "]",
    "*",
    "|",
    "{",
    "}",
    "http://localhost:5173/",
    "file:///",
    "javascript:",
    "data:",
    "18446744073709551616",
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_place_is_reached_and_what_comes_out_is_json() {
        let mut root = json!({ "a": [1, { "b": "c" }], "d": null });
        assert_eq!(count(&root), 6);
        let reached: Vec<Value> = (0..6).map(|at| value_at(&mut root, at).unwrap().clone()).collect();
        assert!(reached.contains(&json!("c")) && reached.contains(&Value::Null), "{reached:?}");
        let json = root.to_string();
        for seed in 0..2_000 {
            if let Some(other) = mutated(json.as_bytes(), 100_000, seed) {
                serde_json::from_slice::<Value>(&other).unwrap();
            }
        }
    }
}
