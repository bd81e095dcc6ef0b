//! `cargo xtask build`: WASM, extension for both browsers, host. Cargo and the extension's build do nothing twice.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::step::{self, say};
use crate::{tools, workspace};

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

/// The extension for one browser, into `extension/.output/`, with the WASM that is there.
pub fn extension_for(browser: &str) -> Result<()> {
    let mut build = tools::npm("extension", &["exec", "--", "wxt", "build", "-b", browser])?;
    step::run("build the extension", &mut build)?;
    Ok(())
}

/// The core as it compiles soonest. Tests have it optimised, for the sake of whole pages that it judges.
const SOONEST: &[&str] = &["--config", "profile.dev.package.opentoolbar-core.opt-level=0"];

/// Whether there is a WASM of the present sources, for [`quick_wasm`] or as it ships.
pub fn wasm_is_there() -> bool {
    let script = workspace::path("extension/scripts/wasm-quick.mjs");
    step::ask("node", &[&script.to_string_lossy()]).is_some()
}

/// The folder of the WASM as it ships; `None` where there is none, or one that [`quick_wasm`] made.
pub fn shipped_wasm() -> Option<PathBuf> {
    let package = workspace::path("extension/wasm");
    let stamp = fs::read_to_string(package.join(".inputs")).ok()?;
    (!stamp.starts_with("quick ") && package.join("opentoolbar_wasm_bg.wasm").exists()).then_some(package)
}

/// What [`quick_wasm`] is made of: compiled by cargo alone, unoptimised.
pub fn compile_quick_wasm() -> Result<()> {
    tools::wasm_target()?;
    let build = ["build", "-p", "opentoolbar-wasm", "--target", tools::WASM_TARGET];
    step::run("compile the WASM, unoptimised", &mut step::cargo(&[&build, SOONEST].concat()))?;
    Ok(())
}

/// The WASM package without wasm-pack's and wasm-opt's minutes, for the demo alone: what ships is made by [`wasm`],
/// which takes this one for none.
pub fn quick_wasm() -> Result<()> {
    let compiled = workspace::target().join(tools::WASM_TARGET).join("debug/opentoolbar_wasm.wasm");
    let mut bind = step::command("node", "extension", &["scripts/wasm-quick.mjs"]);
    bind.arg(compiled).env("PATH", tools::path_with_wasm_bindgen()?);
    step::run("make the WASM's JavaScript", &mut bind)?;
    Ok(())
}

/// The host's binary as soon as it can be had, not optimised at all.
pub fn host_soonest() -> Result<()> {
    step::run("build the host", &mut step::cargo(&[&["build", "-p", "opentoolbar"], SOONEST].concat()))?;
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
