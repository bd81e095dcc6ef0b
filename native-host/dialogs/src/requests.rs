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
    /// At most [`MOST_WORDS`] bytes of them. Where that is not all, they end before a space or a line's end, as a
    /// secret of which the half is missing would not be known for one; without any space there are none.
    pub words: String,
    /// When it was asked, if the history says so.
    pub at: Option<Timestamp>,
    is_cut: bool,
}

impl Asked {
    /// Whether there are more words than these.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// A text as far as it is read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) text: String,
    is_cut: bool,
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

    /// Whether the last line is not whole: the program may be writing it.
    pub fn is_cut(&self) -> bool {
        self.index().is_cut
    }

    /// Lines that could not be read and were passed over.
    pub fn broken_lines(&self) -> u64 {
        self.index().broken_lines
    }

    /// The words of a request, counted from 1.
    ///
    /// # Errors
    /// [`Error::NoSuchRequest`]; [`Error::Changed`] when the file was written over since; [`Error::Stopped`] when
    /// `keep_going` says no.
    pub fn get(&self, number: u64, keep_going: &dyn Fn() -> bool) -> Result<Asked, Error> {
        let request = self.request(number)?;
        let Read { text, is_cut } = self.words(&mut self.window(keep_going), &request.words)?;
        Ok(Asked { words: text, at: request.at(), is_cut })
    }

    fn request(&self, number: u64) -> Result<&Request, Error> {
        let requests = &self.index().requests;
        let position = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        position
            .and_then(|position| requests.get(position))
            .ok_or(Error::NoSuchRequest { number, total: requests.len() as u64 })
    }

    /// For texts, one after the other.
    pub(crate) fn window<'w>(&'w self, keep_going: &'w dyn Fn() -> bool) -> Window<'w> {
        Window::new(&self.opened.file, 0, 0, keep_going)
    }

    /// The words at their places, as many as are given.
    pub(crate) fn words(&self, window: &mut Window<'_>, of: &Words) -> Result<Read, Error> {
        let (mut text, mut is_cut) = (String::new(), false);
        for (number, &span) in of.spans().iter().enumerate() {
            if number > 0 && matches!(of, Words::Blocks(_)) {
                // As the programs show them.
                is_cut = text.len() >= MOST_WORDS;
                text.push_str(if is_cut { "" } else { "\n" });
            }
            // Nothing is added behind a gap.
            is_cut = is_cut || piece(window, span, MOST_WORDS - text.len(), &mut text)?;
            if is_cut {
                text.truncate(text.rfind(char::is_whitespace).unwrap_or(0));
                break;
            }
        }
        if matches!(of, Words::Command(_))
            && let Some(command) = unwrapped(&text)
        {
            text = command;
        }
        Ok(Read { text, is_cut })
    }
}

/// Adds as much as has room. Whether there is more.
fn piece(window: &mut Window<'_>, span: Span, most: usize, words: &mut String) -> Result<bool, Error> {
    let read = window.move_to(span.start(), span.end()).and_then(|()| decode(window, most, words));
    read.map_err(|fault| match fault {
        Fault::Io(error) => Error::Io(error),
        Fault::Cut | Fault::Broken | Fault::TooLarge => Error::Changed,
        Fault::Stopped => Error::Stopped,
    })
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
