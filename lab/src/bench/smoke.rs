//! `cargo xtask bench --smoke`: whether every part of every bench still runs, each as small as can be. What a topic
//! prints goes into its step's log, as its numbers are no figures, and is shown when it fails.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use xtask::build;
use xtask::step::{self, say};

use super::{TOPICS, Topic, Want};
use crate::corpus;

/// Of one topic, or of all of them.
pub(super) fn run(only: Option<&str>) -> Result<()> {
    let only = only.map(super::topic).transpose()?;
    // Whoever names a host has built everything, and others may be using the build.
    if env::var_os("OPENTOOLBAR_HOST").is_none() {
        build::wasm()?;
        build::host(false)?;
    }
    let folder = Folder(env::temp_dir().join(format!("otb-smoke-{}", std::process::id())));
    let corpus = folder.0.join("corpus");
    corpus::small::write(&corpus)?;
    let began = Instant::now();
    let chosen = TOPICS.iter().filter(|topic| only.is_none_or(|only| only.name == topic.name));
    let (mut passed, mut failed) = (0, Vec::new());
    for topic in chosen {
        match one(topic, &corpus, &folder.0) {
            Ok(()) => passed += 1,
            Err(error) => failed.push(format!("{}: {error:#}", topic.name)),
        }
    }
    say(&format!("bench-smoke: {passed} topics ran in {:.0} s", began.elapsed().as_secs_f32()));
    if failed.is_empty() { Ok(()) } else { bail!("{}", failed.join("\n")) }
}

/// In a process of its own: what it prints is not for whoever asked.
fn one(topic: &Topic, corpus: &Path, folder: &Path) -> Result<()> {
    let mut command = Command::new(env::current_exe().context("cannot find this program")?);
    command.args(["bench", topic.name, "--smoke", "--inside"]);
    let json = topic.wants.contains(&Want::Json).then(|| folder.join(format!("{}.json", topic.name)));
    if topic.wants.contains(&Want::Corpus) {
        command.arg("--corpus").arg(corpus);
    }
    if let Some(json) = &json {
        command.arg("--json").arg(json);
    }
    step::run(&format!("smoke of {}", topic.name), &mut command)?;
    if let Some(path) = json {
        let written: Value = serde_json::from_slice(&fs::read(path)?).context("its JSON is none")?;
        ensure!(written.as_object().is_some_and(|keys| !keys.is_empty()), "its JSON says nothing: {written}");
    }
    Ok(())
}

/// Goes away with this.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
