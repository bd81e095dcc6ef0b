//! Takes the keys that told which element is which away from both pages, so that nobody can match by them.

use std::collections::HashSet;

use super::document::{Document, Element};
use super::keys::{self, Kind};
use super::matched::{Match, Matched};
use super::select::Target;
use super::texts;

/// Whether a pair keeps its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// They are taken away.
    Withheld,
    /// All attributes stay. What is looked for is known by two keys, or follows from what is around it.
    Kept,
}

/// Names of attributes to take away, by element: of the older page, and of the newer one.
pub(super) type Withheld = [Vec<(usize, String)>; 2];

/// What refers to ids or names.
const REFERENCES: [&str; 14] = [
    "for",
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "data-target",
    "data-bs-target",
    "data-activates",
    "data-parent",
    "data-bs-parent",
    "data-dojo-id",
    "headers",
    "list",
    "form",
];
/// How far above something that is gone ids and addresses are taken away.
const ABOVE: usize = 6;

impl Mode {
    /// By the pair's name: one of five keeps them.
    pub(super) fn of(name: &str) -> Self {
        if (texts::hash(name) >> 32).is_multiple_of(5) { Self::Kept } else { Self::Withheld }
    }

    /// Whether that is known well enough to be asked for.
    pub(super) fn allows(self, one: &Match) -> bool {
        match self {
            Self::Withheld => true,
            Self::Kept => one.kinds.len() != 1,
        }
    }
}

/// What has to go from both pages.
pub(super) fn keys(
    old: &Document,
    new: &Document,
    matched: &Matched,
    targets: &[Target],
    mode: Mode,
) -> Withheld {
    if mode == Mode::Kept {
        return Withheld::default();
    }
    let mut secret = Secret::default();
    secret.ids_on_both(old, new);
    for (&at, one) in &matched.pairs {
        let element = &old.elements[at];
        secret.of(element, element.tag == "a" || one.kinds.contains(&Kind::Source));
    }
    for target in targets.iter().filter(|target| target.new.is_none()) {
        for at in std::iter::once(target.old).chain(old.ancestors(target.old).take(ABOVE)) {
            secret.of(&old.elements[at], true);
        }
    }
    [old, new].map(|page| {
        let with = |(at, element): (usize, &Element)| {
            secret.among(element).into_iter().map(|name| (at, name)).collect::<Vec<_>>()
        };
        page.elements.iter().enumerate().flat_map(with).collect()
    })
}

/// The values that may stand on neither page.
#[derive(Default)]
struct Secret {
    /// Ids and names of controls.
    names: HashSet<String>,
    addresses: HashSet<String>,
    files: HashSet<String>,
}

impl Secret {
    fn ids_on_both(&mut self, old: &Document, new: &Document) {
        let ids = |page: &Document| -> HashSet<String> {
            page.elements.iter().filter_map(|one| one.attribute("id").map(str::to_owned)).collect()
        };
        self.names.extend(ids(old).intersection(&ids(new)).cloned());
    }

    fn of(&mut self, element: &Element, with_addresses: bool) {
        let own = ["id", "name"].iter().filter_map(|name| element.attribute(name));
        self.names.extend(own.map(str::to_owned));
        if with_addresses {
            self.addresses.extend(element.attribute("href").and_then(keys::address));
            self.files.extend(element.attribute("src").and_then(keys::file));
        }
    }

    /// The attributes of an element that say one of them.
    fn among(&self, element: &Element) -> Vec<String> {
        let refers = |value: &str| {
            value.split_whitespace().any(|word| self.names.contains(word.trim_start_matches('#')))
        };
        let says = |name: &str, value: &str| match name {
            "id" | "name" => self.names.contains(value.trim()),
            "href" => {
                let part = value.split_once('#').map(|(_, part)| part);
                keys::address(value).is_some_and(|address| self.addresses.contains(&address))
                    || part.is_some_and(|part| self.names.contains(part))
            }
            "src" => keys::file(value).is_some_and(|file| self.files.contains(&file)),
            _ => REFERENCES.contains(&name) && refers(value),
        };
        let told = element.attributes.iter().filter(|(name, value)| says(name, value));
        told.map(|(name, _)| name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::pages::matched;

    #[test]
    fn keys_and_what_refers_to_them_go_from_both_pages() {
        let body = "<label for=mail>Your address</label><input id=mail><a href=#mail class=x>To the form</a>";
        let (old, new) = (Document::of_body(body), Document::of_body(body));
        let matched = matched::by_keys(&old, &new);
        let withheld = keys(&old, &new, &matched, &[], Mode::Withheld);
        for page in &withheld {
            let names: Vec<&str> = page.iter().map(|(_, name)| name.as_str()).collect();
            assert_eq!(names, ["for", "id", "href"]);
        }
        assert_eq!(keys(&old, &new, &matched, &[], Mode::Kept), Withheld::default());
    }
}
