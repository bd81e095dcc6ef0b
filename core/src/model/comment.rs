use serde::{Deserialize, Serialize};

use super::verdict::{FieldChange, VerdictKind};
use super::word::read_by_word;
use super::{Author, Cause, CommentId, ReplyId, SessionId, Timestamp, Varied, step};
use crate::element::ElementSnapshot;

/// Whether the comment still waits for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Status {
    /// Waits for work; its elements are as they were.
    Active,
    /// Waits for work, but an element has changed or is gone.
    Outdated,
    /// Done, kept with its history.
    Resolved,
}

read_by_word!(Status: Active = "active", Outdated = "outdated", Resolved = "resolved");

/// How far the work on a comment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Stage {
    /// Nobody works on it.
    Open,
    /// An agent works on it.
    InProgress,
    /// The work is done and the person may look. Every resolved comment is here.
    Review,
}

read_by_word!(Stage: Open = "open", InProgress = "in_progress", Review = "review");

/// What the last look at the page said about a target. Contains no page index: those die with the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct TargetState {
    /// The verdict.
    pub verdict: VerdictKind,
    /// What a difference comes from. Absent: the source, as in states of earlier versions.
    #[serde(default, skip_serializing_if = "Cause::is_source")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Cause>"))]
    pub cause: Cause,
    /// 0 to 1: how often a verdict this sure is right.
    pub confidence: f32,
    /// What differs, field by field; empty when nothing does.
    pub diff: Vec<FieldChange>,
    /// One sentence for people.
    pub reason: String,
    /// When the page was looked at.
    pub checked_at: Timestamp,
    /// In a report only: what was newly seen to vary; it is kept with the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Varied>>"))]
    pub varied: Vec<Varied>,
}

/// The address of a target in the forms that tests are written in, and others that rest on other evidence. Each means
/// the element alone on the page that the comment was made on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Addresses {
    /// Plain CSS; ` >>> ` enters a shadow root or a frame.
    pub css: String,
    /// XPath 1.0 within the innermost tree; what leads there is CSS, with ` >>> ` between.
    pub xpath: String,
    /// A Playwright locator that begins with `page.`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub playwright: Option<String>,
    /// Selectors as `selector` of the target, best first.
    #[serde(default)]
    pub others: Vec<String>,
}

/// One element that a comment is pinned to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The element as it was when the comment was made.
    pub snapshot: ElementSnapshot,
    /// Unique address on that page; ` >>> ` enters a shadow root or a frame.
    pub selector: String,
    /// The same address in other forms; absent in comments of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub addresses: Option<Addresses>,
    /// The fingerprint: base64 (standard, padded) of `Anchor::encode`.
    pub anchor: String,
    /// What the last look said; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub state: Option<TargetState>,
    /// What its fields were seen to be while the source stayed the same: at most 8 fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Varied>>"))]
    pub varied: Vec<Varied>,
}

/// An answer in a comment's thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// Applied once by this id.
    pub id: ReplyId,
    /// Who answered.
    pub author: Author,
    /// Markdown, never rendered as raw HTML.
    pub text: String,
    /// When.
    pub created_at: Timestamp,
    /// When it was imported from a file: somebody else's words then, whoever they say wrote them. Absent for words of
    /// ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub imported_at: Option<Timestamp>,
}

/// How a comment was resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    /// What was done, in the resolver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub summary: Option<String>,
    /// Who.
    pub by: Author,
    /// When.
    pub at: Timestamp,
    /// When it was imported from a file: somebody else's words then, whoever they say wrote them. Absent for words of
    /// ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub imported_at: Option<Timestamp>,
}

/// One step in a comment's life. The text that an edit replaced is kept, so an edit loses nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The comment's revision after this step.
    pub revision: u32,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: Author,
    /// What happened, one sentence: `resolved: made the button blue`.
    pub what: String,
    /// The text before an edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub previous_text: Option<String>,
    /// When it was imported from a file: somebody else's words then, whoever they say wrote them. Absent for words of
    /// ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub imported_at: Option<Timestamp>,
}

/// A note pinned to one or several elements of a page.
///
/// Decoding includes [`Comment::check`]: a comment that came from JSON is within its limits and consistent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
// `remote = "Self"` keeps the derived code as inherent functions, so that `Deserialize` below can check as well.
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Comment {
    /// Unique across projects.
    pub id: CommentId,
    /// What person and agent call it, from 1: `#3`. The hub gives it when it first stores the comment in a project, and
    /// never twice there. Absent before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub number: Option<u32>,
    /// Counts changes from 1; an edit made against an older revision is a conflict, not an overwrite.
    pub revision: u32,
    /// Whole address of the page, redacted.
    pub url: String,
    /// Path of the page, `/` first, no query.
    pub pathname: String,
    /// The document's title.
    pub title: String,
    /// The tab it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub session_id: Option<SessionId>,
    /// Whether it waits for work.
    pub status: Status,
    /// How far the work is.
    pub stage: Stage,
    /// What the person said.
    pub text: String,
    /// Who wrote it.
    pub author: Author,
    /// The elements, at least one.
    pub targets: Vec<Target>,
    /// The thread, oldest first.
    #[serde(default)]
    pub replies: Vec<Reply>,
    /// How it was resolved, while it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub resolution: Option<Resolution>,
    /// What happened to it, oldest first.
    #[serde(default)]
    pub history: Vec<HistoryEntry>,
    /// Whether a screenshot is kept with it (file name inside the project's `screenshots/`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub screenshot: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Last change.
    pub updated_at: Timestamp,
    /// When the person deleted it; a deleted comment is hidden, can be restored, and is never sent to agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub deleted_at: Option<Timestamp>,
    /// When its text was imported from a file: somebody else's words then, whoever `author` says. Absent for words of
    /// ours. Replies, resolution and history say it each for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub imported_at: Option<Timestamp>,
}

impl Comment {
    /// Nobody works on what is resolved, and nobody is still to begin: its work is done.
    pub(super) fn settle_stage(&mut self) {
        if self.resolution.is_some() {
            self.stage = Stage::Review;
        }
    }

    /// Whether it is open because an agent that had begun it ended, or gave it up.
    #[must_use]
    pub(super) fn is_left_by_an_agent(&self) -> bool {
        // What a file says of others' agents is no news of those here.
        let is_own = |entry: &&HistoryEntry| entry.imported_at.is_none() && step::sets_stage(&entry.what);
        let last = self.history.iter().rev().find(is_own);
        self.stage == Stage::Open && last.is_some_and(|entry| entry.by != Author::Person)
    }

    /// Who began the work, while the stage is in progress.
    #[must_use]
    pub fn begun_by(&self) -> Option<&Author> {
        let is_begin = |entry: &&HistoryEntry| entry.what == step::STAGES[1];
        let begun = (self.stage == Stage::InProgress).then(|| self.history.iter().rev().find(is_begin));
        // What a file says of others' agents is no news of those here.
        begun.flatten().filter(|entry| entry.imported_at.is_none()).map(|entry| &entry.by)
    }
}

impl Serialize for Comment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Comment::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Comment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut comment = Comment::deserialize(deserializer)?;
        // Earlier versions kept the stage that a comment had when it was resolved.
        comment.settle_stage();
        match comment.check() {
            Ok(()) => Ok(comment),
            Err(error) => Err(serde::de::Error::custom(format_args!("comment {}: {error}", comment.id))),
        }
    }
}
