//! What the verbs need beyond Rust itself. Each tool is looked for first and never built again when it is there in the
//! right version.

mod browsers;
mod cargo_tools;
mod faketime;
mod node;
mod python;
mod screen;
mod wasm;

pub use browsers::{browsers, chromium, firefox};
pub use cargo_tools::{cargo_deny, cargo_nextest};
pub use faketime::faketime;
pub use node::{extension_modules, node_for_tests, npm, npm_with_wasm, test_modules};
pub use python::{python_for_mcp, python_for_openapi, python_for_tests, system_python};
pub use screen::screen;
pub use wasm::{
    WASM_TARGET, path_with_wasm_bindgen, path_with_wasm_tools, wasm_bindgen, wasm_pack, wasm_target,
};

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// First program of these names on the PATH.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    names.iter().find_map(|name| {
        env::split_paths(&path)
            .map(|dir| dir.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
            .find(|candidate| candidate.is_file())
    })
}

/// The PATH with a folder in front.
pub fn path_with(dirs: &[&Path]) -> Result<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    env::join_paths(dirs.iter().map(|dir| dir.to_path_buf()).chain(env::split_paths(&old)))
        .context("a folder's name cannot stand in PATH")
}
