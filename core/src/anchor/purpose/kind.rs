//! What kind of thing an element is, where on the page it belongs, and what its text looks like.

use super::words;
use crate::anchor::survey::Survey;
use crate::page::Page;

/// What kind of thing an element is, whatever its tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::anchor) enum Kind {
    /// Holds other things.
    #[default]
    Group,
    /// One of several in a list or table.
    Item,
    Link,
    Button,
    /// Is written into.
    Field,
    /// One of several is chosen with it.
    Choice,
    Picture,
    Icon,
    /// The page's or a section's.
    Title,
    Heading,
    Label,
    /// Says one thing.
    Text,
    /// Neither says nor shows anything.
    Empty,
    /// A list, a table.
    List,
    Form,
}

impl Kind {
    const EACH: [Self; 15] = [
        Self::Group,
        Self::Item,
        Self::Link,
        Self::Button,
        Self::Field,
        Self::Choice,
        Self::Picture,
        Self::Icon,
        Self::Title,
        Self::Heading,
        Self::Label,
        Self::Text,
        Self::Empty,
        Self::List,
        Self::Form,
    ];
    pub(in crate::anchor) const ALL: usize = Self::EACH.len();

    /// That of a number as it is kept.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::EACH.get(usize::from(number)).copied()
    }

    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let page = survey.page;
        let tag = page.tag(node);
        if let Some(kind) = page.attr(node, "role").and_then(of_role) {
            return kind;
        }
        match tag {
            "a" => return Self::Link,
            "button" | "summary" => return Self::Button,
            "input" => {
                return match page.attr(node, "type").unwrap_or("text") {
                    "submit" | "button" | "reset" | "image" => Self::Button,
                    "checkbox" | "radio" | "range" | "color" => Self::Choice,
                    _ => Self::Field,
                };
            }
            "textarea" => return Self::Field,
            "select" => return Self::Choice,
            "img" | "picture" | "video" | "canvas" | "figure" => return Self::Picture,
            "svg" | "use" | "path" => return Self::Icon,
            "h1" => return Self::Title,
            "h2" | "h3" | "h4" | "h5" | "h6" => return Self::Heading,
            "label" | "legend" | "th" | "dt" | "figcaption" => return Self::Label,
            "li" | "tr" | "option" | "article" => return Self::Item,
            "ul" | "ol" | "table" | "dl" | "tbody" => return Self::List,
            "form" | "fieldset" => return Self::Form,
            _ => {}
        }
        if let Some(kind) = tag.rsplit_once('-').and_then(|(_, last)| of_last_word(last)) {
            return kind;
        }
        let (from, to) = survey.text_range(node);
        match (to - from, survey.child_count(node)) {
            (0, 0) => {
                if words::is_icon(page, node) || tag == "i" {
                    Self::Icon
                } else {
                    Self::Empty
                }
            }
            (1, _) if !holds_controls(page, node) => Self::Text,
            _ if has_peer(page, node) => Self::Item,
            _ => Self::Group,
        }
    }

    /// How near two kinds are: 1 the same, 0 what no redesign makes of one another.
    pub(in crate::anchor) fn like(self, other: Self) -> f32 {
        use Kind::{
            Button, Choice, Empty, Field, Form, Group, Heading, Icon, Item, Label, Link, List, Picture, Text,
            Title,
        };
        if self == other {
            return 1.0;
        }
        let near = |one: Self, two: Self| {
            Some(match (one, two) {
                (Link, Button) | (Group, Item | List | Form) | (Icon, Picture | Empty) | (Title, Heading) => {
                    0.7
                }
                (Heading | Title | Label, Text) | (Choice, Field) | (Item, List) => 0.6,
                (Link | Button, Text | Item)
                | (Choice, Button | Group)
                | (Button, Icon)
                | (Label, Heading) => 0.4,
                (Group | Item, Text | Link)
                | (Picture, Group | Text)
                | (Form, List)
                | (Group, Heading | Title) => 0.3,
                _ => return None,
            })
        };
        near(self, other).or_else(|| near(other, self)).unwrap_or(0.0)
    }
}

/// Whether it has several parts, or something in it is pressed or written into.
fn holds_controls(page: &Page, node: u32) -> bool {
    let mut within = page.subtree(node).skip(1).take(INSIDE).filter(|&inner| page.is_element(inner));
    within.any(|inner| {
        matches!(page.tag(inner), "a" | "button" | "input" | "select" | "textarea" | "li" | "td" | "tr")
    })
}

/// Most nodes of an element that are looked at.
const INSIDE: usize = 20;

/// Whether what stands before or after it has the same tag and class names: it is one of several.
fn has_peer(page: &Page, node: u32) -> bool {
    let class = page.attr(node, "class").unwrap_or("");
    let is_peer = |other: Option<u32>| {
        other.is_some_and(|other| {
            page.tag(other) == page.tag(node)
                && !class.is_empty()
                && page.attr(other, "class").unwrap_or("") == class
        })
    };
    is_peer(page.previous_element(node)) || is_peer(page.next_element(node))
}

fn of_role(role: &str) -> Option<Kind> {
    Some(match role {
        "link" => Kind::Link,
        "button" | "tab" | "menuitem" => Kind::Button,
        "textbox" | "searchbox" => Kind::Field,
        "checkbox" | "radio" | "switch" | "combobox" | "slider" => Kind::Choice,
        "img" => Kind::Picture,
        "heading" => Kind::Heading,
        "listitem" | "row" | "option" => Kind::Item,
        "list" | "table" | "grid" => Kind::List,
        "form" | "search" => Kind::Form,
        _ => return None,
    })
}

/// Of a tag that a page made up: `ui-icon-button`.
fn of_last_word(word: &str) -> Option<Kind> {
    Some(match word {
        "button" | "btn" => Kind::Button,
        "link" => Kind::Link,
        "icon" => Kind::Icon,
        "input" | "field" | "textarea" => Kind::Field,
        "select" | "checkbox" | "switch" | "radio" => Kind::Choice,
        "image" | "img" | "avatar" => Kind::Picture,
        "heading" | "title" => Kind::Heading,
        "label" => Kind::Label,
        "item" | "row" | "card" => Kind::Item,
        "list" | "table" => Kind::List,
        _ => return None,
    })
}

/// Where on its page an element belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::anchor) enum Region {
    #[default]
    Content,
    Header,
    Navigation,
    Aside,
    Footer,
    Dialog,
}

impl Region {
    /// That of a number as it is kept.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        let each = [Self::Content, Self::Header, Self::Navigation, Self::Aside, Self::Footer, Self::Dialog];
        each.get(usize::from(number)).copied()
    }

    pub(super) fn of(page: &Page, node: u32) -> Self {
        let around = std::iter::once(node).chain(page.element_ancestors(node));
        let is_wide = |&above: &u32| page.parent_element(above).is_some();
        around.filter(is_wide).find_map(|above| named(page, above)).unwrap_or_default()
    }

    pub(in crate::anchor) fn like(self, other: Self) -> f32 {
        let top = |one: Self| matches!(one, Self::Header | Self::Navigation);
        match self == other {
            true => 1.0,
            false if top(self) && top(other) => 0.7,
            false => 0.0,
        }
    }
}

fn named(page: &Page, node: u32) -> Option<Region> {
    let of_word = |word: &str| {
        Some(match word {
            "header" | "topbar" | "masthead" | "banner" => Region::Header,
            "nav" | "navbar" | "navigation" | "menu" | "breadcrumb" | "breadcrumbs" => Region::Navigation,
            "aside" | "sidebar" | "complementary" => Region::Aside,
            "footer" | "contentinfo" => Region::Footer,
            "dialog" | "modal" => Region::Dialog,
            "main" => Region::Content,
            _ => return None,
        })
    };
    of_word(page.tag(node)).or_else(|| page.attr(node, "role").and_then(of_word)).or_else(|| {
        let names = page.classes(node).chain(page.id(node));
        names.filter_map(words::last_word).find_map(|word| of_word(&word))
    })
}

/// What a text looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::anchor) enum Shape {
    #[default]
    Nothing,
    Number,
    Money,
    Share,
    /// A day or a time.
    Date,
    /// Digits and words.
    Mixed,
    /// One to three words.
    Words,
    Phrase,
    Long,
}

impl Shape {
    /// That of a number as it is kept.
    pub(super) fn from_number(number: u8) -> Option<Self> {
        let each = [
            Self::Nothing,
            Self::Number,
            Self::Money,
            Self::Share,
            Self::Date,
            Self::Mixed,
            Self::Words,
            Self::Phrase,
            Self::Long,
        ];
        each.get(usize::from(number)).copied()
    }

    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let (from, to) = survey.text_range(node);
        if from == to {
            return Self::Nothing;
        }
        let text = survey.page.text(node, 120);
        let count = text.split_whitespace().count();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        match count {
            _ if digits > 0 && text.contains(['$', '€', '£', '¥']) && count < 6 => Self::Money,
            _ if digits > 0 && text.contains('%') && count < 4 => Self::Share,
            0..8 if survey.page.tag(node) == "time" || is_date(&text) => Self::Date,
            _ if digits > 0 && letters == 0 => Self::Number,
            0..7 if digits > 0 => Self::Mixed,
            0..4 => Self::Words,
            4..10 => Self::Phrase,
            _ => Self::Long,
        }
    }

    pub(in crate::anchor) fn like(self, other: Self) -> f32 {
        let far = (self as i32 - other as i32).abs();
        match (self == other, self, other) {
            (true, ..) => 1.0,
            (_, Self::Words | Self::Phrase | Self::Long, Self::Words | Self::Phrase | Self::Long)
                if far == 1 =>
            {
                0.6
            }
            (
                _,
                Self::Number | Self::Money | Self::Share | Self::Date | Self::Mixed,
                Self::Number | Self::Money | Self::Share | Self::Date | Self::Mixed,
            ) => 0.4,
            _ => 0.0,
        }
    }
}

/// Words of days and times.
const DAYS: &str = "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september \
                    october november december ago";
/// Those that need no number.
const NEAR: &str = "yesterday today";

fn is_date(text: &str) -> bool {
    let mut says_day = false;
    for word in text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2) {
        if words::is_among(NEAR, word) {
            return true;
        }
        says_day |= words::is_among(DAYS, word);
    }
    let bytes = text.as_bytes();
    let is_digit = |byte: u8| byte.is_ascii_digit();
    // `9:40`, `14/03`.
    let parts =
        bytes.windows(3).any(|part| is_digit(part[0]) && matches!(part[1], b':' | b'/') && is_digit(part[2]));
    parts || (says_day && bytes.iter().any(u8::is_ascii_digit))
}
