//! `cargo xtask lint`: formatting and lints of every language here.

use std::process::Command;

use anyhow::{Result, bail};

use crate::{step, tools};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Repair what the tools can repair by themselves
    #[arg(long)]
    fix: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    tools::extension_modules()?;
    tools::test_modules()?;
    if args.fix {
        step::run("cargo fmt", &mut step::cargo(&["fmt", "--all"]))?;
        let mut biome = tools::npm(
            "extension",
            &["exec", "--", "biome", "check", "--write", ".", "../tests", "../docs/examples"],
        )?;
        step::run("biome check --write", &mut biome)?;
    }
    let mut failed = Vec::new();
    for (name, command) in [
        ("cargo fmt --check", &mut step::cargo(&["fmt", "--all", "--check"])),
        ("clippy", &mut clippy(EVERY_DAY)),
        ("extension types", &mut tools::npm_with_wasm("extension", &["run", "check"])?),
        ("extension lint", &mut tools::npm("extension", &["run", "lint"])?),
        ("tests lint", &mut tools::npm("extension", TESTS_LINT)?),
        ("tests types", &mut tools::npm("tests", &["run", "check"])?),
    ] {
        let outcome = step::observe(name, command)?;
        if !outcome.status.success() {
            step::say(&outcome.output);
            failed.push(name);
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// The tests and the example in JavaScript are linted by the extension's biome, with the same rules.
pub(crate) const TESTS_LINT: &[&str] = &["exec", "--", "biome", "ci", "../tests", "../docs/examples"];

/// The laboratory is compiled when it is asked for; `cargo xtask test` lints it with everything else.
const EVERY_DAY: &[&str] = &["--exclude", "lab"];

/// Of the whole workspace, `but` what is excluded. Warnings are errors here and in CI, and only there: an edit in
/// progress may warn.
pub(crate) fn clippy(but: &[&str]) -> Command {
    let mut command = step::cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"]);
    command.args(but).args(["--", "-D", "warnings"]);
    command
}
