//! Opens a file of a project, and nothing that a link leads to: a stranger may put one anywhere in it, at any moment.

use std::fs::File;
use std::path::Path;

#[cfg(not(unix))]
use by_path as system;
#[cfg(unix)]
use unix as system;

/// The regular file at this path within the project, with `/` between its parts; `None` when there is none such, a link
/// leads to it, or somebody else may have given it this name.
pub(super) fn open(root: &Path, file: &str) -> Option<File> {
    if file.split('/').any(|part| matches!(part, "" | "." | "..") || part.contains(['\\', '\0'])) {
        return None;
    }
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    system::open(root, directory, name)
}

/// By the handle of its directory: what a name leads to is decided in the moment in which it is opened.
#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
    use rustix::io::Errno;

    /// A handle that files are opened by needs no right to list the directory.
    #[cfg(target_os = "linux")]
    const HANDLE: OFlags = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    const HANDLE: OFlags = OFlags::RDONLY;

    pub(super) fn open(root: &Path, directory: &str, name: &str) -> Option<File> {
        let directory = directory_of(root, directory).ok()?;
        // Looked at before: opening a device can do something by itself. And after: it may be another one by then.
        let is_file = |about: &Stat| FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
        rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW).ok().filter(is_file)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&directory, name, flags, Mode::empty()).ok()?;
        let about = rustix::fs::fstat(&file).ok().filter(is_file)?;
        (about.st_nlink == 1 || is_mine_alone(&about, &rustix::fs::fstat(&directory).ok()?))
            .then(|| file.into())
    }

    /// Whether only this user can have given a file another name here: a neighbour may name a file so that is not the
    /// project's.
    fn is_mine_alone(file: &Stat, directory: &Stat) -> bool {
        let me = rustix::process::geteuid().as_raw();
        let others_write = Mode::from_raw_mode(directory.st_mode).intersects(Mode::WGRP | Mode::WOTH);
        file.st_uid == me && directory.st_uid == me && !others_write
    }

    #[cfg(target_os = "linux")]
    pub(super) fn directory_of(root: &Path, directory: &str) -> rustix::io::Result<OwnedFd> {
        // None of the parts is `..`, so that without links it is within the root.
        let flags = HANDLE | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let resolve = rustix::fs::ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(CWD, root.join(directory), flags, Mode::empty(), resolve) {
            // A kernel before 5.6, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => walk(root, directory),
            opened => opened,
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn directory_of(root: &Path, directory: &str) -> rustix::io::Result<OwnedFd> {
        walk(root, directory)
    }

    /// The same part by part. Above the root, which was found without links, one is followed that was put there since.
    pub(super) fn walk(root: &Path, directory: &str) -> rustix::io::Result<OwnedFd> {
        let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut handle = rustix::fs::openat(CWD, root, flags, Mode::empty())?;
        for part in directory.split('/').filter(|part| !part.is_empty()) {
            handle = rustix::fs::openat(&handle, part, flags, Mode::empty())?;
        }
        Ok(handle)
    }
}

/// Where directories have no handles that files can be opened by. Links can be made there by administrators and
/// developers alone.
#[cfg(not(unix))]
mod by_path {
    use std::fs::File;
    use std::path::Path;

    pub(super) fn open(root: &Path, directory: &str, name: &str) -> Option<File> {
        let path = root.join(directory).join(name);
        let is_direct = path.canonicalize().ok()? == root.canonicalize().ok()?.join(directory).join(name);
        let is_file = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_file());
        File::open(path)
            .ok()
            .filter(|file| is_direct && is_file && file.metadata().is_ok_and(|about| about.is_file()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Read as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;

    use super::*;

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A project with one file, and beside it what is not its own.
    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path().canonicalize().unwrap();
        write(&at.join("shop/src/a.ts"), "mill");
        write(&at.join("outside/a.ts"), "swordfish");
        (dir, at)
    }

    fn read(root: &Path, file: &str) -> Option<String> {
        let mut text = String::new();
        open(root, file)?.read_to_string(&mut text).unwrap();
        Some(text)
    }

    #[test]
    fn a_file_is_opened_and_nothing_that_a_link_leads_to() {
        let (_dir, at) = project();
        let root = at.join("shop");
        assert_eq!(read(&root, "src/a.ts").as_deref(), Some("mill"));
        symlink(at.join("outside"), root.join("linked")).unwrap();
        symlink(at.join("outside/a.ts"), root.join("src/linked.ts")).unwrap();
        symlink(root.join("src"), root.join("inside")).unwrap();
        std::fs::create_dir(root.join("src/directory.ts")).unwrap();
        let fifo = std::process::Command::new("mkfifo").arg(root.join("src/pipe.ts")).status().unwrap();
        assert!(fifo.success());
        for none in [
            "linked/a.ts",
            "src/linked.ts",
            "inside/a.ts",
            "src/directory.ts",
            "src/pipe.ts",
            "src/gone.ts",
            "../outside/a.ts",
            "src/../src/a.ts",
            "./src/a.ts",
            "src//a.ts",
            "/src/a.ts",
            "",
            "src\0a.ts",
        ] {
            assert_eq!(read(&root, none), None, "{none}");
        }
        // The root itself, and what leads to it.
        symlink(&root, at.join("linked-shop")).unwrap();
        assert_eq!(read(&at.join("linked-shop"), "src/a.ts"), None);
        #[cfg(target_os = "linux")]
        {
            symlink(&at, root.join("up")).unwrap();
            assert_eq!(read(&root.join("up/shop"), "src/a.ts"), None);
        }
    }

    #[test]
    fn part_by_part_no_link_is_followed_either() {
        let (_dir, at) = project();
        let root = at.join("shop");
        symlink(at.join("outside"), root.join("linked")).unwrap();
        write(&root.join("one/two/three/a.ts"), "x");
        symlink(at.join("outside"), root.join("one/two/linked")).unwrap();
        symlink(&root, at.join("linked-shop")).unwrap();
        for opened in ["", "src", "one/two/three"] {
            assert!(unix::walk(&root, opened).is_ok(), "{opened}");
        }
        for refused in ["linked", "one/two/linked", "gone", "src/a.ts"] {
            assert!(unix::walk(&root, refused).is_err(), "{refused}");
        }
        assert!(unix::walk(&at.join("linked-shop"), "src").is_err());
    }

    /// The directory and a link to another one change places all the while.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_that_is_swapped_in_leads_nowhere() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let (_dir, at) = project();
        let root = at.join("shop");
        symlink(at.join("outside"), root.join("other")).unwrap();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (src, other) = (root.join("src"), root.join("other"));
                while !is_over.load(Ordering::Relaxed) {
                    let flags = rustix::fs::RenameFlags::EXCHANGE;
                    rustix::fs::renameat_with(rustix::fs::CWD, &src, rustix::fs::CWD, &other, flags).unwrap();
                }
            });
            let texts: Vec<_> = (0..20_000).filter_map(|_| read(&root, "src/a.ts")).collect();
            is_over.store(true, Ordering::Relaxed);
            let of_others = texts.iter().filter(|text| *text != "mill").count();
            assert_eq!(of_others, 0, "of {} that were read", texts.len());
        });
    }

    #[test]
    fn a_second_name_counts_only_where_nobody_else_can_have_given_it() {
        let (_dir, at) = project();
        let (root, directory) = (at.join("shop"), at.join("shop/src"));
        std::fs::hard_link(at.join("outside/a.ts"), directory.join("b.ts")).unwrap();
        let mode =
            |mode| std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(mode)).unwrap();
        mode(0o755);
        assert_eq!(read(&root, "src/b.ts").as_deref(), Some("swordfish"), "this user's own doing");
        for shared in [0o775, 0o757, 0o777, 0o1777] {
            mode(shared);
            assert_eq!(read(&root, "src/b.ts"), None, "{shared:o}");
            assert_eq!(read(&root, "src/a.ts").as_deref(), Some("mill"), "it has one name");
        }
        mode(0o755);
        // Only root can give files away.
        if rustix::process::geteuid().is_root() {
            let other = Some(rustix::fs::Uid::from_raw(65_534));
            rustix::fs::chown(directory.join("b.ts"), other, None).unwrap();
            assert_eq!(read(&root, "src/b.ts"), None, "somebody else's file");
            rustix::fs::chown(directory.join("b.ts"), Some(rustix::process::geteuid()), None).unwrap();
            rustix::fs::chown(&directory, other, None).unwrap();
            assert_eq!(read(&root, "src/b.ts"), None, "in somebody else's directory");
        }
    }
}
