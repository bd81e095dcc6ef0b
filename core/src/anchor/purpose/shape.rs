//! What a text looks like.

use super::words;
use crate::anchor::survey::Survey;

/// What a text looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::anchor) enum Shape {
    #[default]
    Nothing,
    Number,
    Money,
    Share,
    /// A day or a time.
    Date,
    /// Digits and words.
    Mixed,
    /// One to three words.
    Words,
    Phrase,
    Long,
}

impl Shape {
    /// That of a number as it is kept.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        let each = [
            Self::Nothing,
            Self::Number,
            Self::Money,
            Self::Share,
            Self::Date,
            Self::Mixed,
            Self::Words,
            Self::Phrase,
            Self::Long,
        ];
        each.get(usize::from(number)).copied()
    }

    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let (from, to) = survey.text_range(node);
        if from == to {
            return Self::Nothing;
        }
        let text = survey.page.text(node, 120);
        let count = text.split_whitespace().count();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        match count {
            _ if digits > 0 && text.contains(['$', '€', '£', '¥']) && count < 6 => Self::Money,
            _ if digits > 0 && text.contains('%') && count < 4 => Self::Share,
            0..8 if survey.page.tag(node) == "time" || is_date(&text) => Self::Date,
            _ if digits > 0 && letters == 0 => Self::Number,
            0..7 if digits > 0 => Self::Mixed,
            0..4 => Self::Words,
            4..10 => Self::Phrase,
            _ => Self::Long,
        }
    }

    pub(in crate::anchor) fn like(self, other: Self) -> f32 {
        let far = (self as i32 - other as i32).abs();
        match (self == other, self, other) {
            (true, ..) => 1.0,
            (_, Self::Words | Self::Phrase | Self::Long, Self::Words | Self::Phrase | Self::Long)
                if far == 1 =>
            {
                0.6
            }
            (
                _,
                Self::Number | Self::Money | Self::Share | Self::Date | Self::Mixed,
                Self::Number | Self::Money | Self::Share | Self::Date | Self::Mixed,
            ) => 0.4,
            _ => 0.0,
        }
    }
}

/// Words of days and times.
const DAYS: &str = "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september \
                    october november december ago";
/// Those that need no number.
const NEAR: &str = "yesterday today";

fn is_date(text: &str) -> bool {
    let mut says_day = false;
    for word in text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2) {
        if words::is_among(NEAR, word) {
            return true;
        }
        says_day |= words::is_among(DAYS, word);
    }
    let bytes = text.as_bytes();
    let is_digit = |byte: u8| byte.is_ascii_digit();
    // `9:40`, `14/03`.
    let parts =
        bytes.windows(3).any(|part| is_digit(part[0]) && matches!(part[1], b':' | b'/') && is_digit(part[2]));
    parts || (says_day && bytes.iter().any(u8::is_ascii_digit))
}
