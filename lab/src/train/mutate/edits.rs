//! What people and build tools do to pages.

use super::rates::Rates;
use super::tree::{Piece, Tree, What};
use super::words::{alternatives, code, word};
use crate::train::random::Random;

impl Tree {
    pub(super) fn edit_all(&mut self, rates: &Rates, random: &mut Random) {
        if rates.rebuilt {
            self.rebuild(random);
        } else if rates.rename > 0.0 {
            self.rename(rates.rename, random);
        }
        if rates.translated {
            self.translate(random);
        }
        for at in 1..self.pieces.len() {
            if matches!(self.pieces[at].what, What::Text(_)) {
                if random.chance(rates.text) {
                    self.edit_text(at, random);
                }
                continue;
            }
            if random.chance(rates.attribute) {
                self.edit_attribute(at, random);
            }
            if random.chance(rates.tag) {
                self.change_tag(at, random);
            }
            if random.chance(rates.list) {
                self.edit_list(at, random);
            }
            if !self.is_part(at) {
                continue;
            }
            if random.chance(rates.insert) {
                self.insert_beside(at, random);
            }
            if random.chance(rates.delete) {
                self.delete(at);
            } else if random.chance(rates.shift) {
                self.shift(at, random);
            } else if random.chance(rates.wrap) {
                if random.chance(0.7) { self.wrap(at, random) } else { self.unwrap(at) }
            }
        }
        let (x, y) = (random.normal() * 40.0, random.normal() * 200.0);
        let stretch = 1.0 + 0.1 * random.normal() * f32::from(u8::from(rates.tag > 0.0));
        for piece in &mut self.pieces {
            let wobble = random.normal() * 6.0;
            piece.place[0] += (x * rates.wrap.min(0.05) * 20.0) as i32;
            piece.place[1] += (y * rates.insert.min(0.05) * 20.0 + wobble * rates.text * 10.0) as i32;
            piece.place[2] = (piece.place[2] as f32 * stretch) as i32;
        }
    }

    /// What a person did to just this element.
    pub(super) fn edit_one(&mut self, at: usize, random: &mut Random) {
        let own: Vec<usize> =
            self.pieces[at].children.iter().copied().filter(|&child| !self.is_element(child)).collect();
        if !own.is_empty() && random.chance(0.7) {
            let text = *random.of(&own);
            self.edit_text(text, random);
        } else {
            self.edit_attribute(at, random);
        }
    }

    /// A copy of it, or of the item it is in, with other words comes to stand where it was; what was after it goes, so
    /// that the number stays. Only what it says tells where it is.
    pub(super) fn displace(&mut self, at: usize, random: &mut Random) {
        let mut item = at;
        for _ in 0..random.below(4) {
            let parent = self.pieces[item].parent;
            if parent != 0 && self.is_part(parent) {
                item = parent;
            }
        }
        let parent = self.pieces[item].parent;
        let children = &self.pieces[parent].children;
        let Some(place) = children.iter().position(|&child| child == item) else { return };
        let next = children[place + 1..].iter().copied().find(|&child| self.is_element(child));
        let Some(next) = next.filter(|&next| self.is_part(next)) else { return };
        let copy = self.copy(item, parent, false, random);
        self.pieces[parent].children.insert(place, copy);
        if random.chance(0.7) {
            self.delete(next);
        }
    }

    fn edit_attribute(&mut self, at: usize, random: &mut Random) {
        let (other, phrase) = (self.word(random), self.phrase(3, random));
        let What::Element { attributes, .. } = &mut self.pieces[at].what else { return };
        let place = random.below(attributes.len().max(1));
        match (random.below(6), attributes.get_mut(place)) {
            (0, Some(_)) => drop(attributes.remove(place)),
            (1, _) | (_, None) => {
                let name = match random.below(4) {
                    0 => "title".to_owned(),
                    1 => "aria-label".to_owned(),
                    _ => format!("data-{}", word(random)),
                };
                attributes.retain(|(known, _)| *known != name);
                attributes.push((name, phrase));
            }
            (_, Some((name, value))) if name == "class" => {
                let mut names: Vec<&str> = value.split_whitespace().collect();
                if random.chance(0.5) {
                    names.push(&other);
                } else if !names.is_empty() {
                    names.remove(random.below(names.len()));
                }
                *value = names.join(" ");
            }
            (kind, Some((name, value))) if name == "href" || name == "src" => {
                let end = if value.ends_with('/') { "" } else { "-" };
                *value = if kind < 4 { format!("{value}{end}{other}") } else { format!("/{other}/{phrase}") };
            }
            (_, Some((_, value))) => *value = phrase,
        }
    }

    fn change_tag(&mut self, at: usize, random: &mut Random) {
        let What::Element { tag, .. } = &mut self.pieces[at].what else { return };
        let Some(other) = alternatives(tag) else { return };
        *tag = (*random.of(other)).to_owned();
    }

    /// New names for some class names and numbered ids, everywhere on the page.
    fn rename(&mut self, share: f32, random: &mut Random) {
        let salt = random.next();
        let style = random.below(6);
        let length = 5 + random.below(4);
        let renamed = |name: &str| {
            let mut one = Random::of_text(salt, name);
            if !one.chance(share) {
                return name.to_owned();
            }
            match style {
                0 | 1 => format!("{name}_{}", code(length, &mut one)),
                2 => format!("{name}__{}", code(5, &mut one)),
                3 => match name.rsplit_once(['-', '_']) {
                    Some((before, _)) => format!("{before}_{}", code(length, &mut one)),
                    None => format!("{name}-{}", code(length, &mut one)),
                },
                4 => code(length, &mut one),
                _ => word(&mut one),
            }
        };
        self.each_name(renamed);
    }

    /// Every class name and numbered id by another.
    pub(super) fn each_name(&mut self, renamed: impl Fn(&str) -> String) {
        for piece in &mut self.pieces {
            let What::Element { attributes, .. } = &mut piece.what else { continue };
            for (name, value) in attributes {
                if name == "class" {
                    *value = value.split_whitespace().map(&renamed).collect::<Vec<_>>().join(" ");
                } else if name == "id" && value.bytes().any(|byte| byte.is_ascii_digit()) {
                    *value = renamed(value);
                }
            }
        }
    }

    /// As a tool builds it that puts a hash behind every class name.
    pub(super) fn build(&mut self, random: &mut Random) {
        let salt = random.next();
        self.each_name(|name| format!("{name}_{}", code(6, &mut Random::of_text(salt, name))));
    }

    /// As such a tool builds it anew: with other hashes.
    fn rebuild(&mut self, random: &mut Random) {
        let salt = random.next();
        self.each_name(|name| {
            let before = name.rsplit_once('_').map_or(name, |(before, _)| before);
            format!("{before}_{}", code(6, &mut Random::of_text(salt, before)))
        });
    }

    /// Other words for all words, the same for the same; numbers stay.
    fn translate(&mut self, random: &mut Random) {
        let salt = random.next();
        let other = |one: &str| {
            if one.bytes().any(|b| b.is_ascii_digit()) {
                one.to_owned()
            } else {
                word(&mut Random::of_text(salt, one))
            }
        };
        let translated = |text: &str| text.split_whitespace().map(other).collect::<Vec<_>>().join(" ");
        for piece in &mut self.pieces {
            match &mut piece.what {
                What::Text(text) => *text = translated(text),
                What::Element { attributes, .. } => {
                    for (name, value) in attributes {
                        if matches!(name.as_str(), "title" | "alt" | "placeholder" | "aria-label") {
                            *value = translated(value);
                        }
                    }
                }
            }
        }
    }

    /// Items come and go, and change places.
    fn edit_list(&mut self, at: usize, random: &mut Random) {
        let items: Vec<usize> =
            self.pieces[at].children.iter().copied().filter(|&child| self.is_part(child)).collect();
        let tag = |at: usize| match &self.pieces[at].what {
            What::Element { tag, .. } => tag.as_str(),
            What::Text(_) => "",
        };
        if items.len() < 3 || items.windows(2).any(|two| tag(two[0]) != tag(two[1])) {
            return;
        }
        if random.chance(0.25) {
            // Sorted otherwise.
            let order: Vec<u64> = (0..self.pieces.len()).map(|_| random.next()).collect();
            self.pieces[at].children.sort_by_key(|&child| order[child]);
            return;
        }
        let moves = 1 + random.below(2 + items.len() / 3);
        for _ in 0..moves {
            let item = *random.of(&items);
            match random.below(6) {
                0 | 1 => self.delete(item),
                2 | 3 => self.insert_beside(item, random),
                4 => self.put_elsewhere(item, at, random),
                _ => {
                    let children = &mut self.pieces[at].children;
                    let (a, b) = (random.below(children.len()), random.below(children.len()));
                    if !children.is_empty() {
                        children.swap(a, b);
                    }
                }
            }
        }
    }

    /// To another place among its siblings.
    fn put_elsewhere(&mut self, item: usize, parent: usize, random: &mut Random) {
        let children = &mut self.pieces[parent].children;
        if children.contains(&item) {
            children.retain(|&child| child != item);
            let place = random.below(children.len() + 1);
            children.insert(place, item);
        }
    }

    /// A copy of it with other words, or something new.
    fn insert_beside(&mut self, at: usize, random: &mut Random) {
        let parent = self.pieces[at].parent;
        let Some(place) = self.pieces[parent].children.iter().position(|&child| child == at) else { return };
        let new = if random.chance(0.7) {
            let exact = random.chance(0.15);
            self.copy(at, parent, exact, random)
        } else {
            let (tag, flags, mut place) = (*random.of(&["div", "p", "span", "a"]), 1, self.pieces[at].place);
            place[3] = 20;
            let what =
                What::Element { tag: tag.to_owned(), attributes: vec![("class".to_owned(), word(random))] };
            let element = self.push(Piece { what, place, flags, origin: None, children: Vec::new(), parent });
            let what = What::Text(self.phrase(6, random));
            let text = self.push(Piece {
                what,
                place,
                flags: 0,
                origin: None,
                children: Vec::new(),
                parent: element,
            });
            self.pieces[element].children.push(text);
            element
        };
        self.pieces[parent].children.insert(place + random.below(2), new);
    }

    fn copy(&mut self, at: usize, parent: usize, exact: bool, random: &mut Random) -> usize {
        let mut piece = self.pieces[at].clone();
        let children = std::mem::take(&mut piece.children);
        (piece.origin, piece.parent) = (None, parent);
        if let What::Element { attributes, .. } = &mut piece.what {
            attributes.retain(|(name, _)| name != "id");
            if let Some((_, href)) = attributes.iter_mut().find(|(name, _)| name == "href" && !exact) {
                *href = format!("{href}-{}", word(random));
            }
        }
        let new = self.push(piece);
        for child in children {
            let copy = self.copy(child, new, exact, random);
            self.pieces[new].children.push(copy);
        }
        if !exact && random.chance(0.8) {
            let phrase = self.phrase(3, random);
            match &mut self.pieces[new].what {
                What::Text(text) if random.chance(0.5) => {
                    *text = phrase;
                }
                _ => self.edit_text(new, random),
            }
        }
        new
    }

    /// To another place: among its siblings, or into a neighbour of its parent.
    pub(super) fn shift(&mut self, at: usize, random: &mut Random) {
        let parent = self.pieces[at].parent;
        self.delete(at);
        let above = self.pieces[parent].parent;
        let others: Vec<usize> = self.pieces[above]
            .children
            .iter()
            .copied()
            .filter(|&one| self.is_element(one) && one != at)
            .collect();
        let home = if random.chance(0.6) || others.is_empty() { parent } else { *random.of(&others) };
        let place = random.below(self.pieces[home].children.len() + 1);
        self.pieces[home].children.insert(place, at);
        self.pieces[at].parent = home;
    }

    pub(super) fn wrap(&mut self, at: usize, random: &mut Random) {
        let parent = self.pieces[at].parent;
        let Some(place) = self.pieces[parent].children.iter().position(|&child| child == at) else { return };
        let what = What::Element {
            tag: (*random.of(&["div", "span", "section"])).to_owned(),
            attributes: vec![("class".to_owned(), word(random))],
        };
        let piece = &self.pieces[at];
        let wrapper = Piece { what, place: piece.place, flags: 1, origin: None, children: vec![at], parent };
        let wrapper = self.push(wrapper);
        self.pieces[parent].children[place] = wrapper;
        self.pieces[at].parent = wrapper;
    }

    pub(super) fn unwrap(&mut self, at: usize) {
        let parent = self.pieces[at].parent;
        let Some(place) = self.pieces[parent].children.iter().position(|&child| child == at) else { return };
        let children = std::mem::take(&mut self.pieces[at].children);
        children.iter().for_each(|&child| self.pieces[child].parent = parent);
        self.pieces[parent].children.splice(place..=place, children);
    }
}
