//! `cargo xtask bench stream`: what a frame costs the panel while a long answer streams into it, in Chromium, beside plain
//! text that grows by the same parts. The measuring is `tests/bench/stream.ts`, on the harness of the end-to-end tests.

use anyhow::Result;

use super::{Args, in_browser};
use crate::tools;

pub(super) fn run(args: &Args) -> Result<()> {
    let chromium = tools::chromium()?;
    in_browser::measure(args, "bench/stream.ts", &["--parts", "500"], |measure| {
        measure.env("OPENTOOLBAR_CHROMIUM", chromium);
    })
}
