//! What a reader does not see, or sees as another sign: a secret is found in spite of it.

use std::borrow::Cow;

/// Without characters of no width, blanks as the usual blank, and full-width signs as the usual ones.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| fold(c) == Some(c)) {
        return Cow::Borrowed(text);
    }
    text.chars().filter_map(fold).collect()
}

fn fold(c: char) -> Option<char> {
    match c {
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => None,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        _ => Some(c),
    }
}
