//! Which elements are gone for certain: their keys, their words and everything of their kind are nowhere on the newer
//! page.

use std::collections::HashSet;

use super::document::{Document, Group};
use super::keys;
use super::matched::Matched;
use super::texts::Words;

/// Most elements in something that is called gone.
const LARGEST: usize = 60;
/// Most of its words that anything on the newer page may say.
const SHARED: f32 = 0.34;

/// An element that is gone, and what went with it: few are taken of each.
pub(super) struct Gone {
    pub(super) at: usize,
    pub(super) with: usize,
}

/// What the newer page has.
struct Later<'p> {
    new: &'p Document,
    texts: HashSet<String>,
    /// Everything it says, in one text.
    all: String,
    ids: HashSet<&'p str>,
    names: HashSet<&'p str>,
    addresses: HashSet<String>,
    files: HashSet<String>,
}

pub(super) fn find(old: &Document, new: &Document, matched: &Matched) -> Vec<Gone> {
    let later = Later::of(new);
    let mut found = Vec::new();
    for at in old.shown() {
        let known = matched.new_of(at).is_some() || matched.disputed.contains(&at);
        if known || !later.lacks(old, at) {
            continue;
        }
        let with = named(old, at)
            .or_else(|| section(old, at, &later))
            .or_else(|| under(old, at, &later))
            .or_else(|| {
                // It, or something small that it was in, left its known neighbours standing side by side.
                let above = old.ancestors(at).take(4).take_while(|&above| {
                    let element = &old.elements[above];
                    matched.new_of(above).is_none() && element.in_body && element.size < 40
                });
                std::iter::once(at).chain(above).find(|&whole| {
                    (whole == at || later.lacks_words(old, whole)) && is_closed(old, new, whole, matched)
                })
            });
        found.extend(with.map(|with| Gone { at, with }));
    }
    found
}

impl<'p> Later<'p> {
    fn of(new: &'p Document) -> Self {
        let shown = || new.shown().map(|at| &new.elements[at]);
        let all: Vec<String> =
            shown().filter(|one| !one.own.is_empty()).map(|one| one.own.to_lowercase()).collect();
        let values = |name: &'static str| shown().filter_map(move |one| one.attribute(name));
        Self {
            new,
            texts: shown().map(|one| one.text.to_lowercase()).collect(),
            all: all.join("\n"),
            ids: values("id").collect(),
            names: values("name").collect(),
            addresses: values("href").filter_map(keys::address).collect(),
            files: values("src").filter_map(keys::file).collect(),
        }
    }

    /// Neither its keys nor its words are there, and it is something of which that can be said.
    fn lacks(&self, old: &Document, at: usize) -> bool {
        let element = &old.elements[at];
        if element.size > LARGEST || !element.visible {
            return false;
        }
        let has = |set: &HashSet<&str>, name: &str| {
            element.attribute(name).is_some_and(|value| set.contains(value))
        };
        let leads = element.attribute("href").and_then(keys::address);
        let shows = element.attribute("src").and_then(keys::file);
        if has(&self.ids, "id")
            || has(&self.names, "name")
            || leads.is_some_and(|address| self.addresses.contains(&address))
            || shows.as_ref().is_some_and(|file| self.files.contains(file))
        {
            return false;
        }
        match element.group() {
            Group::Image => shows.is_some() && element.attribute("alt").is_some_and(|alt| alt.len() > 3),
            Group::Control => element.attribute("name").is_some() || element.attribute("id").is_some(),
            Group::Box | Group::Other => false,
            _ => {
                let least =
                    if matches!(element.tag.as_str(), "span" | "strong" | "code" | "small") { 10 } else { 4 };
                (least..1_200).contains(&element.text.len())
                    && element.words.long > 0
                    && self.lacks_words(old, at)
            }
        }
    }

    /// Nothing says the same, or much of it.
    fn lacks_words(&self, old: &Document, at: usize) -> bool {
        let element = &old.elements[at];
        let text = element.text.to_lowercase();
        if element.words.is_empty()
            || self.texts.contains(&text)
            || (text.len() < 200 && self.all.contains(&text))
        {
            return false;
        }
        let akin = |words: &Words| words.shared(&element.words) >= SHARED;
        !self.new.shown().map(|at| &self.new.elements[at]).any(|one| {
            one.text.len() < 600
                && (one.group() == element.group() || !one.own.is_empty())
                && akin(&one.words)
        })
    }
}

/// It had a name of its own, a link's address or a heading's id, which is as absent as its words.
fn named(old: &Document, at: usize) -> Option<usize> {
    let element = &old.elements[at];
    let has_name = match element.group() {
        Group::Action => element.attribute("href").and_then(keys::address).is_some(),
        Group::Heading | Group::Term => element.attribute("id").is_some() && element.tag != "h1",
        _ => false,
    };
    // A menu that is another one altogether counts as one part.
    has_name.then(|| element.parent.and_then(|parent| old.elements[parent].parent).unwrap_or(at))
}

/// What stood below a heading that is gone.
fn under(old: &Document, at: usize, later: &Later<'_>) -> Option<usize> {
    let (parent, place) = old.place(at)?;
    let before = old.elements[parent].kids[..place].iter().rev().copied();
    let heading = before.take(12).find(|&kid| old.elements[kid].group() == Group::Heading)?;
    (named(old, heading).is_some() && later.lacks(old, heading)).then_some(heading)
}

/// The nearest part with an id, when it went with all that it said.
fn section(old: &Document, at: usize, later: &Later<'_>) -> Option<usize> {
    let part = old.ancestors(at).take_while(|&above| old.elements[above].in_body).find(|&above| {
        let element = &old.elements[above];
        element.group() == Group::Box && element.attribute("id").is_some() && element.size < 500
    })?;
    let element = &old.elements[part];
    if element.attribute("id").is_some_and(|id| later.ids.contains(id)) {
        return None;
    }
    // Elements are in document order: what is in it follows it.
    let inside = &old.elements[part..part + element.size];
    let says: Vec<_> = inside.iter().filter(|one| one.own.len() >= 12).collect();
    let kept = |own: &str| later.all.contains(&own.to_lowercase());
    let all_gone = says.len() >= 2 && !says.iter().any(|one| kept(&one.own));
    let heading = element.kids.iter().find(|&&kid| old.elements[kid].group() == Group::Heading);
    (all_gone && heading.is_none_or(|&heading| later.lacks_words(old, heading))).then_some(part)
}

/// Between its known neighbours nothing stands that was not there before.
fn is_closed(old: &Document, new: &Document, at: usize, matched: &Matched) -> bool {
    let Some((parent, place)) = old.place(at) else { return false };
    let Some(there) = matched.new_of(parent) else { return false };
    let (kids, there_kids) = (&old.elements[parent].kids, &new.elements[there].kids);
    let before = kids[..place].iter().rev().find_map(|&kid| matched.new_of(kid));
    let after = kids[place + 1..].iter().find_map(|&kid| matched.new_of(kid));
    let place_of = |kid: usize| there_kids.iter().position(|&one| one == kid);
    let gap = match (before, after) {
        (None, None) => return false,
        (Some(before), None) => place_of(before).map(|from| (from + 1, there_kids.len())),
        (None, Some(after)) => place_of(after).map(|to| (0, to)),
        (Some(before), Some(after)) => {
            place_of(before).and_then(|from| place_of(after).map(|to| (from + 1, to)))
        }
    };
    gap.is_some_and(|(from, to)| from == to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::pages::matched;

    fn gone(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (Document::of_body(old), Document::of_body(new));
        let matched = matched::by_keys(&old, &new);
        find(&old, &new, &matched).into_iter().map(|gone| old.elements[gone.at].text.clone()).collect()
    }

    const MENU: &str = "<ul id=m><li id=a>Opening hours</li><li id=b>Directions and parking</li></ul>";

    #[test]
    fn what_left_its_neighbours_side_by_side_is_gone() {
        let old = MENU.replace("<li id=b>", "<li>Members only</li><li id=b>");
        assert_eq!(gone(&old, MENU), ["Members only"]);
    }

    #[test]
    fn what_something_else_took_the_place_of_may_have_been_rewritten() {
        let old = MENU.replace("<li id=b>", "<li>Members only</li><li id=b>");
        let new = MENU.replace("<li id=b>", "<li>For everybody</li><li id=b>");
        assert!(gone(&old, &new).is_empty());
    }

    #[test]
    fn what_is_said_elsewhere_is_not_gone() {
        let old = MENU.replace("<li id=b>", "<li>Members only</li><li id=b>");
        assert!(gone(&old, &format!("{MENU}<p>Here are members only</p><p>Members only</p>")).is_empty());
    }

    #[test]
    fn a_link_whose_address_and_words_are_nowhere_is_gone() {
        assert_eq!(gone("<a href=/shop>Our shop</a><p>Text</p>", "<p>Text</p>"), ["Our shop"]);
        assert!(gone("<a href=/shop>Our shop</a>", "<a href=/shop>Everything to buy</a>").is_empty());
    }
}
