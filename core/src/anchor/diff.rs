//! What differs between the element an anchor was made of and the one that was found.

use super::appearance::Appearance;
use super::fingerprint::Anchor;
use super::noise::{is_generated_value, telling_attributes};
use super::short::{Short, TAG_BYTES, TEXT_BYTES, cut};
use super::survey::{Survey, TEXT_LIMIT};
use super::usage::{is_same_address, is_state};
use super::{FieldChange, classes};
use crate::element::{is_redacted, redact_attribute, redact_text};

const SHOWN: usize = 200;
/// Most fields that are listed.
const MAX_FIELDS: usize = 24;

/// Field by field, in a fixed order: tag, text, attributes, label, drawing, colours, classes, children. Generated names
/// and styles are noise, and so is what using the page changes.
pub(super) fn diff(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> Vec<FieldChange> {
    let page = survey.page;
    let mut changes = Vec::new();
    if cut(page.tag(node), TAG_BYTES) != anchor.base.tag {
        changes.push(change("tag", Some(&anchor.base.tag), Some(page.tag(node))));
    }
    if survey.text_hash(node) != anchor.base.text_hash {
        let texts = survey.texts(node);
        let is_built_otherwise = survey.child_count(node) != anchor.base.child_count;
        if is_built_otherwise && is_split_otherwise(&anchor.base.text, &texts.all) {
            // The page reads the same.
        } else if !anchor.base.text.is(&texts.all) {
            changes.push(change("text", some(&anchor.base.text.start), some(&texts.all)));
        } else if texts.all.chars().count() + 2 >= TEXT_LIMIT {
            // The beginnings are the same, so it differs further on than is kept.
            changes.push(change("text", None, None));
        }
    }
    attributes(survey, anchor, node, &mut changes);
    appearance(survey, anchor, node, &mut changes);
    let classes: Vec<&str> = page.classes(node).collect();
    let kept: Vec<&str> = anchor.base.classes.iter().map(String::as_str).collect();
    if !anchor.base.names_cut && classes::differ(&kept, &classes) {
        let said = |names: &[&str]| {
            names.iter().copied().filter(|name| classes::says(name)).collect::<Vec<_>>().join(" ")
        };
        changes.push(change("classes", some(&said(&kept)), some(&said(&classes))));
    }
    let children = survey.child_count(node);
    if children != anchor.base.child_count {
        changes.push(change(
            "children",
            Some(&anchor.base.child_count.to_string()),
            Some(&children.to_string()),
        ));
    } else if *survey.child_tags(node) != *anchor.base.child_tags {
        changes.push(change("children", None, None));
    }
    changes.truncate(MAX_FIELDS);
    changes
}

/// Whether a difference is one that makes the element another for the person who commented on it. Its children and
/// its size may differ because of what is around it.
pub(super) fn counts(change: &FieldChange) -> bool {
    !matches!(change.field.as_str(), "children" | "box")
}

/// Added to a diff that is there for another reason: a size that differs by more than a tenth.
pub(super) fn size(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> Option<FieldChange> {
    let [_, _, width, height] = anchor.base.bounds;
    let now = survey.page.rect(node);
    let differs = |a: i32, b: i32| a.abs_diff(b) * 10 > a.max(b).unsigned_abs();
    // Without layout every box is zero, whatever the size.
    let differs = survey.page.has_layout() && (differs(width, now.width) || differs(height, now.height));
    differs.then(|| {
        change("box", Some(&format!("{width} x {height}")), Some(&format!("{} x {}", now.width, now.height)))
    })
}

fn attributes(survey: &Survey<'_>, anchor: &Anchor, node: u32, changes: &mut Vec<FieldChange>) {
    let page = survey.page;
    let shown = |name: &str, value: &str| {
        redact_attribute(page.tag(node), |other| page.attr(node, other), name, value)
    };
    for (name, kept) in anchor.base.attributes.iter().filter(|(name, _)| !is_state(name)) {
        match page.attr(node, name) {
            Some(value) if kept.is(value) || is_generated_value(name, value) => {}
            Some(value) if is_same_address(name, &kept.start, &shown(name, value)) => {}
            Some(value) => changes.push(change(
                &format!("attribute:{name}"),
                Some(&kept.start),
                Some(&shown(name, value)),
            )),
            None => changes.push(change(&format!("attribute:{name}"), Some(&kept.start), None)),
        }
    }
    // With all attributes kept, any other one is new; with some left out for their size that cannot be told.
    if !anchor.base.names_cut {
        for (name, value) in telling_attributes(page, node).filter(|(name, _)| !is_state(name)) {
            if anchor.base.attributes.iter().all(|(kept, _)| kept != name) {
                changes.push(change(&format!("attribute:{name}"), None, Some(&shown(name, value))));
            }
        }
    }
}

/// What is seen of it beside its words, as far as the anchor knows it.
fn appearance(survey: &Survey<'_>, anchor: &Anchor, node: u32, changes: &mut Vec<FieldChange>) {
    let Some(kept) = &anchor.appearance else { return };
    let now = Appearance::of(survey, node);
    // What began or ceased to say something differs by its text.
    let is_as_silent = (anchor.base.text_hash == 0) == (survey.text_hash(node) == 0);
    let parts = [
        ("label", &kept.label, &now.label, true),
        ("drawing", &kept.drawing, &now.drawing, is_as_silent),
        ("colours", &kept.colours, &now.colours, is_as_silent),
    ];
    for (field, kept, now, is_compared) in parts {
        if is_compared && kept.hash != now.hash {
            // Shapes have no names, and what is named may be the same beside a shape that is not.
            let is_told = kept.start != now.start;
            let told = |part: &Short| match part.hash {
                0 => None,
                _ if is_told && !part.start.is_empty() => Some(part.start.clone()),
                hash => Some(name_of(hash)),
            };
            changes.push(change(field, told(kept).as_deref(), told(now).as_deref()));
        }
    }
}

/// A name for what has none, so that one drawing is told from another where values are kept. Letters alone: numbers are
/// taken for what varies.
fn name_of(hash: u32) -> String {
    (0..8).map(|at| char::from(b'a' + (hash >> (at * 4) & 15) as u8)).collect()
}

/// Whether a text is the same but for where elements begin and end in it: `a=b` in one piece, or in three.
fn is_split_otherwise(kept: &Short, now: &str) -> bool {
    // A text that was cut, or from which a secret was taken, is not known whole.
    if kept.start.len() + 4 >= TEXT_BYTES || now.len() >= 2 * TEXT_BYTES || is_redacted(&kept.start) {
        return false;
    }
    let letters = |text: &'_ str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let known = letters(&kept.start);
    !known.is_empty() && known == letters(now)
}

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn change(field: &str, before: Option<&str>, after: Option<&str>) -> FieldChange {
    let short = |text: &str| redact_text(text).chars().take(SHOWN).collect();
    FieldChange {
        field: field.chars().take(SHOWN).collect(),
        before: before.map(short),
        after: after.map(short),
    }
}
