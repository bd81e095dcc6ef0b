//! Coverage for the engine, on stable Rust: the workspace's crates alone are compiled with LLVM's own pass, everything
//! they depend on is what every other build made.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};

use crate::{step, workspace};

/// Set for the wrapper, which is this program.
const WRAPPER: &str = "OPENTOOLBAR_XTASK_INSTRUMENTS";

/// What `cargo fuzz` says to the compiler, less what needs a sanitizer.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=2",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
];

/// What is compared with what is seen too, and the code optimised a little: the faster, the more is tried. Not of the
/// host, the last of the crates: that triples the time in which it is compiled, and most of its decoders are the
/// core's.
const THOROUGH: &[&str] = &["-Cllvm-args=-sanitizer-coverage-trace-compares", "-Copt-level=1"];
const CRATES: &[&str] = &[
    "opentoolbar_core",
    "opentoolbar_leaves",
    "opentoolbar_project",
    "opentoolbar_store",
    "opentoolbar_fuzz",
    "fuzz",
    "opentoolbar",
];

/// When cargo runs this program as its wrapper of the compiler: compiles, and tells how it ended.
pub(crate) fn as_wrapper() -> Option<ExitCode> {
    std::env::var_os(WRAPPER)?;
    let mut args = std::env::args_os().skip(1);
    let compiler = args.next()?;
    let args: Vec<OsString> = args.collect();
    let mut command = Command::new(compiler);
    command.args(&args);
    // Questions and build scripts stay as they are.
    let name = args.windows(2).find(|pair| pair[0] == "--crate-name").map(|pair| pair[1].to_string_lossy());
    if let Some(at) = CRATES.iter().position(|known| name.as_deref() == Some(known)) {
        command.args(FLAGS);
        if at + 1 < CRATES.len() {
            command.args(THOROUGH);
        }
    }
    let status = command.status().ok()?;
    Some(u8::try_from(status.code().unwrap_or(1)).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Builds the program that holds all targets. Returns where it is.
pub(super) fn build() -> Result<std::path::PathBuf> {
    let mut command =
        step::cargo(&["build", "-p", "opentoolbar-fuzz", "--bin", "fuzz", "--features", "engine"]);
    command.env("RUSTC_WORKSPACE_WRAPPER", std::env::current_exe().context("cannot find this program")?);
    command.env(WRAPPER, "1");
    step::run("build the fuzz targets", &mut command)?;
    let program = workspace::target().join("debug").join(format!("fuzz{}", std::env::consts::EXE_SUFFIX));
    ensure!(Path::new(&program).exists(), "{} was not built", program.display());
    Ok(program)
}
