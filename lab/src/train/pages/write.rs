//! Writes a pair in the corpus's format: both pages, one array an element, and what became of the elements.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::document::{Document, Element};
use super::list::{Package, Version};
use super::select::Target;
use super::withhold::Withheld;

/// What a pair is called, and where it is from.
pub(super) struct Place {
    set: String,
    pub(super) name: String,
    pub(super) folder: String,
    source: String,
    licence: String,
}

impl Place {
    pub(super) fn new(kind: &str, package: &Package, older: &Version, newer: &Version, page: &str) -> Self {
        let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
        let set = format!("{kind}-{}", plain(&package.package).trim_matches('-'));
        let page = page.rsplit_once('.').map_or(page, |(page, _)| page);
        let name = format!("{}_{}_{}", older.version, newer.version, plain(page));
        Self {
            folder: format!("{set}__{name}"),
            source: format!("{} {} -> {}: {page}", package.package, older.version, newer.version),
            licence: package.licence.clone(),
            set,
            name,
        }
    }
}

pub(super) fn pair(
    folder: &Path,
    place: &Place,
    (old, new): (&Document, &Document),
    targets: &[Target],
    withheld: &Withheld,
) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    arena(&folder.join("old.arena.json.gz"), old, &withheld[0])?;
    arena(&folder.join("new.arena.json.gz"), new, &withheld[1])?;
    let targets: Vec<_> = targets
        .iter()
        .map(|one| {
            let label = if one.new.is_some() { "present" } else { "gone" };
            json!({ "o": one.old, "n": one.new, "label": label, "kind": one.kind })
        })
        .collect();
    let truth = json!({
        "set": place.set,
        "name": place.name,
        "source": place.source,
        "licence": place.licence,
        "nodes_old": old.elements.len(),
        "nodes_new": new.elements.len(),
        "targets": targets,
    });
    let path = folder.join("truth.json");
    fs::write(&path, truth.to_string()).with_context(|| format!("cannot write {}", path.display()))
}

/// All elements, without the attributes that are withheld. Nothing was laid out: there are no boxes.
fn arena(path: &Path, page: &Document, withheld: &[(usize, String)]) -> Result<()> {
    let withheld: HashSet<(usize, &str)> = withheld.iter().map(|(at, name)| (*at, name.as_str())).collect();
    let one = |(at, element): (usize, &Element)| {
        let kept = element.attributes.iter().filter(|(name, _)| !withheld.contains(&(at, name.as_str())));
        let attributes: serde_json::Map<_, _> =
            kept.map(|(name, value)| (name.clone(), value.clone().into())).collect();
        let parent = element.parent.map_or(json!(-1), |parent| json!(parent));
        json!([element.tag, parent, attributes, element.own, 0, 0, 0, 0, u8::from(element.visible)])
    };
    let elements: Vec<_> = page.elements.iter().enumerate().map(one).collect();
    let what = || format!("cannot write {}", path.display());
    let mut file = GzEncoder::new(File::create(path).with_context(what)?, Compression::default());
    file.write_all(&serde_json::to_vec(&elements)?).with_context(what)?;
    file.finish().with_context(what)?;
    Ok(())
}
