//! What the probe read, made fit to be shown and stored. A page can forge all of it, so nothing is passed on that could
//! break a line, hide direction, or climb out of a project.

use super::{ProbeFacts, SourceLocation};
use crate::find;

const MAX_PATH: usize = 500;
const MAX_COMPONENT: usize = 100;
const MAX_NUMBER: u32 = 10_000_000;

/// The place that a framework or an inspector's attribute tells, if it is one.
#[must_use]
pub fn from_probe(facts: &ProbeFacts) -> Option<SourceLocation> {
    let file = path(facts.file.as_deref()?)?;
    let in_range = |number: Option<u32>| number.filter(|n| (1..=MAX_NUMBER).contains(n));
    let line = in_range(facts.line);
    let (sure, reason) = match facts.framework.as_deref() {
        Some("react") if line.is_some() => (0.95, "React _debugSource"),
        // The only thing of React's that tells a file and no line; its paths are those of the dev server.
        Some("react") => (0.8, "React _debugStack, as the dev server serves it"),
        Some("vue") => (0.9, "Vue __file"),
        Some("svelte") => (0.95, "Svelte __svelte_meta"),
        Some("attribute") => (0.9, "a source attribute on the element"),
        _ => (0.4, "the page says so, without a known framework"),
    };
    let column = in_range(facts.column).filter(|_| line.is_some());
    let library = file.split('/').any(|part| part == "node_modules");
    let (confidence, reason) = match (library, line) {
        (true, _) => (0.2, format!("{reason}; the file belongs to a library")),
        (false, None) => (f32::min(sure, 0.8), format!("{reason}; it tells no line")),
        (false, Some(_)) => (sure, reason.to_owned()),
    };
    Some(SourceLocation { file, line, column, confidence, reason })
}

/// The name of a component, if it could be one: one line, without control characters, at most 100 characters.
#[must_use]
pub fn component_name(raw: &str) -> Option<String> {
    let name = raw.trim();
    let fits = !name.is_empty() && name.chars().count() <= MAX_COMPONENT && !name.chars().any(is_unfit);
    fits.then(|| name.to_owned())
}

/// A path as a build tool writes it, without its scheme, origin and query.
fn path(raw: &str) -> Option<String> {
    let raw = raw.trim();
    if raw.chars().count() > MAX_PATH || raw.chars().any(is_unfit) {
        return None;
    }
    let unified = raw.replace('\\', "/");
    let bare = match find::split_first(&unified, "://") {
        Some(("http" | "https", rest)) => rest.split_once('/')?.1,
        Some(("file", rest)) => rest,
        Some((scheme, rest)) if scheme.starts_with("webpack") => {
            find::split_first(rest, "/./").map_or(rest, |(_, path)| path).trim_start_matches('/')
        }
        Some(_) => return None,
        None => unified.as_str(),
    };
    // `/@fs/` is how Vite serves absolute paths.
    let bare = bare.strip_prefix("@fs/").map_or_else(|| bare.to_owned(), |rest| format!("/{rest}"));
    let bare = bare.split(['?', '#']).next().unwrap_or("");
    let has_scheme = bare.split('/').next().is_some_and(|first| first.len() > 2 && first.ends_with(':'))
        || ["javascript:", "data:", "blob:", "vbscript:"]
            .iter()
            .any(|s| bare.to_ascii_lowercase().starts_with(s));
    let bare = bare.strip_prefix("./").unwrap_or(bare);
    let climbs = bare.split('/').any(|part| part == "..");
    let named = bare.rsplit('/').next().is_some_and(|name| !name.is_empty());
    (named && !climbs && !has_scheme).then(|| bare.to_owned())
}

/// Breaks a line, hides direction, or ends a fence.
fn is_unfit(c: char) -> bool {
    c.is_control()
        || matches!(c, '`' | '<' | '>' | '"' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(framework: &str, file: &str, line: Option<u32>) -> Option<SourceLocation> {
        from_probe(&ProbeFacts {
            framework: Some(framework.to_owned()),
            file: Some(file.to_owned()),
            line,
            ..ProbeFacts::default()
        })
    }

    #[test]
    fn a_react_source_is_told_with_line_and_reason() {
        let place = told("react", "/app/src/Card.tsx", Some(12));
        assert!(place.is_some_and(|p| {
            p.file == "/app/src/Card.tsx"
                && p.line == Some(12)
                && p.reason == "React _debugSource"
                && p.confidence > 0.9
        }));
    }

    #[test]
    fn a_react_stack_is_told_without_a_line() {
        let place = told("react", "src/pages/Shop.tsx", None);
        assert!(place.is_some_and(|p| {
            p.file == "src/pages/Shop.tsx"
                && p.line.is_none()
                && p.column.is_none()
                && p.reason == "React _debugStack, as the dev server serves it; it tells no line"
                && p.confidence <= 0.8
        }));
    }

    #[test]
    fn addresses_of_dev_servers_become_paths() {
        for (raw, path) in [
            ("http://localhost:5173/src/App.tsx?t=17", "src/App.tsx"),
            ("http://localhost:5173/@fs/app/src/App.tsx", "/app/src/App.tsx"),
            ("webpack-internal:///./src/App.vue", "src/App.vue"),
            ("webpack://shop/./src/App.vue?abc", "src/App.vue"),
            ("file:///app/x.svelte", "/app/x.svelte"),
            ("C:\\app\\x.tsx", "C:/app/x.tsx"),
            ("./src/x.tsx", "src/x.tsx"),
        ] {
            assert_eq!(told("vue", raw, None).map(|p| p.file).as_deref(), Some(path), "{raw}");
        }
    }

    #[test]
    fn hostile_files_are_refused() {
        for raw in [
            "",
            "  ",
            "a\nb.tsx",
            "../../etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "src/",
            "a`b.ts",
            "x\u{202e}.ts",
            "chrome://settings/x",
        ] {
            assert_eq!(told("react", raw, Some(1)), None, "{raw:?}");
        }
        assert_eq!(told("react", &"a".repeat(5_000), Some(1)), None);
    }

    #[test]
    fn numbers_out_of_range_and_libraries_lower_the_trust() {
        assert!(told("react", "a.tsx", Some(0)).is_some_and(|p| p.line.is_none() && p.confidence <= 0.8));
        assert!(told("react", "node_modules/x/a.js", Some(1)).is_some_and(|p| p.confidence < 0.5));
        assert!(told("made-up", "a.tsx", Some(1)).is_some_and(|p| p.confidence < 0.5));
    }

    #[test]
    fn component_names_are_one_short_line() {
        assert_eq!(component_name(" Card "), Some("Card".to_owned()));
        assert_eq!(component_name("a\nb"), None);
        assert_eq!(component_name(&"x".repeat(200)), None);
    }
}
