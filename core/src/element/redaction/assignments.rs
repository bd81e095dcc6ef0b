//! Values of secret names: parameters of addresses, cookies, JSON, settings, options of commands.

use std::ops::Range;

use super::names::{Place, Says, is_secret, is_secret_parameter, letter, says};

/// Most blanks between a name, its sign and its value.
const MAX_BLANKS: usize = 4;
/// How much of a value is looked at where its name is not sure to mean it, in units of UTF-16.
const LOOKED_AT: usize = 256;

/// The names read so far.
#[derive(Default)]
struct Names {
    /// The last one, normalised.
    name: String,
    /// The word before it, when one blank parts them: `API key`.
    before: String,
    /// Something has stood between the last one and here.
    ended: bool,
    blanks: usize,
    /// It began with a hyphen.
    is_option: bool,
}

impl Names {
    fn clear(&mut self) {
        *self = Self::default();
    }

    fn push(&mut self, c: char) {
        // `headers["api-key"]`
        if self.ended && c == ']' {
            return;
        }
        if self.ended {
            let before = std::mem::take(&mut self.name);
            let blanks = self.blanks;
            self.clear();
            if blanks == 1 {
                self.before = before;
            }
        }
        if self.name.is_empty() {
            self.is_option |= c == '-';
        }
        self.name.extend(letter(c));
    }

    fn part(&mut self, blanks: usize) {
        self.blanks += blanks;
        self.ended = true;
        if self.blanks > MAX_BLANKS {
            self.clear();
        }
    }
}

/// Where a value is, and what says so.
struct Value {
    range: Range<usize>,
    is_quoted: bool,
    /// It stands right behind the sign.
    is_near: bool,
}

/// The values that are secrets by their names.
pub(super) fn assignments(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut names = Names::default();
    let mut at = 0;
    while at < bytes.len() {
        let (byte, mut length) = unit(bytes, at);
        let is_sign = match byte {
            b'=' | b':' => true,
            // `--password secret`, `"--password", "secret"`
            b' ' => names.is_option && !names.ended,
            b',' => names.is_option && names.ended,
            _ => false,
        };
        let after = at + length;
        match byte {
            _ if is_sign && !names.name.is_empty() => {
                if let Some(range) = secret_value(text, after, byte, length > 1, &names) {
                    at = range.end;
                    found.push(range);
                } else {
                    at = after;
                }
                names.clear();
                continue;
            }
            b' ' | b'\t' | b'\\' => names.part(1),
            // Quotes part as two blanks do.
            b'"' | b'\'' | b'`' => names.part(2),
            b'_' | b'.' | b'-' | b'[' | b']' | b'%' => names.push(char::from(byte)),
            _ => {
                // Beyond ASCII a byte begins a character.
                let c =
                    if byte.is_ascii() { char::from(byte) } else { text[at..].chars().next().unwrap_or(' ') };
                length = length.max(c.len_utf8());
                if letter(c).is_some() { names.push(c) } else { names.clear() }
            }
        }
        at += length;
    }
    found
}

/// The secret value that stands from `from`, behind the sign.
fn secret_value(text: &str, from: usize, sign: u8, is_encoded: bool, names: &Names) -> Option<Range<usize>> {
    // `a == b` compares, `://` begins an address.
    if matches!(text.as_bytes().get(from), Some(b'=')) || text[from..].starts_with("//") {
        return None;
    }
    let near = sign == b'=' && !names.ended;
    let always = near && is_secret_parameter(&names.name);
    let mut says = says(&names.name);
    if sign == b':' && says < Says::Secret && !names.before.is_empty() {
        says = says.max(self::says(&[names.before.as_str(), names.name.as_str()].concat()));
    }
    if !always && says == Says::Nothing {
        return None;
    }
    let value = find_value(text, from, sign, is_encoded)?;
    let said = &text[value.range.clone()];
    let place = match () {
        () if value.is_quoted && sign != b',' => Place::Value,
        () if sign == b':' && is_line_end(&text[value.range.end..]) => Place::Line,
        () => Place::Sentence,
    };
    let is_secret = (always && value.is_near && !value.is_quoted) || is_secret(says, said, place);
    if !is_secret || value.is_quoted {
        return is_secret.then_some(value.range);
    }
    let start = value.range.start;
    Some(start..value_end(text, start, is_encoded, sign == b'=' && value.is_near, usize::MAX))
}

/// Whether nothing follows in the line.
fn is_line_end(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t', '\r']).chars().next().is_none_or(|c| c == '\n')
}

fn find_value(text: &str, sign_end: usize, sign: u8, is_encoded: bool) -> Option<Value> {
    let bytes = text.as_bytes();
    let mut from = sign_end;
    // `=>` and `:=`
    if matches!((sign, bytes.get(from)), (b'=', Some(b'>')) | (b':', Some(b'='))) {
        from += 1;
    }
    let most = from + MAX_BLANKS;
    while from < most && matches!(bytes.get(from), Some(b' ' | b'\t')) {
        from += 1;
    }
    let is_near = from == sign_end;
    if let Some(inside) = quote_end(bytes, from) {
        let mark = &bytes[from..inside];
        let end = closing(bytes, inside, mark);
        return (end > inside).then_some(Value { range: inside..end, is_quoted: true, is_near });
    }
    let end = value_end(text, from, is_encoded, sign == b'=' && is_near, LOOKED_AT);
    (end > from).then_some(Value { range: from..end, is_quoted: false, is_near })
}

/// Where a value without quotes ends, or after `most` units of UTF-16. `is_parameter`: it stands right behind a `=`.
fn value_end(text: &str, from: usize, is_encoded: bool, is_parameter: bool, most: usize) -> usize {
    let mut units = 0;
    for (at, c) in text[from..].char_indices() {
        units += c.len_utf16();
        let c = if is_encoded && c == '%' { char::from(unit(text.as_bytes(), from + at).0) } else { c };
        let ends = matches!(c, '&' | ';' | '"' | '\'' | '<' | '>')
            || c.is_whitespace()
            || (is_parameter && c == '#')
            || (!is_parameter && matches!(c, ',' | '}' | ']' | ')'))
            || units > most;
        if ends {
            return from + at;
        }
    }
    text.len()
}

/// The end of the quote that begins at `from`, with the backslashes before it.
fn quote_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < bytes.len() {
        let (byte, length) = unit(bytes, at);
        at += length;
        match byte {
            b'\\' => {}
            b'"' | b'\'' | b'`' => return Some(at),
            _ => return None,
        }
    }
    None
}

/// Where a quoted value ends: at the same quote, not at one behind a backslash; else the text was cut, or the line ends it.
fn closing(bytes: &[u8], from: usize, mark: &[u8]) -> usize {
    let mut at = from;
    while at < bytes.len() {
        if bytes[at..].starts_with(mark) {
            return at;
        }
        at += if mark.len() == 1 && bytes[at] == b'\\' && at + 1 < bytes.len() && bytes[at + 1].is_ascii() {
            2
        } else {
            1
        };
    }
    bytes[from..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |length| from + length)
}

/// The character at `at`, also when it is percent-encoded once or twice, and its length. Of those beyond ASCII a byte.
fn unit(bytes: &[u8], at: usize) -> (u8, usize) {
    let digit = |at: usize| match bytes.get(at) {
        Some(b @ b'0'..=b'9') => Some(b - b'0'),
        Some(b @ b'a'..=b'f') => Some(b - b'a' + 10),
        Some(b @ b'A'..=b'F') => Some(b - b'A' + 10),
        _ => None,
    };
    let raw = bytes[at];
    if raw != b'%' {
        return (raw, 1);
    }
    let twice = if bytes[at + 1..].starts_with(b"25") { 3 } else { 1 };
    for skip in [twice, 1] {
        if let (Some(high @ 0..8), Some(low)) = (digit(at + skip), digit(at + skip + 1)) {
            return (high << 4 | low, skip + 2);
        }
    }
    (raw, 1)
}
