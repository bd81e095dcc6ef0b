//! The place of a hit, in one line. It begins and ends between words: whoever redacts it knows a secret by all of it.

/// Characters of it, and of those before the hit.
const LENGTH: usize = 160;
const BEFORE: usize = 60;

/// What stands around the bytes `hit` of a text. Of a word that is longer than there is room the hit alone is told.
pub(super) fn snippet(text: &str, hit: &std::ops::Range<usize>) -> String {
    let (before, after) = (&text[..hit.start], &text[hit.start..]);
    let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let start = match before[start..].find(char::is_whitespace) {
        _ if start == 0 => 0,
        Some(at) => start + at,
        None => before.len(),
    };
    let lead = before[start..].chars().count();
    let end = after.char_indices().nth(LENGTH - lead).map_or(after.len(), |(at, _)| at);
    let end = match after.get(hit.len()..end) {
        _ if end == after.len() => end,
        Some(behind) => hit.len() + behind.rfind(char::is_whitespace).unwrap_or(0),
        None => hit.len(),
    };
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
    fn no_word_at_the_edge_of_a_snippet_is_told_in_part() {
        let secret = |length: usize| "s".repeat(length);
        for (before, after) in [(59, 99), (60, 100), (61, 101), (70, 130), (300, 300)] {
            let text = format!("{} needle {}", secret(before), secret(after));
            let hit = before + 1..before + 7;
            let told = snippet(&text, &hit);
            let whole = |word: &str| word == secret(before) || word == secret(after) || word == "needle";
            let words = told.trim_matches('…').split_whitespace();
            assert!(words.clone().all(whole) && words.clone().any(|word| word == "needle"), "{told}");
        }
        let text = format!("{}needle{}", secret(300), secret(300));
        assert_eq!(snippet(&text, &(300..306)), "…needle…");
    }

    #[test]
    fn a_short_text_is_its_own_snippet() {
        assert_eq!(snippet("fix it", &(0..3)), "fix it");
    }
}
