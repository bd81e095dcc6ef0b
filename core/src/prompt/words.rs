//! What people and agents wrote in a comment, as one text that can be told in pieces.

use serde_json::{Value, json};

use super::project::author;
use super::untrusted::neutralise;
use crate::model::Comment;

/// Where in a comment words stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// What is asked for.
    Text,
    /// In the thread: who wrote it and when.
    Reply(Value),
    /// How it was resolved: by whom and when.
    Summary(Value),
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
        let by = author(&reply.author, reply.imported_at);
        push(Place::Reply(json!({ "author": by, "createdAt": reply.created_at })), &reply.text);
    }
    if let Some(resolution) = &comment.resolution {
        let by = author(&resolution.by, resolution.imported_at);
        let summary = resolution.summary.as_deref().unwrap_or_default();
        push(Place::Summary(json!({ "by": by, "at": resolution.at })), summary);
    }
    all
}
