//! Which directory a verb works in: `--project`, else `OPENTOOLBAR_PROJECT`, else the current one.

use std::path::PathBuf;

use super::Failure;
use crate::why::why;

/// Absolute and existing.
pub(super) fn of_project(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let given = match given {
        Some(directory) => directory,
        None => std::env::current_dir().map_err(|error| {
            Failure::new(
                format!("the current directory cannot be used: {}", why(&error)),
                "Change to your project, or give --project DIR.",
            )
        })?,
    };
    let absolute = given.canonicalize().map_err(|error| {
        Failure::new(
            format!("cannot use the project {}: {}", given.display(), why(&error)),
            "Give the directory of your project.",
        )
    })?;
    if absolute.is_dir() {
        return Ok(absolute);
    }
    Err(Failure::new(
        format!("{} is not a directory", absolute.display()),
        "Give the directory of your project.",
    ))
}
