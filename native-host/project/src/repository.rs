//! Whether files of a project came with its repository. Asked of git itself, which must not run anything that the
//! repository, maybe a stranger's, brings.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use opentoolbar_leaves::bounded::{self, Outcome};

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

/// What stands in a checkout of other systems: which files those track is not asked.
const OTHER_SYSTEMS: [&str; 11] =
    [".hg", ".jj", ".svn", ".sl", ".bzr", ".pijul", "CVS", "_darcs", ".fslckout", "_FOSSIL_", ".p4config"];

/// Whether the repository around `root`, if there is one, tracks something in a directory `name`: of it, or of another
/// directory of the same repository, in capitals or not, for a file system may take them for the same. While git writes
/// files it does not know yet that it tracks them, so that nobody can tell. What has been there before this is asked is
/// told of. Blocks.
///
/// # Errors
/// When git is not done in time, is ended by a signal, or the system has no room for it: asked again it may say more.
pub fn tracks(root: &Path, name: &str) -> io::Result<Tracked> {
    let inside = root.join(name);
    if [".git"].iter().chain(&OTHER_SYSTEMS).any(|system| is_there(&inside.join(system))) {
        // A repository of its own there: whatever is in it may be tracked by that one.
        return Ok(Tracked::NotKnown);
    }
    let has = |system: &str| root.ancestors().any(|directory| is_there(&directory.join(system)));
    if OTHER_SYSTEMS.iter().any(|system| has(system)) {
        return Ok(Tracked::NotKnown);
    }
    if !has(".git") {
        return Ok(Tracked::No);
    }
    // In this order: a checkout that ends in between has written what it tracks.
    if is_written(root)? {
        return Ok(Tracked::NotKnown);
    }
    Ok(match ask(&mut list(root, name))? {
        Answer::Whole(outcome) if !outcome.output.is_empty() => Tracked::Yes,
        Answer::Whole(outcome) if outcome.status.success() => Tracked::No,
        Answer::TooLong => Tracked::Yes,
        // No git, a repository that it does not trust, one that is damaged, a disk that fails.
        Answer::Whole(_) | Answer::NoGit => Tracked::NotKnown,
    })
}

enum Answer {
    Whole(Outcome),
    TooLong,
    NoGit,
}

fn ask(git: &mut Command) -> io::Result<Answer> {
    let says_nothing = |how: &str| {
        Err(io::Error::new(ErrorKind::TimedOut, format!("git {how} which files came with the repository")))
    };
    match bounded::run(git, WITHIN, MOST) {
        // By a signal: of a system that shuts down or has no memory left, or of a person who thought that it hangs.
        Ok(outcome) if outcome.status.code().is_none() => says_nothing("was ended before it told"),
        Ok(outcome) => Ok(Answer::Whole(outcome)),
        Err(e) => match e.kind() {
            ErrorKind::FileTooLarge => Ok(Answer::TooLong),
            ErrorKind::TimedOut => says_nothing("did not tell in time"),
            _ if may_pass(&e) => Err(e),
            // None, one that may not be run, one for another kind of machine.
            _ => Ok(Answer::NoGit),
        },
    }
}

/// Whether the same program may be started in a moment: the system has no room for it, its disk fails, or it is being
/// replaced.
fn may_pass(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let passing =
            [Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::TXTBSY, Errno::IO, Errno::STALE];
        Errno::from_io_error(error).is_some_and(|errno| passing.contains(&errno))
    }
    #[cfg(not(unix))]
    matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::ResourceBusy)
}

fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// Whether git holds the lock of its index, as it does while it checks out, merges and stashes; also when that cannot
/// be told.
fn is_written(root: &Path) -> io::Result<bool> {
    let mut git = git(root);
    git.args(["rev-parse", "--git-path", "index.lock"]);
    Ok(match ask(&mut git)? {
        Answer::Whole(outcome) if outcome.status.success() => match String::from_utf8(outcome.output) {
            // One line, relative to the project when it is not absolute.
            Ok(path) => is_there(&root.join(path.trim_end_matches(['\n', '\r']))),
            Err(_) => true,
        },
        _ => true,
    })
}

/// The names that the index has below directories called `name`.
fn list(root: &Path, name: &str) -> Command {
    let mut git = git(root);
    git.args(["ls-files", "-z", "--cached", "--"]);
    // A link or another repository that is tracked under the name itself, and what is below it.
    for below in ["", "/**"] {
        git.arg(format!(":(top,icase,glob)**/{name}{below}"));
    }
    git
}

/// Git, so that neither hooks nor a file-system monitor, pager or helper of the repository run.
fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.args(["--no-pager", "--no-optional-locks"]);
    for setting in ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"] {
        git.args(["-c", setting]);
    }
    git.arg("-C").arg(root);
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

    fn run(root: &Path, args: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]);
        let done = command.arg("-C").arg(root).args(args).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    fn told(root: &Path, name: &str) -> Tracked {
        tracks(root, name).unwrap()
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
        assert_eq!(told(&root, "ours"), Tracked::No, "no repository");
        run(&root, &["init", "-q"]);
        assert_eq!(told(&root, "ours"), Tracked::No, "nothing added");
        run(&root, &["add", "ours"]);
        assert_eq!(told(&root, "ours"), Tracked::Yes);
        run(&root, &["rm", "-rq", "--cached", "ours"]);
        assert_eq!(told(&root, "ours"), Tracked::No);
    }

    #[cfg(unix)]
    #[test]
    fn a_git_that_this_machine_cannot_run_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join("git");
        // No program of any machine.
        std::fs::write(&git, [0, 1, 2, 3]).unwrap();
        for mode in [0o755, 0o644] {
            std::fs::set_permissions(&git, std::fs::Permissions::from_mode(mode)).unwrap();
            assert!(matches!(ask(&mut Command::new(&git)), Ok(Answer::NoGit)), "{mode:o}");
        }
        assert!(matches!(ask(&mut Command::new(git.join("git"))), Ok(Answer::NoGit)), "in no directory");
        let is_passing = |number| may_pass(&io::Error::from_raw_os_error(number));
        use rustix::io::Errno;
        assert!(is_passing(Errno::MFILE.raw_os_error()) && !is_passing(Errno::NOEXEC.raw_os_error()));
    }

    #[cfg(unix)]
    #[test]
    fn a_git_that_is_ended_says_nothing_whatever_it_had_said() {
        for (script, kind) in [
            ("kill -KILL $$", Some(ErrorKind::TimedOut)),
            ("printf 'ours/a.db'; kill -TERM $$", Some(ErrorKind::TimedOut)),
            ("exit 128", None),
        ] {
            let asked = ask(Command::new("sh").args(["-c", script]));
            assert_eq!(asked.err().map(|e| e.kind()), kind, "{script}");
        }
    }

    #[test]
    fn a_directory_inside_a_repository_is_asked_about_too() {
        let (_dir, root) = project();
        let outer = root.parent().unwrap();
        run(outer, &["init", "-q"]);
        run(outer, &["add", "shop/ours"]);
        assert_eq!(told(&root, "ours"), Tracked::Yes);
    }

    #[test]
    fn what_cannot_be_told_is_not_taken_for_no() {
        let (_dir, root) = project();
        std::fs::write(root.join(".git"), "gitdir: /nowhere").unwrap();
        assert_eq!(told(&root, "ours"), Tracked::NotKnown);
        let (_dir, root) = project();
        run(&root.join("ours"), &["init", "-q"]);
        assert_eq!(told(&root, "ours"), Tracked::NotKnown, "a repository inside");
        let (_dir, root) = project();
        std::fs::create_dir(root.join(".hg")).unwrap();
        assert_eq!(told(&root, "ours"), Tracked::NotKnown);
    }

    #[test]
    fn while_git_holds_its_index_nobody_can_tell() {
        let (dir, root) = project();
        run(&root, &["init", "-q"]);
        std::fs::write(root.join(".git/index.lock"), "").unwrap();
        assert_eq!(told(&root, "ours"), Tracked::NotKnown);
        std::fs::remove_file(root.join(".git/index.lock")).unwrap();
        assert_eq!(told(&root, "ours"), Tracked::No);
        // In a work tree of its own, whose index is elsewhere, and in a directory of it.
        run(&root, &["commit", "-q", "--allow-empty", "-m", "first"]);
        let tree = dir.path().canonicalize().unwrap().join("tree");
        run(&root, &["worktree", "add", "-q", tree.to_str().unwrap()]);
        std::fs::create_dir_all(tree.join("packages/shop/ours")).unwrap();
        assert_eq!(told(&tree.join("packages/shop"), "ours"), Tracked::No);
        std::fs::write(root.join(".git/worktrees/tree/index.lock"), "").unwrap();
        assert_eq!(told(&tree.join("packages/shop"), "ours"), Tracked::NotKnown);
        assert_eq!(told(&root, "ours"), Tracked::No, "the other tree has a lock of its own");
    }

    #[test]
    fn names_are_compared_as_a_file_system_may() {
        let (_dir, root) = project();
        run(&root, &["init", "-q"]);
        std::fs::create_dir(root.join("Ours")).unwrap();
        std::fs::write(root.join("Ours/a.db"), "x").unwrap();
        std::fs::write(root.join("oursandmore"), "x").unwrap();
        run(&root, &["add", "oursandmore"]);
        assert_eq!(told(&root, "ours"), Tracked::No);
        run(&root, &["add", "Ours"]);
        assert_eq!(told(&root, "ours"), Tracked::Yes);
        // The name itself: a link, or a repository in it.
        let (_dir, root) = project();
        run(&root, &["init", "-q"]);
        std::fs::write(root.join("OURS"), "a link").unwrap();
        run(&root, &["add", "OURS"]);
        assert_eq!(told(&root, "ours"), Tracked::Yes);
    }

    #[test]
    fn what_other_systems_track_is_not_known() {
        for system in OTHER_SYSTEMS {
            for at in ["", "ours"] {
                let (_dir, root) = project();
                std::fs::create_dir(root.join(at).join(system)).unwrap();
                assert_eq!(told(&root, "ours"), Tracked::NotKnown, "{at} {system}");
            }
        }
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
        run(&root, &["init", "-q"]);
        for setting in ["core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "alias.ls-files"] {
            run(&root, &["config", setting, script.to_str().unwrap()]);
        }
        for hook in ["post-index-change", "post-checkout", "fsmonitor-watchman"] {
            std::fs::copy(&script, root.join(".git/hooks").join(hook)).unwrap();
        }
        run(&root, &["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "ours"]);
        let _ = std::fs::remove_file(&ran);
        assert_eq!(told(&root, "ours"), Tracked::Yes);
        assert!(!ran.exists(), "the repository's script ran");
    }
}
