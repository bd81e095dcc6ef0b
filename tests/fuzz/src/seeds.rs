//! Well-formed inputs to begin with: the examples of the protocol's reference, and what the project's own tests and
//! docs hold.

use opentoolbar_core::anchor::{Anchor, target_of};
use opentoolbar_core::model::Target;
use opentoolbar_core::page::{
    CAPTURE_VERSION, Capture, KIND_DOCUMENT, KIND_ELEMENT, KIND_SHADOW_ROOT, KIND_TEXT, Size,
};
use serde_json::{Value, json};

use crate::page::{SHOP, shop};

const PROTOCOL: &str = include_str!("../../../docs/protocol.md");
const REDACTION: &str = include_str!("../../cases/redaction.json");

/// Every example of a message: blocks of JSON, and the cells of the tables.
pub(crate) fn messages() -> Vec<Vec<u8>> {
    let blocks = PROTOCOL.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
    let cells = PROTOCOL.lines().flat_map(|line| line.split('`').filter(|part| part.starts_with('{')));
    let texts = blocks.map(str::trim).chain(cells);
    texts
        .filter(|text| serde_json::from_str::<Value>(text).is_ok())
        .map(|text| text.as_bytes().to_vec())
        .collect()
}

/// What stands under a name anywhere in the examples.
pub(crate) fn inside_messages(name: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for message in messages() {
        let mut left: Vec<Value> = serde_json::from_slice(&message).into_iter().collect();
        while let Some(value) = left.pop() {
            match value {
                Value::Object(object) => {
                    for (key, value) in object {
                        if key == name {
                            found.push(value.to_string().into_bytes());
                        }
                        left.push(value);
                    }
                }
                Value::Array(list) => left.extend(list),
                _ => {}
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Comments, one of them with everything that a comment can have.
pub(crate) fn comments() -> Vec<Vec<u8>> {
    let mut all = inside_messages("comment");
    for list in inside_messages("comments") {
        let list: Vec<Value> = serde_json::from_slice(&list).unwrap_or_default();
        all.extend(list.iter().map(|one| one.to_string().into_bytes()));
    }
    all.push(full_comment().to_string().into_bytes());
    all
}

/// Resolved by an agent, edited and answered, on two elements.
pub(crate) fn full_comment() -> Value {
    let page = shop();
    let mut targets: Vec<Value> = (20..page.len())
        .filter_map(|node| target_of(&page, node, None).ok())
        .take(2)
        .map(|target| json!(target))
        .collect();
    if let Some(target) = targets.first_mut() {
        let diff = json!([{ "field": "text", "before": "Buy", "after": "Buy & pay" }]);
        let state = json!({ "verdict": "changed", "confidence": 0.9, "diff": diff, "reason": "Its text differs.", "checkedAt": 1_763_700_000_000_u64 });
        target["state"] = state;
        let source = json!({ "file": "src/Buy.tsx", "line": 12, "column": 3, "confidence": 0.9, "reason": "React _debugSource" });
        target["snapshot"]["source"] = source;
        target["snapshot"]["component"] = json!("Buy");
    }
    let agent = json!({ "kind": "agent", "name": "claude-code 2.1" });
    let at = 1_763_700_000_000_u64;
    json!({
        "id": "c_full", "revision": 3, "url": "http://localhost:5173/cart?x=1#/a", "pathname": "/cart", "title": "Cart",
        "sessionId": "s_1", "status": "resolved", "stage": "review", "text": "Make it **bigger**\n```css\n.a{}\n```",
        "author": { "kind": "person" }, "targets": targets,
        "replies": [{ "id": "r_1", "author": agent, "text": "Which one?", "createdAt": at }],
        "resolution": { "by": agent, "summary": "Done", "at": at },
        "history": [
            { "revision": 2, "at": at, "by": { "kind": "person" }, "what": "edited", "previousText": "a" },
            { "revision": 3, "at": at, "by": agent, "what": "resolved: Done" },
        ],
        "createdAt": at, "updatedAt": at,
    })
}

/// Anchors of some elements of the small page.
pub(crate) fn anchors() -> Vec<Anchor> {
    let page = shop();
    let elements = (0..page.len()).filter(|&node| page.is_element(node)).step_by(5);
    elements.filter_map(|node| Anchor::from_base64(&target_of(&page, node, None).ok()?.anchor).ok()).collect()
}

/// Selectors of the small page in every form.
pub(crate) fn selectors() -> Vec<Vec<u8>> {
    let page = shop();
    let elements = (0..page.len()).filter(|&node| page.is_element(node));
    let targets = elements.filter_map(|node| target_of(&page, node, None).ok());
    targets.flat_map(words).map(String::into_bytes).collect()
}

pub(crate) fn html() -> Vec<Vec<u8>> {
    let odd = "<!DOCTYPE><table><b><tr><i>x</b></table><select><p><frameset><math><mi><annotation-xml encoding=text/html><svg>\
               <foreignObject><iframe srcdoc='<p>in'></iframe><template shadowrootmode=closed>x<textarea></div>";
    [SHOP, odd, "<", "", "\u{feff}<html>", "<a b=c b=d/ e>&#0;&#x110000;&notin;"]
        .map(|text| text.as_bytes().to_vec())
        .into()
}

/// A capture with a frame, a shadow root and texts, as the content script sends it.
pub(crate) fn captures() -> Vec<Vec<u8>> {
    let strings = [
        "http://localhost:5173/",
        "html",
        "body",
        "button",
        "Buy",
        "id",
        "buy",
        "class",
        "btn buy",
        "div",
        "",
        "iframe",
        "http://localhost:5173/frame",
        "p",
        "inside",
        "data-testid",
        "row-1",
    ];
    let node = |kind, parent, string, first, count, flags| {
        [kind, parent, string, first, count, 8, 8, 200, 20, flags]
    };
    let nodes = [
        node(KIND_DOCUMENT, -1, 0, 0, 0, 1),
        node(KIND_ELEMENT, 0, 1, 0, 0, 1),
        node(KIND_ELEMENT, 1, 2, 0, 0, 1),
        node(KIND_ELEMENT, 2, 3, 0, 2, 3),
        node(KIND_TEXT, 3, 4, 0, 0, 0),
        node(KIND_ELEMENT, 2, 9, 2, 1, 1),
        node(KIND_SHADOW_ROOT, 5, 10, 0, 0, 1),
        node(KIND_ELEMENT, 6, 3, 1, 1, 3),
        node(KIND_ELEMENT, 2, 11, 0, 0, 5),
        node(KIND_DOCUMENT, 8, 12, 0, 0, 1),
        node(KIND_ELEMENT, 9, 13, 0, 0, 1),
        node(KIND_TEXT, 10, 14, 0, 0, 0),
    ];
    let capture = Capture {
        version: CAPTURE_VERSION,
        url: strings[0].to_owned(),
        title: "Shop".to_owned(),
        viewport: Size { width: 800, height: 600 },
        strings: strings.map(str::to_owned).into(),
        nodes: nodes.concat(),
        attributes: vec![5, 6, 7, 8, 15, 16],
        drawings: vec![3, 8],
    };
    serde_json::to_vec(&capture).into_iter().collect()
}

/// Texts with and without secrets, and of each an attribute with its element.
pub(crate) fn redaction() -> Vec<Vec<u8>> {
    let cases: Vec<Value> = serde_json::from_str(REDACTION).unwrap_or_default();
    cases.iter().filter_map(|case| case["input"].as_str()).map(|text| text.as_bytes().to_vec()).collect()
}

/// Every selector of a target.
fn words(target: Target) -> impl Iterator<Item = String> {
    let others = target.addresses.map(|addresses| addresses.others).unwrap_or_default();
    others.into_iter().chain([target.selector])
}
