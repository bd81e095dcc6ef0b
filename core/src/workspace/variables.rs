//! Variables of a prompt: `{name}` and `{state.name}` with a plain identifier. Other braces are text.

/// The variables of a text by name (`goal`, `state.goal`), each once, in the order in which they stand.
#[must_use]
pub fn variables(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in parts(text) {
        if let Part::Variable(name) = part
            && !found.contains(&name)
        {
            found.push(name);
        }
    }
    found
}

/// The text with each variable replaced by what `value` gives for it; one without a value stays as it is. What is put
/// in is not looked at again.
#[must_use]
pub fn fill<'a>(text: &'a str, value: impl Fn(&str) -> Option<&'a str>) -> String {
    let put = |part: Part<'a>| match part {
        Part::Text(text) => text.to_owned(),
        Part::Variable(name) => value(name).map_or_else(|| format!("{{{name}}}"), str::to_owned),
    };
    parts(text).map(put).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    /// Without its braces.
    Variable(&'a str),
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(name) = variable_at_start(rest) {
            rest = &rest[name.len() + 2..];
            return Some(Part::Variable(name));
        }
        // The next brace that may begin one, not this very character.
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let end = rest[first..].find('{').map_or(rest.len(), |at| first + at);
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Part::Text(text))
    })
}

fn variable_at_start(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?;
    let name = &inside[..inside.find('}')?];
    let plain = name.strip_prefix("state.").unwrap_or(name);
    is_identifier(plain).then_some(name)
}

/// As in JavaScript's ASCII: a letter, `_` or `$`, then digits too.
fn is_identifier(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    text.starts_with(begins) && text.chars().all(|c| begins(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_identifiers_are_variables_and_other_braces_are_text() {
        let text = "Do {goal} with {state.plan}, again {goal}; not { goal }, {a-b}, {1}, {}, {state.}, {a.b}, {\"k\": {x}}";
        assert_eq!(variables(text), ["goal", "state.plan", "x"]);
        assert_eq!(variables("{{goal}}"), ["goal"]);
        assert_eq!(variables("{ö} {"), [""; 0]);
    }

    #[test]
    fn what_has_a_value_is_replaced_once_and_the_rest_stays() {
        let value = |name: &str| match name {
            "goal" => Some("{state.plan}"),
            _ => None,
        };
        assert_eq!(
            fill("Do {goal}, {state.plan} and { goal }", value),
            "Do {state.plan}, {state.plan} and { goal }"
        );
    }

    proptest! {
        #[test]
        fn without_values_a_text_stays_as_it_is(text in "[{}a-z. ö]{0,40}") {
            prop_assert_eq!(fill(&text, |_| None), text);
        }

        #[test]
        fn with_all_values_none_is_left_that_was_there(text in "[{}a-z. ]{0,40}") {
            let filled = fill(&text, |_| Some("-"));
            // What is put in can make no new one: it has no braces.
            let left: Vec<&str> = variables(&filled);
            prop_assert!(left.iter().all(|name| !variables(&text).contains(name)) || left.is_empty());
        }
    }
}
