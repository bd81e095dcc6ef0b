//! Fetches a version of a package with npm, and keeps its HTML: the second time nothing is fetched.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail, ensure};
use flate2::read::GzDecoder;
use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use xtask::step::say;
use xtask::tools;

use super::list::{Package, Version};

/// Says that everything of a version is there, and of which archive it came.
const STAMP: &str = "integrity";
/// Most bytes of a page: larger ones are data, not pages that a person looks at.
const LARGEST: u64 = 1_500_000;

/// What `npm pack --json` says of an archive.
#[derive(Deserialize)]
struct Packed {
    filename: String,
    integrity: String,
}

/// The HTML of a version, as files.
pub(super) struct Folder(PathBuf);

/// The version's HTML, fetched unless it is there.
pub(super) fn html(into: &Path, package: &Package, version: &Version) -> Result<Folder> {
    let name = package.package.replace(['/', '@'], "_");
    let folder = into.join("packages").join(name).join(&version.version);
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|kept| kept == version.integrity) {
        return Ok(Folder(folder));
    }
    let spec = format!("{}@{}", package.package, version.version);
    say(&format!("==> npm pack {spec} ..."));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let archive = pack(&folder, &spec, &version.integrity)?;
    unpack(&archive, &folder).with_context(|| format!("cannot unpack {}", archive.display()))?;
    fs::remove_file(&archive).with_context(|| format!("cannot remove {}", archive.display()))?;
    fs::write(&stamp, &version.integrity).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(Folder(folder))
}

/// The archive, as npm fetched it from wherever it is set to fetch from.
fn pack(folder: &Path, spec: &str, integrity: &str) -> Result<PathBuf> {
    let mut npm = tools::npm("", &["pack", spec, "--json", "--ignore-scripts"])?;
    let output = npm
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .context("cannot start npm, which fetches the packages")?;
    if !output.status.success() {
        say(String::from_utf8_lossy(&output.stderr).trim());
        bail!(
            "npm could not fetch {spec}: what it said is above. It needs the network the first time, and a registry \
             that has this version; what was fetched before is kept."
        );
    }
    let packed: Vec<Packed> = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("what npm says of {spec} is not what is read"))?;
    let packed = packed.first().with_context(|| format!("npm packed nothing for {spec}"))?;
    ensure!(
        packed.integrity == integrity,
        "{spec} is not what was pinned: npm has {}, lab/src/train/pages/list.json says {integrity}",
        packed.integrity
    );
    // npm names the archive after the package; in some versions with the scope's `/` and `@`.
    Ok(folder.join(packed.filename.trim_start_matches('@').replace('/', "-")))
}

/// Writes the archive's HTML alone, by its path without the folder that all archives have.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let mut archive = tar::Archive::new(GzDecoder::new(fs::File::open(archive)?));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path: PathBuf = entry.path()?.components().skip(1).collect();
        let is_html = path.extension().is_some_and(|ending| ending == "html" || ending == "htm");
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !entry.header().entry_type().is_file() || !is_html || !is_below || entry.size() > LARGEST {
            continue;
        }
        let file = folder.join(path);
        if let Some(above) = file.parent() {
            fs::create_dir_all(above)?;
        }
        std::io::copy(&mut entry, &mut fs::File::create(file)?)?;
    }
    Ok(())
}

impl Folder {
    /// The pages that the list asks for: their paths below the version's root, and their files.
    pub(super) fn pages(&self, package: &Package, version: &Version) -> Result<Vec<(String, PathBuf)>> {
        let patterns: Vec<Pattern> =
            package.pages.iter().map(|pattern| Pattern::new(pattern)).collect::<Result<_, _>>()?;
        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
        let root = self.0.join(&version.root);
        ensure!(
            root.is_dir(),
            "{} {} has no pages in {:?}, where lab/src/train/pages/list.json says they are",
            package.package,
            version.version,
            version.root
        );
        let mut found = Vec::new();
        let mut left = vec![root.clone()];
        while let Some(folder) = left.pop() {
            let entries =
                fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    left.push(path);
                    continue;
                }
                let below = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                // A folder with one page in it is that page.
                let below =
                    below.strip_suffix("/index.html").map_or(below.clone(), |page| format!("{page}.html"));
                if patterns.iter().any(|pattern| pattern.matches_with(&below, options)) {
                    found.push((below, path));
                }
            }
        }
        found.sort();
        Ok(found)
    }
}
