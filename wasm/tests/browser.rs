//! The face in a real browser: `wasm-pack test --headless --chrome wasm`.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop at what cannot be"
)]

use js_sys::{JSON, Reflect};
use opentoolbar_wasm::anchors::Anchors;
use opentoolbar_wasm::page::Page;
use opentoolbar_wasm::platform;
use opentoolbar_wasm::protocol::ChunkJoiner;
use opentoolbar_wasm::{model, prompt, version};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsError, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A document with a form and two buttons.
const CAPTURE: &str = r##"{
  "version": 1, "url": "http://localhost:5173/shop", "title": "Shop", "viewport": {"width": 800, "height": 600},
  "strings": ["http://localhost:5173/shop", "html", "body", "button", "Save", "Cancel", "id", "save"],
  "nodes": [
    0, -1, 0, 0, 0, 0, 0, 800, 600, 1,
    1, 0, 1, 0, 0, 0, 0, 800, 600, 1,
    1, 1, 2, 0, 0, 0, 0, 800, 600, 1,
    1, 2, 3, 0, 1, 10, 10, 80, 24, 3,
    2, 3, 4, 0, 0, 10, 10, 80, 24, 1,
    1, 2, 3, 0, 0, 100, 10, 80, 24, 3,
    2, 5, 5, 0, 0, 100, 10, 80, 24, 1
  ],
  "attributes": [6, 7]
}"##;

fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap()
}

/// A capture in JSON as the background hands it over.
fn packed(capture: &str) -> JsValue {
    let capture = JSON::parse(capture).unwrap();
    let set = |name: &str, value: &JsValue| assert!(Reflect::set(&capture, &name.into(), value).unwrap());
    let strings = js_sys::Array::from(&get(&capture, "strings"));
    set("strings", &JsValue::from(String::from(strings.join("\0")) + "\0"));
    set("nodes", &js_sys::Int32Array::new(&get(&capture, "nodes")));
    set("attributes", &js_sys::Uint32Array::new(&get(&capture, "attributes")));
    set("drawings", &js_sys::Uint32Array::new_with_length(0));
    capture
}

fn message(error: JsError) -> String {
    get(&JsValue::from(error), "message").as_string().unwrap()
}

fn ok<T>(result: Result<T, JsError>) -> T {
    result.unwrap_or_else(|error| panic!("{}", message(error)))
}

fn comment() -> JsValue {
    let target = ok(ok(Page::decode(&packed(CAPTURE))).target(3, &JsValue::UNDEFINED));
    let comment = JSON::parse(
        r#"{"id":"c_1","revision":1,"url":"http://localhost:5173/shop","pathname":"/shop","title":"Shop",
            "status":"active","stage":"open","text":"Make it blue","author":{"kind":"person"},
            "createdAt":1000,"updatedAt":1000}"#,
    )
    .unwrap();
    Reflect::set(&comment, &"targets".into(), &js_sys::Array::of1(&target)).unwrap();
    comment
}

fn text(value: &JsValue, name: &str) -> Option<String> {
    get(value, name).as_string()
}

/// Keeps a target's anchor and asks for it.
fn sought(anchors: &mut Anchors, target: &JsValue, evidence: &str, look: Option<String>) -> JsValue {
    let one = js_sys::Object::new();
    let id = ok(anchors.keep(&text(target, "anchor").unwrap(), look));
    Reflect::set(&one, &"anchor".into(), &id.into()).unwrap();
    Reflect::set(&one, &"evidence".into(), &evidence.into()).unwrap();
    one.into()
}

fn change(json: &str) -> JsValue {
    JSON::parse(json).unwrap()
}

fn person() -> JsValue {
    JSON::parse(r#"{"kind":"person"}"#).unwrap()
}

#[wasm_bindgen_test]
fn an_element_is_described_and_found_again() {
    let page = ok(Page::decode(&packed(CAPTURE)));
    assert_eq!((page.url().as_str(), page.node_count()), ("http://localhost:5173/shop", 7));
    let target = ok(page.target(3, &JsValue::UNDEFINED));
    assert_eq!(get(&get(&target, "snapshot"), "tag").as_string().as_deref(), Some("button"));
    let mut anchors = Anchors::new();
    let one = sought(&mut anchors, &target, "hot", None);
    let judged = ok(page.judge(&anchors, &js_sys::Array::of1(&one)));
    let judged = Reflect::get_u32(&judged, 0).unwrap();
    assert_eq!(get(&judged, "cause").as_string().as_deref(), Some("source"));
    assert_eq!(get(&judged, "inView").as_bool(), Some(true));
    let verdict = get(&judged, "verdict");
    assert_eq!(get(&verdict, "kind").as_string().as_deref(), Some("unchanged"));
    assert_eq!(get(&verdict, "node").as_f64(), Some(3.0));
}

#[wasm_bindgen_test]
fn an_anchor_that_cannot_be_read_is_said_when_it_is_kept() {
    let mut anchors = Anchors::new();
    let mut refused = |anchor: &str| anchors.keep(anchor, None).err().map(message).unwrap();
    assert!(refused("AQ==").contains("damaged"));
    assert!(refused("//8=").contains("update opentoolbar"));
}

#[wasm_bindgen_test]
fn kept_anchors_are_found_again_until_they_are_dropped() {
    let page = ok(Page::decode(&packed(CAPTURE)));
    let mut anchors = Anchors::new();
    let [first, second] = [3, 5].map(|node| ok(page.target(node, &JsValue::UNDEFINED)));
    let ids = [&first, &second].map(|target| sought(&mut anchors, target, "none", None));
    for _ in 0..2 {
        let answers = ok(page.judge(&anchors, &js_sys::Array::of2(&ids[1], &ids[0])));
        let node = |at| get(&get(&Reflect::get_u32(&answers, at).unwrap(), "verdict"), "node").as_f64();
        assert_eq!((node(0), node(1)), (Some(5.0), Some(3.0)));
    }
    anchors.drop(0);
    anchors.drop(0);
    anchors.drop(77);
    let refused = page.judge(&anchors, &js_sys::Array::of1(&ids[0])).err().map(message).unwrap();
    assert!(refused.contains("must be the id of an anchor that is kept"), "{refused}");
    let mut keep = || ok(anchors.keep(&text(&first, "anchor").unwrap(), None));
    assert_eq!((keep(), keep()), (0, 2), "an id is given again once it is free");
}

#[wasm_bindgen_test]
fn what_is_sought_without_an_anchor_is_refused_with_a_sentence() {
    let page = ok(Page::decode(&packed(CAPTURE)));
    let mut anchors = Anchors::new();
    let refused =
        |anchors: &Anchors, sought: &JsValue| page.judge(anchors, sought).err().map(message).unwrap();
    assert!(refused(&anchors, &JsValue::from(3)).contains("`sought` must be a list"));
    let empty = js_sys::Array::of1(&js_sys::Object::new());
    assert!(refused(&anchors, &empty).contains("`anchor` is missing"));
    let target = ok(page.target(3, &JsValue::UNDEFINED));
    let wrong = js_sys::Array::of1(&sought(&mut anchors, &target, "rumour", None));
    assert!(refused(&anchors, &wrong).contains("`rumour` is not one of none hot loaded unknown"));
}

#[wasm_bindgen_test]
fn a_look_that_is_given_back_tells_state_from_source() {
    let page = ok(Page::decode(&packed(CAPTURE)));
    let target = ok(page.target(3, &JsValue::UNDEFINED));
    let judge = |capture: &str, evidence: &str, look: Option<String>| {
        let mut anchors = Anchors::new();
        let one = sought(&mut anchors, &target, evidence, look);
        let judged = ok(ok(Page::decode(&packed(capture))).judge(&anchors, &js_sys::Array::of1(&one)));
        Reflect::get_u32(&judged, 0).unwrap()
    };
    let other = CAPTURE.replace("Save", "Store");
    let used = judge(&other, "none", None);
    assert_eq!(text(&used, "cause").as_deref(), Some("state"));
    let look = text(&used, "look");
    assert!(look.is_some());
    assert_eq!(text(&judge(&other, "hot", look.clone()), "cause").as_deref(), Some("state"));
    let edited = judge(&CAPTURE.replace("Save", "Keep"), "hot", look.clone());
    assert_eq!(text(&edited, "cause").as_deref(), Some("source"));
    let back = judge(CAPTURE, "none", look);
    assert_eq!(get(&get(&back, "varied"), "length").as_f64(), Some(1.0));
}

#[wasm_bindgen_test]
fn what_is_no_page_or_no_element_is_an_error_with_a_sentence() {
    let refused = |capture: &JsValue| Page::decode(capture).err().map(message).unwrap();
    assert!(refused(&JsValue::NULL).contains("`nodes` must be a typed array"));
    let text = JSON::parse(CAPTURE).unwrap();
    assert!(refused(&text).contains("`nodes` must be a typed array"));
    let short = packed(&CAPTURE.replace(", \"save\"]", "]"));
    assert!(refused(&short).contains("string 7"), "{}", refused(&short));
    let page = ok(Page::decode(&packed(CAPTURE)));
    assert!(page.target(4, &JsValue::UNDEFINED).is_err(), "a text is not an element");
    assert!(page.target(99, &JsValue::UNDEFINED).is_err(), "out of range");
}

#[wasm_bindgen_test]
fn a_change_is_applied_and_a_wrong_one_says_why() {
    let edited = ok(model::apply_change(
        &comment(),
        &change(r#"{"kind":"edit","text":"Make it red","baseRevision":1}"#),
        &person(),
        2000.0,
    ));
    assert_eq!(get(&edited, "text").as_string().as_deref(), Some("Make it red"));
    assert_eq!(get(&edited, "revision").as_f64(), Some(2.0));
    let refused = model::apply_change(&edited, &change(r#"{"kind":"reopen"}"#), &person(), 3000.0);
    assert!(message(refused.unwrap_err()).contains("not resolved"));
    let nonsense = model::apply_change(&edited, &change(r#"{"kind":"burn"}"#), &person(), 3000.0);
    assert!(message(nonsense.unwrap_err()).contains("burn"));
}

#[wasm_bindgen_test]
fn an_export_can_be_imported_again() {
    let comments = js_sys::Array::of1(&comment());
    let json = ok(prompt::export_json(&comments, 5000.0));
    let merge = ok(prompt::import_json(&js_sys::Array::new(), &json, 6000.0));
    assert_eq!(get(&get(&merge, "added"), "length").as_f64(), Some(1.0));
    let imported = js_sys::Array::from(&get(&merge, "comments")).get(0);
    assert_eq!(get(&imported, "importedAt").as_f64(), Some(6000.0));
    assert_eq!(get(&ok(prompt::merge_comments(&comment(), &imported)), "text"), get(&comment(), "text"));
    let again = ok(prompt::import_json(&comments, &json, 6000.0));
    assert_eq!(get(&get(&again, "skipped"), "length").as_f64(), Some(1.0));
    assert!(prompt::import_json(&comments, "{}", 6000.0).is_err());
    let options = JSON::parse(r#"{"level":"standard","includeResolved":false}"#).unwrap();
    assert!(ok(prompt::export_prompt(&comments, &options)).contains("Make it blue"));
}

#[wasm_bindgen_test]
fn parts_are_joined_and_nonsense_is_refused() {
    let mut joiner = ChunkJoiner::new();
    let part = |json: &str| JSON::parse(json).unwrap();
    assert_eq!(ok(joiner.push(&part(r#"{"transfer":1,"index":0,"total":2,"data":"ab"}"#))), None);
    let whole = ok(joiner.push(&part(r#"{"transfer":1,"index":1,"total":2,"data":"c"}"#)));
    assert_eq!(whole.as_deref(), Some("abc"));
    assert!(joiner.push(&part(r#"{"transfer":1,"index":5,"total":2,"data":"c"}"#)).is_err());
}

#[wasm_bindgen_test]
fn it_says_what_it_is() {
    assert_eq!(version::version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(version::protocol_version(), opentoolbar_core::protocol::PROTOCOL_VERSION);
}

#[wasm_bindgen_test]
fn a_wrong_value_is_named_by_its_path() {
    let wrong = comment();
    let target = get(&get(&wrong, "targets"), "0");
    Reflect::set(&get(&target, "snapshot"), &"tag".into(), &7.into()).unwrap();
    let refused = model::check_comment(&wrong);
    assert_eq!(
        message(refused.unwrap_err()),
        "comment: targets[0].snapshot.tag: a number where a string belongs"
    );
    let wrong = comment();
    Reflect::set(&wrong, &"revision".into(), &(-1).into()).unwrap();
    assert!(
        message(model::check_comment(&wrong).unwrap_err()).contains("revision: a number where u32 belongs")
    );
    let wrong = comment();
    Reflect::set(&wrong, &"status".into(), &"done".into()).unwrap();
    let refused = message(model::check_comment(&wrong).unwrap_err());
    assert!(refused.contains("status: `done` is not one of active outdated resolved"), "{refused}");
    let wrong = comment();
    Reflect::set(&wrong, &"text".into(), &JsValue::UNDEFINED).unwrap();
    assert!(message(model::check_comment(&wrong).unwrap_err()).contains("missing field `text`"));
}

#[wasm_bindgen_test]
fn a_call_leaves_one_measure_of_its_name_on_the_timeline() {
    for _ in 0..3 {
        drop(ok(Page::decode(&packed(CAPTURE))));
    }
    let performance = web_sys::window().unwrap().performance().unwrap();
    let measures = performance.get_entries_by_name("opentoolbar: decode");
    assert_eq!(measures.length(), 1);
    assert_eq!(get(&measures.get(0), "entryType").as_string().as_deref(), Some("measure"));
}

#[wasm_bindgen_test]
fn a_panic_is_told_on_the_console() {
    let console = get(&js_sys::global(), "console");
    let (error, told) = (get(&console, "error"), js_sys::Array::new());
    let listener = {
        let told = told.clone();
        Closure::<dyn Fn(JsValue)>::new(move |text| {
            told.push(&text);
        })
    };
    Reflect::set(&console, &"error".into(), listener.as_ref().unchecked_ref()).unwrap();
    platform::report_panic(&"index out of bounds");
    Reflect::set(&console, &"error".into(), &error).unwrap();
    assert_eq!(told.length(), 1);
    assert_eq!(told.get(0).as_string().as_deref(), Some("opentoolbar: index out of bounds"));
}
