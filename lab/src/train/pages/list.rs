//! The packages whose pages are compared: which versions of them, and which of their pages.

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// Packages with several versions of the same pages.
///
/// Not among them is anything that the corpus or another set has that these numbers are judged by.
const LIST: &str = include_str!("list.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Package {
    /// As npm calls it.
    pub(super) package: String,
    pub(super) licence: String,
    /// Where its pages are, below [`Version::root`]: `*` stands for anything but a folder, `**` for any folders.
    pub(super) pages: Vec<String>,
    /// Most pages that are taken of each pair of versions.
    pub(super) most: usize,
    /// From old to new.
    pub(super) versions: Vec<Version>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Version {
    pub(super) version: String,
    /// The year in which its pages were made: versions that were maintained for long count as their first release.
    pub(super) released: u16,
    /// Of the packed archive, as npm says it.
    pub(super) integrity: String,
    /// The folder that holds the pages, if it is not the same in all versions.
    #[serde(default)]
    pub(super) root: String,
}

pub(super) fn packages() -> Result<Vec<Package>> {
    serde_json::from_str(LIST).context("lab/src/train/pages/list.json is not what is read")
}

/// Which versions are compared: neighbours, every other one, and the first with the last; each also the other way
/// round, as pages lose as much as they gain and documentation mostly grows.
pub(super) fn steps(versions: usize) -> Vec<(usize, usize)> {
    let mut steps: Vec<_> = (1..versions).map(|at| (at - 1, at)).collect();
    steps.extend((2..versions).map(|at| (at - 2, at)));
    if versions > 3 {
        steps.push((0, versions - 1));
    }
    steps.into_iter().flat_map(|(from, to)| [(from, to), (to, from)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_and_in_order() -> Result<()> {
        for package in packages()? {
            assert!(package.versions.len() > 1, "{} has nothing to compare", package.package);
            assert!(
                package.versions.is_sorted_by(|a, b| a.released <= b.released),
                "{} is not in order",
                package.package
            );
            assert!(package.versions.iter().all(|one| one.integrity.starts_with("sha512-")));
        }
        Ok(())
    }

    #[test]
    fn versions_are_compared_near_and_far() {
        assert_eq!(steps(2), [(0, 1), (1, 0)]);
        assert_eq!(steps(3), [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)]);
        let forth: Vec<_> = steps(4).into_iter().filter(|(from, to)| from < to).collect();
        assert_eq!(forth, [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3)]);
    }
}
