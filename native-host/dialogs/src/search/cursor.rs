//! Where a page of hits ended.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use opentoolbar_core::model::Timestamp;

use crate::dialog::{Dialog, Source};

/// A place in the order of dialogs, and in one of them. As text it is `<moment>.<step>.<source>.<id>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    last_active: Timestamp,
    source: Source,
    id: String,
    step: usize,
}

type Order<'o> = (Reverse<u64>, Source, &'o str);

/// The newest first, in the same order at every look.
pub(crate) fn order(dialog: &Dialog) -> Order<'_> {
    (Reverse(dialog.last_active.0), dialog.source, &dialog.id)
}

impl Cursor {
    pub(super) fn new(dialog: &Dialog, step: usize) -> Self {
        Self { last_active: dialog.last_active, source: dialog.source, id: dialog.id.clone(), step }
    }

    /// From which step on a dialog is still to be looked through; `None` when it was.
    pub(super) fn step_in(&self, dialog: &Dialog) -> Option<usize> {
        // It may have been active since: then it is before the cursor, but not looked through.
        let is_this = dialog.source == self.source && dialog.id == self.id;
        let own: Order<'_> = (Reverse(self.last_active.0), self.source, &self.id);
        if is_this { Some(self.step) } else { (order(dialog) > own).then_some(0) }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}.{}", self.last_active.0, self.step, self.source.word(), self.id)
    }
}

/// It is none of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no cursor")]
pub struct NoCursor;

impl FromStr for Cursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let mut parts = text.splitn(4, '.');
        let mut next = || parts.next().ok_or(NoCursor);
        let last_active = Timestamp(next()?.parse().map_err(|_| NoCursor)?);
        let step = next()?.parse().map_err(|_| NoCursor)?;
        let source = Source::from_word(next()?).ok_or(NoCursor)?;
        let id = next()?.to_owned();
        Ok(Self { last_active, source, id, step })
    }
}
