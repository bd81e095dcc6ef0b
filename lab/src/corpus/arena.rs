//! One page of the corpus: an array for each element, as laid out by a browser.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use flate2::read::GzDecoder;
use opentoolbar_core::page::{Capture, FLAG_VISIBLE, Page};
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::capture::CaptureWriter;

/// One element. What further fields a newer corpus may have after these is not read.
struct Element {
    tag: String,
    /// Its position in the array; negative for the first.
    parent: i64,
    attributes: serde_json::Map<String, serde_json::Value>,
    own: String,
    /// x, y, width, height in CSS pixels.
    place: [f64; 4],
    visible: bool,
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Element;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("[tag, parent, attributes, own text, x, y, width, height, visible]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Element, A::Error> {
                let missing = |field: &str| serde::de::Error::custom(format!("an element without {field}"));
                let tag = fields.next_element()?.ok_or_else(|| missing("a tag"))?;
                let parent = fields.next_element()?.ok_or_else(|| missing("a parent"))?;
                let attributes = fields.next_element()?.unwrap_or_default();
                let own = fields.next_element()?.unwrap_or_default();
                let mut place = [0.0; 4];
                for side in &mut place {
                    // What was not laid out may stand as null.
                    *side = fields.next_element::<Option<f64>>()?.flatten().unwrap_or(0.0);
                }
                let visible = match fields.next_element::<serde_json::Value>()? {
                    None => true,
                    Some(serde_json::Value::Bool(visible)) => visible,
                    Some(other) => other.as_i64() != Some(0),
                };
                while fields.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Element { tag, parent, attributes, own, place, visible })
            }
        }
        deserializer.deserialize_seq(Fields)
    }
}

/// A page of the corpus.
pub(crate) struct CorpusPage {
    pub(crate) name: String,
    pub(crate) page: Page,
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
    let page = Page::from_capture(capture).with_context(|| format!("{} is no valid page", path.display()))?;
    Ok(CorpusPage { name, page, nodes })
}

fn to_capture(name: &str, elements: Vec<Element>) -> (Capture, Vec<u32>) {
    let mut capture = CaptureWriter::new(&format!("https://corpus.example/{name}"), name);
    let mut nodes = Vec::with_capacity(elements.len());
    for Element { tag, parent, attributes, own, place, visible } in elements {
        let parent = usize::try_from(parent).ok().and_then(|at| nodes.get(at).copied()).unwrap_or(0);
        let pairs: Vec<(String, String)> = attributes
            .into_iter()
            .map(|(name, value)| (name, value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect();
        let [x, y, width, height] = place;
        let place = [x, y, width.max(0.0), height.max(0.0)].map(whole);
        let flags = if visible { FLAG_VISIBLE } else { 0 };
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
