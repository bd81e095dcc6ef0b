//! Values, one after the other. Whatever is not of the kind that is asked for is passed over.

use std::io::{self, Read as _};

use struson::reader::{
    JsonReader as _, JsonStreamReader, JsonSyntaxError, ReaderError, ReaderSettings, SyntaxErrorKind,
    ValueType,
};

use super::Window;

/// Levels of nesting; what is deeper is broken.
const MOST_DEPTH: u32 = 4_096;
/// Bytes of a member's name or of a number.
const MOST_NAME: usize = 64 * 1024;

/// Why a value cannot be had.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It ends before it is whole.
    Cut,
    /// It is no JSON, or nested too deep.
    Broken,
    /// More is in it than is kept.
    TooLarge,
    /// `keep_going` said no.
    Stopped,
    Io(io::Error),
}

/// Where a string stands in the file, its quotes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Two halves, so that a request is small: there may be hundreds of thousands.
    start: [u32; 2],
    length: u32,
}

impl Span {
    #[allow(clippy::cast_possible_truncation, reason = "the halves of a number")]
    fn new(start: u64, end: u64) -> Result<Self, Fault> {
        let length = u32::try_from(end.saturating_sub(start)).map_err(|_| Fault::Broken)?;
        Ok(Self { start: [(start >> 32) as u32, start as u32], length })
    }

    pub(crate) fn start(self) -> u64 {
        u64::from(self.start[0]) << 32 | u64::from(self.start[1])
    }

    pub(crate) fn length(self) -> u32 {
        self.length
    }

    pub(crate) fn end(self) -> u64 {
        self.start() + u64::from(self.length)
    }
}

/// The beginning of a string, decoded, and where all of it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) head: String,
    pub(crate) span: Span,
}

/// One document: a file, or a line.
pub(crate) struct Json<'w, 'b> {
    reader: JsonStreamReader<&'w mut Window<'b>>,
    /// Where it begins in the file.
    base: u64,
}

impl<'w, 'b> Json<'w, 'b> {
    pub(crate) fn new(window: &'w mut Window<'b>) -> Self {
        Self::with(window, false)
    }

    /// With comments and trailing commas, as people write them in settings.
    pub(crate) fn with_comments(window: &'w mut Window<'b>) -> Self {
        Self::with(window, true)
    }

    fn with(window: &'w mut Window<'b>, is_lenient: bool) -> Self {
        let base = window.position();
        let settings = ReaderSettings {
            allow_comments: is_lenient,
            allow_trailing_comma: is_lenient,
            track_path: false,
            max_nesting_depth: Some(MOST_DEPTH),
            restrict_number_values: false,
            ..ReaderSettings::default()
        };
        Self { reader: JsonStreamReader::new_custom(window, settings), base }
    }

    /// Each member of an object; `false` of what is none. `member` takes the value, or passes over it.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &str) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        if !self.is_next(ValueType::Object)? {
            return self.skip().map(|()| false);
        }
        let mut name = String::new();
        self.check(|reader| reader.begin_object())?;
        while self.check(|reader| reader.has_next())? {
            self.short(|reader| {
                name.clear();
                name.push_str(reader.next_name()?);
                Ok(())
            })?;
            member(self, &name)?;
        }
        self.check(|reader| reader.end_object())?;
        Ok(true)
    }

    /// Each item of an array; `false` of what is none. `item` takes the value, or passes over it.
    pub(crate) fn array(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        if !self.is_next(ValueType::Array)? {
            return self.skip().map(|()| false);
        }
        self.check(|reader| reader.begin_array())?;
        while self.check(|reader| reader.has_next())? {
            item(self)?;
        }
        self.check(|reader| reader.end_array())?;
        Ok(true)
    }

    /// Where a string stands.
    pub(crate) fn span(&mut self) -> Result<Option<Span>, Fault> {
        let is_string = self.is_next(ValueType::String)?;
        let span = self.place()?;
        Ok(is_string.then_some(span))
    }

    /// Where a value of any kind stands.
    pub(crate) fn place(&mut self) -> Result<Span, Fault> {
        self.check(|reader| reader.peek())?;
        let start = self.position();
        self.skip()?;
        Span::new(start, self.position())
    }

    /// A string's beginning of at most `most` bytes.
    pub(crate) fn text(&mut self, most: usize) -> Result<Option<Text>, Fault> {
        if !self.is_next(ValueType::String)? {
            return self.skip().map(|()| None);
        }
        let start = self.position();
        let mut head = Vec::new();
        let read = self.check(|reader| {
            let mut string = reader.next_string_reader()?;
            let read = string.by_ref().take(most as u64).read_to_end(&mut head);
            Ok(read.and_then(|_| io::copy(&mut string, &mut io::sink())))
        })?;
        read.map_err(|error| self.fault_of(&error))?;
        Ok(Some(Text { head: whole_characters(head), span: Span::new(start, self.position())? }))
    }

    pub(crate) fn number(&mut self) -> Result<Option<f64>, Fault> {
        if !self.is_next(ValueType::Number)? {
            return self.skip().map(|()| None);
        }
        self.short(|reader| Ok(reader.next_number_as_str()?.parse().ok()))
    }

    pub(crate) fn flag(&mut self) -> Result<Option<bool>, Fault> {
        if !self.is_next(ValueType::Boolean)? {
            return self.skip().map(|()| None);
        }
        self.check(|reader| reader.next_bool()).map(Some)
    }

    pub(crate) fn skip(&mut self) -> Result<(), Fault> {
        self.check(|reader| reader.skip_value())
    }

    /// What kind of value comes next.
    pub(crate) fn kind(&mut self) -> Result<ValueType, Fault> {
        self.check(|reader| reader.peek())
    }

    fn is_next(&mut self, kind: ValueType) -> Result<bool, Fault> {
        Ok(self.kind()? == kind)
    }

    /// That nothing but space follows.
    ///
    /// # Errors
    /// Something does; what the window says of it comes first.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        self.reader.consume_trailing_whitespace().map_err(|error| fault(&error))
    }

    /// Reads a value again that was passed over.
    pub(crate) fn again<T>(
        &mut self,
        value: Span,
        read: impl FnOnce(&mut Json<'_, '_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut window = self.reader.reader_mut().part(value.start(), value.end());
        let mut json = Json::new(&mut window);
        read(&mut json)
    }

    fn position(&self) -> u64 {
        self.base + self.reader.current_position(false).data_pos.unwrap_or_default()
    }

    /// What is kept, and so must not be long.
    fn short<T>(
        &mut self,
        read: impl FnOnce(&mut JsonStreamReader<&'w mut Window<'b>>) -> Result<T, ReaderError>,
    ) -> Result<T, Fault> {
        self.reader.reader_mut().bound(MOST_NAME);
        let value = self.check(read);
        self.reader.reader_mut().bound(usize::MAX);
        value
    }

    fn check<T>(
        &mut self,
        read: impl FnOnce(&mut JsonStreamReader<&'w mut Window<'b>>) -> Result<T, ReaderError>,
    ) -> Result<T, Fault> {
        read(&mut self.reader).map_err(|error| self.failure().unwrap_or_else(|| fault(&error)))
    }

    /// Of a string's reader, whose errors hold the parser's.
    fn fault_of(&mut self, error: &io::Error) -> Fault {
        let syntax = error.get_ref().and_then(|inner| inner.downcast_ref::<JsonSyntaxError>());
        self.failure().unwrap_or_else(|| syntax.map_or(Fault::Broken, of_syntax))
    }

    fn failure(&mut self) -> Option<Fault> {
        self.reader.reader_mut().failure()
    }
}

fn fault(error: &ReaderError) -> Fault {
    match error {
        ReaderError::SyntaxError(syntax) => of_syntax(syntax),
        _ => Fault::Broken,
    }
}

fn of_syntax(error: &JsonSyntaxError) -> Fault {
    if error.kind == SyntaxErrorKind::IncompleteDocument { Fault::Cut } else { Fault::Broken }
}

fn whole_characters(mut bytes: Vec<u8>) -> String {
    if let Err(error) = std::str::from_utf8(&bytes) {
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// The string at a span: at most `most` bytes of it, added to `words`, and whether there is more, which is not read.
pub(crate) fn decode(window: &mut Window<'_>, most: usize, words: &mut String) -> Result<bool, Fault> {
    let mut json = Json::new(window);
    if !json.is_next(ValueType::String)? {
        return Err(Fault::Broken);
    }
    let mut kept = Vec::new();
    let mut is_left = false;
    let read = json.check(|reader| {
        let mut string = reader.next_string_reader()?;
        let mut piece = [0; 8 * 1024];
        Ok(loop {
            match string.read(&mut piece) {
                Ok(0) => break Ok(()),
                Ok(count) => {
                    let room = most - kept.len();
                    kept.extend_from_slice(&piece[..count.min(room)]);
                    is_left = count > room;
                    if is_left {
                        break Ok(());
                    }
                }
                Err(error) => break Err(error),
            }
        })
    })?;
    read.map_err(|error| json.fault_of(&error))?;
    if !is_left {
        json.finish().map_err(|fault| window.failure().unwrap_or(fault))?;
    }
    words.push_str(&whole_characters(kept));
    Ok(is_left)
}
