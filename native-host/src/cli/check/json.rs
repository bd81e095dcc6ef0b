//! What was found, as JSON: the shape that docs/agents.md states. The same input gives the same bytes.

use opentoolbar_core::anchor::FieldChange;
use opentoolbar_core::model::{Comment, Status};
use serde::Serialize;

use super::Report;
use crate::check::{Checked, Found, MayHaveChanged, Warning};

/// Version of the shape; a field that is added does not change it.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    version: u32,
    project: &'a str,
    /// As it was given.
    page: &'a str,
    summary: Summary,
    warnings: &'a [Warning],
    /// `warnings` in sentences.
    notes: Vec<&'static str>,
    comments: Vec<One<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    checked: usize,
    valid: usize,
    may_have_changed: usize,
    untold: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct One<'a> {
    id: &'a str,
    pathname: &'a str,
    text: &'a str,
    /// As it is stored; before the report, if there was one.
    status: Status,
    /// True: one of its elements differs in this page; null: this page cannot tell.
    may_have_changed: Option<bool>,
    /// Of the target that decides; null when no anchor can be read.
    verdict: Option<&'static str>,
    confidence: Option<f32>,
    reason: Option<&'a str>,
    warnings: &'a [Warning],
    /// Whether the verdicts were stored.
    reported: bool,
    targets: Vec<Target<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Target<'a> {
    #[serde(rename_all = "camelCase")]
    Found {
        verdict: &'static str,
        confidence: f32,
        may_have_changed: Option<bool>,
        reason: &'a str,
        diff: &'a [FieldChange],
        /// Where it is now.
        #[serde(skip_serializing_if = "Option::is_none")]
        selector: Option<&'a str>,
        /// For `ambiguous`, `missing` and `not_in_view`: what is most like it.
        candidates: &'a [String],
    },
    Unreadable {
        error: &'a str,
    },
}

pub(super) fn of(report: &Report) -> String {
    let checked = &report.looked.comments;
    let count = |known: MayHaveChanged| checked.iter().filter(|one| one.may_have_changed == known).count();
    let json = Json {
        version: VERSION,
        project: &report.project,
        page: &report.page,
        summary: Summary {
            checked: checked.len(),
            valid: count(MayHaveChanged::No),
            may_have_changed: count(MayHaveChanged::Yes),
            untold: count(MayHaveChanged::Untold),
        },
        warnings: &report.looked.warnings,
        notes: report.looked.warnings.iter().map(|warning| warning.sentence()).collect(),
        comments: report
            .comments
            .iter()
            .zip(checked)
            .map(|(comment, checked)| one(comment, checked, report.report))
            .collect(),
    };
    // Plain structs of strings and numbers: writing them does not fail.
    serde_json::to_string_pretty(&json).unwrap_or_default()
}

fn one<'a>(comment: &'a Comment, checked: &'a Checked, report: bool) -> One<'a> {
    let deciding = checked.deciding();
    One {
        id: comment.id.as_str(),
        pathname: &comment.pathname,
        text: &comment.text,
        status: comment.status,
        may_have_changed: checked.may_have_changed.known(),
        verdict: deciding.map(Found::word),
        confidence: deciding.map(|found| rounded(found.state.confidence)),
        reason: deciding.map(|found| found.state.reason.as_str()),
        warnings: &checked.warnings,
        reported: report && checked.states().is_some(),
        targets: checked.targets.iter().map(target).collect(),
    }
}

fn target(target: &Result<Found, String>) -> Target<'_> {
    match target {
        Ok(found) => Target::Found {
            verdict: found.word(),
            confidence: rounded(found.state.confidence),
            may_have_changed: found.may_have_changed.known(),
            reason: &found.state.reason,
            diff: &found.state.diff,
            selector: found.selector.as_deref(),
            candidates: &found.candidates,
        },
        Err(error) => Target::Unreadable { error },
    }
}

/// To hundredths: more digits would say more than is known.
fn rounded(confidence: f32) -> f32 {
    (confidence * 100.0).round() / 100.0
}
