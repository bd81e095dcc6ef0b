//! The suites, in the order they begin, and what has to be there before.

use std::process::Command;

use anyhow::{Context as _, Result};

use super::{firefox, junit};
use crate::step::{self, say};
use crate::{build, codegen, lint, tools, workspace};

/// What runs beside a suite.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Another one of these.
    Shared,
    /// Nothing: browsers wait for one another, and a busy machine makes them late.
    Alone,
}

/// What is made ready before the first suite begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    ExtensionModules,
    TestModules,
    Wasm,
    /// As people install it, for both browsers.
    Extension,
    /// The host's program, the crate `lab`'s and that of the example of a client.
    Programs,
    /// The host with the conformance checker's sample server in it.
    Sample,
    /// Those, and every test program of the workspace.
    Tests,
    Browsers,
    Screen,
    Nextest,
    Deny,
    Python,
    PythonSdk,
    PythonChecker,
}

/// A check, or a runner with tests to count.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) lane: Lane,
    pub(crate) needs: &'static [Need],
    pub(crate) counts: Counts,
    pub(crate) command: fn(Extent) -> Result<Command>,
}

/// What says how many tests of a suite passed and failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// A check: it holds or it does not.
    Nothing,
    /// What its runner prints last.
    Closing,
    /// The JUnit report of its runner.
    Report,
}

/// How much of a suite runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What can differ in Firefox, and everything in Chromium.
    Usual,
    All,
}

pub(crate) fn all() -> Vec<Suite> {
    use Counts::{Closing, Nothing, Report};
    use Lane::{Alone, Shared};
    use Need::{
        Browsers, Deny, Extension, ExtensionModules, Nextest, Programs, Python, PythonChecker, PythonSdk,
        Sample, TestModules, Tests, Wasm,
    };
    let suite =
        |name, about, lane, needs, counts, command| Suite { name, about, lane, needs, counts, command };
    vec![
        // The longest: the others run beside it.
        suite(
            "nextest",
            "unit, property and integration tests of the workspace",
            Shared,
            &[Nextest, Tests],
            Report,
            |_| nextest(),
        ),
        suite(
            "wasm-size",
            "the WASM is within its budget",
            Shared,
            &[ExtensionModules, Wasm],
            Nothing,
            |_| npm("extension", "wasm:budget"),
        ),
        suite("extension-types", "TypeScript", Shared, &[ExtensionModules, Wasm], Nothing, |_| {
            npm("extension", "check")
        }),
        suite("extension-lint", "biome", Shared, &[ExtensionModules], Nothing, |_| npm("extension", "lint")),
        suite("extension-unit", "vitest", Shared, &[ExtensionModules, Wasm], Report, |_| vitest()),
        suite(
            "web-ext",
            "web-ext lint of the Firefox build",
            Shared,
            &[ExtensionModules, Extension],
            Nothing,
            |_| npm("extension", "lint:ext"),
        ),
        suite("tests-lint", "biome on the tests", Shared, &[ExtensionModules], Nothing, |_| {
            tools::npm("extension", lint::TESTS_LINT)
        }),
        suite("tests-types", "TypeScript of the tests", Shared, &[TestModules], Nothing, |_| {
            npm("tests", "check")
        }),
        suite(
            "soak",
            "half a minute of talk with sessions and agents coming and going: nothing of the hub grows",
            Shared,
            &[Programs],
            Nothing,
            |_| Ok(lab(&["bench", "hub", "--soak", "30"])),
        ),
        suite(
            "bench-smoke",
            "every part of every bench runs, as small as can be",
            Shared,
            &[ExtensionModules, TestModules, Wasm, Programs, Browsers],
            Nothing,
            |_| Ok(lab(&["bench", "--smoke"])),
        ),
        suite(
            "faults",
            "processes are killed, disks full and dead, while everybody writes: nothing is lost or doubled",
            Shared,
            &[TestModules, Extension, Programs, Browsers],
            Nothing,
            |_| {
                let mut command = lab(&["faults", "--rounds", "12"]);
                // A machine for tests can be given what a fault needs; a developer's need not have it.
                if std::env::var_os("CI").is_some() {
                    command.arg("--all");
                }
                Ok(command)
            },
        ),
        suite("fmt", "rustfmt", Shared, &[], Nothing, |_| Ok(step::cargo(&["fmt", "--all", "--check"]))),
        suite("clippy", "lints of everything; a warning fails", Shared, &[], Nothing, |_| {
            Ok(lint::clippy(&[]))
        }),
        suite(
            "host-alone",
            "the host compiles with what it asks for itself, as it ships",
            Shared,
            &[],
            Nothing,
            |_| Ok(step::cargo(&["check", "-p", "opentoolbar"])),
        ),
        suite("codegen", "generated files are what the code says", Shared, &[Programs], Nothing, |_| {
            this(&["codegen", "--check"])
        }),
        suite("doc", "doc tests", Shared, &[], Closing, |_| {
            Ok(step::cargo(&[&["test", "--doc"], build::WHOLE].concat()))
        }),
        suite("deny", "licences, sources and bans of all crates", Shared, &[Deny], Nothing, |_| deny()),
        suite("wasm", "the WASM package in headless Chromium", Shared, &[Browsers], Closing, |_| wasm()),
        suite(
            "fuzz",
            "every decoder under arbitrary input, a few seconds each",
            Shared,
            &[],
            Nothing,
            |_| this(&["fuzz", "--seconds", "2"]),
        ),
        suite(
            "mcp",
            "real MCP clients against the host: official SDKs new and old, Inspector, conformance, Python, raw lines",
            Alone,
            &[TestModules, PythonSdk, Programs, Sample],
            Closing,
            |_| {
                let mut command = node_tests("mcp", "mcp", "**/*", None)?;
                command.env("OPENTOOLBAR_MCP_PYTHON", tools::python_for_mcp()?);
                command.env("OPENTOOLBAR_CONFORMANCE", workspace::example("conformance"));
                Ok(command)
            },
        ),
        suite(
            "examples",
            "the clients of docs/examples against the real gateway, and a server that fails in every way",
            Alone,
            &[TestModules, Programs],
            Closing,
            |_| {
                let mut command = node_tests("examples", "examples", "**/*", None)?;
                command.env("OPENTOOLBAR_PYTHON", tools::system_python()?);
                command.env("OPENTOOLBAR_EXAMPLE_RUST", workspace::client_binary());
                Ok(command)
            },
        ),
        suite(
            "websocket",
            "a client that is not ours, against the gateway",
            Alone,
            &[Python, Programs],
            Closing,
            |_| {
                let mut command =
                    step::command(tools::python_for_tests()?, "tests/ws", &["-B", "-m", "unittest", "-v"]);
                command.env("OPENTOOLBAR_HOST", workspace::host_binary());
                Ok(command)
            },
        ),
        suite(
            "openapi",
            "schemathesis against the gateway and its reference: no defect, nothing that the reference does not say",
            Alone,
            &[PythonChecker, Programs],
            Closing,
            |_| {
                let mut command = step::command(
                    tools::python_for_openapi()?,
                    "tests/openapi",
                    &["-B", "-m", "unittest", "-v"],
                );
                command.env("OPENTOOLBAR_HOST", workspace::host_binary());
                Ok(command)
            },
        ),
        suite(
            "addresses",
            "Playwright and the browser find what the core's addresses name",
            Alone,
            &[ExtensionModules, TestModules, Wasm, Browsers],
            Closing,
            |_| node_tests("addresses", "addresses", "**/*", Some("chromium")),
        ),
        suite("e2e-chromium", "the whole way in Chromium", Alone, WHOLE_WAY, Closing, |_| {
            node_tests("e2e-chromium", "e2e", "**/*", Some("chromium"))
        }),
        suite(
            "e2e-firefox",
            "the whole way in Firefox: what can differ there, or everything with --all",
            Alone,
            WHOLE_WAY,
            Closing,
            |extent| {
                let (files, scenarios) = match extent {
                    Extent::All => ("**/*".to_owned(), "all"),
                    Extent::Usual => (format!("{{{}}}", firefox::files()?.join(",")), "differing"),
                };
                let mut command = node_tests("e2e-firefox", "e2e", &files, Some("firefox"))?;
                command.env("OPENTOOLBAR_SCENARIOS", scenarios);
                Ok(command)
            },
        ),
    ]
}

/// The extension is built before any suite begins: nothing writes it while a browser reads it.
const WHOLE_WAY: &[Need] =
    &[Need::TestModules, Need::Extension, Need::Programs, Need::Browsers, Need::Screen];

const PROGRAMS: &[&str] = &["--bin", "opentoolbar", "--bin", "lab", "--bin", "clear-build"];

/// Meets one need.
type Make = fn() -> Result<()>;

/// Tools that compile for themselves; beside them what comes from a network, and what is built of the workspace alone;
/// then what is built of both.
const COMPILED: [(Need, Make); 3] = [
    (Need::Nextest, || tools::cargo_nextest().map(drop)),
    (Need::Deny, || tools::cargo_deny().map(drop)),
    (Need::Wasm, || tools::path_with_wasm_tools().map(drop)),
];
const FETCHED: [(Need, Make); 10] = [
    (Need::Browsers, || tools::browsers().map(drop)),
    (Need::Screen, tools::screen),
    (Need::Python, || tools::python_for_tests().map(drop)),
    (Need::PythonSdk, || tools::python_for_mcp().map(drop)),
    (Need::PythonChecker, || tools::python_for_openapi().map(drop)),
    (Need::ExtensionModules, tools::extension_modules),
    (Need::TestModules, || tools::node_for_tests().map(drop)),
    // The larger one first: it has the other in it. Not `--bins`: this very program would be put in its own place.
    (Need::Tests, || {
        build::of_the_whole("build all tests", &[PROGRAMS, &["--tests", "--examples"]].concat())
    }),
    (Need::Programs, || build::of_the_whole("build the programs", PROGRAMS)),
    (Need::Sample, || {
        let what = ["--features", "opentoolbar/conformance", "--example", "conformance"];
        build::of_the_whole("build the sample server of the conformance checker", &what)
    }),
];
const BUILT: [(Need, Make); 2] = [(Need::Wasm, build::wasm), (Need::Extension, build::extension)];

/// Makes ready what the chosen suites need. A need that cannot be met is returned with the reason.
pub(crate) fn prepare(chosen: &[Suite]) -> Vec<(Need, String)> {
    let wanted = |need: Need| chosen.iter().any(|suite| suite.needs.contains(&need));
    let make = |steps: &[(Need, Make)]| {
        let mut broken = Vec::new();
        for (need, make) in steps {
            let for_extension = *need == Need::Wasm && wanted(Need::Extension);
            if !wanted(*need) && !for_extension {
                continue;
            }
            if let Err(error) = make() {
                say(&format!("    {need:?} is not ready: {error:#}"));
                broken.push((*need, format!("{error:#}")));
            }
        }
        broken
    };
    match step::side_by_side(|| Ok(make(&COMPILED)), || Ok(make(&FETCHED))) {
        Ok((compiled, fetched)) => [compiled, fetched, make(&BUILT)].concat(),
        Err(error) => {
            chosen.iter().flat_map(|suite| suite.needs).map(|need| (*need, format!("{error:#}"))).collect()
        }
    }
}

/// This very program, as a step with a log of its own.
fn this(args: &[&str]) -> Result<Command> {
    let program = std::env::current_exe().context("cannot find this program")?;
    Ok(step::command(program, "", args))
}

/// The laboratory, with the host that every test uses.
fn lab(args: &[&str]) -> Command {
    let mut command = step::command(workspace::lab_binary(), "", args);
    command.env("OPENTOOLBAR_HOST", workspace::host_binary());
    command
}

fn npm(folder: &str, script: &str) -> Result<Command> {
    match folder {
        // Its scripts see to the WASM themselves.
        "extension" => tools::npm_with_wasm(folder, &["run", script]),
        _ => tools::npm(folder, &["run", script]),
    }
}

fn nextest() -> Result<Command> {
    let run = [&["nextest", "run"], build::WHOLE].concat();
    let mut command = step::command(tools::cargo_nextest()?, "", &run);
    command.args(["--filterset", &format!("not test({})", codegen::EXPORTS)]);
    command.args(["--no-fail-fast", "--status-level", "fail", "--final-status-level", "fail"]);
    // Most tests of the host wait for processes and sockets, not for a core.
    command.arg(format!("--test-threads={}", cores().max(2) * 2));
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

fn vitest() -> Result<Command> {
    let report = format!("--outputFile.junit={}", junit::path("extension-unit").display());
    tools::npm_with_wasm(
        "extension",
        &["run", "test", "--", "--reporter=default", "--reporter=junit", &report],
    )
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// `*.test.ts` of a folder of `tests/`, one file more at once than there are cores: each file has a home, a hub and a
/// browser of its own, and those about edits of an app's source wait for most of their time.
fn node_tests(suite: &str, folder: &str, files: &str, browser: Option<&str>) -> Result<Command> {
    let at_once = (cores().max(2) + 1).to_string();
    let mut command = step::command(tools::node_for_tests()?, "tests", &["run.ts", "--at-once", &at_once]);
    command.arg("--junit").arg(junit::path(suite)).arg(format!("{folder}/{files}.test.ts"));
    command.env("OPENTOOLBAR_HOST", workspace::host_binary());
    if let Some(browser) = browser {
        let found = tools::browsers()?;
        command.env("OPENTOOLBAR_BROWSER", browser);
        command.env("OPENTOOLBAR_CHROMIUM", found.chromium).env("OPENTOOLBAR_FIREFOX", found.firefox);
    }
    Ok(command)
}
