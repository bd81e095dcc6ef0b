//! The figures that the project has aims for, in one table: ours, the best peer of the same run, the aim.

use serde::Serialize;
use xtask::step::say;

/// One figure. Percentages unless the figure says otherwise.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line {
    pub(crate) figure: String,
    /// A set, a family of sets, `all`, or a page.
    pub(crate) of: String,
    pub(crate) ours: Option<f64>,
    /// The best of the peers asked, and who it is.
    pub(crate) best_peer: Option<f64>,
    pub(crate) peer: Option<String>,
    /// What we want to reach; of what has an aim.
    pub(crate) aim: Option<f64>,
    /// Whether less is better.
    pub(crate) less_is_better: bool,
}

impl Line {
    pub(crate) fn new(figure: &str, of: &str, ours: Option<f64>) -> Self {
        Self {
            figure: figure.to_owned(),
            of: of.to_owned(),
            ours,
            best_peer: None,
            peer: None,
            aim: None,
            less_is_better: false,
        }
    }

    pub(crate) fn less_is_better(mut self) -> Self {
        self.less_is_better = true;
        self
    }

    pub(crate) fn aim(mut self, aim: Option<f64>) -> Self {
        self.aim = aim;
        self
    }

    /// Keeps the best of what peers reach.
    pub(crate) fn peers<'a>(mut self, peers: impl Iterator<Item = (&'a str, Option<f64>)>) -> Self {
        for (name, value) in peers {
            let Some(value) = value else { continue };
            if self.best_peer.is_none_or(|best| self.is_better(value, best)) {
                self.best_peer = Some(value);
                self.peer = Some(name.to_owned());
            }
        }
        self
    }

    fn is_better(&self, a: f64, b: f64) -> bool {
        if self.less_is_better { a < b } else { a > b }
    }

    fn is_reached(&self) -> Option<bool> {
        let (ours, aim) = (self.ours?, self.aim?);
        Some(!self.is_better(aim, ours))
    }
}

pub(crate) fn print(lines: &[Line]) {
    say(
        "\nSummary: ours, the best peer of this run, and the aim (those of docs/anchors.md, for sets of these names)",
    );
    say(&format!("  {:<58}{:<20}{:>10}{:>10}{:>10}         peer", "figure", "of", "ours", "peer", "aim"));
    for line in lines {
        let number = |value: Option<f64>| match value {
            None => "-".to_owned(),
            Some(value) if value.abs() <= 1.0 => format!("{value:.3}"),
            Some(value) => format!("{value:.1}"),
        };
        let reached = match line.is_reached() {
            None => "",
            Some(true) => "reached",
            Some(false) => "short",
        };
        say(&format!(
            "  {:<58}{:<20}{:>10}{:>10}{:>10}{reached:>8} {}",
            line.figure,
            line.of,
            number(line.ours),
            number(line.best_peer),
            number(line.aim),
            line.peer.as_deref().unwrap_or("")
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_peer_and_whether_the_aim_is_reached_depend_on_the_direction() {
        let peers = [("a", Some(3.0)), ("b", Some(2.0)), ("c", None)];
        let more = Line::new("f", "s", Some(2.5)).aim(Some(2.6)).peers(peers.into_iter());
        assert_eq!((more.peer.as_deref(), more.is_reached()), (Some("a"), Some(false)));
        let less = Line::new("f", "s", Some(2.5)).less_is_better().aim(Some(2.6)).peers(peers.into_iter());
        assert_eq!((less.peer.as_deref(), less.is_reached()), (Some("b"), Some(true)));
        assert_eq!(Line::new("f", "s", None).aim(Some(1.0)).is_reached(), None);
    }
}
