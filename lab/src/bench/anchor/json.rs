//! The run as one JSON object; the module docs of `bench anchor` describe it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use super::failures::Failure;
use super::figures::{DEFINITIONS, ONE_PASS, Row, confidences};
use super::peers::PEERS;
use super::rows::rows;
use super::speed::{Growth, Speed};
use super::{Run, aims};
use crate::bench::groups::groups;
use crate::bench::statistics::{self, Reliability};
use crate::bench::summary::Line;

const VERSION: u32 = 1;
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Result {
    version: u32,
    bench: &'static str,
    corpus: String,
    definitions: BTreeMap<&'static str, &'static str>,
    sets: Vec<Set>,
    pub(super) summary: Vec<Line>,
    pub(super) rows: Vec<Row>,
    peers: Vec<PeerName>,
    pub(super) reliability: Vec<SetReliability>,
    pub(super) anchors: Anchors,
    pub(super) times: Vec<Time>,
    pub(super) speed: Vec<Speed>,
    pub(super) growth: Growth,
    pub(super) left_out: Vec<String>,
    pub(super) failures: Vec<Failure>,
}

#[derive(Serialize)]
struct Set {
    set: String,
    pairs: usize,
    present: usize,
    gone: usize,
}

#[derive(Serialize)]
struct PeerName {
    method: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
pub(super) struct SetReliability {
    pub(super) set: String,
    #[serde(flatten)]
    pub(super) table: Reliability,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Anchors {
    pub(super) count: usize,
    pub(super) median_bytes: usize,
    pub(super) max_bytes: usize,
    #[serde(rename = "millisecondsToMake100")]
    /// To make 100 of them, snapshot and selector included, in milliseconds.
    pub(super) milliseconds_to_make_100: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Time {
    pub(super) method: String,
    pub(super) targets: usize,
    #[serde(rename = "millisecondsPer100Targets")]
    pub(super) milliseconds_per_100: f64,
}

impl Result {
    pub(super) fn new(corpus: &Path, run: Run) -> Self {
        let Run { methods, sets, sizes, making, failures, speed, growth, left_out } = run;
        let main = methods.first().map_or(&[][..], |method| method.cases.as_slice());
        let mut counted: BTreeMap<&str, Set> = BTreeMap::new();
        for set in &sets {
            let entry =
                counted.entry(set).or_insert_with(|| Set { set: set.clone(), pairs: 0, present: 0, gone: 0 });
            entry.pairs += 1;
        }
        for case in main {
            if let Some(entry) = counted.get_mut(case.set.as_str()) {
                entry.present += usize::from(case.present());
                entry.gone += usize::from(!case.present());
            }
        }
        let reliability = groups(main)
            .into_iter()
            .filter_map(|group| {
                let table = statistics::reliability(&confidences(&group.cases))?;
                Some(SetReliability { set: group.name, table })
            })
            .collect();
        let rows: Vec<Row> =
            methods.iter().flat_map(|method| rows(&method.name, &method.cases, method.tuned)).collect();
        Self {
            version: VERSION,
            bench: "anchor",
            corpus: corpus.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            definitions: DEFINITIONS.iter().map(|(key, _, meaning)| (*key, *meaning)).collect(),
            sets: counted.into_values().collect(),
            summary: aims::summary(ONE_PASS, &rows, &speed),
            rows,
            peers: PEERS
                .iter()
                .filter(|peer| methods.iter().any(|method| method.name == peer.name))
                .map(|peer| PeerName { method: peer.name, about: peer.about })
                .collect(),
            reliability,
            anchors: Anchors {
                count: sizes.len(),
                median_bytes: statistics::percentile(&sizes, 50).unwrap_or(0),
                max_bytes: sizes.last().copied().unwrap_or(0),
                milliseconds_to_make_100: making.as_secs_f64() * 100_000.0
                    / statistics::number(sizes.len().max(1)),
            },
            times: methods
                .iter()
                .map(|method| Time {
                    method: method.name.clone(),
                    targets: method.cases.len(),
                    milliseconds_per_100: method.time(),
                })
                .collect(),
            speed,
            growth,
            left_out,
            failures,
        }
    }

    pub(super) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let json = serde_json::to_vec_pretty(self)?;
        fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))
    }
}
