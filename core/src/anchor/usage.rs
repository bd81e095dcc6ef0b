//! What changes while a page is used or built anew, without anybody changing the element: its state, and the made-up
//! parts of addresses. Only the diff asks: for finding an element again each of these is as good as any other.

use crate::selector::is_generated;

/// Attributes that say in which state an element is, not what it is; and those that other extensions leave behind.
pub(super) fn is_state(attribute: &str) -> bool {
    const NAMES: [&str; 20] = [
        "aria-activedescendant",
        "aria-busy",
        "aria-checked",
        "aria-current",
        "aria-expanded",
        "aria-hidden",
        "aria-invalid",
        "aria-pressed",
        "aria-selected",
        "aria-sort",
        "aria-valuenow",
        "aria-valuetext",
        "checked",
        "data-headlessui-state",
        "data-state",
        "datetime",
        "hidden",
        "inert",
        "open",
        "tabindex",
    ];
    const OF_OTHERS: [&str; 5] = ["data-lp", "data-1p", "data-dashlane", "data-gramm", "data-bw"];
    NAMES.contains(&attribute) || OF_OTHERS.iter().any(|prefix| attribute.starts_with(prefix))
}

/// Class names that say the same, and those that a framework puts on what it is busy with.
pub(super) fn is_state_class(class: &str) -> bool {
    const NAMES: [&str; 14] = [
        "active",
        "collapsed",
        "current",
        "expanded",
        "focus",
        "focus-visible",
        "hide",
        "hover",
        "in",
        "loading",
        "open",
        "selected",
        "show",
        "visible",
    ];
    // What Angular says of a field, as far as using the field changes it.
    const OF_FIELDS: [&str; 6] =
        ["ng-dirty", "ng-invalid", "ng-pristine", "ng-touched", "ng-untouched", "ng-valid"];
    ["is-", "htmx-"].iter().any(|prefix| class.starts_with(prefix))
        || NAMES.contains(&class)
        || OF_FIELDS.contains(&class)
}

/// Whether two addresses lead to the same but for hashes in a file's name and for parameters that count visits.
pub(super) fn is_same_address(attribute: &str, before: &str, after: &str) -> bool {
    match attribute {
        "href" | "action" => without_tracking(before).eq(without_tracking(after)),
        "src" | "srcset" | "poster" => without_hashes(before).eq(without_hashes(after)),
        _ => false,
    }
}

fn without_tracking(address: &str) -> impl Iterator<Item = &str> {
    const NAMES: [&str; 5] = ["utm_", "gclid=", "fbclid=", "msclkid=", "mc_"];
    let tracks = |part: &&str| NAMES.iter().any(|name| part.starts_with(name));
    address.split(['?', '&']).filter(move |part| !tracks(part))
}

/// The parts of an address, those that are hashes with digits and letters as nothing.
pub(super) fn without_hashes(address: &str) -> impl Iterator<Item = &str> {
    let is_hash = |part: &str| {
        part.len() >= 6 && part.contains(|c: char| c.is_ascii_alphabetic()) && is_generated(part)
    };
    address.split(|c: char| !c.is_ascii_alphanumeric()).map(move |part| if is_hash(part) { "" } else { part })
}
