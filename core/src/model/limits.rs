//! How much a comment may hold, in one place, and the check of it.

use super::Varied;
use super::{
    Comment, MAX_VALUE, MAX_VALUES, MAX_VARIED, Reply, Resolution, Status, Target, TargetState, Timestamp,
};
use crate::element::{ElementBrief, ElementSnapshot};
use crate::sort;

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
/// Highest number of a comment that is taken from a file: there is always one after it.
pub const MAX_IMPORTED_NUMBER: u32 = 1_000_000;
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

/// Where a value stands. Written out as a path only when something is wrong with it: hundreds of values are right.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// From the comment, or the value that is checked.
    Whole(&'a str),
    Part(&'a Place<'a>, &'a str),
    Entry(&'a Place<'a>, usize),
}

impl Place<'_> {
    fn part<'a>(&'a self, name: &'a str) -> Place<'a> {
        Place::Part(self, name)
    }

    fn entry(&self, place: usize) -> Place<'_> {
        Place::Entry(self, place)
    }

    #[cold]
    #[inline(never)]
    fn field(&self) -> Field {
        Field(match self {
            Place::Whole(path) => (*path).to_owned(),
            Place::Part(outer, name) => [outer.field().as_str(), ".", name].concat(),
            Place::Entry(outer, place) => format!("{}[{place}]", outer.field()),
        })
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

/// The same as the check of a comment's parts, for what else has limits.
pub(super) fn at_most(field: &str, got: usize, limit: usize, unit: &'static str) -> Result<(), CommentError> {
    within(&Place::Whole(field), got, limit, unit)
}

fn within(at: &Place<'_>, got: usize, limit: usize, unit: &'static str) -> Result<(), CommentError> {
    if got <= limit { Ok(()) } else { Err(CommentError::TooLong { field: at.field(), got, limit, unit }) }
}

fn must(valid: bool, at: &Place<'_>, must: &'static str) -> Result<(), CommentError> {
    if valid { Ok(()) } else { Err(CommentError::Malformed { field: at.field(), must }) }
}

/// Counts no further than is needed to know that a text is too long.
fn text(at: &Place<'_>, text: &str, limit: usize) -> Result<(), CommentError> {
    if text.trim().is_empty() {
        return Err(CommentError::Empty { field: at.field() });
    }
    within(at, text.chars().count(), limit, "characters")
}

fn moment(at: &Place<'_>, moment: Timestamp) -> Result<(), CommentError> {
    must(moment.0 <= MAX_MOMENT, at, "a moment in milliseconds since 1970, before the year 10000")
}

fn label(at: &Place<'_>, imported_at: Option<Timestamp>) -> Result<(), CommentError> {
    imported_at.map_or(Ok(()), |imported_at| moment(&at.part("importedAt"), imported_at))
}

fn author(at: &Place<'_>, author: &super::Author) -> Result<(), CommentError> {
    match author {
        super::Author::Person => Ok(()),
        super::Author::Agent { name } => text(at, name, MAX_NAME),
    }
}

/// Text of a comment: 1..=20,000 characters, not only white space.
pub fn check_text(value: &str) -> Result<(), CommentError> {
    text(&Place::Whole("text"), value, MAX_TEXT)
}

/// Summary of a resolution: 1..=5,000 characters, not only white space.
pub fn check_summary(value: &str) -> Result<(), CommentError> {
    text(&Place::Whole("summary"), value, MAX_SUMMARY)
}

/// A reply's text, author and moment. `field` is where it stands: `replies[3]`.
pub fn check_reply(field: &str, reply: &Reply) -> Result<(), CommentError> {
    check_reply_at(&Place::Whole(field), reply)
}

fn check_reply_at(at: &Place<'_>, reply: &Reply) -> Result<(), CommentError> {
    text(&at.part("text"), &reply.text, MAX_TEXT)?;
    author(&at.part("author").part("name"), &reply.author)?;
    moment(&at.part("createdAt"), reply.created_at)?;
    label(at, reply.imported_at)
}

/// All targets together: 1..=50, each valid.
pub fn check_targets(targets: &[Target]) -> Result<(), CommentError> {
    let at = Place::Whole("targets");
    if targets.is_empty() {
        return Err(CommentError::Empty { field: at.field() });
    }
    within(&at, targets.len(), MAX_TARGETS, "entries")?;
    targets.iter().enumerate().try_for_each(|(i, target)| check_target(&at.entry(i), target))
}

fn check_target(at: &Place<'_>, target: &Target) -> Result<(), CommentError> {
    let selector = at.part("selector");
    text(&selector, &target.selector, MAX_SELECTOR)?;
    within(&selector, target.selector.len(), MAX_SELECTOR, "bytes")?;
    if let Some(addresses) = &target.addresses {
        let at = at.part("addresses");
        within(&at, addresses.others.len(), MAX_ADDRESSES, "others")?;
        let forms = [&addresses.css, &addresses.xpath];
        for form in forms.into_iter().chain(&addresses.playwright).chain(&addresses.others) {
            within(&at, form.len(), MAX_SELECTOR, "bytes")?;
        }
    }
    let anchor = at.part("anchor");
    within(&anchor, target.anchor.len(), MAX_ANCHOR, "bytes")?;
    must(
        !target.anchor.is_empty()
            && target.anchor.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')),
        &anchor,
        "base64 (standard alphabet, padded)",
    )?;
    check_snapshot(&at.part("snapshot"), &target.snapshot)?;
    check_varied(&at.part("varied"), &target.varied)?;
    target.state.as_ref().map_or(Ok(()), |state| check_state_at(&at.part("state"), state))
}

/// What a look at the page said. `field` is where it stands: `states[0]`.
pub fn check_state(field: &str, state: &TargetState) -> Result<(), CommentError> {
    check_state_at(&Place::Whole(field), state)
}

fn check_state_at(at: &Place<'_>, state: &TargetState) -> Result<(), CommentError> {
    must((0.0..=1.0).contains(&state.confidence), &at.part("confidence"), "a number from 0 to 1")?;
    let diff = at.part("diff");
    within(&diff, state.diff.len(), MAX_DIFF, "entries")?;
    for (i, change) in state.diff.iter().enumerate() {
        for (part, value) in [
            ("field", Some(&change.field)),
            ("before", change.before.as_ref()),
            ("after", change.after.as_ref()),
        ] {
            let length = value.map_or(0, |value| value.chars().count());
            within(&diff.entry(i).part(part), length, MAX_REASON, "characters")?;
        }
    }
    within(&at.part("reason"), state.reason.chars().count(), MAX_REASON, "characters")?;
    check_varied(&at.part("varied"), &state.varied)?;
    moment(&at.part("checkedAt"), state.checked_at)
}

fn check_varied(at: &Place<'_>, varied: &[Varied]) -> Result<(), CommentError> {
    within(at, varied.len(), MAX_VARIED, "entries")?;
    for (i, Varied { field, values }) in varied.iter().enumerate() {
        let at = at.entry(i);
        within(&at.part("field"), field.chars().count(), MAX_REASON, "characters")?;
        within(&at.part("values"), values.len(), MAX_VALUES, "entries")?;
        for value in values {
            within(&at.part("values"), value.chars().count(), MAX_VALUE, "characters")?;
        }
    }
    Ok(())
}

fn check_snapshot(at: &Place<'_>, snapshot: &ElementSnapshot) -> Result<(), CommentError> {
    text(&at.part("tag"), &snapshot.tag, MAX_NAME)?;
    within(&at.part("ancestors"), snapshot.ancestors.len(), MAX_BRIEFS, "entries")?;
    within(&at.part("children"), snapshot.children.len(), MAX_BRIEFS, "entries")?;
    within(at, snapshot_bytes(snapshot), MAX_SNAPSHOT, "bytes")?;
    must(
        snapshot.bounds.width >= 0 && snapshot.bounds.height >= 0,
        &at.part("box"),
        "a box of width and height 0 or more",
    )?;
    let source = snapshot.source.as_ref();
    must(
        source.is_none_or(|source| (0.0..=1.0).contains(&source.confidence)),
        &at.part("source").part("confidence"),
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

fn check_replies(replies: &[Reply]) -> Result<(), CommentError> {
    let place = Place::Whole("replies");
    within(&place, replies.len(), MAX_REPLIES, "entries")?;
    replies.iter().enumerate().try_for_each(|(i, reply)| check_reply_at(&place.entry(i), reply))?;
    // A change and another copy find a reply by its id.
    let mut ids: Vec<&str> = replies.iter().map(|reply| reply.id.as_str()).collect();
    sort::plain(&mut ids);
    must(ids.windows(2).all(|pair| pair[0] != pair[1]), &place, "a list in which each id stands once")
}

fn check_resolution(comment: &Comment) -> Result<(), CommentError> {
    must(
        (comment.status == Status::Resolved) == comment.resolution.is_some(),
        &Place::Whole("resolution"),
        "there exactly when the status is resolved",
    )?;
    let Some(Resolution { summary, by, at, imported_at }) = &comment.resolution else { return Ok(()) };
    if let Some(summary) = summary {
        text(&Place::Whole("resolution.summary"), summary, MAX_SUMMARY)?;
    }
    author(&Place::Whole("resolution.by.name"), by)?;
    moment(&Place::Whole("resolution.at"), *at)?;
    label(&Place::Whole("resolution"), *imported_at)
}

fn check_history(comment: &Comment) -> Result<(), CommentError> {
    within(&Place::Whole("history"), comment.history.len(), MAX_HISTORY, "entries")?;
    let history = Place::Whole("history");
    let mut last = 0;
    for (i, entry) in comment.history.iter().enumerate() {
        let at = history.entry(i);
        must(
            entry.revision > last && entry.revision <= comment.revision,
            &at.part("revision"),
            "higher than the one before and at most the comment's own",
        )?;
        last = entry.revision;
        text(&at.part("what"), &entry.what, MAX_WHAT)?;
        if let Some(previous) = &entry.previous_text {
            text(&at.part("previousText"), previous, MAX_TEXT)?;
        }
        author(&at.part("by").part("name"), &entry.by)?;
        moment(&at.part("at"), entry.at)?;
        label(&at, entry.imported_at)?;
    }
    Ok(())
}

impl Comment {
    /// Whether it is within its limits and consistent. Decoding a comment includes this.
    ///
    /// # Errors
    /// Names the first part that is wrong, as its path in the JSON.
    pub fn check(&self) -> Result<(), CommentError> {
        must(
            (1..=MAX_REVISION).contains(&self.revision),
            &Place::Whole("revision"),
            "from 1 to 1,000,000,000",
        )?;
        must(self.number != Some(0), &Place::Whole("number"), "1 or more")?;
        text(&Place::Whole("url"), &self.url, MAX_URL)?;
        within(&Place::Whole("url"), self.url.len(), MAX_URL, "bytes")?;
        within(&Place::Whole("pathname"), self.pathname.len(), MAX_URL, "bytes")?;
        must(self.pathname.starts_with('/'), &Place::Whole("pathname"), "a path that starts with /")?;
        within(&Place::Whole("title"), self.title.len(), MAX_TITLE, "bytes")?;
        check_text(&self.text)?;
        author(&Place::Whole("author.name"), &self.author)?;
        check_targets(&self.targets)?;
        check_replies(&self.replies)?;
        check_resolution(self)?;
        check_history(self)?;
        if let Some(name) = &self.screenshot {
            within(&Place::Whole("screenshot"), name.len(), MAX_FILE_NAME, "bytes")?;
            must(is_file_name(name), &Place::Whole("screenshot"), "a plain file name without folders")?;
        }
        moment(&Place::Whole("createdAt"), self.created_at)?;
        moment(&Place::Whole("updatedAt"), self.updated_at)?;
        self.imported_at.map_or(Ok(()), |at| moment(&Place::Whole("importedAt"), at))?;
        self.deleted_at.map_or(Ok(()), |at| moment(&Place::Whole("deletedAt"), at))
    }
}

/// A name that stays inside its folder on every system.
fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
