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
    is_present: bool,
    may_be_undone: bool,
}

/// Length of the number that says which anchor a look belongs to.
const OWNER: usize = 8;
/// What stands after that number where the element was there, and where besides the last change may have been an undo.
const PRESENT: &str = ".";
const MAY_BE_UNDONE: &str = "~";

impl Look {
    /// How it looked; none: as it was commented on.
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// Gives its anchor away, and takes it back.
    pub(super) fn anchor_mut(&mut self) -> &mut Option<Anchor> {
        &mut self.anchor
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
            (Some(of), Some(mark @ (PRESENT | "-" | MAY_BE_UNDONE)), Some(rest)) => {
                let anchor = if rest.is_empty() { None } else { Some(read(rest)?) };
                let may_be_undone = mark == MAY_BE_UNDONE;
                let is_present = may_be_undone || mark == PRESENT;
                (of == owner_of(owner)).then_some(Self { anchor, is_present, may_be_undone })
            }
            _ => {
                read(text).map(|anchor| Self { anchor: Some(anchor), is_present: true, may_be_undone: false })
            }
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

/// A number for each anchor, as eight digits.
fn owner_of(anchor: &Anchor) -> String {
    let base = &anchor.base;
    let all = [base.path, base.text_hash, u64::from(base.content), u64::from(anchor.context.whole)];
    let number = (hash::join(Kind::Content, all) >> 32) as u32;
    let digit = |at: u32| char::from_digit((number >> (at * 4)) & 15, 16).unwrap_or('0');
    (0..8).map(digit).collect()
}
