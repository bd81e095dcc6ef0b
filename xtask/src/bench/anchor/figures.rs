//! The figures of a group of outcomes. [`DEFINITIONS`] says in one line each what they are.

use serde::Serialize;

use super::json::{EACH_ALONE, ONE_PASS};
use super::outcome::{Case, Said};
use crate::bench::statistics::{F1, Sweep, auc, gone_at, percent};

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
