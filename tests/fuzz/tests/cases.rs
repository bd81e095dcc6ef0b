//! What `cargo xtask fuzz` found once is never found again: every kept input of every target, and its well-formed ones.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::Command;

use opentoolbar_fuzz::{TARGETS, cases, find, no_home};

fn replay(target: &str) {
    let folder = cases().join(target);
    let files = std::fs::read_dir(&folder).map_or_else(
        |_| Vec::new(),
        |entries| entries.map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>(),
    );
    // A process of its own: a stack that overflows ends it.
    let mut command = Command::new(env!("CARGO_BIN_EXE_replay"));
    let output = command.arg(target).args(files).env("OPENTOOLBAR_HOME", no_home()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().next_back().unwrap_or("before the first file");
    assert!(
        output.status.success(),
        "{last}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

macro_rules! replays {
    ($($test:ident $name:literal)*) => {
        $(#[test] fn $test() { replay($name); })*

        #[test]
        fn every_target_is_replayed() {
            let mut replayed = [$($name),*];
            let mut targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            replayed.sort_unstable();
            targets.sort_unstable();
            assert_eq!(replayed[..], targets[..]);
        }
    };
}

replays! {
    anchor "anchor"
    capture "capture"
    chain "chain"
    chunks "chunks"
    documents "documents"
    export "export"
    gateway_headers "gateway-headers"
    history "history"
    home_files "home-files"
    html "html"
    import "import"
    local_frames "local-frames"
    mcp "mcp"
    native_frames "native-frames"
    neutraliser "neutraliser"
    packed "packed"
    plain "plain"
    probe "probe"
    protocol "protocol"
    redaction "redaction"
    selection "selection"
    selector "selector"
}

#[test]
fn every_folder_of_cases_belongs_to_a_target() {
    for entry in std::fs::read_dir(cases()).into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(find(&name).is_some() || name == "README.md", "{name} is no target");
    }
}
