//! A screen with a keyboard for tests that press a browser's shortcuts: Xvfb and xdotool, on Linux. Elsewhere those
//! tests are not run.

use anyhow::{Result, bail};

use super::browsers::{is_debian, is_root};
use super::on_path;
use crate::step;

const APT: &str = "apt-get update && apt-get install -y --no-install-recommends xvfb xdotool";

/// Makes sure of both.
pub fn screen() -> Result<()> {
    if !cfg!(target_os = "linux") || is_there() {
        return Ok(());
    }
    if is_debian() && is_root() {
        let mut apt = step::command("sh", "", &["-c", APT]);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        step::run("install xvfb and xdotool", &mut apt)?;
        if is_there() {
            return Ok(());
        }
    }
    let command = if is_debian() {
        format!("sudo sh -c '{APT}'")
    } else {
        "your package manager's command for Xvfb and xdotool \
         (Fedora: sudo dnf install xorg-x11-server-Xvfb xdotool; Arch: sudo pacman -S xorg-server-xvfb xdotool)"
            .to_owned()
    };
    bail!("Xvfb or xdotool is not installed. Install them with:\n  {command}\nand run this again.")
}

fn is_there() -> bool {
    on_path(&["Xvfb"]).is_some() && on_path(&["xdotool"]).is_some()
}
