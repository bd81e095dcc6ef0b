//! Calls of a program in whose parentheses a string stands: what they take it for.

use super::escapes::{Notation, unescaped};
use crate::element::folded;
use crate::find;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// A text that is looked for, or nothing that is known.
    Other,
    Selector,
    /// Typed into an element or read from it, which is no part of its address.
    Typed,
    /// Keys that are pressed: those that type nothing are named.
    Keys,
    /// A program with what it is given, which is typed.
    Program,
}

impl Call {
    /// What brackets and other calls in it do.
    pub(super) fn inside(self) -> Self {
        match self {
            Self::Typed | Self::Program => Self::Typed,
            Self::Keys => Self::Keys,
            Self::Selector | Self::Other => Self::Other,
        }
    }
}

/// How names of calls end whose first string is a selector.
const SELECTORS: &str = "locator selector selectorall xpath";
/// How names of calls end that type, choose or compare what a field has.
const TYPED: &str = "fill fillfield type sequentially setvalue addvalue havevalue havevalues displayvalue \
                     sendkeys selectoption selectoptions inserttext settext entertext typetext sendcharacter fillin \
                     addcookie addcookies setcookie setcookies extrahttpheaders httpcredentials setitem";
/// The same as whole names. Who asks for a method by its name may call it.
const TYPED_ALONE: &str = "val select keyboard paste change input authenticate getattr reflect";
/// Names of calls that run a program, or of which the first string is a selector and the next one a program.
const PROGRAMS: &str = "eval evaluate evaluatehandle evaluateall evalonselector evalonselectorall execute executescript \
                        executeasyncscript waitforfunction";
/// Names of calls that press keys.
const KEYS: &str = "press presskey keypress keys";
/// Names of keys that type nothing, as programs call them.
const NAMED_KEYS: &str = "enter tab escape backspace delete insert home end pageup pagedown arrowup arrowdown arrowleft \
                          arrowright space capslock contextmenu return shift";
/// Keys with which a letter types nothing.
const COMMANDS: &str = "control ctrl meta alt cmd command controlormeta commandorcontrol";
/// What a field has, as attributes, properties and assertions call it.
const VALUES: &str = "value val have.value defaultvalue valueasnumber";
/// Those of a page: a selector, then what is typed.
const OF_PAGE: &str = "fill fillfield type setvalue selectoption select press";
/// How names begin of calls that look for an element.
const FINDS: &str = "get find query by";

/// As the name of a call is compared: as a reader sees it, without `Async` at its end. One that nobody knows types.
pub(super) fn plain_name(written: &str) -> String {
    if written.starts_with(['[', '(']) || find::has(written, "${") {
        return "fill".to_owned();
    }
    let mut name = folded(&unescaped(written, Notation::Script)).to_ascii_lowercase();
    name.retain(|c| c != '_');
    name.truncate(name.strip_suffix("async").unwrap_or(&name).len());
    name
}

/// What a call takes its strings for that stands in one which does `around`.
pub(super) fn call(name: &str, around: Call) -> Call {
    let is = |ends: &str| ends.split_ascii_whitespace().any(|end| name.ends_with(end));
    // `:nth-of-type(`
    if has(TYPED_ALONE, name) || (is(TYPED) && !name.contains('-')) {
        Call::Typed
    } else if has(KEYS, name) {
        Call::Keys
    } else if has(PROGRAMS, name) {
        Call::Program
    } else if is(SELECTORS) {
        Call::Selector
    } else if FINDS.split(' ').any(|begin| name.starts_with(begin)) {
        Call::Other
    } else {
        around.inside()
    }
}

/// Whether the first of two strings is a selector.
pub(super) fn may_be_of_page(name: &str) -> bool {
    has(OF_PAGE, name)
}

/// Whether this is what a field's value is called.
pub(super) fn is_of_field(name: &str) -> bool {
    has(VALUES, name)
}

/// Whether these keys type nothing: `Enter`, `Shift+Tab`, `Control+a`.
pub(super) fn is_no_text(keys: &str) -> bool {
    let keys = keys.to_ascii_lowercase();
    let is_function =
        |key: &str| key.strip_prefix('f').is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n <= 24));
    let (before, last) = keys.rsplit_once('+').unwrap_or(("", keys.as_str()));
    let mut with = before.split('+').filter(|key| !key.is_empty());
    let is_command = with.clone().any(|key| has(COMMANDS, key));
    with.all(|key| key == "shift" || has(COMMANDS, key))
        && (has(NAMED_KEYS, last)
            || has(COMMANDS, last)
            || is_function(last)
            || (is_command && last.chars().count() == 1))
}

fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|one| one == word)
}
