//! Runs inputs of one target without an engine: `replay TARGET FILE...`, and before them its well-formed ones. A crash
//! ends the process, so that a stack that overflows names its file as well.
#![allow(clippy::print_stdout, reason = "a developer's program, no protocol")]

use std::process::ExitCode;

use opentoolbar_fuzz::{bounds, find};

/// A build that is not optimised takes so many times as long.
const SLOWER: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().and_then(|name| find(name)) else {
        eprintln!("usage: replay TARGET [FILE...]");
        return ExitCode::from(2);
    };
    let mut replayed = 0;
    for seed in (target.seeds)() {
        bounds::hold(target.run, &seed, SLOWER);
        replayed += 1;
    }
    for file in &args[1..] {
        // Standing before the crash, so that the last one named is the one.
        println!("{file}");
        match std::fs::read(file) {
            Ok(input) => bounds::hold(target.run, &input, SLOWER),
            Err(error) => {
                eprintln!("cannot read {file}: {error}");
                return ExitCode::FAILURE;
            }
        }
        replayed += 1;
    }
    println!("{replayed} inputs of {}", target.name);
    ExitCode::SUCCESS
}
