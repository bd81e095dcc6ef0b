//! Directories that stood where a file or a directory of ours belongs. They get a name of nobody's; the latest few
//! stay, for whoever misses what is in them.

use std::io::Result;

use opentoolbar_leaves::files::{Directory, Stamp, random_digits};

/// How such a directory is called, before 16 digits.
const ASIDE: &str = ".in-the-way-";
/// So many stay.
const MOST: usize = 3;
/// Names that are removed in one go, at most; the rest goes with the next.
const MOST_STEPS: usize = 100_000;

/// Gives a directory that is in the way a name of nobody's.
pub(crate) fn set_aside(directory: &Directory, name: &str) -> Result<()> {
    if directory.has_directory(name)? {
        return directory.rename(name, &format!("{ASIDE}{}", random_digits()?));
    }
    Ok(())
}

/// Removes all but the latest of them, with everything in them that is on the same disk. No link is followed.
///
/// # Errors
/// The system refuses; what is left goes the next time.
pub(crate) fn sweep_aside(directory: &Directory) -> Result<()> {
    let set_aside = |name: String| {
        let stamp = is_aside(&name).then(|| directory.existing(&name).ok()??.own_stamp())??;
        Some((stamp, name))
    };
    let mut found: Vec<(Stamp, String)> = directory.all_names()?.into_iter().filter_map(set_aside).collect();
    found.sort_by_key(|(stamp, _)| std::cmp::Reverse(stamp.changed()));
    let mut steps = MOST_STEPS;
    let removed: Vec<Result<()>> =
        found.iter().skip(MOST).map(|(_, name)| directory.remove_tree(name, &mut steps)).collect();
    removed.into_iter().collect()
}

fn is_aside(name: &str) -> bool {
    let digits = name.strip_prefix(ASIDE);
    digits.is_some_and(|rest| rest.len() == 16 && rest.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn the_latest_stay_and_of_the_others_everything_goes_and_nothing_behind_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (ours, outside) = (dir.path().join("ours"), dir.path().join("outside"));
        std::fs::create_dir(&ours).unwrap();
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("own"), "mine").unwrap();
        let directory = Directory::open(&ours).unwrap();
        let name = |number: usize| format!("{ASIDE}{number:016x}");
        for number in 0..MOST + 2 {
            let at = ours.join(name(number));
            std::fs::create_dir_all(at.join("a/b/c")).unwrap();
            std::fs::write(at.join("a/b/file"), "x").unwrap();
            std::fs::write(at.join(std::ffi::OsStr::from_bytes(b"\xff")), "x").unwrap();
            std::os::unix::fs::symlink(&outside, at.join("link")).unwrap();
            // Longer than the ticks of the clock that file systems use.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        std::fs::create_dir(ours.join(".in-the-way-own")).unwrap();
        std::os::unix::fs::symlink(&outside, ours.join(name(77))).unwrap();
        sweep_aside(&directory).unwrap();
        let is_there = |number| ours.join(name(number)).exists();
        assert!(!is_there(0) && !is_there(1), "the oldest");
        assert!((2..MOST + 2).all(is_there), "the latest");
        assert!(is_there(77) && ours.join(".in-the-way-own").exists());
        assert!(outside.join("own").exists());
        // One that goes deeper than anybody looks is left alone.
        let deep = ours.join(name(0)).join(vec!["d"; 100].join("/"));
        std::fs::create_dir_all(&deep).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(50));
        (5..5 + MOST).for_each(|number| std::fs::create_dir(ours.join(name(number))).unwrap());
        assert!(sweep_aside(&directory).is_err());
    }
}
