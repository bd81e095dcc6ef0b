//! Bytes that should be HTML, as text, and as a page.

use std::time::{Duration, Instant};

use opentoolbar_core::page::{HtmlError, MAX_HTML_BYTES, Page};

use super::Refusal;

/// Longest that parsing may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// HTML and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Html {
    pub(super) text: String,
    pub(super) url: String,
    /// Some of the bytes were no text in UTF-8.
    pub(super) lossy: bool,
}

impl Html {
    /// Text that somebody handed over. `url`: the page's address, or what stands for it.
    ///
    /// # Errors
    /// When there is no HTML in it, or too much.
    pub fn new(text: String, url: &str) -> Result<Self, Refusal> {
        Self::checked(Self { text, url: url.to_owned(), lossy: false })
    }

    /// Bytes of a file or an answer: UTF-8, or what a byte order mark says.
    ///
    /// # Errors
    /// When there is no HTML in it, or too much.
    pub fn from_bytes(bytes: Vec<u8>, url: &str) -> Result<Self, Refusal> {
        if bytes.len() > MAX_HTML_BYTES {
            return Err(too_large());
        }
        let (text, lossy) = decode(bytes);
        Self::checked(Self { text, url: url.to_owned(), lossy })
    }

    fn checked(self) -> Result<Self, Refusal> {
        let from = if self.url.is_empty() { "the input" } else { &self.url };
        if self.text.len() > MAX_HTML_BYTES {
            return Err(too_large());
        }
        if self.text.trim().is_empty() {
            return Err(Refusal::new(format!("{from} is empty"), "Give the HTML of the whole page."));
        }
        if self.text.contains('\0') || !has_tag(&self.text) {
            return Err(not_html(from));
        }
        Ok(self)
    }

    /// Whether it is a part of a page: a template's, or what a server answers for one region. Every whole page says so.
    pub(super) fn is_part(&self) -> bool {
        let says_page = |(at, _): (usize, &str)| {
            let rest = &self.text.as_bytes()[at + 1..];
            ["!doctype", "html", "head", "body"].iter().any(|name| {
                let ends = |next: &u8| next.is_ascii_whitespace() || matches!(next, b'>' | b'/');
                rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
                    && rest.get(name.len()).is_none_or(ends)
            })
        };
        !self.text.match_indices('<').any(says_page)
    }

    /// The page. Takes a while for large HTML, at most [`PATIENCE`].
    ///
    /// # Errors
    /// When it is larger or deeper than is read, or takes too long.
    pub fn page(&self) -> Result<Page, Refusal> {
        let begun = Instant::now();
        let page = Page::from_html_while(&self.text, &self.url, || begun.elapsed() < PATIENCE);
        page.map_err(|error| {
            let next = match error {
                HtmlError::GivenUp => {
                    "Look at the HTML: a tag with very many attributes, or very deep nesting."
                }
                _ => "Give a smaller part of the page that still holds the comment's element.",
            };
            Refusal::new(error.to_string(), next)
        })
    }
}

/// Larger than is read.
pub(super) fn too_large() -> Refusal {
    Refusal::new(
        format!("that is more than {} MB, and no more is read", MAX_HTML_BYTES / (1024 * 1024)),
        "Give the HTML of one page.",
    )
}

/// Something else than HTML.
pub(super) fn not_html(from: &str) -> Refusal {
    Refusal::new(
        format!("{from} is not HTML"),
        "Give what a browser gets: a built .html file, the address of the dev server, or its HTML itself.",
    )
}

/// `<` and then what a tag, a doctype or a comment begins with.
fn has_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        text.as_bytes()
            .get(at + 1)
            .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'!' | b'/'))
    })
}

fn decode(bytes: Vec<u8>) -> (String, bool) {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().skip(1).map(|pair| unit(*pair)).collect();
        let text = String::from_utf16(&units);
        let lossy = text.is_err();
        (text.unwrap_or_else(|_| String::from_utf16_lossy(&units)), lossy)
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => lossless(rest.to_vec()),
        _ => lossless(bytes),
    }
}

fn lossless(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_part_is_told_from_a_page() {
        let is_part = |text: &str| Html::new(text.to_owned(), "").unwrap().is_part();
        for page in
            ["<!DOCTYPE html><p>x", "<html lang=en><p>x", "\n<!-- x --><BODY><p>x</body>", "<head/><p>x"]
        {
            assert!(!is_part(page), "{page}");
        }
        for part in ["<header>x</header>", "<li>1 < 2", "<tr><td>x</td></tr><", "<thead></thead>"] {
            assert!(is_part(part), "{part}");
        }
    }

    #[test]
    fn byte_order_marks_are_followed_and_other_bytes_are_told() {
        let utf16: Vec<u8> = "\u{feff}<p>é".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Html::from_bytes(utf16, "").unwrap().text, "<p>é");
        assert_eq!(Html::from_bytes(b"\xef\xbb\xbf<p>".to_vec(), "").unwrap().text, "<p>");
        assert!(!Html::from_bytes("<p>é".into(), "").unwrap().lossy);
        assert!(Html::from_bytes(b"<p>\xe9".to_vec(), "").unwrap().lossy);
    }

    #[test]
    fn what_is_no_html_is_refused_and_says_what_to_give() {
        for bytes in [&b"{\"a\": 1}"[..], b"", b" \n", b"\x89PNG\0<a>", b"a < b"] {
            let refusal = Html::from_bytes(bytes.to_vec(), "x.html").unwrap_err();
            assert!(refusal.message.starts_with("x.html is "), "{refusal}");
        }
        assert!(Html::new("<".repeat(MAX_HTML_BYTES + 1), "").is_err());
        assert!(Html::new("<!doctype html>".into(), "").is_ok());
    }
}
