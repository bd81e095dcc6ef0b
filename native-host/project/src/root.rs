//! The root of the project that a directory is part of.
//!
//! In this order, the nearest ancestor (the directory itself first) that has
//! 1. `.opentoolbar`: opentoolbar was used there; not above the nearest repository;
//! 2. a repository (`.git`, `.jj`, `.hg`): a dev server in `packages/web` and an agent at the top of the same
//!    repository must mean the same project;
//! 3. a manifest (`package.json`, `Cargo.toml`, `pyproject.toml`, ...);
//! 4. else the directory itself.
//!
//! The home directory and the root of the file system are never a project, nor is anything above the home directory: a
//! stray `package.json` there must not swallow every project below. What another user put above a directory, in `/tmp`
//! say, counts for nothing, unless the directory is that user's as well. Repositories and manifests of root's count for
//! everybody: a dev container and `sudo git clone` leave them, and root needs no such way to deceive.

use std::path::{Path, PathBuf};

const REPOSITORIES: [&str; 3] = [".git", ".jj", ".hg"];
const MANIFESTS: [&str; 14] = [
    "package.json",
    "deno.json",
    "Cargo.toml",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "Gemfile",
    "composer.json",
    "mix.exs",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Package.swift",
    "pubspec.yaml",
];

/// The root of the project at `directory`, with symbolic links resolved; `None` when there is no such directory, or
/// when only the home directory or the file system's root could be it.
pub fn root_of(directory: &Path) -> Option<PathBuf> {
    let home = etcetera::home_dir().ok().and_then(|home| home.canonicalize().ok());
    root_for(Owner::me(), directory, home.as_deref())
}

fn root_for(me: Option<Owner>, directory: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let directory = directory.canonicalize().ok().filter(|directory| directory.is_dir())?;
    // The hub's own state and a project's `.opentoolbar` are no projects; the project is around the latter.
    let candidates: Vec<&Path> = directory
        .ancestors()
        .take_while(|ancestor| home.is_none_or(|home| !home.starts_with(ancestor)))
        .filter(|ancestor| ancestor.parent().is_some())
        .filter(|ancestor| !ancestor.components().any(|part| part.as_os_str() == ".opentoolbar"))
        .collect();
    let owners: Vec<Owner> = [Some(Owner::ROOT), me, Owner::of(&directory)].into_iter().flatten().collect();
    let counts = |at: &Path, name: &str| {
        let marker = at.join(name);
        marker.exists() && Owner::of(&marker).is_none_or(|owner| owners.contains(&owner))
    };
    let nearest = |has: &dyn Fn(&Path) -> bool| candidates.iter().copied().find(|ancestor| has(ancestor));
    let repository = nearest(&|at| REPOSITORIES.iter().any(|name| counts(at, name)));
    let is_inside = |at: &Path| repository.is_none_or(|repository| at.starts_with(repository));
    nearest(&|at| is_inside(at) && is_ours(me, at))
        .or(repository)
        .or_else(|| nearest(&|at| MANIFESTS.iter().any(|name| at.join(name).is_file() && counts(at, name))))
        .or_else(|| candidates.first().copied())
        .map(Path::to_owned)
}

/// `.opentoolbar` of a project of this user, not the hub's own directory of the same name.
fn is_ours(me: Option<Owner>, directory: &Path) -> bool {
    let ours = directory.join(opentoolbar_leaves::names::DIRECTORY);
    // A stranger's project may bring a link of that name: it is not followed, here neither.
    let is_there = |path: &Path| std::fs::symlink_metadata(path);
    is_there(&ours).is_ok_and(|there| there.is_dir())
        && Owner::of(&ours).is_none_or(|owner| me == Some(owner))
        && is_there(&ours.join("hub.lock")).is_err()
}

/// The user that a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Owner(u32);

impl Owner {
    const ROOT: Self = Self(0);

    /// This process's user; `None` where files have no such owner.
    fn me() -> Option<Self> {
        #[cfg(unix)]
        let me = Some(Self(rustix::process::geteuid().as_raw()));
        #[cfg(not(unix))]
        let me = None;
        me
    }

    /// Of what is at this path, a link not followed; `None` where files have no such owner.
    fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        let owner = {
            use std::os::unix::fs::MetadataExt;
            std::fs::symlink_metadata(path).ok().map(|file| Self(file.uid()))
        };
        #[cfg(not(unix))]
        let owner = {
            let _ = path;
            None
        };
        owner
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn root_below(directory: &Path, home: Option<&Path>) -> Option<PathBuf> {
        root_for(Owner::me(), directory, home)
    }

    fn tree(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap().join("home/me");
        std::fs::create_dir_all(&home).unwrap();
        for file in files {
            let path = home.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        (dir, home)
    }

    #[test]
    fn a_repository_joins_its_packages() {
        let (_dir, home) = tree(&["shop/.git/HEAD", "shop/packages/web/package.json"]);
        let root = home.join("shop");
        assert_eq!(root_below(&root.join("packages/web"), Some(&home)), Some(root.clone()));
        assert_eq!(root_below(&root, Some(&home)), Some(root));
    }

    #[test]
    fn a_used_directory_comes_before_its_repository() {
        let (_dir, home) =
            tree(&["shop/.git/HEAD", "shop/web/.opentoolbar/opentoolbar.db", "shop/web/src/a.ts"]);
        assert_eq!(root_below(&home.join("shop/web/src"), Some(&home)), Some(home.join("shop/web")));
    }

    #[test]
    fn without_a_repository_the_nearest_manifest_counts() {
        let (_dir, home) = tree(&["shop/package.json", "shop/web/package.json", "shop/web/src/a.ts"]);
        assert_eq!(root_below(&home.join("shop/web/src"), Some(&home)), Some(home.join("shop/web")));
    }

    #[test]
    fn a_plain_directory_is_its_own_project() {
        let (_dir, home) = tree(&["site/index.html"]);
        assert_eq!(root_below(&home.join("site"), Some(&home)), Some(home.join("site")));
    }

    #[test]
    fn neither_home_nor_anything_above_it_is_a_project() {
        let (_dir, home) = tree(&["package.json", ".opentoolbar/opentoolbar.db", "notes/a.txt"]);
        assert_eq!(root_below(&home, Some(&home)), None);
        assert_eq!(root_below(home.parent().unwrap(), Some(&home)), None);
        assert_eq!(root_below(Path::new("/"), Some(&home)), None);
        assert_eq!(root_below(&home.join("notes"), Some(&home)), Some(home.join("notes")));
        assert_eq!(root_below(&home.join("gone"), Some(&home)), None);
    }

    #[test]
    fn the_hubs_own_directory_is_no_sign_of_a_project() {
        let (_dir, home) = tree(&["x/.opentoolbar/hub.lock", "x/shop/package.json"]);
        assert_eq!(root_below(&home.join("x/shop"), Some(&home)), Some(home.join("x/shop")));
    }

    #[test]
    fn what_stands_above_a_repository_does_not_swallow_it() {
        let (_dir, home) = tree(&["all/.opentoolbar/feedback.md", "all/shop/.git/HEAD", "all/shop/src/a.ts"]);
        assert_eq!(root_below(&home.join("all/shop/src"), Some(&home)), Some(home.join("all/shop")));
        assert_eq!(root_below(&home.join("all"), Some(&home)), Some(home.join("all")));
    }

    /// Needs to be root, to give files away; else it shows nothing.
    #[cfg(unix)]
    #[test]
    fn what_another_user_put_above_a_directory_counts_for_nothing() {
        if Owner::me() != Some(Owner::ROOT) {
            eprintln!("skipped: this needs root");
            return;
        }
        let give = |path: &Path| std::os::unix::fs::chown(path, Some(4_321), None).unwrap();
        for marker in [".opentoolbar", ".git", "package.json"] {
            let (_dir, home) = tree(&["tmp/mine/src/a.ts"]);
            let (tmp, mine) = (home.join("tmp"), home.join("tmp/mine"));
            let planted = tmp.join(marker);
            match marker {
                "package.json" => std::fs::write(&planted, "{}").unwrap(),
                _ => std::fs::create_dir(&planted).unwrap(),
            }
            assert_eq!(root_below(&mine, Some(&home)), Some(tmp.clone()), "{marker}: ours counts");
            give(&planted);
            assert_eq!(root_below(&mine, Some(&home)), Some(mine.clone()), "{marker}");
            give(&mine);
            // Both are that user's: somebody else's checkout that we work in. Its `.opentoolbar` is still not ours.
            let expected = if marker == ".opentoolbar" { &mine } else { &tmp };
            assert_eq!(root_below(&mine, Some(&home)).as_ref(), Some(expected), "{marker}");
        }
    }

    /// As `sudo git clone` and dev containers leave it. Needs to be root, to give files away; else it shows nothing.
    #[cfg(unix)]
    #[test]
    fn in_a_repository_of_roots_a_directory_of_mine_is_no_project_of_its_own() {
        if Owner::me() != Some(Owner::ROOT) {
            eprintln!("skipped: this needs root");
            return;
        }
        for marker in [".git/HEAD", "package.json"] {
            let (_dir, home) = tree(&["shop/packages/web/src/a.ts", &format!("shop/{marker}")]);
            let (shop, web) = (home.join("shop"), home.join("shop/packages/web"));
            std::os::unix::fs::chown(&web, Some(4_321), None).unwrap();
            for directory in [&shop, &web, &web.join("src")] {
                assert_eq!(
                    root_for(Some(Owner(4_321)), directory, Some(&home)).as_ref(),
                    Some(&shop),
                    "{marker}"
                );
            }
        }
    }
}
