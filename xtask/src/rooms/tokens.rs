//! What a few tokens of Rust say: attributes, modules, paths.

use proc_macro2::{Delimiter, Literal, TokenTree};

/// One path of a `use` tree, and the other name it gives to what it leads to.
pub(super) struct Leaf {
    pub(super) path: Vec<String>,
    pub(super) renamed: Option<String>,
}

/// The paths of a `use` tree, or the one path of an expression; returns what comes after. `before`: what stands before
/// it.
pub(super) fn tree(tokens: &[TokenTree], mut at: usize, before: &[String], paths: &mut Vec<Leaf>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(segment)) => {
                let segment = segment.to_string();
                if segment != "self" || path.is_empty() {
                    path.push(segment);
                }
                at += 1;
                if is_double_colon(tokens, at) {
                    at += 2;
                    continue;
                }
            }
            Some(TokenTree::Punct(mark)) if mark.as_char() == '*' => {
                path.push("*".to_owned());
                at += 1;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                for one in inner.split(|token| is_mark(Some(token), ',')) {
                    if !one.is_empty() {
                        tree(one, 0, &path, paths);
                    }
                }
                return at + 1;
            }
            // `::<T>`, or whatever else ends a path.
            _ => {}
        }
        let renamed = match tokens.get(at + 1) {
            Some(TokenTree::Ident(name)) if is_name(tokens.get(at), "as") => Some(name.to_string()),
            _ => None,
        };
        paths.push(Leaf { path, renamed });
        return at;
    }
}

/// Whether an item `use …;` begins here, and whether it hands what it names on to others (`pub use`). The `use<'a>` of
/// a type is none.
pub(super) fn begins_use(tokens: &[TokenTree], at: usize) -> Option<bool> {
    if !is_name(tokens.get(at), "use") || is_mark(tokens.get(at + 1), '<') {
        return None;
    }
    let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    let within = inside(before(1), Delimiter::Parenthesis).is_some();
    Some(is_name(before(1 + usize::from(within)), "pub"))
}

/// The name of the item that is defined here.
pub(super) fn defined(tokens: &[TokenTree], at: usize) -> Option<String> {
    const ITEMS: &[&str] = &["fn", "struct", "enum", "union", "trait", "type", "const", "static"];
    let is_macro = is_name(tokens.get(at), "macro_rules") && is_mark(tokens.get(at + 1), '!');
    if !is_macro && !ITEMS.iter().any(|item| is_name(tokens.get(at), item)) {
        return None;
    }
    match tokens.get(at + 1 + usize::from(is_macro)) {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_name(token: Option<&TokenTree>, name: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == name)
}

fn inside(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

pub(super) fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    is_mark(tokens.get(at), ':') && is_mark(tokens.get(at + 1), ':')
}

/// Whether the `>` here ends `->` or `=>`.
pub(super) fn is_arrow(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    is_mark(before, '-') || is_mark(before, '=')
}

/// The inside of an attribute that begins here, whether it is an inner one (`#![…]`), and what comes after it.
pub(super) fn attribute(tokens: &[TokenTree], at: usize) -> Option<(Vec<TokenTree>, bool, usize)> {
    if !is_mark(tokens.get(at), '#') {
        return None;
    }
    let is_inner = is_mark(tokens.get(at + 1), '!');
    let at = at + 1 + usize::from(is_inner);
    Some((inside(tokens.get(at), Delimiter::Bracket)?, is_inner, at + 1))
}

/// `#[test]`, `#[tokio::test]`, `#[cfg(test)]` and `#[cfg(all(test, …))]`.
pub(super) fn is_for_tests(attribute: &[TokenTree]) -> bool {
    if attribute.len() != 2 || !is_name(attribute.first(), "cfg") {
        return is_name(attribute.last(), "test");
    }
    let Some(condition) = inside(attribute.get(1), Delimiter::Parenthesis) else { return false };
    let all = match (condition.first(), condition.get(1)) {
        (first, all @ Some(_)) if is_name(first, "all") => inside(all, Delimiter::Parenthesis),
        _ => Some(condition),
    };
    all.unwrap_or_default()
        .split(|token| is_mark(Some(token), ','))
        .any(|one| one.len() == 1 && is_name(one.first(), "test"))
}

/// Words for people who read the source.
pub(super) fn is_doc(attribute: &[TokenTree]) -> bool {
    is_name(attribute.first(), "doc")
}

/// The file that `#[path = "…"]` names.
pub(super) fn path_of(attribute: &[TokenTree]) -> Option<String> {
    match attribute {
        [name, _, TokenTree::Literal(text)] if is_name(Some(name), "path") => text_of(text),
        _ => None,
    }
}

/// The name of the module that is declared here.
pub(super) fn declared(tokens: &[TokenTree], at: usize) -> Option<String> {
    match (tokens.get(at)?, tokens.get(at + 1)?, tokens.get(at + 2)?) {
        (module, TokenTree::Ident(name), TokenTree::Group(_) | TokenTree::Punct(_))
            if is_name(Some(module), "mod") =>
        {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// What a text without escapes says.
pub(super) fn text_of(literal: &Literal) -> Option<String> {
    let text = literal.to_string();
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}
