//! Calls of a program in whose parentheses a string stands: what they take it for.

use super::escapes::{Notation, unescaped};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// A text that is looked for, or nothing that is known.
    Other,
    Selector,
    /// Typed into an element or read from it, which is no part of its address.
    Typed,
}

/// How names of calls end whose first string is a selector.
const SELECTORS: &str = "locator selector selectorall xpath";
/// How names of calls end that type, choose or compare what a field has.
const TYPED: &str = "fill fillfield type sequentially setvalue addvalue havevalue havevalues displayvalue \
                     sendkeys selectoption selectoptions inserttext settext entertext typetext";
/// Those of a page: a selector, then what is typed.
const OF_PAGE: &str = "fill fillfield type setvalue selectoption";
/// How names begin of calls that look for an element.
const FINDS: &str = "get find query by";

/// As the name of a call is compared.
pub(super) fn plain_name(written: &str) -> String {
    let mut name = unescaped(written, Notation::Script).to_ascii_lowercase();
    name.retain(|c| c != '_');
    name
}

/// What a call takes its strings for that stands in one which does `around`.
pub(super) fn call(name: &str, around: Call) -> Call {
    let is = |ends: &str| ends.split(' ').any(|end| !end.is_empty() && name.ends_with(end));
    // `:nth-of-type(`
    if name == "val" || (is(TYPED) && !name.contains('-')) {
        Call::Typed
    } else if is(SELECTORS) {
        Call::Selector
    } else if around == Call::Typed && !FINDS.split(' ').any(|begin| name.starts_with(begin)) {
        Call::Typed
    } else {
        Call::Other
    }
}

/// Whether the first of two strings is a selector.
pub(super) fn may_be_of_page(name: &str) -> bool {
    OF_PAGE.split(' ').any(|of_page| of_page == name)
}
