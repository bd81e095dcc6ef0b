//! The labels of a chart's marks. A bar or a point is data: it has no words, and its place and size change with the data. Where its axis
//! has as many labels as there are marks beside one another, a mark is the one of its label.

use super::outcome::Scored;
use super::sought::Sought;
use super::survey::Survey;
use crate::page::Page;
use crate::sort;

/// Drawn for a number.
const MARKS: [&str; 6] = ["rect", "circle", "path", "ellipse", "polygon", "line"];
/// Fewer are no row of marks.
const FEWEST: usize = 2;

/// Each mark that has a label, in the page's order, with the place of the label among the page's texts.
pub(super) fn labels(survey: &Survey<'_>) -> Vec<(u32, usize)> {
    let page = survey.page;
    let mut found = Vec::new();
    let mut end = 0;
    for svg in page.elements().filter(|&node| page.tag(node) == "svg") {
        // One inside of another was looked at with that.
        if svg < end {
            continue;
        }
        end = page.subtree(svg).end;
        let inside = || page.subtree(svg).filter(|&node| page.is_element(node));
        let is_group = |node: &u32| inside_of(page, *node).nth(FEWEST - 1).is_some();
        let mut axes: Vec<Vec<usize>> = Vec::new();
        for group in inside() {
            let texts: Vec<usize> =
                page.element_children(group).filter_map(|child| label(survey, child)).collect();
            if texts.len() >= FEWEST {
                axes.push(texts);
            }
        }
        for group in inside().filter(is_group) {
            let marks: Vec<u32> = inside_of(page, group).collect();
            let mut fitting = axes.iter().filter(|axis| axis.len() == marks.len());
            // Of two axes with as many labels nobody knows whose the marks are.
            if let (Some(axis), None) = (fitting.next(), fitting.next()) {
                found.extend(marks.into_iter().zip(axis.iter().copied()));
            }
        }
    }
    sort::plain(&mut found);
    found
}

/// The only candidate that is a mark of the element's label.
pub(super) fn of_its_label(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> Option<usize> {
    let base = &sought.anchor.base;
    let kept = base.before.first().filter(|_| MARKS.contains(&base.tag.as_str()))?;
    let is_it = |one: &Scored| {
        survey.page.tag(one.node) == base.tag && survey.label_of(one.node).as_ref() == Some(kept)
    };
    let mut found = list.iter().enumerate().filter(|(_, one)| is_it(one));
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}

/// The marks right inside of a group, if it has nothing else: an axis has lines too, beside its labels.
fn inside_of(page: &Page, group: u32) -> impl Iterator<Item = u32> {
    let mut all = page.element_children(group).peekable();
    let first = all.peek().map(|&node| page.tag(node)).filter(|tag| MARKS.contains(tag));
    let is_row = first.is_some() && page.element_children(group).all(|node| Some(page.tag(node)) == first);
    all.filter(move |_| is_row)
}

/// The place of the one text that a label of an axis has: a `text`, or a tick with one.
fn label(survey: &Survey<'_>, node: u32) -> Option<usize> {
    let (from, to) = survey.text_range(node);
    (to == from + 1 && matches!(survey.page.tag(node), "text" | "g")).then_some(from)
}
