//! What people and agents wrote in a comment, as one text that can be told in pieces.

use super::project::author;
use super::untrusted::neutralise;
use crate::model::{Comment, Timestamp};

/// Where in a comment words stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// What is asked for.
    Text,
    /// In the thread.
    Reply {
        /// Who wrote it.
        author: String,
        /// When.
        created_at: Timestamp,
    },
    /// How it was resolved.
    Summary {
        /// By whom.
        by: String,
        /// When.
        at: Timestamp,
    },
}

/// Words that one author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// Where.
    pub place: Place,
    /// Their first character's place among all words of the comment.
    pub start: usize,
    /// Without deceiving characters, as it is counted.
    pub text: String,
}

impl Words {
    /// Behind their last character.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.text.chars().count()
    }
}

/// All words of a comment, in the order in which they are counted: its text, its replies, the summary of its
/// resolution.
#[must_use]
pub fn words(comment: &Comment) -> Vec<Words> {
    let mut all = vec![Words { place: Place::Text, start: 0, text: neutralise(&comment.text) }];
    let mut push = |place: Place, text: &str| {
        let start = all.last().map_or(0, Words::end);
        all.push(Words { place, start, text: neutralise(text) });
    };
    for reply in &comment.replies {
        let author = author(&reply.author, reply.imported_at);
        push(Place::Reply { author, created_at: reply.created_at }, &reply.text);
    }
    if let Some(resolution) = &comment.resolution {
        let by = author(&resolution.by, resolution.imported_at);
        let summary = resolution.summary.as_deref().unwrap_or_default();
        push(Place::Summary { by, at: resolution.at }, summary);
    }
    all
}
