//! What a new version of a site does to its pages: a great deal is otherwise, the same way everywhere, and nearly
//! everything is still there.

use super::tree::{Piece, Tree, What};
use super::words::{alternatives, word};
use crate::train::random::Random;

/// How much of a page is done otherwise, each 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::train) struct Redo {
    /// Of the class names.
    names: f32,
    /// Of the kinds of elements (a tag with its class names): they become other tags, are wrapped or filled.
    tags: f32,
    wraps: f32,
    /// Of the texts.
    texts: f32,
    /// Of the names of attributes, and of addresses.
    attributes: f32,
    links: f32,
    /// Parts of the page change places.
    sections: f32,
    /// Of the parts: gone or new.
    parts: f32,
    /// How often what goes takes what it stands in with it.
    pub(in crate::train) replaced: f32,
}

impl Redo {
    /// `level`: from hardly anything to everything.
    pub(in crate::train) fn of(level: f32, random: &mut Random) -> Self {
        let mut by = |most: f32| (most * level * (0.2 + 1.2 * random.share())).min(0.95);
        Self {
            names: by(1.0),
            tags: by(0.3),
            wraps: by(0.25),
            texts: by(0.9),
            attributes: by(0.7),
            links: by(0.9),
            sections: by(0.8),
            parts: by(0.05),
            replaced: 0.7,
        }
    }

    pub(super) fn is_some(&self) -> bool {
        self.replaced > 0.0
    }
}

/// How often something else of its kind stands where an element was.
const SUPPLANTED: f32 = 0.2;

/// Tags that nothing is put around or into.
const FIXED: [&str; 20] = [
    "html", "head", "body", "li", "tr", "td", "th", "thead", "tbody", "tfoot", "table", "ul", "ol", "dl",
    "dt", "dd", "select", "option", "svg", "path",
];

impl Tree {
    /// `targets`: pieces that must not be lost.
    pub(super) fn redo(&mut self, redo: &Redo, targets: &[usize], random: &mut Random) {
        self.swap_sections(redo.sections, random);
        self.renew_parts(redo, random);
        self.rework(redo, targets, random);
        self.say_otherwise(redo, random);
        self.name_by_meaning(redo.names, random);
        self.name_attributes(redo.attributes, random);
        self.lead_elsewhere(redo.links, random);
        self.lay_out(redo.tags.max(redo.wraps), random);
    }

    /// Tag and class names: what a site styles, it styles everywhere.
    fn kind(&self, at: usize) -> Option<String> {
        let What::Element { tag, attributes } = &self.pieces[at].what else { return None };
        let class = attributes.iter().find(|(name, _)| name == "class").map_or("", |(_, value)| value);
        Some(format!("{tag} {class}"))
    }

    /// Other tags, wrappers around and within, and wrappers that go.
    fn rework(&mut self, redo: &Redo, targets: &[usize], random: &mut Random) {
        let salt = random.next();
        for at in 1..self.pieces.len() {
            let Some(kind) = self.kind(at) else { continue };
            let mut one = Random::of_text(salt, &kind);
            let (other_tag, reworked, how) = (one.chance(redo.tags), one.chance(redo.wraps), one.share());
            let What::Element { tag, attributes } = &mut self.pieces[at].what else { continue };
            let fixed = FIXED.contains(&tag.as_str());
            if other_tag && let Some(others) = alternatives(tag) {
                *tag = (*one.of(others)).to_owned();
            }
            let is_plain = attributes.iter().all(|(name, _)| name == "class" || name == "style");
            let is_wrapper = matches!(tag.as_str(), "div" | "span" | "section") && is_plain;
            if !reworked || fixed {
                continue;
            }
            if how < 0.45 {
                self.fill(at, &mut one);
            } else if how < 0.75 {
                self.wrap(at, &mut one);
            } else if is_wrapper && !targets.contains(&at) && self.holds_only_elements(at) {
                self.unwrap(at);
            }
        }
    }

    fn holds_only_elements(&self, at: usize) -> bool {
        let children = &self.pieces[at].children;
        !children.is_empty() && children.iter().all(|&child| self.is_element(child))
    }

    /// All that is in it comes to stand in a new element in it.
    fn fill(&mut self, at: usize, random: &mut Random) {
        if self.pieces[at].children.is_empty() {
            return;
        }
        let tag = *random.of(&["div", "span", "div", "p", "h3"]);
        let what =
            What::Element { tag: tag.to_owned(), attributes: vec![("class".to_owned(), word(random))] };
        let piece = &self.pieces[at];
        let inner =
            Piece { what, place: piece.place, flags: 1, origin: None, children: Vec::new(), parent: at };
        let inner = self.push(inner);
        let children = std::mem::replace(&mut self.pieces[at].children, vec![inner]);
        children.iter().for_each(|&child| self.pieces[child].parent = inner);
        self.pieces[inner].children = children;
    }

    /// Equal texts become equal ones, mostly.
    fn say_otherwise(&mut self, redo: &Redo, random: &mut Random) {
        let salt = random.next();
        for at in 1..self.pieces.len() {
            match &self.pieces[at].what {
                What::Text(text) => {
                    let mut one = Random::of_text(salt, text);
                    if one.chance(redo.texts) {
                        let said = self.rephrased(text, &mut one);
                        self.pieces[at].what = What::Text(said);
                    }
                }
                What::Element { attributes, .. } => {
                    let mut other = attributes.clone();
                    for (name, value) in &mut other {
                        let mut one = Random::of_text(salt, value);
                        let says = matches!(name.as_str(), "alt" | "title" | "placeholder" | "aria-label");
                        if says && one.chance(redo.texts.max(redo.attributes)) {
                            *value = self.rephrased(value, &mut one);
                        }
                    }
                    if let What::Element { attributes, .. } = &mut self.pieces[at].what {
                        *attributes = other;
                    }
                }
            }
        }
    }

    /// Other class names for the same things: a part of the name is another, or comes, or goes.
    fn name_by_meaning(&mut self, share: f32, random: &mut Random) {
        let salt = random.next();
        // A framework names alike what it names: the same part of a name becomes the same.
        let part = |part: &str| word(&mut Random::of_text(salt, part));
        self.each_name(|name| {
            let mut one = Random::of_text(salt ^ 1, name);
            if !one.chance(share) {
                return name.to_owned();
            }
            let parts: Vec<&str> = name.split(['-', '_']).filter(|part| !part.is_empty()).collect();
            let (first, rest) = parts.split_first().map_or((name, &[][..]), |(first, rest)| (*first, rest));
            let joined = |first: &str, rest: &[&str]| {
                std::iter::once(first).chain(rest.iter().copied()).collect::<Vec<_>>().join("-")
            };
            match one.below(8) {
                0 | 1 => joined(&part(first), rest),
                2 if !rest.is_empty() => joined(first, &rest[..rest.len() - 1]),
                2 | 3 => format!("{name}-{}", word(&mut one)),
                4 => format!("{name} {}", word(&mut one)),
                5 => String::new(),
                _ => part(name),
            }
        });
    }

    /// Attributes by other names, with other values, gone or new: the same for the same name.
    fn name_attributes(&mut self, share: f32, random: &mut Random) {
        let salt = random.next();
        for at in 1..self.pieces.len() {
            let kind = self.kind(at);
            let What::Element { attributes, .. } = &mut self.pieces[at].what else { continue };
            attributes.retain_mut(|(name, value)| {
                if matches!(name.as_str(), "class" | "href" | "src" | "type") {
                    return true;
                }
                if matches!(name.as_str(), "id" | "for") {
                    let mut one = Random::of_text(salt ^ 2, value);
                    if one.chance(share * 0.5) {
                        *value = if one.chance(0.5) {
                            format!("{value}-{}", word(&mut one))
                        } else {
                            word(&mut one)
                        };
                    }
                    return true;
                }
                let mut one = Random::of_text(salt, name);
                if !one.chance(share) {
                    return true;
                }
                let names_it = matches!(
                    name.as_str(),
                    "name" | "alt" | "title" | "placeholder" | "value" | "aria-label"
                );
                match one.below(4) {
                    0 | 1 if !names_it => return false,
                    0 if one.chance(0.4) => return false,
                    2 if name.starts_with("data-") => {
                        *name = format!("data-{}-{}", word(&mut one), &name[5..])
                    }
                    _ if names_it => {}
                    _ => *value = word(&mut one),
                }
                true
            });
            let mut one = Random::of_text(salt ^ 3, kind.as_deref().unwrap_or(""));
            if one.chance(share * 0.4) {
                let name = match one.below(4) {
                    0 => "role".to_owned(),
                    1 => "aria-label".to_owned(),
                    _ => format!("data-{}", word(&mut one)),
                };
                if attributes.iter().all(|(known, _)| *known != name) {
                    attributes.push((name, word(&mut one)));
                }
            }
        }
    }

    /// Addresses: the site is built another way, and some of its pages and pictures have other names.
    fn lead_elsewhere(&mut self, share: f32, random: &mut Random) {
        let (salt, style) = (random.next(), random.below(5));
        let all = random.chance(share);
        let folder = word(random);
        for piece in &mut self.pieces {
            let What::Element { attributes, .. } = &mut piece.what else { continue };
            for (name, value) in attributes {
                if !matches!(name.as_str(), "href" | "src" | "action" | "srcset") || value.starts_with('#') {
                    continue;
                }
                let mut one = Random::of_text(salt, value);
                let last = value.rsplit('/').find(|part| !part.is_empty()).unwrap_or("").to_owned();
                if all {
                    *value = match style {
                        0 => format!("/{folder}/{last}"),
                        1 => format!("{folder}/{}", value.trim_start_matches('/')),
                        2 => value.rsplit_once('.').map_or(value.as_str(), |(before, _)| before).to_owned(),
                        3 => format!("{value}/"),
                        _ => last.clone(),
                    };
                }
                if one.chance(share * 0.3) {
                    *value = value.replacen(&last, &word(&mut one), usize::from(!last.is_empty()));
                }
            }
        }
    }

    /// Large parts change places with one beside them.
    fn swap_sections(&mut self, share: f32, random: &mut Random) {
        if !random.chance(share) {
            return;
        }
        let is_home = |&at: &usize| self.is_element(at) && self.size(at, 40) >= 40;
        let homes: Vec<usize> = (1..self.pieces.len()).filter(is_home).collect();
        if homes.is_empty() {
            return;
        }
        for _ in 0..1 + random.below(4) {
            let home = *random.of(&homes);
            let count = self.pieces[home].children.len();
            if count > 1 {
                let (a, b) = (random.below(count), random.below(count));
                self.pieces[home].children.swap(a, b);
            }
        }
    }

    /// Parts go, are replaced, or come.
    fn renew_parts(&mut self, redo: &Redo, random: &mut Random) {
        for at in 1..self.pieces.len() {
            if !self.is_element(at) || !random.chance(redo.parts) || !(6..300).contains(&self.size(at, 300)) {
                continue;
            }
            let parent = self.pieces[at].parent;
            let place = self.pieces[parent].children.iter().position(|&child| child == at);
            let Some(place) = place.filter(|_| parent != 0) else { continue };
            if random.chance(0.4) {
                self.delete(at);
                continue;
            }
            let other = self.another(at, parent, random);
            if random.chance(0.25) {
                self.pieces[parent].children[place] = other;
            } else {
                self.pieces[parent].children.insert(place + random.below(2), other);
            }
        }
    }

    /// Everything has another size.
    fn lay_out(&mut self, share: f32, random: &mut Random) {
        let mut by = || (random.normal() * share.min(0.6)).exp();
        let factors = [by(), by(), by(), by()];
        for piece in &mut self.pieces {
            piece.place.iter_mut().zip(factors).for_each(|(side, by)| *side = (*side as f32 * by) as i32);
        }
    }

    /// It is gone: alone, or with what it stands in, or something else of its kind is there.
    pub(super) fn take_away(&mut self, at: usize, redo: &Redo, random: &mut Random) {
        let mut part = at;
        if random.chance(redo.replaced) {
            for _ in 0..random.below(4) {
                let parent = self.pieces[part].parent;
                if parent != 0 && self.size(parent, 300) < 300 {
                    part = parent;
                }
            }
        }
        let parent = self.pieces[part].parent;
        let place = self.pieces[parent].children.iter().position(|&child| child == part);
        if random.chance(SUPPLANTED)
            && let Some(place) = place
        {
            let other = self.another(part, parent, random);
            self.pieces[parent].children[place] = other;
        } else {
            self.delete(part);
        }
    }

    /// What is built like it and says other things.
    fn another(&mut self, at: usize, parent: usize, random: &mut Random) -> usize {
        let mut piece = self.pieces[at].clone();
        let children = std::mem::take(&mut piece.children);
        (piece.origin, piece.parent) = (None, parent);
        match &mut piece.what {
            What::Text(text) => *text = self.phrase(text.split_whitespace().count().clamp(1, 12), random),
            What::Element { attributes, .. } => {
                attributes.retain(|(name, _)| !matches!(name.as_str(), "id" | "name" | "for"));
                for (name, value) in attributes {
                    if matches!(
                        name.as_str(),
                        "href" | "src" | "alt" | "title" | "aria-label" | "placeholder"
                    ) {
                        *value = self.phrase(2, random).replace(' ', "-");
                    }
                }
            }
        }
        let new = self.push(piece);
        for child in children {
            let copy = self.another(child, new, random);
            self.pieces[new].children.push(copy);
        }
        new
    }
}
