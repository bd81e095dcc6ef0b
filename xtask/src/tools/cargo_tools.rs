//! Programs from crates.io: found on the PATH, or in a per-user cache keyed by version, or installed there once:
//! prebuilt where `cargo binstall` is there to fetch them, else built.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy as _;

use super::on_path;
use crate::{step, workspace};

/// Where most prebuilt programs lie.
const PREBUILT: &str = "github.com:443";
/// A machine that it has not answered by then builds.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// A program of a crate on crates.io.
pub(super) struct CargoTool<'a> {
    pub(super) krate: &'a str,
    pub(super) program: &'a str,
    /// What `--version` is asked with.
    pub(super) version_args: &'a [&'a str],
    /// Installed when none will do.
    pub(super) version: &'a str,
    /// Whether a version found will do.
    pub(super) fits: fn(found: &str, wanted: &str) -> bool,
}

impl CargoTool<'_> {
    /// The program's path; installs it when there is none that fits.
    pub(super) fn ensure(&self) -> Result<PathBuf> {
        let cached =
            self.cache()?.join("bin").join(format!("{}{}", self.program, std::env::consts::EXE_SUFFIX));
        for candidate in on_path(&[self.program]).into_iter().chain([cached.clone()]) {
            if candidate.is_file()
                && self.version_of(&candidate).is_some_and(|v| (self.fits)(&v, self.version))
            {
                return Ok(candidate);
            }
        }
        let root = self.cache()?;
        if !self.fetch(&root) {
            self.build(&root)?;
        }
        match self.version_of(&cached) {
            Some(found) if (self.fits)(&found, self.version) => Ok(cached),
            found => {
                bail!("{} was installed but answers {found:?}, wanted {}", cached.display(), self.version)
            }
        }
    }

    /// Whether a prebuilt program was to be had.
    fn fetch(&self, root: &Path) -> bool {
        if on_path(&["cargo-binstall"]).is_none() || !is_answering() {
            return false;
        }
        // Nothing but what the crate's own makers built; what there is not of it is built here.
        let args = [
            "binstall",
            "--no-confirm",
            "--disable-strategies",
            "quick-install,compile",
            "--version",
            self.version,
        ];
        let mut binstall = step::cargo(&args);
        binstall.arg("--root").arg(root).arg(self.krate);
        step::observe(&format!("fetch {} {}", self.krate, self.version), &mut binstall)
            .is_ok_and(|outcome| outcome.status.success())
    }

    fn build(&self, root: &Path) -> Result<()> {
        // Without --locked: the tools' own lock files name versions that not every registry mirror still has.
        // Unoptimised: to optimise one takes minutes, which no run of it saves. What the tools share is built once.
        let mut install =
            step::cargo(&["install", self.krate, "--version", self.version, "--debug", "--root"]);
        install.arg(root).env("CARGO_PROFILE_DEV_DEBUG", "0");
        install.env("CARGO_TARGET_DIR", workspace::own().join("tools"));
        step::run(&format!("build {} {} (once, a few minutes)", self.krate, self.version), &mut install)?;
        Ok(())
    }

    fn cache(&self) -> Result<PathBuf> {
        let dirs = etcetera::choose_base_strategy()
            .context("there is no home directory to keep tools in; set HOME")?;
        let folder = format!("{}-{}", self.krate, self.version);
        Ok(dirs.cache_dir().join("opentoolbar-dev").join("tools").join(folder))
    }

    /// `wasm-pack 0.15.1` -> `0.15.1`.
    fn version_of(&self, program: &PathBuf) -> Option<String> {
        let answer = step::ask(program, self.version_args)?;
        answer
            .split_whitespace()
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .map(str::to_owned)
    }
}

/// Whether prebuilt programs can be had; asked once. A name that nobody resolves can take longer than anybody waits.
fn is_answering() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let mut addresses = PREBUILT.to_socket_addrs().into_iter().flatten();
            let _ = tell.send(addresses.any(|at| TcpStream::connect_timeout(&at, ANSWERS_WITHIN).is_ok()));
        });
        told.recv_timeout(ANSWERS_WITHIN).unwrap_or(false)
    })
}

/// `1.2.3` as numbers that compare; what is not a number counts as 0.
pub(super) fn numbers(version: &str) -> [u32; 3] {
    let mut parts =
        version.trim_start_matches('v').split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

fn at_least(found: &str, wanted: &str) -> bool {
    numbers(found) >= numbers(wanted)
}

/// Runs the Rust tests: one process per test, so that a test that takes the process down takes only itself down.
pub fn cargo_nextest() -> Result<PathBuf> {
    let fits = |found: &str, _: &str| at_least(found, "0.9.85");
    CargoTool {
        krate: "cargo-nextest",
        program: "cargo-nextest",
        version_args: &["nextest", "--version"],
        version: "0.9.143",
        fits,
    }
    .ensure()
}

/// Licences, sources, duplicate versions, and advisories where their database can be had.
pub fn cargo_deny() -> Result<PathBuf> {
    let fits = |found: &str, _: &str| at_least(found, "0.18.0");
    CargoTool {
        krate: "cargo-deny",
        program: "cargo-deny",
        version_args: &["--version"],
        version: "0.20.2",
        fits,
    }
    .ensure()
}

#[cfg(test)]
mod tests {
    use super::{at_least, numbers};

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(numbers("v20.20.2"), [20, 20, 2]);
        assert!(at_least("0.15.1", "0.13.0"));
        assert!(at_least("0.9.100", "0.9.85"));
        assert!(!at_least("0.12.9", "0.13.0"));
    }
}
