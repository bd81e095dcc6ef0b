//! Whether a selector rests on names that a build or a framework made. The bench's own rule, the same for every
//! generator, and none of the product's: by the shape of the name alone.

/// Whether any id, class or value of an identifying attribute in a CSS selector looks generated.
pub(super) fn has_generated_name(selector: &str) -> bool {
    names(selector).iter().any(|name| is_generated(name))
}

/// Parts of a name, such as `css` and `1x2y3z`, by how they are spelled.
fn is_generated(name: &str) -> bool {
    let framework = name.contains(":r") && name.matches(':').count() > 1;
    framework || name.split(|c: char| !c.is_ascii_alphanumeric()).any(is_generated_part)
}

fn is_generated_part(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let letters = part.len() - digits;
    let kinds: Vec<bool> = part.bytes().map(|byte| byte.is_ascii_digit()).collect();
    let switches = kinds.windows(2).filter(|pair| pair.first() != pair.last()).count();
    // Spelled as no word is: letters and digits mixed.
    let mixed = part.len() >= 5 && switches >= 2 && digits > 0;
    let hexadecimal =
        part.len() >= 6 && digits >= 2 && letters >= 1 && part.bytes().all(|b| b.is_ascii_hexdigit());
    // Counted up: ember1234, 10045.
    let numbered = digits >= 3 && switches == 1 && kinds.last() == Some(&true);
    let number = letters == 0 && digits >= 5;
    // Without a vowel, and too long for an abbreviation.
    let unspeakable = digits == 0
        && letters >= 7
        && !part.bytes().any(|b| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y'));
    mixed || hexadecimal || numbered || number || unspeakable
}

/// Ids, classes, and the values of attributes that name things (`id`, `class`, `name`, `for`, `aria-*`, `data-*`).
fn names(selector: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = selector.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '#' | '.' => found.push(identifier(&mut rest)),
            '[' => {
                let name = identifier(&mut rest);
                let mut value = String::new();
                while let Some(c) = rest.next().filter(|&c| c != ']') {
                    match c {
                        '"' | '\'' => value.push_str(&quoted(&mut rest, c)),
                        '=' | '~' | '|' | '^' | '$' | '*' => {}
                        c => value.push(c),
                    }
                }
                let names_things = matches!(name.as_str(), "id" | "class" | "name" | "for")
                    || name.starts_with("aria-")
                    || name.starts_with("data-");
                if names_things {
                    found.push(value);
                }
            }
            _ => {}
        }
    }
    found
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn identifier(rest: &mut Chars<'_>) -> String {
    let mut name = String::new();
    while let Some(&c) = rest.peek() {
        if c == '\\' {
            rest.next();
            name.push_str(&escaped(rest));
        } else if c.is_alphanumeric() || c == '-' || c == '_' || !c.is_ascii() {
            rest.next();
            name.push(c);
        } else {
            break;
        }
    }
    name
}

fn quoted(rest: &mut Chars<'_>, quote: char) -> String {
    let mut value = String::new();
    while let Some(c) = rest.next().filter(|&c| c != quote) {
        if c == '\\' { value.push_str(&escaped(rest)) } else { value.push(c) }
    }
    value
}

/// What follows a backslash: up to six hexadecimal digits and a space, or the character itself.
fn escaped(rest: &mut Chars<'_>) -> String {
    let mut code = String::new();
    while code.len() < 6
        && let Some(&c) = rest.peek().filter(|c| c.is_ascii_hexdigit())
    {
        code.push(c);
        rest.next();
    }
    if code.is_empty() {
        return rest.next().map(String::from).unwrap_or_default();
    }
    rest.next_if(|c| *c == ' ');
    u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).map(String::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ids_classes_and_values_that_identify() {
        assert_eq!(
            names(r#"#a\.b > .c\31 2 d[data-x="e]\"f"][href="/g123456"]:nth-child(3)"#),
            ["a.b", "c12", "e]\"f"]
        );
    }

    #[test]
    fn hashed_and_counted_names_are_generated_and_words_are_not() {
        for name in [
            ".css-1x2y3z",
            "#ember1234",
            ".sc-a1b2c3",
            "#\\:r1\\:",
            ".Button_root__3fA9x",
            "[data-id=\"99812\"]",
        ] {
            assert!(has_generated_name(name), "{name}");
        }
        for name in [
            "#sidebar",
            ".col-md-6",
            ".text-2xl",
            "h2 > a[href=\"/2024/10045\"]",
            "#section-2",
            ".mt-3",
            "#os.path",
        ] {
            assert!(!has_generated_name(name), "{name}");
        }
    }
}
