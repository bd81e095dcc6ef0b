//! A part of a file, block by block, as a reader of JSON wants it: a line ends it, if lines are asked for.
//!
//! `JSON.stringify` writes half a character (a lone surrogate) as `\ud83d`, wherever a text was cut in the middle of an
//! emoji. The parser refuses such a document, so each is made `\ufffd` in the block: as long as before, so that places
//! stay.

use std::io::{Error, ErrorKind, Read, Result};
use std::result;

use super::{Bytes, Fault};

const BLOCK: usize = 128 * 1024;
/// Bytes that are read at least: what is wanted next often stands right behind.
const AHEAD: usize = 16 * 1024;
/// `\ud83d\ude00`.
const PAIR: usize = 12;
const ESCAPE: usize = 6;

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// By a line feed.
    Whole,
    /// With the file: it may be one that is being written.
    Open,
}

pub(crate) struct Window<'b> {
    bytes: &'b dyn Bytes,
    keep_going: &'b dyn Fn() -> bool,
    block: Vec<u8>,
    /// Of the block: given away, to be given as it is, all that may be given, and all that was read.
    given: usize,
    ready: usize,
    filled: usize,
    loaded: usize,
    /// In the file, of the block's first byte, and of the first byte that is not given.
    base: u64,
    end: u64,
    is_by_line: bool,
    is_at_line_end: bool,
    /// Bytes that may still be given before it is too much.
    left: usize,
    /// What could not be given, and why: the parser keeps of an error no more than a sentence.
    failed: Option<Fault>,
}

impl<'b> Window<'b> {
    /// From `start` to `end`. `keep_going` is asked before each block.
    pub(crate) fn new(bytes: &'b dyn Bytes, start: u64, end: u64, keep_going: &'b dyn Fn() -> bool) -> Self {
        Self {
            bytes,
            keep_going,
            block: Vec::new(),
            given: 0,
            ready: 0,
            filled: 0,
            loaded: 0,
            base: start,
            end,
            is_by_line: false,
            is_at_line_end: false,
            left: usize::MAX,
            failed: None,
        }
    }

    /// The same, given line by line.
    pub(crate) fn by_line(mut self) -> Self {
        self.is_by_line = true;
        self
    }

    /// Another part of the same file.
    pub(crate) fn part(&self, start: u64, end: u64) -> Self {
        Self::new(self.bytes, start, end, self.keep_going)
    }

    /// Gives another part of the file from now on. What of it stands in the block is not read again: thousands of tiny
    /// texts beside each other cost one block and not thousands.
    ///
    /// # Errors
    /// [`Fault::Stopped`].
    pub(crate) fn move_to(&mut self, start: u64, end: u64) -> result::Result<(), Fault> {
        if !(self.keep_going)() {
            return Err(Fault::Stopped);
        }
        let within = start.checked_sub(self.base).and_then(|at| usize::try_from(at).ok());
        if let Some(at) = within.filter(|at| *at <= self.loaded) {
            self.given = at;
        } else {
            (self.base, self.given, self.loaded) = (start, 0, 0);
        }
        self.end = end.max(start);
        self.ready = self.given;
        self.is_at_line_end = false;
        self.left = usize::MAX;
        self.failed = None;
        self.limit();
        Ok(())
    }

    /// Place in the file of the next byte that is given.
    pub(crate) fn position(&self) -> u64 {
        self.base + self.given as u64
    }

    /// Nothing behind the end is given, though it may be in the block.
    fn limit(&mut self) {
        let most = usize::try_from(self.end.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.filled = self.loaded.min(most);
    }

    /// Whether everything was given.
    pub(crate) fn is_at_end(&mut self) -> result::Result<bool, Fault> {
        if self.given == self.filled {
            self.refill()?;
        }
        Ok(self.given == self.filled)
    }

    /// Whether the line that begins here has nothing in it, as far as it is in the block.
    pub(crate) fn is_blank(&self) -> bool {
        let rest = &self.block[self.given..self.filled];
        rest.strip_prefix(b"\r").unwrap_or(rest).starts_with(b"\n")
    }

    /// No more than so many bytes are given from now on: what should be short must not fill the memory.
    pub(crate) fn bound(&mut self, most: usize) {
        self.left = most;
    }

    /// Why something could not be given, if so.
    pub(crate) fn failure(&mut self) -> Option<Fault> {
        self.failed.take()
    }

    fn fail(&mut self, why: Fault) -> Error {
        self.failed = Some(why);
        // Of a kind that nobody tries again.
        ErrorKind::Other.into()
    }

    /// Passes over what is left of the line.
    pub(crate) fn finish_line(&mut self) -> result::Result<LineEnd, Fault> {
        self.is_at_line_end = false;
        self.left = usize::MAX;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.block[self.given..self.filled]) {
                self.given += at + 1;
                self.ready = self.ready.max(self.given);
                return Ok(LineEnd::Whole);
            }
            self.given = self.filled;
            self.ready = self.filled;
            self.refill()?;
            if self.given == self.filled {
                return Ok(LineEnd::Open);
            }
        }
    }

    /// Reads more behind what is not given yet.
    fn refill(&mut self) -> result::Result<(), Fault> {
        if self.base + self.filled as u64 >= self.end {
            return Ok(());
        }
        if !(self.keep_going)() {
            return Err(Fault::Stopped);
        }
        self.block.copy_within(self.given..self.loaded, 0);
        self.base += self.given as u64;
        self.loaded -= self.given;
        self.ready = self.ready.saturating_sub(self.given);
        self.given = 0;
        let rest = usize::try_from(self.end.saturating_sub(self.base)).unwrap_or(usize::MAX);
        let upto = rest.clamp(AHEAD, BLOCK);
        if self.block.len() < upto {
            self.block.resize(upto, 0);
        }
        while self.loaded < upto.min(rest) {
            let next = self.base + self.loaded as u64;
            match self.bytes.read_at(&mut self.block[self.loaded..upto], next) {
                // Also when it has become shorter meanwhile.
                Ok(0) => {
                    self.end = next;
                    break;
                }
                Ok(count) => self.loaded += count,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Fault::Io(e)),
            }
        }
        self.limit();
        Ok(())
    }

    /// Makes ready what stands in the block and is whole.
    fn mend(&mut self) {
        let is_last = self.base + self.filled as u64 >= self.end;
        while let Some(at) = memchr::memchr(b'\\', &self.block[self.ready..self.filled]) {
            self.ready += at;
            if self.filled - self.ready < PAIR && !is_last {
                return;
            }
            let escape = &mut self.block[self.ready..self.filled];
            let taken = match (unit(escape), escape.get(ESCAPE..).and_then(unit)) {
                (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => PAIR,
                (Some(0xD800..=0xDFFF), _) => {
                    escape[2..ESCAPE].copy_from_slice(b"fffd");
                    ESCAPE
                }
                (Some(_), _) => ESCAPE,
                (None, _) => 2,
            };
            self.ready = self.filled.min(self.ready + taken);
        }
        self.ready = self.filled;
    }
}

/// The UTF-16 code unit that an escape names at the beginning of these bytes.
fn unit(escape: &[u8]) -> Option<u32> {
    let digits = escape.get(..ESCAPE)?.strip_prefix(b"\\u")?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

impl Read for Window<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.is_at_line_end {
            return Ok(0);
        }
        if self.given == self.ready {
            self.mend();
        }
        if self.given == self.ready {
            self.refill().map_err(|why| self.fail(why))?;
            self.mend();
        }
        let mut ready = &self.block[self.given..self.ready];
        ready = &ready[..ready.len().min(buffer.len())];
        if self.is_by_line
            && let Some(at) = memchr::memchr(b'\n', ready)
        {
            ready = &ready[..at];
            self.is_at_line_end = at == 0;
        }
        if ready.len() > self.left {
            return Err(self.fail(Fault::Broken));
        }
        self.left -= ready.len();
        buffer[..ready.len()].copy_from_slice(ready);
        self.given += ready.len();
        Ok(ready.len())
    }
}

impl std::fmt::Debug for Window<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window")
            .field("position", &self.position())
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::json::decode;

    /// A disk that gives a few bytes at a time.
    struct Slow(Vec<u8>);

    impl Bytes for Slow {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
            let most = buffer.len().min(5_003);
            self.0.as_slice().read_at(&mut buffer[..most], offset)
        }
    }

    #[test]
    fn an_escape_at_the_end_of_a_block_is_what_it_is_in_the_middle_of_one() {
        let escapes = r"\\ud83d\ud83d\ude00\ud83d\\\ude00\n\u00e4";
        let characters = "\\ud83d\u{1f600}\u{fffd}\\\u{fffd}\n\u{e4}";
        for before in BLOCK - 50..=BLOCK + 2 {
            let text = Slow(format!("\"{}{escapes}\"", "x".repeat(before)).into_bytes());
            let mut window = Window::new(&text, 0, u64::MAX, &|| true);
            let mut words = String::new();
            assert!(!decode(&mut window, usize::MAX, &mut words).unwrap());
            assert_eq!(&words[before..], characters, "{before}");
        }
    }

    #[test]
    fn a_window_that_is_moved_gives_each_text_as_it_stands_there() {
        let texts = [r#""\ud83d""#, r#""two""#, r#""\ud83d\ude00 and \ude00""#, r#""""#];
        let mut file = String::new();
        let mut places = Vec::new();
        for number in 0..20_000 {
            let text = texts[number % texts.len()];
            places.push((file.len() as u64, (file.len() + text.len()) as u64));
            file += text;
            file += &" ".repeat(number % 30);
        }
        let file = Slow(file.into_bytes());
        let mut window = Window::new(&file, 0, 0, &|| true);
        // Onward, and back.
        for number in (0..places.len()).chain((0..places.len()).rev().step_by(7)) {
            let mut words = String::new();
            window.move_to(places[number].0, places[number].1).unwrap();
            decode(&mut window, usize::MAX, &mut words).unwrap();
            assert_eq!(words, ["\u{fffd}", "two", "\u{1f600} and \u{fffd}", ""][number % 4], "{number}");
        }
        assert!(matches!(window.move_to(places[0].0, places[1].1), Ok(())));
        assert!(matches!(decode(&mut window, 10, &mut String::new()), Err(Fault::Broken)), "two texts");
    }

    #[test]
    fn lines_are_given_one_by_one_wherever_blocks_end() {
        let line = "y".repeat(BLOCK / 3 * 2);
        let text = Slow(format!("{line}\n\n{line}\n{line}").into_bytes());
        let mut window = Window::new(&text, 0, text.0.len() as u64, &|| true).by_line();
        for (expected, end) in
            [(line.len(), LineEnd::Whole), (0, LineEnd::Whole), (line.len(), LineEnd::Whole)]
        {
            let mut given = Vec::new();
            window.read_to_end(&mut given).unwrap();
            assert_eq!((given.len(), window.finish_line().unwrap()), (expected, end));
        }
        assert_eq!(window.position(), line.len() as u64 * 2 + 3);
        assert!(!window.is_at_end().unwrap());
        assert_eq!(window.finish_line().unwrap(), LineEnd::Open);
        assert!(window.is_at_end().unwrap());
    }
}
