//! The compact fingerprint with which an element is found again, and what finding again says.
//!
//! Works on captured pages alone: knows nothing of comments, browsers or where anchors are kept. The way is: survey
//! the page once, gather candidates by rare features, weigh the evidence for each, share them out one to one, judge
//! what the best one is. `docs/anchors.md` tells more; nothing here learns, the numbers come from `weights.rs`.
//!
//! The layers from the bottom, by their main files: hashes and names (`hash`, `names`, `noise`, `feature`); what is
//! known of a page (`strings`, `features`, `survey`; of what kind elements are is data there too, `purpose/kind.rs`);
//! what is seen of one element (`appearance`, `parts`, `surroundings`, `purpose`); what is kept of it (`fingerprint`);
//! an anchor beside a page (`sought`, `evidence`, `candidates`, `describe`); what is found and said (`relations`,
//! `rank`, `judge`, `relocate`, `held`, `cause`).

mod appearance;
mod assign;
mod bounds;
mod brief;
mod called;
mod candidates;
mod cause;
mod classes;
mod describe;
mod diff;
mod distinct;
mod evidence;
mod feature;
mod features;
mod few;
mod fingerprint;
mod hash;
mod held;
mod identity;
mod judge;
mod model;
mod names;
mod noise;
mod order;
mod outcome;
mod parts;
mod postings;
mod purpose;
mod rank;
mod redesign;
mod redesign_weights;
mod redone;
mod relations;
mod relocate;
mod replaced;
mod rivals;
mod role;
mod row;
mod scored;
mod short;
mod sought;
mod strings;
mod surroundings;
mod survey;
mod target;
mod told_apart;
#[cfg(feature = "training")]
pub mod training;
mod undecided;
mod usage;
mod verdict;
mod weights;

pub use cause::{Evidence, FoundIn, FoundWord, Judged, Look, MAX_WORDS, Query, judge};
pub use fingerprint::{Anchor, AnchorError, Fingerprint, MAX_ENCODED, VERSION};
pub use held::Held;
pub use relocate::relocate;
pub use target::{TargetError, target_of};
pub use verdict::Verdict;
// The words of a verdict, which comments keep.
pub use crate::model::{FieldChange, VerdictKind, outdates};

#[cfg(test)]
mod tests;
