//! Node.js and the packages of `extension/` and `tests/`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::cargo_tools::numbers;
use crate::{step, workspace};

/// What the extension's build asks of Node.
const EXTENSION_NODE: [u32; 3] = [20, 19, 0];
/// What the tests ask: it runs TypeScript without a build and drives browsers with a puppeteer that wants it.
const TEST_NODE: [u32; 3] = [22, 18, 0];

/// `npm` in a folder of the workspace; checked, and never waiting for an answer.
pub fn npm(folder: &str, args: &[&str]) -> Result<Command> {
    system_node()?;
    let mut command = step::command(if cfg!(windows) { "npm.cmd" } else { "npm" }, folder, args);
    command.env("NO_UPDATE_NOTIFIER", "1").env("npm_config_fund", "false").env("npm_config_audit", "false");
    // Its warnings are about packages of packages; a step that takes long would show the end of one as what it is at.
    command.env("npm_config_loglevel", "error");
    Ok(command)
}

/// The same for scripts that build the WASM on their way: with its tools on the PATH, wherever they are.
pub fn npm_with_wasm(folder: &str, args: &[&str]) -> Result<Command> {
    let mut command = npm(folder, args)?;
    command.env("PATH", super::wasm::path_with_wasm_tools()?);
    Ok(command)
}

/// Packages of the extension, installed again only when their lock file changed.
pub fn extension_modules() -> Result<()> {
    install("extension")
}

/// Packages of the tests, Node itself among them.
pub fn test_modules() -> Result<()> {
    install("tests")
}

/// A Node new enough for the tests: the system's, or the one that the package `node` puts into `tests/`.
pub fn node_for_tests() -> Result<PathBuf> {
    test_modules()?;
    if system_node()? >= TEST_NODE {
        return Ok("node".into());
    }
    let own = workspace::path("tests/node_modules/node/bin/node");
    let usable = || step::ask(&own, &["--version"]).is_some_and(|v| numbers(&v) >= TEST_NODE);
    if !usable() {
        // npm may be set up not to run the packages' own install scripts; this one fetches the binary of this platform.
        let mut fetch = step::command("node", "tests/node_modules/node", &["installArchSpecificPackage.js"]);
        step::run("fetch Node for the tests", &mut fetch)?;
    }
    if !usable() {
        bail!(
            "the tests need Node {}.{} or newer, and the package `node` could not bring it to {}. Install Node 24 \
             (https://nodejs.org/en/download) and run this again.",
            TEST_NODE[0],
            TEST_NODE[1],
            own.display()
        );
    }
    Ok(own)
}

fn system_node() -> Result<[u32; 3]> {
    let found = step::ask("node", &["--version"]);
    match found.as_deref().map(numbers) {
        Some(version) if version >= EXTENSION_NODE => Ok(version),
        _ => bail!(
            "Node {}.{} or newer is needed, {}. Install it with:\n  {}\nand run this again.",
            EXTENSION_NODE[0],
            EXTENSION_NODE[1],
            found.map_or_else(|| "and there is none".to_owned(), |v| format!("and this is {v}")),
            if cfg!(target_os = "macos") {
                "brew install node"
            } else if super::browsers::is_debian() {
                "curl -fsSL https://deb.nodesource.com/setup_24.x | sudo bash - && sudo apt-get install -y nodejs"
            } else {
                "a package from https://nodejs.org/en/download"
            }
        ),
    }
}

fn install(folder: &str) -> Result<()> {
    let lock = workspace::path(folder).join("package-lock.json");
    let wanted = fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    // Inside node_modules, so that it goes with what it vouches for.
    let stamp = workspace::path(folder).join("node_modules").join(".opentoolbar-lock");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    step::run(&format!("npm ci in {folder}/"), &mut npm(folder, &["ci"])?)?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
}
