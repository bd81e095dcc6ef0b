//! The compact fingerprint with which an element is found again, and what finding again says.

mod verdict;

pub use verdict::{FieldChange, Verdict, VerdictKind, outdates};
