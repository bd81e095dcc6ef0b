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
