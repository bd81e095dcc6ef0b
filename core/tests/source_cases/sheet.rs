//! One case: a folder's pages and steps, read and checked.

use std::collections::{BTreeMap, BTreeSet};

use opentoolbar_core::anchor::{Evidence, VerdictKind};
use opentoolbar_core::model::{Cause, Status};
use opentoolbar_core::page::Page;
use serde::Deserialize;

use crate::marks::{MARK, page, without};

/// File names and what is in them.
pub(crate) type Files = BTreeMap<String, String>;

const STEPS: &str = "steps.toml";
/// The attribute that marks the node that was an element's before, where that is another one now.
const NODE: &str = "data-node";

/// What `steps.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    why: String,
    state: Vec<Step>,
    source: Vec<Step>,
    #[serde(default)]
    unknown: Vec<Step>,
}

/// One look of a tab at a page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// File name.
    pub(crate) page: String,
    /// What happened, for people.
    pub(crate) what: String,
    /// Why the tab thinks that the source changed. None for the first step, on whose page the comments are made.
    pub(crate) evidence: Option<Evidence>,
    /// Which window looks. Each keeps its own looks; the comments are the same for all.
    #[serde(default = "first_tab")]
    pub(crate) tab: String,
    /// By mark.
    #[serde(default)]
    pub(crate) expect: BTreeMap<String, Expected>,
    /// Marks of which the person says "Still the same" at the end of the step.
    #[serde(default)]
    pub(crate) still_the_same: Vec<String>,
    /// What the project's files say then; none: nobody can tell.
    pub(crate) files: Option<Written>,
    /// Whether the page held the elements' nodes since the step before. None of those that the page does not have is
    /// left.
    #[serde(default)]
    pub(crate) nodes: bool,
}

/// What a project's files say, as far as it matters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// Those that changed since the last look.
    pub(crate) changed: String,
    /// The file of every element that is looked for.
    #[serde(default)]
    pub(crate) own: String,
}

fn first_tab() -> String {
    "a".to_owned()
}

/// What is right of one comment after a step.
#[derive(Deserialize)]
#[serde(from = "Spelled")]
pub(crate) struct Expected {
    pub(crate) status: Status,
    /// Any of these is right; empty: any at all.
    pub(crate) verdicts: Vec<VerdictKind>,
    pub(crate) cause: Option<Cause>,
    pub(crate) in_view: Option<bool>,
    /// What is said instead.
    pub(crate) known_failure: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Spelled {
    Short(Status),
    Whole(Whole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    status: Status,
    #[serde(default)]
    verdicts: Vec<VerdictKind>,
    cause: Option<Cause>,
    in_view: Option<bool>,
    known_failure: Option<String>,
}

impl From<Spelled> for Expected {
    fn from(spelled: Spelled) -> Self {
        match spelled {
            Spelled::Short(status) => {
                Self { status, verdicts: Vec::new(), cause: None, in_view: None, known_failure: None }
            }
            Spelled::Whole(Whole { status, verdicts, cause, in_view, known_failure }) => {
                Self { status, verdicts, cause, in_view, known_failure }
            }
        }
    }
}

/// A page and its marked elements.
pub(crate) struct Marked {
    pub(crate) page: Page,
    pub(crate) marks: BTreeMap<String, u32>,
    /// The nodes that were the elements' before, where those are others now.
    pub(crate) nodes: BTreeMap<String, u32>,
}

/// One situation with its endings.
pub(crate) struct Case {
    pub(crate) why: String,
    /// By file name.
    pub(crate) pages: BTreeMap<String, Marked>,
    /// By name; each begins with the step on which the comments are made.
    pub(crate) endings: Vec<(&'static str, Vec<Step>)>,
}

impl Case {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// A sentence that says what is wrong with them.
    pub(crate) fn read(files: &Files) -> Result<Case, String> {
        let steps = files.get(STEPS).ok_or_else(|| format!("{STEPS} is missing in the folder"))?;
        let sheet: Sheet = toml::from_str(steps).map_err(|error| format!("{STEPS}: {error}"))?;
        let mut endings = vec![("state", sheet.state), ("source", sheet.source)];
        if !sheet.unknown.is_empty() {
            endings.push(("unknown", sheet.unknown));
        }
        let mut pages = BTreeMap::new();
        for (name, html) in files.iter().filter(|(name, _)| *name != STEPS) {
            if !name.ends_with(".html") {
                return Err(format!("{name} is not a file of a case: those are {STEPS} and pages"));
            }
            let (html, nodes) = without(name, html, NODE)?;
            let (page, marks) = page(name, &html)?;
            pages.insert(name.clone(), Marked { page, marks, nodes });
        }
        let used: BTreeSet<&String> =
            endings.iter().flat_map(|(_, steps)| steps).map(|step| &step.page).collect();
        if let Some(name) = pages.keys().find(|name| !used.contains(name)) {
            return Err(format!("no step shows {name}"));
        }
        for (ending, steps) in &endings {
            check(ending, steps, &pages)?;
        }
        if sheet.why.trim().is_empty() {
            return Err(format!("{STEPS} needs a sentence `why`"));
        }
        Ok(Case { why: sheet.why, pages, endings })
    }
}

/// What an ending expects must not contradict its pages.
fn check(ending: &str, steps: &[Step], pages: &BTreeMap<String, Marked>) -> Result<(), String> {
    let Some(first) = steps.first() else { return Err(format!("{ending} has no step")) };
    if first.evidence.is_some() || !first.expect.is_empty() || steps.len() < 2 {
        return Err(format!(
            "{ending} begins with a step without `evidence` and `expect`, and has a second one"
        ));
    }
    for (at, step) in (1..).zip(steps) {
        let here = format!("{ending}, step {at}");
        let shown = pages.get(&step.page).ok_or_else(|| format!("{here}: {} is missing", step.page))?;
        if at > 1 && (step.evidence.is_none() || step.expect.is_empty()) {
            return Err(format!("{here} needs `evidence` and `expect`"));
        }
        let marks = shown.marks.keys().chain(shown.nodes.keys());
        for mark in step.expect.keys().chain(&step.still_the_same).chain(marks) {
            if !pages.get(&first.page).is_some_and(|page| page.marks.contains_key(mark)) {
                return Err(format!("{here}: no element of {} is marked {MARK}=\"{mark}\"", first.page));
            }
        }
        for (mark, expected) in &step.expect {
            let found = |kind: &VerdictKind| !matches!(kind, VerdictKind::Missing | VerdictKind::Ambiguous);
            if !shown.marks.contains_key(mark) && expected.verdicts.iter().any(found) {
                return Err(format!(
                    "{here}: {mark} is expected to be found, and {} has no such mark",
                    step.page
                ));
            }
        }
    }
    Ok(())
}
