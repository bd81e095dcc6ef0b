//! What a name, a step or a place costs: the less it says or the sooner it changes, the dearer.
//!
//! The figures follow what outlives a new version on real pages: ids, field names and texts stay, addresses and labels
//! a little less, class names less again, and places in lists shift without a sign.

use super::stability::{is_generated, is_numbered, is_state_class, is_utility_class};
use crate::element::is_redacted;

/// Roughly how likely the next version of the page is to break it, in thousandths; the more so when it would then
/// silently fit a neighbour.
pub(super) type Price = u32;

pub(super) const TEST_ID: Price = 10;
pub(super) const ID: Price = 50;
pub(super) const CLASS: Price = 350;
pub(super) const TEXT: Price = 200;
/// How much less the beginning of a text costs: what is edited behind it leaves it as it is.
pub(super) const START: Price = 20;
pub(super) const TAG: Price = 110;
pub(super) const CUSTOM_TAG: Price = 50;
/// The tag name before an attribute, for the reader.
pub(super) const TAG_PREFIX: Price = 5;
/// Anything may stand between.
pub(super) const STEP: Price = 15;
/// Nothing may come between.
pub(super) const CHILD: Price = 35;
/// The sibling before, and each further one before that.
pub(super) const SIBLING: Price = 50;
pub(super) const FARTHER_SIBLING: Price = 80;
/// Something inside that tells the element.
pub(super) const HAS: Price = 50;
/// What tells also the holder's own holders.
pub(super) const HAS_SEVERAL: Price = 80;
pub(super) const POSITION: Price = 120;
/// A first or only child says a little more than the seventeenth.
pub(super) const PLACE: Price = 30;
/// A place that is counted from the end: the same, but longer and less usual.
pub(super) const FROM_END: Price = 10;
/// A place that another selector of the same element counts already.
pub(super) const COUNTED: Price = 700;
/// For each selector of the same element that already rests on siblings, on what is held, or on places.
pub(super) const SIBLING_AGAIN: Price = 60;
pub(super) const HAS_AGAIN: Price = 40;
pub(super) const PLACE_AGAIN: Price = 60;
/// What a place costs that is not counted from the nearest thing with a name: a change anywhere between moves it.
pub(super) const LOOSE_PLACE: Price = 60;
pub(super) const NUMBERED: Price = 180;
/// A number at the end of an id is more often counted than chosen.
pub(super) const NUMBERED_ID: Price = 300;
pub(super) const STATE: Price = 400;
pub(super) const UTILITY: Price = 450;
/// For each character, so that short wins among equals.
const CHARACTER: Price = 3;

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
/// For each character, so that short wins among equals.
pub(super) fn length_price(text: &str) -> Price {
    CHARACTER * Price::try_from(text.len()).unwrap_or(Price::MAX).min(100)
}

/// The words of a control or of a heading are its name. Other words are content and change, numbers by themselves, and
/// the more so the more elements they are spread over.
pub(super) fn text_price(tag: &str, text: &str, whole: bool, nodes: usize) -> Price {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_number = letters < 2 || 2 * letters < text.chars().count();
    let is_name = matches!(
        tag,
        "a" | "button"
            | "caption"
            | "dt"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "label"
            | "legend"
            | "option"
            | "summary"
            | "th"
    );
    let spread = Price::try_from(nodes.saturating_sub(2)).unwrap_or(Price::MAX).min(20);
    let mut price = TEXT + 5 * spread;
    if !is_name {
        price += 45;
    }
    if !whole {
        price -= START;
    }
    if is_number { price + NUMBERED } else { price }
}

pub(super) fn class_price(class: &str) -> Option<Price> {
    if is_generated(class) || !class.contains(char::is_alphanumeric) {
        return None;
    }
    Some(match () {
        () if is_state_class(class) => STATE,
        () if is_utility_class(class) => UTILITY,
        () if is_numbered(class) => CLASS + NUMBERED / 2,
        () => CLASS,
    })
}

pub(super) fn attribute_price(tag: &str, name: &str, value: &str) -> Option<Price> {
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
        let is_chosen = value.contains(char::is_alphanumeric) && !is_generated(value);
        return is_chosen.then(|| if is_numbered(value) { ID + NUMBERED_ID } else { ID });
    }
    let is_field = matches!(
        tag,
        "input" | "select" | "textarea" | "button" | "form" | "meta" | "iframe" | "slot" | "fieldset"
    );
    let price = match name {
        "name" if is_field => 50,
        "for" => 60,
        "aria-label" => 110,
        "placeholder" => 100,
        "alt" | "title" => 110,
        "href" => 100,
        "role" => 120,
        "type" => 100,
        "action" | "aria-controls" | "aria-labelledby" | "label" | "slot" | "src" => 140,
        "value" if matches!(tag, "input" | "button" | "option" | "data") => 110,
        _ if name.starts_with("data-") && !is_state_attribute(name) => 120,
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
    .any(|word| name.get(5..).is_some_and(|rest| crate::find::has(rest, word)))
}

/// Price of the bare tag name.
pub(super) fn tag_price(tag: &str) -> Price {
    if tag.contains('-') { CUSTOM_TAG + length_price(tag) } else { TAG }
}
