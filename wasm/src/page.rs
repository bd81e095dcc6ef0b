//! One captured page: decoded once, then asked by node index.

use opentoolbar_core::anchor::{self, Anchor};
use opentoolbar_core::model::Target;
use opentoolbar_core::page;
use opentoolbar_core::source::ProbeFacts;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::json::{from_js, sentence, to_js};

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
        let page = page::Page::decode(capture.as_bytes()).map_err(sentence)?;
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
        let probe: Option<ProbeFacts> =
            if probe.is_undefined() { None } else { from_js(probe, "what the probe told")? };
        to_js(&anchor::target_of(&self.page, node, probe.as_ref()).map_err(sentence)?)
    }

    /// Looks for targets again: one verdict for each, in order.
    ///
    /// # Errors
    /// Throws an Error when an anchor cannot be read.
    #[wasm_bindgen(unchecked_return_type = "Verdict[]")]
    pub fn relocate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Target[]")] targets: &JsValue,
    ) -> Result<JsValue, JsError> {
        let targets: Vec<Target> = from_js(targets, "targets")?;
        let anchors: Result<Vec<Anchor>, _> =
            targets.iter().map(|target| Anchor::from_base64(&target.anchor)).collect();
        to_js(&anchor::relocate(&self.page, &anchors.map_err(sentence)?))
    }
}
