//! What was found, for a person at a terminal.

use std::fmt::Write as _;

use opentoolbar_core::model::Comment;

use super::super::output::plain;
use super::Report;
use crate::check::{Checked, Found, MayHaveChanged};

/// Characters of a comment's text, and of each side of a difference.
const SHOWN: usize = 80;

pub(super) fn of(report: &Report) -> String {
    let mut out = String::new();
    let checked = &report.looked.comments;
    let count = |known: MayHaveChanged| checked.iter().filter(|one| one.may_have_changed == known).count();
    for (comment, checked) in report.comments.iter().zip(checked) {
        one(&mut out, comment, checked);
    }
    let [valid, may_have_changed, untold] =
        [MayHaveChanged::No, MayHaveChanged::Yes, MayHaveChanged::Untold].map(count);
    line(
        &mut out,
        &format!(
            "{}: {valid} still valid, {may_have_changed} may have changed{}.",
            plain(&report.page),
            match untold {
                0 => String::new(),
                untold => format!(", {untold} cannot be told"),
            }
        ),
    );
    for warning in &report.looked.warnings {
        line(&mut out, warning.sentence());
    }
    if report.report {
        let stored = checked.iter().filter(|one| one.states().is_some()).count();
        line(&mut out, &format!("Stored the verdicts on {stored} of {} comments.", checked.len()));
    }
    out
}

fn one(out: &mut String, comment: &Comment, checked: &Checked) {
    let said = match checked.may_have_changed {
        MayHaveChanged::No => "still valid",
        MayHaveChanged::Yes => "may have changed",
        MayHaveChanged::Untold => "cannot be told",
    };
    line(out, &format!("{}  {}  {said}", comment.id, plain(&comment.pathname)));
    line(out, &format!("  \"{}\"", short(&comment.text)));
    let several = checked.targets.len() > 1;
    for (at, target) in checked.targets.iter().enumerate() {
        let name = if several {
            format!("element {} of {}: ", at + 1, checked.targets.len())
        } else {
            String::new()
        };
        match target {
            Ok(found) => element(out, &name, found),
            Err(error) => line(out, &format!("  {name}{error}. The comment is kept as it is.")),
        }
    }
    out.push('\n');
}

fn element(out: &mut String, name: &str, found: &Found) {
    let state = &found.state;
    let percent = (state.confidence * 100.0).round();
    line(
        out,
        &format!("  {name}{}, {percent} % sure: {}", found.word().replace('_', " "), plain(&state.reason)),
    );
    for change in &state.diff {
        let side = |side: &Option<String>| match side {
            Some(text) => format!("\"{}\"", short(text)),
            None => "nothing".to_owned(),
        };
        let field = plain(&change.field).replace("attribute:", "attribute ");
        match (&change.before, &change.after) {
            (None, None) => line(out, &format!("    {field}: differs")),
            (before, after) => line(out, &format!("    {field}: {} -> {}", side(before), side(after))),
        }
    }
    if let Some(selector) = &found.selector {
        line(out, &format!("    now at: {}", plain(selector)));
    }
    for candidate in &found.candidates {
        line(out, &format!("    like it: {}", plain(candidate)));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a String does not fail.
    let _ = writeln!(out, "{text}");
}

fn short(text: &str) -> String {
    let text = plain(text);
    let mut cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
