//! This program: where it is, and how a person starts it.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::setup::shell_quoted;
use crate::why::why;

/// This program, by a path that stays the same.
pub(super) fn path() -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(
            format!("cannot find this program's own path: {}", why(&error)),
            "Start it by its full path.",
        )
    };
    let program = std::env::current_exe().map_err(failed)?;
    // A canonical path on Windows begins with `\\?\`, which browsers do not understand.
    if cfg!(windows) { Ok(program) } else { program.canonicalize().map_err(failed) }
}

/// The command that runs a verb of this program: by its name where that finds it, else by its path.
pub(super) fn command(verb: &str) -> String {
    let named = || format!("opentoolbar {verb}");
    let Ok(program) = path() else { return named() };
    if is_on_path(&program) {
        return named();
    }
    format!("{} {verb}", shell_quoted(&program.to_string_lossy()))
}

/// Whether `opentoolbar` in a shell is this program.
fn is_on_path(program: &Path) -> bool {
    let name = format!("opentoolbar{}", std::env::consts::EXE_SUFFIX);
    let directories = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&directories)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(&name))
        .find(|path| path.is_file());
    first.is_some_and(|first| first.canonicalize().ok() == program.canonicalize().ok())
}
