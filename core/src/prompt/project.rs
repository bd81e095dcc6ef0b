//! One comment for an agent's answer: less at each level, and bounded in size.

use super::projected::{
    Projected, ProjectedAddresses, ProjectedChange, ProjectedReply, ProjectedResolution, ProjectedStep,
    ProjectedTarget,
};
use super::untrusted::one_line;
use super::words::{Words, words};
use super::{IMPORTED, Level, SCREENSHOTS, element_text, note_of};
use crate::model::{Addresses, Author, Comment, FieldChange, Stage, Status, Target, Timestamp};

/// Most characters that the JSON of one comment may have, by level. Four characters are about one token.
#[must_use]
pub fn max_projection(level: Level) -> usize {
    match level {
        Level::Brief => 4_000,
        Level::Standard => 16_000,
        Level::Full => 80_000,
    }
}

/// How much of everything is shown.
#[derive(Clone, Copy)]
struct Caps {
    text: usize,
    value: usize,
    targets: usize,
    replies: usize,
    history: usize,
}

impl Caps {
    fn halved(self) -> Self {
        let Caps { text, value, targets, replies, history } = self;
        Caps {
            text: (text / 2).max(80),
            value: (value / 2).max(40),
            targets: (targets / 2).max(1),
            replies: replies / 2,
            history: history / 2,
        }
    }
}

/// One comment, as JSON at most [`max_projection`] characters. Words that had to be cut say so and how to get the rest:
/// `rest` tells how, from which character of [`words`] on. Strings under `element` are copied from the page: data,
/// never instructions.
#[must_use]
pub fn project(comment: &Comment, level: Level, rest: impl Fn(usize) -> String) -> Projected {
    project_within(comment, level, rest, |_| true)
}

/// As [`project`]; less and less is told of everything until its JSON `fits`, too. In the end what is left is at most
/// about a thousand characters in brief, and a few thousand at the other levels.
#[must_use]
pub fn project_within(
    comment: &Comment,
    level: Level,
    rest: impl Fn(usize) -> String,
    fits: impl Fn(&str) -> bool,
) -> Projected {
    let said = words(comment);
    let mut caps = match level {
        Level::Brief => Caps { text: 1_500, value: 300, targets: 2, replies: 0, history: 0 },
        Level::Standard => Caps { text: 6_000, value: 1_000, targets: 5, replies: 5, history: 0 },
        Level::Full => Caps { text: 20_000, value: 8_192, targets: 50, replies: 50, history: 50 },
    };
    loop {
        let told = with_caps(comment, level, caps, &Cutting { said: &said, rest: &rest });
        let json = told.json();
        let is_small = json.chars().count() <= max_projection(level) && fits(&json);
        if is_small
            || (caps.text, caps.value, caps.targets) == (80, 40, 1) && caps.replies + caps.history == 0
        {
            return told;
        }
        caps = caps.halved();
    }
}

fn with_caps(comment: &Comment, level: Level, caps: Caps, cutting: &Cutting<'_>) -> Projected {
    let (is_brief, is_full) = (level == Level::Brief, level == Level::Full);
    let shown = comment.targets.len().min(caps.targets);
    let left = |all: usize, shown: usize| (all > shown).then_some(all - shown);
    let is_persons = comment.author == Author::Person && comment.imported_at.is_none();
    let replies = comment.replies.len().min(caps.replies);
    let newest = comment.replies.iter().enumerate().skip(comment.replies.len() - replies);
    let steps = comment.history.iter().skip(comment.history.len().saturating_sub(caps.history));
    Projected {
        targets: comment.targets.iter().take(shown).map(|one| target(one, level, caps)).collect(),
        targets_not_shown: left(comment.targets.len(), shown),
        text: cutting.cut(0, caps.text),
        number: comment.number,
        id: (!is_brief || comment.number.is_none()).then(|| comment.id.as_str().to_owned()),
        status: Some(comment.status).filter(|status| !is_brief || *status != Status::Active),
        stage: Some(comment.stage).filter(|stage| !is_brief || *stage != Stage::Open),
        claimed_by: None,
        author: (!is_brief || !is_persons).then(|| author(&comment.author, comment.imported_at)),
        note: note_of(comment).filter(|_| !is_brief || comment.status != Status::Outdated),
        reply_count: Some(comment.replies.len()).filter(|count| !is_brief || *count > 0),
        replies: newest
            .map(|(at, reply)| ProjectedReply {
                author: author(&reply.author, reply.imported_at),
                text: cutting.cut(at + 1, caps.value.max(80)),
                created_at: reply.created_at,
            })
            .collect(),
        replies_not_shown: left(comment.replies.len(), replies).filter(|_| !is_brief),
        resolution: comment.resolution.as_ref().map(|resolution| ProjectedResolution {
            by: author(&resolution.by, resolution.imported_at),
            at: resolution.at,
            summary: resolution.summary.as_ref().map(|_| cutting.cut(comment.replies.len() + 1, caps.value)),
        }),
        screenshot: comment
            .screenshot
            .as_ref()
            .filter(|_| !is_brief)
            .map(|name| format!("{SCREENSHOTS}/{name}")),
        pathname: (!is_brief).then(|| one_line(&comment.pathname, caps.value)),
        url: is_full.then(|| one_line(&comment.url, caps.value)),
        title: is_full.then(|| one_line(&comment.title, caps.value)),
        created_at: is_full.then_some(comment.created_at),
        updated_at: is_full.then_some(comment.updated_at),
        revision: is_full.then_some(comment.revision),
        history: steps
            .map(|step| ProjectedStep {
                at: step.at,
                by: author(&step.by, step.imported_at),
                what: one_line(&step.what, caps.value.min(300)),
            })
            .collect(),
    }
}

/// Most characters of a name.
const NAME: usize = 80;

pub(super) fn author(author: &Author, imported_at: Option<Timestamp>) -> String {
    let mut name = match author {
        Author::Person => "person".to_owned(),
        Author::Agent { name } => format!("agent {}", one_line(name, NAME)),
    };
    if imported_at.is_some() {
        name += IMPORTED;
    }
    name
}

/// Elements of a selection that are told.
pub(super) const MOST_TARGETS: usize = 5;

/// The elements of a selection, as those of a comment are told.
pub(super) fn targets(all: &[Target], value: usize) -> Vec<ProjectedTarget> {
    let caps = Caps { text: 0, value, targets: MOST_TARGETS, replies: 0, history: 0 };
    all.iter().take(caps.targets).map(|one| target(one, Level::Standard, caps)).collect()
}

fn target(target: &Target, level: Level, caps: Caps) -> ProjectedTarget {
    let snapshot = &target.snapshot;
    let file = snapshot.source.as_ref().map(element_text::place);
    // The file is the place, as long as it is known.
    let is_told = level > Level::Brief || file.is_none();
    let component = snapshot.component.as_ref().filter(|_| is_told);
    let lines = match level {
        Level::Brief => String::new(),
        Level::Standard => element_text::lines(snapshot, Level::Brief),
        Level::Full => element_text::lines(snapshot, Level::Full),
    };
    let state = target.state.as_ref().filter(|state| state.outdates() || state.may_have_changed());
    let in_words = state.filter(|_| level > Level::Brief);
    ProjectedTarget {
        file: file.map(|file| one_line(&file, caps.value)),
        component: component.map(|component| one_line(component, caps.value)),
        selector: is_told.then(|| one_line(&target.selector, caps.value)),
        addresses: target
            .addresses
            .as_ref()
            .filter(|_| level == Level::Full)
            .map(|addresses| every_address(addresses, caps.value)),
        element: lines.lines().take(caps.value / 8).map(|line| one_line(line, caps.value)).collect(),
        verdict: state.map(|state| state.verdict),
        reason: in_words.map(|state| one_line(&state.reason, caps.value.min(300))),
        diff: in_words
            .map(|state| state.diff.iter().take(caps.value / 64).map(|one| change(one, caps)).collect()),
    }
}

fn every_address(addresses: &Addresses, value: usize) -> ProjectedAddresses {
    let whole = |form: &String| one_line(form, value);
    ProjectedAddresses {
        css: whole(&addresses.css),
        xpath: whole(&addresses.xpath),
        playwright: addresses.playwright.as_ref().map(whole),
        others: addresses.others.iter().map(whole).collect(),
    }
}

fn change(change: &FieldChange, caps: Caps) -> ProjectedChange {
    let short = |value: &Option<String>| value.as_ref().map(|value| one_line(value, caps.value.min(200)));
    ProjectedChange {
        field: one_line(&change.field, 80),
        before: short(&change.before),
        after: short(&change.after),
    }
}

/// Cuts what is too long.
struct Cutting<'a> {
    said: &'a [Words],
    rest: &'a dyn Fn(usize) -> String,
}

impl Cutting<'_> {
    /// So many characters of these words; where they are cut they say how much is missing and how to get it.
    fn cut(&self, which: usize, limit: usize) -> String {
        let Some(words) = self.said.get(which) else { return String::new() };
        let length = words.end() - words.start;
        if length <= limit {
            return words.text.clone();
        }
        format!(
            "{} [cut here: {} more characters; for them: {}]",
            words.text.chars().take(limit).collect::<String>(),
            length - limit,
            (self.rest)(words.start + limit)
        )
    }
}
