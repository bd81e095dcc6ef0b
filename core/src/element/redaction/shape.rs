//! What a value looks like: whether it was made by a machine to be hard to guess, or by a person to be read.

/// What a run of characters is made of.
struct Shape {
    upper: usize,
    lower: usize,
    digits: usize,
    /// Neighbours of different classes: upper, lower, digit.
    changes: usize,
    /// Neighbours of which one is a letter and one a digit.
    flips: usize,
}

fn shape(run: &[u8]) -> Shape {
    let mut shape = Shape { upper: 0, lower: 0, digits: 0, changes: 0, flips: 0 };
    let mut before = 0;
    for byte in run {
        let class = match byte {
            b'a'..=b'z' => 1,
            b'A'..=b'Z' => 2,
            b'0'..=b'9' => 3,
            _ => 0,
        };
        match class {
            1 => shape.lower += 1,
            2 => shape.upper += 1,
            3 => shape.digits += 1,
            _ => {}
        }
        if class != 0 && before != 0 && class != before {
            shape.changes += 1;
            shape.flips += usize::from(class == 3 || before == 3);
        }
        before = class;
    }
    shape
}

const MIN_TOKEN: usize = 24;
const MIN_LONG_TOKEN: usize = 32;
/// A run of letters, digits and `_-+` that switches between classes all the time, as words and names do not.
pub(super) fn is_token(run: &[u8]) -> bool {
    let Shape { upper, lower, digits, changes, flips } = shape(run);
    let is_long = run.len() >= MIN_LONG_TOKEN;
    let is_dense = changes * 3 >= run.len();
    // Letters and digits alone, digits among the letters: hexadecimal, base32.
    let is_solid = upper + lower + digits == run.len() && flips >= 3;
    (is_long && digits >= 4 && changes >= 6 && !is_uuid(run))
        || (is_long && is_solid)
        || (is_long && is_dense && upper.min(lower) >= 4)
        || (run.len() >= MIN_TOKEN && is_dense && upper.min(lower) >= 2 && digits >= 1)
}

/// Whether a part between slashes can belong to base64: words of a path cannot.
pub(super) fn is_dense(part: &[u8]) -> bool {
    let Shape { upper, lower, digits, changes, .. } = shape(part);
    part.len() < 4 || changes * 3 + 1 >= upper + lower + digits
}

/// Whether one of the parts of letters and digits passes.
fn any_part(run: &[u8], test: &dyn Fn(&[u8]) -> bool) -> bool {
    run.split(|b| !b.is_ascii_alphanumeric()).any(test)
}

/// Letters with digits among them, or letters of both cases in turns, as no name has: what stands under a name that
/// may mean a secret.
pub(super) fn is_mixed(value: &str) -> bool {
    !value.contains(char::is_whitespace)
        && any_part(value.as_bytes(), &|part| {
            let Shape { changes, flips, .. } = shape(part);
            (part.len() >= 6 && flips >= 2) || (part.len() >= 10 && changes >= 5)
        })
}

/// Letters and digits, or signs among letters: what stands under a name that means a password, where words may stand
/// too.
pub(super) fn is_password(value: &str) -> bool {
    let Shape { upper, lower, digits, .. } = shape(value.as_bytes());
    let has_sign = value.as_bytes().windows(3).any(|three| {
        matches!(three[1], b'!' | b'#' | b'$' | b'%' | b'^' | b'*' | b'+' | b'~' | b'@')
            && three[0].is_ascii_alphanumeric()
            && three[2].is_ascii_alphanumeric()
    });
    // In the units that JavaScript counts in, for the content script must not differ.
    value.encode_utf16().count() >= 6
        && (digits > 0 || has_sign)
        && upper + lower > 0
        && !value.contains(char::is_whitespace)
}

/// Small letters alone, and many: a pass phrase in one word.
pub(super) fn is_word(value: &str) -> bool {
    value.len() >= 8 && value.bytes().all(|b| b.is_ascii_lowercase())
}

/// A short code: digits, or capital letters with digits.
pub(super) fn is_code(value: &str) -> bool {
    let Shape { digits, lower, .. } = shape(value.as_bytes());
    (3..=12).contains(&value.len())
        && digits >= 2
        && lower == 0
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// What stands behind a known prefix: a part of it has 8 or more letters with digits, 10 digits, or 10 letters of both
/// cases in turns, so that no name is taken.
pub(super) fn is_key(tail: &[u8]) -> bool {
    tail.len() >= 12
        && any_part(tail, &|part| {
            let Shape { digits, upper, lower, changes, .. } = shape(part);
            (part.len() >= 8 && digits > 0 && (upper + lower > 0 || part.len() >= 10))
                || (part.len() >= 10 && changes * 7 >= part.len() * 2)
        })
}

/// What stands behind `Bearer`.
pub(super) fn is_bearer(value: &[u8]) -> bool {
    let Shape { digits, changes, .. } = shape(value);
    value.len() >= 8 && (digits > 0 || changes >= 4)
}

/// What stands behind `Basic` and is no word with a number.
pub(super) fn is_random(value: &[u8]) -> bool {
    let Shape { digits, changes, .. } = shape(value);
    (digits >= 2 && value.len() >= 8 && changes * 4 >= value.len())
        || (digits < 2 && value.len() >= 10 && changes * 3 >= value.len())
}

pub(super) fn is_uuid(run: &[u8]) -> bool {
    run.len() == 36
        && run.iter().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}
