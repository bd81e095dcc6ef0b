//! A log is applied as VS Code applies it: beside a model that keeps everything.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{GOING, World, jsonl, session};

/// What a change does in VS Code.
fn apply(state: &mut Value, change: &Value) {
    let path: Vec<&Value> = change["k"].as_array().unwrap().iter().collect();
    let (last, before) = path.split_last().unwrap();
    let mut at = state;
    for step in before {
        at = match step {
            Value::String(name) => &mut at[name.as_str()],
            number => &mut at[usize::try_from(number.as_u64().unwrap()).unwrap()],
        };
    }
    let target = match last {
        Value::String(name) => &mut at[name.as_str()],
        number => {
            let position = usize::try_from(number.as_u64().unwrap()).unwrap();
            let items = at.as_array_mut().unwrap();
            if position == items.len() {
                items.push(Value::Null);
            }
            &mut items[position]
        }
    };
    match change["kind"].as_u64().unwrap() {
        1 => *target = change["v"].clone(),
        2 => {
            if target.is_null() {
                *target = json!([]);
            }
            let items = target.as_array_mut().unwrap();
            if let Some(keep) = change["i"].as_u64() {
                items.truncate(usize::try_from(keep).unwrap());
            }
            items.extend(change["v"].as_array().into_iter().flatten().cloned());
        }
        _ => *target = Value::Null,
    }
}

fn words(request: &Value) -> String {
    let message = &request["message"];
    let text = message.as_str().or(message["text"].as_str()).map(str::to_owned);
    text.unwrap_or_else(|| {
        message["parts"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect()
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z \"\\\\\n\u{e4}\u{1f600}]{0,12}", "\\PC{0,20}"]
}

fn message() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::from),
        text().prop_map(|text| json!({ "parts": [{ "text": "part" }], "text": text })),
        prop::collection::vec(text(), 0..3).prop_map(
            |parts| json!({ "parts": parts.iter().map(|text| json!({ "text": text })).collect::<Vec<_>>() })
        ),
    ]
}

fn request() -> impl Strategy<Value = Value> {
    (message(), prop::option::of(0_u64..2_000_000_000_000), text()).prop_map(|(message, at, noise)| {
        json!({ "requestId": noise, "message": message, "timestamp": at, "response": [{ "value": { "text": noise } }] })
    })
}

/// What is done, to which request, counted from the last one.
#[derive(Clone, Debug)]
enum Step {
    Push(Vec<Value>),
    Cut(usize, Vec<Value>),
    Replace(usize, Value),
    Message(usize, Value),
    Text(usize, String),
    At(usize, Option<u64>),
    Response(usize, Vec<Value>),
    Snapshot(Vec<Value>),
    Forget,
}

fn step() -> impl Strategy<Value = Step> {
    let requests = || prop::collection::vec(request(), 0..3);
    prop_oneof![
        4 => requests().prop_map(Step::Push),
        2 => (0_usize..5, requests()).prop_map(|(back, requests)| Step::Cut(back, requests)),
        1 => (0_usize..5, request()).prop_map(|(back, request)| Step::Replace(back, request)),
        1 => (0_usize..5, message()).prop_map(|(back, message)| Step::Message(back, message)),
        1 => (0_usize..5, text()).prop_map(|(back, text)| Step::Text(back, text)),
        1 => (0_usize..5, prop::option::of(1_u64..9)).prop_map(|(back, at)| Step::At(back, at)),
        1 => (0_usize..5, requests()).prop_map(|(back, parts)| Step::Response(back, parts)),
        1 => requests().prop_map(Step::Snapshot),
        1 => Just(Step::Forget),
    ]
}

/// The line of a step, for a session as it is then; `None` where VS Code would write none.
fn line(state: &Value, step: &Step) -> Option<Value> {
    let count = state["requests"].as_array().map_or(0, Vec::len);
    let nth = |back: usize| count.checked_sub(back + 1);
    // Without a list VS Code pushes one, and sets nothing in it.
    let has_list = state["requests"].is_array();
    Some(match step {
        Step::Push(requests) => json!({ "kind": 2, "k": ["requests"], "v": requests }),
        Step::Cut(back, requests) => {
            json!({ "kind": 2, "k": ["requests"], "v": requests, "i": count.saturating_sub(*back) })
        }
        Step::Replace(back, request) if has_list => {
            json!({ "kind": 1, "k": ["requests", count.saturating_sub(*back)], "v": request })
        }
        Step::Replace(..) => return None,
        Step::Message(back, message) => {
            json!({ "kind": 1, "k": ["requests", nth(*back)?, "message"], "v": message })
        }
        Step::Text(back, text) => {
            let n = nth(*back)?;
            state["requests"][n]["message"].is_object().then_some(())?;
            json!({ "kind": 1, "k": ["requests", n, "message", "text"], "v": text })
        }
        Step::At(back, Some(at)) => {
            json!({ "kind": 1, "k": ["requests", nth(*back)?, "timestamp"], "v": at })
        }
        Step::At(back, None) => json!({ "kind": 3, "k": ["requests", nth(*back)?, "timestamp"] }),
        Step::Response(back, parts) => {
            json!({ "kind": 2, "k": ["requests", nth(*back)?, "response"], "v": parts, "i": 0 })
        }
        Step::Snapshot(requests) => json!({ "kind": 0, "v": session(requests) }),
        Step::Forget => json!({ "kind": 3, "k": ["requests"] }),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_log_gives_what_vs_code_makes_of_it(steps in prop::collection::vec(step(), 0..25)) {
        let mut state = session(&[]);
        let mut lines = vec![json!({ "kind": 0, "v": state })];
        for step in &steps {
            let Some(line) = line(&state, step) else { continue };
            if line["kind"] == 0 {
                state = line["v"].clone();
            } else {
                apply(&mut state, &line);
            }
            lines.push(line);
        }
        let world = World::new();
        world.vs_code("log.jsonl", jsonl(&lines));
        let requests = world.requests("log").unwrap();
        let empty = Vec::new();
        let expected = state["requests"].as_array().unwrap_or(&empty);
        prop_assert_eq!(requests.count(), expected.len() as u64);
        for (number, request) in (1..).zip(expected) {
            let asked = requests.get(number, GOING).unwrap();
            prop_assert_eq!(asked.words, words(request));
            prop_assert_eq!(asked.at.map(|at| at.0), request["timestamp"].as_u64());
        }
    }

    /// A fuzz target has more of it: `history`.
    #[test]
    fn no_bytes_make_anything_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), name in "[ab]\\.jsonl?") {
        let world = World::new();
        world.vs_code(&name, &bytes);
        let _ = world.requests(&name[..1]).map(|requests| requests.get(1, GOING));
    }
}
