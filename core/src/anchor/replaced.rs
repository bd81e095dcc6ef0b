//! Whether something else has taken the place of the element: the same template, filled with another thing. A text that
//! its author wrote anew is told from it by what is left: of the element's names, of its item, of the page around.

use super::evidence::Clue;
use super::scored::Scored;
use super::sought::Sought;
use super::survey::Survey;
use crate::selector::is_generated;

/// Texts with no more in common than this say different things.
const UNLIKE: f32 = 0.5;
/// As much of the text of two items of one template may be the template's own.
const TEMPLATE: f32 = 0.8;
/// With less of the texts around left than this the page as a whole is another, or in another language.
const SAME_PAGE: f32 = 0.25;
/// With as much of them left only the item itself is another.
const SAME_AROUND: f32 = 0.75;
/// Selectors that are less at one mean the place in a list, not the one element of its kind.
const ONLY_ONE: f32 = 0.6;
/// An element with as many look-alikes was one of a list.
const LOOK_ALIKES: usize = 4;
/// So many of its siblings are of the same template in a list.
const PEERS: usize = 2;
/// Most siblings that are looked at.
const MOST_SIBLINGS: usize = 60;

/// Whether what fits best is another thing at the element's place.
pub(super) fn is_replaced(survey: &Survey<'_>, sought: &Sought<'_>, best: &Scored) -> bool {
    can_be_replaced(survey, sought, best)
        && (is_part_of_another_item(survey, sought, best)
            || is_another_item(survey, sought, best)
            || is_of_another_page(survey, sought, best))
}

/// Whether a text could speak for another thing: there is one on both sides, and no name says that it is the same.
pub(super) fn can_be_replaced(survey: &Survey<'_>, sought: &Sought<'_>, best: &Scored) -> bool {
    let both_say = sought.anchor.base.text_hash != 0 && survey.text_hash(best.node) != 0;
    let has_name = best.clue(Clue::RareAttribute) > 0.0 || is_item_named(survey, sought, best.node);
    both_say && !has_name && !is_list(survey, best.node)
}

/// Whether it is what holds items: a list that shows other items is the same list.
fn is_list(survey: &Survey<'_>, node: u32) -> bool {
    let page = survey.page;
    if matches!(page.tag(node), "ul" | "ol" | "menu" | "table" | "tbody" | "select") {
        return true;
    }
    let has_parts = |&child: &u32| survey.child_count(child) > 0;
    let mut items = page.element_children(node).take(MOST_SIBLINGS).filter(has_parts);
    page.tag(node) != "tr" && items.any(|item| peers(survey, item).any(|peer| has_parts(&peer)))
}

/// Nothing that the element or its item said is left, while the page around them is the same.
fn is_part_of_another_item(survey: &Survey<'_>, sought: &Sought<'_>, best: &Scored) -> bool {
    let in_list = best.clue(Clue::Votes) < ONLY_ONE && sought.survived >= SAME_PAGE;
    let says_another = best.clue(Clue::Text) < UNLIKE || leads_elsewhere(survey, best);
    says_another && sought.item_left() == 0.0 && (in_list || sought.survived >= SAME_AROUND)
}

/// Whether it says what others of its tag say too, and bears another name or address: `Read more` of another item.
fn leads_elsewhere(survey: &Survey<'_>, best: &Scored) -> bool {
    let text = (survey.text_hash(best.node) >> 32) as u32;
    let same_tag = |&&(_, other): &&(u32, u32)| survey.tag(other) == survey.tag(best.node);
    best.clue(Clue::Text) >= 1.0
        && best.clue(Clue::OtherAttributes) > 0.0
        && survey.with(text).iter().filter(same_tag).nth(1).is_some()
}

/// The element is an item itself, of several texts, and none of them and no word of its own is left.
fn is_another_item(survey: &Survey<'_>, sought: &Sought<'_>, best: &Scored) -> bool {
    let base = &sought.anchor.base;
    let is_item = base.own_words.is_empty() && base.child_count > 1;
    is_item
        && best.clue(Clue::Text) < TEMPLATE
        && sought.survived >= SAME_PAGE
        && peers(survey, best.node).next().is_some()
        && !has_own_word(survey, sought, best.node)
}

/// Nothing of the item and of the texts around is left: a list that shows other items, or another page altogether, with
/// another tree. A page in another language has the same tree.
fn is_of_another_page(survey: &Survey<'_>, sought: &Sought<'_>, best: &Scored) -> bool {
    let of_many = sought.anchor.base.look_alikes.len() >= LOOK_ALIKES;
    let in_list = of_many && peers(survey, best.node).nth(PEERS - 1).is_some();
    let other_tree = best.clue(Clue::Siblings) < 1.0 && best.clue(Clue::AncestorNames) < 1.0;
    best.clue(Clue::Text) < TEMPLATE
        && sought.item_left() == 0.0
        && sought.survived < SAME_PAGE
        && (in_list || other_tree)
}

/// Whether an element around it, within its item, bears the id that it bore.
pub(super) fn is_item_named(survey: &Survey<'_>, sought: &Sought<'_>, node: u32) -> bool {
    let page = survey.page;
    let level = usize::from(sought.anchor.context.item);
    let named = |above: u32| page.id(above).is_some_and(|id| !id.is_empty() && !is_generated(id));
    let now = survey.steps(node);
    let steps = sought.anchor.base.ancestors.iter().zip(now.iter());
    page.element_ancestors(node)
        .zip(steps)
        .take(level)
        .any(|(above, (kept, now))| named(above) && kept == now)
}

/// The siblings of the same tag with the same class names.
fn peers<'s>(survey: &'s Survey<'_>, node: u32) -> impl Iterator<Item = u32> + 's {
    let page = survey.page;
    let siblings = page.parent(node).into_iter().flat_map(|parent| page.element_children(parent));
    let alike = move |&other: &u32| {
        other != node
            && survey.tag(other) == survey.tag(node)
            && survey.classes(other) == survey.classes(node)
    };
    siblings.take(MOST_SIBLINGS).filter(alike)
}

/// Whether it says a word that the element said and that is not one its template says in other items as well.
fn has_own_word(survey: &Survey<'_>, sought: &Sought<'_>, node: u32) -> bool {
    let mut shared = survey.words(node).to_vec();
    shared.retain(|word| sought.anchor.base.words.contains(word));
    for peer in peers(survey, node) {
        let words = survey.words(peer);
        shared.retain(|word| !words.contains(word));
    }
    !shared.is_empty()
}
