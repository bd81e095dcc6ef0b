//! Which files of scenarios run in Firefox too: all but those that cannot differ there. Of these a scenario that is
//! `alike` is left out as well (`tests/e2e/harness/world.ts`).

use anyhow::{Context as _, Result};

use crate::workspace;

/// What asks the host, the core or Preact through a page (what an edit and what use is, too: how a browser tells of a
/// page's files is in `document` and `source`), or a browser for what one of them alone does (`html`, `prerender`,
/// `toolbar`). The rest runs in Firefox too: scripts and their worlds, keys and focus, pictures, grants of
/// sites, its background's life and death.
const CHROMIUM_ALONE: &[&str] = &[
    "accessible",
    "accessible-trouble",
    "answered",
    "as-asked",
    "check",
    "connection",
    "contrast",
    "document-attributes",
    "drafts",
    "export",
    "field-removed",
    "host",
    "hostile",
    "hot-reload",
    "html",
    "insecure",
    "let-go",
    "life",
    "masks",
    "missing-build",
    "pairing",
    "panel",
    "prerender",
    "probe",
    "redaction",
    "rows",
    "split-text",
    "state",
    "toolbar",
];

/// The files of scenarios, without those.
pub(super) fn files() -> Result<Vec<String>> {
    let folder = workspace::path("tests/e2e");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        files.extend(
            name.strip_suffix(".test.ts").filter(|file| !CHROMIUM_ALONE.contains(file)).map(str::to_owned),
        );
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{CHROMIUM_ALONE, files};
    use crate::workspace;

    #[test]
    fn what_runs_in_chromium_alone_is_there_and_the_rest_runs_in_both() {
        let is_there = |name: &&str| workspace::path(&format!("tests/e2e/{name}.test.ts")).is_file();
        let missing: Vec<_> = CHROMIUM_ALONE.iter().filter(|name| !is_there(name)).collect();
        assert!(missing.is_empty(), "renamed or gone: {missing:?}");
        let firefox = files().unwrap_or_default();
        assert!(["pins", "field"].iter().all(|name| firefox.iter().any(|file| file == name)), "{firefox:?}");
    }
}
