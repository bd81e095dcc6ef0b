//! `cargo xtask build`: WASM, extension for both browsers, host. Cargo and the extension's build do nothing twice.

use anyhow::Result;

use crate::step::{self, say};
use crate::tools;

/// Arguments of the verb.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Optimise the host, as for a release
    #[arg(long)]
    release: bool,
}

/// All of it.
///
/// # Errors
/// When a part cannot be built.
pub fn run(args: &Args) -> Result<()> {
    wasm()?;
    extension()?;
    host(args.release)
}

/// The WASM package, into `extension/wasm/`; prints what it and its largest crates weigh; the suite `wasm-size`
/// refuses one over the budget.
pub fn wasm() -> Result<()> {
    tools::extension_modules()?;
    let built = step::run("build the WASM", &mut tools::npm_with_wasm("extension", &["run", "wasm"])?)?;
    for weight in built.output.lines().filter(|line| line.starts_with("wasm: ")) {
        say(&format!("    {weight}"));
    }
    Ok(())
}

/// The extension for Chrome and Firefox, into `extension/.output/`.
pub fn extension() -> Result<()> {
    step::run("build the extension", &mut tools::npm_with_wasm("extension", &["run", "build"])?)?;
    Ok(())
}

/// The host's binary.
pub fn host(release: bool) -> Result<()> {
    let mut build = step::cargo(&["build", "-p", "opentoolbar"]);
    if release {
        build.arg("--release");
    }
    step::run("build the host", &mut build)?;
    Ok(())
}

/// What `cargo xtask test` builds of the workspace: with one selection of packages and features, so that each crate is
/// compiled once. With `-p` the features of what two selections share differ, and the core alone takes two minutes of
/// a core's time for each. The host has then what ships and, unused, what the fuzzer, the laboratory and codegen see of
/// it and of the core; that it compiles without is a suite of its own.
pub const WHOLE: &[&str] = &["--workspace", "--features", "opentoolbar-core/typescript"];

/// Builds of the whole, in its features, what `what` selects. An example is always among it: it brings in what tests
/// depend on, and with that the same features.
///
/// # Errors
/// When it cannot be built.
pub fn of_the_whole(name: &str, what: &[&str]) -> Result<()> {
    let example = ["--example", "protocol_reference"];
    step::run(name, &mut step::cargo(&[&["build"], WHOLE, what, &example].concat()))?;
    Ok(())
}
