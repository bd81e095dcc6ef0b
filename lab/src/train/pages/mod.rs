//! `cargo xtask train pages --into DIR`: real versions of pages, with what became of their elements.
//!
//! From a pinned list of packages that ship their pages in several versions (`list.json`): fetches them with npm, reads
//! their HTML as core does without a browser, pairs a page's versions, finds by stable keys which element became which
//! and which are gone, takes those keys away on most pairs, and writes the corpus's format, for
//! `cargo xtask train anchor --versions DIR` and `cargo xtask bench anchor --corpus DIR`. The same list gives the same
//! files.

mod derived;
mod document;
mod fetch;
mod gone;
mod keys;
mod list;
mod matched;
mod select;
mod texts;
mod withhold;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use anyhow::{Context as _, Result};
use xtask::step::say;

use document::Document;
use list::{Package, Version};
use select::Target;

/// Fewest elements that must be known on both pages for a pair to be of use.
const FEWEST: usize = 5;
/// Pages of which less changed teach nothing.
const UNCHANGED: f32 = 0.08;
/// Versions of years this far apart are years apart, others are releases.
const YEARS: u16 = 2;

/// How much came of it.
#[derive(Default)]
struct Count {
    pairs: usize,
    present: usize,
    gone: usize,
}

/// Fetches, pairs and writes everything of the list into `into`.
///
/// # Errors
/// When a package cannot be fetched or is not what was pinned, or a file cannot be written.
pub(super) fn run(into: &Path) -> Result<()> {
    let packages = list::packages()?;
    let pairs = into.join("pairs");
    if pairs.exists() {
        std::fs::remove_dir_all(&pairs).with_context(|| format!("cannot clear {}", pairs.display()))?;
    }
    let (mut all, mut projects) = (Count::default(), HashSet::new());
    for (at, package) in packages.iter().enumerate() {
        let mut folders = Vec::new();
        for version in &package.versions {
            folders.push(fetch::html(into, package, version)?);
        }
        let count = pair_versions(package, &folders, &pairs)?;
        say(&format!(
            "[{}/{}] {}: {} pairs, {} elements there, {} gone",
            at + 1,
            packages.len(),
            package.package,
            count.pairs,
            count.present,
            count.gone
        ));
        if count.pairs > 0 {
            projects.insert(&package.package);
        }
        all.pairs += count.pairs;
        all.present += count.present;
        all.gone += count.gone;
    }
    say(&format!(
        "Wrote {} pairs of {} projects to {}: {} elements there, {} gone.",
        all.pairs,
        projects.len(),
        pairs.display(),
        all.present,
        all.gone
    ));
    Ok(())
}

/// A package's pages of one version, by what they are called in every version.
type Pages = BTreeMap<String, Document>;

fn pair_versions(package: &Package, folders: &[fetch::Folder], pairs: &Path) -> Result<Count> {
    let mut versions: Vec<Pages> = Vec::new();
    for (version, folder) in package.versions.iter().zip(folders) {
        versions.push(read(package, version, folder)?);
    }
    let mut count = Count::default();
    // What is on every page of a project, such as its menu, counts a few times only.
    let mut seen: HashMap<u64, usize> = HashMap::new();
    for (from, to) in list::steps(versions.len()) {
        let (older, newer) = (&package.versions[from], &package.versions[to]);
        // Those that changed most.
        let mut pages: Vec<(f32, &String, matched::Matched)> = Vec::new();
        for (name, old) in &versions[from] {
            let Some(new) = versions[to].get(name) else { continue };
            let mut matched = matched::by_keys(old, new);
            derived::derive(old, new, &mut matched);
            pages.push((matched.changed(old, new), name, matched));
        }
        pages.retain(|(changed, ..)| *changed > UNCHANGED);
        pages.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        pages.truncate(package.most);
        for (_, name, matched) in pages {
            let (old, new) = (&versions[from][name], &versions[to][name]);
            let apart = newer.released.abs_diff(older.released);
            let kind = if apart >= YEARS { "years" } else { "rel" };
            let place = write::Place::new(kind, package, older, newer, name);
            let found = targets(old, new, &matched, &place.name, &mut seen);
            let Some((targets, withheld)) = found else { continue };
            count.pairs += 1;
            count.present += targets.iter().filter(|target| target.new.is_some()).count();
            count.gone += targets.iter().filter(|target| target.new.is_none()).count();
            write::pair(&pairs.join(&place.folder), &place, (old, new), &targets, &withheld)?;
        }
    }
    Ok(count)
}

/// What is looked for on a pair, and what is taken away from both pages; nothing if too little is known.
fn targets(
    old: &Document,
    new: &Document,
    matched: &matched::Matched,
    name: &str,
    seen: &mut HashMap<u64, usize>,
) -> Option<(Vec<Target>, withhold::Withheld)> {
    let gone = gone::find(old, new, matched);
    let mode = withhold::Mode::of(name);
    let targets = select::choose((old, new), matched, &gone, mode, name, seen);
    let present = targets.iter().filter(|target| target.new.is_some()).count();
    // Two files of one name that have next to nothing in common are no two versions of a page.
    (present >= FEWEST).then(|| {
        let withheld = withhold::keys(old, new, matched, &targets, mode);
        (targets, withheld)
    })
}

fn read(package: &Package, version: &Version, folder: &fetch::Folder) -> Result<Pages> {
    let mut pages = Pages::new();
    for (path, file) in folder.pages(package, version)? {
        let html = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        pages.extend(Document::read(&String::from_utf8_lossy(&html)).map(|document| (path, document)));
    }
    Ok(pages)
}
