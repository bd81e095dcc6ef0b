//! `cargo xtask build`: WASM, extension for both browsers, host. Cargo and the extension's build do nothing twice.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::step::{self, say};
use crate::{tools, workspace};

/// What the WASM may weigh in all, gzip, in bytes.
const WASM_BUDGET: usize = 150_000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Optimise the host, as for a release
    #[arg(long)]
    release: bool,
    /// Build the extension as the end-to-end tests want it: open shadow root, all sites allowed
    #[arg(long)]
    test_build: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    wasm()?;
    extension(args.test_build)?;
    host(args.release)
}

/// The WASM package, into `extension/wasm/`; prints its weight and refuses one over the budget.
pub(crate) fn wasm() -> Result<()> {
    tools::wasm_target()?;
    let (pack, bindgen) = (tools::wasm_pack()?, tools::wasm_bindgen()?);
    tools::extension_modules()?;
    let dirs: Vec<&Path> = [&pack, &bindgen].iter().filter_map(|program| program.parent()).collect();
    let mut build = tools::npm("extension", &["run", "wasm"])?;
    step::run("build the WASM", build.env("PATH", tools::path_with(&dirs)?))?;
    let size = gzip_size(&workspace::path("extension/wasm"))?;
    say(&format!("    WASM: {:.1} KB gzip of {:.0} KB allowed", size as f64 / 1e3, WASM_BUDGET as f64 / 1e3));
    if size > WASM_BUDGET {
        bail!("the WASM is over its budget; look at it with `twiggy top` or take a dependency out");
    }
    Ok(())
}

/// The extension for Chrome and Firefox, into `extension/.output/`.
pub(crate) fn extension(test_build: bool) -> Result<()> {
    let script = if test_build { "build:test" } else { "build" };
    step::run(&format!("build the extension ({script})"), &mut tools::npm("extension", &["run", script])?)?;
    Ok(())
}

/// The host's binary.
pub(crate) fn host(release: bool) -> Result<()> {
    let mut build = step::cargo(&["build", "-p", "opentoolbar"]);
    if release {
        build.arg("--release");
    }
    step::run("build the host", &mut build)?;
    Ok(())
}

/// All `.wasm` files of a folder, each compressed, in bytes.
fn gzip_size(folder: &Path) -> Result<usize> {
    let mut size = 0;
    for entry in fs::read_dir(folder).with_context(|| format!("no WASM package in {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "wasm") {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
            gzip.write_all(&fs::read(&path)?)?;
            size += gzip.finish()?.len();
        }
    }
    if size == 0 {
        bail!("{} holds no .wasm file", folder.display());
    }
    Ok(size)
}
