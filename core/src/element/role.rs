//! ARIA roles: the explicit one, else the one that HTML-AAM gives the tag.

use crate::page::Page;

/// The roles of WAI-ARIA 1.2 and of the graphics module that an author may write.
const ROLES: [&str; 87] = [
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "graphics-document",
    "graphics-object",
    "graphics-symbol",
    "grid",
    "gridcell",
    "group",
    "heading",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "mark",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "suggestion",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];

/// The role of an element; `none` where the author took it away. `None` where there is none to tell (`div`).
pub(crate) fn role(page: &Page, node: u32) -> Option<&'static str> {
    let explicit = page
        .attr(node, "role")
        .unwrap_or("")
        .split_ascii_whitespace()
        .find_map(|token| ROLES.iter().find(|role| role.eq_ignore_ascii_case(token)).copied());
    match explicit {
        Some("presentation") => Some("none"),
        Some(role) => Some(role),
        None => implied(page, node),
    }
}

fn implied(page: &Page, node: u32) -> Option<&'static str> {
    let has = |name: &str| page.attr(node, name).is_some();
    Some(match page.tag(node) {
        "a" | "area" if has("href") => "link",
        "address" | "details" | "fieldset" | "hgroup" | "optgroup" => "group",
        "article" => "article",
        "aside" => "complementary",
        "blockquote" => "blockquote",
        "button" => "button",
        "caption" => "caption",
        "code" => "code",
        "datalist" => "listbox",
        "dd" => "definition",
        "del" | "s" => "deletion",
        "dfn" | "dt" => "term",
        "dialog" => "dialog",
        "em" => "emphasis",
        "figure" => "figure",
        "footer" if is_of_page(page, node) => "contentinfo",
        "header" if is_of_page(page, node) => "banner",
        "form" if is_named(page, node) => "form",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
        "hr" => "separator",
        "html" => "document",
        "img" if page.attr(node, "alt") == Some("") && !is_named(page, node) => "none",
        "img" => "img",
        "input" => return input(page, node),
        "ins" => "insertion",
        "li" => "listitem",
        "main" => "main",
        "mark" => "mark",
        "math" => "math",
        "menu" | "ol" | "ul" => "list",
        "meter" => "meter",
        "nav" => "navigation",
        "option" => "option",
        "output" => "status",
        "p" => "paragraph",
        "progress" => "progressbar",
        "search" => "search",
        "section" if is_named(page, node) => "region",
        "select"
            if has("multiple")
                || page.attr(node, "size").is_some_and(|s| s.parse::<u32>().is_ok_and(|rows| rows > 1)) =>
        {
            "listbox"
        }
        "select" => "combobox",
        "strong" => "strong",
        "sub" => "subscript",
        "sup" => "superscript",
        "svg" => "graphics-document",
        "table" => "table",
        "tbody" | "tfoot" | "thead" => "rowgroup",
        "td" => {
            if in_grid(page, node) {
                "gridcell"
            } else {
                "cell"
            }
        }
        "textarea" => "textbox",
        "th" => header_cell(page, node),
        "time" => "time",
        "tr" => "row",
        _ => return None,
    })
}

fn input(page: &Page, node: u32) -> Option<&'static str> {
    let kind = page.attr(node, "type").unwrap_or("text").to_ascii_lowercase();
    let suggests = page.attr(node, "list").is_some();
    match kind.as_str() {
        "button" | "image" | "reset" | "submit" => Some("button"),
        "checkbox" => Some(if page.attr(node, "switch").is_some() { "switch" } else { "checkbox" }),
        "radio" => Some("radio"),
        "range" => Some("slider"),
        "number" => Some("spinbutton"),
        "color" | "date" | "datetime-local" | "file" | "hidden" | "month" | "password" | "time" | "week" => {
            None
        }
        _ if suggests => Some("combobox"),
        "search" => Some("searchbox"),
        _ => Some("textbox"),
    }
}

/// `header` and `footer` are landmarks only outside of sections.
fn is_of_page(page: &Page, node: u32) -> bool {
    std::iter::successors(page.parent_element(node), |&above| page.parent_element(above))
        .all(|above| !matches!(page.tag(above), "article" | "aside" | "main" | "nav" | "section"))
}

fn is_named(page: &Page, node: u32) -> bool {
    ["aria-label", "aria-labelledby", "title"]
        .into_iter()
        .any(|name| page.attr(node, name).is_some_and(|value| !value.trim().is_empty()))
}

fn in_grid(page: &Page, node: u32) -> bool {
    std::iter::successors(page.parent_element(node), |&above| page.parent_element(above))
        .find(|&above| page.tag(above) == "table")
        .is_some_and(|table| matches!(page.attr(table, "role"), Some("grid" | "treegrid")))
}

fn header_cell(page: &Page, node: u32) -> &'static str {
    match page.attr(node, "scope").map(str::to_ascii_lowercase).as_deref() {
        Some("row" | "rowgroup") => "rowheader",
        Some("col" | "colgroup") => "columnheader",
        _ => {
            let in_body = page.parent_element(node).and_then(|row| page.parent_element(row));
            let first = page.previous_element(node).is_none();
            let before_data = page.next_element(node).is_some_and(|next| page.tag(next) == "td");
            if first && before_data && in_body.is_some_and(|body| page.tag(body) != "thead") {
                "rowheader"
            } else {
                "columnheader"
            }
        }
    }
}

/// Roles whose name comes from what is in them.
pub(super) fn is_named_by_content(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "cell"
            | "checkbox"
            | "columnheader"
            | "gridcell"
            | "heading"
            | "link"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "option"
            | "radio"
            | "row"
            | "rowheader"
            | "switch"
            | "tab"
            | "tooltip"
            | "treeitem"
    )
}
