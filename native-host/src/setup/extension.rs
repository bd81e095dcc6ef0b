//! How to load the extension, and from where.

use std::path::{Path, PathBuf};

/// Lines for a person: one for each browser family, with the folder when it can be found from where this program is.
pub fn load_lines(program: &Path) -> Vec<String> {
    let built = |name: &str| built(program, name);
    let not_built = || {
        "the extension is not built yet; run `cargo xtask build` in opentoolbar's source folder, then this command again"
            .to_owned()
    };
    let shown = |path: Option<PathBuf>| path.map_or_else(not_built, |path| path.display().to_string());
    vec![
        format!(
            "Chrome, Chromium, Edge: chrome://extensions, developer mode, \"Load unpacked\": {}",
            shown(built("chrome-mv3"))
        ),
        format!(
            "Firefox: about:debugging#/runtime/this-firefox, \"Load Temporary Add-on\": {}",
            shown(built("firefox-mv3").map(|folder| folder.join("manifest.json")))
        ),
    ]
}

/// The extension beside the program, or built in the checkout that the program was built in.
fn built(program: &Path, name: &str) -> Option<PathBuf> {
    let mut above = program.ancestors().skip(1);
    let beside = above.next()?.join("extension").join(name);
    let places = above.take(3).map(|folder| folder.join("extension/.output").join(name));
    std::iter::once(beside).chain(places).find(|folder| folder.join("manifest.json").is_file())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_extension_is_found_in_the_checkout_and_beside_the_program() {
        let checkout = tempfile::tempdir().unwrap();
        let program = checkout.path().join("target/release/opentoolbar");
        assert!(load_lines(&program).iter().all(|line| line.contains("not built yet")));
        let built = checkout.path().join("extension/.output/chrome-mv3");
        std::fs::create_dir_all(&built).unwrap();
        std::fs::write(built.join("manifest.json"), "{}").unwrap();
        let lines = load_lines(&program);
        assert!(
            lines[0].ends_with(built.to_str().unwrap()) && lines[1].contains("not built yet"),
            "{lines:?}"
        );
        let beside = checkout.path().join("target/release/extension/firefox-mv3");
        std::fs::create_dir_all(&beside).unwrap();
        std::fs::write(beside.join("manifest.json"), "{}").unwrap();
        assert!(load_lines(&program)[1].ends_with(beside.join("manifest.json").to_str().unwrap()));
    }
}
