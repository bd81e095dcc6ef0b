//! One comment as JSON for an agent's answer: the same content as the report, bounded in size.

use serde_json::{Map, Value, json};

use super::untrusted::one_line;
use super::words::{Words, words};
use super::{IMPORTED, Level, SCREENSHOTS, element_text, note_of};
use crate::model::{Author, Comment, Target, Timestamp};

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

/// One comment as JSON, at most [`max_projection`] characters. Words that had to be cut say so and how to get the rest:
/// `rest` tells how, from which character of [`words`] on. Strings under `element` are copied from the page: data,
/// never instructions.
#[must_use]
pub fn project(comment: &Comment, level: Level, rest: impl Fn(usize) -> String) -> Value {
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
) -> Value {
    let said = words(comment);
    let mut caps = match level {
        Level::Brief => Caps { text: 1_500, value: 300, targets: 2, replies: 0, history: 0 },
        Level::Standard => Caps { text: 6_000, value: 1_000, targets: 5, replies: 5, history: 0 },
        Level::Full => Caps { text: 20_000, value: 8_192, targets: 50, replies: 50, history: 50 },
    };
    loop {
        let value = with_caps(comment, level, caps, &Cutting { said: &said, rest: &rest });
        let json = value.to_string();
        let is_small = json.chars().count() <= max_projection(level) && fits(&json);
        if is_small
            || (caps.text, caps.value, caps.targets) == (80, 40, 1) && caps.replies + caps.history == 0
        {
            return value;
        }
        caps = caps.halved();
    }
}

fn with_caps(comment: &Comment, level: Level, caps: Caps, cutting: &Cutting<'_>) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("id", comment.id.as_str().into());
    if let Some(number) = comment.number {
        put("number", number.into());
    }
    put("status", json!(comment.status));
    put("stage", json!(comment.stage));
    put("pathname", one_line(&comment.pathname, caps.value).into());
    put("author", author(&comment.author, comment.imported_at));
    put("text", cutting.cut(0, caps.text).into());
    if let Some(note) = note_of(comment) {
        put("note", note.into());
    }
    let shown = comment.targets.len().min(caps.targets);
    put("targets", comment.targets.iter().take(shown).map(|one| target(one, level, caps)).collect());
    if comment.targets.len() > shown {
        put("targetsNotShown", (comment.targets.len() - shown).into());
    }
    let replies = comment.replies.len().min(caps.replies);
    put("replyCount", comment.replies.len().into());
    if replies > 0 {
        let newest = comment.replies.iter().enumerate().skip(comment.replies.len() - replies);
        let reply = |(at, reply): (usize, &crate::model::Reply)| {
            let text = cutting.cut(at + 1, caps.value.max(80));
            let author = author(&reply.author, reply.imported_at);
            json!({ "author": author, "text": text, "createdAt": reply.created_at })
        };
        put("replies", newest.map(reply).collect());
    }
    if level > Level::Brief && replies < comment.replies.len() {
        put("repliesNotShown", (comment.replies.len() - replies).into());
    }
    if let Some(resolution) = &comment.resolution {
        let at = comment.replies.len() + 1;
        let summary = resolution.summary.as_ref().map(|_| cutting.cut(at, caps.value));
        let by = author(&resolution.by, resolution.imported_at);
        put("resolution", json!({ "by": by, "at": resolution.at, "summary": summary }));
    }
    if let Some(name) = &comment.screenshot {
        put("screenshot", format!("{SCREENSHOTS}/{name}").into());
    }
    if level > Level::Brief {
        put("url", one_line(&comment.url, caps.value).into());
        put("title", one_line(&comment.title, caps.value).into());
        put("createdAt", json!(comment.created_at));
        put("updatedAt", json!(comment.updated_at));
        put("revision", comment.revision.into());
    }
    if caps.history > 0 && !comment.history.is_empty() {
        let newest = comment.history.iter().skip(comment.history.len().saturating_sub(caps.history));
        let step = |step: &crate::model::HistoryEntry| json!({ "at": step.at, "by": author(&step.by, step.imported_at), "what": one_line(&step.what, caps.value.min(300)) });
        put("history", newest.map(step).collect());
    }
    Value::Object(fields)
}

/// Most characters of a name.
const NAME: usize = 80;

pub(super) fn author(author: &Author, imported_at: Option<Timestamp>) -> Value {
    let mut name = match author {
        Author::Person => "person".to_owned(),
        Author::Agent { name } => format!("agent {}", one_line(name, NAME)),
    };
    if imported_at.is_some() {
        name += IMPORTED;
    }
    name.into()
}

/// Elements of a selection that are told.
pub(super) const MOST_TARGETS: usize = 5;

/// The elements of a selection, as those of a comment are told.
pub(super) fn targets(all: &[Target], value: usize) -> Value {
    let caps = Caps { text: 0, value, targets: MOST_TARGETS, replies: 0, history: 0 };
    all.iter().take(caps.targets).map(|one| target(one, Level::Standard, caps)).collect()
}

fn target(target: &Target, level: Level, caps: Caps) -> Value {
    let snapshot = &target.snapshot;
    let optional =
        |value: Option<String>| value.map_or(Value::Null, |value| one_line(&value, caps.value).into());
    let mut fields = Map::new();
    fields.insert("component".into(), optional(snapshot.component.clone()));
    fields.insert("file".into(), optional(snapshot.source.as_ref().map(element_text::place)));
    fields.insert("selector".into(), one_line(&target.selector, caps.value).into());
    if let (Level::Full, Some(addresses)) = (level, &target.addresses) {
        let whole = |form: &String| one_line(form, caps.value);
        fields.insert(
            "addresses".into(),
            json!({
                "css": whole(&addresses.css),
                "xpath": whole(&addresses.xpath),
                "playwright": addresses.playwright.as_ref().map(whole),
                "others": addresses.others.iter().map(whole).collect::<Vec<_>>(),
            }),
        );
    }
    let lines = element_text::lines(snapshot, level);
    let lines: Vec<Value> =
        lines.lines().take(caps.value / 8).map(|line| one_line(line, caps.value).into()).collect();
    let element =
        if level == Level::Brief { lines.into_iter().next().unwrap_or_default() } else { lines.into() };
    fields.insert("element".into(), element);
    if let Some(state) = target.state.as_ref().filter(|state| state.outdates() || state.may_have_changed()) {
        fields.insert("verdict".into(), json!(state.verdict));
        fields.insert("reason".into(), one_line(&state.reason, caps.value.min(300)).into());
        if level > Level::Brief {
            let short =
                |value: &Option<String>| value.as_ref().map(|value| one_line(value, caps.value.min(200)));
            let change = |change: &crate::model::FieldChange| {
                let field = one_line(&change.field, 80);
                json!({ "field": field, "before": short(&change.before), "after": short(&change.after) })
            };
            fields.insert("diff".into(), state.diff.iter().take(caps.value / 64).map(change).collect());
        }
    }
    Value::Object(fields)
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
