//! Reads the corpus of real pages (arrays of elements as laid out by a browser) as captures.
//!
//! The corpus is not part of the project; a bench that uses it is given its folder.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use flate2::read::GzDecoder;
use opentoolbar_core::page::{
    CAPTURE_VERSION, Capture, FLAG_VISIBLE, KIND_DOCUMENT, KIND_ELEMENT, KIND_TEXT, Size,
};
use serde::Deserialize;

/// Tag, parent (-1 for the first), attributes, own text, x, y, width, height, visible.
#[derive(Deserialize)]
struct Element(String, i64, serde_json::Map<String, serde_json::Value>, String, f64, f64, f64, f64, i32);

/// A page of the corpus.
pub(crate) struct CorpusPage {
    pub(crate) name: String,
    pub(crate) capture: Capture,
    /// The node of each element, by its position in `querySelectorAll('*')`.
    pub(crate) nodes: Vec<u32>,
}

/// All single pages below `corpus/pages`, by name.
pub(crate) fn pages(corpus: &Path) -> Result<Vec<CorpusPage>> {
    let folder = corpus.join("pages");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".arena.json.gz"));
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// One `*.arena.json.gz`.
pub(crate) fn read(path: &Path) -> Result<CorpusPage> {
    let what = || format!("cannot read {}", path.display());
    let mut json = String::new();
    GzDecoder::new(File::open(path).with_context(what)?).read_to_string(&mut json).with_context(what)?;
    let elements: Vec<Element> = serde_json::from_str(&json).with_context(what)?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = file.trim_end_matches(".arena.json.gz").to_owned();
    let (capture, nodes) = to_capture(&name, elements);
    Ok(CorpusPage { name, capture, nodes })
}

fn to_capture(name: &str, elements: Vec<Element>) -> (Capture, Vec<u32>) {
    let mut capture = CaptureWriter::new(&format!("https://corpus.example/{name}"), name);
    let mut nodes = Vec::with_capacity(elements.len());
    for Element(tag, parent, attributes, own, x, y, width, height, visible) in elements {
        let parent = usize::try_from(parent).ok().and_then(|at| nodes.get(at).copied()).unwrap_or(0);
        let pairs: Vec<(String, String)> = attributes
            .into_iter()
            .map(|(name, value)| (name, value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect();
        let place = [x, y, width.max(0.0), height.max(0.0)].map(whole);
        let flags = if visible == 0 { 0 } else { FLAG_VISIBLE };
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let node = capture.element(parent, &tag, &pairs, place, flags);
        if !own.trim().is_empty() {
            capture.text(node, &own, place);
        }
        nodes.push(node);
    }
    (capture.finish(), nodes)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to what fits; a page is not two thousand million pixels wide"
)]
fn whole(pixels: f64) -> i32 {
    pixels.round().clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32
}

/// Lays a capture down node by node, in document order.
pub(crate) struct CaptureWriter {
    capture: Capture,
    interned: HashMap<String, u32>,
    count: u32,
}

impl CaptureWriter {
    pub(crate) fn new(url: &str, title: &str) -> Self {
        let capture = Capture {
            version: CAPTURE_VERSION,
            url: url.to_owned(),
            title: title.to_owned(),
            viewport: Size { width: 1920, height: 1080 },
            ..Capture::default()
        };
        let mut writer = Self { capture, interned: HashMap::new(), count: 0 };
        writer.push(KIND_DOCUMENT, -1, url, &[], [0; 4], 0);
        writer
    }

    pub(crate) fn element(
        &mut self,
        parent: u32,
        tag: &str,
        attributes: &[(&str, &str)],
        place: [i32; 4],
        flags: i32,
    ) -> u32 {
        self.push(KIND_ELEMENT, parent.cast_signed(), tag, attributes, place, flags)
    }

    pub(crate) fn text(&mut self, parent: u32, text: &str, place: [i32; 4]) -> u32 {
        self.push(KIND_TEXT, parent.cast_signed(), text, &[], place, 0)
    }

    /// A shadow root or a frame's document.
    pub(crate) fn root(&mut self, kind: i32, host: u32) -> u32 {
        self.push(kind, host.cast_signed(), "", &[], [0; 4], 0)
    }

    pub(crate) fn finish(self) -> Capture {
        self.capture
    }

    fn push(
        &mut self,
        kind: i32,
        parent: i32,
        text: &str,
        attributes: &[(&str, &str)],
        [x, y, width, height]: [i32; 4],
        flags: i32,
    ) -> u32 {
        let string = self.string(text).cast_signed();
        let first = i32::try_from(self.capture.attributes.len() / 2).unwrap_or(i32::MAX);
        let count = i32::try_from(attributes.len()).unwrap_or(i32::MAX);
        for (name, value) in attributes {
            let pair = [self.string(name), self.string(value)];
            self.capture.attributes.extend(pair);
        }
        self.capture.nodes.extend([kind, parent, string, first, count, x, y, width, height, flags]);
        self.count += 1;
        self.count - 1
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.interned.get(text) {
            return id;
        }
        let id = u32::try_from(self.capture.strings.len()).unwrap_or(u32::MAX);
        self.capture.strings.push(text.to_owned());
        self.interned.insert(text.to_owned(), id);
        id
    }
}
