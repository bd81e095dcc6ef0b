//! What a file of TypeScript imports of its own tree: `import … from`, `import type`, `export … from`, `import '…'` and
//! `import('…')`. An `import()` of anything but a plain text is not followed.

/// The relative paths that it imports.
pub(super) fn imported(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, quote) in source.char_indices().filter(|(_, letter)| matches!(letter, '\'' | '"' | '`')) {
        let rest = &source[at + 1..];
        let is_relative = rest.starts_with("./") || rest.starts_with("../");
        let Some(end) = rest.find([quote, '\n']).filter(|_| is_relative && is_imported(&source[..at])) else {
            continue;
        };
        found.push(&rest[..end]);
    }
    found
}

/// Whether what comes after this is what is imported.
fn is_imported(before: &str) -> bool {
    let before = without_comments(before);
    let before = before.strip_suffix('(').map_or(before, without_comments);
    ["from", "import"].iter().any(|word| {
        let rest = before.strip_suffix(word);
        rest.is_some_and(|rest| {
            !rest.ends_with(|letter: char| letter.is_alphanumeric() || "_$.".contains(letter))
        })
    })
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
        assert_eq!(imported(source), ["../a", "../b", "./c", "../d", "./e.css", "../f", "../g"]);
    }
}
