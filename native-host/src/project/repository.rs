//! Whether files of a project came with its repository. Asked of git itself, which must not run anything that the repository,
//! maybe a stranger's, brings.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::bounded;

/// For a repository on a slow disk.
const WITHIN: Duration = Duration::from_secs(5);
/// Of the list of tracked files in one directory; more is an answer as well.
const MOST: usize = 1024 * 1024;

/// Whether a repository has files of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// There is no repository around it, or it has none of them.
    No,
    /// At least one.
    Yes,
    /// It could not be told.
    NotKnown,
}

/// Whether the repository around `root`, if there is one, tracks something in the directory `name` of it. Blocks.
pub fn tracks(root: &Path, name: &str) -> Tracked {
    if is_there(&root.join(name).join(".git")) {
        // A repository of its own there: whatever is in it may be tracked by that one.
        return Tracked::NotKnown;
    }
    let has = |repository: &str| root.ancestors().any(|directory| is_there(&directory.join(repository)));
    if has(".hg") || has(".jj") || has(".svn") {
        return Tracked::NotKnown;
    }
    if !has(".git") {
        return Tracked::No;
    }
    match bounded::run(&mut list(root, name), WITHIN, MOST) {
        Ok(outcome) if !outcome.output.is_empty() => Tracked::Yes,
        Ok(outcome) if outcome.status.success() => Tracked::No,
        // No git, a repository that it does not trust, one that is damaged, a disk that does not answer.
        _ => Tracked::NotKnown,
    }
}

fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// The names that the index has below `name`. Neither hooks nor a file-system monitor, pager or helper of the repository run.
fn list(root: &Path, name: &str) -> Command {
    let mut git = Command::new("git");
    git.args(["--no-pager", "--no-optional-locks", "--literal-pathspecs"]);
    for setting in ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"] {
        git.args(["-c", setting]);
    }
    git.arg("-C").arg(root).args(["ls-files", "-z", "--cached", "--"]).arg(name);
    for (variable, _) in std::env::vars_os() {
        // Those of a hook or an alias that started us lead elsewhere.
        if variable.as_encoded_bytes().starts_with(b"GIT_") {
            git.env_remove(variable);
        }
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0");
    git
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::path::PathBuf;

    fn git(root: &Path, args: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]);
        let done = command.arg("-C").arg(root).args(args).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir_all(root.join("ours")).unwrap();
        std::fs::write(root.join("ours/a.db"), "x").unwrap();
        (dir, root)
    }

    #[test]
    fn what_the_index_has_is_tracked_and_what_it_ignores_is_not() {
        let (_dir, root) = project();
        assert_eq!(tracks(&root, "ours"), Tracked::No, "no repository");
        git(&root, &["init", "-q"]);
        assert_eq!(tracks(&root, "ours"), Tracked::No, "nothing added");
        git(&root, &["add", "ours"]);
        assert_eq!(tracks(&root, "ours"), Tracked::Yes);
        git(&root, &["rm", "-rq", "--cached", "ours"]);
        assert_eq!(tracks(&root, "ours"), Tracked::No);
    }

    #[test]
    fn a_directory_inside_a_repository_is_asked_about_too() {
        let (_dir, root) = project();
        let outer = root.parent().unwrap();
        git(outer, &["init", "-q"]);
        git(outer, &["add", "shop/ours"]);
        assert_eq!(tracks(&root, "ours"), Tracked::Yes);
    }

    #[test]
    fn what_cannot_be_told_is_not_taken_for_no() {
        let (_dir, root) = project();
        std::fs::write(root.join(".git"), "gitdir: /nowhere").unwrap();
        assert_eq!(tracks(&root, "ours"), Tracked::NotKnown);
        let (_dir, root) = project();
        git(&root.join("ours"), &["init", "-q"]);
        assert_eq!(tracks(&root, "ours"), Tracked::NotKnown, "a repository inside");
        let (_dir, root) = project();
        std::fs::create_dir(root.join(".hg")).unwrap();
        assert_eq!(tracks(&root, "ours"), Tracked::NotKnown);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_that_the_repository_brings_is_run() {
        use std::os::unix::fs::PermissionsExt;
        let (dir, root) = project();
        let ran = dir.path().join("ran");
        let script = dir.path().join("script");
        std::fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n", ran.display())).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        git(&root, &["init", "-q"]);
        for setting in ["core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "alias.ls-files"] {
            git(&root, &["config", setting, script.to_str().unwrap()]);
        }
        for hook in ["post-index-change", "post-checkout", "fsmonitor-watchman"] {
            std::fs::copy(&script, root.join(".git/hooks").join(hook)).unwrap();
        }
        git(&root, &["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "ours"]);
        let _ = std::fs::remove_file(&ran);
        assert_eq!(tracks(&root, "ours"), Tracked::Yes);
        assert!(!ran.exists(), "the repository's script ran");
    }
}
