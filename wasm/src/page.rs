//! One captured page: decoded once, then asked by node index.

use js_sys::{Int32Array, Uint32Array};
use opentoolbar_core::anchor::{self, Anchor, Evidence, FoundIn, FoundWord, Held, Look, Query};
use opentoolbar_core::model::Varied;
use opentoolbar_core::page::{self, CaptureError};
use opentoolbar_core::source::ProbeFacts;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::platform::Measure;
use crate::value::{field, from_js, need, number_field, parse, sentence, text_field, to_js};

fn probe_facts(facts: &JsValue) -> Result<ProbeFacts, JsError> {
    Ok(ProbeFacts {
        component: text_field(facts, "component")?,
        framework: text_field(facts, "framework")?,
        file: text_field(facts, "file")?,
        line: number_field(facts, "line")?,
        column: number_field(facts, "column")?,
    })
}

fn list(capture: &JsValue, name: &str) -> Result<JsValue, JsError> {
    Some(field(capture, name))
        .filter(js_sys::Array::is_array)
        .ok_or_else(|| JsError::new(&format!("`{name}` must be a list")))
}

/// A captured page. Free it when done: JavaScript's collector does not see how large it is.
#[wasm_bindgen]
pub struct Page {
    page: page::Page,
}

#[wasm_bindgen]
impl Page {
    /// Reads the JSON text of a `Capture`.
    ///
    /// # Errors
    /// Throws an Error that says what is wrong with the capture.
    pub fn decode(capture: &str) -> Result<Page, JsError> {
        let _measure = Measure::start("opentoolbar: decode");
        page::Capture::check_size(capture.len()).map_err(sentence)?;
        let capture = &parse(capture).map_err(|problem| sentence(CaptureError::Json(problem)))?;
        let text = |name| need(text_field(capture, name)?, name);
        let viewport = field(capture, "viewport");
        let size = |name| need(number_field(&viewport, name)?, name).map(|size| size as i32);
        // The long lists are copied as typed arrays: a hundred times faster than number by number.
        let capture = page::Capture {
            version: need(number_field(capture, "version")?, "version")?,
            url: text("url")?,
            title: text("title")?,
            viewport: page::Size { width: size("width")?, height: size("height")? },
            strings: from_js(&list(capture, "strings")?, "strings")?,
            nodes: Int32Array::new(&list(capture, "nodes")?).to_vec(),
            attributes: Uint32Array::new(&list(capture, "attributes")?).to_vec(),
            drawings: match field(capture, "drawings") {
                absent if absent.is_undefined() => Vec::new(),
                _ => Uint32Array::new(&list(capture, "drawings")?).to_vec(),
            },
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
    /// and what that comes from, or a text that says why its anchor cannot be read. One that cannot does not keep the others
    /// from being found. A look that cannot be read, or is of another anchor, is as none.
    ///
    /// Of a target its anchor and `varied` alone are read: the rest is no evidence, and taking it over the border takes longer
    /// than the search on a small page.
    ///
    /// # Errors
    /// Throws an Error when `sought` is no list of what has a target with an anchor, and a known kind of evidence.
    #[wasm_bindgen(unchecked_return_type = "(Judged | string)[]")]
    pub fn judge(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Sought[]")] sought: &JsValue,
    ) -> Result<JsValue, JsError> {
        let _measure = Measure::start("opentoolbar: judge");
        let sought =
            sought.dyn_ref::<js_sys::Array>().ok_or_else(|| JsError::new("`sought` must be a list"))?;
        let answers = js_sys::Array::new();
        let mut places = Vec::new();
        let mut known = Vec::new();
        for one in sought.iter() {
            let target = field(&one, "target");
            let anchor = Anchor::from_base64(&need(text_field(&target, "anchor")?, "anchor")?);
            let evidence = need(text_field(&one, "evidence")?, "evidence")?;
            let evidence = Evidence::try_from(evidence).map_err(sentence)?;
            let varied = field(&target, "varied");
            let varied: Vec<Varied> =
                if varied.is_undefined() { Vec::new() } else { from_js(&varied, "varied")? };
            let found = found_words(&field(&one, "found"))?;
            let held = Held::from_index(number_field(&one, "held")?);
            match anchor {
                Ok(anchor) => {
                    let look = text_field(&one, "look")?.and_then(|look| Look::from_text(&look, &anchor));
                    places.push(answers.push(&JsValue::UNDEFINED) - 1);
                    known.push(Query { anchor, look, varied, evidence, found, held });
                }
                Err(error) => drop(answers.push(&JsValue::from(error.to_string()))),
            }
        }
        for (judged, place) in anchor::judge(&self.page, known).iter().zip(places) {
            answers.set(place, to_js(judged)?);
        }
        Ok(answers.into())
    }
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
