//! `cargo xtask bench`, `train` and `faults`: the crate `lab` has them, which is compiled when one of them is asked
//! for.

use std::ffi::{OsStr, OsString};

use anyhow::{Context as _, Result};

use xtask::step;

/// Handed on as they are; `--help` too.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// What only tries whether something works, or lists what there is, needs no optimised build.
const UNMEASURED: &[&str] = &["--smoke", "--soak", "--help", "-h"];

pub(crate) fn run(verb: &str, args: &Args) -> Result<()> {
    let mut command = step::cargo_here(&["run", "--quiet", "--package", "lab"]);
    if is_optimised(verb, &args.args) {
        step::say("Building the laboratory, optimised (cargo run --release --package lab) ...");
        command.arg("--release");
    }
    let status = command.args(["--", verb]).args(&args.args).status().context("cannot start cargo")?;
    anyhow::ensure!(status.success(), "{verb} failed; its output is above");
    Ok(())
}

fn is_optimised(verb: &str, args: &[OsString]) -> bool {
    let is_unmeasured = |arg: &OsString| {
        let name = arg.as_encoded_bytes().split(|&byte| byte == b'=').next().unwrap_or_default();
        UNMEASURED.iter().any(|known| OsStr::new(known).as_encoded_bytes() == name)
    };
    // Faults are the same in every build.
    verb != "faults" && !args.is_empty() && !args.iter().any(is_unmeasured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_measures_or_learns_is_built_optimised() {
        let is = |verb: &str, args: &str| {
            is_optimised(verb, &args.split_whitespace().map(OsString::from).collect::<Vec<_>>())
        };
        for (verb, args) in
            [("bench", "core"), ("bench", "hub --json a.json"), ("train", "redesigns --check")]
        {
            assert!(is(verb, args), "{verb} {args}");
        }
        for (verb, args) in [
            ("bench", ""),
            ("bench", "--help"),
            ("bench", "--smoke"),
            ("bench", "hub --soak 30"),
            ("bench", "hub --soak=30"),
            ("faults", "--rounds 12"),
        ] {
            assert!(!is(verb, args), "{verb} {args}");
        }
    }
}
