//! The generators of others, in a real Chromium: writes the job, runs `tests/bench/selectors.ts`, reads what came.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use xtask::step::say;
use xtask::{tools, workspace};

/// What the browser is asked; elements by their position in `querySelectorAll('*')`.
#[derive(Serialize)]
pub(super) struct Job {
    /// Milliseconds after which a generator is stopped at an element.
    pub(super) limit: u32,
    pub(super) pages: Vec<PageJob>,
    pub(super) pairs: Vec<PairJob>,
}

#[derive(Serialize)]
pub(super) struct PageJob {
    pub(super) name: String,
    pub(super) html: PathBuf,
    pub(super) elements: Vec<usize>,
    /// Our selectors of the same elements, to see what they match in a browser.
    pub(super) own: Vec<Option<String>>,
}

#[derive(Serialize)]
pub(super) struct PairJob {
    pub(super) name: String,
    pub(super) old: PathBuf,
    pub(super) new: PathBuf,
    pub(super) elements: Vec<usize>,
}

#[derive(Default, Deserialize)]
pub(super) struct Outcome {
    pub(super) browser: String,
    pub(super) pages: Vec<PageOutcome>,
    pub(super) pairs: Vec<PairOutcome>,
}

#[derive(Deserialize)]
pub(super) struct PageOutcome {
    /// Elements the browser made of the page.
    pub(super) count: usize,
    pub(super) setup: BTreeMap<String, f64>,
    pub(super) tools: BTreeMap<String, Vec<MadeThere>>,
    pub(super) own: Vec<Vec<i64>>,
}

#[derive(Deserialize)]
pub(super) struct MadeThere {
    pub(super) selector: Option<String>,
    pub(super) ms: f64,
    /// The first two elements it matches.
    pub(super) matches: Vec<i64>,
    #[serde(default)]
    pub(super) error: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PairOutcome {
    pub(super) old_count: usize,
    pub(super) new_count: usize,
    pub(super) tools: BTreeMap<String, Vec<MatchedThere>>,
}

#[derive(Deserialize)]
pub(super) struct MatchedThere {
    pub(super) matches: Vec<i64>,
}

/// # Errors
/// When there is no Chromium, no Node, or the run failed; what it said stands above.
pub(super) fn run(job: &Job) -> Result<Outcome> {
    let chromium = tools::chromium()?;
    let node = tools::node_for_tests()?;
    let folder = workspace::own().join("bench").join("selector");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let (question, answer) = (folder.join("job.json"), folder.join("result.json"));
    std::fs::write(&question, serde_json::to_vec(job)?)
        .with_context(|| format!("cannot write {}", question.display()))?;
    say("==> generators of others in Chromium ...");
    let status = Command::new(node)
        .arg(workspace::path("tests/bench/selectors.ts"))
        .args([&question, &answer])
        .env("OPENTOOLBAR_CHROMIUM", chromium)
        .stdin(Stdio::null())
        .status()
        .context("cannot start Node")?;
    ensure!(status.success(), "the run in Chromium failed ({status}); what it said is above");
    let json = std::fs::read(&answer).with_context(|| format!("cannot read {}", answer.display()))?;
    serde_json::from_slice(&json).context("the run in Chromium wrote something else than its result")
}
