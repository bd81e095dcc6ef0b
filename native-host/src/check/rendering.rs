//! What a page from HTML alone cannot tell: layout, what scripts would have drawn, and what is not in a part of it.

use opentoolbar_core::model::Target;
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;
use serde::Serialize;

use super::html::Html;

/// Why a verdict on HTML is less sure than one of the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Warning {
    /// The page is almost empty before its scripts run.
    EmptyShell,
    /// What the element was in is empty here and filled by scripts.
    FilledByScripts,
    /// The element was in a frame or a shadow root that the HTML does not hold.
    NotInHtml,
    /// The HTML is a part of a page, and what the element was in is not in it.
    PartOfPage,
    /// What the element was in is not shown by the HTML: a dialog, a tab or a step that is closed, a list, or a section
    /// that is gone.
    NotInView,
    /// There are scripts, and they did not run.
    ScriptsNotRun,
    /// No sizes, positions or style sheets were looked at.
    NoLayout,
    /// Some of the bytes were no UTF-8.
    NotUtf8,
    /// The HTML is of another page than the comment.
    OtherPathname,
}

impl Warning {
    /// For people, a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::EmptyShell => {
                "The HTML is an almost empty shell that scripts fill, so it does not tell whether elements are still there: \
                 check in the browser, or give the HTML as it is after the scripts ran."
            }
            Self::FilledByScripts => {
                "An element was inside of something that is empty in this HTML and that scripts fill, so it does not tell \
                 whether the element is still there."
            }
            Self::NotInHtml => {
                "An element was inside of a frame or a shadow root that this HTML does not hold, so it does not tell whether \
                 the element is still there."
            }
            Self::PartOfPage => {
                "The HTML is a part of a page, and what an element was in is not in it, so it does not tell whether the \
                 element is still there: give the whole page."
            }
            Self::NotInView => {
                "What an element was in is not in this HTML: its dialog, tab or step may be closed, its list may show other rows, or \
                 all of it is gone. Check in the browser, or give the HTML of the page as it is when that is open."
            }
            Self::ScriptsNotRun => {
                "The page's scripts did not run: what they add, change or remove was not looked at."
            }
            Self::NoLayout => {
                "There is no layout: sizes, positions and what style sheets hide were not looked at."
            }
            Self::NotUtf8 => "Some of the HTML is not UTF-8; texts may read differently.",
            Self::OtherPathname => "The HTML is of another page than the one that was commented on.",
        }
    }
}

/// A page with more than this in it says something by itself.
const SHELL_ELEMENTS: usize = 15;
const SHELL_TEXT: usize = 100;
/// What frameworks' own templates call the element that they fill.
const MOUNTS: [&str; 8] =
    ["root", "app", "__next", "__nuxt", "__layout", "svelte", "main-app", "application"];

/// What is left to scripts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rendering {
    /// There are scripts.
    pub(super) scripts: bool,
    /// Without them there is almost nothing.
    pub(super) shell: bool,
    /// It is a part of a page.
    pub(super) part: bool,
}

impl Rendering {
    pub(super) fn of(html: &Html, page: &Page) -> Self {
        let scripts = page.elements().any(|node| is_script(page, node));
        Self { scripts, shell: scripts && is_shell(page), part: html.is_part() }
    }

    /// Why this HTML cannot tell that the target is gone or changed. `found`: which element it is now is known.
    pub(super) fn doubt(self, page: &Page, target: &Target, found: bool) -> Option<Warning> {
        if self.shell {
            return Some(Warning::EmptyShell);
        }
        if is_beyond(page, &target.selector, self.scripts) {
            return Some(Warning::NotInHtml);
        }
        let snapshot = &target.snapshot;
        let had_content = snapshot.child_count > 0 || !snapshot.text.is_empty();
        let own = (snapshot.tag.as_str(), snapshot.id.as_deref(), snapshot.classes.as_slice());
        let around = snapshot
            .ancestors
            .iter()
            .map(|one| (one.tag.as_str(), one.id.as_deref(), one.classes.as_slice()));
        let is_empty = |(tag, id, classes): Names<'_>| {
            named(page, tag, id, classes).is_some_and(|node| page.subtree(node).len() == 1)
        };
        if self.scripts && Some(own).filter(|_| had_content).into_iter().chain(around.clone()).any(is_empty) {
            return Some(Warning::FilledByScripts);
        }
        let is_held = |(tag, id, classes): Names<'_>| named(page, tag, id, classes).is_some();
        (self.part && !found && !around.into_iter().any(is_held)).then_some(Warning::PartOfPage)
    }
}

/// Tag, id and class names.
type Names<'n> = (&'n str, Option<&'n str>, &'n [String]);

/// The one element that goes by these names, if there is one. Without an id or a class only the name of a custom
/// element says which one it is.
fn named(page: &Page, tag: &str, id: Option<&str>, classes: &[String]) -> Option<u32> {
    let named = match (id, classes.first()) {
        (Some(id), _) => page.with_attr("id", id),
        (None, Some(class)) => page.with_class(class),
        (None, None) if tag.contains('-') => page.with_tag(tag),
        (None, None) => return None,
    };
    let mut same = named.iter().copied().filter(|&node| {
        page.tag(node) == tag && (id.is_some() || page.classes(node).eq(classes.iter().map(String::as_str)))
    });
    match (same.next(), same.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Whether the selector enters a host whose inside the HTML does not hold: another address' frame, or a custom element
/// that makes its shadow root by script.
fn is_beyond(page: &Page, selector: &str, scripts: bool) -> bool {
    let hosts = selector.match_indices(" >>> ").filter_map(|(at, _)| selector.get(..at));
    hosts.into_iter().any(|host| match selector::resolve(page, host).as_deref() {
        Ok(&[host]) => page.inner_root(host).is_none() && (page.is_opaque(host) || scripts),
        _ => false,
    })
}

fn is_script(page: &Page, node: u32) -> bool {
    if page.tag(node) != "script" {
        return false;
    }
    let kind = page.attr(node, "type").unwrap_or("").trim().to_ascii_lowercase();
    // Anything else (JSON, import maps, templates) is data.
    kind.is_empty() || kind == "module" || kind.ends_with("javascript") || kind.ends_with("ecmascript")
}

/// Almost nothing but an element that waits to be filled.
fn is_shell(page: &Page) -> bool {
    let Some(body) = page.elements().find(|&node| page.tag(node) == "body") else { return false };
    let drawn = || page.subtree(body).skip(1).filter(|&node| page.is_element(node) && page.is_visible(node));
    if drawn().take(SHELL_ELEMENTS + 1).count() > SHELL_ELEMENTS {
        return false;
    }
    // Somebody could use it: it is small, but a page.
    if drawn().any(|node| page.is_interactive(node)) {
        return false;
    }
    let waits = |node: u32| {
        let known = page.id(node).is_some_and(|id| MOUNTS.contains(&id));
        let empty = page.subtree(node).len() == 1;
        let place = matches!(page.tag(node), "div" | "main" | "section") || page.tag(node).contains('-');
        known || (empty && place)
    };
    let nothing = drawn().next().is_none();
    (nothing || drawn().any(waits)) && page.text(body, SHELL_TEXT + 1).chars().count() <= SHELL_TEXT
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rendering(html: &str) -> Rendering {
        let html = Html::new(html.to_owned(), "").unwrap();
        Rendering::of(&html, &html.page().unwrap())
    }

    #[test]
    fn shells_of_single_page_apps_are_known() {
        for shell in [
            "<title>Vite</title><body><div id=root></div><script type=module src=/src/main.tsx></script>",
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div><script src=/a.js></script>",
            "<script src=a.js defer></script><body><app-root></app-root>",
            "<div id=app><div class=splash><p>Loading...</p></div></div><script src=a.js></script>",
            "<body><script src=a.js></script>",
        ] {
            assert!(rendering(shell).shell, "{shell}");
        }
    }

    #[test]
    fn pages_with_content_are_no_shells() {
        for page in [
            "<h1>Shop</h1><p>Welcome</p>",
            "<div id=root></div>",
            "<div id=root></div><script type=application/json>{}</script>",
            "<div id=root><button>Save</button></div><script src=a.js></script>",
            "<h1>Shop</h1><p>Small, but a page</p><script src=a.js></script>",
            "<div id=app><h1>A title</h1><p>And so much text that this is a page of its own, one that says something to whoever reads it, whatever its \
             script adds to it afterwards</p></div><script src=a.js></script>",
        ] {
            assert!(!rendering(page).shell, "{page}");
        }
        assert!(rendering("<p>x<script></script>").scripts);
        assert!(
            !rendering("<template><script></script></template><script type=importmap>{}</script>").scripts
        );
    }
}
