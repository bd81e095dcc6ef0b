//! Where a candidate stands: its ancestors, its place among its siblings, its box.

use super::Clue;
use super::compare::{bag, ratio, same};
use crate::anchor::sought::Sought;
use crate::anchor::survey::Survey;

pub(super) fn clues(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    let page = survey.page;
    let theirs = survey.steps(node);
    let longest = base.ancestors.len().max(theirs.len());
    if longest > 0 {
        let equal = *theirs == *base.ancestors;
        let names = base.ancestors.iter().filter(|&step| equal || theirs.contains(step)).count();
        let tags = if equal { 1.0 } else { bag(&base.ancestors, &theirs, |kept, now| kept.tag == now.tag) };
        set(Clue::AncestorNames, names as f32 / longest as f32);
        set(Clue::AncestorTags, tags);
    }
    let depth = survey.depth(node).min(10_000);
    set(Clue::Depth, 1.0 / (1.0 + (base.depth as f32 - depth as f32).abs()));
    set(Clue::Path, same(survey.path(node) == base.path));
    set(Clue::Place, 1.0 / (1.0 + base.place.abs_diff(page.nth_child(node)) as f32));
    let siblings = page.parent(node).map_or(0, |parent| survey.child_count(parent));
    let from_end = base.siblings.saturating_sub(base.place);
    let now_from_end = siblings.saturating_sub(page.nth_child(node));
    set(Clue::PlaceFromEnd, 1.0 / (1.0 + from_end.abs_diff(now_from_end) as f32));
    set(Clue::Siblings, ratio(base.siblings as f32, siblings as f32));
    if sought.has_layout {
        let now = page.rect(node);
        let [x, y, width, height] = base.bounds;
        let side = |a: i32, b: i32| ratio(a.max(0) as f32, b.max(0) as f32);
        let near = |a: i32, b: i32, scale: f32| 1.0 / (1.0 + a.abs_diff(b) as f32 / scale);
        set(Clue::Size, side(width, now.width) * side(height, now.height));
        set(Clue::NearX, near(x, now.x, 100.0));
        set(Clue::NearY, near(y, now.y, 400.0));
    }
}
