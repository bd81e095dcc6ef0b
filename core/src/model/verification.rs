//! A request of an agent for a person's yes or no, and rules that say yes in the person's place for a while.

use serde::{Deserialize, Serialize};

use super::limits::{CommentError, Field, at_most};
use super::{Project, RuleId, Timestamp, VerificationId};

/// Longest description of an action, in characters.
pub const MAX_ACTION: usize = 1_000;
/// Longest reason, in characters.
pub const MAX_ACTION_REASON: usize = 4_000;
/// Longest context, in bytes.
pub const MAX_ACTION_CONTEXT: usize = 16 * 1024;
/// Longest note of who decides, in characters.
pub const MAX_NOTE: usize = 2_000;
/// How long a verification may wait for the person, in seconds: at least, at most, and when nobody says.
pub const VERIFICATION_SECONDS: std::ops::RangeInclusive<u32> = 5..=86_400;
/// The same when nobody says.
pub const DEFAULT_VERIFICATION_SECONDS: u32 = 300;
/// How long a rule may hold, in hours.
pub const RULE_HOURS: std::ops::RangeInclusive<u32> = 1..=168;

/// How a verification stands. There is no other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum VerificationStatus {
    /// Nobody has decided.
    Pending,
    /// The action may be done, once.
    Approved,
    /// It must not be done.
    Rejected,
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A person.
    Person,
    /// A rule that a person made before.
    Rule,
    /// Nobody: its time ran out.
    Timeout,
    /// Its asker took it back.
    Withdrawn,
}

/// Where a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum DecidedIn {
    /// In a page of our extension.
    Browser,
    /// With a verb of the command line.
    Terminal,
}

/// A decision. It never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// Yes or no.
    pub approved: bool,
    /// What decided.
    pub by: DecidedBy,
    /// Where, when a person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub way: Option<DecidedIn>,
    /// When.
    pub at: Timestamp,
    /// The person's words to the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub note: Option<String>,
    /// Which rule, when one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub rule_id: Option<RuleId>,
}

/// A process by its id, and when it started: ids are given anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AskingProcess {
    /// Its id.
    pub id: u32,
    /// In seconds since 1970, by the system's clock.
    pub started: u64,
}

/// A request for a person's yes or no. It is bound to the exact words: see [`Self::hash`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Its id.
    pub id: VerificationId,
    /// The project in which the action is to be done.
    pub project: Project,
    /// What is to be done.
    pub action: String,
    /// Why.
    pub reason: String,
    /// What else there is to know: the asker's words, or the JSON that it gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub context: Option<String>,
    /// Who asks, as it says of itself.
    pub asker: String,
    /// The process that asked and the programs that started it to ask, the nearest first; some may have ended. Empty
    /// where the system does not tell. None of them may decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<AskingProcess>>", optional))]
    pub processes: Vec<AskingProcess>,
    /// SHA-256 of project, asker, action, reason and context, in hexadecimal: who decides says it again.
    pub hash: String,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it is rejected by itself.
    pub expires_at: Timestamp,
    /// The decision, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub decided: Option<Decided>,
}

impl Verification {
    /// How it stands.
    #[must_use]
    pub fn status(&self) -> VerificationStatus {
        match &self.decided {
            None => VerificationStatus::Pending,
            Some(decided) if decided.approved => VerificationStatus::Approved,
            Some(_) => VerificationStatus::Rejected,
        }
    }
}

/// "Always allow this action in this project for so many hours."
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// Where it holds.
    pub project: Project,
    /// The exact action.
    pub action: String,
    /// The exact context; absent: of an action without one. Meaningless with `any_context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub context: Option<String>,
    /// Whatever the context.
    pub any_context: bool,
    /// When the person made it.
    pub made_at: Timestamp,
    /// Until when it holds.
    pub expires_at: Timestamp,
    /// How often it has decided.
    pub uses: u32,
}

/// That these words can be an action with its reason and context.
///
/// # Errors
/// Which one is empty or too long.
pub fn check_action(action: &str, reason: &str, context: Option<&str>) -> Result<(), CommentError> {
    for (field, text, most) in [("action", action, MAX_ACTION), ("reason", reason, MAX_ACTION_REASON)] {
        if text.trim().is_empty() {
            return Err(CommentError::Empty { field: Field::new(field) });
        }
        at_most(field, text.chars().count(), most, "characters")?;
    }
    at_most("context", context.map_or(0, str::len), MAX_ACTION_CONTEXT, "bytes")
}

/// That this can be a note.
///
/// # Errors
/// It is too long.
pub fn check_note(note: &str) -> Result<(), CommentError> {
    at_most("note", note.chars().count(), MAX_NOTE, "characters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_needs_words_and_a_reason_within_their_limits() {
        assert!(check_action("Delete build/", "It is stale", None).is_ok());
        for (action, reason) in [(" ", "why"), ("Delete build/", "\n")] {
            assert!(check_action(action, reason, None).is_err(), "{action:?} {reason:?}");
        }
        assert!(check_action(&"ä".repeat(MAX_ACTION), "why", None).is_ok());
        assert!(check_action(&"ä".repeat(MAX_ACTION + 1), "why", None).is_err());
        assert!(check_action("a", &"b".repeat(MAX_ACTION_REASON + 1), None).is_err());
        assert!(check_action("a", "b", Some(&"c".repeat(MAX_ACTION_CONTEXT + 1))).is_err());
        assert!(check_note(&"n".repeat(MAX_NOTE + 1)).is_err());
    }
}
