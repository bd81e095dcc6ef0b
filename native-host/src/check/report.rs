//! The verdicts on comments, from one page of HTML.

use std::collections::BTreeSet;

use opentoolbar_core::anchor::{Anchor, Evidence, Held, Judged, Query, VerdictKind, judge, outdates};
use opentoolbar_core::model::{Cause, Comment, Target, TargetState, Timestamp};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;

use super::Refusal;
use super::html::Html;
use super::rendering::{Rendering, Warning};

/// Elements that are named when it is not clear which one it is.
const NAMED: usize = 5;
// How sure a verdict from HTML can be at most; those of the browser know more.
/// Style sheets may hide it, or layout tell it from another.
const WITHOUT_LAYOUT: f32 = 0.95;
/// Scripts may have put it there, or made it what it was.
const WITHOUT_SCRIPTS: f32 = 0.7;
/// Scripts certainly put something there.
const IN_DOUBT: f32 = 0.2;

/// Why an element is not found that could not be.
const NOT_IN_VIEW: &str = "What it was in is not in this HTML.";

/// Whether an element differs from what was commented on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayHaveChanged {
    /// It is as it was, or elsewhere as it was; of a comment, every element is.
    No,
    /// This HTML does not tell.
    Untold,
    /// It differs, is gone or is not in view; of a comment, one of its elements. HTML alone does not tell whether its
    /// source was edited or its app was used, so no comment becomes outdated of it.
    Yes,
}

impl MayHaveChanged {
    /// As JSON has it: true, false, or null.
    #[must_use]
    pub fn known(self) -> Option<bool> {
        match self {
            Self::No => Some(false),
            Self::Untold => None,
            Self::Yes => Some(true),
        }
    }
}

/// What looking for one target found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The verdict, its confidence bounded by what HTML can tell. Its node and candidates are not in it.
    pub state: TargetState,
    /// What that says of the element.
    pub may_have_changed: MayHaveChanged,
    /// Whether what it stood in is in the HTML: if not, the element cannot be there, and is not missing.
    pub in_view: bool,
    /// Where the element is now.
    pub selector: Option<String>,
    /// For ambiguous and missing: what is most like it, best first.
    pub candidates: Vec<String>,
}

impl Found {
    /// What is told of it: a verdict, or `not_in_view`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.state.verdict {
            VerdictKind::Unchanged => "unchanged",
            VerdictKind::Moved => "moved",
            VerdictKind::Changed => "changed",
            VerdictKind::Ambiguous => "ambiguous",
            VerdictKind::Missing if self.in_view => "missing",
            VerdictKind::Missing => "not_in_view",
        }
    }
}

/// One comment that was looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// One for each target, in order; an error when its anchor cannot be read.
    pub targets: Vec<Result<Found, String>>,
    /// Of the comment.
    pub may_have_changed: MayHaveChanged,
    /// Why this comment's verdicts are less sure, in the order of [`Warning`].
    pub warnings: Vec<Warning>,
}

/// What looking at one page found.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    /// One for each comment, in order.
    pub comments: Vec<Checked>,
    /// All that is said of the comments, and of the page.
    pub warnings: Vec<Warning>,
}

impl Checked {
    /// The target that decides: the first of those that say most against the comment.
    #[must_use]
    pub fn deciding(&self) -> Option<&Found> {
        let mut found: Vec<&Found> = self.targets.iter().filter_map(|target| target.as_ref().ok()).collect();
        // Stable: of equals the first stays first.
        found.sort_by_key(|one| std::cmp::Reverse((one.may_have_changed as u8, weight(one.state.verdict))));
        found.first().copied()
    }

    /// The first target's error.
    #[must_use]
    pub fn unreadable(&self) -> Option<&str> {
        self.targets.iter().find_map(|target| target.as_ref().err().map(String::as_str))
    }

    /// What is to be stored, if everything could be told. Of what is not in view nothing is: it would be told as
    /// missing.
    #[must_use]
    pub fn states(&self) -> Option<Vec<TargetState>> {
        if self.may_have_changed == MayHaveChanged::Untold {
            return None;
        }
        let seen = self.targets.iter().map(|target| target.as_ref().ok().filter(|found| found.in_view));
        seen.map(|found| found.map(|found| found.state.clone())).collect()
    }
}

/// Looks for the elements of all `comments` on the page, in one pass. `at`: now.
///
/// # Errors
/// When the HTML is larger or deeper than is read.
pub fn look(html: &Html, comments: &[Comment], at: Timestamp) -> Result<Looked, Refusal> {
    let page = html.page()?;
    let rendering = Rendering::of(html, &page);
    let mut readable = Vec::new();
    let mut errors: Vec<Option<String>> = Vec::new();
    for target in comments.iter().flat_map(|comment| &comment.targets) {
        let query = query(target);
        errors.push(query.as_ref().err().cloned());
        readable.extend(query);
    }
    let mut answers = judge(&page, readable).into_iter();
    let mut errors = errors.into_iter();
    let comments: Vec<Checked> = comments
        .iter()
        .map(|comment| {
            let mut doubts = BTreeSet::new();
            let targets: Vec<Result<Found, String>> = comment
                .targets
                .iter()
                .zip(&mut errors)
                .map(|(target, error)| {
                    error.map_or(Ok(()), Err)?;
                    let judged = answers.next().ok_or("the page gave no verdict")?;
                    let doubt = rendering.doubt(&page, target, judged.verdict.node.is_some());
                    let doubt = doubt.or((!is_in_view(&judged)).then_some(Warning::NotInView));
                    // Of what is seen as it was, or as it is known to vary, there is none.
                    let in_view = doubt.is_none() || judged.verdict.kind != VerdictKind::Missing;
                    let doubt = doubt.filter(|_| differs(&judged) || !in_view);
                    doubts.extend(doubt);
                    Ok(found(&page, judged, rendering, doubt, at))
                })
                .collect();
            Checked {
                may_have_changed: may_have_changed(&targets),
                warnings: doubts.into_iter().collect(),
                targets,
            }
        })
        .collect();
    let mut warnings: BTreeSet<Warning> =
        comments.iter().flat_map(|one| one.warnings.iter().copied()).collect();
    warnings.insert(Warning::NoLayout);
    warnings.extend(rendering.shell.then_some(Warning::EmptyShell));
    warnings.extend(rendering.scripts.then_some(Warning::ScriptsNotRun));
    warnings.extend(html.lossy.then_some(Warning::NotUtf8));
    Ok(Looked { comments, warnings: warnings.into_iter().collect() })
}

/// HTML says nothing about why it differs.
fn query(target: &Target) -> Result<Query, String> {
    let anchor = Anchor::from_base64(&target.anchor).map_err(|error| error.to_string())?;
    Ok(Query {
        anchor,
        look: None,
        varied: target.varied.clone(),
        evidence: Evidence::Unknown,
        found: Vec::new(),
        held: Held::Unknown,
    })
}

/// Whether the element differs otherwise than it was seen to vary by itself.
fn differs(Judged { verdict, cause, .. }: &Judged) -> bool {
    outdates(verdict.kind) && *cause != Cause::State
}

/// Whether what it stood in is shown, as looking at a live page tells it: a closed dialog is not.
fn is_in_view(judged: &Judged) -> bool {
    judged.in_view || judged.verdict.kind != VerdictKind::Missing
}

fn found(page: &Page, judged: Judged, rendering: Rendering, doubt: Option<Warning>, at: Timestamp) -> Found {
    let selector = |node: u32| selector::generate(page, node).ok();
    let differs = differs(&judged);
    let in_view = doubt.is_none() || judged.verdict.kind != VerdictKind::Missing;
    let is_told = matches!(doubt, None | Some(Warning::NotInView));
    let Judged { verdict, cause, .. } = judged;
    let most = match verdict.kind {
        _ if doubt.is_some() => IN_DOUBT,
        VerdictKind::Missing | VerdictKind::Ambiguous | VerdictKind::Changed if rendering.scripts => {
            WITHOUT_SCRIPTS
        }
        _ => WITHOUT_LAYOUT,
    };
    Found {
        may_have_changed: match (differs, is_told) {
            (false, _) => MayHaveChanged::No,
            (true, true) => MayHaveChanged::Yes,
            (true, false) => MayHaveChanged::Untold,
        },
        in_view,
        selector: verdict.node.and_then(selector),
        candidates: verdict.candidates.iter().take(NAMED).filter_map(|&node| selector(node)).collect(),
        state: TargetState {
            verdict: verdict.kind,
            cause,
            confidence: verdict.confidence.min(most),
            diff: verdict.diff,
            reason: if in_view { verdict.reason } else { NOT_IN_VIEW.to_owned() },
            checked_at: at,
            varied: Vec::new(),
        },
    }
}

fn may_have_changed(targets: &[Result<Found, String>]) -> MayHaveChanged {
    let all = || {
        targets
            .iter()
            .map(|target| target.as_ref().map_or(MayHaveChanged::Untold, |found| found.may_have_changed))
    };
    if all().any(|one| one == MayHaveChanged::Yes) {
        MayHaveChanged::Yes
    } else if all().any(|one| one == MayHaveChanged::Untold) {
        MayHaveChanged::Untold
    } else {
        MayHaveChanged::No
    }
}

/// What a verdict says against the comment.
fn weight(verdict: VerdictKind) -> u8 {
    match verdict {
        VerdictKind::Unchanged => 0,
        VerdictKind::Moved => 1,
        VerdictKind::Changed => 2,
        VerdictKind::Ambiguous => 3,
        VerdictKind::Missing => 4,
    }
}
