//! What a tag says of the text in its element.

/// Elements whose text nobody reads.
#[must_use]
pub fn is_unread(tag: &str) -> bool {
    matches!(tag, "script" | "style" | "template" | "noscript" | "head")
}

/// Elements that a word goes on through, as in `Hel<b>lo</b>`.
pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "u"
            | "var"
            | "tspan"
    )
}
