//! Which ids and class names a person chose, and which a tool made up or uses for looks only.

/// Prefixes that style and component libraries put before what they make up.
const GENERATED_PREFIXES: [&str; 13] = [
    "css-",
    "sc-",
    "jss",
    "emotion-",
    "svelte-",
    "ng-tns-",
    "_ngcontent",
    "_nghost",
    "radix-",
    "headlessui-",
    "react-aria",
    "yui_",
    "ext-gen",
];
/// Before numbers that a library counts up at run time.
const COUNTED_PREFIXES: [&str; 3] = ["ember", "mat-input-", "ui-id-"];
const MAX_NAME: usize = 60;

/// Whether an id or a class name looks made up by a tool: hashes, long numbers, ids counted at run time.
#[must_use]
pub fn is_generated(name: &str) -> bool {
    name.len() > MAX_NAME
        || name.contains(|c: char| c.is_control() || c.is_whitespace())
        // React's useId.
        || (name.contains(':') && crate::find::has(name, ":r"))
        || name.starts_with('«')
        || GENERATED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || COUNTED_PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix)).any(is_number)
        || is_of_css_module(name)
        || name.split(|c: char| !c.is_alphanumeric()).any(is_hash)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The names that bundlers give the classes of CSS modules: `_title_1nlqn_24` (name, five of the hash, line) and
/// `Card_title__1Nlqn` (file, name, five of the hash). The hash is too short to be told by itself.
fn is_of_css_module(name: &str) -> bool {
    let bytes_of_hash = |hash: &str| hash.len() == 5 && hash.bytes().all(|b| b.is_ascii_alphanumeric());
    if let Some((rest, hash)) = crate::find::split_last(name, "__")
        && !rest.is_empty()
        && bytes_of_hash(hash)
    {
        // `card__item2` and `card__Title` are names.
        return hash.bytes().take(4).any(|b| b.is_ascii_digit())
            || hash.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    }
    name.strip_prefix('_').and_then(|name| name.rsplit_once('_')).is_some_and(|(rest, line)| {
        !line.is_empty()
            && line.bytes().all(|b| b.is_ascii_digit())
            && rest.rsplit_once('_').is_some_and(|(name, hash)| !name.is_empty() && bytes_of_hash(hash))
    })
}

/// A part of a name without separators that no person would write.
fn is_hash(part: &str) -> bool {
    let bytes = part.as_bytes();
    if bytes.len() < 4 || !part.is_ascii() {
        return false;
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let is_change = |pair: &[u8]| pair[0].is_ascii_digit() != pair[1].is_ascii_digit();
    let changes = bytes.windows(2).filter(|pair| is_change(pair)).count();
    let capitals = bytes.iter().filter(|b| b.is_ascii_uppercase()).count();
    let turns = bytes.windows(2).filter(|p| p[0].is_ascii_lowercase() && p[1].is_ascii_uppercase()).count();
    let hex = bytes.iter().all(u8::is_ascii_hexdigit);
    let long_number = longest_run(bytes, |b| b.is_ascii_digit()) >= 4;
    let mixed = digits > 0 && changes >= 2 && !ends_as_unit(part);
    let hexadecimal = hex && digits > 0 && digits < bytes.len() && bytes.len() >= 6;
    // `bdVaJa`: capitals all over, in pieces too short for words.
    let camel_noise = turns >= 2 && bytes.len() / (turns + 1) <= 2;
    let capital_noise = capitals > 0
        && capitals < bytes.len()
        && digits > 0
        && bytes.len() >= 5
        && changes >= 1
        && turns >= 1
        && bytes.len() / (turns + changes + 1) <= 2;
    let consonants = longest_run(bytes, |b| b.is_ascii_alphabetic() && !is_vowel(b)) >= 6;
    long_number || mixed || hexadecimal || camel_noise || capital_noise || consonants
}

/// `2x2`, `1fr`, `w3c`: digits inside of short words are fine.
fn ends_as_unit(part: &str) -> bool {
    part.len() <= 4
}

fn is_vowel(b: u8) -> bool {
    matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn longest_run(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.split(|b| !belongs(*b)).map(<[u8]>::len).max().unwrap_or(0)
}

/// Whether a name ends in a number, as in a list that is counted through.
pub(super) fn is_numbered(name: &str) -> bool {
    name.bytes().last().is_some_and(|b| b.is_ascii_digit())
}

/// Words that utility classes begin with, or are.
const UTILITY_WORDS: [&str; 96] = [
    "absolute",
    "align",
    "animate",
    "antialiased",
    "appearance",
    "aspect",
    "backdrop",
    "basis",
    "bg",
    "block",
    "border",
    "bottom",
    "break",
    "capitalize",
    "clear",
    "clearfix",
    "col",
    "container",
    "content",
    "cursor",
    "d",
    "delay",
    "display",
    "divide",
    "duration",
    "ease",
    "end",
    "fill",
    "fixed",
    "flex",
    "float",
    "font",
    "fs",
    "fw",
    "g",
    "gap",
    "grid",
    "grow",
    "h",
    "hidden",
    "inline",
    "inset",
    "isolate",
    "italic",
    "items",
    "justify",
    "leading",
    "left",
    "line",
    "list",
    "lowercase",
    "m",
    "max",
    "mb",
    "me",
    "min",
    "ml",
    "mr",
    "ms",
    "mt",
    "mx",
    "my",
    "object",
    "opacity",
    "order",
    "origin",
    "outline",
    "overflow",
    "p",
    "pb",
    "pe",
    "pl",
    "place",
    "pr",
    "ps",
    "pt",
    "pull",
    "px",
    "py",
    "relative",
    "right",
    "ring",
    "rotate",
    "rounded",
    "row",
    "self",
    "shadow",
    "shrink",
    "size",
    "space",
    "sticky",
    "text",
    "top",
    "tracking",
    "truncate",
    "w",
];
const MORE_UTILITY_WORDS: [&str; 11] = [
    "transform",
    "transition",
    "translate",
    "underline",
    "uppercase",
    "visible",
    "whitespace",
    "z",
    "clearfix",
    "offset",
    "gx",
];

/// Whether a class name says how something looks or is laid out, not what it is (`mt-4`, `md:flex`, `text-sm`).
#[must_use]
pub fn is_utility_class(class: &str) -> bool {
    if class.contains([':', '/', '[', '!', '@']) {
        return true;
    }
    let bare = class.strip_prefix('-').unwrap_or(class);
    let mut parts = bare.split('-');
    let word = parts.next().unwrap_or("");
    let listed = UTILITY_WORDS.contains(&word) || MORE_UTILITY_WORDS.contains(&word);
    // `text-editor-toolbar` is a name; `text-sm` and `text-gray-500` are not.
    let rest: Vec<&str> = parts.collect();
    let plain = |part: &&str| {
        part.len() <= 3 || part.bytes().all(|b| b.is_ascii_digit()) || UTILITY_VALUES.contains(part)
    };
    listed && (rest.is_empty() || rest.iter().all(plain))
}

const UTILITY_VALUES: [&str; 50] = [
    "amber",
    "around",
    "auto",
    "base",
    "baseline",
    "between",
    "black",
    "blue",
    "bold",
    "bottom",
    "center",
    "circle",
    "colors",
    "column",
    "content",
    "cover",
    "danger",
    "dark",
    "emerald",
    "evenly",
    "extrabold",
    "fixed",
    "flex",
    "full",
    "gray",
    "green",
    "hidden",
    "indigo",
    "inner",
    "items",
    "left",
    "light",
    "medium",
    "muted",
    "none",
    "normal",
    "pointer",
    "primary",
    "purple",
    "right",
    "screen",
    "semibold",
    "slate",
    "start",
    "success",
    "tight",
    "transparent",
    "wrap",
    "white",
    "yellow",
];

/// Whether a class name tells a state that comes and goes.
pub(super) fn is_state_class(class: &str) -> bool {
    ["is-", "has-", "was-", "js-is-"].iter().any(|prefix| class.starts_with(prefix))
        || matches!(
            crate::find::split_last(class, "--").map_or(class, |(_, state)| state),
            "active"
                | "checked"
                | "closed"
                | "collapsed"
                | "collapsing"
                | "current"
                | "disabled"
                | "dragging"
                | "enabled"
                | "error"
                | "expanded"
                | "fade"
                | "focus"
                | "focused"
                | "hide"
                | "hover"
                | "in"
                | "invalid"
                | "loaded"
                | "loading"
                | "open"
                | "opened"
                | "out"
                | "pressed"
                | "selected"
                | "show"
                | "shown"
                | "touched"
                | "valid"
                | "visited"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_tools_make_up_are_told_from_names_that_people_chose() {
        for name in [
            "css-1a2b3c",
            "sc-bdVaJa",
            "jss123",
            "Button_root__a1B2c",
            "svelte-1x2y3z",
            "ember1234",
            "ember312",
            "mat-input-0",
            "ui-id-7",
            ":r1:",
            "radix-:r3:",
            "item-48213",
            "x7f3k9q2",
            "styles__kXyZqW",
            "a3f8c2d1",
            "mui-12345",
            "_3xYz1",
            "_checkout_1nlqn_24",
            "_page_kqzab_1",
            "Card_title__1Nlqn",
            "Card_title__aBcde",
            "post-550e8400-e29b-41d4",
        ] {
            assert!(is_generated(name), "{name}");
        }
        for name in [
            "main",
            "sidebar-left",
            "card-header",
            "btn-primary",
            "col-md-6",
            "h2",
            "nav2",
            "user_name",
            "loginForm",
            "section-3",
            "MuiButton-root",
            "w3c",
            "product-card__title",
            "card__item2",
            "card__Title",
            "_private_part",
            "_step_2",
            "__next",
            "navbarDropdown",
            "step-12",
            "ember",
            "embers7",
            "checkbox",
            "überschrift",
        ] {
            assert!(!is_generated(name), "{name}");
        }
    }

    #[test]
    fn utility_classes_are_told_from_meaningful_ones() {
        for class in [
            "mt-4",
            "md:flex",
            "text-sm",
            "text-gray-500",
            "w-1/2",
            "-mt-2",
            "flex",
            "p-[3px]",
            "col-md-6",
            "d-none",
            "justify-between",
        ] {
            assert!(is_utility_class(class), "{class}");
        }
        for class in [
            "card",
            "text-editor-toolbar",
            "nav-item",
            "list-group-item",
            "product",
            "content-header",
            "price-tag",
        ] {
            assert!(!is_utility_class(class), "{class}");
        }
    }
}
