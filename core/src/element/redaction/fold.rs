//! What a reader does not see, or sees as another sign: a secret is found in spite of it.

use std::borrow::Cow;

use crate::unseen::is_unseen;

/// Without characters of no width and control characters; blanks and hyphens as the usual ones, and full-width signs
/// too. Of white space that leaves blanks, tabs and line ends.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| fold(c) == Some(c)) {
        return Cow::Borrowed(text);
    }
    text.chars().filter_map(fold).collect()
}

fn fold(c: char) -> Option<char> {
    match c {
        // Nearly all: no list is gone through.
        ' '..='~' | '\t' | '\n' | '\r' => Some(c),
        '\u{b}'
        | '\u{c}'
        | '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => Some(' '),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{2010}'..='\u{2015}' => Some('-'),
        '\0'..='\u{9f}' => None,
        _ if is_unseen(c) => None,
        _ => Some(c),
    }
}
