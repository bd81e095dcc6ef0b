//! The suites, in the order they run within their lane, and what has to be there before.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::step::{self, say};
use crate::{build, lint, tools, workspace};

/// Suites of one lane run one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    Rust,
    Web,
    Browsers,
}

/// What is made ready before the lanes start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    ExtensionModules,
    TestModules,
    Wasm,
    /// As people install it, for both browsers.
    Extension,
    Host,
    Browsers,
    Screen,
    Nextest,
    Deny,
    Python,
}

/// A check, or a runner with tests to count.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) lane: Lane,
    pub(crate) needs: &'static [Need],
    /// Whether its output ends with a count of tests.
    pub(crate) counts: bool,
    pub(crate) command: fn() -> Result<Command>,
}

pub(crate) fn all() -> Vec<Suite> {
    use Lane::{Browsers as B, Rust as R, Web as W};
    use Need::{Browsers, Deny, Extension, ExtensionModules, Host, Nextest, Python, TestModules, Wasm};
    let suite =
        |name, about, lane, needs, counts, command| Suite { name, about, lane, needs, counts, command };
    vec![
        suite("fmt", "rustfmt", R, &[], false, || Ok(step::cargo(&["fmt", "--all", "--check"]))),
        suite(
            "nextest",
            "unit, property and integration tests of the workspace",
            R,
            &[Nextest],
            true,
            nextest,
        ),
        suite("doc", "doc tests", R, &[], true, || {
            Ok(step::cargo(&["test", "--doc", "-p", "opentoolbar-core"]))
        }),
        suite("clippy", "lints; a warning fails", R, &[], false, || Ok(step::cargo(lint::CLIPPY))),
        suite("codegen", "generated files are what the code says", R, &[], false, || {
            this(&["codegen", "--check"])
        }),
        suite("deny", "licences, sources and bans of all crates", R, &[Deny], false, deny),
        suite("wasm", "the WASM package in headless Chromium", R, &[Browsers], true, wasm),
        suite("wasm-size", "the WASM is within its budget", W, &[ExtensionModules, Wasm], false, || {
            npm("extension", "wasm:budget")
        }),
        suite("extension-types", "TypeScript", W, &[ExtensionModules, Wasm], false, || {
            npm("extension", "check")
        }),
        suite("extension-lint", "biome", W, &[ExtensionModules], false, || npm("extension", "lint")),
        suite("extension-unit", "vitest", W, &[ExtensionModules, Wasm], true, || npm("extension", "test")),
        suite(
            "web-ext",
            "web-ext lint of the Firefox build",
            W,
            &[ExtensionModules, Extension],
            false,
            || npm("extension", "lint:ext"),
        ),
        suite("tests-lint", "biome on the tests", W, &[ExtensionModules], false, || {
            tools::npm("extension", lint::TESTS_LINT)
        }),
        suite("tests-types", "TypeScript of the tests", W, &[TestModules], false, || npm("tests", "check")),
        suite("mcp", "the official MCP SDK against the host", B, &[TestModules, Host], true, || {
            node_tests("mcp", None)
        }),
        suite(
            "websocket",
            "a client that is not ours, against the gateway",
            B,
            &[Python, Host],
            true,
            || {
                let mut command =
                    step::command(tools::python_for_tests()?, "tests/ws", &["-B", "-m", "unittest", "-v"]);
                command.env("OPENTOOLBAR_HOST", workspace::host_binary());
                Ok(command)
            },
        ),
        suite(
            "soak",
            "three minutes of talk with sessions and agents coming and going: nothing of the hub grows",
            W,
            &[Host],
            false,
            || {
                let mut command = this(&["bench", "hub", "--soak", "180"])?;
                command.env("OPENTOOLBAR_HOST", workspace::host_binary());
                Ok(command)
            },
        ),
        suite("fuzz", "every decoder under arbitrary input, a few seconds each", R, &[], false, || {
            this(&["fuzz", "--seconds", "2"])
        }),
        suite(
            "faults",
            "processes are killed, disks full and dead, while everybody writes: nothing is lost or doubled",
            W,
            E2E,
            false,
            || {
                let mut command = this(&["faults", "--rounds", "12"])?;
                // A machine for tests can be given what a fault needs; a developer's need not have it.
                if std::env::var_os("CI").is_some() {
                    command.arg("--all");
                }
                command.env("OPENTOOLBAR_HOST", workspace::host_binary());
                Ok(command)
            },
        ),
        suite(
            "addresses",
            "Playwright and the browser find what the core's addresses name",
            B,
            &[ExtensionModules, TestModules, Wasm, Browsers],
            true,
            || node_tests("addresses", Some("chromium")),
        ),
        suite("e2e-chromium", "the whole way in Chromium", B, WHOLE_WAY, true, || {
            node_tests("e2e", Some("chromium"))
        }),
        suite("e2e-firefox", "the whole way in Firefox", B, WHOLE_WAY, true, || {
            node_tests("e2e", Some("firefox"))
        }),
    ]
}

/// The extension is built before the lanes start: nothing writes it while a browser reads it.
const E2E: &[Need] = &[Need::TestModules, Need::Extension, Need::Host, Need::Browsers];
const WHOLE_WAY: &[Need] = &[Need::TestModules, Need::Extension, Need::Host, Need::Browsers, Need::Screen];

/// Meets one need.
type Make = fn() -> Result<()>;

/// Makes ready what the chosen suites need. A need that cannot be met is returned with the reason.
pub(crate) fn prepare(chosen: &[Suite]) -> Vec<(Need, String)> {
    let wanted = |need: Need| chosen.iter().any(|suite| suite.needs.contains(&need));
    let steps: [(Need, Make); 10] = [
        (Need::Browsers, || tools::browsers().map(drop)),
        (Need::Screen, tools::screen),
        (Need::Nextest, || tools::cargo_nextest().map(drop)),
        (Need::Deny, || tools::cargo_deny().map(drop)),
        (Need::Python, || tools::python_for_tests().map(drop)),
        (Need::ExtensionModules, tools::extension_modules),
        (Need::TestModules, || tools::node_for_tests().map(drop)),
        (Need::Wasm, build::wasm),
        (Need::Extension, build::extension),
        (Need::Host, || build::host(false)),
    ];
    let mut broken = Vec::new();
    for (need, make) in steps {
        let for_extension = need == Need::Wasm && wanted(Need::Extension);
        if !wanted(need) && !for_extension {
            continue;
        }
        if let Err(error) = make() {
            say(&format!("    {need:?} is not ready: {error:#}"));
            broken.push((need, format!("{error:#}")));
        }
    }
    broken
}

/// This very program, as a step with a log of its own.
fn this(args: &[&str]) -> Result<Command> {
    let program = std::env::current_exe().context("cannot find this program")?;
    Ok(step::command(program, "", args))
}

fn npm(folder: &str, script: &str) -> Result<Command> {
    match folder {
        // Its scripts see to the WASM themselves.
        "extension" => tools::npm_with_wasm(folder, &["run", script]),
        _ => tools::npm(folder, &["run", script]),
    }
}

fn nextest() -> Result<Command> {
    let mut command = step::command(tools::cargo_nextest()?, "", &["nextest", "run", "--workspace"]);
    command.args(["--no-fail-fast", "--status-level", "fail", "--final-status-level", "fail"]);
    if is_root() {
        // Tests that become another user; for everybody else they are ignored, and counted so.
        command.args(["--run-ignored", "all"]);
    }
    Ok(command)
}

fn is_root() -> bool {
    #[cfg(unix)]
    return std::fs::metadata("/proc/self")
        .is_ok_and(|process| std::os::unix::fs::MetadataExt::uid(&process) == 0);
    #[cfg(not(unix))]
    false
}

fn deny() -> Result<Command> {
    // The advisory database lives on GitHub; a machine that cannot reach it still checks everything else, and says so.
    let reach = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=10", "ls-remote", "--exit-code"];
    let advisories =
        step::ask("git", &[&reach[..], &["https://github.com/RustSec/advisory-db", "HEAD"]].concat());
    let mut command =
        step::command(tools::cargo_deny()?, "", &["--workspace", "check", "bans", "licenses", "sources"]);
    if advisories.is_some() {
        command.arg("advisories");
    } else {
        say(
            "    deny: advisories are NOT checked, their database (github.com/RustSec/advisory-db) cannot be reached",
        );
    }
    Ok(command)
}

fn wasm() -> Result<Command> {
    let (path, pack, browsers) = (tools::path_with_wasm_tools()?, tools::wasm_pack()?, tools::browsers()?);
    let mut command =
        step::command(&pack, "", &["test", "--headless", "--chrome", "--mode", "no-install", "wasm"]);
    command.env("PATH", path).env("CHROMEDRIVER", browsers.chromedriver);
    Ok(command)
}

/// All `*.test.ts` of a folder of `tests/`, two files at once: each scenario has a home, a hub and a browser of its own,
/// and waits for most of its time.
fn node_tests(folder: &str, browser: Option<&str>) -> Result<Command> {
    let mut command = step::command(tools::node_for_tests()?, "tests", &["--test", "--test-concurrency=2"]);
    command.arg("--test-reporter=spec").arg(format!("{folder}/**/*.test.ts"));
    command.env("OPENTOOLBAR_HOST", workspace::host_binary());
    if let Some(browser) = browser {
        let found = tools::browsers()?;
        command.env("OPENTOOLBAR_BROWSER", browser);
        command.env("OPENTOOLBAR_CHROMIUM", found.chromium).env("OPENTOOLBAR_FIREFOX", found.firefox);
    }
    Ok(command)
}
