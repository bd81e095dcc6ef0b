//! What a candidate is: tag, classes, attributes, children.

use super::Clue;
use super::compare::{bag, ends, rarity, ratio, same};
use crate::anchor::sought::Sought;
use crate::anchor::survey::Survey;
use crate::anchor::survey::attribute;

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
        for wanted in &sought.attributes {
            all += wanted.weight;
            match theirs.iter().find(|one| one.name == wanted.name) {
                Some(one) if one.value == wanted.value => {
                    alike += wanted.weight;
                    if wanted.weight >= 1.0 {
                        let feature = attribute_rarity(wanted.name, wanted.value, survey, sought);
                        rare = rare.max(feature);
                    }
                }
                Some(one) => {
                    let kept = kept_value(sought, wanted.name);
                    let value = survey.page.string(one.string);
                    alike += wanted.weight * 0.6 * ends(kept, value);
                    other += if wanted.weight >= 1.0 { 1.0 } else { 0.0 };
                }
                None => other += if wanted.weight >= 1.0 { 0.5 } else { 0.0 },
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
        set(Clue::Children, bag(&base.child_tags, &children));
        let count = survey.child_count(node);
        set(Clue::ChildCount, ratio(base.child_count as f32, count as f32));
    }
}

fn kept_value<'s>(sought: &'s Sought<'_>, name: u32) -> &'s str {
    let kept = sought.anchor.base.attributes.iter();
    kept.zip(&sought.attributes)
        .find(|(_, wanted)| wanted.name == name)
        .map_or("", |((_, value), _)| value.start.as_str())
}

/// How rare an attribute is on the page, 1 for the only one.
fn attribute_rarity(name: u32, value: u32, survey: &Survey<'_>, sought: &Sought<'_>) -> f32 {
    let kept = sought.anchor.base.attributes.iter().zip(&sought.attributes);
    let found = kept.into_iter().find(|(_, wanted)| wanted.name == name && wanted.value == value);
    found.map_or(0.0, |((name, value), _)| rarity(survey, survey.with(attribute(name, value.hash)).len()))
}
