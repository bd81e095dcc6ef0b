//! What is said of the targets, against what is expected.

use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, outdates, relocate};
use opentoolbar_core::page::Page;

use crate::case::{Case, Target};

/// One sentence for each target of which something else is said than expected, or of which what is expected is said
/// although it is known to fail.
pub(crate) fn wrong(case: &Case) -> Vec<String> {
    let anchors: Vec<Anchor> = case.targets.iter().map(|target| target.anchor.clone()).collect();
    let verdicts = relocate(&case.new, &anchors);
    let mut wrong = Vec::new();
    for (target, verdict) in case.targets.iter().zip(&verdicts) {
        let problem = problem(target, verdict);
        match (problem, &target.expected.known_failure) {
            (Some(problem), None) => {
                wrong.push(format!("{}: {problem}; got {}", target.mark, told(&case.new, verdict)));
            }
            (None, Some(_)) => wrong.push(format!(
                "{}: is a known failure and passes now; take `known_failure` out of expect.toml",
                target.mark
            )),
            _ => {}
        }
    }
    wrong
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
