//! A corpus of a few small pages for smoke runs, in the form that is read: made of cases of the anchors, whose marks
//! are the truth.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use flate2::Compression;
use flate2::write::GzEncoder;
use opentoolbar_core::page::Page;
use serde_json::{Value, json};
use xtask::workspace;

use super::marks;

/// By set: one of a family of sets with elements that changed, stayed and went; one alone.
const PAIRS: [(&str, &str); 4] = [
    ("small-edits", "button-labels-swapped"),
    ("small-edits", "all-list-items-deleted"),
    ("small-redesigns", "redesign-01-shop"),
    ("alone", "redesign-05-settings"),
];
/// The one that stands as a single page too.
const PAGE: &str = "redesign-03-dashboard";

/// Writes it below a folder.
pub(crate) fn write(corpus: &Path) -> Result<()> {
    for (set, case) in PAIRS {
        let (old, new) = (Version::read(case, "old.html")?, Version::read(case, "new.html")?);
        let folder = corpus.join("pairs").join(format!("{set}__{case}"));
        old.write(&folder, "old")?;
        new.write(&folder, "new")?;
        let targets: Vec<Value> = old
            .marks
            .iter()
            .map(|(mark, &node)| {
                let there = new.marks.get(mark).copied();
                let is_edited = there.is_some_and(|there| old.text(node) != new.text(there));
                json!({ "o": old.at(node), "n": there.map(|there| new.at(there)), "mod": { "txt": is_edited } })
            })
            .collect();
        let count = old.page.elements().count();
        let truth = json!({ "set": set, "name": case, "nodes_old": count, "targets": targets });
        fs::write(folder.join("truth.json"), truth.to_string())?;
    }
    Version::read(PAGE, "old.html")?.write(&corpus.join("pages"), PAGE)
}

/// One version of a case's page.
struct Version {
    /// Without the marks.
    html: String,
    page: Page,
    marks: std::collections::BTreeMap<String, u32>,
}

impl Version {
    fn read(case: &str, file: &str) -> Result<Self> {
        let path = workspace::path("tests/cases/anchor").join(case).join(file);
        let marked = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (page, marks) = marks::page(file, &marked).map_err(|error| anyhow!("{case}: {error}"))?;
        let bare = |html: String, mark: &String| html.replace(&format!(" {}=\"{mark}\"", marks::MARK), "");
        Ok(Self { html: marks.keys().fold(marked, bare), page, marks })
    }

    /// The position in `querySelectorAll('*')`.
    fn at(&self, node: u32) -> Option<usize> {
        self.page.elements().position(|element| element == node)
    }

    fn text(&self, node: u32) -> String {
        self.page.text(node, usize::MAX)
    }

    /// The arena, and the page for a browser. Nothing was laid out: the boxes are made up, one line below the other.
    fn write(&self, folder: &Path, name: &str) -> Result<()> {
        let elements: Vec<Value> = self
            .page
            .elements()
            .enumerate()
            .map(|(row, node)| {
                let parent = self.page.parent_element(node).and_then(|parent| self.at(parent));
                let attributes: serde_json::Map<String, Value> =
                    self.page.attributes(node).map(|(name, value)| (name.to_owned(), value.into())).collect();
                let own = self.page.own_text(node, usize::MAX);
                json!([
                    self.page.tag(node),
                    parent.map_or(json!(-1), Value::from),
                    attributes,
                    own,
                    0,
                    row * 20,
                    600,
                    20,
                    true
                ])
            })
            .collect();
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let arena = File::create(folder.join(format!("{name}.arena.json.gz")))?;
        let mut arena = GzEncoder::new(arena, Compression::fast());
        arena.write_all(&serde_json::to_vec(&elements)?)?;
        arena.finish()?;
        fs::write(folder.join(format!("{name}.html")), &self.html)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::corpus;

    #[test]
    fn it_is_read_as_a_corpus_with_what_stayed_what_changed_and_what_is_gone() {
        let folder = std::env::temp_dir().join(format!("otb-small-{}", std::process::id()));
        write(&folder).unwrap();
        let pairs: Vec<_> =
            corpus::pairs(&folder).unwrap().iter().map(|place| place.read().unwrap()).collect();
        let pages = corpus::pages(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((pairs.len(), pages.len()), (PAIRS.len(), 1));
        let targets = || pairs.iter().flat_map(|pair| &pair.targets);
        for changed in [true, false] {
            assert!(targets().any(|one| one.new.is_some() && one.changed == Some(changed)), "{changed}");
        }
        assert!(targets().any(|one| one.new.is_none()));
        // What is read is the case's page: every target has its tag on both.
        let of = |part| pairs.iter().filter(move |pair| pair.part == part).count();
        assert!(of(corpus::Part::Train) > 0 && of(corpus::Part::Test) > 0, "both parts have some");
    }
}
