//! What an element can be named by, with a price: the less it says or the sooner it changes, the dearer.

use super::stability::{is_generated, is_numbered, is_state_class, is_utility_class};
use super::syntax::{Case, Operator, Simple, Test};
use crate::element::is_redacted;
use crate::page::Page;
use crate::sort;

/// Price in tenths of a point. A good id costs [`ID`]; a position costs more than any name.
pub(super) type Price = u32;

pub(super) const TEST_ID: Price = 10;
pub(super) const ID: Price = 20;
pub(super) const CLASS: Price = 50;
pub(super) const TAG: Price = 80;
pub(super) const CUSTOM_TAG: Price = 30;
/// The tag name before an attribute, for the reader.
pub(super) const TAG_PREFIX: Price = 5;
pub(super) const STEP: Price = 30;
pub(super) const POSITION: Price = 250;
/// A first or only child says a little more than the seventeenth.
pub(super) const PLACE: Price = 4;
pub(super) const NUMBERED: Price = 60;
pub(super) const STATE: Price = 220;
pub(super) const UTILITY: Price = 260;
/// For each character, so that short wins among equals.
const CHARACTER: Price = 1;

const TEST_ATTRIBUTES: [&str; 10] = [
    "data-testid",
    "data-test-id",
    "data-test",
    "data-cy",
    "data-qa",
    "data-pw",
    "data-e2e",
    "data-automation-id",
    "data-hook",
    "data-role",
];
const MAX_VALUE: usize = 60;
/// Most tokens of one element that are looked at.
const MAX_TOKENS: usize = 12;
/// Most class names and attributes of one element that are read, however many it has.
const MAX_READ: usize = 48;

/// One way to name an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) name: Name<'a>,
    pub(super) price: Price,
    /// All elements of the same tree that it names, in document order.
    pub(super) list: &'a [u32],
}

/// What a token says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Name<'a> {
    Id(&'a str),
    Class(&'a str),
    Attribute(&'a str, &'a str),
}

impl Token<'_> {
    pub(super) fn simple(&self) -> Simple {
        match self.name {
            Name::Id(id) => Simple::Id(id.to_owned()),
            Name::Class(class) => Simple::Class(class.to_owned()),
            Name::Attribute(name, value) => {
                let test = Test { operator: Operator::Equals, value: value.to_owned(), case: Case::Default };
                Simple::Attribute { name: name.to_owned(), test: Some(test) }
            }
        }
    }

    /// Whether one of `simples` says the same.
    pub(super) fn is_among(&self, simples: &[Simple]) -> bool {
        !simples.is_empty() && simples.contains(&self.simple())
    }

    /// Whether a reader wants the tag name before it.
    pub(super) fn wants_tag(&self) -> bool {
        matches!(self.name, Name::Attribute(name, _) if !name.starts_with("data-test"))
    }
}

/// The tokens of an element, cheapest first; its tag name is not among them.
pub(super) fn tokens(page: &Page, node: u32) -> Vec<Token<'_>> {
    few_tokens(page, node, usize::MAX)
}

/// The tokens that name no more than `most` elements. What names many is left out before it is looked at closer.
pub(super) fn few_tokens(page: &Page, node: u32, most: usize) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let root = page.root(node).unwrap_or(0);
    let tag = page.tag(node);
    let few = |list| {
        let list = page.in_subtree(list, root);
        // An index list can miss a repeated attribute; a token that does not name its own element is of no use.
        (!list.is_empty() && list.len() <= most).then_some(list)
    };
    for pair in page.attribute_ids(node).iter().take(MAX_READ) {
        let name = page.string(pair.name);
        if name == "class" {
            continue;
        }
        let Some(list) = few(page.with_attr_ids(pair.name, pair.value)) else { continue };
        let value = page.string(pair.value);
        if let Some(price) = attribute_price(tag, name, value) {
            let price = price + CHARACTER * length(value);
            let name = if name == "id" { Name::Id(value) } else { Name::Attribute(name, value) };
            found.push(Token { name, price, list });
        }
    }
    for class in page.classes(node).take(MAX_READ) {
        let Some(list) = few(page.with_class(class)) else { continue };
        if let Some(price) = class_price(class) {
            found.push(Token { name: Name::Class(class), price: price + CHARACTER * length(class), list });
        }
    }
    sort::by_key(&mut found, |token| token.price);
    found.truncate(MAX_TOKENS);
    found
}

fn length(text: &str) -> Price {
    Price::try_from(text.len()).unwrap_or(Price::MAX).min(100)
}

fn class_price(class: &str) -> Option<Price> {
    if is_generated(class) {
        return None;
    }
    Some(match () {
        () if is_state_class(class) => STATE,
        () if is_utility_class(class) => UTILITY,
        () if is_numbered(class) => CLASS + NUMBERED / 2,
        () => CLASS,
    })
}

fn attribute_price(tag: &str, name: &str, value: &str) -> Option<Price> {
    let fits = !value.is_empty()
        && value.len() <= MAX_VALUE
        && value.trim() == value
        && !value.contains(char::is_control)
        && !is_redacted(value);
    if !fits {
        return None;
    }
    if TEST_ATTRIBUTES.contains(&name) {
        return Some(if is_generated(value) { CLASS } else { TEST_ID });
    }
    if name == "id" {
        return (!is_generated(value)).then(|| if is_numbered(value) { ID + NUMBERED } else { ID });
    }
    let is_field = matches!(
        tag,
        "input" | "select" | "textarea" | "button" | "form" | "meta" | "iframe" | "slot" | "fieldset"
    );
    let price = match name {
        "name" if is_field => 40,
        "for" => 50,
        "aria-label" => 60,
        "placeholder" => 70,
        "alt" | "title" => 80,
        "href" => 90,
        "role" => 100,
        "type" => 110,
        "action" | "aria-controls" | "aria-labelledby" | "label" | "slot" | "src" => 120,
        "value" if matches!(tag, "input" | "button" | "option" | "data") => 90,
        _ if name.starts_with("data-") && !is_state_attribute(name) => 90,
        _ => return None,
    };
    let generated = match name {
        // Words are for people; addresses are made of parts, and one that looks made up spoils it.
        "aria-label" | "placeholder" | "alt" | "title" | "label" => false,
        _ => is_generated(value),
    };
    if generated {
        return None;
    }
    Some(if is_numbered(value) { price + NUMBERED } else { price })
}

fn is_state_attribute(name: &str) -> bool {
    [
        "active",
        "checked",
        "closed",
        "count",
        "current",
        "disabled",
        "expanded",
        "focus",
        "hash",
        "highlighted",
        "hover",
        "index",
        "loaded",
        "offset",
        "open",
        "pressed",
        "reactid",
        "scroll",
        "selected",
        "state",
        "status",
        "style",
        "time",
        "v-",
        "visible",
    ]
    .iter()
    .any(|word| name.get(5..).is_some_and(|rest| rest.contains(word)))
}

/// Price of the bare tag name.
pub(super) fn tag_price(tag: &str) -> Price {
    if tag.contains('-') { CUSTOM_TAG + length(tag) } else { TAG }
}
