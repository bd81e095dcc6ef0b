//! One captured page: decoded once, then asked by node index.

use js_sys::{Int32Array, Uint32Array};
use opentoolbar_core::anchor::{self, Evidence, FoundIn, FoundWord, Held, Query};
use opentoolbar_core::model::Varied;
use opentoolbar_core::page;
use opentoolbar_core::source::ProbeFacts;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::anchors::{Anchors, Known};
use crate::platform::Measure;
use crate::value::{field, from_js, need, number_field, sentence, text_field, to_js};

fn probe_facts(facts: &JsValue) -> Result<ProbeFacts, JsError> {
    Ok(ProbeFacts {
        component: text_field(facts, "component")?,
        framework: text_field(facts, "framework")?,
        file: text_field(facts, "file")?,
        line: number_field(facts, "line")?,
        column: number_field(facts, "column")?,
    })
}

/// A typed array of a capture; the error names it.
fn array<T: JsCast>(capture: &JsValue, name: &str) -> Result<T, JsError> {
    field(capture, name).dyn_into().map_err(|_| JsError::new(&format!("`{name}` must be a typed array")))
}

/// A captured page. Free it when done: JavaScript's collector does not see how large it is.
#[wasm_bindgen]
pub struct Page {
    page: page::Page,
}

#[wasm_bindgen]
impl Page {
    /// Reads a capture whose lists crossed in one piece each: numbers as typed arrays, strings as one text.
    ///
    /// # Errors
    /// Throws an Error that says what is wrong with the capture.
    pub fn decode(
        #[wasm_bindgen(unchecked_param_type = "PackedCapture")] capture: &JsValue,
    ) -> Result<Page, JsError> {
        let _measure = Measure::start("opentoolbar: decode");
        let text = |name| need(text_field(capture, name)?, name);
        let viewport = field(capture, "viewport");
        let size = |name| need(number_field(&viewport, name)?, name).map(|size| size as i32);
        let nodes: Int32Array = array(capture, "nodes")?;
        let attributes: Uint32Array = array(capture, "attributes")?;
        let drawings: Uint32Array = array(capture, "drawings")?;
        let numbers = [nodes.length(), attributes.length(), drawings.length()].map(|length| length as usize);
        page::Capture::check_size(numbers.iter().sum::<usize>().saturating_mul(4)).map_err(sentence)?;
        let strings = text("strings")?;
        page::Capture::check_size(strings.len()).map_err(sentence)?;
        let capture = page::Capture {
            version: need(number_field(capture, "version")?, "version")?,
            url: text("url")?,
            title: text("title")?,
            viewport: page::Size { width: size("width")?, height: size("height")? },
            strings: page::strings_of(&strings),
            nodes: nodes.to_vec(),
            attributes: attributes.to_vec(),
            drawings: drawings.to_vec(),
        };
        let page = page::Page::from_capture(capture).map_err(sentence)?;
        Ok(Self { page })
    }

    /// The page's address as the capture says it, redacted.
    #[wasm_bindgen(getter)]
    pub fn url(&self) -> String {
        self.page.url().to_owned()
    }

    /// How many nodes it has, texts included.
    #[wasm_bindgen(getter, js_name = nodeCount)]
    pub fn node_count(&self) -> u32 {
        self.page.len()
    }

    /// Snapshot, selector and anchor of an element, with what the probe told about it.
    ///
    /// # Errors
    /// Throws an Error when the node is not an element of this page.
    #[wasm_bindgen(unchecked_return_type = "Target")]
    pub fn target(
        &self,
        node: u32,
        #[wasm_bindgen(unchecked_param_type = "ProbeFacts | undefined")] probe: &JsValue,
    ) -> Result<JsValue, JsError> {
        let _measure = Measure::start("opentoolbar: target");
        let probe = if probe.is_undefined() { None } else { Some(probe_facts(probe)?) };
        to_js(&anchor::target_of(&self.page, node, probe.as_ref()).map_err(sentence)?)
    }

    /// Looks for targets again, all in one pass, so that no two are given the same element: for each, in order, what differs
    /// and what that comes from. Their anchors are those of `anchors`, named by id.
    ///
    /// # Errors
    /// Throws an Error when `sought` is no list of what has the id of an anchor that is kept, and a known kind of
    /// evidence.
    #[wasm_bindgen(unchecked_return_type = "Judged[]")]
    pub fn judge(
        &self,
        anchors: &Anchors,
        #[wasm_bindgen(unchecked_param_type = "Sought[]")] sought: &JsValue,
    ) -> Result<JsValue, JsError> {
        let _measure = Measure::start("opentoolbar: judge");
        let sought =
            sought.dyn_ref::<js_sys::Array>().ok_or_else(|| JsError::new("`sought` must be a list"))?;
        let queries = sought.iter().map(|one| query(anchors, &one)).collect::<Result<_, _>>()?;
        let answers = js_sys::Array::new();
        for judged in anchor::judge(&self.page, queries) {
            answers.push(&to_js(&judged)?);
        }
        Ok(answers.into())
    }
}

fn query(anchors: &Anchors, one: &JsValue) -> Result<Query, JsError> {
    let Known { anchor, look } = anchors.get(need(number_field(one, "anchor")?, "anchor")?)?;
    let evidence = Evidence::try_from(need(text_field(one, "evidence")?, "evidence")?).map_err(sentence)?;
    let varied = field(one, "varied");
    let varied: Vec<Varied> = if varied.is_undefined() { Vec::new() } else { from_js(&varied, "varied")? };
    let found = found_words(&field(one, "found"))?;
    let held = Held::from_index(number_field(one, "held")?);
    Ok(Query { anchor: anchor.clone(), look: look.clone(), varied, evidence, found, held })
}

/// Read field by field: serde's own reading of a list costs more than a kilobyte.
fn found_words(list: &JsValue) -> Result<Vec<FoundWord>, JsError> {
    let mut found = Vec::new();
    for one in list.dyn_ref::<js_sys::Array>().into_iter().flat_map(js_sys::Array::iter) {
        let word = need(text_field(&one, "word")?, "word")?;
        let found_in = FoundIn::try_from(need(text_field(&one, "foundIn")?, "foundIn")?).map_err(sentence)?;
        found.push(FoundWord { word, found_in });
    }
    Ok(found)
}
