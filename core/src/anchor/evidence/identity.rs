//! What a candidate is: tag, classes, attributes, children.

use super::Clue;
use super::compare::{bag, ends, ratio, same};
use crate::anchor::sought::Sought;
use crate::anchor::survey::Survey;

pub(super) fn clues(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    set(Clue::Tag, same(survey.tag(node) == sought.tag));
    let classes = survey.classes(node);
    if sought.classes.len() + classes.len() > 0 {
        let shared = sought.classes.iter().filter(|class| classes.contains(class)).count();
        set(Clue::Classes, 2.0 * shared as f32 / (sought.classes.len() + classes.len()) as f32);
    }
    let theirs = survey.telling(node);
    if sought.attributes.len() + theirs.len() > 0 {
        let (mut alike, mut all) = (0.0, 0.0);
        let (mut rare, mut other) = (f32::NAN, 0.0);
        for (wanted, (_, kept)) in sought.attributes.iter().zip(&base.attributes) {
            let names = wanted.weight >= 1.0;
            all += wanted.weight;
            match theirs.iter().find(|one| one.name == wanted.name) {
                Some(one) if one.value == wanted.value => {
                    alike += wanted.weight;
                    if names {
                        rare = rare.max(wanted.rarity);
                    }
                }
                Some(one) => {
                    alike += wanted.weight * 0.6 * ends(&kept.start, survey.page.string(one.string));
                    other += if names { 1.0 } else { 0.0 };
                }
                None => other += if names { 0.5 } else { 0.0 },
            }
        }
        let unknown =
            theirs.iter().filter(|one| sought.attributes.iter().all(|wanted| wanted.name != one.name));
        all += 0.4 * unknown.count() as f32;
        set(Clue::Attributes, if all > 0.0 { alike / all } else { 1.0 });
        set(Clue::OtherAttributes, f32::min(other / 2.0, 1.0));
        set(Clue::RareAttribute, rare);
    }
    let children = survey.child_tags(node);
    if base.child_tags.len() + children.len() > 0 {
        set(Clue::Children, bag(&base.child_tags, &children, u32::eq));
        let count = survey.child_count(node);
        set(Clue::ChildCount, ratio(base.child_count as f32, count as f32));
    }
}
