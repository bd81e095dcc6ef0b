//! The shape of a comment in an agent's answer. The fields stand in the order in which they are written: where it is,
//! what is asked, the rest.

use serde::Serialize;

use crate::model::{Stage, Status, Timestamp, VerdictKind};

/// One comment. A level leaves fields out; it calls none otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Projected {
    /// The elements.
    pub targets: Vec<ProjectedTarget>,
    /// How many elements more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets_not_shown: Option<usize>,
    /// What is asked for.
    pub text: String,
    /// What person and agent call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Its id; in brief only where it has no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// In brief only when it is not active.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// In brief only when it is not open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// Who works on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// In brief only when it is not the person's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// How its elements stand, where they are not as they were; in brief only where `status` does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// In brief only when there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_count: Option<usize>,
    /// The newest, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<ProjectedReply>,
    /// How many earlier replies there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies_not_shown: Option<usize>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<ProjectedResolution>,
    /// Its picture, from the project's root. Not in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<String>,
    /// The page's path. Not in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pathname: Option<String>,
    /// The page's whole address. In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The page's title. In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    /// In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// What happened to it, the newest last. In full.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<ProjectedStep>,
}

impl Projected {
    /// As JSON text.
    #[must_use]
    pub fn json(&self) -> String {
        // Texts and numbers can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// One element of a comment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProjectedTarget {
    /// Path, line and column of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// In brief only where no file is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// In brief only where no file is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Other ways to find it. In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<ProjectedAddresses>,
    /// What it is, in lines: the first one says it shortly, the others are told in full. Not in brief.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub element: Vec<String>,
    /// How it stands now, where it is not as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictKind>,
    /// Why, in words. Not in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is different. Not in brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<Vec<ProjectedChange>>,
}

/// Further selectors of an element.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProjectedAddresses {
    /// CSS.
    pub css: String,
    /// `XPath`.
    pub xpath: String,
    /// A Playwright locator.
    pub playwright: Option<String>,
    /// Others.
    pub others: Vec<String>,
}

/// One thing that is different.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProjectedChange {
    /// What.
    pub field: String,
    /// As it was.
    pub before: Option<String>,
    /// As it is.
    pub after: Option<String>,
}

/// One reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectedReply {
    /// Who wrote it.
    pub author: String,
    /// What.
    pub text: String,
    /// When.
    pub created_at: Timestamp,
}

/// How a comment ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProjectedResolution {
    /// Who resolved it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// What was done.
    pub summary: Option<String>,
}

/// One step of a comment's history.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProjectedStep {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: String,
    /// What.
    pub what: String,
}
