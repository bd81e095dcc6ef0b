//! An element as a tab last saw it.

use super::super::Anchor;
use super::super::hash::{self, Kind};
use super::super::model::Model;
use super::super::survey::Survey;
use crate::selector;

/// An element as a tab last saw it, under the source that it then had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// None: as it was commented on.
    anchor: Option<Anchor>,
    is_present: bool,
}

/// Length of the number that says which anchor a look belongs to.
const OWNER: usize = 8;

impl Look {
    /// It is as it was commented on.
    pub(super) fn as_anchored() -> Self {
        Self { anchor: None, is_present: true }
    }

    /// As the element of `owner` is now; none when it has no anchor.
    pub(super) fn of(survey: &Survey<'_>, owner: &Anchor, node: u32) -> Option<Self> {
        let means_it =
            |selector: &&str| selector::resolve(survey.page, selector).is_ok_and(|found| found == [node]);
        let selectors: Vec<&str> = owner.base.selectors.iter().map(String::as_str).filter(means_it).collect();
        let anchor = Anchor::with_model(&Model::learnt(), survey, node, &selectors).ok();
        anchor.map(|anchor| Self { anchor: Some(anchor), is_present: true })
    }

    /// How it looked; none: as it was commented on.
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// Whether it was there, and not only before.
    pub(super) fn is_present(&self) -> bool {
        self.is_present
    }

    pub(super) fn gone(self) -> Self {
        Self { is_present: false, ..self }
    }

    pub(super) fn there(self) -> Self {
        Self { is_present: true, ..self }
    }

    /// Which anchor it belongs to, `.` when it was there and `-` when not, and its own anchor in base64 unless it is as that.
    pub(super) fn to_text(&self, owner: &Anchor) -> String {
        let anchor = self.anchor.as_ref().map(Anchor::to_base64).unwrap_or_default();
        let mark = if self.is_present { "." } else { "-" };
        [owner_of(owner).as_str(), mark, &anchor].concat()
    }

    /// Reads what [`Judged::look`](super::Judged::look) said, or an anchor in base64. None for what is neither, and for a look
    /// of another anchor: of a comment that was pinned anew since.
    #[must_use]
    pub fn from_text(text: &str, owner: &Anchor) -> Option<Self> {
        let read = |text: &str| Anchor::from_base64(text).ok();
        match (text.get(..OWNER), text.get(OWNER..OWNER + 1), text.get(OWNER + 1..)) {
            (Some(of), Some(mark @ ("." | "-")), Some(rest)) => {
                let anchor = if rest.is_empty() { None } else { Some(read(rest)?) };
                (of == owner_of(owner)).then_some(Self { anchor, is_present: mark == "." })
            }
            _ => read(text).map(|anchor| Self { anchor: Some(anchor), is_present: true }),
        }
    }
}

/// A number for each anchor, as eight digits.
fn owner_of(anchor: &Anchor) -> String {
    let base = &anchor.base;
    let all = [base.path, base.text_hash, u64::from(base.content), u64::from(anchor.context.whole)];
    let number = (hash::join(Kind::Content, all) >> 32) as u32;
    let digit = |at: u32| char::from_digit((number >> (at * 4)) & 15, 16).unwrap_or('0');
    (0..8).map(digit).collect()
}
