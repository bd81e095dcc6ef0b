//! Comments for tests: one plain sample, and a strategy that makes any valid comment.
#![allow(clippy::unwrap_used, reason = "the ids below are well-formed")]

use std::collections::BTreeMap;

use proptest::option;
use proptest::prelude::*;

use super::{
    Addresses, Author, Cause, Comment, HistoryEntry, Reply, Resolution, Stage, Status, Target, TargetState,
    Timestamp, Varied,
};
use crate::element::{ElementBrief, ElementSnapshot, Siblings};
use crate::model::{FieldChange, VerdictKind};
use crate::page::Rect;
use crate::source::SourceLocation;

/// A button with a source file.
pub(crate) fn target() -> Target {
    let brief = |tag: &str, text: &str| ElementBrief {
        tag: tag.into(),
        id: None,
        classes: vec!["row".into()],
        text: text.into(),
    };
    Target {
        snapshot: ElementSnapshot {
            tag: "button".into(),
            id: Some("save".into()),
            classes: vec!["btn".into(), "btn-primary".into()],
            role: Some("button".into()),
            name: Some("Save".into()),
            own_text: "Save".into(),
            text: "Save".into(),
            attributes: BTreeMap::from([("type".into(), "submit".into())]),
            bounds: Rect { x: 40, y: 300, width: 96, height: 32 },
            ancestors: vec![brief("form", ""), brief("main", "")],
            children: vec![],
            child_count: 0,
            siblings: Siblings { index: 1, count: 2, previous: Some(brief("input", "Name")), next: None },
            component: Some("SaveButton".into()),
            source: Some(SourceLocation {
                file: "src/SaveButton.tsx".into(),
                line: Some(12),
                column: Some(5),
                confidence: 0.9,
                reason: "React _debugSource".into(),
            }),
        },
        selector: "#save".into(),
        anchor: "AQID".into(),
        addresses: Some(Addresses {
            css: "#save".into(),
            xpath: "//*[@id='save']".into(),
            playwright: Some("page.getByRole('button', { name: 'Save', exact: true })".into()),
            others: vec!["button:text-is(\"Save\")".into()],
        }),
        state: None,
        varied: vec![],
    }
}

/// A plain valid active comment, revision 1.
pub(crate) fn sample(id: &str) -> Comment {
    Comment {
        id: id.parse().unwrap(),
        number: None,
        revision: 1,
        url: "http://localhost:5173/settings?tab=2".into(),
        pathname: "/settings".into(),
        title: "Settings".into(),
        session_id: Some("s_1".parse().unwrap()),
        status: Status::Active,
        stage: Stage::Open,
        text: "Change button color to #2563EB".into(),
        author: Author::Person,
        targets: vec![target()],
        replies: vec![],
        resolution: None,
        history: vec![],
        screenshot: None,
        created_at: Timestamp(1_763_719_200_000),
        updated_at: Timestamp(1_763_719_200_000),
        deleted_at: None,
        imported_at: None,
    }
}

pub(crate) fn state(verdict: VerdictKind, reason: &str) -> TargetState {
    TargetState {
        verdict,
        cause: Cause::Source,
        confidence: 0.75,
        diff: vec![],
        reason: reason.into(),
        checked_at: Timestamp(1_763_719_300_000),
        varied: vec![],
    }
}

/// Text that is not only white space, with everything that could break out of markdown or JSON.
pub(crate) fn text() -> impl Strategy<Value = String> {
    "([a-z `~#<>\\[\\]()*_|\\\\\"'\r\n\t-]|\\PC|\u{202e}|\u{0}|```|~~~~){0,12}x"
}

fn moment() -> impl Strategy<Value = Timestamp> {
    (0..=super::limits::MAX_MOMENT).prop_map(Timestamp)
}

fn author() -> impl Strategy<Value = Author> {
    prop_oneof![Just(Author::Person), "[a-z`*\n]{0,8}[a-z]".prop_map(|name| Author::Agent { name })]
}

fn verdict() -> impl Strategy<Value = VerdictKind> {
    use VerdictKind::{Ambiguous, Changed, Missing, Moved, Unchanged};
    prop::sample::select(vec![Ambiguous, Changed, Missing, Moved, Unchanged])
}

fn cause() -> impl Strategy<Value = Cause> {
    prop::sample::select(vec![Cause::State, Cause::Source, Cause::Unknown])
}

fn varied() -> impl Strategy<Value = Vec<Varied>> {
    let one =
        (text(), prop::collection::vec(text(), 1..4)).prop_map(|(field, values)| Varied { field, values });
    prop::collection::vec(one, 0..3).prop_map(|varied| Varied::joined(Vec::new(), &varied))
}

fn any_state() -> impl Strategy<Value = TargetState> {
    let change = (text(), option::of(text()), option::of(text()))
        .prop_map(|(field, before, after)| FieldChange { field, before, after });
    // Quarters have an exact decimal form, so that JSON gives the same number back.
    let diff = prop::collection::vec(change, 0..3);
    (verdict(), cause(), 0..=4u8, diff, text(), moment(), varied()).prop_map(
        |(verdict, cause, quarters, diff, reason, checked_at, varied)| {
            let confidence = f32::from(quarters) / 4.0;
            TargetState { verdict, cause, confidence, diff, reason, checked_at, varied }
        },
    )
}

fn brief() -> impl Strategy<Value = ElementBrief> {
    ("[a-z]{1,5}", option::of(text()), prop::collection::vec(text(), 0..2), text())
        .prop_map(|(tag, id, classes, text)| ElementBrief { tag, id, classes, text })
}

fn snapshot() -> impl Strategy<Value = ElementSnapshot> {
    let names = (text(), option::of(text()), prop::collection::vec(text(), 0..3), option::of(text()));
    let texts = (option::of(text()), text(), text(), prop::collection::btree_map(text(), text(), 0..3));
    let around = (prop::collection::vec(brief(), 0..3), prop::collection::vec(brief(), 0..3), any::<u16>());
    let source = option::of((option::of(text()), text(), option::of(1..9999u32)));
    (names, texts, around, source).prop_map(|(names, texts, around, source)| {
        let (tag, id, classes, role) = names;
        let (name, own_text, text, attributes) = texts;
        let (ancestors, children, number) = around;
        let number = u32::from(number);
        let previous = ancestors.first().cloned();
        let siblings = Siblings { index: number, count: number + 1, previous, next: None };
        let edge = number as i32;
        let bounds = Rect { x: -edge, y: edge, width: edge, height: 7 };
        let component = source.as_ref().and_then(|(component, ..)| component.clone());
        let source = source.map(|(_, file, line)| SourceLocation {
            file,
            line,
            column: None,
            confidence: 0.5,
            reason: "data attribute".into(),
        });
        ElementSnapshot {
            tag,
            id,
            classes,
            role,
            name,
            own_text,
            text,
            attributes,
            bounds,
            ancestors,
            children,
            child_count: number,
            siblings,
            component,
            source,
        }
    })
}

fn any_target() -> impl Strategy<Value = Target> {
    (snapshot(), text(), "[A-Za-z0-9+/]{1,40}", option::of(any_state()), varied()).prop_map(
        |(snapshot, selector, anchor, state, varied)| {
            let form = |name: &str| format!("{name} of {selector}");
            let addresses = (selector.len() % 2 == 0).then(|| Addresses {
                css: form("css"),
                xpath: form("xpath"),
                playwright: state.is_some().then(|| form("playwright")),
                others: vec![form("other")],
            });
            Target { snapshot, selector, addresses, anchor, state, varied }
        },
    )
}

fn reply() -> impl Strategy<Value = Reply> {
    let label = option::of(moment());
    ("r_[a-z0-9]{1,6}", author(), text(), moment(), label).prop_map(
        |(id, author, text, created_at, imported_at)| Reply {
            id: id.parse().unwrap(),
            author,
            text,
            created_at,
            imported_at,
        },
    )
}

/// Any valid comment.
pub(crate) fn comment() -> impl Strategy<Value = Comment> {
    let head = ("c_[a-z0-9]{1,6}", 4..1000u32, "/[a-z`\n*]{0,12}", text(), text());
    let kind = (prop::sample::select(vec![Status::Active, Status::Outdated, Status::Resolved]), author());
    let targets = prop::collection::vec(any_target(), 1..3);
    let thread = (prop::collection::vec(reply(), 0..3), option::of(text()), option::of(text()));
    let times = (moment(), moment(), option::of(moment()), option::of("[a-z0-9]{1,9}\\.png"));
    let label = option::of(moment());
    (head, kind, targets, thread, times, label).prop_map(
        |(head, kind, targets, thread, times, imported_at)| {
            let (id, revision, pathname, title, text) = head;
            let (status, author) = kind;
            let (mut replies, summary, previous_text) = thread;
            replies.dedup_by(|a, b| a.id == b.id);
            let (created_at, updated_at, deleted_at, screenshot) = times;
            let at = updated_at;
            let resolved = status == Status::Resolved;
            let history = vec![
                HistoryEntry {
                    revision: 2,
                    at,
                    by: author.clone(),
                    what: "edited the text".into(),
                    previous_text,
                    imported_at,
                },
                HistoryEntry {
                    revision: 3,
                    at,
                    by: Author::Person,
                    what: "replied".into(),
                    previous_text: None,
                    imported_at,
                },
            ];
            Comment {
                id: id.parse().unwrap(),
                number: revision.is_multiple_of(2).then_some(revision),
                revision,
                url: format!("http://localhost:5173{pathname}"),
                pathname,
                title,
                session_id: None,
                status,
                stage: if resolved { Stage::Review } else { Stage::Open },
                text,
                author: author.clone(),
                targets,
                replies,
                resolution: resolved.then(|| Resolution { summary, by: author.clone(), at, imported_at }),
                history,
                screenshot,
                created_at,
                updated_at,
                deleted_at,
                imported_at,
            }
        },
    )
}
