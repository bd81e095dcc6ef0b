//! What an element can be named by.

use std::borrow::Cow;

use super::generate::Avoided;
use super::pricing::{Price, attribute_price, class_price, length_price, text_price};
use super::syntax::{Case, Operator, Simple, Test};
use crate::element::{is_secret_field, redact_text};
use crate::page::{KEY_LETTERS, Page};
use crate::sort;

/// Most tokens of one element that are looked at.
const MAX_TOKENS: usize = 12;
/// Most class names and attributes of one element that are read, however many it has.
const MAX_READ: usize = 48;
/// Longest text that names an element as a whole; of a longer one the beginning does.
const WHOLE_TEXT: usize = 48;
const TEXT_START: usize = 24;
/// So many letters of a beginning must tell the element.
const START_LETTERS: usize = KEY_LETTERS;
/// Most nodes in an element that is named by its text: the text of a container changes with any of its parts.
const TEXT_NODES: usize = 14;
/// Most elements of which it is asked whether they have the same text.
const MAX_SAME_TEXT: usize = 512;

/// One way to name an element.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) name: Name<'a>,
    pub(super) price: Price,
    /// All elements of the same tree that it names, in document order.
    pub(super) list: Cow<'a, [u32]>,
}

/// What a token says.
#[derive(Clone, Debug)]
pub(super) enum Name<'a> {
    Id(&'a str),
    Class(&'a str),
    Attribute(&'a str, &'a str),
    Text { whole: bool, text: String },
}

impl Token<'_> {
    pub(super) fn simple(&self) -> Simple {
        match &self.name {
            Name::Id(id) => Simple::Id((*id).to_owned()),
            Name::Class(class) => Simple::Class((*class).to_owned()),
            Name::Attribute(name, value) => {
                let test =
                    Test { operator: Operator::Equals, value: (*value).to_owned(), case: Case::Default };
                Simple::Attribute { name: (*name).to_owned(), test: Some(test) }
            }
            Name::Text { whole, text } => Simple::Text { whole: *whole, text: text.clone() },
        }
    }

    /// Whether one of `simples` says the same.
    pub(super) fn is_among(&self, simples: &[Simple]) -> bool {
        !simples.is_empty() && simples.contains(&self.simple())
    }

    /// Whether a reader wants the tag name before it.
    pub(super) fn wants_tag(&self) -> bool {
        match self.name {
            Name::Attribute(name, _) => !name.starts_with("data-test"),
            Name::Text { .. } => true,
            _ => false,
        }
    }
}

/// The tokens of an element, cheapest first, without those that say what `avoided` says; its tag name is not among
/// them. `most`: what names more elements is left out before it is looked at closer.
pub(super) fn tokens<'a>(page: &'a Page, node: u32, most: usize, avoided: &Avoided) -> Vec<Token<'a>> {
    let mut found = Vec::new();
    let root = page.root(node).unwrap_or(0);
    let tag = page.tag(node);
    let few = |list: &'a [u32]| {
        // Most lists are of one tree; a single entry needs no search.
        let list = if *list == [node] { list } else { page.in_subtree(list, root) };
        // An index list can miss a repeated attribute; a token that does not name its own element is of no use.
        (!list.is_empty() && list.len() <= most).then_some(Cow::Borrowed(list))
    };
    for pair in page.attribute_ids(node).iter().take(MAX_READ) {
        let name = page.string(pair.name);
        if name == "class" {
            continue;
        }
        let Some(list) = few(page.with_attr_ids(pair.name, pair.value)) else { continue };
        let value = page.string(pair.value);
        if let Some(price) = attribute_price(tag, name, value) {
            let price = price + length_price(value);
            let name = if name == "id" { Name::Id(value) } else { Name::Attribute(name, value) };
            found.push(Token { name, price, list });
        }
    }
    for (class, list) in page.class_lists(node).take(MAX_READ) {
        let Some(list) = few(list) else { continue };
        if let Some(price) = class_price(class) {
            found.push(Token { name: Name::Class(class), price: price + length_price(class), list });
        }
    }
    if !avoided.texts {
        found.extend(text_token(page, node, root, most));
    }
    found.retain(|token| !token.is_among(&avoided.names));
    sort::by_key(&mut found, |token| token.price);
    found.truncate(MAX_TOKENS);
    found
}

/// The element by its text, or by how its text begins.
fn text_token<'a>(page: &'a Page, node: u32, root: u32, most: usize) -> Option<Token<'a>> {
    let inside = page.subtree(node).len();
    if inside > TEXT_NODES || is_secret_field(page.tag(node), |name| page.attr(node, name)) {
        return None;
    }
    let among = page.in_subtree(page.text_peers(node), root);
    if among.is_empty() || among.len() > MAX_SAME_TEXT {
        return None;
    }
    let whole = page.letters(node).nth(WHOLE_TEXT).is_none();
    let tag = page.tag_id(node);
    let same = |other: u32| page.tag_id(other) == tag && has_same_text(page, node, other, whole);
    let list: Vec<u32> =
        among.iter().copied().filter(|&other| same(other)).take(most.saturating_add(1)).collect();
    if list.len() > most {
        return None;
    }
    let text = page.text(node, if whole { 2 * WHOLE_TEXT } else { TEXT_START });
    let letters = text.chars().filter(|c| !c.is_whitespace());
    let compared = if whole { WHOLE_TEXT } else { START_LETTERS };
    let is_told = letters.clone().count() >= START_LETTERS || whole;
    if !is_told
        || !letters.take(compared).eq(page.letters(node).take(compared))
        || (may_be_secret(&text) && redact_text(&text) != text)
    {
        return None;
    }
    let price = text_price(page.tag(node), &text, whole, inside) + length_price(&text);
    Some(Token { name: Name::Text { whole, text }, price, list: Cow::Owned(list) })
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
