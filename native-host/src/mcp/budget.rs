//! Keeps answers small. Clients refuse or cut results over about 25,000 tokens.

use std::sync::LazyLock;

/// Tokens that one copy of an answer may have. An answer carries two (text and structured content), so the whole
/// stays under 25,000 whichever of them a client counts.
pub(super) const ANSWER: usize = 11_000;

/// What JSON puts between its values: one token each. All have a quote that is not escaped, so no text inside a string
/// can pass for one. The longest that fits is taken first.
const JOINTS: [&str; 11] =
    ["\"},{\"", "\":{\"", "\":[\"", "\":[", "\":\"", "\",\"", "],\"", "},\"", "{\"", "\":", ",\""];

/// Common words, each one token for every tokenizer that was measured, at the begin of a string and behind a space.
/// Sorted.
static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("words.txt").lines().collect());

/// Two and three letters that are one token for every tokenizer that was measured, wherever they stand. Those that
/// tokenizers put together first come first.
const PIECES: &str = include_str!("pieces.txt");

/// Place of each of `PIECES` in its list, by `place`.
static RANKS: LazyLock<Vec<Option<u16>>> = LazyLock::new(|| {
    let mut ranks = vec![None; usize::from(LETTERS).pow(3)];
    for (rank, piece) in (0_u16..).zip(PIECES.lines()) {
        if let Some(slot) = ranks.get_mut(place(piece.as_bytes())) {
            *slot = Some(rank);
        }
    }
    ranks
});

/// Those of the alphabet, and none.
const LETTERS: u8 = 27;

/// Letters of one word that are looked at together, which bounds the work.
const RUN: usize = 24;

/// An estimate that errs on the high side: known words and joints count one; of other words each of `PIECES` that they
/// are made of, and each letter between these; capitals and other marks by themselves, but for a known word's capital;
/// digits in pieces of 2; a space only where no word or mark follows; characters outside ASCII by their UTF-8 length,
/// which no byte-level tokenizer exceeds.
pub(super) fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, cost) = match first {
            // Tokens of words and marks may begin with a space, those of numbers do not.
            ' ' => match rest.as_bytes().get(1) {
                Some(next) if next.is_ascii_alphabetic() || next.is_ascii_punctuation() => (1, 0),
                _ => (1, 1),
            },
            'a'..='z' => word(rest, 0),
            'A'..='Z' => {
                let capitals = span(rest, |byte| byte.is_ascii_uppercase());
                // `Save`, but not `SAVe`.
                if capitals == 1 { word(rest, 1) } else { (capitals, capitals) }
            }
            '0'..='9' => {
                let digits = span(rest, |byte| byte.is_ascii_digit());
                (digits, digits.div_ceil(2))
            }
            _ => match JOINTS.iter().find(|joint| rest.starts_with(**joint)) {
                Some(joint) => (joint.len(), 1),
                None => (first.len_utf8(), first.len_utf8()),
            },
        };
        count += cost;
        rest = rest.get(length..).unwrap_or_default();
    }
    count
}

/// No token has more bytes: a word and a space.
pub(super) const LONGEST: usize = 20;

/// What a text costs inside JSON, its quotes included.
pub(super) fn written(text: &str) -> usize {
    serde_json::to_string(text).map_or(usize::MAX, |json| tokens(&json))
}

/// As much of a text, from its beginning, as costs at most so many tokens inside JSON.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    // Where counting exactly is not worth it.
    const STEP: usize = 16;
    let to = |length: usize| text.get(..text.floor_char_boundary(length)).unwrap_or_default();
    let whole = to(most.saturating_mul(LONGEST));
    if written(whole) <= most {
        return whole;
    }
    let (mut fits, mut over) = (0, whole.len());
    while over - fits > STEP {
        let middle = fits + (over - fits) / 2;
        if written(to(middle)) <= most { fits = middle } else { over = middle }
    }
    to(fits)
}

/// Length and cost of the word that begins here, behind `capitals` capitals.
fn word(text: &str, capitals: usize) -> (usize, usize) {
    let small = span(text.get(capitals..).unwrap_or_default(), |byte| byte.is_ascii_lowercase());
    let length = capitals + small;
    let word = text.get(..length).unwrap_or_default();
    if WORDS.binary_search(&word).is_ok() {
        return (length, 1);
    }
    let small = word.as_bytes().get(capitals..).unwrap_or_default();
    (length, capitals + small.chunks(RUN).map(pieces).sum::<usize>())
}

/// Into how many pieces small letters fall when those that come first in the list are put together first, as tokenizers
/// do.
fn pieces(letters: &[u8]) -> usize {
    // Where a piece begins, and the end of the last one.
    let mut bounds: Vec<usize> = (0..=letters.len()).collect();
    let rank = |bounds: &[usize]| match *bounds {
        [from, _, to] => RANKS.get(place(letters.get(from..to)?)).copied().flatten(),
        _ => None,
    };
    while let Some((_, first)) =
        (0..).zip(bounds.windows(3)).filter_map(|(at, bounds)| Some((rank(bounds)?, at))).min()
    {
        bounds.remove(first + 1);
    }
    bounds.len() - 1
}

/// A number for two or three small letters, beyond all ranks for more.
fn place(letters: &[u8]) -> usize {
    if letters.len() > 3 {
        return usize::MAX;
    }
    letters.iter().fold(0, |place, letter| {
        place * usize::from(LETTERS) + usize::from(letter.saturating_sub(b'a' - 1).min(LETTERS - 1))
    })
}

/// How many bytes from the beginning are of a kind; ASCII only, so it ends between characters.
fn span(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is(*byte)).count()
}

/// Two real tokenizers, as agents' models use them; whichever says more counts.
#[cfg(test)]
pub(super) fn measured(text: &str) -> usize {
    let o200k = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
    o200k.max(tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use proptest::string::string_regex;
    use serde_json::json;

    use super::*;
    use crate::mcp::costs::COSTS;
    use crate::mcp::declared::{Declared, Toolset};
    use crate::mcp::offer::Offer;

    #[test]
    fn the_estimate_is_not_below_the_measure_for_the_list_of_tools() {
        let everything = Offer::default();
        let list: Vec<_> = everything.tools().map(|tool| everything.listed(tool)).collect();
        let list = serde_json::to_string(&list).unwrap();
        let (estimated, measured) = (tokens(&list), measured(&list));
        assert!(measured <= estimated, "{measured} measured, {estimated} estimated");
    }

    /// What an agent pays in every session. The reference tells it; a figure that grows is seen in its diff.
    #[test]
    fn the_reference_says_what_each_tool_costs_and_all_are_within_their_budgets() {
        let everything = Offer::default();
        let cost = |tool: &Declared| measured(&serde_json::to_string(&everything.listed(tool)).unwrap());
        let costs: Vec<_> = everything.tools().map(|tool| (tool.name, cost(tool))).collect();
        let lines: String = costs.iter().map(|(name, cost)| format!("    (\"{name}\", {cost}),\n")).collect();
        assert!(costs == COSTS, "COSTS in mcp/costs.rs must be:\n{lines}");
        let of = |sets: &[Toolset]| -> usize {
            everything
                .tools()
                .filter(|tool| tool.toolsets.iter().any(|set| sets.contains(set)))
                .map(cost)
                .sum()
        };
        assert!(of(&[Toolset::Feedback, Toolset::Chat]) <= 3_500);
        assert!(costs.iter().map(|(_, cost)| cost).sum::<usize>() <= 5_500);
    }

    /// Every entry of the lists is one token for both tokenizers, wherever it stands.
    #[test]
    fn what_counts_one_is_one() {
        assert!(WORDS.is_sorted());
        assert!(JOINTS.is_sorted_by(|a, b| a.len() >= b.len()));
        let alone = JOINTS.iter().map(|joint| (*joint).to_owned());
        let pieces: Vec<&str> = PIECES.lines().collect();
        assert!(pieces.iter().all(|piece| matches!(piece.len(), 2 | 3)));
        let places = WORDS.iter().chain(&pieces).flat_map(|word| [(*word).to_owned(), format!(" {word}")]);
        let wrong: Vec<String> = alone.chain(places).filter(|text| measured(text) != 1).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    /// Pages are as full as they can be while the estimate stays safe.
    #[test]
    fn the_estimate_is_close_for_comments_as_people_write_them() {
        let comment = json!({
            "author": "person", "createdAt": "2025-11-21T04:26:40.000Z", "id": "c_Xk29fQ0aLm3v", "pathname": "/settings/profile",
            "replyCount": 0, "revision": 1, "stage": "open", "status": "active",
            "targets": [{
                "component": "SaveButton", "file": "src/components/SaveButton.tsx:12:5",
                "selector": "main > form.settings button.btn-primary",
                "element": ["button.btn.btn-primary \"Save\"", "role: button", "name: Save", "box: 96 x 32 at 40, 300"],
            }],
            "text": "Make this button a little bigger and use the accent colour, like the one on the dashboard.",
            "title": "Settings", "url": "http://localhost:5173/settings/profile",
        });
        let text = comment.to_string();
        let (estimated, measured) = (tokens(&text), measured(&text));
        assert!(measured <= estimated, "{measured} measured, {estimated} estimated");
        assert!(estimated * 2 <= measured * 3, "{measured} measured, {estimated} estimated");
    }

    /// Few words of a page are in the list: names and other languages are made of letters as they come, tables of
    /// numbers.
    #[test]
    fn letters_as_they_come_and_numbers_are_not_estimated_low() {
        let found = "a aabj \u{b}fhqf jbbwq ";
        assert!(
            measured(found) <= tokens(found) + 1,
            "{} measured, {} estimated",
            measured(found),
            tokens(found)
        );
        for word in
            ["yb", "zxqj", "fhqf", "jbbwq", "Xqzkv", "QZXKJ", "aBcDeF", "Zwrgvq", "7", "28", "\u{b}", "é"]
        {
            let text = vec![word; 50].join(" ");
            let (estimated, measured) = (tokens(&text), measured(&text));
            assert!(measured <= estimated, "{word}: {measured} measured, {estimated} estimated");
        }
    }

    /// Long texts, each of one kind of letters.
    fn letters() -> impl Strategy<Value = String> {
        let words = |letters, length| string_regex(&format!("([{letters}]{{{length}}} ){{100}}")).unwrap();
        prop_oneof![
            (1_usize..=9).prop_flat_map(move |length| words("a-z", length)),
            (2_usize..=9).prop_flat_map(move |length| words("bcdfghj-np-tv-xz", length)),
            "[a-z]{500}",
            "[bcdfghj-np-tv-xz]{500}",
            "[qxzjkvwy]{500}",
            "([qxzjkvwy]{1,9} ){100}",
            "([A-Z][a-z]{1,8}){100}",
            "([A-Z][a-z]{1,8} ){100}",
            "([a-z][A-Z]){250}",
            "[A-Z]{500}",
            "([A-Z]{1,9} ){100}",
            "[QXZJKVWY]{500}",
            "[A-Za-z]{500}",
            "([a-z]{1,8}[_./-]){100}",
            "([a-z]{1,3}[0-9]){100}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_beginning_costs_no_more_than_it_may_and_is_as_long_as_that(text in "([a-z]{1,9} |\\PC|[一-龥]|\n){0,300}", most in 0_usize..400) {
            let kept = beginning(&text, most);
            prop_assert!(text.starts_with(kept));
            prop_assert!(kept.is_empty() || written(kept) <= most);
            // Sixteen bytes more, and what they cost at most.
            prop_assert!(kept.len() == text.len() || written(kept) + 40 >= most, "{} of {most}", written(kept));
        }

        #[test]
        fn letters_of_any_kind_are_hardly_estimated_below_the_measure(text in letters()) {
            let estimated = tokens(&text);
            let measured = measured(&text);
            prop_assert!(measured * 22 <= estimated * 25, "{measured} measured, {estimated} estimated");
        }

        // 25/22 is the room that two copies of `ANSWER` leave under 25,000 tokens.
        #[test]
        fn the_estimate_is_hardly_below_the_measure_for_any_text(text in "([a-z]{1,9} |[A-Za-z0-9+/]{40}|[0-9]{1,9}|.|[一-龥]{1,5}|[а-я]{2,9}|\\PC){0,80}") {
            let estimated = tokens(&text);
            let measured = measured(&text);
            prop_assert!(measured * 22 <= estimated * 25 + 100, "{measured} measured, {estimated} estimated");
        }
    }
}
