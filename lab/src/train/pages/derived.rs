//! What follows from the elements that are known: what holds them, what is in them, what stands between them.

use std::collections::{HashMap, HashSet};

use super::document::{Document, Element, Group};
use super::matched::Matched;

/// Tags of which most pages have one: it is the same one, whatever it says.
const ALONE: [&str; 4] = ["h1", "footer", "main", "form"];
/// How often what follows is looked at for what follows from it.
const ROUNDS: usize = 4;

/// Adds to `matched` what follows from it.
pub(super) fn derive(old: &Document, new: &Document, matched: &mut Matched) {
    alone(old, new, matched);
    for _ in 0..ROUNDS {
        let known: Vec<(usize, usize)> = matched.pairs.iter().map(|(&old, one)| (old, one.new)).collect();
        let mut found = Vec::new();
        for &(o, n) in &known {
            found.extend(only_child(old, new, o, n));
            found.extend(beside(old, new, o, n, matched));
            found.extend(described(old, new, o, n));
        }
        found.extend(containers(old, new, matched));
        let once = sole(found);
        let mut added = false;
        for (o, n) in once {
            added |= matched.add(o, n);
        }
        if !added {
            break;
        }
    }
}

/// Those claims that no other contradicts.
fn sole(claims: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut of_old: HashMap<usize, HashSet<usize>> = HashMap::new();
    let mut of_new: HashMap<usize, HashSet<usize>> = HashMap::new();
    for &(o, n) in &claims {
        of_old.entry(o).or_default().insert(n);
        of_new.entry(n).or_default().insert(o);
    }
    let mut sole: Vec<_> =
        claims.into_iter().filter(|(o, n)| of_old[o].len() == 1 && of_new[n].len() == 1).collect();
    sole.sort_unstable();
    sole.dedup();
    sole
}

/// The only one of its tag on both pages.
fn alone(old: &Document, new: &Document, matched: &mut Matched) {
    for tag in ALONE {
        let only = |page: &Document| {
            let mut all = page.shown().filter(|&at| page.elements[at].tag == tag);
            all.next().filter(|_| all.next().is_none())
        };
        if let (Some(o), Some(n)) = (only(old), only(new)) {
            matched.add(o, n);
        }
    }
}

/// The one child of a small element: an icon in a link, a link in a list's item.
fn only_child(old: &Document, new: &Document, o: usize, n: usize) -> Option<(usize, usize)> {
    let (&[inside], &[there]) = (old.elements[o].kids.as_slice(), new.elements[n].kids.as_slice()) else {
        return None;
    };
    let (one, other) = (&old.elements[inside], &new.elements[there]);
    let alike = one.tag == other.tag || (one.text.is_empty() && other.text.is_empty() && one.is_akin(other));
    (alike && one.says_alike(other, 0.2)).then_some((inside, there))
}

/// What stands alone between two known neighbours, or between one and the end, then and now.
fn beside(old: &Document, new: &Document, o: usize, n: usize, matched: &Matched) -> Option<(usize, usize)> {
    let ((above, at), (there_above, there)) = (old.place(o)?, new.place(n)?);
    let (kids, there_kids) = (&old.elements[above].kids, &new.elements[there_above].kids);
    let (&next, &there_next) = (kids.get(at + 1)?, there_kids.get(there + 1)?);
    let known = match (kids.get(at + 2), there_kids.get(there + 2)) {
        (None, None) => matched.new_of(above) == Some(there_above),
        (Some(&after), Some(&there_after)) => matched.new_of(after) == Some(there_after),
        _ => false,
    };
    let (one, other) = (&old.elements[next], &new.elements[there_next]);
    (known && one.tag == other.tag && one.says_alike(other, 0.2)).then_some((next, there_next))
}

/// A section's heading, a term's description, a control's label.
fn described(old: &Document, new: &Document, o: usize, n: usize) -> Vec<(usize, usize)> {
    let (a, b) = (&old.elements[o], &new.elements[n]);
    let mut found = Vec::new();
    let mut claim = |one: Option<usize>, other: Option<usize>, least: f32| {
        if let (Some(one), Some(other)) = (one, other)
            && old.elements[one].says_alike(&new.elements[other], least)
        {
            found.push((one, other));
        }
    };
    if a.group() == Group::Box {
        claim(heading(old, a), heading(new, b), 0.3);
    }
    if a.tag == "dt" && b.tag == "dt" {
        claim(after(old, o, "dd"), after(new, n, "dd"), 0.2);
    }
    if a.group() == Group::Control {
        claim(label(old, a), label(new, b), 0.5);
    }
    found
}

fn heading(page: &Document, element: &Element) -> Option<usize> {
    element.kids.iter().copied().take(3).find(|&kid| page.elements[kid].group() == Group::Heading)
}

fn after(page: &Document, at: usize, tag: &str) -> Option<usize> {
    let (parent, place) = page.place(at)?;
    let &next = page.elements[parent].kids.get(place + 1)?;
    (page.elements[next].tag == tag).then_some(next)
}

/// The one label beside it.
fn label(page: &Document, element: &Element) -> Option<usize> {
    let beside = &page.elements[element.parent?].kids;
    let mut labels = beside.iter().copied().filter(|&kid| page.elements[kid].tag == "label");
    labels.next().filter(|_| labels.next().is_none())
}

/// What holds two or more known elements that one element holds now.
fn containers(old: &Document, new: &Document, matched: &Matched) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in old.shown() {
        let element = &old.elements[at];
        if matched.new_of(at).is_some() {
            continue;
        }
        let mut parents: Vec<Option<usize>> = element
            .kids
            .iter()
            .filter_map(|&kid| matched.new_of(kid))
            .map(|there| new.elements[there].parent)
            .collect();
        let count = parents.len();
        parents.dedup();
        let enough = count >= 2 || (count == 1 && holds_one(element));
        if let (true, &[Some(there)]) = (enough, parents.as_slice()) {
            let other = &new.elements[there];
            let alike = if count >= 2 {
                element.is_akin(other)
            } else {
                element.tag == other.tag && holds_one(other)
            };
            if other.in_body && alike && element.says_alike(other, 0.25) {
                found.push((at, there));
            }
        }
    }
    found
}

/// It is there for the one thing that it holds.
fn holds_one(element: &Element) -> bool {
    element.kids.len() == 1 && matches!(element.tag.as_str(), "li" | "td" | "p" | "label" | "dt" | "figure")
}
