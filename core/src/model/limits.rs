//! How much a comment may hold, in one place, and the check of it.

use super::{Comment, Reply, Resolution, Status, Target, TargetState, Timestamp};
use crate::element::{ElementBrief, ElementSnapshot};

/// Longest text of a comment or a reply, in characters.
pub const MAX_TEXT: usize = 20_000;
/// Most targets of a comment.
pub const MAX_TARGETS: usize = 50;
/// Most replies in a thread.
pub const MAX_REPLIES: usize = 1_000;
/// Most steps kept in a comment's history; then the oldest step that is not an edit goes first.
pub const MAX_HISTORY: usize = 500;
/// Longest summary of a resolution, in characters.
pub const MAX_SUMMARY: usize = 5_000;
/// Longest sentence of a history entry, in characters: `resolved: ` and a whole summary fit.
pub const MAX_WHAT: usize = MAX_SUMMARY + 200;
/// Longest anchor as base64, in bytes: 2,048 bytes decoded.
pub const MAX_ANCHOR: usize = 2_732;
/// Most other selectors of one target.
pub const MAX_ADDRESSES: usize = 8;
/// Longest selector, in bytes.
pub const MAX_SELECTOR: usize = 8_192;
/// Longest address or path of a page, in bytes.
pub const MAX_URL: usize = 8_192;
/// Longest title of a page, in bytes.
pub const MAX_TITLE: usize = 4_096;
/// Longest name of an agent, in characters.
pub const MAX_NAME: usize = 200;
/// Longest file name of a screenshot, in bytes.
pub const MAX_FILE_NAME: usize = 255;
/// All text of one element snapshot together, in bytes.
pub const MAX_SNAPSHOT: usize = 65_536;
/// Most ancestors or children that an element snapshot lists.
pub const MAX_BRIEFS: usize = 64;
/// Most differing fields that a verdict lists.
pub const MAX_DIFF: usize = 64;
/// Longest value in a diff, and longest reason of a verdict, in characters.
pub const MAX_REASON: usize = 1_000;
/// Highest revision that is taken from outside, so that counting on from it cannot overflow.
pub const MAX_REVISION: u32 = 1_000_000_000;
/// Latest moment that is taken from outside, the end of the year 9999, in milliseconds; also exact in JavaScript.
pub const MAX_MOMENT: u64 = 253_402_300_799_999;

/// The part of a comment that an error is about. Displays as its path in the JSON: `targets[2].selector`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field(String);

impl Field {
    pub(super) fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// The path in the comment's JSON: `targets[2].selector`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a comment, or a value for one, is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommentError {
    /// Nothing in it but white space.
    #[error("{field} is empty")]
    Empty {
        /// Which part.
        field: Field,
    },
    /// More than allowed.
    #[error("{field} has {got} {unit}, at most {limit} are allowed")]
    TooLong {
        /// Which part.
        field: Field,
        /// How much it has.
        got: usize,
        /// How much is allowed.
        limit: usize,
        /// `characters`, `bytes` or `entries`.
        unit: &'static str,
    },
    /// Not of the right form.
    #[error("{field} must be {must}")]
    Malformed {
        /// Which part.
        field: Field,
        /// What it must be.
        must: &'static str,
    },
}

impl CommentError {
    /// Which part is wrong.
    pub fn field(&self) -> &Field {
        match self {
            Self::Empty { field } | Self::TooLong { field, .. } | Self::Malformed { field, .. } => field,
        }
    }

    /// What to do about it, a sentence.
    pub fn next_step(&self) -> String {
        match self {
            Self::Empty { field } => format!("Write something into {field} and send it again."),
            Self::TooLong { field, limit, unit, .. } => {
                format!("Shorten {field} to at most {limit} {unit} and send it again.")
            }
            Self::Malformed { field, must } => format!("Make {field} {must} and send it again."),
        }
    }
}

pub(super) fn at_most(field: &str, got: usize, limit: usize, unit: &'static str) -> Result<(), CommentError> {
    if got <= limit {
        Ok(())
    } else {
        Err(CommentError::TooLong { field: Field::new(field), got, limit, unit })
    }
}

fn must(valid: bool, field: &str, must: &'static str) -> Result<(), CommentError> {
    if valid { Ok(()) } else { Err(CommentError::Malformed { field: Field::new(field), must }) }
}

/// Counts no further than is needed to know that a text is too long.
fn text(field: &str, text: &str, limit: usize) -> Result<(), CommentError> {
    if text.trim().is_empty() {
        return Err(CommentError::Empty { field: Field::new(field) });
    }
    at_most(field, text.chars().count(), limit, "characters")
}

fn moment(field: &str, at: Timestamp) -> Result<(), CommentError> {
    must(at.0 <= MAX_MOMENT, field, "a moment in milliseconds since 1970, before the year 10000")
}

fn author(field: &str, author: &super::Author) -> Result<(), CommentError> {
    match author {
        super::Author::Person => Ok(()),
        super::Author::Agent { name } => text(field, name, MAX_NAME),
    }
}

/// Text of a comment: 1..=20,000 characters, not only white space.
pub fn check_text(value: &str) -> Result<(), CommentError> {
    text("text", value, MAX_TEXT)
}

/// Summary of a resolution: 1..=5,000 characters, not only white space.
pub fn check_summary(value: &str) -> Result<(), CommentError> {
    text("summary", value, MAX_SUMMARY)
}

/// A reply's text, author and moment. `field` is where it stands: `replies[3]`.
pub fn check_reply(field: &str, reply: &Reply) -> Result<(), CommentError> {
    text(&format!("{field}.text"), &reply.text, MAX_TEXT)?;
    author(&format!("{field}.author.name"), &reply.author)?;
    moment(&format!("{field}.createdAt"), reply.created_at)
}

/// All targets together: 1..=50, each valid.
pub fn check_targets(targets: &[Target]) -> Result<(), CommentError> {
    if targets.is_empty() {
        return Err(CommentError::Empty { field: Field::new("targets") });
    }
    at_most("targets", targets.len(), MAX_TARGETS, "entries")?;
    targets.iter().enumerate().try_for_each(|(i, target)| check_target(&format!("targets[{i}]"), target))
}

fn check_target(field: &str, target: &Target) -> Result<(), CommentError> {
    let selector = format!("{field}.selector");
    text(&selector, &target.selector, MAX_SELECTOR)?;
    at_most(&selector, target.selector.len(), MAX_SELECTOR, "bytes")?;
    if let Some(addresses) = &target.addresses {
        let field = format!("{field}.addresses");
        at_most(&field, addresses.others.len(), MAX_ADDRESSES, "others")?;
        let forms = [&addresses.css, &addresses.xpath];
        for form in forms.into_iter().chain(&addresses.playwright).chain(&addresses.others) {
            at_most(&field, form.len(), MAX_SELECTOR, "bytes")?;
        }
    }
    let anchor = format!("{field}.anchor");
    at_most(&anchor, target.anchor.len(), MAX_ANCHOR, "bytes")?;
    must(
        !target.anchor.is_empty()
            && target.anchor.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')),
        &anchor,
        "base64 (standard alphabet, padded)",
    )?;
    check_snapshot(&format!("{field}.snapshot"), &target.snapshot)?;
    target.state.as_ref().map_or(Ok(()), |state| check_state(&format!("{field}.state"), state))
}

/// What a look at the page said. `field` is where it stands: `states[0]`.
pub fn check_state(field: &str, state: &TargetState) -> Result<(), CommentError> {
    must((0.0..=1.0).contains(&state.confidence), &format!("{field}.confidence"), "a number from 0 to 1")?;
    at_most(&format!("{field}.diff"), state.diff.len(), MAX_DIFF, "entries")?;
    for (i, change) in state.diff.iter().enumerate() {
        for (part, value) in [
            ("field", Some(&change.field)),
            ("before", change.before.as_ref()),
            ("after", change.after.as_ref()),
        ] {
            let length = value.map_or(0, |value| value.chars().count());
            at_most(&format!("{field}.diff[{i}].{part}"), length, MAX_REASON, "characters")?;
        }
    }
    at_most(&format!("{field}.reason"), state.reason.chars().count(), MAX_REASON, "characters")?;
    moment(&format!("{field}.checkedAt"), state.checked_at)
}

fn check_snapshot(field: &str, snapshot: &ElementSnapshot) -> Result<(), CommentError> {
    text(&format!("{field}.tag"), &snapshot.tag, MAX_NAME)?;
    at_most(&format!("{field}.ancestors"), snapshot.ancestors.len(), MAX_BRIEFS, "entries")?;
    at_most(&format!("{field}.children"), snapshot.children.len(), MAX_BRIEFS, "entries")?;
    at_most(field, snapshot_bytes(snapshot), MAX_SNAPSHOT, "bytes")?;
    must(
        snapshot.bounds.width >= 0 && snapshot.bounds.height >= 0,
        &format!("{field}.box"),
        "a box of width and height 0 or more",
    )?;
    let source = snapshot.source.as_ref();
    must(
        source.is_none_or(|source| (0.0..=1.0).contains(&source.confidence)),
        &format!("{field}.source.confidence"),
        "a number from 0 to 1",
    )
}

fn snapshot_bytes(snapshot: &ElementSnapshot) -> usize {
    let option = |value: &Option<String>| value.as_ref().map_or(0, String::len);
    let brief = |brief: &ElementBrief| {
        brief.tag.len()
            + option(&brief.id)
            + brief.text.len()
            + brief.classes.iter().map(|class| class.len() + 1).sum::<usize>()
    };
    let siblings = [&snapshot.siblings.previous, &snapshot.siblings.next];
    let source = snapshot.source.as_ref();
    snapshot.tag.len()
        + option(&snapshot.id)
        + option(&snapshot.role)
        + option(&snapshot.name)
        + option(&snapshot.component)
        + source.map_or(0, |source| source.file.len() + source.reason.len())
        + snapshot.own_text.len()
        + snapshot.text.len()
        + snapshot.classes.iter().map(|class| class.len() + 1).sum::<usize>()
        + snapshot.attributes.iter().map(|(name, value)| name.len() + value.len() + 1).sum::<usize>()
        + snapshot.ancestors.iter().chain(&snapshot.children).map(brief).sum::<usize>()
        + siblings.into_iter().flatten().map(brief).sum::<usize>()
}

fn check_resolution(comment: &Comment) -> Result<(), CommentError> {
    must(
        (comment.status == Status::Resolved) == comment.resolution.is_some(),
        "resolution",
        "there exactly when the status is resolved",
    )?;
    let Some(Resolution { summary, by, at }) = &comment.resolution else { return Ok(()) };
    if let Some(summary) = summary {
        text("resolution.summary", summary, MAX_SUMMARY)?;
    }
    author("resolution.by.name", by)?;
    moment("resolution.at", *at)
}

fn check_history(comment: &Comment) -> Result<(), CommentError> {
    at_most("history", comment.history.len(), MAX_HISTORY, "entries")?;
    let mut last = 0;
    for (i, entry) in comment.history.iter().enumerate() {
        must(
            entry.revision > last && entry.revision <= comment.revision,
            &format!("history[{i}].revision"),
            "higher than the one before and at most the comment's own",
        )?;
        last = entry.revision;
        text(&format!("history[{i}].what"), &entry.what, MAX_WHAT)?;
        if let Some(previous) = &entry.previous_text {
            text(&format!("history[{i}].previousText"), previous, MAX_TEXT)?;
        }
        author(&format!("history[{i}].by.name"), &entry.by)?;
        moment(&format!("history[{i}].at"), entry.at)?;
    }
    Ok(())
}

impl Comment {
    /// Whether it is within its limits and consistent. Decoding a comment includes this.
    ///
    /// # Errors
    /// Names the first part that is wrong, as its path in the JSON.
    pub fn check(&self) -> Result<(), CommentError> {
        must((1..=MAX_REVISION).contains(&self.revision), "revision", "from 1 to 1,000,000,000")?;
        text("url", &self.url, MAX_URL)?;
        at_most("url", self.url.len(), MAX_URL, "bytes")?;
        at_most("pathname", self.pathname.len(), MAX_URL, "bytes")?;
        must(self.pathname.starts_with('/'), "pathname", "a path that starts with /")?;
        at_most("title", self.title.len(), MAX_TITLE, "bytes")?;
        check_text(&self.text)?;
        author("author.name", &self.author)?;
        check_targets(&self.targets)?;
        at_most("replies", self.replies.len(), MAX_REPLIES, "entries")?;
        self.replies
            .iter()
            .enumerate()
            .try_for_each(|(i, reply)| check_reply(&format!("replies[{i}]"), reply))?;
        check_resolution(self)?;
        check_history(self)?;
        if let Some(name) = &self.screenshot {
            at_most("screenshot", name.len(), MAX_FILE_NAME, "bytes")?;
            must(is_file_name(name), "screenshot", "a plain file name without folders")?;
        }
        moment("createdAt", self.created_at)?;
        moment("updatedAt", self.updated_at)?;
        self.deleted_at.map_or(Ok(()), |at| moment("deletedAt", at))
    }
}

/// A name that stays inside its folder on every system.
fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
