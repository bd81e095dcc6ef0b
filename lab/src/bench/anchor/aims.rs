//! Which figures of a run have aims, and what they are.

use super::figures::{Figures, Row};
use super::speed::Speed;
use crate::bench::summary::Line;

/// Right element, % of the present, by set.
const RIGHT: [(&str, f64); 5] =
    [("git-*", 99.5), ("mut-rerender", 98.5), ("mut-edit", 97.0), ("mut-list", 97.0), ("mut-heavy", 93.0)];
/// Outcomes of a whole corpus, %.
const WHOLE: f64 = 95.0;
const GONE_AT_97: f64 = 92.0;
const SILENT: f64 = 0.7;
const CHANGED_AUC: f64 = 0.99;
const CHANGED_F1: f64 = 0.97;
/// Milliseconds for 100 comments on a page of so many nodes.
const TIMES: [(usize, f64); 3] = [(2_000, 6.0), (16_000, 40.0), (50_000, 120.0)];
/// WASM, times native.
const WASM: f64 = 2.5;

pub(super) fn summary(ours: &str, rows: &[Row], speeds: &[Speed]) -> Vec<Line> {
    let mut lines = Vec::new();
    let whole: Vec<&Row> = rows.iter().filter(|row| row.part == "all").collect();
    let sets: Vec<&Row> = whole.iter().filter(|row| row.method == ours).copied().collect();
    let peers = |set: &str, of: fn(&Figures) -> Option<f64>| {
        let set = set.to_owned();
        whole
            .iter()
            .filter(move |row| row.set == set && !row.is_ours())
            .map(move |row| (row.method.as_str(), of(&row.figures)))
            .collect::<Vec<_>>()
            .into_iter()
    };
    let right: fn(&Figures) -> Option<f64> = |f| f.right_element;
    for row in &sets {
        let aim = RIGHT.iter().find(|(set, _)| *set == row.set).map(|(_, aim)| *aim);
        let line = Line::new("right element, % of the present", &row.set, right(&row.figures));
        lines.push(line.aim(aim).peers(peers(&row.set, right)));
    }
    for row in sets.iter().filter(|row| row.figures.gone > 0) {
        let f = &row.figures;
        // A set may have its own measure of hardness; the aims are for all edits or all redesigns together.
        let together = |aim: f64| (row.set.ends_with('*') || sets.len() == 1).then_some(aim);
        let whole_right: fn(&Figures) -> Option<f64> = |f| f.whole_right;
        lines.push(
            Line::new("whole outcome right, % of all", &row.set, whole_right(f))
                .aim(together(WHOLE))
                .peers(peers(&row.set, whole_right)),
        );
        let gone: fn(&Figures) -> Option<f64> = |f| f.gone_at97_of_present;
        lines.push(
            Line::new("gone said gone while 97 % of the present are right", &row.set, gone(f))
                .aim(together(GONE_AT_97))
                .peers(peers(&row.set, gone)),
        );
        let of_right: fn(&Figures) -> Option<f64> = |f| f.gone_at97_of_right;
        lines.push(
            Line::new("gone said gone while 97 % of the right ones are kept", &row.set, of_right(f))
                .peers(peers(&row.set, of_right)),
        );
    }
    for row in &sets {
        let silent: fn(&Figures) -> Option<f64> = |f| f.wrong_shown_as_it_was;
        lines.push(
            Line::new("wrong element shown as unchanged or moved, % of all", &row.set, silent(&row.figures))
                .less_is_better()
                .aim(Some(SILENT))
                .peers(peers(&row.set, silent)),
        );
    }
    for row in sets.iter().filter(|row| row.figures.changed_auc.is_some()) {
        let f = &row.figures;
        lines.push(
            Line::new("changed told from unchanged, AUC", &row.set, f.changed_auc).aim(Some(CHANGED_AUC)),
        );
        lines
            .push(Line::new("changed told from unchanged, F1", &row.set, f.changed_f1).aim(Some(CHANGED_F1)));
        let all = f.changed_f1_of_present;
        lines.push(Line::new("the same over all the present", &row.set, all).aim(Some(CHANGED_F1)));
    }
    for speed in speeds {
        let near = |nodes: usize| nodes * 3 >= speed.elements * 2 && nodes * 2 <= speed.elements * 3;
        let aim = TIMES.iter().find(|(nodes, _)| near(*nodes)).map(|(_, aim)| *aim);
        let of = format!("{}, {} el.", speed.page.split(' ').next().unwrap_or(""), speed.elements);
        let peers = speed.peers.iter().map(|peer| (peer.method, Some(peer.milliseconds)));
        lines.push(
            Line::new("100 comments, ms, native, index included", &of, Some(speed.native))
                .less_is_better()
                .aim(aim)
                .peers(peers),
        );
        if let Some(wasm) = speed.wasm_best {
            let ratio = Some(wasm / speed.native_whole_best);
            lines.push(
                Line::new("the same as WASM, times native", &of, ratio).less_is_better().aim(Some(WASM)),
            );
        }
    }
    lines
}
