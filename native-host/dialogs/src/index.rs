//! What is kept of a history: of each request its moment and where its words stand, never the words.

use std::ops::Deref;

use opentoolbar_core::model::Timestamp;

use crate::error::NoData;
use crate::json::Span;

/// What is kept of one history, of its requests and of its answers: places of texts, of at most 24 bytes. A power of
/// two, as a list that grows doubles: 3 MB and no more.
pub(crate) const MOST_SPANS: usize = 1 << 17;
/// What a list of parts costs beside them, in places.
const LIST: usize = 4;
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
    /// The same, each in lines of its own.
    #[allow(clippy::box_collection, reason = "8 bytes of a request and not 24")]
    Blocks(Box<Vec<Span>>),
    /// A command with what was written behind it, as Claude Code wraps it.
    Command(Span),
}

impl Words {
    /// Of parts.
    pub(crate) fn of(mut spans: Vec<Span>) -> Self {
        match spans.len() {
            0 => Self::None,
            1 => spans.pop().map_or(Self::None, Self::One),
            _ => {
                spans.shrink_to_fit();
                Self::Parts(Box::new(spans))
            }
        }
    }

    /// Of the blocks of a message.
    pub(crate) fn of_blocks(spans: Vec<Span>) -> Self {
        match Self::of(spans) {
            Self::Parts(spans) => Self::Blocks(spans),
            other => other,
        }
    }

    /// Leaves so many of its parts, and adds these.
    pub(crate) fn push(&mut self, keep: Option<usize>, more: Vec<Span>) {
        let mut spans = match std::mem::replace(self, Self::None) {
            Self::Parts(spans) => *spans,
            other => other.spans().to_vec(),
        };
        spans.truncate(keep.unwrap_or(spans.len()));
        spans.extend(more);
        // Not each time: a log may add one part a line, and many lines.
        if spans.capacity() > spans.len() * 2 + LIST {
            spans.shrink_to_fit();
        }
        *self = match spans.len() {
            0 | 1 => Self::of(spans),
            _ => Self::Parts(Box::new(spans)),
        };
    }

    /// What it takes beside its request.
    fn cost(&self) -> usize {
        match self {
            Self::None | Self::One(_) | Self::Command(_) => 0,
            Self::Parts(spans) | Self::Blocks(spans) => spans.len() + LIST,
        }
    }

    pub(crate) fn spans(&self) -> &[Span] {
        match self {
            Self::None => &[],
            Self::One(span) | Self::Command(span) => std::slice::from_ref(span),
            Self::Parts(spans) | Self::Blocks(spans) => spans,
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

/// The requests of a history, in their order: no more than are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestList {
    requests: Vec<Request>,
    /// What they take, in places.
    cost: usize,
}

impl RequestList {
    pub(crate) fn push(&mut self, request: Request) -> Result<(), NoData> {
        self.grow(1 + request.words.cost())?;
        self.requests.push(request);
        Ok(())
    }

    pub(crate) fn pop(&mut self) {
        self.truncate(self.requests.len().saturating_sub(1));
    }

    pub(crate) fn truncate(&mut self, keep: usize) {
        let gone = self.requests.get(keep..).unwrap_or_default();
        self.cost -= gone.iter().map(|request| 1 + request.words.cost()).sum::<usize>();
        self.requests.truncate(keep);
    }

    pub(crate) fn extend(&mut self, more: Self) -> Result<(), NoData> {
        self.grow(more.cost)?;
        self.requests.extend(more.requests);
        Ok(())
    }

    /// Changes one.
    ///
    /// # Errors
    /// There is none, or it became too much.
    pub(crate) fn change(&mut self, n: usize, change: impl FnOnce(&mut Request)) -> Result<(), NoData> {
        let request = self.requests.get_mut(n).ok_or(NoData::Broken)?;
        self.cost -= request.words.cost();
        change(request);
        let cost = request.words.cost();
        self.grow(cost)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.requests.shrink_to_fit();
    }

    fn grow(&mut self, by: usize) -> Result<(), NoData> {
        if by > MOST_SPANS.saturating_sub(self.cost) {
            return Err(NoData::TooLarge);
        }
        self.cost += by;
        Ok(())
    }
}

impl Deref for RequestList {
    type Target = [Request];

    fn deref(&self) -> &[Request] {
        &self.requests
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
    pub(crate) requests: RequestList,
    /// In the order of the file, where they stand in it as they are.
    pub(crate) answers: Vec<Answer>,
    pub(crate) title: Option<String>,
    /// Lines that could not be read and say nothing of the others.
    pub(crate) broken_lines: u64,
    /// Whether the last line is not whole.
    pub(crate) is_cut: bool,
}

impl Index {
    /// What it takes, in places.
    pub(crate) fn cost(&self) -> usize {
        self.requests.cost + self.answers.len()
    }

    /// Beyond those that are kept they are not searched.
    pub(crate) fn answer(&mut self, span: Span) {
        if self.answers.len() < MOST_SPANS
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
