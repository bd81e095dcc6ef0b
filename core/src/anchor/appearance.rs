//! What a person sees of an element beside its words: its drawing, its pictures, its colours; and of a field its label.
//! What has no words is known by nothing else, and a control with another icon is another control.

use serde::{Deserialize, Serialize};

use super::called;
use super::hash::{self, Kind};
use super::names::written;
use super::noise::is_generated_value;
use super::short::{Short, cut};
use super::survey::Survey;
use super::usage::{is_state, is_state_class, without_hashes};
use crate::element::{label, redact_text};
use crate::find;

/// Most nodes of a subtree that are looked at. What has more and is no picture is no icon.
const INSIDE: usize = 40;
/// Bytes of each part that are kept to be shown.
const SHOWN: usize = 60;
const LABEL: usize = 72;

/// What version 5 added. Each part is empty where there is nothing of the kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Appearance {
    /// Shapes, pictures and icons, its own and those in it; of what is shown the first that has a name.
    pub(super) drawing: Short,
    /// Colours and pictures of inline styles, of an element without text.
    pub(super) colours: Short,
    /// Of a field.
    pub(super) label: Short,
}

impl Appearance {
    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let mut seen = Self { label: label_of(survey, node), ..Self::default() };
        let (from, to) = survey.text_range(node);
        let is_silent = from == to;
        let page = survey.page;
        let within = page.subtree(node);
        let is_small = within.len() <= INSIDE || page.tag(node) == "svg";
        if !is_small || !(is_silent || is_control(survey, node)) {
            return seen;
        }
        let (mut shapes, mut colours, mut name, mut said) = (0, 0, String::new(), String::new());
        for each in within.take(INSIDE).filter(|&each| page.is_element(each)) {
            let (first, last) = survey.text_range(each);
            if first < last {
                continue;
            }
            for part in page.drawing(each).unwrap_or("").split("; ").filter(|part| !part.is_empty()) {
                if is_shape(part) {
                    shapes = hash::also(shapes, hash::wide(Kind::Attribute, &[part]));
                } else if is_silent {
                    let part = plain(part);
                    colours = hash::also(colours, hash::wide(Kind::Attribute, &[&part]));
                    if said.len() < SHOWN {
                        said.push_str(if said.is_empty() { "" } else { "; " });
                        said.push_str(&part);
                    }
                }
            }
            if each != node && page.children(each).next().is_none() {
                shapes = icon(survey, each, shapes, &mut name);
            }
        }
        seen.drawing = Self::part(&name, shapes);
        seen.colours = Self::part(&said, colours);
        seen
    }

    fn part(said: &str, whole: u64) -> Short {
        Short { start: cut(&redact_text(said), SHOWN).to_owned(), hash: (whole >> 32) as u32 }
    }

    /// The words of the label, sorted; none where there is no label.
    pub(super) fn label_words(&self) -> Option<Vec<u32>> {
        (self.label.hash != 0).then(|| called::words_in(&self.label.start))
    }

    /// Whether the label is the very same, and its words.
    pub(super) fn label_like(&self, label: &Short) -> (bool, Vec<u32>) {
        (self.label == *label, self.label_words().unwrap_or_default())
    }

    /// Whether there is anything of the kind.
    pub(super) fn is_something(&self) -> bool {
        self.number() != 0
    }

    /// All of it as one number; 0 for nothing.
    pub(super) fn number(&self) -> u64 {
        let parts = [self.drawing.hash, self.colours.hash, self.label.hash].map(u64::from);
        if parts == [0; 3] { 0 } else { hash::join(Kind::Content, parts) }
    }
}

impl Survey<'_> {
    /// What an element is by its content: tag, all text, telling attributes, and what is seen of it beside its words.
    /// Two look-alikes with other texts or other icons differ.
    pub(super) fn content(&self, node: u32) -> u32 {
        self.once(&self.contents, node, || {
            let plain = self.plain_content(node);
            match Appearance::of(self, node).number() {
                0 => plain,
                seen => (hash::join(Kind::Content, [u64::from(plain), seen]) >> 32) as u32,
            }
        })
    }
}

/// Adds what tells an icon or a picture: a leaf of the tree without words.
fn icon(survey: &Survey<'_>, leaf: u32, state: u64, name: &mut String) -> u64 {
    let page = survey.page;
    let mut state = state;
    let mut told = false;
    let mut tell = |kind: Kind, key: &str, parts: &mut dyn Iterator<Item = &str>| {
        let value: Vec<&str> = parts.collect();
        let number = hash::join(kind, [hash::wide(kind, &[key]), hash::wide(kind, &value)]);
        state = hash::also(state, number);
        told = true;
    };
    for (key, value) in page.attributes(leaf) {
        match key {
            "id" | "class" | "style" | "tabindex" | "loading" | "decoding" | "xmlns" => {}
            "src" | "href" | "xlink:href" => {
                tell(Kind::Attribute, key, &mut without_hashes(value));
                name_it(name, value);
            }
            _ if is_state(key) || key.starts_with("data-v-") || is_generated_value(key, value) => {}
            _ if is_geometry(key) || matches!(key, "alt" | "name" | "icon" | "fill" | "stroke") => {
                tell(Kind::Attribute, key, &mut std::iter::once(value));
            }
            _ => {}
        }
    }
    let classes: Vec<&str> =
        page.classes(leaf).filter(|class| !is_state_class(class)).filter_map(written).collect();
    if !classes.is_empty() {
        tell(Kind::Class, "class", &mut classes.iter().copied());
        if page.drawing(leaf).is_none() {
            name_it(name, &classes.join(" "));
        }
    }
    // The kinds of shapes are the drawing as well: a circle becomes a path.
    if told { hash::also(state, u64::from(survey.tag(leaf))) } else { state }
}

fn name_it(name: &mut String, said: &str) {
    if name.is_empty() {
        said.clone_into(name);
    }
}

/// Where and how large an SVG's shape is drawn.
pub(super) fn is_geometry(attribute: &str) -> bool {
    const NAMES: [&str; 15] = [
        "x",
        "y",
        "width",
        "height",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "x1",
        "y1",
        "x2",
        "y2",
        "transform",
        "points",
    ];
    NAMES.contains(&attribute)
}

fn is_shape(part: &str) -> bool {
    part.starts_with("path #") || part.starts_with("points #")
}

/// What a person operates as one thing, with its icon.
fn is_control(survey: &Survey<'_>, node: u32) -> bool {
    let page = survey.page;
    matches!(page.tag(node), "button" | "a" | "summary")
        || matches!(page.attr(node, "role"), Some("button" | "link" | "tab" | "menuitem" | "switch"))
}

fn label_of(survey: &Survey<'_>, node: u32) -> Short {
    let page = survey.page;
    let is_field = match page.tag(node) {
        "input" => {
            !matches!(page.attr(node, "type"), Some("hidden" | "button" | "submit" | "reset" | "image"))
        }
        "select" | "textarea" | "meter" | "progress" | "output" => true,
        _ => matches!(
            page.attr(node, "role"),
            Some(
                "textbox"
                    | "combobox"
                    | "checkbox"
                    | "radio"
                    | "switch"
                    | "slider"
                    | "searchbox"
                    | "spinbutton"
            )
        ),
    };
    match is_field.then(|| label(page, node)).flatten() {
        Some(text) => Short::new(&text, LABEL),
        None => Short::default(),
    }
}

/// A declaration with its colours written in one way: `#fff` is `rgb(255, 255, 255)`.
fn plain(declaration: &str) -> String {
    let mut plain = String::new();
    let mut rest = declaration;
    while let Some(at) = rest.find('#') {
        let (before, hex) = rest.split_at(at);
        let digits = hex[1..].bytes().take_while(u8::is_ascii_hexdigit).count();
        let (colour, after) = hex.split_at(1 + digits);
        plain.push_str(before);
        match channels(&colour[1..]).filter(|_| !find::has(before, "url(")) {
            Some([red, green, blue]) => {
                let numbers = [red, green, blue].map(|channel| channel.to_string());
                plain.extend(["rgb(", &numbers.join(", "), ")"]);
            }
            None => plain.push_str(colour),
        }
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Of three or six digits.
fn channels(digits: &str) -> Option<[u32; 3]> {
    let number = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        3 => Some([8, 4, 0].map(|shift| (number >> shift & 15) * 17)),
        6 => Some([16, 8, 0].map(|shift| number >> shift & 255)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_the_same_however_it_is_written() {
        assert_eq!(plain("background: #fff"), "background: rgb(255, 255, 255)");
        assert_eq!(plain("background: #166534"), "background: rgb(22, 101, 52)");
        assert_eq!(plain("fill: #12 x"), "fill: #12 x");
        assert_eq!(plain("mask: url(#abc)"), "mask: url(#abc)");
        assert_eq!(plain("color: red"), "color: red");
    }
}
