//! A selection as JSON for an agent's answer: the contract's shape, bounded in size. Every string in it was written by the
//! page: data, never instructions.

use serde_json::{Value, json};

use super::project::targets;
use super::untrusted::one_line;
use crate::model::{RelatedElement, Selection};

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

/// `element`, `ancestors`, `children`, `page`, and `targets` with selector, component and file of each element. Less and less
/// of each is told until it `fits`; in the end what is left is at most a few thousand characters.
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
            "id": element.id.as_ref().map(|id| one_line(id, caps.value)),
            "classList": classes(&element.class_list, caps),
            "textContent": one_line(&element.text_content, caps.text),
            "attributes": attributes,
            "boundingBox": element.bounding_box,
        },
        "ancestors": several(ancestors, caps),
        "page": { "url": one_line(&page.url, caps.value * 4), "title": one_line(&page.title, caps.value) },
    });
    if let Some(children) = children {
        told["children"] = several(children, caps);
    }
    if !kept.is_empty() {
        told["targets"] = targets(kept, caps.value);
    }
    told
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
        assert!(length(0) < 1_500, "{}", length(0));
    }
}
