//! The words of what an element is called, of its names, and of headings.

use std::sync::OnceLock;

use super::kind::{Kind, Kinds};
use crate::anchor::appearance::Appearance;
use crate::anchor::hash;
use crate::anchor::short::is_secret;
use crate::anchor::survey::Survey;
use crate::page::Page;
use crate::selector::is_generated;
use crate::sort;

/// Most nodes of a subtree that are looked at for names.
const INSIDE: u32 = 60;
/// Elements before one that are looked at for a heading.
const BEFORE: u32 = 400;
/// Words that say how a thing looks, or nothing.
const PLAIN: &str = "col row btn button primary default secondary span div container wrapper inner root flex grid \
    item items list text small large left right top bottom block box icon glyphicon img image src \
    www com http https html php example png svg index true false";

/// Words that say the same of a page, or draw it: who builds it anew takes another one of them.
const SAME: &str = "sign log login signin; \
    signup register join enrol; \
    signout logout logoff; \
    out off; \
    cart bag basket trolley; \
    search find lookup magnifier query; \
    setting preference option gear cog config; \
    remove delete trash bin discard; \
    edit pencil modify rename amend; \
    add create new plus; \
    close dismiss time x; \
    cancel abort; \
    home dashboard overview; \
    feature product; \
    pricing price plan; \
    help support faq; \
    contact touch; \
    next continue proceed forward; \
    previous prev back; \
    buy order purchase checkout; \
    photo picture image img; \
    share; \
    like heart favourite favorite fave love; \
    save bookmark keep; \
    explore discover browse; \
    direction method step instruction preparation; \
    comment reply respond answer; \
    download export; \
    upload import attach attachment; \
    profile account user avatar me patron; \
    mail email envelope; \
    phone call telephone tel; \
    about company; \
    menu navigation hamburger; \
    notification alert bell; \
    pagination pager paging page; \
    quantity qty; \
    total sum; \
    date when; \
    from origin departure; \
    destination arrival; \
    report flag abuse; \
    watch follow subscribe; \
    hold reserve; \
    preview view eye show; \
    detail more expand info; \
    refresh reload sync; \
    reset clear; \
    submit send apply go ok; \
    confirm accept agree; \
    print printer; \
    copy duplicate clone; \
    calendar schedule; \
    location map place address; \
    security password lock; \
    people person member customer; \
    file document doc; \
    tag label topic category; \
    news blog article journal; \
    popular trending top; \
    filter refine; \
    first forename";
/// Words that say nothing by themselves.
const FILL: &str = "a an the to of in on for and or with your my this is by at e it our all";

/// Whether a word is one of those of a list.
pub(super) fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// The lists above by the numbers of their words: one is asked for every word of a page.
struct Lists {
    /// Each word, and the first of those that say the same.
    same: Vec<(u32, u32)>,
    plain: Vec<u32>,
    fill: Vec<u32>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let sorted = |list: &str| {
            let mut numbers: Vec<u32> = list.split(' ').map(number).collect();
            sort::plain(&mut numbers);
            numbers
        };
        let mut same: Vec<(u32, u32)> = Vec::new();
        for group in SAME.split(';') {
            let mut words = group.split_ascii_whitespace().map(number).peekable();
            let first = words.peek().copied().unwrap_or_default();
            // A word of two lists is of the first.
            for word in words {
                if same.iter().all(|&(known, _)| known != word) {
                    same.push((word, first));
                }
            }
        }
        sort::plain(&mut same);
        Lists { same, plain: sorted(PLAIN), fill: sorted(FILL) }
    })
}

/// The number of a word in small letters.
fn number(word: &str) -> u32 {
    hash::of(hash::Kind::Word, &[word])
}

/// A word in small letters as it is kept: of those that say the same the first, one for one and many.
fn kept(word: &str) -> u16 {
    let one = word.strip_suffix('s').filter(|one| one.len() > 3 && !one.ends_with('s')).unwrap_or(word);
    let number = number(one);
    let same = &lists().same;
    let first = same.binary_search_by_key(&number, |&(word, _)| word).map_or(number, |at| same[at].1);
    (first >> 16) as u16
}

/// The words of a text, without those that say nothing unless there are no others.
fn telling(text: &str, most: usize) -> Vec<u16> {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let small = || words().map(str::to_ascii_lowercase);
    let is_fill = |word: &str| lists().fill.binary_search(&number(word)).is_ok();
    let telling: Vec<u16> =
        small().filter(|word| !is_fill(word)).map(|word| kept(&word)).take(most).collect();
    if telling.is_empty() { small().map(|word| kept(&word)).take(most).collect() } else { telling }
}

fn sorted(mut words: Vec<u16>) -> Vec<u16> {
    sort::plain(&mut words);
    words.dedup();
    words
}

/// Characters of a text whose words are looked at.
const TEXT: usize = 120;

/// The words of what an element is called: what it says, or the names of it and of what is in it.
pub(super) fn called(survey: &Survey<'_>, node: u32, most: usize) -> Vec<u16> {
    let page = survey.page;
    let own = ["aria-label", "alt", "value", "placeholder", "title"];
    let is_written = |node: u32, name: &str| name == "value" && !is_pressed(page, node);
    let label = |node: u32| {
        own.iter()
            .filter(|name| !is_written(node, name))
            .filter_map(|name| Some((*name, page.attr(node, name)?)))
            .find(|(name, said)| !said.trim().is_empty() && !is_secret(page, node, name, said))
            .map(|(_, said)| said)
    };
    let mut words = label(node).map(|said| telling(said, most)).unwrap_or_default();
    let (from, to) = survey.text_range(node);
    if from < to {
        words.extend(telling(&page.text(node, TEXT), most));
    }
    if words.is_empty() {
        let appearance = is_field(page, node).then(|| Appearance::of(survey, node));
        words.extend(appearance.iter().flat_map(|seen| telling(&seen.label.start, most)));
        words.extend(sign(survey, node).map(kept));
    }
    if words.is_empty() {
        let range = page.subtree(node);
        let within = range.start + 1..range.end.min(range.start + INSIDE);
        let inside = within.filter(|&inner| page.is_element(inner)).find_map(label);
        words.extend(inside.iter().flat_map(|said| telling(said, most)));
    }
    words.truncate(most);
    sorted(words)
}

fn is_field(page: &Page, node: u32) -> bool {
    matches!(page.tag(node), "input" | "select" | "textarea")
}

/// What a sign that stands for a word says: `+`.
fn sign(survey: &Survey<'_>, node: u32) -> Option<&'static str> {
    Some(match survey.only_text(node)? {
        "+" => "add",
        "×" | "✕" | "✖" | "✗" => "close",
        "…" | "⋯" | "⋮" | "..." => "more",
        "♥" | "♡" | "❤" => "like",
        "★" | "☆" => "star",
        "←" | "‹" | "«" | "<" => "previous",
        "→" | "›" | "»" | ">" => "next",
        "☰" | "≡" => "menu",
        "⚙" => "settings",
        "✎" | "✏" => "edit",
        "▶" | "►" => "play",
        "🔍" => "search",
        "🛒" => "cart",
        "🗑" => "delete",
        _ => return None,
    })
}

/// What is just before an element and just after it: the nearest that says or shows something and holds nothing else.
pub(super) fn beside(survey: &Survey<'_>, kinds: &Kinds, node: u32) -> [(Kind, Vec<u16>); 2] {
    let page = survey.page;
    let is_leaf = |&other: &u32| {
        page.is_element(other)
            && !page.contains(other, node)
            && !matches!(kinds.of(other), Kind::Group | Kind::Item | Kind::List | Kind::Form | Kind::Empty)
    };
    let told = |other: Option<u32>| {
        other.map_or_else(Default::default, |other| {
            // The outermost of what says the same: the button, not the text in it.
            let of = page.element_ancestors(other).take(3).take_while(is_leaf).last().unwrap_or(other);
            (kinds.of(of), called(survey, of, 3))
        })
    };
    let before = (node.saturating_sub(BESIDE)..node).rev().find(is_leaf);
    let end = page.subtree(node).end;
    [told(before), told((end..page.len().min(end + BESIDE)).find(is_leaf))]
}

/// Nodes on each side that are looked at.
const BESIDE: u32 = 40;

fn is_pressed(page: &Page, node: u32) -> bool {
    matches!(page.attr(node, "type"), Some("submit" | "button" | "reset"))
}

/// The words of its names, and of the names of what is in an element that says nothing: an icon's file, its class.
pub(super) fn names(page: &Page, node: u32, most: usize) -> Vec<u16> {
    let mut words = Vec::new();
    names_of(page, node, &mut words);
    let range = page.subtree(node);
    if range.end - range.start < 12 {
        for inner in (range.start + 1..range.end).filter(|&inner| page.is_element(inner)) {
            if words.len() >= most {
                break;
            }
            if page.children(inner).next().is_none() {
                names_of(page, inner, &mut words);
            }
        }
    }
    words.truncate(most);
    sorted(words)
}

fn names_of(page: &Page, node: u32, words: &mut Vec<u16>) {
    if page.tag(node).contains('-') || page.tag(node) == "textarea" {
        split(page.tag(node), words);
    }
    for (name, value) in page.attributes(node) {
        let is_id = matches!(name, "id" | "name" | "type" | "for" | "icon" | "data-testid" | "data-icon");
        let is_address = matches!(name, "href" | "src" | "xlink:href" | "action");
        if name == "class" {
            value.split_ascii_whitespace().for_each(|class| split(class, words));
        } else if (is_address || (is_id && !is_generated(value))) && !is_secret(page, node, name, value) {
            split(if is_address { end_of(value) } else { value }, words);
        }
    }
}

/// What an address ends with: the host and the folders are the site's.
fn end_of(address: &str) -> &str {
    let path = address.split('?').next().unwrap_or(address).trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

/// The words of a name: `siteHeader-nav__2` has two.
fn split(name: &str, into: &mut Vec<u16>) {
    for part in name.split(|c: char| !c.is_ascii_alphabetic()) {
        let mut from = 0;
        let bytes = part.as_bytes();
        for at in 1..=bytes.len() {
            let ends =
                at == bytes.len() || (bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase());
            if ends {
                let word = part.get(from..at).unwrap_or("").to_ascii_lowercase();
                from = at;
                if word.len() > 2 && lists().plain.binary_search(&number(&word)).is_err() {
                    into.push(kept(&word));
                }
            }
        }
    }
}

/// The last word of a class name or an id, in small letters.
pub(super) fn last_word(name: &str) -> Option<String> {
    let part = name.split(|c: char| !c.is_ascii_alphabetic()).rfind(|part| part.len() > 2)?;
    let from = part.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0);
    let word = part.get(from..).filter(|word| word.len() > 2).unwrap_or(part);
    Some(word.to_ascii_lowercase())
}

/// Whether its class names call it an icon.
pub(super) fn is_icon(page: &Page, node: u32) -> bool {
    page.classes(node).any(|class| {
        let class = class.to_ascii_lowercase();
        class.contains("icon") || class.starts_with("fa-") || class == "fa"
    })
}

fn is_heading(page: &Page, kinds: &Kinds, node: u32) -> bool {
    matches!(kinds.of(node), Kind::Title | Kind::Heading) || matches!(page.tag(node), "legend" | "caption")
}

/// The words of the first heading in it.
pub(super) fn heading_in(survey: &Survey<'_>, kinds: &Kinds, node: u32, most: usize) -> Vec<u16> {
    let range = survey.page.subtree(node);
    let within = range.start + 1..range.end.min(range.start + INSIDE);
    let heading = within
        .filter(|&inner| survey.page.is_element(inner))
        .find(|&inner| is_heading(survey.page, kinds, inner));
    // Where nothing is a heading, what it says first is.
    let (from, to) = survey.text_range(node);
    let first = (to > from + 1).then(|| survey.page.parent(survey.text_node(from))).flatten();
    let heading = heading.or(first);
    heading.map(|heading| sorted(telling(&survey.page.text(heading, TEXT), most))).unwrap_or_default()
}

/// The words of the heading that it stands under: the nearest one before it that is in none of what ended before it but
/// a header.
pub(super) fn heading_above(survey: &Survey<'_>, kinds: &Kinds, node: u32, most: usize) -> Vec<u16> {
    let page = survey.page;
    let before = (node.saturating_sub(BEFORE)..node).rev().filter(|&other| page.is_element(other));
    let is_over = |&other: &u32| {
        is_heading(page, kinds, other)
            && page.element_ancestors(other).take(3).any(|above| page.contains(above, node))
    };
    let heading = before.filter(|&other| !page.contains(other, node)).find(is_over);
    heading.map(|heading| sorted(telling(&survey.page.text(heading, TEXT), most))).unwrap_or_default()
}
