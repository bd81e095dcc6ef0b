//! What a reader does not see, or sees as another sign: a secret is found in spite of it.

use std::borrow::Cow;

use crate::unseen::is_unseen;

/// Without characters of no width; blanks and hyphens as the usual ones, and full-width signs too.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| fold(c) == Some(c)) {
        return Cow::Borrowed(text);
    }
    text.chars().filter_map(fold).collect()
}

fn fold(c: char) -> Option<char> {
    match c {
        // Nearly all: no list is gone through.
        '\0'..='\u{9f}' => Some(c),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{2010}'..='\u{2015}' => Some('-'),
        _ if is_unseen(c) => None,
        _ => Some(c),
    }
}
