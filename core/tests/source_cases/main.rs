//! Every folder of `tests/cases/source` as tests of its own: what a comment says while its app is used, and while the
//! app's source is edited.
//!
//! `sheet` reads a folder, `play` goes through its steps as a tab does: looks and values that varied are handed on from
//! step to step, and what is judged is applied to the comments. Everything is looked at as the HTML is, and with the
//! boxes of `layout`.

#![allow(clippy::print_stdout, reason = "a test's figures, no protocol")]
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

#[path = "../anchor_cases/layout.rs"]
mod layout;
#[path = "../anchor_cases/marks.rs"]
mod marks;
mod play;
mod reading;
mod sheet;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use play::Tally;
use sheet::{Case, Files};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/source");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("tests/cases/source cannot be read: {error}");
            ExitCode::FAILURE
        }
    }
}

fn folders() -> std::io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(FOLDER)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
}

fn trials() -> std::io::Result<Vec<Trial>> {
    let mut trials = reading::trials();
    for folder in folders()? {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        trials.push(Trial::test(format!("case::{name}"), move || run(&folder)));
    }
    trials.push(Trial::test("figures", figures));
    Ok(trials)
}

fn run(folder: &Path) -> Result<(), Failed> {
    let case = Case::read(&files(folder)?)?;
    let (wrong, _) = play::wrong(&case)?;
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n  {}", case.why, wrong.join("\n  ")).into()) }
}

/// Prints how much of what is expected is said.
fn figures() -> Result<(), Failed> {
    let mut sum = Tally::default();
    let folders = folders()?;
    for folder in &folders {
        let (_, tally) = play::wrong(&Case::read(&files(folder)?)?)?;
        sum.expected += tally.expected;
        sum.right += tally.right;
        sum.silent += tally.silent;
    }
    let Tally { expected, right, silent } = sum;
    println!(
        "{} situations: {right} of {expected} judgements right, {silent} silent mistakes",
        folders.len()
    );
    Ok(())
}

fn files(folder: &Path) -> Result<Files, Failed> {
    let mut files = Files::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(entry.path()).map_err(|error| format!("{name}: {error}"))?;
        files.insert(name, text);
    }
    Ok(files)
}
