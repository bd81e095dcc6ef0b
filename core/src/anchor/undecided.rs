//! Pages on which the element could be several: there are more or fewer of its kind than there were, or copies of it
//! elsewhere.

use super::evidence::Clue;
use super::rivals::MOST_TWINS;
use super::scored::Scored;
use super::sought::Sought;
use super::survey::Survey;

/// How far up the rows are that equal elements stand in.
const ROW_LEVELS: usize = 4;

/// Whether there are as many elements of the very same content as there were.
pub(super) fn are_as_many(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> bool {
    count(survey, sought, list) == sought.anchor.context.twins as usize + 1
}

/// With how many others the best could be confused when there are more or fewer elements of the very same content than
/// there were: any of the run of equal siblings, or of equal rows, that it is in may have come or gone.
pub(super) fn equal_ones_came_or_went(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> usize {
    let Some((best, others)) = list.split_first() else { return 0 };
    if !is_equal(sought, best) {
        return 0;
    }
    let siblings = survey.page.parent(best.node).map_or(0, |parent| survey.child_count(parent));
    let could_be = |one: &&Scored| {
        is_equal(sought, one)
            && match level_of_run(survey, best.node, one.node) {
                // As many siblings as there were: none came or went here.
                Some(0) => siblings != sought.anchor.base.siblings,
                level => level.is_some(),
            }
    };
    others.iter().filter(could_be).count()
}

/// How far up two elements are siblings that say the same, the first of them beside another one that does; 0 for the
/// elements themselves.
fn level_of_run(survey: &Survey<'_>, one: u32, other: u32) -> Option<usize> {
    let page = survey.page;
    let up = |node: u32| std::iter::once(node).chain(page.element_ancestors(node));
    let mut pairs = up(one).zip(up(other)).enumerate().take(ROW_LEVELS);
    let (level, (one, other)) = pairs.find(|(_, (a, b))| page.parent(*a) == page.parent(*b))?;
    let says = |node: u32| (survey.tag(node), survey.text_hash(node));
    let equal = |beside: Option<u32>| beside.is_some_and(|beside| says(beside) == says(one));
    let in_run = equal(page.previous_element(one)) || equal(page.next_element(one));
    (one != other && in_run && says(one) == says(other)).then_some(level)
}

/// Whether a candidate says what the element said, or, if that said nothing at all, is of the same kind.
fn is_equal(sought: &Sought<'_>, one: &Scored) -> bool {
    let content = one.clue(Clue::Content);
    let same_kind = one.clue(Clue::Tag) >= 1.0 && one.clue(Clue::Classes) >= 1.0;
    content > 0.5 || (content.is_nan() && sought.anchor.base.text_hash == 0 && same_kind)
}

/// How many elements of the page are equal to the element, counted as its twins were.
fn count(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> usize {
    let base = &sought.anchor.base;
    match (base.text_hash >> 32) as u32 {
        0 => list.iter().filter(|one| is_equal(sought, one)).count(),
        text => {
            let of_text = survey.with(text).iter().map(|&(_, node)| node);
            of_text
                .take(MOST_TWINS)
                .filter(|&node| sought.anchor.content_of(survey, node) == base.content)
                .count()
        }
    }
}

/// Marks of a drawing that are its data, not its design.
const MARKS: [&str; 8] = ["rect", "circle", "ellipse", "line", "path", "polyline", "polygon", "g"];

/// How many marks of a chart there are that the best could be confused with: a bar, a dot or a slice is its data, and
/// data changes. One that is drawn otherwise than it was, and has no title, no label and no name, may be any of them.
pub(super) fn marks_without_names(survey: &Survey<'_>, sought: &Sought<'_>, best: &Scored) -> Option<usize> {
    let (page, base) = (survey.page, &sought.anchor.base);
    let is_mark = MARKS.contains(&base.tag.as_str()) && page.tag(best.node) == base.tag;
    let is_named = base.text_hash != 0 || base.attributes.iter().any(|(name, _)| names_a_mark(name));
    if !is_mark || is_named || best.clue(Clue::Content) > 0.5 {
        return None;
    }
    let parent = page.parent(best.node)?;
    let alike = |&other: &u32| {
        survey.tag(other) == survey.tag(best.node) && survey.classes(other) == survey.classes(best.node)
    };
    let marks = page.element_children(parent).take(MOST_MARKS).filter(alike).count();
    // One alone is the drawing's own: an icon, a line.
    (marks > 1).then_some(marks)
}

/// Most marks that are counted.
const MOST_MARKS: usize = 200;

fn names_a_mark(attribute: &str) -> bool {
    matches!(
        attribute,
        "id" | "aria-label" | "aria-roledescription" | "title" | "name" | "href" | "xlink:href"
    ) || attribute.starts_with("data-")
}

/// How many copies there are of an element that was the only one of its kind, when none of them is beside anything that
/// it was beside: nothing tells which of them it is, or whether it is any.
pub(super) fn copies_elsewhere(sought: &Sought<'_>, list: &[Scored]) -> Option<usize> {
    let was_only_one = sought.anchor.context.twins == 0 && !sought.anchor.context.around.is_empty();
    let is_copy = |one: &&Scored| {
        one.clue(Clue::Content) > 0.5 && one.clue(Clue::Beside) == 0.0 && one.clue(Clue::Path) == 0.0
    };
    let copies = list.iter().take_while(is_copy).count();
    (was_only_one && copies > 1).then_some(copies)
}
