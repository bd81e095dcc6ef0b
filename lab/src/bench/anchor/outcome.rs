//! What a method says about a target, in one form for all methods.

use crate::bench::groups::Grouped;
use crate::corpus::{Pair, Part, Target};

/// What became of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Said {
    /// It is there as it was, wherever it stands now.
    AsItWas,
    Changed,
    Ambiguous,
    Missing,
}

/// The outcome of one target by one method.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The element, or what is most like it if the method does not commit itself.
    pub(super) guess: Option<u32>,
    /// For an ambiguous one: all that it may be.
    pub(super) among: Vec<u32>,
    pub(super) said: Said,
    /// How sure it is that the element is there; any scale, greater is surer.
    pub(super) presence: f32,
    /// The chance, by its own word, that what it said is right; of methods that tell.
    pub(super) confidence: Option<f32>,
    /// How likely it is that the element changed; of methods that tell.
    pub(super) change: Option<f32>,
}

/// One target of one pair, and what was said about it.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) set: String,
    pub(super) part: Part,
    pub(super) target: Target,
    pub(super) answer: Answer,
}

impl Grouped for Case {
    fn set(&self) -> &str {
        &self.set
    }

    fn part(&self) -> Part {
        self.part
    }
}

impl Case {
    pub(super) fn of(pair: &Pair, target: Target, answer: Answer) -> Self {
        Self { set: pair.set.clone(), part: pair.part, target, answer }
    }

    pub(super) fn present(&self) -> bool {
        self.target.new.is_some()
    }

    /// The element is there, and taken for it is the right one.
    pub(super) fn right_element(&self) -> bool {
        self.present() && self.answer.guess == self.target.new
    }

    /// Another element than the right one, or any when it is gone.
    pub(super) fn wrong_element(&self) -> bool {
        self.answer.guess.is_some() && self.answer.guess != self.target.new
    }

    /// Whether what was said is right: the element that is shown, one of those it may be, or that it is gone.
    pub(super) fn right_verdict(&self) -> bool {
        match self.answer.said {
            Said::AsItWas | Said::Changed => self.right_element(),
            Said::Ambiguous => self.target.new.is_some_and(|new| self.answer.among.contains(&new)),
            Said::Missing => !self.present(),
        }
    }
}
