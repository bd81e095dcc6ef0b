//! How long 100 comments take on pages of different sizes, from the page as decoded to the verdicts, its index
//! included; how that grows; the same as WASM, under the tests' Node, whose engine is nearer to today's browsers than
//! the oldest Node that builds; and what Similo takes in the same run.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use opentoolbar_core::anchor::{Anchor, Evidence, Held, Query, judge, relocate, target_of};
use opentoolbar_core::model::Target;
use opentoolbar_core::page::{Capture, Page};
use serde::{Deserialize, Serialize};
use xtask::step::say;
use xtask::{build, tools, workspace};

use super::peers::SIMILO;
use crate::bench::args::Args;
use crate::bench::statistics::{exponent, number};
use crate::bench::synthetic;
use crate::corpus::Place;

/// How much is measured.
struct Effort {
    /// Comments on each page.
    comments: usize,
    /// Elements of the synthetic pages.
    sizes: &'static [usize],
    /// Runs, of which the best, the median and the worst are told.
    runs: usize,
    /// How the time grows with the number of comments: those, on the synthetic page of so many elements.
    growth: (usize, &'static [usize]),
}

const FULL: Effort = Effort {
    comments: 100,
    sizes: &[2_000, 16_000, 50_000, 100_000],
    runs: 7,
    growth: (16_000, &[10, 100, 1_000]),
};
const SMOKE: Effort = Effort { comments: 5, sizes: &[70, 200], runs: 1, growth: (70, &[2, 4]) };

/// A page of the corpus counts for a size when it is no further off than this factor.
const NEAR: f64 = 1.6;
/// What a peer takes is told for so many targets, whatever it was asked about.
const HUNDRED: usize = 100;
/// Targets that a peer is asked about, to tell from them what 100 take: it asks for each anew.
const PEER_SAMPLE: usize = 5;

/// One page's times in milliseconds, for 100 comments unless said otherwise.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Speed {
    /// `synthetic`, or the pair of the corpus.
    pub(super) page: String,
    pub(super) elements: usize,
    /// Texts, documents and shadow roots counted as well.
    pub(super) nodes: usize,
    pub(super) comments: usize,
    /// Median of the runs, each on a page without an index.
    pub(super) native: f64,
    /// The shortest run, which the machine's other work disturbed least.
    pub(super) native_best: f64,
    pub(super) native_worst: f64,
    /// The shortest run of what the WASM does: from the targets' JSON to the verdicts' JSON.
    pub(super) native_whole_best: f64,
    /// Median of the WASM, from the targets to the verdicts as JavaScript values.
    pub(super) wasm: Option<f64>,
    pub(super) wasm_best: Option<f64>,
    /// Per peer.
    pub(super) peers: Vec<PeerSpeed>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct PeerSpeed {
    pub(super) method: &'static str,
    /// For 100 targets, reckoned from a few.
    pub(super) milliseconds: f64,
}

/// How the native time grows.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Growth {
    /// Exponent of the time over the nodes of the synthetic pages; 1 is linear.
    pub(super) nodes_exponent: Option<f64>,
    /// Time of 10, 100 and 1000 comments on one synthetic page.
    pub(super) comments: Vec<(usize, f64)>,
}

/// What is read of a target to find it again.
#[derive(Deserialize)]
struct Anchored {
    anchor: String,
}

/// A page to be searched, and the comments made on its earlier version.
struct Subject {
    name: String,
    elements: usize,
    old: Page,
    later: Capture,
    targets: Vec<Target>,
    anchors: Vec<Anchor>,
    old_nodes: Vec<u32>,
}

pub(super) fn measure(places: &[Place], with_peers: bool, args: &Args) -> Result<(Vec<Speed>, Growth)> {
    let effort = if args.smoke { &SMOKE } else { &FULL };
    let mut subjects = Vec::new();
    for &size in effort.sizes {
        if let Some(place) = nearest(places, size) {
            let pair = place.read()?;
            let name = format!("{} {}", pair.set, pair.name);
            subjects.push(Subject::new(name, pair.old.page, pair.new.page.to_capture(), effort.comments)?);
        }
        subjects.push(synthetic_subject(size, effort.comments)?);
    }
    let mut speeds = Vec::new();
    for subject in &subjects {
        let mut speed = subject.measure(effort.runs)?;
        if with_peers {
            say(&format!("    peers on {} ({} elements)", subject.name, subject.elements));
            speed.peers = subject.peers()?;
        }
        speeds.push(speed);
    }
    match wasm(&subjects, effort.runs) {
        Ok(times) => {
            if times.is_none() {
                args.left_out("    the WASM is left out: it is not built")?;
            }
            for (speed, time) in speeds.iter_mut().zip(times.into_iter().flatten()) {
                speed.wasm = Some(time.median);
                speed.wasm_best = Some(time.best);
            }
        }
        // An old build cannot read new anchors; the rest of the run is not to be lost by it.
        Err(error) => args.left_out(&format!(
            "    the WASM is left out; build it anew with `cargo xtask build`: {error:#}"
        ))?,
    }
    let over_nodes: Vec<(usize, f64)> =
        speeds.iter().filter(|s| s.page == SYNTHETIC).map(|s| (s.nodes, s.native)).collect();
    let (size, counts) = effort.growth;
    let comments = counts
        .iter()
        .map(|&count| Ok((count, synthetic_subject(size, count)?.measure(effort.runs)?.native)))
        .collect::<Result<_>>()?;
    Ok((speeds, Growth { nodes_exponent: exponent(&over_nodes), comments }))
}

const SYNTHETIC: &str = "synthetic";

fn synthetic_subject(size: usize, comments: usize) -> Result<Subject> {
    let capture = synthetic::page(size);
    let later = synthetic::edited(capture.clone());
    let page = Page::from_capture(capture).context("a synthetic page is not valid")?;
    Subject::new(SYNTHETIC.to_owned(), page, later, comments)
}

/// As by a tab that never saw the element and was loaded after a change of the source.
fn query(anchor: &str) -> Result<Query> {
    let anchor = Anchor::from_base64(anchor)?;
    Ok(Query {
        anchor,
        look: None,
        varied: Vec::new(),
        evidence: Evidence::Loaded,
        found: Vec::new(),
        held: Held::Unknown,
    })
}

/// The pair whose old page is nearest to a size, if it is near.
fn nearest(places: &[Place], size: usize) -> Option<&Place> {
    let off = |place: &&Place| {
        let ratio = number(place.elements.max(1)) / number(size);
        ratio.max(1.0 / ratio)
    };
    places.iter().min_by(|a, b| off(a).total_cmp(&off(b))).filter(|place| off(place) < NEAR)
}

impl Subject {
    fn new(name: String, old: Page, later: Capture, comments: usize) -> Result<Self> {
        let elements: Vec<u32> = old.elements().collect();
        let every = (elements.len() / comments).max(1);
        let old_nodes: Vec<u32> =
            elements.iter().copied().skip(every / 2).step_by(every).take(comments).collect();
        let targets = old_nodes
            .iter()
            .map(|&node| Ok(target_of(&old, node, None)?))
            .collect::<Result<Vec<_>>>()
            .with_context(|| format!("an element of {name} cannot be pinned"))?;
        let anchors =
            targets.iter().map(|target| Ok(Anchor::from_base64(&target.anchor)?)).collect::<Result<_>>()?;
        Ok(Self { name, elements: elements.len(), old, later, targets, anchors, old_nodes })
    }

    fn measure(&self, runs: usize) -> Result<Speed> {
        let (mut times, mut whole) = (Vec::new(), Vec::new());
        let json = serde_json::to_vec(&self.targets)?;
        let mut nodes = 0;
        for _ in 0..runs {
            // A page keeps its index, so each run takes a fresh one.
            let page = Page::from_capture(self.later.clone())?;
            nodes = page.len() as usize;
            let began = Instant::now();
            drop(black_box(relocate(&page, &self.anchors)));
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
            let page = Page::from_capture(self.later.clone())?;
            let began = Instant::now();
            let targets: Vec<Anchored> = serde_json::from_slice(black_box(&json))?;
            let queries = targets.iter().map(|target| query(&target.anchor)).collect::<Result<_>>()?;
            drop(black_box(serde_json::to_vec(&judge(&page, queries))?));
            whole.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        times.sort_by(f64::total_cmp);
        Ok(Speed {
            page: self.name.clone(),
            elements: self.elements,
            nodes,
            comments: self.anchors.len(),
            native: times.get(runs / 2).copied().unwrap_or(0.0),
            native_best: times.first().copied().unwrap_or(0.0),
            native_whole_best: whole.into_iter().min_by(f64::total_cmp).unwrap_or(0.0),
            native_worst: times.last().copied().unwrap_or(0.0),
            wasm: None,
            wasm_best: None,
            peers: Vec::new(),
        })
    }

    fn peers(&self) -> Result<Vec<PeerSpeed>> {
        let new = Page::from_capture(self.later.clone())?;
        let sample = self.old_nodes.get(..PEER_SAMPLE.min(self.old_nodes.len())).unwrap_or(&[]);
        let speeds = SIMILO.iter().map(|(method, speed)| {
            let (ready, each) = speed(&self.old, &new, sample);
            PeerSpeed { method, milliseconds: ready + each * number(HUNDRED) }
        });
        Ok(speeds.collect())
    }
}

#[derive(Deserialize)]
struct WasmTime {
    median: f64,
    best: f64,
}

/// The WASM build that ships, under Node; `None` when there is no build.
fn wasm(subjects: &[Subject], runs: usize) -> Result<Option<Vec<WasmTime>>> {
    let Some(package) = build::shipped_wasm() else { return Ok(None) };
    let folder = workspace::own().join("bench").join("anchor");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let write = |name: String, json: Vec<u8>| -> Result<()> {
        let path = folder.join(name);
        std::fs::write(&path, json).with_context(|| format!("cannot write {}", path.display()))
    };
    for (at, subject) in subjects.iter().enumerate() {
        write(format!("{at}.later.json"), serde_json::to_vec(&subject.later)?)?;
        write(format!("{at}.targets.json"), serde_json::to_vec(&subject.targets)?)?;
    }
    run_wasm(&package, &folder, subjects.len(), runs).map(Some)
}

fn run_wasm(package: &Path, folder: &Path, count: usize, runs: usize) -> Result<Vec<WasmTime>> {
    let output = Command::new(tools::node_for_tests()?)
        .arg(workspace::path("lab/src/bench/anchor/speed.mjs"))
        .args([package, folder])
        .args([count.to_string(), runs.to_string()])
        .output()
        .context("cannot start node")?;
    ensure!(output.status.success(), "the WASM run failed:\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("the WASM run printed something else than times")
}
