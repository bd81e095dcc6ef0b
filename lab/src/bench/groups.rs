//! Outcomes by set, by family of sets (`git-*`), and all.

use std::collections::BTreeMap;

use crate::corpus::Part;

/// Something that belongs to a set of the corpus and to one of its parts.
pub(crate) trait Grouped {
    fn set(&self) -> &str;
    fn part(&self) -> Part;
}

/// A set, a family of sets, or `all`, with its outcomes.
pub(crate) struct Group<'a, T> {
    pub(crate) name: String,
    pub(crate) cases: Vec<&'a T>,
}

/// The sets by name, then the families that have several sets, then all.
pub(crate) fn groups<T: Grouped>(cases: &[T]) -> Vec<Group<'_, T>> {
    let mut sets: BTreeMap<&str, Vec<&T>> = BTreeMap::new();
    for case in cases {
        sets.entry(case.set()).or_default().push(case);
    }
    let mut families: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for set in sets.keys() {
        if let Some((family, _)) = set.split_once('-') {
            families.entry(family).or_default().push(set);
        }
    }
    let mut groups: Vec<Group<'_, T>> =
        sets.iter().map(|(set, cases)| Group { name: (*set).to_owned(), cases: cases.clone() }).collect();
    for (family, members) in families {
        if members.len() > 1 && members.len() < sets.len() {
            let cases = members.iter().filter_map(|set| sets.get(set)).flatten().copied().collect();
            groups.push(Group { name: format!("{family}-*"), cases });
        }
    }
    if sets.len() > 1 {
        groups.push(Group { name: "all".to_owned(), cases: cases.iter().collect() });
    }
    groups
}

impl<'a, T: Grouped> Group<'a, T> {
    /// All of it, and both parts; what is empty is left out.
    pub(crate) fn parts(&self) -> Vec<(&'static str, Vec<&'a T>)> {
        [None, Some(Part::Train), Some(Part::Test)]
            .into_iter()
            .map(|part| {
                let some = self.cases.iter().filter(|case| part.is_none_or(|part| case.part() == part));
                (part.map_or("all", Part::word), some.copied().collect::<Vec<_>>())
            })
            .filter(|(_, some)| !some.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str, Part);

    impl Grouped for One {
        fn set(&self) -> &str {
            self.0
        }
        fn part(&self) -> Part {
            self.1
        }
    }

    #[test]
    fn sets_are_grouped_by_name_by_family_and_all_together() {
        let cases = [One("git-a", Part::Train), One("git-b", Part::Test), One("other", Part::Test)];
        let names: Vec<(String, usize)> =
            groups(&cases).into_iter().map(|group| (group.name, group.cases.len())).collect();
        let names: Vec<(&str, usize)> = names.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(names, [("git-a", 1), ("git-b", 1), ("other", 1), ("git-*", 2), ("all", 3)]);
    }

    #[test]
    fn one_set_is_not_told_twice() {
        let cases = [One("git-a", Part::Train), One("git-a", Part::Train)];
        let found = groups(&cases);
        assert_eq!(found.len(), 1);
        let parts: Vec<(&str, usize)> =
            found.iter().flat_map(Group::parts).map(|(part, some)| (part, some.len())).collect();
        assert_eq!(parts, [("all", 2), ("train", 2)]);
    }
}
