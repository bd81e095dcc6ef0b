//! Where things are in the workspace.

use std::path::{Path, PathBuf};

/// The workspace's root, absolute.
pub fn root() -> &'static Path {
    const MANIFEST: &str = env!("CARGO_MANIFEST_DIR");
    Path::new(MANIFEST).parent().unwrap_or(Path::new("."))
}

/// A path inside the workspace.
pub fn path(relative: &str) -> PathBuf {
    root().join(relative)
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => path("target"),
    }
}

/// What xtask itself keeps between runs: logs of steps, stamps.
pub fn own() -> PathBuf {
    target().join("xtask")
}

/// The host's binary, not optimised: of the build that was made last, by `build::host` or for the tests.
pub fn host_binary() -> PathBuf {
    program("debug", "opentoolbar")
}

/// The same of `cargo build --release -p opentoolbar`.
pub fn release_host_binary() -> PathBuf {
    program("release", "opentoolbar")
}

/// The laboratory's binary, not optimised.
pub fn lab_binary() -> PathBuf {
    program("debug", "lab")
}

/// The program of docs/examples/rust, not optimised.
pub fn client_binary() -> PathBuf {
    program("debug", "clear-build")
}

/// An example's program, not optimised.
pub fn example(name: &str) -> PathBuf {
    program("debug", &format!("examples/{name}"))
}

fn program(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
