//! How one kind of fault went.

use serde::Serialize;

/// How one kind of fault went.
#[derive(Debug, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    pub(super) kind: String,
    /// What happened how often, in words.
    pub(super) faults: String,
    pub(super) acknowledged: usize,
    pub(super) stored: usize,
    /// Acknowledged and not there.
    pub(super) lost: Vec<String>,
    /// There more than once.
    pub(super) doubled: Vec<String>,
    /// Why it could not be run.
    pub(super) not_run: Option<String>,
    /// What else was promised and did not hold.
    pub(super) broken: Vec<String>,
}

impl Outcome {
    pub(super) fn not_run(kind: &str, why: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), not_run: Some(why.into()), ..Self::default() }
    }

    pub(super) fn is_bad(&self) -> bool {
        !(self.lost.is_empty() && self.doubled.is_empty() && self.broken.is_empty())
    }
}
