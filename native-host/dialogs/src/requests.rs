//! The requests of one dialog: how many, when, and their words, read from the file when they are asked for.

use std::sync::Arc;

use opentoolbar_core::model::Timestamp;
use opentoolbar_leaves::files::Opened;

use crate::error::Error;
use crate::index::{Index, Request, Words};
use crate::json::{Fault, Span, Window, decode};
use crate::memory::Kept;
use crate::sources::unwrapped;

/// Bytes of a request's words that are given.
pub const MOST_WORDS: usize = 1024 * 1024;
/// Characters of a preview.
pub const MOST_PREVIEW: usize = 80;

/// Of one dialog, as its history was when this was made.
#[derive(Debug)]
pub struct Requests {
    pub(crate) opened: Opened,
    pub(crate) kept: Arc<Kept>,
}

/// What the person asked, word for word and with what is secret in it: whoever hands it on redacts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// At most [`MOST_WORDS`] bytes of them.
    pub words: String,
    /// Characters of all.
    pub characters: u64,
    /// When it was asked, if the history says so.
    pub at: Option<Timestamp>,
}

impl Asked {
    /// Whether there are more words than these.
    pub fn is_cut(&self) -> bool {
        self.characters > self.words.chars().count() as u64
    }
}

impl Requests {
    fn index(&self) -> &Index {
        self.kept.index()
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.index().requests.len() as u64
    }

    /// The dialog's title, as the history says it.
    pub fn title(&self) -> Option<&str> {
        self.index().title.as_deref()
    }

    /// When the dialog began, if the history says so: VS Code's do.
    pub fn created(&self) -> Option<Timestamp> {
        self.index().created
    }

    /// When its last message was, if the history says so: VS Code's older ones do.
    pub fn last_message(&self) -> Option<Timestamp> {
        self.index().last_message
    }

    /// Whether the last line is not whole: the program may be writing it.
    pub fn is_cut(&self) -> bool {
        self.index().is_cut
    }

    /// Lines that could not be read and were passed over.
    pub fn broken_lines(&self) -> u64 {
        self.index().broken_lines
    }

    /// When a request was made, if the history says so; counted from 1.
    ///
    /// # Errors
    /// [`Error::NoSuchRequest`].
    pub fn at(&self, number: u64) -> Result<Option<Timestamp>, Error> {
        self.request(number).map(Request::at)
    }

    /// The words of a request, counted from 1.
    ///
    /// # Errors
    /// [`Error::NoSuchRequest`]; [`Error::Changed`] when the file was written over since.
    pub fn get(&self, number: u64) -> Result<Asked, Error> {
        let request = self.request(number)?;
        let (words, characters) = self.words(&request.words, MOST_WORDS)?;
        Ok(Asked { words, characters, at: request.at() })
    }

    /// The first line of the first request, of at most 80 characters, and when it was made.
    ///
    /// # Errors
    /// [`Error::NoRequests`]; as for [`Requests::get`].
    pub fn first(&self) -> Result<(String, Option<Timestamp>), Error> {
        let request = self.index().requests.first().ok_or(Error::NoRequests)?;
        // A line may be long, and spaces may stand before it.
        let (words, _) = self.words(&request.words, MOST_WORDS)?;
        Ok((preview(&words), request.at()))
    }

    fn request(&self, number: u64) -> Result<&Request, Error> {
        let requests = &self.index().requests;
        let position = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        position
            .and_then(|position| requests.get(position))
            .ok_or(Error::NoSuchRequest { number, total: requests.len() as u64 })
    }

    /// Words, and how many characters all of them have.
    pub(crate) fn words(&self, of: &Words, most: usize) -> Result<(String, u64), Error> {
        let mut words = String::new();
        let mut characters = 0;
        for &span in of.spans() {
            let piece = self.piece(span, most.saturating_sub(words.len()), &mut words)?;
            characters += piece;
        }
        if matches!(of, Words::Command(_))
            && let Some(command) = unwrapped(&words)
        {
            characters = command.chars().count() as u64;
            words = command;
        }
        Ok((words, characters))
    }

    pub(crate) fn piece(&self, span: Span, most: usize, words: &mut String) -> Result<u64, Error> {
        let going = || true;
        let end = span.start() + u64::from(span.length());
        let mut window = Window::new(&self.opened.file, span.start(), end, &going);
        decode(&mut window, most, words).map_err(|fault| match fault {
            Fault::Io(error) => Error::Io(error),
            Fault::Cut | Fault::Broken => Error::Changed,
            Fault::Stopped => Error::Stopped,
        })
    }
}

/// The first line with something in it, cut to [`MOST_PREVIEW`] characters.
pub fn preview(words: &str) -> String {
    let line = words.trim_start().lines().next().unwrap_or_default().trim_end();
    if line.chars().nth(MOST_PREVIEW).is_none() {
        return line.to_owned();
    }
    let kept: String = line.chars().take(MOST_PREVIEW - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::preview;

    #[test]
    fn a_preview_is_the_first_line_with_something_in_it_and_has_80_characters_at_most() {
        assert_eq!(preview("\n  Fix the button\r\nand the form"), "Fix the button");
        let exact = "ä".repeat(80);
        assert_eq!(preview(&exact), exact);
        assert_eq!(preview(&"ä".repeat(81)), format!("{}…", "ä".repeat(79)));
        assert_eq!(preview(" \n "), "");
    }
}
