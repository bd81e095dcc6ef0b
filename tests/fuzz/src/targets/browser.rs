//! What the content script and the page's own words bring to the core.

use std::cell::OnceCell;

use opentoolbar_core::element;
use opentoolbar_core::model::Selection;
use opentoolbar_core::page::{CAPTURE_VERSION, Capture, Page, strings_of};
use opentoolbar_core::prompt::project_selection;
use opentoolbar_core::source::{ProbeFacts, component_name, from_probe};

use crate::{Target, page, seeds};

thread_local! {
    static SHOP: OnceCell<Page> = const { OnceCell::new() };
}

/// A page as the content script sends it.
pub(super) const CAPTURE: Target = Target {
    name: "capture",
    is_json: true,
    run: |input| {
        if let Ok(decoded) = Page::decode(input) {
            page::explore(&decoded);
        }
    },
    seeds: seeds::captures,
};

/// The same as it crosses into WASM, where its lists are memory: first how many numbers each has, then the numbers,
/// then the strings.
pub(super) const PACKED: Target = Target {
    name: "packed",
    is_json: false,
    run: |input| {
        let mut rest = input;
        let lengths = [(); 3].map(|()| take_numbers(&mut rest, 1).first().copied().unwrap_or_default());
        let [nodes, attributes, drawings] = lengths.map(|length| take_numbers(&mut rest, length));
        let capture = Capture {
            version: CAPTURE_VERSION,
            strings: strings_of(&String::from_utf8_lossy(rest)),
            nodes: nodes.into_iter().map(u32::cast_signed).collect(),
            attributes,
            drawings,
            ..Capture::default()
        };
        if let Ok(decoded) = Page::from_capture(capture) {
            page::explore(&decoded);
        }
    },
    seeds: || seeds::captures().iter().filter_map(|json| packed(json)).collect(),
};

/// As many numbers as there are of those that are wanted.
fn take_numbers(rest: &mut &[u8], wanted: u32) -> Vec<u32> {
    let (numbers, _) = rest.as_chunks::<4>();
    let taken: Vec<u32> =
        numbers.iter().take(wanted as usize).map(|&bytes| u32::from_le_bytes(bytes)).collect();
    *rest = &rest[taken.len() * 4..];
    taken
}

fn packed(json: &[u8]) -> Option<Vec<u8>> {
    let capture = Page::decode(json).ok()?.to_capture();
    let nodes: Vec<u32> = capture.nodes.into_iter().map(i32::cast_unsigned).collect();
    let lists = [nodes, capture.attributes, capture.drawings];
    let lengths = lists.iter().map(|list| list.len() as u32);
    let numbers = lengths.chain(lists.iter().flatten().copied()).flat_map(u32::to_le_bytes);
    let strings = capture.strings.iter().flat_map(|string| string.bytes().chain(*b"\0"));
    Some(numbers.chain(strings).collect())
}

/// What the probe says of an element, in the page's own world.
pub(super) const PROBE: Target = Target {
    name: "probe",
    is_json: true,
    run: |input| {
        let Ok(facts) = serde_json::from_slice::<ProbeFacts>(input) else { return };
        if let Some(place) = from_probe(&facts) {
            assert!(!place.file.chars().any(char::is_control), "{:?} breaks a line", place.file);
        }
        let _ = component_name(facts.component.as_deref().unwrap_or_default());
        SHOP.with(|shop| {
            let shop = shop.get_or_init(page::shop);
            let node = shop.len() / 2;
            let described = element::describe(shop, node, Some(&facts));
            assert!(
                described.is_ok() || !shop.is_element(node),
                "{facts:?} keeps an element from being described"
            );
        });
    },
    seeds: || {
        let facts = r#"{"component":"Buy","framework":"react","file":"webpack-internal:///./src/Buy.tsx?1","line":12,"column":3}"#;
        let vue = r#"{"component":"App","framework":"vue","file":"http://localhost:5173/@fs/home/me/shop/src/App.vue"}"#;
        vec![facts.as_bytes().to_vec(), vue.as_bytes().to_vec()]
    },
};

/// A selection of the conversation.
pub(super) const SELECTION: Target = Target {
    name: "selection",
    is_json: true,
    run: |input| {
        let Ok(selection) = serde_json::from_slice::<Selection>(input) else { return };
        if selection.check().is_ok() {
            let redacted = selection.redacted();
            let _ = project_selection(&redacted, |text| text.len() < 8_000);
            let _ = project_selection(&redacted, |_| false);
        }
    },
    seeds: || {
        let mut all = seeds::inside_messages("payload");
        all.retain(|payload| payload.windows(11).any(|window| window == b"\"ancestors\""));
        all
    },
};
