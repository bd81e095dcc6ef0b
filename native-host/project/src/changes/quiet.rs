//! What says nothing when it changes: what tools write for themselves, what is built, and what `.gitignore` names.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::plain_file::PlainFile;

const IGNORE_FILE: &str = ".gitignore";
/// Longest `.gitignore` that is read, in bytes, and the most of all that one look reads: patterns are compiled, which
/// takes time.
const MAX_IGNORE_FILE: u64 = 64 * 1024;
const MAX_IGNORE_FILES: u64 = 512 * 1024;
/// Longest pattern, in bytes, and most patterns of one file.
const MAX_PATTERN: usize = 500;
const MAX_PATTERNS: usize = 2_000;
/// Directories above the root in which the root's repository is looked for.
const MAX_ABOVE: usize = 16;

/// Directories in which tools keep their own things, whatever `.gitignore` says.
const OF_TOOLS: [&str; 28] = [
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".opentoolbar",
    "node_modules",
    "bower_components",
    "__pycache__",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".astro",
    ".angular",
    ".vite",
    ".vite-temp",
    ".turbo",
    ".nx",
    ".cache",
    ".parcel-cache",
    ".idea",
    ".vscode",
    ".venv",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".gradle",
    ".yarn",
];

/// Directories that are mostly built, and may be source: they are where `.gitignore` leaves them out.
const MOSTLY_BUILT: [&str; 9] =
    ["target", "dist", "build", "out", "coverage", "venv", "tmp", "logs", "test-results"];

/// Beginnings and ends of names of files that are no source.
const BEGINNINGS: [&str; 3] = [".#", ".gitignore", ".ds_store"];
const ENDINGS: [&str; 17] = [
    "~",
    "#",
    ".log",
    ".tmp",
    ".temp",
    ".pid",
    ".swp",
    ".swo",
    ".swx",
    ".part",
    ".crswap",
    ".lock",
    ".lockb",
    ".tsbuildinfo",
    ".db",
    "thumbs.db",
    "___",
];
const INSIDE: [&str; 4] = [".sqlite", ".db-", ".tmp.", ".timestamp-"];
const LOCK_FILES: [&str; 4] = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "4913"];

/// Whether it is a file of a name that never is source: a lock file, a log, a database, what an editor keeps beside.
fn is_quiet_file(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    LOCK_FILES.contains(&name.as_str())
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || INSIDE.iter().any(|part| name.contains(part))
}

fn is_one_of(names: &[&str], name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| names.contains(&name))
}

/// Whether a path within a project is in a directory of tools.
pub(super) fn is_of_tools(path: &Path) -> bool {
    path.iter().any(|part| is_one_of(&OF_TOOLS, part))
}

/// Bytes of `.gitignore` files that may still be read.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(MAX_IGNORE_FILES)
    }
}

/// What holds in one directory: its own `.gitignore` and those above.
#[derive(Debug)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    own: Gitignore,
}

impl Rules {
    /// In the root of a project: with what the repository around it and this user ignore.
    pub(super) fn at_root(root: &Path, budget: &mut Budget) -> Arc<Self> {
        let (of_user, _) = GitignoreBuilder::new(root).build_global();
        let mut rules = Arc::new(Self { above: None, own: of_user });
        // What a home directory ignores that is a repository itself, mostly everything, is not about the projects in
        // it.
        let home = etcetera::home_dir().ok();
        let is_below_home = |at: &&Path| home.as_deref() != Some(*at);
        let above: Vec<&Path> = root.ancestors().take_while(is_below_home).take(MAX_ABOVE).collect();
        let repository = above.iter().position(|at| at.join(".git").exists());
        if let Some(repository) = repository.and_then(|position| above.get(..=position)) {
            if let Some(top) = repository.last() {
                rules = with(&rules, top, &top.join(".git/info/exclude"), budget);
            }
            for at in repository.iter().skip(1).rev() {
                rules = rules.below(at, budget);
            }
        }
        rules.below(root, budget)
    }

    /// In a directory of the one that these hold in.
    pub(super) fn below(self: &Arc<Self>, directory: &Path, budget: &mut Budget) -> Arc<Self> {
        with(self, directory, &directory.join(IGNORE_FILE), budget)
    }

    /// Whether an entry of this directory says nothing when it changes.
    pub(super) fn is_quiet(&self, path: &Path, is_directory: bool) -> bool {
        let Some(name) = path.file_name() else { return false };
        if is_directory && is_one_of(&OF_TOOLS, name) || !is_directory && is_quiet_file(name) {
            return true;
        }
        match self.decided(path, is_directory) {
            Some(is_ignored) => is_ignored,
            None => is_directory && is_one_of(&MOSTLY_BUILT, name) && !self.is_there(),
        }
    }

    /// The nearest `.gitignore` that says something of it.
    fn decided(&self, path: &Path, is_directory: bool) -> Option<bool> {
        let mut rules = Some(self);
        while let Some(some) = rules {
            match some.own.matched(path, is_directory) {
                Match::Ignore(_) => return Some(true),
                Match::Whitelist(_) => return Some(false),
                Match::None => rules = some.above.as_deref(),
            }
        }
        None
    }

    /// Whether a repository says at all what it ignores: then what it does not name is source.
    fn is_there(&self) -> bool {
        let mut rules = Some(self);
        while let Some(some) = rules {
            // The user's own is the first of all, and says nothing of this project.
            if some.above.is_some() && !some.own.is_empty() {
                return true;
            }
            rules = some.above.as_deref();
        }
        false
    }
}

fn with(above: &Arc<Rules>, directory: &Path, file: &Path, budget: &mut Budget) -> Arc<Rules> {
    let Some(text) = read(file, budget) else { return Arc::clone(above) };
    let mut builder = GitignoreBuilder::new(directory);
    for line in text.lines().filter(|line| line.len() <= MAX_PATTERN).take(MAX_PATTERNS) {
        // A line that is no pattern says nothing.
        let _ = builder.add_line(None, line);
    }
    match builder.build() {
        Ok(own) if !own.is_empty() => Arc::new(Rules { above: Some(Arc::clone(above)), own }),
        Ok(_) | Err(_) => Arc::clone(above),
    }
}

/// The text of a `.gitignore`, unless it is too long.
fn read(path: &Path, budget: &mut Budget) -> Option<String> {
    let PlainFile::Read(bytes) = PlainFile::at(path, MAX_IGNORE_FILE.min(budget.0)) else { return None };
    budget.0 = budget.0.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rules(files: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Rules>) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let rules = Rules::at_root(dir.path(), &mut Budget::default());
        (dir, rules)
    }

    #[test]
    fn what_tools_write_for_themselves_says_nothing() {
        let (dir, rules) = rules(&[]);
        for name in ["node_modules", ".git", ".opentoolbar", "target", "dist", ".next", "__pycache__"] {
            assert!(rules.is_quiet(&dir.path().join(name), true), "{name}");
        }
        for name in [
            "npm-debug.log",
            "shop.db",
            "shop.db-journal",
            "shop.sqlite3",
            "shop.sqlite-wal",
            "x.tmp",
            "a.tsx~",
            "package-lock.json",
            "yarn.lock",
            "bun.lockb",
            "Cargo.lock",
            ".Shop.tsx.swp",
            ".#Shop.tsx",
            "#Shop.tsx#",
            "4913",
            ".DS_Store",
            "vite.config.ts.timestamp-1700-ab.mjs",
            "Shop.tsx___jb_tmp___",
            ".gitignore",
        ] {
            assert!(rules.is_quiet(&dir.path().join(name), false), "{name}");
        }
        for name in ["Shop.tsx", "index.html", ".env", "dbml.ts", "Clock.tsx", "blog.md", "template.hbs"] {
            assert!(!rules.is_quiet(&dir.path().join(name), false), "{name}");
        }
        for name in ["src", ".storybook", "pages", "logos"] {
            assert!(!rules.is_quiet(&dir.path().join(name), true), "{name}");
        }
    }

    #[test]
    fn the_nearest_gitignore_decides() {
        let (dir, rules) = rules(&[
            (".git/info/exclude", "mine.ts\n"),
            (".gitignore", "*.gen.ts\n/only-here\n!dist/\n# a comment\n[\n"),
            ("web/.gitignore", "!kept.gen.ts\n"),
        ]);
        let at = |path: &str| dir.path().join(path);
        assert!(rules.is_quiet(&at("a.gen.ts"), false));
        assert!(rules.is_quiet(&at("mine.ts"), false));
        assert!(rules.is_quiet(&at("only-here"), true));
        assert!(!rules.is_quiet(&at("dist"), true) && !rules.is_quiet(&at("build"), true));
        let below = rules.below(&at("web"), &mut Budget::default());
        assert!(!below.is_quiet(&at("web/kept.gen.ts"), false));
        assert!(below.is_quiet(&at("web/other.gen.ts"), false));
        assert!(!below.is_quiet(&at("web/only-here"), true));
    }

    #[test]
    fn a_package_is_ignored_by_the_repository_around_it() {
        let (dir, _) = rules(&[(".git/HEAD", ""), (".gitignore", "generated\n"), ("web/src/a.ts", "")]);
        let root = dir.path().join("web");
        let rules = Rules::at_root(&root, &mut Budget::default());
        assert!(rules.is_quiet(&root.join("generated"), true));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_a_device_and_a_giant_in_place_of_gitignore_are_not_read() {
        for plant in ["mkfifo .gitignore", "ln -s /dev/zero .gitignore", "truncate -s 1T .gitignore"] {
            let dir = tempfile::tempdir().unwrap();
            let planted =
                std::process::Command::new("sh").args(["-c", plant]).current_dir(dir.path()).status();
            assert!(planted.unwrap().success());
            let rules = Rules::at_root(dir.path(), &mut Budget::default());
            assert!(!rules.is_there(), "{plant}");
        }
    }

    #[test]
    fn patterns_that_are_expensive_take_a_moment() {
        let nasty = "{a,b}".repeat(90) + "\n" + &"**/".repeat(150) + "x\n" + &"*a".repeat(240) + "\n";
        let began = std::time::Instant::now();
        let (dir, rules) = rules(&[(".gitignore", &nasty.repeat(40))]);
        rules.is_quiet(&dir.path().join("a".repeat(200)), false);
        assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    }
}
