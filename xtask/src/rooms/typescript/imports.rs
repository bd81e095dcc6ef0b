//! What a file of TypeScript imports of its own tree: `import … from`, `import type`, `export … from`, `import '…'` and
//! `import('…')`. An `import()` of anything but a plain text is not followed.

/// One path that a file imports from.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Imported<'a> {
    /// Relative to the file, as it stands there.
    pub(super) path: &'a str,
    pub(super) what: What<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum What<'a> {
    /// These, by the names that the other file has for them; `default` is one.
    Names(Vec<&'a str>),
    /// `* as name`, `import '…'` and `import('…')`: the file itself.
    File,
    /// `export { … } from`: each by the other file's name and by this one's. They are for others.
    HandedOn(Vec<(&'a str, &'a str)>),
    /// `export * from`.
    AllHandedOn,
}

/// The relative paths that a file imports from.
pub(in super::super) fn paths(source: &str) -> Vec<&str> {
    imported(source).into_iter().map(|one| one.path).collect()
}

pub(super) fn imported(source: &str) -> Vec<Imported<'_>> {
    let mut found = Vec::new();
    for (at, quote) in source.char_indices().filter(|(_, letter)| matches!(letter, '\'' | '"' | '`')) {
        let rest = &source[at + 1..];
        let is_relative = rest.starts_with("./") || rest.starts_with("../");
        let Some(end) = rest.find([quote, '\n']).filter(|_| is_relative) else { continue };
        if let Some(what) = what(&source[..at]) {
            found.push(Imported { path: &rest[..end], what });
        }
    }
    found
}

/// What the words before a path import from it; `None` where they do not import.
fn what(before: &str) -> Option<What<'_>> {
    let before = without_comments(before);
    let before = before.strip_suffix('(').map_or(before, without_comments);
    let Some(clause) = without_word(before, "from") else {
        return without_word(before, "import").map(|_| What::File);
    };
    let begin = |word: &'static str| {
        let begins = clause.rmatch_indices(word).filter(|(at, _)| {
            let after = clause[at + word.len()..].chars().next();
            is_whole(&clause[..*at])
                && after.is_none_or(|letter| letter.is_whitespace() || "{*".contains(letter))
        });
        begins.map(|(at, _)| at + word.len()).next()
    };
    let (import, export) = (begin("import"), begin("export"));
    // Whichever stands nearer: the other one begins a statement before.
    if export > import {
        let names = clause[export?..].trim();
        let names = names.strip_prefix("type").map_or(names, str::trim);
        return Some(match names.strip_prefix('{') {
            Some(names) => What::HandedOn(listed(names).collect()),
            None => What::AllHandedOn,
        });
    }
    let names = clause[import?..].trim();
    if names.contains('*') {
        return Some(What::File);
    }
    let (default, braced) = names.split_once('{').unwrap_or((names, ""));
    let is_default = !matches!(default.trim().trim_end_matches(','), "" | "type");
    Some(What::Names(
        is_default.then_some("default").into_iter().chain(listed(braced).map(|(name, _)| name)).collect(),
    ))
}

/// What stands between braces, each by the other file's name and by this one's.
fn listed(names: &str) -> impl Iterator<Item = (&str, &str)> {
    let names = names.trim().trim_end_matches('}').split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| {
        let name = name.strip_prefix("type ").map_or(name, str::trim);
        let (name, own) = name.split_once(" as ").unwrap_or((name, name));
        (name.trim(), own.trim())
    })
}

/// Without the word at its end, when it is one.
fn without_word<'a>(before: &'a str, word: &str) -> Option<&'a str> {
    before.strip_suffix(word).filter(|rest| is_whole(rest))
}

/// Whether a word that comes after this begins there.
fn is_whole(before: &str) -> bool {
    !before.ends_with(|letter: char| letter.is_alphanumeric() || "_$.".contains(letter))
}

/// Without the blanks and the comments at its end, as `/* @vite-ignore */`.
fn without_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_end();
        match text.strip_suffix("*/").and_then(|text| text.rfind("/*").map(|at| &text[..at])) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_importing_is_found_and_nothing_else() {
        let source = "import { a } from '../a';\nimport type { B } from \"../b\";\nimport\n  c,\n  { d }\n  from './c';\n\
                      export * from '../d';\nimport './e.css';\nconst f = await import(/* @vite-ignore */ '../f');\n\
                      type G = typeof import(`../g`);\nimport x from 'preact';\nconst no = './no'; transform('./no'); Array.from('./no');";
        assert_eq!(paths(source), ["../a", "../b", "./c", "../d", "./e.css", "../f", "../g"]);
    }

    #[test]
    fn names_are_those_of_the_file_that_has_them() {
        let of = |source: &'static str| imported(source).into_iter().map(|one| one.what).next();
        let names = |names: &[&'static str]| Some(What::Names(names.to_vec()));
        assert_eq!(of("import x from 'x';\nimport { a, type B as C } from './a';"), names(&["a", "B"]));
        assert_eq!(of("import type { important, } from './a';"), names(&["important"]));
        assert_eq!(of("import a, { b } from './a';"), names(&["default", "b"]));
        assert_eq!(of("import type A from './a';"), names(&["default"]));
        assert_eq!(of("export const x = 1;\nimport { a } from './a';"), names(&["a"]));
        for file in ["import * as a from './a';", "import './a';", "await import('./a');"] {
            assert_eq!(of(file), Some(What::File));
        }
        let handed_on = Some(What::HandedOn(vec![("a", "a"), ("B", "C")]));
        assert_eq!(of("import { x } from 'x';\nexport { a, type B as C } from './a';"), handed_on);
        assert_eq!(of("export type { A } from './a';"), Some(What::HandedOn(vec![("A", "A")])));
        for all in ["export * from './a';", "export type * from './a';", "export * as a from './a';"] {
            assert_eq!(of(all), Some(What::AllHandedOn));
        }
    }
}
