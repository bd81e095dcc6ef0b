//! Chromium, its driver, and Firefox: found where systems put them, installed where that can be done unattended.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::on_path;
use crate::step;

/// Where the browsers are.
pub struct Browsers {
    pub chromium: PathBuf,
    pub chromedriver: PathBuf,
    pub firefox: PathBuf,
}

/// Debian's packages, in one command that asks nothing.
const APT: &str =
    "apt-get update && apt-get install -y --no-install-recommends chromium chromium-driver firefox-esr";
const BREW: &str = "brew install --cask chromium firefox && brew install chromedriver";

/// All three.
pub fn browsers() -> Result<Browsers> {
    Ok(Browsers {
        chromium: chromium()?,
        chromedriver: find_or_install("chromedriver", find_chromedriver)?,
        firefox: firefox()?,
    })
}

/// Chromium. Google Chrome will not do: it refuses to load unpacked extensions on command.
pub fn chromium() -> Result<PathBuf> {
    find_or_install("Chromium", find_chromium)
}

/// Firefox.
pub fn firefox() -> Result<PathBuf> {
    find_or_install("Firefox", find_firefox)
}

fn find_chromium() -> Option<PathBuf> {
    find(
        "OPENTOOLBAR_CHROMIUM",
        &["chromium", "chromium-browser"],
        &["/Applications/Chromium.app/Contents/MacOS/Chromium", "/usr/lib/chromium/chromium"],
    )
}

fn find_chromedriver() -> Option<PathBuf> {
    find(
        "CHROMEDRIVER",
        &["chromedriver"],
        &["/usr/lib/chromium/chromedriver", "/opt/homebrew/bin/chromedriver"],
    )
}

fn find_firefox() -> Option<PathBuf> {
    find(
        "OPENTOOLBAR_FIREFOX",
        &["firefox-esr", "firefox", "firefox-developer-edition"],
        &["/Applications/Firefox.app/Contents/MacOS/firefox", "/usr/lib/firefox-esr/firefox-esr"],
    )
}

/// What an environment variable names, else on the PATH, else in a usual place.
fn find(variable: &str, names: &[&str], places: &[&str]) -> Option<PathBuf> {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .or_else(|| on_path(names))
        .or_else(|| places.iter().map(PathBuf::from).find(|path| path.is_file()))
}

fn find_or_install(name: &str, find: fn() -> Option<PathBuf>) -> Result<PathBuf> {
    if let Some(path) = find() {
        return Ok(path);
    }
    if is_debian() && is_root() {
        let mut apt = step::command("sh", "", &["-c", APT]);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        step::run("install chromium, chromium-driver and firefox-esr", &mut apt)?;
        if let Some(path) = find() {
            return Ok(path);
        }
    }
    let command = if cfg!(target_os = "macos") {
        BREW.to_owned()
    } else if is_debian() {
        format!("sudo sh -c '{APT}'")
    } else {
        "your package manager's command for Chromium, chromedriver and Firefox \
         (Fedora: sudo dnf install chromium chromedriver firefox; Arch: sudo pacman -S chromium firefox)"
            .to_owned()
    };
    bail!("{name} is not installed. Install the browsers with:\n  {command}\nand run this again.")
}

/// Debian, Ubuntu and what descends from them.
pub(super) fn is_debian() -> bool {
    Path::new("/etc/debian_version").exists() && on_path(&["apt-get"]).is_some()
}

pub(super) fn is_root() -> bool {
    // Without a system call of our own (`unsafe` is forbidden here): the owner of this very process, as Linux tells it.
    fs::read_to_string("/proc/self/status").is_ok_and(|status| {
        status.lines().any(|line| {
            line.strip_prefix("Uid:").is_some_and(|ids| ids.split_whitespace().nth(1) == Some("0"))
        })
    })
}
