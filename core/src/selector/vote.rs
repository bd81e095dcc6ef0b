//! What several selectors of one element mean together on another page.

use super::matching::fits_simple;
use super::parse::parse;
use super::resolve::resolve_path;
use super::syntax::{Combinator, Path, Simple};
use crate::find;
use crate::page::Page;

/// What a selector rests on, by the shakiest part of it: how it fails, and what it fails together with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Ids and attributes. When they go, nothing fits.
    Names,
    /// Texts, its own or of what is around it. When they are edited, nothing fits.
    Texts,
    /// Class names, or tags alone.
    Classes,
    /// Something that the element or what is around it holds.
    Holds,
    /// A sibling before. When something comes between, it means a neighbour.
    Sibling,
    /// A place that is counted. When a list shifts, it means a neighbour.
    Place,
}

impl Evidence {
    /// Doubled weights, by how seldom selectors of each kind were wrong where they fitted one element.
    fn weight(self) -> u32 {
        match self {
            Self::Names | Self::Texts => 16,
            Self::Holds => 12,
            Self::Classes => 10,
            Self::Sibling => 8,
            Self::Place => 4,
        }
    }

    /// How much of a set one of them is.
    fn part(self) -> u32 {
        if self == Self::Place { 1 } else { 3 }
    }
}

/// What two places, or one sibling, weigh. Where no more than that speaks for an element and something speaks nearly as
/// loudly for another, it was wrong more often than right.
const UNSURE: u32 = 8;

/// What a set of selectors means on a page.
///
/// The rule: each selector that fits exactly one element votes for it, with the more weight the less what it rests on
/// is known to mislead; names and texts most, then what is held, classes, siblings, places. Selectors that rest on the
/// same kind fail together, so each after the first of its kind counts half. One that fits none or several votes for
/// nothing. The element with the greatest weight is the set's; of equals, the one that has the words which the set
/// knows it by, else the one that a selector further to the front means. Where only siblings or places speak for it,
/// others nearly as loudly for another, and it does not have the words that the set knows it by, the set means nothing:
/// then `candidates` alone has what was found. It means nothing either where it is known what the element said, the one
/// that is meant says no word of that, no name of its own (an id, an attribute) speaks for it, and less than three
/// fifths of the set, or one kind alone, do: what stands at the place of an element that is gone is another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vote {
    /// The element that the set agrees on; none when nothing was found, or when it contradicts itself.
    pub node: Option<u32>,
    /// Share of the set that votes for `node`, 0 to 1, a place counting a third; 0 without a node.
    pub support: f32,
    /// The only element that fits the first selector.
    pub first: Option<u32>,
    /// Every element that was voted for with its share of the set, the set's own first; one place alone that others
    /// outweigh has no share.
    pub candidates: Vec<(u32, f32)>,
}

/// What selectors that were made for one element mean on `page`, the best first. One that cannot be read has no vote.
/// `said_before`: what the element said or was called; `None` where whoever asks compares the words itself.
#[must_use]
pub fn vote(page: &Page, selectors: &[String], said_before: Option<&str>) -> Vote {
    let mut asked = Said::default();
    let mut votes: Vec<(u32, Said)> = Vec::new();
    let mut first = None;
    let mut words = Vec::new();
    for (at, selector) in selectors.iter().enumerate() {
        let Ok(path) = parse(selector) else { continue };
        let evidence = evidence(&path);
        asked.add(evidence);
        words.extend(own_words(&path).cloned());
        if let [node] = *resolve_path(page, &path) {
            first = first.or((at == 0).then_some(node));
            let known = votes.iter().position(|vote| vote.0 == node).unwrap_or_else(|| {
                votes.push((node, Said::default()));
                votes.len() - 1
            });
            if let Some(vote) = votes.get_mut(known) {
                vote.1.add(evidence);
                vote.1.is_named |= has_own_name(&path);
            }
        }
    }
    let has_words = |node: u32| words.iter().any(|words| fits_simple(page, node, words));
    // What it is and says outlives its id, which another may have years later.
    let loudness = |&(node, said): &(u32, Said)| 2 * said.weight + u32::from(has_words(node));
    let mut best = 0;
    for (at, vote) in votes.iter().enumerate() {
        if votes.get(best).is_some_and(|best| loudness(vote) > loudness(best)) {
            best = at;
        }
    }
    if best > 0 {
        votes.swap(0, best);
    }
    let is_doubtful = votes.first().is_some_and(|&(node, said)| {
        let rival = votes.iter().skip(1).map(|vote| vote.1.weight).max().unwrap_or(0);
        let is_outshouted = said.weight <= UNSURE && 3 * rival >= 2 * said.weight;
        let is_another = || said_before.is_some_and(|before| says_nothing_of(page, node, before));
        (is_outshouted && !has_words(node)) || (!said.is_named && !said.agrees(asked) && is_another())
    });
    let whole = asked.part.max(1) as f32;
    let best = votes.first().map_or(Said::default(), |vote| vote.1);
    let candidates: Vec<(u32, f32)> = votes
        .iter()
        .map(|&(node, said)| (node, if said.is_outweighed(best) { 0.0 } else { said.part as f32 / whole }))
        .collect();
    let agreed = candidates.first().filter(|_| !is_doubtful);
    Vote {
        node: agreed.map(|agreed| agreed.0),
        support: agreed.map_or(0.0, |agreed| agreed.1),
        first,
        candidates,
    }
}

/// What some selectors say together.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    weight: u32,
    /// How much of a set they are; those that count places are a third.
    part: u32,
    /// A bit for each kind of evidence.
    kinds: u32,
    /// Whether one of them asks for a name that the element itself bears.
    is_named: bool,
}

impl Said {
    /// Whether it is one place alone, against more than that: places from the other end of a list that has changed.
    fn is_outweighed(self, best: Self) -> bool {
        self.part == Evidence::Place.part() && best.part > self.part
    }

    /// Whether most of all that was `asked` says it, and not by one kind alone.
    fn agrees(self, asked: Self) -> bool {
        5 * self.part >= 3 * asked.part && self.kinds.count_ones() > 1
    }

    fn add(&mut self, evidence: Evidence) {
        let kind = 1 << evidence as u32;
        self.weight += if self.kinds & kind == 0 { evidence.weight() } else { evidence.weight() / 2 };
        self.part += evidence.part();
        self.kinds |= kind;
    }
}

/// The tests of texts that the element itself must pass.
pub(super) fn own_words(path: &Path) -> impl Iterator<Item = &Simple> {
    let last = path.0.last().and_then(|segment| segment.0.last());
    last.into_iter().flat_map(|step| &step.compound.0).filter(|simple| matches!(simple, Simple::Text { .. }))
}

/// Whether the element itself is asked for by an id or an attribute.
fn has_own_name(path: &Path) -> bool {
    let last = path.0.last().and_then(|segment| segment.0.last());
    let is_name = |simple: &Simple| matches!(simple, Simple::Id(_) | Simple::Attribute { .. });
    last.is_some_and(|step| step.compound.0.iter().any(is_name))
}

/// Attributes that say what an element is called.
const NAMES: [&str; 5] = ["aria-label", "alt", "title", "placeholder", "value"];
/// Most characters of an element's text that are looked at for a word.
const LOOKED_AT: usize = 2_000;
/// Letters of a word that tells something. It may stand inside of another: `Data tables` and `DataTables`.
const TELLING: usize = 4;

/// Whether there were words, and an element neither says nor is called any of them: none of those that tell something,
/// where there were such. Numbers are no words: they are counted on.
fn says_nothing_of(page: &Page, node: u32, before: &str) -> bool {
    let is_telling = |word: &&str| word.len() >= TELLING;
    let any_tells = words(before).any(|word| is_telling(&word));
    let mut known = words(before).filter(|word| !any_tells || is_telling(word)).peekable();
    if known.peek().is_none() {
        return false;
    }
    let text = page.text(node, LOOKED_AT);
    let said = || NAMES.iter().filter_map(|name| page.attr(node, name)).chain([text.as_str()]);
    let run: String =
        said().flat_map(words).flat_map(|word| [word, if any_tells { "" } else { " " }]).collect();
    let run = run.to_ascii_lowercase();
    let has = |word: &str| {
        let word = word.to_ascii_lowercase();
        if any_tells { find::has(&run, &word) } else { run.split(' ').any(|other| other == word) }
    };
    !known.any(has)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().any(char::is_alphabetic))
}

fn evidence(path: &Path) -> Evidence {
    let steps = || path.0.iter().flat_map(|segment| &segment.0);
    let any = |which: fn(&Simple) -> bool| steps().flat_map(|step| &step.compound.0).any(which);
    let beside = |combinator| matches!(combinator, Combinator::NextSibling | Combinator::LaterSibling);
    if any(|simple| matches!(simple, Simple::Nth { .. })) {
        Evidence::Place
    } else if steps().any(|step| beside(step.combinator)) {
        Evidence::Sibling
    } else if any(|simple| matches!(simple, Simple::Has(_))) {
        Evidence::Holds
    } else if any(|simple| matches!(simple, Simple::Class(_)))
        || !any(|simple| matches!(simple, Simple::Id(_) | Simple::Attribute { .. } | Simple::Text { .. }))
    {
        Evidence::Classes
    } else if any(|simple| matches!(simple, Simple::Text { .. })) {
        Evidence::Texts
    } else {
        Evidence::Names
    }
}
