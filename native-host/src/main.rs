//! The `opentoolbar` binary. All it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    opentoolbar::cli::run(std::env::args_os().collect())
}
