//! `cargo xtask demo`: the main job, in a real browser, with the real host and a real MCP client.
//! Builds what is needed; the play itself is `tests/e2e/demo.ts`, on the same harness as the end-to-end tests.

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::step::{self, say};
use crate::{build, tools, workspace};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which browser
    #[arg(long, value_enum, default_value_t = Browser::Chromium)]
    browser: Browser,
    /// Play it without a window, step by step, with screenshots; so it is too where there is no display
    #[arg(long)]
    headless: bool,
    /// Play it headless, and put its screenshots into docs/pictures, where the documents show them
    #[arg(long)]
    pictures: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        }
    }

    /// What the extension's build calls it.
    fn of_the_build(self) -> &'static str {
        match self {
            Self::Chromium => "chrome",
            Self::Firefox => "firefox",
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let began = Instant::now();
    let is_there = build::wasm_is_there();
    let (compiled, is_compiled) = mpsc::channel();
    // Ours beside the tool's compiler: at the end of each one core alone is busy.
    let ((), (variable, browser, node)) = step::side_by_side(
        move || {
            if !is_there {
                build::compile_quick_wasm()?;
            }
            if compiled.send(()).is_err() {
                // The other side failed: what it says is what a person has to read.
                return Ok(());
            }
            build::host_soonest()
        },
        move || {
            let ((), found) = step::side_by_side(
                || if is_there { Ok(()) } else { tools::wasm_bindgen().map(drop) },
                || fetch(args.browser),
            )?;
            is_compiled.recv().context("compiling the WASM broke off; why is said above")?;
            if !is_there {
                build::quick_wasm()?;
            }
            build::extension_for(args.browser.of_the_build())?;
            Ok(found)
        },
    )?;
    let headless = args.headless || args.pictures || !has_display();
    say(&format!("==> ready after {:.1} s", began.elapsed().as_secs_f32()));

    // Ctrl+C goes to the whole group: the play cleans up after itself, and this process waits for it.
    ctrlc::set_handler(|| {}).context("cannot listen for Ctrl+C")?;
    let mut play = step::command(node, "tests", &["e2e/demo.ts", "--browser", args.browser.name()]);
    if headless {
        play.arg("--headless");
    }
    if args.pictures {
        play.arg("--pictures");
    }
    let status = play
        .env(variable, browser)
        .env("OPENTOOLBAR_HOST", workspace::host_binary())
        .stdin(std::process::Stdio::null())
        .status()
        .context("cannot start Node")?;
    if !status.success() {
        bail!("the demo did not end well ({status}); what happened is above");
    }
    Ok(())
}

/// The packages, the browser with the variable that names it to the play, and Node.
fn fetch(browser: Browser) -> Result<(&'static str, PathBuf, PathBuf)> {
    tools::extension_modules()?;
    let (variable, program) = match browser {
        Browser::Chromium => ("OPENTOOLBAR_CHROMIUM", tools::chromium()?),
        Browser::Firefox => ("OPENTOOLBAR_FIREFOX", tools::firefox()?),
    };
    Ok((variable, program, tools::node_for_tests()?))
}

fn has_display() -> bool {
    cfg!(any(target_os = "macos", windows))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()))
}
