//! Pairs of page versions with known outcomes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::Part;
use super::arena::{self, CorpusPage};

#[derive(Deserialize)]
struct TruthFile {
    /// What is absent stands in the folder's name, `<set>__<name>`.
    set: Option<String>,
    name: Option<String>,
    #[serde(rename = "nodes_old", default)]
    elements: usize,
    targets: Vec<TargetInFile>,
}

#[derive(Deserialize)]
struct TargetInFile {
    /// Index on the old page.
    #[serde(rename = "o")]
    old: usize,
    /// Index on the new page; none when it is gone.
    #[serde(rename = "n", default)]
    new: Option<usize>,
    /// What was changed of it; known of the seeded edits.
    #[serde(rename = "mod", default)]
    change: Option<ChangeInFile>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct ChangeInFile {
    tag: bool,
    own: bool,
    txt: bool,
    attrs: Vec<String>,
}

/// One element with a known outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Its node on the old page.
    pub(crate) old: u32,
    /// Its node on the new page; none when it is gone.
    pub(crate) new: Option<u32>,
    /// Whether it changed: its tag, texts or attributes. Not known of every corpus.
    pub(crate) changed: Option<bool>,
}

/// Where a pair is; read with [`Place::read`], as all of them together would fill the memory.
pub(crate) struct Place {
    folder: PathBuf,
    /// Elements of the old page, as the truth says; 0 if it does not.
    pub(crate) elements: usize,
}

/// Two versions of a page.
pub(crate) struct Pair {
    /// Pairs are grouped by it.
    pub(crate) set: String,
    /// The page, without the set.
    pub(crate) name: String,
    pub(crate) part: Part,
    pub(crate) old: CorpusPage,
    pub(crate) new: CorpusPage,
    pub(crate) targets: Vec<Target>,
}

/// All pairs of a corpus, by name. `corpus` is the folder that has `pairs/`, or that one itself.
///
/// # Errors
/// When there are none.
pub(crate) fn pairs(corpus: &Path) -> Result<Vec<Place>> {
    let below = corpus.join("pairs");
    let folder = if below.is_dir() { below } else { corpus.to_owned() };
    let entries = fs::read_dir(&folder)
        .with_context(|| format!("cannot read the corpus's folder {}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    found.retain(|path| path.join("truth.json").is_file());
    found.sort();
    if found.is_empty() {
        bail!(
            "{} has no pairs: a corpus is a folder with pairs/<name>/{{old.arena.json.gz,new.arena.json.gz,truth.json}}",
            corpus.display()
        );
    }
    found.into_iter().map(Place::new).collect()
}

impl Place {
    fn new(folder: PathBuf) -> Result<Self> {
        let elements = read_truth(&folder)?.elements;
        Ok(Self { folder, elements })
    }

    /// Its folder, with the pages as HTML beside what is read here.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Both pages and the truth.
    ///
    /// # Errors
    /// When a file is missing or not what it should be; says which.
    pub(crate) fn read(&self) -> Result<Pair> {
        let truth = read_truth(&self.folder)?;
        let old = arena::read(&self.folder.join("old.arena.json.gz"))?;
        let new = arena::read(&self.folder.join("new.arena.json.gz"))?;
        let node = |page: &CorpusPage, at: usize| {
            page.nodes.get(at).copied().with_context(|| {
                let path = self.folder.join("truth.json");
                format!("{} names element {at}, and {} has {}", path.display(), page.name, page.nodes.len())
            })
        };
        let targets = truth
            .targets
            .into_iter()
            .map(|target| {
                Ok(Target {
                    old: node(&old, target.old)?,
                    new: target.new.map(|at| node(&new, at)).transpose()?,
                    changed: target
                        .change
                        .map(|change| change.tag || change.own || change.txt || !change.attrs.is_empty()),
                })
            })
            .collect::<Result<_>>()?;
        let folder = self.folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (set, name) = folder.split_once("__").unwrap_or(("", &folder));
        let set = truth.set.unwrap_or_else(|| if set.is_empty() { "unnamed" } else { set }.to_owned());
        let name = truth.name.unwrap_or_else(|| name.to_owned());
        Ok(Pair { part: Part::of(&name), set, name, old, new, targets })
    }
}

fn read_truth(folder: &Path) -> Result<TruthFile> {
    let path = folder.join("truth.json");
    let what = || format!("cannot read {}", path.display());
    serde_json::from_slice(&fs::read(&path).with_context(what)?).with_context(what)
}
