//! An element as a tab last saw it.

use super::super::Anchor;
use super::super::hash::{self, Kind};
use super::super::model::Model;
use super::super::survey::Survey;

/// An element as a tab last saw it, under the source that it then had.
#[derive(Clone, Debug)]
pub struct Look {
    /// None: as it was commented on.
    anchor: Option<Anchor>,
    /// Something else was seen since then, of which nobody could tell what it comes from: this; none: that it is not there.
    is_unsure: bool,
    unsure: Option<Anchor>,
    is_present: bool,
    may_be_undone: bool,
}

/// Length of the number that says which anchor a look belongs to.
const OWNER: usize = 8;
/// What stands after that number where the element was there, and where besides the last change may have been an undo.
const PRESENT: &str = ".";
const ABSENT: &str = "-";
const MAY_BE_UNDONE: &str = "~";
/// What stands there before two anchors with `BETWEEN` them, the second of which is unsure; `ABSENT` in its place: it was not there.
const UNSURE: &str = "?";
const BETWEEN: &str = " ";

impl Look {
    /// How it looked; none: as it was commented on.
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// How it looked at last, whether that is sure or not; none: as it was commented on.
    pub(super) fn latest(&self) -> Option<&Anchor> {
        self.unsure.as_ref().or(self.anchor.as_ref())
    }

    /// Whether nobody could tell what its last difference comes from.
    pub(super) fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    /// Whether it was there, and not only before.
    pub(super) fn is_present(&self) -> bool {
        self.is_present
    }

    /// Whether the last change of source may have taken an edit back: only numbers differed then.
    pub(super) fn may_be_undone(&self) -> bool {
        self.may_be_undone
    }

    /// Reads what [`Judged::look`](super::Judged::look) said, or an anchor in base64. None for what is neither, and for a look
    /// of another anchor: of a comment that was pinned anew since.
    #[must_use]
    pub fn from_text(text: &str, owner: &Anchor) -> Option<Self> {
        let read = |text: &str| Anchor::from_base64(text).ok();
        match (text.get(..OWNER), text.get(OWNER..OWNER + 1), text.get(OWNER + 1..)) {
            (Some(of), Some(mark @ (PRESENT | ABSENT | MAY_BE_UNDONE | UNSURE)), Some(rest)) => {
                let (known, unsure) = rest.split_once(BETWEEN).unwrap_or((rest, ""));
                let anchor = if known.is_empty() { None } else { Some(read(known)?) };
                let (is_unsure, may_be_undone) = (mark == UNSURE, mark == MAY_BE_UNDONE);
                let unsure = if is_unsure && unsure != ABSENT { Some(read(unsure)?) } else { None };
                let is_present = if is_unsure { unsure.is_some() } else { mark != ABSENT };
                (of == owner_of(owner)).then_some(Self {
                    anchor,
                    is_unsure,
                    unsure,
                    is_present,
                    may_be_undone,
                })
            }
            _ => read(text).map(|anchor| Self {
                anchor: Some(anchor),
                is_unsure: false,
                unsure: None,
                is_present: true,
                may_be_undone: false,
            }),
        }
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

/// Which anchor a look belongs to, `.` when the element was there and `-` when not, and how it looked, in base64; none: as it
/// was commented on.
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
