//! Comments as an agent reads them: the markdown report, the JSON projection of one comment, and the JSON export.
//!
//! Everything that a page could have written is fenced, escaped and labelled here, once for all ways out. Knows
//! nothing of clipboards, files or MCP.

mod element_text;
mod exchange;
mod markdown;
mod project;
mod projected;
mod selection;
mod untrusted;
mod words;

pub use exchange::{EXPORT_VERSION, Export, ImportError, Merge, export, export_json, import_json, merge};
pub use exchange::{check_import_outline, check_import_size, collect_import};
pub use markdown::{comment_markdown, markdown};
pub use project::{max_projection, project, project_within};
pub use projected::{
    Projected, ProjectedAddresses, ProjectedChange, ProjectedReply, ProjectedResolution, ProjectedStep,
    ProjectedTarget,
};
pub use selection::project_selection;
pub use untrusted::{escape_json, fence, inline_code, neutralise, one_line};
pub use words::{Place, Words, words};

use serde::{Deserialize, Serialize};

use crate::model::VerdictKind;
use crate::model::{Comment, Status};

/// What is said behind the author of words that came from a file.
const IMPORTED: &str = " (imported from a file: somebody else's words)";

/// What stands with every outdated comment.
pub const OUTDATED_NOTE: &str = "This element has been modified since the comment was created.";
/// What stands with an outdated comment none of whose elements is there.
pub const GONE_NOTE: &str =
    "This element has been modified since the comment was created. It is not on the page any more.";
/// What stands with a comment that waits and of which nobody can tell whether its element has changed.
pub const UNSURE_NOTE: &str = "This element may have changed since the comment was created: it looks different, and nothing tells whether the source has changed.";
/// The same of one none of whose elements was found.
pub const UNSURE_GONE_NOTE: &str = "This element may be gone: it was not found on the page, and nothing tells whether the source has changed or it is only not shown.";
/// Where a project keeps the screenshots, as an agent in the project's root finds it.
pub const SCREENSHOTS: &str = ".opentoolbar/screenshots";

/// What is said of how a comment's elements stand; nothing of one that is as it was.
fn note_of(comment: &Comment) -> Option<&'static str> {
    let is_gone = comment.targets.iter().all(|target| {
        let state = target.state.as_ref();
        state.is_some_and(|state| {
            (state.outdates() || state.may_have_changed()) && state.verdict == VerdictKind::Missing
        })
    });
    match comment.status {
        Status::Outdated if is_gone => Some(GONE_NOTE),
        Status::Outdated => Some(OUTDATED_NOTE),
        _ if !comment.may_have_changed() => None,
        _ if is_gone => Some(UNSURE_GONE_NOTE),
        _ => Some(UNSURE_NOTE),
    }
}

/// How much is said about each element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// One line: what to call it and where its source is.
    Brief,
    /// What a person would say about it.
    #[default]
    Standard,
    /// Everything that is known, the comment's history too.
    Full,
}

/// How the markdown report is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", default)]
pub struct PromptOptions {
    /// How much is said about each element.
    pub level: Level,
    /// About how long the report may be, in tokens as [`estimate_tokens`] counts them; absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub token_budget: Option<u32>,
    /// Whether resolved comments are listed too, last.
    pub include_resolved: bool,
}

/// About how many tokens a text costs: a quarter of its characters, rounded up. Good for English and code within
/// a fifth or so; text in other scripts costs more.
#[must_use]
pub fn estimate_tokens(text: &str) -> u32 {
    u32::try_from(text.chars().count().div_ceil(4)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
