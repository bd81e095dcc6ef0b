//! What an element is for: what kind of thing it is, what it is called, under which heading and in which region of its
//! page it stands, and what the page said beside it. Who builds a page anew changes tags, classes and places, and keeps
//! that.
//!
//! Knows nothing of verdicts. `compare` says how alike two are, `redesign` beside this room what follows from it.

mod classify;
mod compare;
mod kind;
mod region;
mod said;
mod shape;
mod words;

use super::survey::Survey;
pub(super) use compare::{SIGHTS, Sights, TOLD, compare, group, shared};
pub(super) use kind::{Kind, Kinds};
pub(super) use region::Region;
pub(super) use said::Said;
pub(super) use shape::Shape;

/// Words of each list that are kept.
const NAME: usize = 8;
const NAMES: usize = 12;
const HEADING: usize = 5;

/// What version 6 of anchors added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Purpose {
    pub(super) kind: Kind,
    pub(super) region: Region,
    pub(super) shape: Shape,
    /// How many elements of its kind the page has, at most 255.
    pub(super) of_kind: u8,
    /// How far down its page it begins, in 255ths of all nodes.
    pub(super) at: u8,
    /// Words of what it is called: its text, or the names of what is in it. Hashes, sorted, as all of these.
    pub(super) called: Vec<u16>,
    /// Words of its names: class, id, address, file, field, and its tag if it is the page's own.
    pub(super) names: Vec<u16>,
    /// The first heading in it.
    pub(super) heading: Vec<u16>,
    /// The heading that it stands under.
    pub(super) under: Vec<u16>,
    /// What is just before it and just after it: what kind of thing, and what that is called.
    pub(super) beside: [(Kind, Vec<u16>); 2],
    /// The class names and the texts of its page.
    pub(super) said: Said,
}

impl Purpose {
    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let kinds = classify::kinds(survey);
        let kind = kinds.of(node);
        let page = survey.page;
        let all = u64::from(page.len().max(1));
        Self {
            kind,
            region: Region::of(page, node),
            shape: Shape::of(survey, node),
            of_kind: kinds.count(kind),
            at: u8::try_from(u64::from(node) * 255 / all).unwrap_or(u8::MAX),
            called: words::called(survey, node, NAME),
            names: words::names(page, node, NAMES),
            heading: words::heading_in(survey, kinds, node, HEADING),
            under: words::heading_above(survey, kinds, node, HEADING),
            beside: words::beside(survey, kinds, node),
            said: Said::default(),
        }
    }

    /// Seven bytes, the lists, each with its length before it, and all that its page said.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let [before, after] = &self.beside;
        let kinds = [self.kind, before.0, after.0].map(|kind| kind as u8);
        let mut bytes = vec![self.region as u8, self.shape as u8, self.of_kind, self.at];
        bytes.extend(kinds);
        for words in [&self.called, &self.names, &self.heading, &self.under, &before.1, &after.1] {
            bytes.push(u8::try_from(words.len()).unwrap_or(u8::MAX));
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes.extend(self.said.bytes());
        bytes
    }

    /// What [`Purpose::to_bytes`] wrote; nothing of other bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[region, shape, of_kind, at, kind, before, after], mut rest) = bytes.split_first_chunk()?;
        let mut words = || -> Option<Vec<u16>> {
            let (&count, after) = rest.split_first()?;
            let (words, after) = after.split_at_checked(2 * usize::from(count))?;
            rest = after;
            let (pairs, _) = words.as_chunks();
            let words: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
            (words.len() <= NAMES && words.is_sorted()).then_some(words)
        };
        let [called, names, heading, under] = [words()?, words()?, words()?, words()?];
        let beside = [(Kind::from_number(before)?, words()?), (Kind::from_number(after)?, words()?)];
        let (kind, region, shape) =
            (Kind::from_number(kind)?, Region::from_number(region)?, Shape::from_number(shape)?);
        let said = Said::from_bytes(rest)?;
        Some(Self { kind, region, shape, of_kind, at, called, names, heading, under, beside, said })
    }
}

#[cfg(test)]
mod tests;
