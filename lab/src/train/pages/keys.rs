//! What names an element from one version of its page to the next.

use std::collections::HashMap;

use super::document::{Document, Element, Group};

/// Which of an element's properties names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Id,
    Name,
    Address,
    LabelOf,
    Controls,
    Source,
    /// The whole text, where nothing else on the page has it.
    Text,
}

/// All kinds, the surest first.
pub(super) const KINDS: [Kind; 7] =
    [Kind::Id, Kind::Name, Kind::LabelOf, Kind::Controls, Kind::Address, Kind::Source, Kind::Text];
/// Shortest text that names something.
const SHORTEST: usize = 8;

/// The key of that kind, if the element has one.
pub(super) fn key(element: &Element, kind: Kind) -> Option<String> {
    let tag = element.tag.as_str();
    let of = |name: &str| element.attribute(name).map(str::to_owned);
    // Nobody points at it.
    if element.attribute("type") == Some("hidden") {
        return None;
    }
    match kind {
        Kind::Id => {
            of("id").or_else(|| of("name").filter(|_| tag == "a" && element.attribute("href").is_none()))
        }
        Kind::Name => of("name").filter(|_| {
            (element.group() == Group::Control || matches!(tag, "button" | "form"))
                && element.attribute("type") != Some("radio")
        }),
        Kind::Address => element.attribute("href").filter(|_| tag == "a").and_then(address),
        Kind::LabelOf => of("for").filter(|_| tag == "label"),
        Kind::Controls if element.group() == Group::Action => {
            ["data-target", "data-bs-target", "data-activates", "aria-controls"]
                .iter()
                .find_map(|name| of(name))
        }
        Kind::Controls => None,
        Kind::Source => element.attribute("src").filter(|_| tag == "img").and_then(file),
        Kind::Text => {
            let says = element.text.len() >= SHORTEST && !element.own.is_empty();
            says.then(|| format!("{tag} {}", element.text))
        }
    }
}

/// An address without what changes when a site is served from elsewhere; nothing if it leads nowhere of its own.
pub(super) fn address(value: &str) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    let is_nothing = value.trim_start_matches(['#', '!']).is_empty();
    if is_nothing || ["javascript:", "data:", "tel:"].iter().any(|scheme| lower.starts_with(scheme)) {
        return None;
    }
    let rest = value.trim_start_matches("https:").trim_start_matches("http:");
    let rest = rest.trim_start_matches("//").trim_start_matches("www.");
    let rest = rest.trim_start_matches("../").trim_start_matches("./");
    Some(rest.trim_end_matches('/').to_owned()).filter(|rest| !rest.is_empty())
}

/// A file with the folder it is in.
pub(super) fn file(value: &str) -> Option<String> {
    let path = value.split(['?', '#']).next().filter(|_| !value.starts_with("data:"))?;
    let mut last: Vec<&str> = path.rsplit('/').filter(|part| !part.is_empty()).take(2).collect();
    last.reverse();
    Some(last.join("/").to_lowercase()).filter(|file| !file.is_empty())
}

/// The keys of a kind that stand on a page once, with their elements. Names that differ by their numbers alone count
/// what is there, and go on to the next when one is put before them: they are no keys.
pub(super) fn unique(page: &Document, kind: Kind) -> HashMap<String, usize> {
    let mut found: HashMap<String, Option<usize>> = HashMap::new();
    let mut counted: HashMap<String, usize> = HashMap::new();
    for at in page.shown() {
        if let Some(key) = key(&page.elements[at], kind) {
            *counted.entry(stem(&key)).or_default() += 1;
            found.entry(key).and_modify(|have| *have = None).or_insert(Some(at));
        }
    }
    let is_name = matches!(kind, Kind::Id | Kind::Name | Kind::LabelOf | Kind::Controls);
    let is_one = |key: &String| !is_name || stem(key) == *key || counted.get(&stem(key)) == Some(&1);
    found.into_iter().filter_map(|(key, at)| Some((key, at?))).filter(|(key, _)| is_one(key)).collect()
}

/// Without digits.
fn stem(key: &str) -> String {
    key.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_files_are_the_same_wherever_they_are_served_from() {
        assert_eq!(address("http://www.a.example/b/"), address("//a.example/b"));
        assert_eq!(address("../b.html"), Some("b.html".to_owned()));
        assert_eq!(address("#"), None);
        assert_eq!(address("javascript:void(0)"), None);
        assert_eq!(file("/x/y/Img/a.png?v=3"), Some("img/a.png".to_owned()));
        assert_eq!(file("data:image/png;base64,AA"), None);
    }
}
