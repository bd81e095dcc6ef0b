//! Codex: `sessions/<year>/<month>/<day>/rollout-<moment>-<id>.jsonl`. Newer lines are `{timestamp, type, payload}`;
//! older ones are what is the payload there. What the person said stands there twice: as an event, and as an item among
//! which are also things that Codex says in the person's name. Events count from the first one on.

use std::path::PathBuf;

use opentoolbar_core::model::Timestamp;

use super::reader::{Listing, Reader, histories, stem, transcript, unreadable};
use crate::dialog::Source;
use crate::error::NoData;
use crate::heads::Head;
use crate::index::{Index, MOST_SPANS, Request, Words};
use crate::json::{Fault, Json, LineEnd, Span, Text, Window};
use crate::pass::{Form, Pass};
use crate::place::FileAt;
use crate::time;

const ENDING: &str = ".jsonl";
/// Levels of directories: year, month, day, and one more.
const MOST_LEVELS: usize = 4;
const MOST_DIRECTORIES: usize = 20_000;
/// Bytes and lines in which it is looked for where it worked. The first line has all of Codex's instructions.
const MOST_HEAD: u64 = 4 * 1024 * 1024;
const MOST_HEAD_LINES: usize = 50;
const MOST_START: usize = 2_048;
const MOST_PATH: usize = 16 * 1024;
/// Characters of a UUID.
const ID: usize = 36;

/// What Codex says in the person's name.
const NOT_THE_PERSONS: [&str; 13] = [
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<codex_internal_context",
    "<environment_context>",
    "<goal_context>",
    "<permissions instructions>",
    "<recommended_plugins>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_action>",
    "<user_instructions>",
    "<user_shell_command>",
];

/// Its histories.
pub(super) struct Codex {
    roots: Vec<PathBuf>,
}

impl Codex {
    pub(super) fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots }
    }
}

impl Reader for Codex {
    fn source(&self) -> Source {
        Source::Codex
    }

    fn list(&self, listing: &mut Listing<'_>) {
        for root in &self.roots {
            let mut waiting: Vec<Vec<String>> = vec![Vec::new()];
            let mut looked_into = 0;
            while let Some(below) = waiting.pop() {
                looked_into += 1;
                if listing.is_stopped() {
                    return;
                }
                if looked_into > MOST_DIRECTORIES {
                    listing.unread += 1;
                    break;
                }
                let Some(directory) = listing.open(root, &below) else { continue };
                let (files, others) = histories(listing, &directory, &[ENDING]);
                for entry in files {
                    let at = FileAt { base: root.clone(), below: below.clone(), name: entry.name.clone() };
                    let head = listing.head(&at, directory.stamp(&entry.name), read_head);
                    let dialog = transcript(listing, Source::Codex, id(&entry.name), head, at, &entry);
                    listing.add(dialog);
                }
                for name in &others {
                    listing.add(unreadable(&directory, Source::Codex, id(name), name));
                }
                if below.len() < MOST_LEVELS {
                    let inner = directory.all_names().unwrap_or_default();
                    let inner = inner.into_iter().filter(|name| {
                        !name.ends_with(ENDING) && directory.has_directory(name).unwrap_or(false)
                    });
                    waiting.extend(inner.map(|name| below.iter().cloned().chain([name]).collect()));
                }
            }
        }
    }

    fn pass(&self, _: &str) -> Box<dyn Pass + Sync> {
        Box::new(Rollout::default())
    }
}

/// `rollout-2026-01-20T11-57-17-<id>`; else all of it.
fn id(name: &str) -> String {
    let stem = stem(name, ENDING).unwrap_or(name);
    let at = stem.len().checked_sub(ID).filter(|&at| stem.is_char_boundary(at)).unwrap_or(0);
    let (before, id) = stem.split_at(at);
    if before.ends_with('-') { id.to_owned() } else { stem.to_owned() }
}

fn read_head(file: &FileAt) -> Result<Head, NoData> {
    let opened = file.open()?;
    let going = || true;
    let mut window = Window::new(&opened.file, 0, opened.bytes.min(MOST_HEAD), &going).by_line();
    let mut head = Head::default();
    for _ in 0..MOST_HEAD_LINES {
        if !head.folders.is_empty() || window.is_at_end().unwrap_or(true) {
            break;
        }
        let mut json = Json::new(&mut window);
        if let Ok(Some(line)) = Line::read(&mut json) {
            let item = line.item();
            head.id = head.id.or_else(|| item.id.clone().filter(|_| line.is_about_session()));
            let folder = item.folder.clone().or_else(|| item.told_folder.clone());
            head.folders.extend(folder.map(PathBuf::from).filter(|folder| folder.is_absolute()));
        }
        if window.finish_line().map_or(true, |end| end == LineEnd::Open) {
            break;
        }
    }
    Ok(head)
}

/// Where older sessions say it: in what Codex tells the model of its surroundings.
fn folder_in(text: &str) -> Option<String> {
    let told = text.trim_start().strip_prefix("<environment_context>")?;
    let tagged = told.split_once("<cwd>").and_then(|(_, rest)| rest.split_once("</cwd>"));
    let told_by_line = || {
        let (_, rest) = told.split_once("Current working directory: ")?;
        rest.lines().next()
    };
    Some(tagged.map(|(folder, _)| folder).or_else(told_by_line)?.trim().to_owned())
}

/// A line, or the payload of one.
#[derive(Debug, Default)]
struct Item {
    kind: String,
    role: String,
    at: Option<Timestamp>,
    /// Of an item's content, or the one of an event; with each whether it is the person's.
    texts: Vec<(Span, bool)>,
    /// By which an item and its event are seen to say the same: of the last text the beginning and the length.
    said: Option<(String, u32)>,
    folder: Option<String>,
    /// What one of the texts says of it.
    told_folder: Option<String>,
    id: Option<String>,
}

#[derive(Debug, Default)]
struct Line {
    outer: Item,
    payload: Option<Item>,
}

impl Line {
    /// `None` of what is no object.
    fn read(json: &mut Json<'_, '_>) -> Result<Option<Self>, Fault> {
        let mut line = Self::default();
        let is_object = json.object(|json, name| {
            if name != "payload" {
                return line.outer.member(json, name);
            }
            let mut item = Item::default();
            let is_object = json.object(|json, name| item.member(json, name))?;
            line.payload = is_object.then_some(item);
            Ok(())
        })?;
        Ok(is_object.then_some(line))
    }

    fn item(&self) -> &Item {
        self.payload.as_ref().unwrap_or(&self.outer)
    }

    fn is_about_session(&self) -> bool {
        // The oldest has neither type nor payload.
        self.outer.kind == "session_meta" || (self.payload.is_none() && self.outer.kind.is_empty())
    }

    fn is_event(&self) -> bool {
        self.outer.kind == "event_msg" && self.item().kind == "user_message"
    }

    fn is_message_of(&self, role: &str) -> bool {
        let is_item = self.payload.is_none() || self.outer.kind == "response_item";
        is_item && self.item().kind == "message" && self.item().role == role
    }
}

impl Item {
    fn member(&mut self, json: &mut Json<'_, '_>, name: &str) -> Result<(), Fault> {
        let head = |json: &mut Json<'_, '_>, most| Ok(json.text(most)?.map(|text: Text| text.head));
        match name {
            "type" => self.kind = head(json, MOST_START)?.unwrap_or_default(),
            "role" => self.role = head(json, MOST_START)?.unwrap_or_default(),
            "timestamp" => self.at = head(json, MOST_START)?.as_deref().and_then(time::parse),
            "cwd" => self.folder = head(json, MOST_PATH)?,
            "id" => self.id = head(json, MOST_START)?.filter(|id| !id.is_empty() && id.len() <= 200),
            "message" => {
                let text = json.text(MOST_START)?;
                self.text(text)?;
            }
            "content" => {
                json.array(|json| {
                    json.object(|json, name| {
                        if name == "text" {
                            let text = json.text(MOST_START)?;
                            return self.text(text);
                        }
                        json.skip()
                    })
                    .map(drop)
                })?;
            }
            _ => json.skip()?,
        }
        Ok(())
    }

    fn text(&mut self, text: Option<Text>) -> Result<(), Fault> {
        let Some(Text { head, span }) = text else { return Ok(()) };
        let start = head.trim_start();
        let is_theirs =
            !start.is_empty() && !NOT_THE_PERSONS.iter().any(|beginning| start.starts_with(beginning));
        self.told_folder = self.told_folder.take().or_else(|| folder_in(start));
        self.said = Some((head, span.length()));
        self.texts.push((span, is_theirs));
        if self.texts.len() > MOST_SPANS { Err(Fault::TooLarge) } else { Ok(()) }
    }

    fn words(&self) -> Words {
        Words::of_blocks(
            self.texts.iter().filter(|(_, is_theirs)| *is_theirs).map(|(span, _)| *span).collect(),
        )
    }
}

/// One way through a session.
#[derive(Debug, Default)]
struct Rollout {
    line: Option<Line>,
    /// Whether there was an event of the person's.
    by_events: bool,
    /// What the last request says, when it is an item's.
    last: Option<(String, u32)>,
    read: u64,
    index: Index,
}

impl Pass for Rollout {
    fn form(&self) -> Form {
        Form::Lines
    }

    fn read(&mut self, json: &mut Json<'_, '_>) -> Result<(), Fault> {
        self.line = Line::read(json)?;
        if self.line.is_some() { Ok(()) } else { Err(Fault::Broken) }
    }

    fn apply(&mut self) -> Result<(), NoData> {
        self.read += 1;
        let Some(line) = self.line.take() else { return Ok(()) };
        let item = line.item();
        let at = line.outer.at.or(item.at);
        if line.is_event() {
            let is_said_before = self.last.is_some() && self.last == item.said;
            if !self.by_events && is_said_before {
                self.index.requests.pop();
            }
            self.by_events = true;
            return match item.words() {
                Words::None => Ok(()),
                words => self.index.requests.push(Request::new(at, words)),
            };
        }
        if line.is_message_of("assistant") {
            item.texts.iter().for_each(|(span, _)| self.index.answer(*span));
        } else if line.is_message_of("user") && !self.by_events {
            let words = item.words();
            if words != Words::None {
                self.last = item.said.clone();
                return self.index.requests.push(Request::new(at, words));
            }
        }
        Ok(())
    }

    fn passed_over(&mut self) -> Result<(), NoData> {
        self.index.broken_lines += 1;
        Ok(())
    }

    fn check(&self) -> Result<(), NoData> {
        match (self.read, self.index.broken_lines, self.index.is_cut) {
            (0, 1.., _) => Err(NoData::Broken),
            (0, 0, true) => Err(NoData::Cut),
            _ => Ok(()),
        }
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn index_mut(&mut self) -> &mut Index {
        &mut self.index
    }
}
