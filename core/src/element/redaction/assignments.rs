//! Values of secret names: parameters of addresses, cookies, JSON, settings, options of commands.

use std::ops::Range;

use super::lists::VERBS;
use super::names::{Place, Says, is_secret, is_secret_parameter, letter, says};
use super::runs::looked;

/// Most blanks between a name, its sign and its value.
const MAX_BLANKS: usize = 4;
/// How much of a value is looked at where its name is not sure to mean it, in units of UTF-16.
const LOOKED_AT: usize = 256;
/// Most backslashes before a quote: JSON four times in itself has as many.
const MAX_DEPTH: usize = 7;

/// Stands for the sign where a verb is one.
const VERB: u8 = b'i';

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
        let may_be_said = byte == b' ' && length == 1 && !names.ended && !names.name.is_empty();
        let verb = may_be_said.then(|| verb_end(text, after)).flatten();
        if let Some(range) = verb.and_then(|verb| secret_value(text, verb, VERB, false, &names)) {
            at = range.end;
            found.push(range);
            names.clear();
            continue;
        }
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
    if matches!(sign, b':' | VERB) && says < Says::Secret && !names.before.is_empty() {
        says = says.max(self::says(&[names.before.as_str(), names.name.as_str()].concat()));
    }
    if sign == VERB && says == Says::Secret {
        // `The token is base64-encoded.`
        says = Says::Maybe;
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
    // `code is 482 910`: the step of the numbers knows the whole of it.
    let goes_on = || matches!(&text.as_bytes()[value.range.end..], [b' ', b'0'..=b'9', ..]);
    if sign == VERB && says == Says::Code && goes_on() {
        return None;
    }
    let is_secret = (always && value.is_near && !value.is_quoted) || is_secret(says, said, place);
    if !is_secret || value.is_quoted {
        return is_secret.then_some(value.range);
    }
    let start = value.range.start;
    Some(start..value_end(text, start, is_encoded, sign == b'=' && value.is_near, usize::MAX))
}

/// Where the verb ends that begins at `from` and has something behind it.
fn verb_end(text: &str, from: usize) -> Option<usize> {
    let rest = &text.as_bytes()[from..];
    let ends =
        |verb: &&str| rest.starts_with(verb.as_bytes()) && matches!(rest.get(verb.len()), Some(b' ' | b':'));
    let length = VERBS.split(' ').find(ends)?.len();
    // French parts the colon.
    let colon =
        rest[length..].starts_with(b" :").then_some(2).or_else(|| (rest[length] == b':').then_some(1));
    Some(from + length + colon.unwrap_or(0))
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
    if let Some(mark) = mark_at(bytes, from) {
        let end = closing(bytes, &mark);
        let range = mark.end..end;
        return (!range.is_empty()).then_some(Value { range, is_quoted: true, is_near });
    }
    let end = value_end(text, from, is_encoded, sign == b'=' && is_near, LOOKED_AT);
    (end > from).then_some(Value { range: from..end, is_quoted: false, is_near })
}

/// Where a value without quotes ends, or after `most` units of UTF-16. `is_parameter`: it stands right behind a `=`.
fn value_end(text: &str, from: usize, is_encoded: bool, is_parameter: bool, most: usize) -> usize {
    let mut units = 0;
    for (at, c) in text[from..].char_indices() {
        looked(1);
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

/// A quote, with the backslashes before it: `\\"` in JSON that stands in JSON.
struct Mark {
    end: usize,
    quote: u8,
    /// Length of the quote alone: 1, or 3 and 5 when it is percent-encoded once or twice.
    width: usize,
    /// Number of backslashes before it. One that is encoded more often than the quote says nothing of it.
    depth: usize,
}

/// The mark that begins at `from`.
fn mark_at(bytes: &[u8], from: usize) -> Option<Mark> {
    // By how often what follows may be encoded.
    let mut depths = [0; 3];
    let mut at = from;
    while at < bytes.len() {
        let (byte, width) = unit(bytes, at);
        at += width;
        match byte {
            b'\\' => {
                for (encoded, depth) in depths.iter_mut().enumerate() {
                    *depth = if width / 2 > encoded { 0 } else { *depth + 1 };
                }
            }
            b'"' | b'\'' | b'`' => {
                let depth = depths[width / 2];
                return (depth <= MAX_DEPTH).then_some(Mark { end: at, quote: byte, width, depth });
            }
            _ => return None,
        }
    }
    None
}

/// Where a quoted value ends: at the same mark, not at one behind more backslashes; else the text was cut, or the line
/// ends it.
///
/// Two marks are the same by three small numbers. So there are few kinds of them, those of one kind are looked for in
/// stretches that do not overlap, and all of them together take time in proportion to the text's length.
fn closing(bytes: &[u8], mark: &Mark) -> usize {
    let mut at = mark.end;
    let mut run = 0;
    let mut run_start = at;
    while at < bytes.len() {
        let (byte, length) = unit(bytes, at);
        if byte == b'\\' && length <= mark.width {
            if run == 0 {
                run_start = at;
            }
            run += 1;
        } else {
            // Two backslashes are one of the value, and one more is the quote's: at every depth of JSON in JSON.
            let is_mark =
                byte == mark.quote && length == mark.width && run % (2 * (mark.depth + 1)) == mark.depth;
            if is_mark {
                let mut end = if run == 0 { at } else { run_start };
                for _ in mark.depth..run {
                    end += unit(bytes, end).1;
                }
                return end;
            }
            run = 0;
        }
        at += length;
    }
    let rest = &bytes[mark.end..];
    looked(rest.len());
    rest.iter().position(|b| *b == b'\n').map_or(bytes.len(), |length| mark.end + length)
}

/// The character at `at`, also when it is percent-encoded once or twice, and its length. Of those beyond ASCII a byte.
fn unit(bytes: &[u8], at: usize) -> (u8, usize) {
    let digit = |at: usize| match bytes.get(at) {
        Some(b @ b'0'..=b'9') => Some(b - b'0'),
        Some(b @ b'a'..=b'f') => Some(b - b'a' + 10),
        Some(b @ b'A'..=b'F') => Some(b - b'A' + 10),
        _ => None,
    };
    looked(1);
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
