//! Which anchors may be of one element: several comments on it, each made when it said something else.
//!
//! Anchors that were made on one page are of one element when they were made at one place. Those of different pages, or
//! of one page in different states, are no witnesses that their elements are two, unless one of them knows that the
//! other's was there as well.

use std::cell::OnceCell;

use super::fingerprint::{AROUND, Anchor, Fingerprint};
use super::hash::{self, Kind};
use super::parts::Part;
use super::strings::short_text;

/// Tags of what a list is made of: what stands at the place of a row may be another row.
const ROWS: [&str; 5] = ["li", "tr", "option", "article", "dd"];
/// Elements above in which a row is looked for.
const ROW_LEVELS: usize = 4;

/// An anchor as it is compared with others.
pub(super) struct Identity<'a> {
    anchor: &'a Anchor,
    /// Its place and its content: the same number for the comments that were made on one element as it was.
    pub(super) key: u64,
    told: OnceCell<Told>,
}

/// What an element says, in words that have a letter: numbers come and go.
struct Told {
    /// Hashes of the text nodes that say no more than a part of the anchor keeps.
    texts: Vec<u32>,
    words: Vec<String>,
}

impl<'a> Identity<'a> {
    pub(super) fn new(anchor: &'a Anchor) -> Self {
        let base = &anchor.base;
        let key = hash::join(Kind::Path, [base.path, u64::from(base.content)]);
        Self { anchor, key, told: OnceCell::new() }
    }

    /// Whether both may be of one element. The same the other way round.
    pub(super) fn may_be(&self, other: &Self) -> bool {
        let (one, two) = (self.anchor, other.anchor);
        let is_at_path = one.base.path == two.base.path;
        if self.key == other.key {
            return true;
        }
        // Anchors of version 1 do not know their page.
        match (one.context.whole, two.context.whole) {
            (0, _) | (_, 0) => false,
            (a, b) if a == b => is_at_path,
            _ if self.saw(other) || other.saw(self) => false,
            _ if is_at_path => self.is_at_place_of(other),
            _ => self.has_moved_to(other),
        }
    }

    /// Whether both were made on one page, of two elements.
    pub(super) fn is_surely_another(&self, other: &Self) -> bool {
        let whole = self.anchor.context.whole;
        whole != 0 && whole == other.anchor.context.whole && !self.may_be(other)
    }

    /// Whether its page had the other's element too, beside its own: it said elsewhere what tells that from all else on
    /// its own page.
    fn saw(&self, other: &Self) -> bool {
        let mut telling = other.told().texts.iter().filter(|&&text| !other.says_elsewhere(text)).peekable();
        telling.peek().is_some() && telling.all(|&text| self.says_elsewhere(text))
    }

    /// Whether what stands at one place in the tree is one element.
    fn is_at_place_of(&self, other: &Self) -> bool {
        if self.is_one_of_many() || other.is_one_of_many() {
            return self.is_of_item_of(other) || self.says_what_tells(other);
        }
        let shares_words = self.shares_words(other);
        if self.is_named_otherwise(other) && !shares_words {
            return false;
        }
        shares_words || self.is_amid_same(other)
    }

    /// Whether elements at different places in the tree are one that was moved, or got another tag.
    fn has_moved_to(&self, other: &Self) -> bool {
        let (one, two) = (&self.anchor.base, &other.anchor.base);
        let is_inside_of_same =
            one.depth == two.depth && one.place == two.place && one.ancestors == two.ancestors;
        if one.tag != two.tag && !is_inside_of_same {
            return false;
        }
        let is_alike = self.says_what_tells(other)
            || self.is_named_as(other)
            || (one.content == two.content && one.text_hash != 0)
            || (self.shares_words(other) && self.is_amid_same(other));
        let is_one_of_many = self.is_one_of_many() || other.is_one_of_many();
        is_alike && (!is_one_of_many || self.is_of_item_of(other))
    }

    /// Whether it is one of a list, or in one, or one of several that are the same.
    fn is_one_of_many(&self) -> bool {
        let base = &self.anchor.base;
        let is_row = |tag: u32| ROWS.iter().any(|row| hash::of(Kind::Tag, &[row]) == tag);
        self.anchor.context.twins > 0
            || ROWS.contains(&base.tag.as_str())
            || base.ancestors.iter().take(ROW_LEVELS).any(|step| is_row(step.tag))
    }

    /// Whether both say a text that neither page said elsewhere.
    fn says_what_tells(&self, other: &Self) -> bool {
        let theirs = &other.told().texts;
        let is_telling = |text: u32| !self.says_elsewhere(text) && !other.says_elsewhere(text);
        self.told().texts.iter().any(|&text| theirs.contains(&text) && is_telling(text))
    }

    fn shares_words(&self, other: &Self) -> bool {
        let theirs = &other.told().words;
        self.told().words.iter().any(|word| theirs.contains(word))
    }

    /// Whether they belong to one card, row or fieldset: what it says beside them is mostly the same.
    fn is_of_item_of(&self, other: &Self) -> bool {
        let (one, two) = (&self.anchor.context.item_texts, &other.anchor.context.item_texts);
        !one.is_empty() && !two.is_empty() && are_mostly_same(one, two)
    }

    /// Whether what stands around them is mostly the same.
    fn is_amid_same(&self, other: &Self) -> bool {
        let around = |of: &Self| [of.anchor.base.before.as_slice(), &of.anchor.base.after].concat();
        are_mostly_same(&around(self), &around(other))
    }

    /// Its id and the names that tests and forms call it by.
    fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        let names = self.anchor.base.attributes.iter().map(|(name, value)| (name.as_str(), value.hash));
        names.filter(|(name, _)| {
            matches!(*name, "id" | "name" | "data-cy" | "data-qa") || name.starts_with("data-test")
        })
    }

    fn is_named_as(&self, other: &Self) -> bool {
        self.names().any(|name| other.names().any(|other| other == name))
    }

    fn is_named_otherwise(&self, other: &Self) -> bool {
        let differs = |(name, value)| other.names().any(|other| other.0 == name && other.1 != value);
        self.names().any(differs)
    }

    /// Whether its page said a text outside of the element, as far as the anchor knows.
    fn says_elsewhere(&self, text: u32) -> bool {
        let Fingerprint { base, context, purpose, .. } = &**self.anchor;
        let lists = [&base.before, &base.after, &context.item_texts];
        // Of a small page the anchor knows all texts; of a larger one whether there was one, nearly always rightly.
        let is_cut = base.before.len() >= AROUND || base.after.len() >= AROUND;
        let mut landmarks = context.before.iter().chain(&context.after);
        lists.into_iter().any(|list| list.contains(&text))
            || landmarks.any(|one| one.text == text)
            || (is_cut && purpose.as_ref().is_some_and(|purpose| purpose.said.has(text)))
    }

    fn told(&self) -> &Told {
        self.told.get_or_init(|| {
            let start = self.anchor.base.text.start.as_str();
            let has_letter = |text: &&str| text.contains(char::is_alphabetic);
            let own = self.anchor.parts.is_empty().then_some(start);
            let texts = self.anchor.parts.iter().flat_map(Part::texts).chain(own).filter(has_letter);
            let words = start.split(|c: char| !c.is_alphanumeric()).filter(has_letter);
            Told {
                texts: texts.map(short_text).collect(),
                words: words.map(str::to_ascii_lowercase).collect(),
            }
        })
    }
}

fn are_mostly_same(one: &[u32], two: &[u32]) -> bool {
    let (few, many) = if one.len() < two.len() { (one, two) } else { (two, one) };
    let same = few.iter().filter(|&text| many.contains(text)).count();
    few.is_empty() || 2 * same > few.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

    use super::*;
    use crate::page::Page;
    use crate::page::arbitrary::{Piece, el, page, text};

    /// A page that says how often it was used, so that each is another one.
    fn used(times: u32, pieces: Vec<Piece>) -> Page {
        let mut all = vec![el("h1", &[], vec![text("Desk")]), el("p", &[], vec![text(&times.to_string())])];
        all.extend(pieces);
        all.push(el("footer", &[], vec![text("Open at nine")]));
        page(all)
    }

    /// The anchor of the `nth` element of a tag, counted from one.
    fn made(page: &Page, tag: &str, nth: usize) -> Anchor {
        let node = page.elements().filter(|&node| page.tag(node) == tag).nth(nth - 1).unwrap();
        Anchor::of(page, node, &[""]).unwrap()
    }

    fn may_be(one: &Anchor, two: &Anchor) -> bool {
        let (a, b) = (Identity::new(one), Identity::new(two));
        assert_eq!(a.may_be(&b), b.may_be(&a), "the same the other way round");
        a.may_be(&b)
    }

    fn button(name: &str, words: &str) -> Piece {
        el("button", &[("id", name)], vec![text(words)])
    }

    fn rows(words: &[&str]) -> Vec<Piece> {
        vec![el("ul", &[], words.iter().map(|words| el("li", &[], vec![text(words)])).collect())]
    }

    #[test]
    fn what_was_at_one_place_of_one_page_is_one_element_and_nothing_else_of_it_is() {
        let form = |title: &str| used(1, vec![el("a", &[("title", title)], vec![]), el("b", &[], vec![])]);
        let (one, two) = (form("on"), form("off"));
        assert!(may_be(&made(&one, "a", 1), &made(&two, "a", 1)));
        assert!(!may_be(&made(&one, "a", 1), &made(&two, "b", 1)));
        let both = used(1, vec![button("x", "Save"), button("x", "Save")]);
        assert!(!may_be(&made(&both, "button", 1), &made(&both, "button", 2)));
    }

    #[test]
    fn what_was_at_one_place_of_two_pages_may_be_one_unless_its_names_and_words_are_others() {
        let at =
            |times: u32, name: &str, words: &str| made(&used(times, vec![button(name, words)]), "button", 1);
        assert!(may_be(&at(1, "go", "Basket (0)"), &at(2, "go", "Basket (2)")));
        assert!(may_be(&at(1, "go", "Save"), &at(2, "go", "Keep")), "amid the same");
        assert!(may_be(&at(1, "go", "Save it"), &at(2, "on", "Save all")), "of other names");
        assert!(!may_be(&at(1, "go", "Save"), &at(2, "on", "Keep")));
    }

    #[test]
    fn another_page_at_the_same_place_of_the_tree_is_another_element() {
        let view = |of: &str, items: [&str; 4]| {
            let items = items.iter().map(|words| el("p", &[], vec![text(words)]));
            page([vec![el("h1", &[], vec![text(of)])], items.collect()].concat())
        };
        let goods = made(&view("Goods", ["Mug", "Plate", "Bowl", "Cup"]), "h1", 1);
        let people = made(&view("People", ["Ann", "Bob", "Cy", "Di"]), "h1", 1);
        assert!(!may_be(&goods, &people));
        let renamed = made(&view("Wares", ["Mug", "Plate", "Bowl", "Jug"]), "h1", 1);
        assert!(may_be(&goods, &renamed));
        let all = made(&view("All goods", ["Jar", "Pan", "Lid", "Jug"]), "h1", 1);
        assert!(may_be(&goods, &all), "a word in common");
    }

    #[test]
    fn a_row_at_the_place_of_another_is_another_when_either_page_had_both_or_nothing_is_as_it_was() {
        let row = |times: u32, words: &[&str], nth: usize| made(&used(times, rows(words)), "li", nth);
        let all = ["Ann", "Bob", "Cy", "Di"];
        assert!(!may_be(&row(1, &all, 1), &row(2, &all, 2)), "other places");
        assert!(!may_be(&row(1, &all, 1), &row(2, &all[1..], 1)), "both were there before");
        assert!(!may_be(&row(1, &all[1..], 1), &row(2, &all, 1)), "and now");
        assert!(!may_be(&row(1, &["Ann", "Bob"], 1), &row(2, &["Cy", "Di"], 1)), "another page of the list");
        assert!(
            may_be(&row(1, &["Ann", "Bob", "Cy"], 1), &row(2, &["Anna", "Bob", "Cy"], 1)),
            "written anew"
        );
    }

    #[test]
    fn a_row_far_from_the_place_of_another_is_told_from_it() {
        let names: Vec<String> = (1..=30).map(|n| format!("Row of {}", "x".repeat(n))).collect();
        let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
        let first = made(&used(1, rows(&all)), "li", 1);
        all.swap(0, 29);
        assert!(!may_be(&first, &made(&used(2, rows(&all)), "li", 1)));
        all[0] = "Row of all";
        all[29] = "The last";
        assert!(may_be(&first, &made(&used(2, rows(&all)), "li", 1)), "written anew");
    }

    #[test]
    fn what_both_pages_said_elsewhere_is_no_witness() {
        let counted = |times: u32, words: &str, beside: &str| {
            let beside = el("p", &[], vec![text(beside)]);
            made(&used(times, vec![el("h2", &[], vec![text(words)]), beside]), "h2", 1)
        };
        // The menu says what the heading said, before and after the heading was edited.
        assert!(may_be(&counted(1, "Tickets", "Tickets"), &counted(2, "Open tickets", "Tickets")));
        assert!(!may_be(&counted(1, "Tickets", "Wares"), &counted(2, "Open tickets", "Tickets")));
        // What both say that tells them from all else outweighs that a word of one has come elsewhere.
        let status = |times: u32, status: &str, other: &str| {
            let cell = |words: &str| el("b", &[], vec![text(words)]);
            let row = |name: &str, status: &str| el("div", &[], vec![cell(name), cell(status)]);
            made(&used(times, vec![row("Ann", status), row("Bob", other)]), "div", 1)
        };
        assert!(may_be(&status(1, "Pending", "Done"), &status(2, "Done", "Pending")));
    }

    #[test]
    fn what_is_said_nowhere_else_tells_a_row_from_others_wherever_it_is() {
        let cell = |words: &str| el("b", &[], vec![text(words)]);
        let row = |tag: &'static str, name: &str, more: &str| el(tag, &[], vec![cell(name), cell(more)]);
        let list = |times: u32, name: &str, more: &str, other: &str| {
            let rows = vec![row("li", name, more), row("li", other, "Done")];
            made(&used(times, vec![el("ul", &[], rows)]), "li", 1)
        };
        assert!(may_be(&list(1, "Ann", "Open", "Bob"), &list(2, "Ann", "Late", "Di")));
        assert!(!may_be(&list(1, "Ann", "Open", "Bob"), &list(2, "Cy", "Late", "Di")));
        let one = page(vec![cell("Mug"), cell("Plate"), row("p", "Ann", "Open")]);
        let other = page(vec![cell("Jar"), el("div", &[], vec![cell("Pan"), row("p", "Ann", "Late")])]);
        assert!(may_be(&made(&one, "p", 1), &made(&other, "p", 1)));
    }

    #[test]
    fn what_was_moved_may_be_one_by_its_words_or_its_name_within_its_item() {
        let inside =
            |times: u32, piece: Piece| used(times, vec![el("div", &[], vec![el("p", &[], vec![]), piece])]);
        let (go, on) = (button("go", "Save"), button("on", "Keep"));
        let moved = |piece: &Piece| made(&inside(2, piece.clone()), "button", 1);
        let old = made(&used(1, vec![go.clone()]), "button", 1);
        assert!(may_be(&old, &moved(&go)));
        assert!(may_be(&old, &moved(&button("go", "Keep"))));
        assert!(may_be(&old, &moved(&button("on", "Save all"))), "words in common amid the same");
        assert!(!may_be(&old, &moved(&on)));
        let number = el("b", &[], vec![text("42")]);
        let (before, after) = (used(1, vec![number.clone()]), inside(2, number));
        assert!(may_be(&made(&before, "b", 1), &made(&after, "b", 1)), "equal");
        let of_tag = |times: u32, tag: &'static str| {
            made(&used(times, vec![el(tag, &[], vec![text("Save")])]), tag, 1)
        };
        assert!(may_be(&of_tag(1, "h2"), &of_tag(2, "h3")), "another tag at the same place");
        assert!(!may_be(&of_tag(1, "h2"), &moved(&go)), "another tag at another place");
        let row = |name: &str| el("li", &[], vec![el("b", &[], vec![text(name)]), button("edit", "Edit")]);
        let list = |times: u32, names: &[&str]| {
            used(times, vec![el("ul", &[], names.iter().map(|name| row(name)).collect())])
        };
        let of_bob = made(&list(1, &["Ann", "Bob"]), "button", 2);
        assert!(may_be(&of_bob, &made(&list(2, &["Bob", "Cy"]), "button", 1)));
        assert!(!may_be(&of_bob, &made(&list(2, &["Cy", "Di"]), "button", 1)));
    }

    #[test]
    fn an_anchor_that_does_not_know_its_page_shares_with_its_equal_alone() {
        let at = |times: u32, words: &str| made(&used(times, vec![button("go", words)]), "button", 1);
        let mut old = at(1, "Save");
        old.context.whole = 0;
        assert!(may_be(&old, &at(2, "Save")));
        assert!(!may_be(&old, &at(2, "Save all")));
    }
}
