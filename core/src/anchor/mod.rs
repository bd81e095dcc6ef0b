//! The compact fingerprint with which an element is found again, and what finding again says.
//!
//! Works on captured pages alone: knows nothing of comments, browsers or where anchors are kept. The way is: survey
//! the page once, gather candidates by rare features, score them field by field, share them out one to one, judge.

mod assign;
mod candidates;
mod diff;
mod features;
mod fingerprint;
mod hash;
mod judge;
mod noise;
mod relocate;
mod score;
mod survey;
mod target;
mod verdict;

pub use fingerprint::{Anchor, AnchorError, MAX_ENCODED, VERSION};
pub use relocate::relocate;
pub use target::{TargetError, target_of};
pub use verdict::{FieldChange, Verdict, VerdictKind, outdates};

#[cfg(test)]
mod tests;
