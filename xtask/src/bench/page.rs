//! `cargo xtask bench page`: frame times of a page of 10,000 nodes that rewrites itself 60 times a second, in browsers with
//! and without the extension, side by side. The measuring is `tests/bench/page.ts`, on the harness of the end-to-end tests.

use anyhow::Result;

use super::{Args, in_browser};
use crate::tools;

pub(super) fn run(args: &Args) -> Result<()> {
    let browsers = tools::browsers()?;
    in_browser::measure(args, "bench/page.ts", &["--rounds", "1", "--seconds", "4"], |measure| {
        measure.env("OPENTOOLBAR_CHROMIUM", browsers.chromium).env("OPENTOOLBAR_FIREFOX", browsers.firefox);
    })
}
