//! One case: a folder's three files, read and checked.

use std::collections::BTreeMap;

use opentoolbar_core::anchor::{VerdictKind, outdates};
use opentoolbar_core::page::Page;
use serde::Deserialize;

use crate::marks::{MARK, page};

/// File names and what is in them.
pub(crate) type Files = BTreeMap<String, String>;

/// What `expect.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    why: String,
    /// Cases that are counted together.
    group: Option<String>,
    targets: BTreeMap<String, Expected>,
}

/// What is expected of one target.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// Any of these is right.
    pub(crate) verdicts: Vec<VerdictKind>,
    /// Whether the comment becomes outdated; left out where both can be defended.
    pub(crate) outdated: Option<bool>,
    /// Fields that a `changed` must name.
    #[serde(default)]
    pub(crate) diff: Vec<String>,
    /// Fields that it must not name.
    #[serde(default)]
    pub(crate) not_in_diff: Vec<String>,
    /// Why this is not yet so.
    pub(crate) known_failure: Option<String>,
}

/// Two versions of a page, and what is expected of some elements.
pub(crate) struct Case {
    pub(crate) why: String,
    pub(crate) group: Option<String>,
    pub(crate) old: Page,
    pub(crate) new: Page,
    /// By mark.
    pub(crate) targets: Vec<Target>,
}

/// One element of the old page.
pub(crate) struct Target {
    pub(crate) mark: String,
    pub(crate) old: u32,
    /// The same element on the new page; `None` when it is gone.
    pub(crate) new: Option<u32>,
    pub(crate) expected: Expected,
}

impl Case {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// A sentence that says what is wrong with them.
    pub(crate) fn read(files: &Files) -> Result<Case, String> {
        const NAMES: [&str; 3] = ["old.html", "new.html", "expect.toml"];
        if let Some(stranger) = files.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return Err(format!("{stranger} is not a file of a case: those are {}", NAMES.join(", ")));
        }
        let file = |name: &str| {
            files.get(name).map(String::as_str).ok_or_else(|| format!("{name} is missing in the folder"))
        };
        let sheet: Sheet =
            toml::from_str(file("expect.toml")?).map_err(|error| format!("expect.toml: {error}"))?;
        if sheet.why.trim().is_empty() || sheet.targets.is_empty() {
            return Err("expect.toml needs a sentence `why` and at least one target".to_owned());
        }
        let (before, marks) = page("old.html", file("old.html")?)?;
        let (after, later) = page("new.html", file("new.html")?)?;
        for (name, marks) in [("old.html", &marks), ("new.html", &later)] {
            if let Some(stranger) = marks.keys().find(|mark| !sheet.targets.contains_key(*mark)) {
                return Err(format!(
                    "{name} marks an element {MARK}=\"{stranger}\", and expect.toml has no [targets.{stranger}]"
                ));
            }
        }
        let mut targets = Vec::new();
        for (mark, expected) in sheet.targets {
            let Some(&old) = marks.get(&mark) else {
                return Err(format!("no element of old.html is marked {MARK}=\"{mark}\""));
            };
            let new = later.get(&mark).copied();
            check(&mark, &expected, new.is_some())?;
            targets.push(Target { mark, old, new, expected });
        }
        Ok(Case { why: sheet.why, group: sheet.group, old: before, new: after, targets })
    }
}

/// What is expected must not contradict itself.
fn check(mark: &str, expected: &Expected, present: bool) -> Result<(), String> {
    let any = |kind| expected.verdicts.contains(&kind);
    if expected.verdicts.is_empty() {
        return Err(format!("targets.{mark} expects no verdict at all"));
    }
    let gone =
        expected.verdicts.iter().all(|kind| matches!(kind, VerdictKind::Missing | VerdictKind::Ambiguous));
    if !present && !gone {
        return Err(format!(
            "targets.{mark} is expected to be found, and no element of new.html is marked with it"
        ));
    }
    if present && expected.verdicts == [VerdictKind::Missing] {
        return Err(format!(
            "targets.{mark} is expected to be missing, and new.html marks an element with it"
        ));
    }
    let (mut yes, mut no) = (false, false);
    for &kind in &expected.verdicts {
        yes |= outdates(kind);
        no |= !outdates(kind);
    }
    match expected.outdated {
        None if !(yes && no) => {
            Err(format!("targets.{mark} must say `outdated = {yes}`: all its verdicts say so"))
        }
        Some(true) if no => {
            Err(format!("targets.{mark} is to be outdated, and one of its verdicts does not do that"))
        }
        Some(false) if yes => {
            Err(format!("targets.{mark} is not to be outdated, and one of its verdicts does that"))
        }
        _ if !expected.diff.is_empty() && !any(VerdictKind::Changed) => {
            Err(format!("targets.{mark} expects a diff, and only `changed` has one"))
        }
        _ => Ok(()),
    }
}
