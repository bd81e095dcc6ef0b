//! The run as one JSON object; the module docs of `bench selector` describe it.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use super::growth::Growth;
use super::quality::Quality;
use super::survival::Survival;
use crate::bench::summary::Line;

pub(super) const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Result {
    pub(super) version: u32,
    pub(super) bench: &'static str,
    pub(super) corpus: String,
    pub(super) browser: String,
    pub(super) summary: Vec<Line>,
    pub(super) quality: Vec<Quality>,
    pub(super) own_in_browser: InBrowser,
    pub(super) survival: Vec<Survival>,
    pub(super) growth: Growth,
    pub(super) errors: Vec<ToolError>,
    pub(super) left_out: Vec<String>,
}

/// Our selectors as a real browser resolves them.
#[derive(Default, Serialize)]
pub(super) struct InBrowser {
    pub(super) asked: usize,
    pub(super) exact: usize,
}

/// A generator's failures of one kind.
#[derive(Serialize)]
pub(super) struct ToolError {
    pub(super) tool: String,
    pub(super) error: String,
    pub(super) count: usize,
}

impl Result {
    pub(super) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let json = serde_json::to_vec_pretty(self)?;
        fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))
    }
}
