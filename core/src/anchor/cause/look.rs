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
    /// As it was seen since then, where nobody could tell what the difference comes from.
    unsure: Option<Anchor>,
    is_present: bool,
    may_be_undone: bool,
}

/// Length of the number that says which anchor a look belongs to.
const OWNER: usize = 8;
/// What stands after that number where the element was there, and where besides the last change may have been an undo.
const PRESENT: &str = ".";
const MAY_BE_UNDONE: &str = "~";
/// What stands there before two anchors with `BETWEEN` them, the second of which is unsure.
const UNSURE: &str = "?";
const BETWEEN: char = ' ';

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
        self.unsure.is_some()
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
            (Some(of), Some(mark @ (PRESENT | "-" | MAY_BE_UNDONE | UNSURE)), Some(rest)) => {
                let (known, unsure) = rest.split_once(BETWEEN).unwrap_or((rest, ""));
                let anchor = if known.is_empty() { None } else { Some(read(known)?) };
                let unsure = if mark == UNSURE { Some(read(unsure)?) } else { None };
                let may_be_undone = mark == MAY_BE_UNDONE;
                (of == owner_of(owner)).then_some(Self {
                    anchor,
                    unsure,
                    is_present: mark != "-",
                    may_be_undone,
                })
            }
            _ => read(text).map(|anchor| Self {
                anchor: Some(anchor),
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
    [owner_of(owner).as_str(), if is_present { PRESENT } else { "-" }, &anchor].concat()
}

/// The same with how it is seen now, of which nobody can tell whether that is another source.
pub(super) fn unsure_text(owner: &Anchor, known: Option<&Anchor>, now: &Anchor) -> String {
    let known = known.map(Anchor::to_base64).unwrap_or_default();
    format!("{}{UNSURE}{known}{BETWEEN}{}", owner_of(owner), now.to_base64())
}

/// A number for each anchor, as eight digits.
fn owner_of(anchor: &Anchor) -> String {
    let base = &anchor.base;
    let all = [base.path, base.text_hash, u64::from(base.content), u64::from(anchor.context.whole)];
    let number = (hash::join(Kind::Content, all) >> 32) as u32;
    let digit = |at: u32| char::from_digit((number >> (at * 4)) & 15, 16).unwrap_or('0');
    (0..8).map(digit).collect()
}
