//! A selection as JSON for an agent's answer: the contract's shape, bounded in size. Every string in it was written by
//! the page: data, never instructions.

use serde_json::{Value, json};

use super::element_text;
use super::project::{MOST_TARGETS, targets};
use super::untrusted::{neutralise, one_line};
use crate::model::{RelatedElement, Selection, Target};

/// How much of everything is shown.
#[derive(Clone, Copy)]
struct Caps {
    text: usize,
    value: usize,
    attributes: usize,
    related: usize,
}

impl Caps {
    fn halved(self) -> Self {
        let Caps { text, value, attributes, related } = self;
        Caps { text: text / 2, value: (value / 2).max(20), attributes: attributes / 2, related: related / 2 }
    }
}

/// `element`, `ancestors`, `children`, `page`, and `targets` with selector, component and file of each element. Less
/// and less of each is told until it `fits`; in the end what is left is at most a few thousand characters. `cut` says
/// what is not told whole.
#[must_use]
pub fn project_selection(selection: &Selection, fits: impl Fn(&str) -> bool) -> Value {
    let mut caps = Caps { text: 2_000, value: 300, attributes: 40, related: 12 };
    loop {
        let told = with_caps(selection, caps);
        if caps.related == 0 || fits(&told.to_string()) {
            return told;
        }
        caps = caps.halved();
    }
}

fn with_caps(selection: &Selection, caps: Caps) -> Value {
    let Selection { element, ancestors, children, page, targets: kept } = selection;
    let attributes: serde_json::Map<String, Value> = element
        .attributes
        .iter()
        .take(caps.attributes)
        .map(|(name, value)| (one_line(name, caps.value), one_line(value, caps.value).into()))
        .collect();
    let mut told = json!({
        "element": {
            "tagName": one_line(&element.tag_name, caps.value),
            "classList": classes(&element.class_list, caps),
            "textContent": one_line(&element.text_content, caps.text),
            "attributes": attributes,
            "boundingBox": element.bounding_box,
        },
        "ancestors": several(ancestors, caps),
        "page": { "url": one_line(&page.url, caps.value * 4), "title": one_line(&page.title, caps.value) },
    });
    if let Some(id) = &element.id {
        told["element"]["id"] = one_line(id, caps.value).into();
    }
    if let Some(children) = children {
        told["children"] = several(children, caps);
    }
    if !kept.is_empty() {
        told["targets"] = json!(targets(kept, caps.value));
    }
    let cut = cuts(selection, caps);
    if !cut.is_empty() {
        told["cut"] = cut.into();
    }
    told
}

/// What is not told whole, each in a few words: `ancestors: 12 of 60`.
fn cuts(selection: &Selection, caps: Caps) -> Vec<String> {
    let Selection { element, ancestors, children, page, targets } = selection;
    let children = children.as_deref().unwrap_or_default();
    let mut cut = Vec::new();
    let mut list = |name: &str, shown: usize, all: usize| {
        if shown < all {
            cut.push(format!("{name}: {shown} of {all}"));
        }
    };
    list("ancestors", caps.related, ancestors.len());
    list("children", caps.related, children.len());
    list("attributes", caps.attributes, element.attributes.len());
    list("classList", caps.attributes, element.class_list.len());
    list("targets", MOST_TARGETS, targets.len());
    // Told is what strangers wrote with its unseen characters spelled out.
    let length = |text: &str| neutralise(text).chars().count();
    let is_long = |text: &str, most: usize| length(text) > most;
    let all = length(&element.text_content);
    if all > caps.text {
        cut.push(format!("textContent: {} of {all} characters", caps.text));
    }
    let mut values = |name: &str, most: usize, is: bool| {
        if is {
            cut.push(format!("{name}: {most} characters of each"));
        }
    };
    let is_long_attribute =
        |(name, value): (&String, &String)| is_long(name, caps.value) || is_long(value, caps.value);
    // Of what is not told at all nothing is cut.
    let mut attributes = element.attributes.iter().take(caps.attributes);
    values("values of attributes", caps.value, attributes.any(is_long_attribute));
    let related = || ancestors.iter().take(caps.related).chain(children.iter().take(caps.related));
    let is_long_class =
        |names: &[String]| names.iter().take(caps.attributes).any(|name| is_long(name, caps.value / 2));
    let is_any_long =
        is_long_class(&element.class_list) || related().any(|one| is_long_class(&one.class_list));
    values("names of classes", caps.value / 2, is_any_long);
    let is_long_related = |one: &RelatedElement| {
        let texts = [Some(&one.tag_name), one.id.as_ref(), one.text_content.as_ref()];
        texts.into_iter().flatten().any(|text| is_long(text, caps.value))
    };
    values("texts of ancestors and children", caps.value, related().any(is_long_related));
    let texts = [Some(&page.title), Some(&element.tag_name), element.id.as_ref()];
    let is_any_long = texts.into_iter().flatten().any(|text| is_long(text, caps.value));
    values("title, tagName and id", caps.value, is_any_long);
    values("url", caps.value * 4, is_long(&page.url, caps.value * 4));
    let is_long_target = |target: &Target| {
        let component = target.snapshot.component.clone();
        let file = target.snapshot.source.as_ref().map(element_text::place);
        [Some(target.selector.clone()), component, file]
            .iter()
            .flatten()
            .any(|text| is_long(text, caps.value))
    };
    let is_any_long = targets.iter().take(MOST_TARGETS).any(is_long_target);
    values("selectors, components and files of targets", caps.value, is_any_long);
    if related().any(|one| one.class_list.len() > caps.attributes) {
        cut.push(format!("classList of ancestors and children: {} of each", caps.attributes));
    }
    cut
}

fn classes(names: &[String], caps: Caps) -> Vec<String> {
    names.iter().take(caps.attributes).map(|name| one_line(name, caps.value / 2)).collect()
}

fn several(all: &[RelatedElement], caps: Caps) -> Value {
    all.iter().take(caps.related).map(|one| related(one, caps)).collect()
}

fn related(one: &RelatedElement, caps: Caps) -> Value {
    let mut told = json!({ "tagName": one_line(&one.tag_name, caps.value), "classList": classes(&one.class_list, caps) });
    if let Some(id) = &one.id {
        told["id"] = one_line(id, caps.value).into();
    }
    if let Some(text) = &one.text_content {
        told["textContent"] = one_line(text, caps.value).into();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SelectedElement;
    use crate::model::arbitrary::target;

    #[test]
    fn however_large_the_selection_the_answer_is_small() {
        let long = "word ".repeat(2_000);
        let one = RelatedElement {
            tag_name: long.clone(),
            class_list: vec![long.clone(); 100],
            id: Some(long.clone()),
            text_content: Some(long.clone()),
        };
        let element = SelectedElement {
            tag_name: "BUTTON".into(),
            text_content: long.clone(),
            attributes: (0..200).map(|n| (format!("data-{n}"), long.clone())).collect(),
            class_list: vec![long; 100],
            ..SelectedElement::default()
        };
        let selection = Selection {
            element,
            ancestors: vec![one.clone(); 60],
            children: Some(vec![one; 60]),
            ..Selection::default()
        };
        let length = |most: usize| {
            let told = project_selection(&selection, |json| json.chars().count() <= most);
            told.to_string().chars().count()
        };
        assert!((4_000..=16_000).contains(&length(16_000)), "{}", length(16_000));
        assert!(length(0) < 1_800, "{}", length(0));
        let cut = project_selection(&selection, |json| json.chars().count() <= 16_000)["cut"].to_string();
        for part in [
            "ancestors: ",
            " of 60",
            "children: ",
            "attributes: ",
            " of 200",
            "textContent: ",
            " of 10000 characters",
        ] {
            assert!(cut.contains(part), "{part} in {cut}");
        }
    }

    #[test]
    fn what_is_cut_of_each_thing_is_said_of_that_thing() {
        let said = |selection: Selection| {
            let told = project_selection(&selection, |_| true);
            told["cut"].as_array().map_or_else(Vec::new, |cut| {
                cut.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect::<Vec<_>>()
            })
        };
        let long = "main > section:nth-of-type(2) > ".repeat(30);
        let target = Target { selector: long.clone(), ..target() };
        assert_eq!(
            said(Selection { targets: vec![target], ..Selection::default() }),
            ["selectors, components and files of targets: 300 characters of each"]
        );
        let classes = RelatedElement { class_list: vec!["a".into(); 50], ..RelatedElement::default() };
        assert_eq!(
            said(Selection { ancestors: vec![classes], ..Selection::default() }),
            ["classList of ancestors and children: 40 of each"]
        );
        let mut page = Selection::default();
        page.page.url = format!("http://a/{}", "x".repeat(1_200));
        assert_eq!(said(page), ["url: 1200 characters of each"]);
        // Unseen characters are spelled out, and counted so.
        let mut unseen = Selection::default();
        unseen.element.text_content = "\u{202e}".repeat(300);
        assert_eq!(said(unseen), ["textContent: 2000 of 2400 characters"]);
    }

    #[test]
    fn what_is_told_whole_is_not_said_to_be_cut_and_what_is_missing_is_absent() {
        let element = SelectedElement { tag_name: "A".into(), ..SelectedElement::default() };
        let told = project_selection(&Selection { element, ..Selection::default() }, |_| true);
        assert!(told.get("cut").is_none(), "{told}");
        assert!(told["element"].get("id").is_none(), "{told}");
    }

    #[test]
    fn what_is_left_out_is_said_to_be_left_out_and_not_to_be_cut() {
        let long = "x".repeat(1_000);
        let whole = RelatedElement { tag_name: "DIV".into(), ..RelatedElement::default() };
        let cut = RelatedElement { class_list: vec!["a".into(); 50], ..related_of(&long) };
        let related = |shown: usize| Some([vec![whole.clone(); shown], vec![cut.clone()]].concat());
        let mut selection = Selection { children: related(12), ..Selection::default() };
        selection.ancestors = related(12).unwrap_or_default();
        let name = |n: usize| if n < 40 { format!("data-{n:02}") } else { format!("data-{n}-{long}") };
        selection.element.attributes =
            (0..50).map(|n| (name(n), if n < 40 { "a".into() } else { long.clone() })).collect();
        selection.element.class_list =
            (0..50).map(|n| if n < 40 { "a".into() } else { long.clone() }).collect();
        let said = json!([
            "ancestors: 12 of 13",
            "children: 12 of 13",
            "attributes: 40 of 50",
            "classList: 40 of 50"
        ]);
        assert_eq!(project_selection(&selection, |_| true)["cut"], said);
        // A class that is left out of what is told of an ancestor.
        let mut names = vec!["a".to_owned(); 40];
        names.push(long);
        let one = RelatedElement { class_list: names, ..whole };
        let selection = Selection { ancestors: vec![one], ..Selection::default() };
        let said = json!(["classList of ancestors and children: 40 of each"]);
        assert_eq!(project_selection(&selection, |_| true)["cut"], said);
    }

    fn related_of(text: &str) -> RelatedElement {
        RelatedElement {
            tag_name: text.to_owned(),
            class_list: vec![text.to_owned()],
            id: Some(text.to_owned()),
            text_content: Some(text.to_owned()),
        }
    }
}
