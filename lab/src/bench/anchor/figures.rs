//! The figures of a group of outcomes. [`DEFINITIONS`] says in one line each what they are.

use serde::Serialize;

use super::outcome::{Case, Said};
use crate::bench::statistics::{F1, Sweep, auc, gone_at, percent};

/// The names of our own two ways.
pub(super) const ONE_PASS: &str = "one pass";
pub(super) const EACH_ALONE: &str = "each alone";

/// Every figure by its key in the JSON and its heading in the tables.
pub(super) const DEFINITIONS: &[(&str, &str, &str)] = &[
    ("present", "there", "targets that are on the new page"),
    ("gone", "gone", "targets that are not on the new page"),
    (
        "rightElement",
        "right",
        "% of the present: the element found, or the most likely one when none was committed to, is the right one",
    ),
    ("ambiguous", "ambig", "% of the present: said that it cannot be told from others"),
    ("wrong", "wrong", "% of the present: another element shown as it (unchanged, moved or changed)"),
    ("falselyMissing", "lost", "% of the present: said to be gone"),
    ("goneSaid", "gone+", "% of the gone: said to be gone"),
    ("goneShown", "gone-", "% of the gone: another element shown as it (unchanged, moved or changed)"),
    (
        "wholeRight",
        "whole",
        "% of all: the right element (ambiguous judged by its first candidate) and not said to be gone; or gone and said so",
    ),
    ("wholeStrict", "strict", "the same, with ambiguous always counted as wrong"),
    (
        "wrongShownAsItWas",
        "silent",
        "% of all: a wrong element shown as unchanged or moved, the true one there or gone",
    ),
    (
        "goneAt97OfPresent",
        "g@97",
        "% of the gone that a threshold on confidence calls gone while 97 % of all the present are right and kept; - if fewer are right",
    ),
    ("goneAt97OfRight", "g@97r", "the same while 97 % of those whose element is right are kept"),
    ("goneAt90OfPresent", "g@90", "the same while 90 % of all the present are right and kept"),
    (
        "changedAuc",
        "chAUC",
        "changed told from unchanged: area under the ROC curve, over the present whose element is right and whose change is known",
    ),
    (
        "changedF1",
        "chF1",
        "the same by the verdict `changed`, as F1, over those shown as unchanged, moved or changed",
    ),
    (
        "changedF1OfPresent",
        "chF1a",
        "the same over all the present whose change is known: one that is not found, or wrongly, is not seen to have changed",
    ),
    (
        "calibrationError",
        "ECE",
        "expected calibration error of the confidences, 0 to 1: mean distance between confidence and share right, over 10 bins",
    ),
];

/// The figures of one method on one group. Percentages are 0 to 100; absent where there is nothing to count.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row {
    pub(super) method: String,
    pub(super) set: String,
    /// `all`, `train` or `test`.
    pub(super) part: String,
    #[serde(flatten)]
    pub(super) figures: Figures,
}

impl Row {
    pub(super) fn is_ours(&self) -> bool {
        self.method == ONE_PASS || self.method == EACH_ALONE
    }
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Figures {
    pub(super) present: usize,
    pub(super) gone: usize,
    pub(super) right_element: Option<f64>,
    pub(super) ambiguous: Option<f64>,
    pub(super) wrong: Option<f64>,
    pub(super) falsely_missing: Option<f64>,
    pub(super) gone_said: Option<f64>,
    pub(super) gone_shown: Option<f64>,
    pub(super) whole_right: Option<f64>,
    pub(super) whole_strict: Option<f64>,
    pub(super) wrong_shown_as_it_was: Option<f64>,
    pub(super) gone_at97_of_present: Option<f64>,
    pub(super) gone_at97_of_right: Option<f64>,
    pub(super) gone_at90_of_present: Option<f64>,
    pub(super) changed_auc: Option<f64>,
    pub(super) changed_f1: Option<f64>,
    pub(super) changed_f1_of_present: Option<f64>,
    pub(super) calibration_error: Option<f64>,
}

pub(super) fn sweep(case: &Case) -> Sweep {
    Sweep { presence: case.answer.presence, present: case.present(), right: case.right_element() }
}

/// Confidence and whether what was said is right.
pub(super) fn confidences(cases: &[&Case]) -> Vec<(f32, bool)> {
    cases.iter().filter_map(|case| Some((case.answer.confidence?, case.right_verdict()))).collect()
}

pub(super) fn figures(cases: &[&Case]) -> Figures {
    let all = cases.len();
    let count = |which: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| which(case)).count();
    let present = count(&|case| case.present());
    let gone = all - present;
    let shown = |case: &Case| matches!(case.answer.said, Said::AsItWas | Said::Changed);
    let right = count(&|case| case.right_element());
    let gone_said = count(&|case| !case.present() && case.answer.said == Said::Missing);
    let whole = gone_said + count(&|case| case.right_element() && case.answer.said != Said::Missing);
    let strict = gone_said + count(&|case| case.right_element() && shown(case));
    let sweeps: Vec<Sweep> = cases.iter().map(|case| sweep(case)).collect();
    let at = |base: usize, keep: f64| gone_at(&sweeps, base, keep);
    let (changed_auc, changed_f1) = changed(cases);
    let of_present = |which: &dyn Fn(&Case) -> bool| {
        percent(cases.iter().filter(|case| case.present() && which(case)).count(), present)
    };
    Figures {
        present,
        gone,
        right_element: percent(right, present),
        ambiguous: of_present(&|case| case.answer.said == Said::Ambiguous),
        wrong: of_present(&|case| shown(case) && case.wrong_element()),
        falsely_missing: of_present(&|case| case.answer.said == Said::Missing),
        gone_said: percent(gone_said, gone),
        gone_shown: percent(count(&|case| !case.present() && shown(case)), gone),
        whole_right: percent(whole, all),
        whole_strict: percent(strict, all),
        wrong_shown_as_it_was: percent(
            count(&|case| case.answer.said == Said::AsItWas && case.wrong_element()),
            all,
        ),
        gone_at97_of_present: at(present, 97.0),
        gone_at97_of_right: at(right, 97.0),
        gone_at90_of_present: at(present, 90.0),
        changed_auc,
        changed_f1,
        changed_f1_of_present: changed_of_present(cases),
        calibration_error: crate::bench::statistics::reliability(&confidences(cases))
            .map(|table| table.expected_calibration_error),
    }
}

/// AUC and F1 of `changed` against unchanged.
fn changed(cases: &[&Case]) -> (Option<f64>, Option<f64>) {
    let known = || {
        cases
            .iter()
            .filter(|case| case.right_element())
            .filter_map(|case| Some((case.target.changed?, case.answer.change?, case.answer.said)))
    };
    let of = |wanted: bool| known().filter(|one| one.0 == wanted).map(|one| one.1).collect::<Vec<f32>>();
    let mut f1 = F1::default();
    for (is, _, said) in known().filter(|one| matches!(one.2, Said::AsItWas | Said::Changed)) {
        f1.add(is, said == Said::Changed);
    }
    (auc(&of(true), &of(false)), f1.value())
}

fn changed_of_present(cases: &[&Case]) -> Option<f64> {
    let mut f1 = F1::default();
    for case in cases.iter().filter(|case| case.present()) {
        if let Some(is) = case.target.changed {
            let said = case.answer.said == Said::Changed;
            f1.add(is, if is { said && case.right_element() } else { said });
        }
    }
    f1.value()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::bench::anchor::outcome::Answer;
    use crate::corpus::{Part, Target};

    fn case(
        truth: Option<u32>,
        guess: Option<u32>,
        said: Said,
        confidence: f32,
        changed: Option<bool>,
    ) -> Case {
        let presence = if said == Said::Missing { 1.0 - confidence } else { confidence };
        let change = Some(if said == Said::Changed { 0.9 } else { 0.1 });
        let among = if said == Said::Ambiguous { vec![7, 8] } else { Vec::new() };
        let answer = Answer { guess, among, said, presence, confidence: Some(confidence), change };
        let target = Target { old: 1, new: truth, changed };
        Case { set: "set".to_owned(), part: Part::Train, target, answer }
    }

    #[test]
    fn each_kind_of_outcome_counts_where_it_belongs() {
        let cases = [
            case(Some(5), Some(5), Said::AsItWas, 0.9, Some(false)),
            case(Some(5), Some(5), Said::Changed, 0.8, Some(true)),
            case(Some(5), Some(6), Said::AsItWas, 0.7, Some(false)),
            case(Some(7), Some(7), Said::Ambiguous, 0.6, Some(true)),
            case(Some(5), Some(5), Said::Missing, 0.6, Some(false)),
            case(None, Some(3), Said::Missing, 0.9, None),
            case(None, Some(3), Said::AsItWas, 0.95, None),
            case(None, Some(3), Said::Changed, 0.5, None),
        ];
        let f = figures(&cases.iter().collect::<Vec<_>>());
        assert_eq!((f.present, f.gone), (5, 3));
        // The ambiguous one's first candidate and the one said to be gone are the right elements.
        assert_eq!(f.right_element, Some(80.0));
        assert_eq!((f.ambiguous, f.wrong, f.falsely_missing), (Some(20.0), Some(20.0), Some(20.0)));
        assert_eq!((f.gone_said, f.gone_shown), (Some(100.0 / 3.0), Some(200.0 / 3.0)));
        // Three found (one of them ambiguous) and one gone; without the ambiguous one, three of eight.
        assert_eq!((f.whole_right, f.whole_strict), (Some(50.0), Some(37.5)));
        assert_eq!(f.wrong_shown_as_it_was, Some(25.0));
        // Right are four of five, so 97 % cannot be; all four are kept down to 0.4, and below it is one of three gone.
        assert_eq!((f.gone_at97_of_present, f.gone_at97_of_right), (None, Some(100.0 / 3.0)));
        assert_eq!(f.changed_f1, Some(1.0));
        // Of two that changed the ambiguous one is missed.
        assert_eq!(f.changed_f1_of_present, Some(2.0 / 3.0));
        // Changed: 0.9 and 0.1; unchanged: 0.1 and 0.1. Two pairs won, two tied.
        assert_eq!(f.changed_auc, Some(0.75));
    }

    #[test]
    fn every_figure_is_defined_and_every_definition_is_of_a_figure() {
        let json = serde_json::to_value(figures(&[])).unwrap();
        let mut keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut defined: Vec<&str> = DEFINITIONS.iter().map(|one| one.0).collect();
        keys.sort_unstable();
        defined.sort_unstable();
        assert_eq!(keys, defined);
    }
}
