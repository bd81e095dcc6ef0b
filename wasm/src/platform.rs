//! What the face uses of the browser beside values: the performance timeline and the console.

use std::fmt::Display;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{Performance, console};

#[wasm_bindgen]
extern "C" {
    /// `globalThis.performance`: the same in a service worker, an extension page and Node.
    #[wasm_bindgen(thread_local_v2, js_name = performance)]
    static PERFORMANCE: Performance;
}

/// Measures the time until it is dropped, as an entry `name` of the performance timeline: the browser's profiler shows
/// it. The timeline keeps the latest entry of each name only, so that it does not grow in a background that runs for
/// days.
pub struct Measure {
    name: &'static str,
}

impl Measure {
    /// Starts to measure.
    #[must_use]
    pub fn start(name: &'static str) -> Self {
        PERFORMANCE.with(|performance| {
            // A timeline that takes no mark is no reason to fail: the measure is missing then.
            let _ = performance.mark(name);
        });
        Self { name }
    }
}

impl Drop for Measure {
    fn drop(&mut self) {
        PERFORMANCE.with(|performance| {
            performance.clear_measures_with_measure_name(self.name);
            let _ = performance.measure_with_start_mark(self.name, self.name);
            performance.clear_marks_with_mark_name(self.name);
        });
    }
}

/// Writes why the core panicked to the console, as an error.
pub fn report_panic(panic: &dyn Display) {
    console::error_1(&JsValue::from(format!("opentoolbar: {panic}")));
}

/// Sends panic messages to the console. In builds for tests and development only: what ships traps without a message
/// (`extension/scripts/wasm-panics.mjs`), without the code that makes messages up.
#[cfg(all(target_arch = "wasm32", debug_assertions))]
#[wasm_bindgen(start)]
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| report_panic(panic)));
}
