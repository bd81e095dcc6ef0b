//! The hash inside of stored anchors: it must stay the same for ever, so it is written out here.

/// What a hash is about, so that the same text as a class and as a word gives two numbers.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Tag = 1,
    Id,
    Class,
    Attribute,
    Text,
    Word,
    Path,
    Content,
}

/// 64-bit FNV-1a with a last mix.
pub(super) fn wide(kind: Kind, parts: &[&str]) -> u64 {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325 ^ (kind as u64);
    let mut eat = |byte: u8| state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for part in parts {
        part.bytes().for_each(&mut eat);
        eat(0xff); // never part of UTF-8
    }
    mix(state)
}

pub(super) fn mix(mut state: u64) -> u64 {
    state ^= state >> 33;
    state = state.wrapping_mul(0xff51_afd7_ed55_8ccd);
    state ^= state >> 33;
    state
}

/// The upper half of [`wide`].
pub(super) fn of(kind: Kind, parts: &[&str]) -> u32 {
    (wide(kind, parts) >> 32) as u32
}

/// One number from several, in order.
pub(super) fn join(kind: Kind, numbers: impl IntoIterator<Item = u64>) -> u64 {
    let start = 0x9e37_79b9_7f4a_7c15 ^ (kind as u64);
    numbers.into_iter().fold(start, also)
}

/// One more number for [`join`].
pub(super) fn also(state: u64, number: u64) -> u64 {
    mix(state.rotate_left(5) ^ number).wrapping_mul(0x100_0000_01b3)
}

/// The words of a text, ASCII letters in lower case (the tables for all of Unicode cost 6 KB of WASM), without
/// punctuation around them.
pub(super) fn words(text: &str) -> impl Iterator<Item = u32> {
    let mut rest = text;
    std::iter::from_fn(move || next_word(&mut rest))
}

/// The first word of `rest`, which is then what comes after it. One function for all that reads words.
#[inline(never)]
fn next_word(rest: &mut &str) -> Option<u32> {
    while !rest.is_empty() {
        let (word, after) = rest.split_once(|c: char| !c.is_alphanumeric()).unwrap_or((rest, ""));
        *rest = after;
        if !word.is_empty() {
            return Some(of(Kind::Word, &[&word.to_ascii_lowercase()]));
        }
    }
    None
}
