//! An element as a tab last saw it.

use super::super::Anchor;
use super::super::hash::{self, Kind};
use super::super::model::Model;
use super::super::survey::Survey;

/// An element as a tab last saw it, under the source that it then had.
#[derive(Clone, Debug)]
pub struct Look {
    /// How it looked when that was known; none: as it was commented on.
    anchor: Option<Anchor>,
    last: Last,
}

/// What the last look said.
#[derive(Clone, Debug)]
enum Last {
    /// It was there.
    Present,
    /// It was not there, but before.
    Absent,
    /// It was there, and the last change of source may have taken an edit back: only numbers differed then.
    MayBeUndone,
    /// Something else was seen since, of which nobody could tell what it comes from: this; none: that it was not there.
    Unsure(Option<Box<Anchor>>),
}

/// Length of the number that says which anchor a look belongs to.
const OWNER: usize = 8;
/// What stands after that number: what the last look said.
const PRESENT: &str = ".";
const ABSENT: &str = "-";
const MAY_BE_UNDONE: &str = "~";
/// Before two anchors with `BETWEEN` them, the second of which is unsure; `ABSENT` in its place: it was not there.
const UNSURE: &str = "?";
const BETWEEN: &str = " ";

impl Look {
    /// How it looked when that was known; none: as it was commented on.
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// How it looked at last, whether that is known or not; none: as it was commented on.
    pub(super) fn latest(&self) -> Option<&Anchor> {
        match &self.last {
            Last::Unsure(Some(seen)) => Some(seen),
            _ => self.anchor(),
        }
    }

    /// Whether nobody could tell what its last difference comes from.
    pub(super) fn is_unsure(&self) -> bool {
        matches!(self.last, Last::Unsure(_))
    }

    /// Whether it was there, and not only before.
    pub(super) fn is_present(&self) -> bool {
        !matches!(self.last, Last::Absent | Last::Unsure(None))
    }

    /// Whether the last change of source may have taken an edit back: only numbers differed then.
    pub(super) fn may_be_undone(&self) -> bool {
        matches!(self.last, Last::MayBeUndone)
    }

    /// Reads what [`Judged::look`](super::Judged::look) said, or an anchor in base64. None for what is neither, and for
    /// a look of another anchor: of a comment that was pinned anew since.
    #[must_use]
    pub fn from_text(text: &str, owner: &Anchor) -> Option<Self> {
        let read = |text: &str| Anchor::from_base64(text).ok();
        let (of, mark, rest) = (text.get(..OWNER), text.get(OWNER..OWNER + 1), text.get(OWNER + 1..));
        let (known, last) = match (mark, rest) {
            (Some(PRESENT), Some(known)) => (known, Last::Present),
            (Some(ABSENT), Some(known)) => (known, Last::Absent),
            (Some(MAY_BE_UNDONE), Some(known)) => (known, Last::MayBeUndone),
            (Some(UNSURE), Some(rest)) => {
                let (known, seen) = rest.split_once(BETWEEN)?;
                (known, Last::Unsure(if seen == ABSENT { None } else { Some(Box::new(read(seen)?)) }))
            }
            _ => return Some(Self { anchor: Some(read(text)?), last: Last::Present }),
        };
        let anchor = if known.is_empty() { None } else { Some(read(known)?) };
        (of == Some(owner_of(owner).as_str())).then_some(Self { anchor, last })
    }
}

/// The anchor of an element as it is now; none when it has none.
pub(super) fn anchor_now(survey: &Survey<'_>, node: u32) -> Option<Anchor> {
    Anchor::with_model(&Model::learnt(), survey, node, &[]).ok()
}

/// The same look of an element that is there, with the mark that the last change of source may have been an undo.
pub(super) fn may_be_undone(mut text: String) -> String {
    if text.get(OWNER..OWNER + 1) == Some(PRESENT) {
        text.replace_range(OWNER..OWNER + 1, MAY_BE_UNDONE);
    }
    text
}

/// Which anchor a look belongs to, `.` when the element was there and `-` when not, and how it looked, in base64; none:
/// as it was commented on.
pub(super) fn to_text(owner: &Anchor, is_present: bool, anchor: Option<&Anchor>) -> String {
    let anchor = anchor.map(Anchor::to_base64).unwrap_or_default();
    [owner_of(owner).as_str(), if is_present { PRESENT } else { ABSENT }, &anchor].concat()
}

/// The same with how it is seen now, of which nobody can tell whether that is another source; none: it is not there.
pub(super) fn unsure_text(owner: &Anchor, known: Option<&Anchor>, now: Option<&Anchor>) -> String {
    let known = known.map(Anchor::to_base64).unwrap_or_default();
    let now = now.map_or(ABSENT.to_owned(), Anchor::to_base64);
    [owner_of(owner).as_str(), UNSURE, &known, BETWEEN, &now].concat()
}

/// A number for each anchor, as eight digits.
fn owner_of(anchor: &Anchor) -> String {
    let base = &anchor.base;
    let all = [base.path, base.text_hash, u64::from(base.content), u64::from(anchor.context.whole)];
    let number = (hash::join(Kind::Content, all) >> 32) as u32;
    let digit = |at: u32| char::from_digit((number >> (at * 4)) & 15, 16).unwrap_or('0');
    (0..8).map(digit).collect()
}
