//! Every folder of `tests/cases/anchor` as a test of its own: two versions of a page, and what a careful person would
//! say about some of its elements.
//!
//! `case` reads a folder, `verdicts` compares what is said with what is expected, once as the HTML is and once with the
//! boxes of `layout`, `figures` counts, `laws` holds for every case whatever it expects. Knows nothing of how anchors
//! work: only their public face is used.

#![allow(clippy::print_stdout, reason = "a test's figures, no protocol")]
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

mod case;
mod figures;
mod laws;
mod layout;
mod marks;
mod reading;
mod verdicts;

use std::path::Path;
use std::process::ExitCode;

use case::{Case, Files};
use libtest_mimic::{Arguments, Failed, Trial};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/anchor");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials(Path::new(FOLDER)) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("tests/cases/anchor cannot be read: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(folder: &Path) -> std::io::Result<Vec<Trial>> {
    let mut trials = reading::trials();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        trials.push(Trial::test(format!("case::{name}"), move || run(&entry.path())));
    }
    trials.push(Trial::test("figures", || figures::print(Path::new(FOLDER))));
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(trials)
}

fn run(folder: &Path) -> Result<(), Failed> {
    let case = Case::read(&files(folder)?)?;
    let mut wrong = laws::broken(&case);
    wrong.extend(verdicts::wrong(&case)?);
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n  {}", case.why, wrong.join("\n  ")).into()) }
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
