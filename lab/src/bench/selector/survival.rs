//! What an old selector means on the next version of its page.

use serde::Serialize;

use crate::bench::groups::{Grouped, groups};
use crate::bench::statistics::percent;
use crate::corpus::Part;

/// What a selector matches on the new page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    None,
    One(u32),
    Several,
}

/// One target, by one generator.
pub(super) struct Survivor {
    pub(super) set: String,
    pub(super) part: Part,
    /// The right node on the new page; none when it is gone.
    pub(super) truth: Option<u32>,
    pub(super) found: Found,
}

impl Grouped for Survivor {
    fn set(&self) -> &str {
        &self.set
    }

    fn part(&self) -> Part {
        self.part
    }
}

/// The figures of one generator on one set, in percent.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Survival {
    pub(super) tool: String,
    pub(super) set: String,
    pub(super) part: &'static str,
    pub(super) present: usize,
    pub(super) gone: usize,
    /// Of the present: one match, the right element.
    pub(super) right: Option<f64>,
    /// Of the present: one match, another element.
    pub(super) silently_wrong: Option<f64>,
    /// Of the present: several matches, or a set that does not agree.
    pub(super) several: Option<f64>,
    /// Of the present: no match.
    pub(super) lost: Option<f64>,
    /// Of the gone: one match all the same.
    pub(super) gone_but_hit: Option<f64>,
    /// Of all: one match, a wrong element, whether the true one is there or gone.
    pub(super) silently_wrong_of_all: Option<f64>,
}

pub(super) fn rows(tool: &str, survivors: &[Survivor]) -> Vec<Survival> {
    groups(survivors)
        .iter()
        .flat_map(|group| group.parts().into_iter().map(|(part, some)| row(tool, &group.name, part, &some)))
        .collect()
}

fn row(tool: &str, set: &str, part: &'static str, some: &[&Survivor]) -> Survival {
    let count = |which: &dyn Fn(&Survivor) -> bool| some.iter().filter(|one| which(one)).count();
    let present = count(&|one| one.truth.is_some());
    let gone = some.len() - present;
    let wrong = |one: &Survivor| matches!(one.found, Found::One(node) if Some(node) != one.truth);
    let of_present =
        |which: &dyn Fn(&Survivor) -> bool| percent(count(&|one| one.truth.is_some() && which(one)), present);
    Survival {
        tool: tool.to_owned(),
        set: set.to_owned(),
        part,
        present,
        gone,
        right: of_present(&|one| matches!(one.found, Found::One(node) if Some(node) == one.truth)),
        silently_wrong: of_present(&wrong),
        several: of_present(&|one| one.found == Found::Several),
        lost: of_present(&|one| one.found == Found::None),
        gone_but_hit: percent(count(&|one| one.truth.is_none() && wrong(one)), gone),
        silently_wrong_of_all: percent(count(&wrong), some.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_wrong_several_lost_and_gone_are_told_apart() {
        let of =
            |truth: Option<u32>, found: Found| Survivor { set: "s".into(), part: Part::Test, truth, found };
        let some = [
            of(Some(1), Found::One(1)),
            of(Some(1), Found::One(2)),
            of(Some(1), Found::Several),
            of(Some(1), Found::None),
            of(None, Found::One(3)),
            of(None, Found::None),
        ];
        let rows = rows("tool", &some);
        let row = rows.first().map(|row| {
            (
                row.right,
                row.silently_wrong,
                row.several,
                row.lost,
                row.gone_but_hit,
                row.silently_wrong_of_all,
            )
        });
        let quarter = Some(25.0);
        assert_eq!(row, Some((quarter, quarter, quarter, quarter, Some(50.0), Some(100.0 / 3.0))));
    }
}
