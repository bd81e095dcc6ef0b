//! Where on its page an element belongs.

use super::words;
use crate::page::Page;

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
