//! The sample server of the official conformance checker, behind the gateway of opentoolbar: `conformance serve` is
//! `opentoolbar serve`, but over HTTP `sample.rs` answers, which the feature `conformance` puts there. Everything
//! before it is the product's: token, `Host`, limits, sessions. For `tests/mcp/conformance.test.ts`.

use std::process::ExitCode;

fn main() -> ExitCode {
    opentoolbar::cli::run(std::env::args_os().collect())
}
