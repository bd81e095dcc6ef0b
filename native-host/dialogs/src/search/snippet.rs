//! The place of a hit, in one line.

/// Characters of it, and of those before the hit.
const LENGTH: usize = 160;
const BEFORE: usize = 60;

/// What stands around the bytes `hit` of a text.
pub(super) fn snippet(text: &str, hit: &std::ops::Range<usize>) -> String {
    let (before, after) = (&text[..hit.start], &text[hit.start..]);
    let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let lead = before[start..].chars().count();
    let end = after.char_indices().nth(LENGTH - lead).map_or(after.len(), |(at, _)| at);
    let inner = [&before[start..], &after[..end]].concat();
    let line = inner.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, tail) = (if start > 0 { "…" } else { "" }, if end < after.len() { "…" } else { "" });
    format!("{head}{line}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_one_line_of_about_160_characters_around_the_hit() {
        let text = format!("{}\n\tneedle {}", "ä ".repeat(200), "ö ".repeat(200));
        let at = text.find("needle").unwrap_or_default();
        let snippet = snippet(&text, &(at..at + 6));
        assert!(snippet.starts_with('…') && snippet.ends_with('…') && !snippet.contains('\n'), "{snippet}");
        assert!(snippet.contains("ä needle ö"), "{snippet}");
        assert!((150..=162).contains(&snippet.chars().count()), "{snippet}");
    }

    #[test]
    fn a_short_text_is_its_own_snippet() {
        assert_eq!(snippet("fix it", &(0..3)), "fix it");
    }
}
