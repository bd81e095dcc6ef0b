//! A project on a disk of its own that is not mounted: what stands in its place is the empty directory that the disk is
//! mounted on.

use std::path::Path;

use opentoolbar_leaves::files::Identity;

/// Whether a directory is the root of what is mounted there.
pub fn is_mount_point(directory: &Path, is: Identity) -> bool {
    let around = directory.parent().and_then(Identity::of);
    around.is_some_and(|around| !around.is_on_the_disk_of(is))
}

/// Whether this is such a directory: an empty one, on the disk around it, where the project's was on another. `was`:
/// the project's directory when it was last seen. Disks that get another number each time they are mounted are told all
/// the same; the number of the one around seldom changes while nothing does. Once somebody puts anything in there, it
/// is no more taken for one.
pub fn is_bare_mount_point(directory: &Path, was: Identity) -> bool {
    let here = Identity::of_directory(directory);
    let around = directory.parent().and_then(Identity::of);
    here.zip(around).is_some_and(|(here, around)| {
        here.is_on_the_disk_of(around) && !here.is_on_the_disk_of(was) && is_empty(directory)
    })
}

fn is_empty(directory: &Path) -> bool {
    std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_empty_directory_where_another_disk_was_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let shop = dir.path().canonicalize().unwrap().join("shop");
        let elsewhere = Identity::new(u64::MAX, 1);
        assert!(!is_bare_mount_point(&shop, elsewhere), "nothing is there");
        std::fs::create_dir(&shop).unwrap();
        assert!(is_bare_mount_point(&shop, elsewhere));
        assert!(!is_bare_mount_point(&shop, Identity::of(&shop).unwrap()), "it was always on this disk");
        std::fs::write(shop.join("package.json"), "{}").unwrap();
        assert!(!is_bare_mount_point(&shop, elsewhere), "somebody works in it");
    }
}
