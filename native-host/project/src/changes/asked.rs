//! Which file of a project a page means.

use std::borrow::Cow;
use std::path::Path;

use super::scan::Scan;

/// The file's path within the project, when exactly one can be meant. No disk is asked. `served_from`: the directory of
/// the page's server within the project, `packages/web`; empty for the root, absent when it is not known.
pub(super) fn find<'a>(
    scan: &'a Scan,
    root: &Path,
    served_from: Option<&str>,
    asked: &str,
) -> Option<&'a str> {
    let asked = asked.replace('\\', "/");
    let root = root.to_str()?.replace('\\', "/");
    let root = root.strip_prefix("//?/").unwrap_or(&root);
    readings(&asked).iter().find_map(|path| one(scan, root, served_from, path))
}

/// The ways in which it can be read, the most literal first: names may hold what else ends them.
fn readings(asked: &str) -> Vec<Cow<'_, str>> {
    let path = without_origin(asked);
    let without_query = path.split(['?', '#']).next().unwrap_or(path);
    let mut readings: Vec<Cow<'_, str>> = Vec::new();
    for path in [path, without_line(path), without_query, without_line(without_query)] {
        for reading in [Some(Cow::Borrowed(path)), decoded(path).map(Cow::Owned)].into_iter().flatten() {
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

/// Without `http://localhost:5173`, `file://` and the `/@fs` that Vite puts before absolute paths.
fn without_origin(asked: &str) -> &str {
    let path = match asked.split_once("://") {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
            rest.find('/').and_then(|slash| rest.get(slash..)).unwrap_or_default()
        }
        _ => asked,
    };
    path.strip_prefix("/@fs").filter(|rest| rest.starts_with('/')).unwrap_or(path)
}

/// Without `:12` or `:12:3`.
fn without_line(path: &str) -> &str {
    let number = |path: &str| {
        let (before, digits) = path.rsplit_once(':')?;
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(before.len())
    };
    let mut rest = path;
    for _ in 0..2 {
        rest = number(rest).and_then(|end| rest.get(..end)).unwrap_or(rest);
    }
    rest
}

/// With `%20` as what it stands for; `None` when nothing does, or not for text.
fn decoded(path: &str) -> Option<String> {
    if !path.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn one<'a>(scan: &'a Scan, root: &str, served_from: Option<&str>, path: &str) -> Option<&'a str> {
    let inside = path.strip_prefix(root).and_then(|path| path.strip_prefix('/'));
    // On Windows `/@fs/C:/shop` and `file:///C:/shop` have one more.
    let inside = inside.or_else(|| path.strip_prefix('/')?.strip_prefix(root)?.strip_prefix('/'));
    if let Some(inside) = inside {
        return exact(scan, inside);
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    let path = path.strip_prefix('/').unwrap_or(path);
    if path.is_empty() || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return None;
    }
    let served = served_from.filter(|at| !at.is_empty()).and_then(|at| exact(scan, &format!("{at}/{path}")));
    if served.is_some() {
        return served;
    }
    let is_end =
        |file: &str| file.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    if served_from == Some("")
        && let Some(found) = exact(scan, path)
    {
        return Some(found);
    }
    let mut ends = scan.files.iter().map(|(file, _)| file.as_ref()).filter(|file| is_end(file));
    ends.next().filter(|_| ends.next().is_none())
}

fn exact<'a>(scan: &'a Scan, path: &str) -> Option<&'a str> {
    let found = scan.files.binary_search_by(|(file, _)| file.as_ref().cmp(path)).ok()?;
    scan.files.get(found).map(|(file, _)| file.as_ref())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;

    fn scan(files: &[&str]) -> Scan {
        let mut files: Vec<(Box<str>, u64)> = files.iter().map(|&file| (file.into(), 1)).collect();
        files.sort_unstable();
        Scan { began: Instant::now(), files, directories: Vec::new(), is_whole: true }
    }

    fn found<'a>(scan: &'a Scan, asked: &str) -> Option<&'a str> {
        find(scan, Path::new("/home/me/shop"), None, asked)
    }

    #[test]
    fn a_file_is_known_by_its_path_within_the_project() {
        let scan = scan(&["index.html", "src/Shop.tsx", "src/My Page.tsx", "src/a#b.tsx", "src/[id].tsx"]);
        for asked in [
            "src/Shop.tsx",
            "./src/Shop.tsx",
            "/src/Shop.tsx",
            "/src/Shop.tsx?t=1700000000000",
            "/src/Shop.tsx?v=1#x",
            "/src/Shop.tsx:12:3",
            "/src/Shop.tsx:12",
            "/src/Shop.tsx?t=17:12:3",
            "http://localhost:5173/src/Shop.tsx?t=1",
            "/@fs/home/me/shop/src/Shop.tsx",
            "file:///home/me/shop/src/Shop.tsx:4:1",
            "/home/me/shop/src/Shop.tsx",
            "Shop.tsx",
        ] {
            assert_eq!(found(&scan, asked), Some("src/Shop.tsx"), "{asked}");
        }
        assert_eq!(found(&scan, "/src/My%20Page.tsx?t=1"), Some("src/My Page.tsx"));
        assert_eq!(found(&scan, "/src/a#b.tsx"), Some("src/a#b.tsx"));
        assert_eq!(found(&scan, "/src/[id].tsx"), Some("src/[id].tsx"));
    }

    #[test]
    fn what_is_outside_or_no_path_is_not_known() {
        let scan = scan(&["src/Shop.tsx", "etc/hosts"]);
        for asked in [
            "",
            "/",
            ".",
            "..",
            "../src/Shop.tsx",
            "/src/../src/Shop.tsx",
            "/home/you/shop/src/Shop.tsx",
            "/home/me/shop-2/src/Shop.tsx",
            "hop.tsx",
            "/src",
            "src/Shop.tsx/",
            "%",
            "%f",
            "%ff",
            ":1:2",
            "?",
            "://",
            "http://localhost",
            "/home/me/shop/",
            "/home/me/shop/../shop/src/Shop.tsx",
            "\u{0}",
            "é:1",
        ] {
            assert_eq!(found(&scan, asked), None, "{asked:?}");
        }
    }

    #[test]
    fn a_package_below_the_root_is_found_when_only_one_can_be_meant() {
        let one = scan(&["packages/web/src/App.tsx", "packages/api/src/main.ts"]);
        assert_eq!(found(&one, "/src/App.tsx"), Some("packages/web/src/App.tsx"));
        let both = scan(&["packages/web/src/App.tsx", "packages/shop/src/App.tsx", "src/App.tsx"]);
        assert_eq!(found(&both, "/src/App.tsx"), None);
        let root = Path::new("/home/me/shop");
        let of = |served_from: &str| find(&both, root, Some(served_from), "/src/App.tsx");
        assert_eq!(of("packages/shop"), Some("packages/shop/src/App.tsx"));
        assert_eq!(of(""), Some("src/App.tsx"));
        assert_eq!(of("packages/none"), None);
    }

    proptest! {
        #[test]
        fn no_name_panics_and_what_is_found_is_a_file_of_the_project(
            name in "[a-z/.:?#%@é\\\\ 0-9-]{0,40}", any: String,
        ) {
            let scan = scan(&["src/a.ts", "a", "é/b.ts"]);
            for name in [name, any] {
                let found = found(&scan, &name);
                prop_assert!(found.is_none_or(|found| scan.at(found).is_some()));
            }
        }
    }
}
