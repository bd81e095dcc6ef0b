//! Escapes in strings and names, in the notations that addresses are written in.

use crate::unseen::is_unseen;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Css,
    /// JavaScript, and what is like it.
    Script,
    /// Knows no escapes.
    XPath,
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
}

/// As its reader reads it: in CSS `\3a ` and `\:` are both a colon.
pub(super) fn unescaped(written: &str, notation: Notation) -> String {
    if notation == Notation::XPath {
        return written.to_owned();
    }
    let mut out = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (c, length) = match notation {
            Notation::Script => script(after),
            _ => css(after),
        };
        out.extend(c);
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character that is meant by what follows a backslash, and how long that is.
fn css(after: &str) -> (Option<char>, usize) {
    let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        return itself(after);
    }
    let blank = after.as_bytes().get(digits).is_some_and(u8::is_ascii_whitespace);
    (character(after.get(..digits)), digits + usize::from(blank))
}

fn script(after: &str) -> (Option<char>, usize) {
    let (skip, most) = match after.as_bytes() {
        [b'x', ..] => (1, 2),
        [b'u', b'{', ..] => (2, usize::MAX),
        [b'u', ..] => (1, 4),
        [b'n', ..] => return (Some('\n'), 1),
        [b't', ..] => return (Some('\t'), 1),
        _ => return itself(after),
    };
    let digits = after.bytes().skip(skip).take(most).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        return itself(after);
    }
    let end = skip + digits;
    let is_closed = skip == 2 && after.as_bytes().get(end) == Some(&b'}');
    (character(after.get(skip..end)), end + usize::from(is_closed))
}

fn itself(after: &str) -> (Option<char>, usize) {
    let c = after.chars().next();
    (c, c.map_or(0, char::len_utf8))
}

fn character(digits: Option<&str>) -> Option<char> {
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    Some(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Length of the name at the beginning, with its escapes.
pub(super) fn name_length(text: &str, also: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match c {
            '\\' => {
                let after = text.get(at + 1..).unwrap_or_default();
                at += 1 + if after.starts_with("u{") { script(after) } else { css(after) }.1;
            }
            c if is_name(c) || also.contains(c) => at += c.len_utf8(),
            _ => break,
        }
    }
    super::look::count(at);
    at.min(text.len())
}

pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_') || is_unseen(c)
}
