//! `cargo xtask setup-tools`: everything the other verbs need, in one go.

use anyhow::Result;

use crate::step::say;
use crate::tools;

pub(crate) fn run() -> Result<()> {
    tools::wasm_target()?;
    let wasm_pack = tools::wasm_pack()?;
    let wasm_bindgen = tools::wasm_bindgen()?;
    let nextest = tools::cargo_nextest()?;
    let deny = tools::cargo_deny()?;
    tools::extension_modules()?;
    let node = tools::node_for_tests()?;
    let python = tools::python_for_tests()?;
    let python_mcp = tools::python_for_mcp()?;
    let python_openapi = tools::python_for_openapi()?;
    let browsers = tools::browsers()?;
    tools::screen()?;
    for (name, path) in [
        ("wasm-pack", &wasm_pack),
        ("wasm-bindgen", &wasm_bindgen),
        ("cargo-nextest", &nextest),
        ("cargo-deny", &deny),
        ("node (tests)", &node),
        ("python (tests)", &python),
        ("python (mcp)", &python_mcp),
        ("python (api)", &python_openapi),
        ("chromium", &browsers.chromium),
        ("chromedriver", &browsers.chromedriver),
        ("firefox", &browsers.firefox),
    ] {
        say(&format!("{name:<14} {}", path.display()));
    }
    Ok(())
}
