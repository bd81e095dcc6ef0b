//! Secrets made from the patterns of kept libraries: CredSweeper's rules and the detectors of detect-secrets, a kind a
//! rule or detector. The libraries are installed below `target/` and their patterns stay there (`samples.py`).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use opentoolbar_core::element::redact_text;
use serde::Deserialize;
use xtask::step::{self, say};
use xtask::{tools, workspace};

use super::is_left;
use crate::bench::args::Args;

/// Only its rules are read: what it wants installed besides is for its own running.
const RULES: &str = "credsweeper==1.19.5";

/// Made of each pattern.
const SAMPLES: usize = 20;

#[derive(Deserialize)]
struct Sample {
    library: String,
    kind: String,
    /// None: no string could be made that the pattern finds again.
    text: Option<String>,
    #[serde(default)]
    secret: String,
}

#[derive(Default)]
struct Kind {
    tried: usize,
    /// What was left, with its surroundings.
    left: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let samples = match python().and_then(|python| samples(&python, if args.smoke { 1 } else { SAMPLES })) {
        Ok(samples) => samples,
        Err(error) => {
            return args.left_out(&format!("kept libraries: NOT RUN. {error:#}"));
        }
    };
    let mut kinds: BTreeMap<(String, String), Kind> = BTreeMap::new();
    for Sample { library, kind, text, secret } in samples {
        let kind = kinds.entry((library, kind)).or_default();
        for text in text.iter().flat_map(|text| surrounded(text)) {
            kind.tried += 1;
            if is_left(&secret, &redact_text(&text)) {
                kind.left.push(text);
            }
        }
    }
    let mut libraries: Vec<&str> = kinds.keys().map(|(library, _)| library.as_str()).collect();
    libraries.dedup();
    let mut all = (0, 0);
    for library in libraries {
        let its = || kinds.iter().filter(|((its, _), _)| its == library);
        let tried = its().filter(|(_, kind)| kind.tried > 0).count();
        let removed = its().filter(|(_, kind)| kind.tried > 0 && kind.left.is_empty()).count();
        say(&format!("{library}: {removed} of {tried} kinds removed in every sample and surroundings"));
        for ((_, name), kind) in its() {
            match (kind.tried, kind.left.first()) {
                (0, _) => say(&format!("  not counted, no sample could be made: {name}")),
                (tried, Some(first)) => {
                    say(&format!("  left: {name} ({} of {tried})", kind.left.len()));
                    if args.failures {
                        say(&format!("    {first:?}"));
                    }
                }
                (_, None) => {}
            }
        }
        all = (all.0 + removed, all.1 + tried);
    }
    say(&format!("kept libraries together: {} of {} kinds", all.0, all.1));
    Ok(())
}

/// Alone, after a label, in a line of its own, and in JSON.
fn surrounded(text: &str) -> [String; 4] {
    let json = serde_json::Value::from(text);
    [
        text.to_owned(),
        format!("Use it: {text}"),
        format!("First line\n{text}\nlast line"),
        format!("{{\"value\":{json}}}"),
    ]
}

fn samples(python: &PathBuf, of_each: usize) -> Result<Vec<Sample>> {
    let mut command = step::command(python, "", &["lab/src/bench/redaction/samples.py"]);
    command.arg(of_each.to_string());
    let lines = step::run_for_stdout("secrets made from the libraries' patterns", &mut command)?;
    lines
        .lines()
        .map(|line| serde_json::from_str(line).context("samples.py printed something else"))
        .collect()
}

/// An interpreter that has the libraries.
fn python() -> Result<PathBuf> {
    let list = workspace::path("lab/src/bench/redaction/requirements.txt");
    let environment = workspace::own().join("redaction");
    let own = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = environment.join(".opentoolbar-requirements");
    let wanted =
        fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))? + RULES;
    if own.is_file() && fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(own);
    }
    let mut make = step::command(tools::system_python()?, "", &["-m", "venv", "--clear"]);
    step::run("a Python environment for the libraries", make.arg(&environment))?;
    let pip = ["-m", "pip", "install", "--disable-pip-version-check"];
    step::run("pip install of the libraries", step::command(&own, "", &pip).arg("-r").arg(&list))?;
    step::run("pip install of the rules", step::command(&own, "", &pip).args(["--no-deps", RULES]))?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(own)
}
