//! What is measured, and what comes of it.

use std::fs;

use anyhow::{Context as _, Result};
use opentoolbar_core::page::Page;
use xtask::workspace;

use crate::bench::synthetic;

/// One measured operation on one page, in milliseconds.
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct Figure {
    pub(super) what: String,
    pub(super) median: f64,
    pub(super) worst: f64,
}

/// A page to measure, with the bytes a browser would send.
pub(super) struct Subject {
    pub(super) elements: usize,
    pub(super) page: Page,
    pub(super) json: Vec<u8>,
    /// A later version of it: every fifth text reads otherwise.
    pub(super) later: Vec<u8>,
    pub(super) sample: Vec<u32>,
}

/// A synthetic page of so many elements, of which at most so many are looked at one by one.
pub(super) fn subject(wanted: usize, most: usize) -> Result<Subject> {
    let capture = synthetic::page(wanted);
    let json = serde_json::to_vec(&capture)?;
    let later = serde_json::to_vec(&synthetic::edited(capture))?;
    let page = Page::decode(&json).context("a synthetic page is not valid")?;
    let elements: Vec<u32> = page.elements().collect();
    let every = (elements.len() / most).max(1);
    let sample = elements.iter().copied().skip(every / 2).step_by(every).take(most).collect();
    Ok(Subject { elements: elements.len(), page, json, later, sample })
}

/// Where the WASM run finds the captures.
pub(super) fn write_subjects(subjects: &[Subject]) -> Result<std::path::PathBuf> {
    let folder = workspace::own().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (at, subject) in subjects.iter().enumerate() {
        fs::write(folder.join(format!("page-{at}.json")), &subject.json)?;
        fs::write(folder.join(format!("page-{at}.later.json")), &subject.later)?;
        fs::write(folder.join(format!("page-{at}.sample.json")), serde_json::to_vec(&subject.sample)?)?;
    }
    Ok(folder)
}
