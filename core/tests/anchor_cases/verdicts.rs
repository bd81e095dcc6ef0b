//! What is said of the targets, against what is expected.

use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, outdates, relocate};
use opentoolbar_core::page::Page;

use crate::case::{Case, Target};
use crate::laws;
use crate::layout::laid_out;

/// One sentence for each target of which something else is said than expected, with boxes or without, or of which what
/// is expected is said although it is known to fail.
///
/// # Errors
/// A sentence when a target can have no anchor.
pub(crate) fn wrong(case: &Case) -> Result<Vec<String>, String> {
    let bare = problems(case, &case.old, &case.new, "without layout")?;
    let live = problems(case, &laid_out(&case.old)?, &laid_out(&case.new)?, "with layout")?;
    let mut wrong = Vec::new();
    for ((target, bare), live) in case.targets.iter().zip(bare).zip(live) {
        match (bare.or(live), &target.expected.known_failure) {
            (Some(problem), None) => wrong.push(problem.said),
            (None, Some(_)) => wrong.push(format!(
                "{}: is a known failure and passes now; take `known_failure` out of expect.toml",
                target.mark
            )),
            _ => {}
        }
    }
    Ok(wrong)
}

/// How much of what is expected is said.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) targets: usize,
    pub(crate) right: usize,
    /// Said to be unchanged or moved, which it is not, or of another element.
    pub(crate) silent: usize,
    /// What is said wrongly.
    pub(crate) wrong: Vec<String>,
    /// Each target twice: as the HTML is, and with boxes.
    pub(crate) looks: Vec<Look>,
}

/// What one look at the new page says of a target, counted as `cargo xtask bench anchor` does.
#[derive(Clone)]
pub(crate) struct Look {
    pub(crate) is_there: bool,
    /// The element that is shown, or is the likeliest of several, is the right one.
    pub(crate) is_element: bool,
    /// The right one and not said to be missing, or gone and said to be.
    pub(crate) is_whole: bool,
    /// What was said holds, which is what the confidence is about.
    pub(crate) is_right: bool,
    pub(crate) is_missing: bool,
    pub(crate) confidence: f32,
}

impl Look {
    fn of(target: &Target, verdict: &Verdict) -> Self {
        let guess = verdict.node.or(verdict.candidates.first().copied());
        let is_there = target.new.is_some();
        let is_element = is_there && guess == target.new;
        let is_missing = verdict.kind == VerdictKind::Missing;
        let is_among = || target.new.is_some_and(|node| verdict.candidates.contains(&node));
        let is_right = match verdict.kind {
            VerdictKind::Missing => !is_there,
            VerdictKind::Ambiguous => is_among(),
            _ => is_element,
        };
        let is_whole = if is_there { is_element && !is_missing } else { is_missing };
        Self { is_there, is_element, is_whole, is_right, is_missing, confidence: verdict.confidence }
    }
}

impl Tally {
    /// Counts the targets of a case; one that is wrong with boxes or without is wrong. `alone`: each is looked for by
    /// itself.
    ///
    /// # Errors
    /// A sentence when a target can have no anchor.
    pub(crate) fn add(&mut self, case: &Case, alone: bool) -> Result<(), String> {
        let (old, new) = (laid_out(&case.old)?, laid_out(&case.new)?);
        let mut count = |targets: &[Target]| -> Result<(), String> {
            let (bare, looks) = of_targets(targets, &case.old, &case.new, "without layout")?;
            self.looks.extend(looks);
            let (live, looks) = of_targets(targets, &old, &new, "with layout")?;
            self.looks.extend(looks);
            for (bare, live) in bare.into_iter().zip(live) {
                let is_silent = |problem: &Option<Problem>| problem.as_ref().is_some_and(|it| it.is_silent);
                self.targets += 1;
                self.silent += usize::from(is_silent(&bare) || is_silent(&live));
                let problem = bare.or(live);
                self.right += usize::from(problem.is_none());
                self.wrong.extend(problem.map(|problem| problem.said));
            }
            Ok(())
        };
        if alone { case.targets.chunks(1).try_for_each(count) } else { count(&case.targets) }
    }
}

/// What is wrong with what is said of a target.
struct Problem {
    said: String,
    is_silent: bool,
}

fn problems(case: &Case, old: &Page, new: &Page, how: &str) -> Result<Vec<Option<Problem>>, String> {
    Ok(of_targets(&case.targets, old, new, how)?.0)
}

type Looks = (Vec<Option<Problem>>, Vec<Look>);

fn of_targets(targets: &[Target], old: &Page, new: &Page, how: &str) -> Result<Looks, String> {
    let anchors: Result<Vec<Anchor>, String> =
        targets.iter().map(|target| laws::anchor(old, target.old)).collect();
    let verdicts = relocate(new, &anchors?);
    let told = |target: &Target, verdict: &Verdict| {
        problem(target, verdict)
            .map(|problem| format!("{}: {problem}; got {} ({how})", target.mark, told(new, verdict)))
            .map(|said| Problem { said, is_silent: !outdates(verdict.kind) })
    };
    let pairs = || targets.iter().zip(&verdicts);
    Ok((
        pairs().map(|(target, verdict)| told(target, verdict)).collect(),
        pairs().map(|(target, verdict)| Look::of(target, verdict)).collect(),
    ))
}

fn problem(target: &Target, verdict: &Verdict) -> Option<String> {
    let expected = &target.expected;
    if !expected.verdicts.contains(&verdict.kind) {
        let kinds: Vec<&str> = expected.verdicts.iter().map(|&kind| word(kind)).collect();
        return Some(format!("expected {}", kinds.join(" or ")));
    }
    if expected.outdated.is_some_and(|outdated| outdated != outdates(verdict.kind)) {
        return Some("the rule of what is outdated says otherwise".to_owned());
    }
    match (verdict.kind, target.new) {
        (VerdictKind::Missing, _) => None,
        (VerdictKind::Ambiguous, Some(node)) if !verdict.candidates.contains(&node) => {
            Some("expected the marked element among the candidates".to_owned())
        }
        (VerdictKind::Ambiguous, _) => None,
        (_, node) if verdict.node != node => Some("expected the marked element".to_owned()),
        (VerdictKind::Changed, _) => {
            let named = |field: &&String| verdict.diff.iter().any(|change| change.field == **field);
            let lacking: Vec<&str> =
                expected.diff.iter().filter(|field| !named(field)).map(String::as_str).collect();
            let noise: Vec<&str> = expected.not_in_diff.iter().filter(named).map(String::as_str).collect();
            (!lacking.is_empty()).then(|| format!("the diff must name {}", lacking.join(", "))).or_else(
                || (!noise.is_empty()).then(|| format!("the diff must not name {}", noise.join(", "))),
            )
        }
        _ => None,
    }
}

/// A verdict in words, with the element it names.
fn told(page: &Page, verdict: &Verdict) -> String {
    let element = |node: u32| format!("<{}> {:?} (node {node})", page.tag(node), page.text(node, 30));
    let nodes: Vec<String> =
        verdict.node.iter().chain(&verdict.candidates).map(|&node| element(node)).collect();
    let fields: Vec<&str> = verdict.diff.iter().map(|change| change.field.as_str()).collect();
    let kind = word(verdict.kind);
    format!("{kind} at {:.2}, {} [{}]", verdict.confidence, nodes.join(", "), fields.join(", "))
}

fn word(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Unchanged => "unchanged",
        VerdictKind::Moved => "moved",
        VerdictKind::Changed => "changed",
        VerdictKind::Ambiguous => "ambiguous",
        VerdictKind::Missing => "missing",
    }
}
