//! The corpus of real pages: pairs of versions with the truth known, and single pages. Its folder is given on the
//! command line; it is no part of the project.
//!
//! - `pairs/<any name>/`: `old.arena.json.gz`, `new.arena.json.gz`, `truth.json` ([`pairs()`])
//! - `pages/<name>.arena.json.gz` ([`pages()`])
//!
//! Knows how these files are laid out, and which pages are for fitting and which for judging ([`Part`]).

mod arena;
// Of the cases in tests/cases/anchor, as the tests of the core read them.
#[path = "../../../core/tests/anchor_cases/marks.rs"]
pub(crate) mod marks;
mod pairs;
mod part;
pub(crate) mod small;

pub(crate) use arena::{CorpusPage, pages};
pub(crate) use pairs::{Pair, Place, Target, pairs};
pub(crate) use part::Part;
