//! Looking for words in all dialogs, from the newest to the oldest, as long as it is wanted.

mod cursor;
mod snippet;

use opentoolbar_core::model::Timestamp;
use regex::{Regex, RegexBuilder};

pub(crate) use cursor::order;
pub use cursor::{Cursor, NoCursor};

use crate::dialog::{Dialog, Scope, Source};
use crate::error::Error;
use crate::index::{Answer, Words};
use crate::requests::Requests;

/// Words that are looked for, and bytes of all.
const MOST_TERMS: usize = 16;
const MOST_QUERY: usize = 1_000;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    terms: Vec<Regex>,
    /// In which dialogs.
    pub scope: Scope,
    /// Of which program; of all without it.
    pub source: Option<Source>,
    /// Hits of one page.
    pub most: usize,
    /// Where the page before ended.
    pub after: Option<Cursor>,
    /// What is told of a text in which the words are; they must be in that too. The text itself, where nothing is said.
    pub clean: fn(&str) -> String,
}

impl Query {
    /// Texts that have all of these words, in whatever case; `None` when there is no word, or too many.
    pub fn new(text: &str, scope: Scope) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() || words.len() > MOST_TERMS || text.len() > MOST_QUERY {
            return None;
        }
        let term = |word: &&str| RegexBuilder::new(&regex::escape(word)).case_insensitive(true).build().ok();
        let terms = words.iter().map(term).collect::<Option<_>>()?;
        Some(Self { terms, scope, source: None, most: 20, after: None, clean: str::to_owned })
    }

    /// Where the first word stands in a text that has all.
    fn hit(&self, text: &str) -> Option<std::ops::Range<usize>> {
        let (first, others) = self.terms.split_first()?;
        let hit = first.find(text)?.range();
        others.iter().all(|term| term.is_match(text)).then_some(hit)
    }
}

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person, in a request.
    Person,
    /// The agent, in an answer. Looked for where a program's history has answers as plain texts: Claude Code, Codex.
    Agent,
}

/// A text with all the words.
#[derive(Clone, Debug)]
pub struct Hit {
    /// In which dialog.
    pub dialog: Dialog,
    /// Its title, if there is one.
    pub title: Option<String>,
    /// Whose words they are.
    pub speaker: Speaker,
    /// The request, or the one that was answered, counted from 1; 0 before the first.
    pub request: u64,
    /// When that request was made, if the history says so.
    pub at: Option<Timestamp>,
    /// About 160 characters around the first word, in one line, of the text as it is told.
    pub snippet: String,
}

/// A page of hits, and how far it came.
#[derive(Debug, Default)]
pub struct Found {
    /// From the newest dialog to the oldest.
    pub hits: Vec<Hit>,
    /// Dialogs of the scope that were looked through to their end, on this page and those before.
    pub looked_through: usize,
    /// Dialogs of the scope.
    pub dialogs: usize,
    /// Dialogs of this page whose history cannot be had.
    pub unreadable: usize,
    /// Where the next page begins; `None` when all was looked through.
    pub next: Option<Cursor>,
    /// Whether it ended because it was not wanted any longer.
    pub was_stopped: bool,
}

/// Looks through dialogs, the newest first.
pub(crate) fn search(
    dialogs: Vec<Dialog>,
    query: &Query,
    keep_going: &dyn Fn() -> bool,
    open: impl Fn(&Dialog) -> Result<Requests, Error>,
) -> Found {
    let mut found = Found { dialogs: dialogs.len(), ..Found::default() };
    for dialog in dialogs {
        let from = match query.after.as_ref().map(|after| after.step_in(&dialog)) {
            Some(None) => {
                found.looked_through += 1;
                continue;
            }
            Some(Some(step)) => step,
            None => 0,
        };
        let ended = match open(&dialog) {
            Ok(requests) => through(&dialog, &requests, query, from, keep_going, &mut found),
            Err(Error::Stopped) => Some((from, true)),
            Err(_) => {
                found.unreadable += 1;
                None
            }
        };
        if let Some((step, was_stopped)) = ended {
            found.next = Some(Cursor::new(&dialog, step));
            found.was_stopped = was_stopped;
            return found;
        }
        found.looked_through += 1;
    }
    found
}

/// Texts of one dialog, from a step on. Gives the step at which it was left, and whether it was stopped there.
fn through(
    dialog: &Dialog,
    requests: &Requests,
    query: &Query,
    from: usize,
    keep_going: &dyn Fn() -> bool,
    found: &mut Found,
) -> Option<(usize, bool)> {
    let index = requests.kept.index();
    let mut answers = index.answers.iter().copied().peekable();
    let mut window = requests.window(keep_going);
    let mut step = 0;
    for number in 0..=index.requests.len() {
        let mut texts: Vec<(Speaker, Words)> = Vec::new();
        if let Some(request) = number.checked_sub(1).and_then(|position| index.requests.get(position)) {
            texts.push((Speaker::Person, request.words.clone()));
        }
        while let Some(Answer { span, .. }) = answers.next_if(|answer| answer.after as usize <= number) {
            texts.push((Speaker::Agent, Words::One(span)));
        }
        for (speaker, words) in texts {
            step += 1;
            if step <= from {
                continue;
            }
            if !keep_going() {
                return Some((step - 1, true));
            }
            if found.hits.len() >= query.most {
                return Some((step - 1, false));
            }
            let text = match requests.words(&mut window, &words) {
                Ok(read) => read.text,
                Err(Error::Stopped) => return Some((step - 1, true)),
                // Written over meanwhile: what is left of it cannot be told either.
                Err(_) => {
                    found.unreadable += 1;
                    return None;
                }
            };
            if query.hit(&text).is_none() {
                continue;
            }
            let text = (query.clean)(&text);
            let Some(hit) = query.hit(&text) else { continue };
            let of = number.checked_sub(1).and_then(|position| index.requests.get(position));
            found.hits.push(Hit {
                dialog: dialog.clone(),
                title: index.title.clone().or_else(|| dialog.title.clone()),
                speaker,
                request: number as u64,
                at: of.and_then(crate::index::Request::at),
                snippet: snippet::snippet(&text, &hit),
            });
        }
    }
    None
}
