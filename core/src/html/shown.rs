//! What would not be drawn, and what a person can operate, as far as the HTML alone tells.

use super::tree::Element;

/// How an element is drawn, as far as that can be told without style sheets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// Nothing speaks against it.
    Yes,
    /// It has no box of its own, but what is in it is drawn: `display: contents`.
    Inside,
    /// Neither it nor what is in it.
    No,
}

/// What comes down from the parent.
#[derive(Clone, Copy)]
pub(super) struct Inherited {
    /// The parent is drawn; a text is as visible as its parent.
    pub(super) visible: bool,
    /// The parent, or one above it, is not drawn with anything in it.
    pub(super) removed: bool,
    /// Inline `visibility` of the nearest one above that has it.
    pub(super) invisible: bool,
    /// A person types in there.
    pub(super) typed: bool,
    /// The pointer is a hand already.
    pub(super) hand: bool,
}

impl Inherited {
    /// Of the page itself.
    pub(super) const TOP: Self =
        Self { visible: true, removed: false, invisible: false, typed: false, hand: false };
}

/// An element's own inline declarations that matter here.
pub(super) struct Inline<'a> {
    display: Option<&'a str>,
    visibility: Option<&'a str>,
    cursor: Option<&'a str>,
}

impl<'a> Inline<'a> {
    /// Reads the `style` attribute; of several declarations the last counts.
    pub(super) fn of(element: &'a Element) -> Self {
        let mut inline = Self { display: None, visibility: None, cursor: None };
        for declaration in element.attr("style").unwrap_or("").split(';') {
            let Some((property, value)) = declaration.split_once(':') else { continue };
            let value = value.split('!').next().unwrap_or("").trim();
            match property.trim() {
                name if name.eq_ignore_ascii_case("display") => inline.display = Some(value),
                name if name.eq_ignore_ascii_case("visibility") => inline.visibility = Some(value),
                name if name.eq_ignore_ascii_case("cursor") => inline.cursor = Some(value),
                _ => {}
            }
        }
        inline
    }

    /// Whether the element is drawn, its `hidden` and what browsers never draw considered.
    pub(super) fn drawn(&self, element: &Element) -> Drawn {
        match self.display {
            Some(display) if display.eq_ignore_ascii_case("none") => Drawn::No,
            Some(display) if display.eq_ignore_ascii_case("contents") => Drawn::Inside,
            // An inline display wins over what the browser's own style sheet says.
            Some(_) => Drawn::Yes,
            None if element.attr("hidden").is_some() || is_never_drawn(element) => Drawn::No,
            None => Drawn::Yes,
        }
    }

    /// Whether the element is invisible in place: its own `visibility`, else the inherited.
    pub(super) fn invisible(&self, inherited: bool) -> bool {
        self.visibility.map_or(inherited, |value| {
            value.eq_ignore_ascii_case("hidden") || value.eq_ignore_ascii_case("collapse")
        })
    }

    /// Whether the pointer over the element is a hand.
    pub(super) fn hand(&self, inherited: bool) -> bool {
        self.cursor.map_or(inherited, |value| value.eq_ignore_ascii_case("pointer"))
    }
}

/// What the browsers' own style sheets, and their rules for SVG, keep from being drawn.
fn is_never_drawn(element: &Element) -> bool {
    let tag = element.tag();
    if !element.is_html() {
        return matches!(
            tag,
            "defs"
                | "desc"
                | "metadata"
                | "title"
                | "script"
                | "style"
                | "symbol"
                | "clipPath"
                | "mask"
                | "marker"
                | "pattern"
                | "filter"
                | "linearGradient"
                | "radialGradient"
        );
    }
    match tag {
        "input" => element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        "dialog" => element.attr("open").is_none(),
        _ => matches!(
            tag,
            "area"
                | "base"
                | "basefont"
                | "datalist"
                | "head"
                | "link"
                | "meta"
                | "noembed"
                | "noframes"
                | "noscript"
                | "param"
                | "rp"
                | "script"
                | "style"
                | "template"
                | "title"
        ),
    }
}

/// Whether a person can operate the element; the same words as the content script's.
pub(super) fn is_operable(element: &Element) -> bool {
    match element.tag() {
        "a" | "area" => element.attr("href").is_some(),
        "input" => !element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        "button" | "select" | "textarea" | "summary" | "option" | "label" => true,
        _ if element.attr("tabindex").is_some() => true,
        _ => matches!(
            element.attr("role"),
            Some(
                "button"
                    | "link"
                    | "checkbox"
                    | "radio"
                    | "switch"
                    | "tab"
                    | "menuitem"
                    | "option"
                    | "slider"
                    | "combobox"
                    | "textbox"
            )
        ),
    }
}

/// Whether a person types in it, so that its texts are nobody's business.
pub(super) fn is_typed_into(element: &Element, inherited: bool) -> bool {
    let Some(value) = element.attr("contenteditable").filter(|_| element.is_html()) else { return inherited };
    match value {
        "" => true,
        value if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("plaintext-only") => true,
        value if value.eq_ignore_ascii_case("false") => false,
        _ => inherited,
    }
}
