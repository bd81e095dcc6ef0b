//! What is kept of a history: of each request its moment and where its words stand, never the words.

use opentoolbar_core::model::Timestamp;

use crate::error::NoData;
use crate::json::Span;

/// Requests of one history that are kept, and answers. 24 bytes each.
pub(crate) const MOST_REQUESTS: usize = 500_000;
pub(crate) const MOST_ANSWERS: usize = 500_000;
/// Bytes of a title.
pub(crate) const MOST_TITLE: usize = 400;

/// Where the words of a request stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    None,
    One(Span),
    /// Parts that make a text together. Boxed, as a request must be small and few have parts.
    #[allow(clippy::box_collection, reason = "8 bytes of a request and not 24")]
    Parts(Box<Vec<Span>>),
    /// A command with what was written behind it, as Claude Code wraps it.
    Command(Span),
}

impl Words {
    /// Of parts.
    pub(crate) fn of(mut spans: Vec<Span>) -> Self {
        match spans.len() {
            0 => Self::None,
            1 => spans.pop().map_or(Self::None, Self::One),
            _ => Self::Parts(Box::new(spans)),
        }
    }

    pub(crate) fn spans(&self) -> &[Span] {
        match self {
            Self::None => &[],
            Self::One(span) | Self::Command(span) => std::slice::from_ref(span),
            Self::Parts(spans) => spans,
        }
    }
}

/// One thing that the person asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Milliseconds since the epoch; the largest number when the history does not say.
    at: u64,
    pub(crate) words: Words,
}

impl Request {
    pub(crate) fn new(at: Option<Timestamp>, words: Words) -> Self {
        Self { at: at.map_or(u64::MAX, |at| at.0), words }
    }

    pub(crate) fn at(&self) -> Option<Timestamp> {
        (self.at != u64::MAX).then_some(Timestamp(self.at))
    }

    pub(crate) fn set_at(&mut self, at: Option<Timestamp>) {
        self.at = at.map_or(u64::MAX, |at| at.0);
    }
}

/// What an agent said after so many requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) after: u32,
    pub(crate) span: Span,
}

/// Of a whole history.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) requests: Vec<Request>,
    /// In the order of the file, where they stand in it as they are.
    pub(crate) answers: Vec<Answer>,
    pub(crate) title: Option<String>,
    /// When it began, and when its last message was, if the history says so by itself.
    pub(crate) created: Option<Timestamp>,
    pub(crate) last_message: Option<Timestamp>,
    /// Lines that could not be read and say nothing of the others.
    pub(crate) broken_lines: u64,
    /// Whether the last line is not whole.
    pub(crate) is_cut: bool,
}

impl Index {
    pub(crate) fn push(&mut self, request: Request) -> Result<(), NoData> {
        if self.requests.len() >= MOST_REQUESTS {
            return Err(NoData::TooLarge);
        }
        self.requests.push(request);
        Ok(())
    }

    /// Beyond those that are kept they are not searched.
    pub(crate) fn answer(&mut self, span: Span) {
        if self.answers.len() < MOST_ANSWERS
            && let Ok(after) = u32::try_from(self.requests.len())
        {
            self.answers.push(Answer { after, span });
        }
    }
}

/// Milliseconds since the epoch, as JavaScript has them.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in the range of both")]
pub(crate) fn moment(number: Option<f64>) -> Option<Timestamp> {
    // Until the year 9999.
    number
        .filter(|number| (0.0..=253_402_300_799_999.0).contains(number))
        .map(|number| Timestamp(number as u64))
}
