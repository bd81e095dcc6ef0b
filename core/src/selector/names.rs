//! What an element can be named by. Found out once for each element that is asked about, and kept with the page: the
//! same ancestors, headings and neighbours are looked at for every element of a page.

use std::sync::{Arc, OnceLock};

use super::pricing::{Price, attribute_price, class_price, length_price, tag_price, text_price};
use super::syntax::{Case, Compound, Operator, Simple, Test};
use crate::element::{is_secret_field, redact_text};
use crate::page::{KEY_LETTERS, Page};

/// Most names of one element that are kept besides its tag.
const MAX_NAMES: usize = 12;
/// Most class names and attributes of one element that are read, however many it has.
const MAX_READ: usize = 48;
/// Longest text that names an element as a whole; of a longer one the beginning does.
const WHOLE_TEXT: usize = 48;
/// Of a text with more letters than this the beginning is preferred where it says as much: it is shorter, and outlives
/// what is edited behind it.
const SHORT_TEXT: usize = 13;
/// Most characters of a beginning.
const TEXT_START: usize = 14;
/// So many letters of a beginning must tell the element.
const START_LETTERS: usize = KEY_LETTERS;
/// Most nodes in an element that is named by its text: the text of a container changes with any of its parts.
const TEXT_NODES: usize = 14;
/// Most elements of which it is asked whether they have the same text.
const MAX_SAME_TEXT: usize = 512;

/// The names of all elements that were asked about.
#[derive(Debug)]
pub(super) struct Names(Vec<OnceLock<Box<[Name]>>>);

impl Names {
    pub(super) fn of(page: &Page) -> Arc<Self> {
        page.derived(|page| Self((0..page.len()).map(|_| OnceLock::new()).collect()))
    }

    /// The names of an element, cheapest first, its tag among them.
    pub(super) fn get(&self, page: &Page, node: u32) -> &[Name] {
        self.0.get(node as usize).map_or(&[], |kept| kept.get_or_init(|| read(page, node)))
    }
}

/// One way to name an element.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) price: Price,
    /// Nothing else in its tree has it.
    pub(super) is_unique: bool,
    said: Said,
}

/// What a name says; strings by their index.
#[derive(Debug)]
enum Said {
    Tag,
    Id(u32),
    Class(u32),
    Attribute { name: u32, value: u32, wants_tag: bool },
    Text { whole: bool, text: String, list: OnceLock<Box<[u32]>> },
}

impl Name {
    pub(super) fn is_tag(&self) -> bool {
        matches!(self.said, Said::Tag)
    }

    /// Whether a reader wants the tag name before it.
    pub(super) fn wants_tag(&self) -> bool {
        matches!(self.said, Said::Attribute { wants_tag: true, .. } | Said::Text { .. })
    }

    /// All elements of the tree of `node`, whose name this is, that have it; in document order.
    pub(super) fn list<'a>(&'a self, page: &'a Page, node: u32) -> &'a [u32] {
        let all = match &self.said {
            Said::Tag => page.with_tag_of(node),
            Said::Id(value) => page.string_id("id").map_or(&[][..], |id| page.with_attr_ids(id, *value)),
            Said::Class(class) => page.with_class_id(*class),
            Said::Attribute { name, value, .. } => page.with_attr_ids(*name, *value),
            Said::Text { whole, list, .. } => {
                return list.get_or_init(|| same_texts(page, node, *whole).collect());
            }
        };
        page.in_subtree(all, page.root(node).unwrap_or(0))
    }

    /// As a part of a selector of `node`.
    pub(super) fn simple(&self, page: &Page, node: u32) -> Simple {
        match &self.said {
            Said::Tag => Simple::Tag(page.tag(node).to_owned()),
            Said::Id(id) => Simple::Id(page.string(*id).to_owned()),
            Said::Class(class) => Simple::Class(page.class_by_id(*class).to_owned()),
            Said::Attribute { name, value, .. } => {
                let value = page.string(*value).to_owned();
                let test = Test { operator: Operator::Equals, value, case: Case::Default };
                Simple::Attribute { name: page.string(*name).to_owned(), test: Some(test) }
            }
            Said::Text { whole, text, .. } => Simple::Text { whole: *whole, text: text.clone() },
        }
    }

    /// Alone, or after the tag name where a reader wants it.
    pub(super) fn compound(&self, page: &Page, node: u32) -> Compound {
        let tag = self.wants_tag().then(|| Simple::Tag(page.tag(node).to_owned()));
        Compound(tag.into_iter().chain([self.simple(page, node)]).collect())
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.said, Said::Text { .. })
    }

    /// Whether `simple` says the same of `node`.
    pub(super) fn is_said_by(&self, page: &Page, node: u32, simple: &Simple) -> bool {
        match (&self.said, simple) {
            (Said::Tag, Simple::Tag(tag)) => page.tag(node) == tag,
            (Said::Id(id), Simple::Id(other)) => page.string(*id) == other,
            (Said::Class(class), Simple::Class(other)) => page.class_by_id(*class) == other,
            (Said::Attribute { name, value, .. }, Simple::Attribute { name: other, test: Some(test) }) => {
                page.string(*name) == other && page.string(*value) == test.value
            }
            (Said::Text { whole, text, .. }, Simple::Text { whole: other_whole, text: other }) => {
                whole == other_whole && text == other
            }
            _ => false,
        }
    }
}

fn read(page: &Page, node: u32) -> Box<[Name]> {
    let mut found = Vec::new();
    let root = page.root(node).unwrap_or(0);
    let tag = page.tag(node);
    let named = |list: &[u32], price: Price, said: Said| {
        // Most lists are of one tree; a single entry needs no search.
        let list = if *list == [node] { list } else { page.in_subtree(list, root) };
        // An index list can miss a repeated attribute; what does not name its own element is of no use.
        (!list.is_empty()).then_some(Name { price, is_unique: list.len() == 1, said })
    };
    for pair in page.attribute_ids(node).iter().take(MAX_READ) {
        let name = page.string(pair.name);
        if name == "class" {
            continue;
        }
        let value = page.string(pair.value);
        if let Some(price) = attribute_price(tag, name, value) {
            let wants_tag = !name.starts_with("data-test");
            let said = if name == "id" {
                Said::Id(pair.value)
            } else {
                Said::Attribute { name: pair.name, value: pair.value, wants_tag }
            };
            let list = page.with_attr_ids(pair.name, pair.value);
            put(&mut found, named(list, price + length_price(value), said));
        }
    }
    for &class in page.class_ids(node).iter().take(MAX_READ) {
        let text = page.class_by_id(class);
        if let Some(price) = class_price(text) {
            put(&mut found, named(page.with_class_id(class), price + length_price(text), Said::Class(class)));
        }
    }
    put(&mut found, text_name(page, node));
    found.truncate(MAX_NAMES);
    put(&mut found, named(page.with_tag_of(node), tag_price(tag), Said::Tag));
    found.into()
}

/// Puts a name where it belongs by its price.
fn put(names: &mut Vec<Name>, name: Option<Name>) {
    if let Some(name) = name {
        names.insert(names.partition_point(|other| other.price <= name.price), name);
    }
}

/// The element by its text, or by how its text begins.
fn text_name(page: &Page, node: u32) -> Option<Name> {
    let inside = page.subtree(node).len();
    if inside > TEXT_NODES || is_secret_field(page.tag(node), |name| page.attr(node, name)) {
        return None;
    }
    let among = page.in_subtree(page.text_peers(node), page.root(node).unwrap_or(0));
    if among.is_empty() || among.len() > MAX_SAME_TEXT {
        return None;
    }
    let is_longer = |than: usize| page.letters(node).nth(than).is_some();
    let is_told_by = |whole: bool| same_texts(page, node, whole).nth(1).is_none();
    let starts_alone = is_longer(SHORT_TEXT) && is_told_by(false);
    let whole = !is_longer(WHOLE_TEXT) && !starts_alone;
    let said = page.text(node, 2 * WHOLE_TEXT);
    let text = if whole { said.as_str() } else { beginning(&said) };
    let letters = text.chars().filter(|c| !c.is_whitespace());
    let compared = if whole { WHOLE_TEXT } else { START_LETTERS };
    let is_told = letters.clone().count() >= START_LETTERS || whole;
    // CSS has no way to write U+0000, and nobody sees the others.
    if !is_told
        || text.contains(char::is_control)
        || !letters.take(compared).eq(page.letters(node).take(compared))
        || (may_be_secret(&said) && redact_text(&said) != said)
    {
        return None;
    }
    let price = text_price(page.tag(node), text, whole, inside) + length_price(text);
    let is_unique = starts_alone || is_told_by(whole);
    Some(Name { price, is_unique, said: Said::Text { whole, text: text.to_owned(), list: OnceLock::new() } })
}

/// The first words of a text, so many that they have [`START_LETTERS`]; of a long word what fits.
fn beginning(text: &str) -> &str {
    let mut letters = 0;
    for (at, c) in text.char_indices() {
        let is_space = c.is_whitespace();
        let chars = || text.get(..at).map_or(0, |start| start.chars().count());
        if letters >= START_LETTERS && (is_space || chars() >= TEXT_START) {
            return text.get(..at).unwrap_or(text);
        }
        letters += usize::from(!is_space);
    }
    text
}

/// Elements of its tree with its tag and text, itself among them.
fn same_texts(page: &Page, node: u32, whole: bool) -> impl Iterator<Item = u32> {
    let tag = page.tag_id(node);
    let among = page.in_subtree(page.text_peers(node), page.root(node).unwrap_or(0));
    let same = move |other: u32| page.tag_id(other) == tag && has_same_text(page, node, other, whole);
    among.iter().copied().filter(move |&other| same(other))
}

/// Plain short words are no secrets; everything else is looked at closely.
fn may_be_secret(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit() || matches!(c, '=' | ':' | '@' | '/'))
        || text.split(' ').any(|word| word.len() >= 16)
}

/// Whether two texts are equal or, of long ones, begin alike.
fn has_same_text(page: &Page, one: u32, other: u32, whole: bool) -> bool {
    if one == other {
        return true;
    }
    if whole {
        page.letters(one).eq(page.letters(other).take(WHOLE_TEXT + 1))
    } else {
        page.letters(one).take(START_LETTERS).eq(page.letters(other).take(START_LETTERS))
    }
}
