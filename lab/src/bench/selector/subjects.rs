//! Which pages and elements are asked about.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::corpus::{self, CorpusPage, Place};

/// Pages that stand in where a corpus has no single pages.
const STAND_INS: usize = 12;

/// A page with the elements that are asked about.
pub(super) struct Subject {
    pub(super) page: CorpusPage,
    /// The same page for a browser, if the corpus has it.
    pub(super) html: Option<PathBuf>,
    /// Positions in `querySelectorAll('*')`.
    pub(super) elements: Vec<usize>,
}

impl Subject {
    fn new(page: CorpusPage, html: PathBuf, most: usize) -> Self {
        // What is pointed at stands in the body.
        let body = page.nodes.iter().position(|&node| page.page.tag(node) == "body").unwrap_or(0);
        let all: Vec<usize> = (body..page.nodes.len()).collect();
        let elements = evenly(&all, most);
        Self { html: Some(html).filter(|path| path.is_file()), page, elements }
    }
}

/// The corpus's single pages, else old pages of its pairs; `most` elements of each.
pub(super) fn subjects(corpus: &Path, places: &[Place], most: usize) -> Result<Vec<Subject>> {
    if corpus.join("pages").is_dir() {
        let pages = corpus::pages(corpus)?;
        return Ok(pages
            .into_iter()
            .map(|page| {
                let html = corpus.join("pages").join(format!("{}.html", page.name));
                Subject::new(page, html, most)
            })
            .collect());
    }
    let places: Vec<&Place> = places.iter().collect();
    evenly(&places, STAND_INS)
        .into_iter()
        .map(|place| {
            let pair = place.read()?;
            let mut page = pair.old;
            // Several sets may have edits of one page.
            page.name = format!("{} {}", pair.set, pair.name);
            Ok(Subject::new(page, place.folder().join("old.html"), most))
        })
        .collect()
}

/// At most `most` of them, evenly spread.
pub(super) fn evenly<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most {
        return all.to_vec();
    }
    (0..most).filter_map(|at| all.get((2 * at + 1) * all.len() / (2 * most))).cloned().collect()
}

/// Where an element stands in `querySelectorAll('*')`; nodes stand in the same order.
pub(super) fn position(page: &CorpusPage, node: u32) -> Option<usize> {
    page.nodes.binary_search(&node).ok()
}

/// Both pages of a pair for a browser, if the corpus has them.
pub(super) fn html_of(place: &Place) -> Option<(PathBuf, PathBuf)> {
    let (old, new) = (place.folder().join("old.html"), place.folder().join("new.html"));
    (old.is_file() && new.is_file()).then_some((old, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly_and_has_everything_when_there_is_little() {
        assert_eq!(evenly(&(0..100).collect::<Vec<_>>(), 4), [12, 37, 62, 87]);
        assert_eq!(evenly(&[1, 2], 4), [1, 2]);
    }
}
