//! Made-up words and names.

use crate::train::random::Random;

/// A made-up word: two or three syllables.
pub(super) fn word(random: &mut Random) -> String {
    const BEGINNINGS: [&str; 16] = [
        "ba", "cor", "del", "fi", "gra", "hu", "jin", "ka", "lo", "mer", "ni", "por", "ru", "sta", "ti", "vo",
    ];
    const ENDINGS: [&str; 12] =
        ["ble", "cu", "dan", "fer", "ga", "lin", "mo", "na", "rit", "sen", "ta", "va"];
    let first = *random.of(&BEGINNINGS);
    let second = *random.of(&ENDINGS);
    if random.chance(0.4) {
        format!("{first}{second}{}", random.of(&ENDINGS))
    } else {
        format!("{first}{second}")
    }
}

/// What a build tool puts into a name.
pub(super) fn code(length: usize, random: &mut Random) -> String {
    const SIGNS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    (0..length).map(|_| char::from(*random.of(SIGNS))).collect()
}

/// Tags that say about the same as another.
pub(super) fn alternatives(tag: &str) -> Option<&'static [&'static str]> {
    Some(match tag {
        "div" => &["section", "article", "main", "li", "span"],
        "span" => &["div", "b", "em", "p"],
        "section" | "article" | "aside" | "header" | "footer" | "nav" => &["div", "section"],
        "h1" | "h2" | "h3" | "h4" | "h5" => &["h2", "h3", "h4", "div"],
        "b" | "i" | "em" | "strong" => &["span", "strong", "em"],
        "button" => &["a", "button"],
        "ul" | "ol" => &["div", "ul"],
        "li" => &["div", "li"],
        "p" => &["div", "p"],
        _ => return None,
    })
}
