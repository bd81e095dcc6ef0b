//! How an element is drawn, where neither its tag nor its attributes say it: the rules of the content script's
//! `appearance.ts`, one by one.

use super::tree::Element;
use crate::element::redact_text;

/// Longest text that says how an element is drawn, in UTF-16 units.
const MAX_DRAWING: usize = 300;
/// A longer value is told by its hash.
const MAX_VALUE: usize = 100;
/// How much of a shape or an inline style is looked at, in UTF-16 units.
const LOOKED_AT: usize = 4_000;
/// Declarations that say how an element without text looks.
const PROPERTIES: [&str; 10] = [
    "background",
    "background-color",
    "background-image",
    "border-color",
    "color",
    "fill",
    "stroke",
    "mask",
    "mask-image",
    "-webkit-mask-image",
];
/// What a property of the page's own begins with when it is a colour or a picture.
const OF_ITS_OWN: [&str; 6] = ["#", "rgb", "hsl", "oklch", "oklab", "url("];

/// What to keep of an element; none where there is nothing of the kind.
pub(super) fn drawing(element: &Element) -> Option<String> {
    let mut drawing = String::new();
    let mut add = |part: &str| {
        let separator = if drawing.is_empty() { "" } else { "; " };
        if units(&drawing) + units(separator) + units(part) <= MAX_DRAWING {
            drawing.push_str(separator);
            drawing.push_str(part);
        }
    };
    if !element.is_html() {
        for (name, said) in [("d", "path"), ("points", "points")] {
            if let Some(shape) = element.attr(name).filter(|shape| !shape.trim().is_empty()) {
                add(&format!("{said} #{}", digest(&folded(beginning(shape)))));
            }
        }
    }
    for (name, value) in declarations(beginning(element.attr("style").unwrap_or(""))) {
        let is_kept = if name.starts_with("--") {
            OF_ITS_OWN.iter().any(|start| value.starts_with(start))
        } else {
            PROPERTIES.contains(&name.as_str())
        };
        if is_kept && !value.is_empty() {
            let value = redact_text(&value);
            let is_long = units(&value) > MAX_VALUE;
            add(&if is_long { format!("{name}: #{}", digest(&value)) } else { format!("{name}: {value}") });
        }
    }
    Some(drawing).filter(|drawing| !drawing.is_empty())
}

/// Name, in lower case, and value of each declaration; what stands in brackets or quotes ends none.
fn declarations(style: &str) -> Vec<(String, String)> {
    let (mut found, mut from) = (Vec::new(), 0);
    let (mut depth, mut quote) = (0u32, None);
    let mut take = |declaration: &str| {
        if let Some((name, value)) = declaration.split_once(':') {
            found.push((name.trim().to_ascii_lowercase(), folded(value)));
        }
    };
    for (at, c) in style.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ';') if depth == 0 => {
                take(&style[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    take(&style[from..]);
    found
}

fn folded(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The first units, whole characters.
fn beginning(text: &str) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, c)| {
        taken += c.len_utf16();
        taken > LOOKED_AT
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// FNV-1a over the UTF-16 units, as eight digits.
fn digest(text: &str) -> String {
    let add = |state: u32, unit: u16| (state ^ u32::from(unit)).wrapping_mul(0x0100_0193);
    format!("{:08x}", text.encode_utf16().fold(0x811c_9dc5, add))
}
