//! HTML from files and from standard input.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use opentoolbar_core::page::MAX_HTML_BYTES;

use super::Refusal;
use super::html::{Html, too_large};
use crate::why::why;

/// What is compiled or rendered to HTML, and not HTML itself: verdicts on it would mislead.
const SOURCES: [&str; 26] = [
    "astro", "blade", "cjs", "css", "ejs", "erb", "haml", "hbs", "heex", "js", "json", "jsx", "less",
    "liquid", "md", "mdx", "mjs", "php", "pug", "py", "rb", "scss", "svelte", "ts", "tsx", "vue",
];

/// A file that the person at the terminal names.
///
/// # Errors
/// When it cannot be read, is too large, or is no HTML.
pub fn read(path: &Path) -> Result<Html, Refusal> {
    let shown = path.display().to_string();
    let unreadable = |error: std::io::Error| unreadable(&shown, &error);
    let about = std::fs::metadata(path);
    // An address may end like a source file.
    if let (Err(_), Some(address)) = (&about, address_of(&shown)) {
        let next = format!("If it is an address, give {address}.");
        return Err(Refusal::new(format!("there is no file {shown}"), next));
    }
    refuse_source(path, &shown)?;
    let about = about.map_err(unreadable)?;
    if about.is_dir() {
        return Err(Refusal::new(format!("{shown} is a directory"), "Give the HTML file in it."));
    }
    Html::from_bytes(bounded(File::open(path).map_err(unreadable)?, &shown)?, &shown)
}

/// A file inside of `root`, which is a project's and absolute. `path` is absolute, or relative to `directory` (inside
/// of `root`) or else to `root`.
///
/// # Errors
/// When it lies outside of `root`, cannot be read, is too large, or is no HTML.
pub fn read_inside(root: &Path, directory: &Path, path: &str) -> Result<Html, Refusal> {
    // Nobody has a file of such a name in a project.
    if let Some(address) = address_of(path).filter(|_| !root.join(path).exists()) {
        return Err(Refusal::new(
            format!("{path} is an address, not a file"),
            format!("Give `url` {address} in place of `path`."),
        ));
    }
    refuse_source(Path::new(path), path)?;
    let real = |path: PathBuf| path.canonicalize();
    let root = real(root.to_owned()).map_err(|error| unreadable(&root.display().to_string(), &error))?;
    // What it says it is comes first, so that whether something exists outside is not told.
    let outside = || {
        Refusal::new(
            format!("{path} is outside of the project {}", root.display()),
            "Give a path inside of the project, or the page's HTML itself.",
        )
    };
    let found = match real(directory.join(path)).or_else(|error| real(root.join(path)).map_err(|_| error)) {
        Ok(found) => found,
        Err(_) if leaves(&root, directory, path) => return Err(outside()),
        Err(error) => return Err(unreadable(path, &error)),
    };
    // With every symbolic link and `..` resolved.
    if !found.starts_with(&root) {
        return Err(outside());
    }
    let about = std::fs::metadata(&found).map_err(|error| unreadable(path, &error))?;
    if !about.is_file() {
        return Err(Refusal::new(format!("{path} is not a file"), "Give the path of an HTML file."));
    }
    refuse_source(&found, path)?;
    let file = File::open(&found).map_err(|error| unreadable(path, &error))?;
    Html::from_bytes(bounded(file, path)?, path)
}

/// The address that was meant by `localhost:5173/settings`, as one writes it into a browser, or by `http:/localhost`.
fn address_of(shown: &str) -> Option<String> {
    if let Some(rest) = ["http:", "https:"].into_iter().find_map(|scheme| shown.strip_prefix(scheme)) {
        return Some(format!("http://{}", rest.trim_start_matches('/')));
    }
    let host = shown.split('/').next().unwrap_or("");
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let is_here = matches!(name, "localhost" | "127.0.0.1" | "[::1]");
    (is_here && port.bytes().all(|b| b.is_ascii_digit())).then(|| format!("http://{shown}"))
}

/// All of standard input.
///
/// # Errors
/// When it cannot be read, is too large, or is no HTML.
pub fn read_stdin() -> Result<Html, Refusal> {
    Html::from_bytes(bounded(std::io::stdin().lock(), "standard input")?, "standard input")
}

/// Whether the path, as it is written, leads out of the root.
fn leaves(root: &Path, directory: &Path, path: &str) -> bool {
    let mut at = PathBuf::new();
    for part in directory.canonicalize().unwrap_or_else(|_| directory.to_owned()).join(path).components() {
        match part {
            std::path::Component::ParentDir => drop(at.pop()),
            other => at.push(other),
        }
    }
    !at.starts_with(root)
}

fn bounded(from: impl Read, shown: &str) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_HTML_BYTES).unwrap_or(u64::MAX);
    from.take(most + 1).read_to_end(&mut bytes).map_err(|error| unreadable(shown, &error))?;
    if bytes.len() > MAX_HTML_BYTES { Err(too_large()) } else { Ok(bytes) }
}

fn refuse_source(path: &Path, shown: &str) -> Result<(), Refusal> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    if SOURCES.iter().any(|source| source.eq_ignore_ascii_case(extension)) {
        return Err(super::html::not_html(shown));
    }
    Ok(())
}

fn unreadable(shown: &str, error: &std::io::Error) -> Refusal {
    Refusal::new(
        format!("{shown} cannot be read: {}", why(error)),
        "Give the path of an HTML file that you can read.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_address_without_its_scheme_is_told_from_a_file_that_is_missing() {
        let said = |path: &str| format!("{:?}", read(Path::new(path)).unwrap_err());
        for address in ["localhost:5173/settings", "127.0.0.1:8080", "localhost", "localhost:5173/App.tsx"] {
            assert!(said(address).contains(&format!("give http://{address}.")), "{address}");
        }
        assert!(said("http:/localhost/x").contains("give http://localhost/x."));
        assert!(said("https:localhost").contains("give http://localhost."));
        for path in ["localhost.html", "nothing:5173/settings", "localhost:today"] {
            assert!(said(path).contains("cannot be read"), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_what_is_inside_of_the_project_is_read() {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().join("shop");
        let web = root.join("web");
        std::fs::create_dir_all(&web).unwrap();
        std::fs::write(world.path().join("secret.html"), "<p>secret").unwrap();
        std::fs::write(root.join("index.html"), "<p>shop").unwrap();
        std::os::unix::fs::symlink(world.path().join("secret.html"), web.join("link.html")).unwrap();
        std::os::unix::fs::symlink(root.join("index.html"), web.join("inside.html")).unwrap();
        let read = |path: &str| read_inside(&root, &web, path);

        assert_eq!(read("../index.html").unwrap().text, "<p>shop");
        assert_eq!(read("inside.html").unwrap().text, "<p>shop");
        assert_eq!(read("index.html").unwrap().text, "<p>shop", "as seen from the project's root");
        assert_eq!(read(root.join("index.html").to_str().unwrap()).unwrap().text, "<p>shop");
        let absolute = world.path().join("secret.html");
        for path in [
            "../../secret.html",
            "link.html",
            absolute.to_str().unwrap(),
            "../../nothing.html",
            "/etc/passwd",
        ] {
            assert!(read(path).unwrap_err().message.contains("outside of the project"), "{path}");
        }
        assert!(read("nothing.html").unwrap_err().message.contains("cannot be read"));
        assert!(read(".").unwrap_err().message.contains("not a file"));
        for address in ["http://localhost:5173/settings", "http://localhost:5173/App.tsx"] {
            let refused = read(address).unwrap_err();
            assert!(refused.message.contains("is an address"), "{refused}");
            assert_eq!(refused.next_step, format!("Give `url` {address} in place of `path`."));
        }
        for path in ["App.tsx", "Page.VUE"] {
            assert!(read(path).unwrap_err().message.contains("is not HTML"), "{path}");
        }
    }
}
