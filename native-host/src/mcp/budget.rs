//! Keeps answers small. Clients refuse or cut results over about 25,000 tokens.

/// Tokens that one copy of an answer may have. An answer carries two (text and structured content), so the whole
/// stays under 25,000 whichever of them a client counts.
pub(super) const ANSWER: usize = 11_000;

/// An estimate that errs on the high side: words in pieces of 3 letters, where a capital begins a word; digits in
/// pieces of 2; every mark by itself; a space only after another space; characters outside ASCII by their UTF-8 length,
/// which no byte-level tokenizer exceeds.
pub(super) fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut run = 0_usize;
    let mut previous = Kind::Mark;
    for character in text.chars() {
        let kind = Kind::of(character);
        let goes_on = match (previous, kind) {
            // `Save`, but not `SAVe`.
            (Kind::Upper, Kind::Lower) => run == 1,
            (before, now) => before == now && kind != Kind::Mark && kind != Kind::Space,
        };
        if !goes_on {
            count += previous.cost(run);
            run = 0;
        }
        match kind {
            Kind::Mark => count += character.len_utf8(),
            Kind::Space => count += usize::from(previous == Kind::Space),
            _ => run += 1,
        }
        previous = kind;
    }
    count + previous.cost(run)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Space,
    Mark,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            ' ' => Self::Space,
            _ => Self::Mark,
        }
    }

    fn cost(self, run: usize) -> usize {
        if self == Self::Digit { run.div_ceil(2) } else { run.div_ceil(3) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    /// Two real tokenizers, as agents' models use them; whichever says more counts.
    fn measured(text: &str) -> usize {
        let o200k = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
        o200k.max(tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len())
    }

    #[test]
    fn the_estimate_is_not_below_the_measure_for_the_list_of_tools() {
        let list: Vec<_> = crate::mcp::tools::TABLE.iter().map(|tool| tool.listed()).collect();
        let list = serde_json::to_string(&list).unwrap();
        let (estimated, measured) = (tokens(&list), measured(&list));
        assert!(measured <= estimated, "{measured} measured, {estimated} estimated");
        let told = crate::mcp::reference::MEASURED;
        assert!(
            measured.abs_diff(told) <= 50,
            "the tools cost {measured} tokens in every session, docs/tools.md says {told}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        // 25/22 is the room that two copies of `ANSWER` leave under 25,000 tokens.
        #[test]
        fn the_estimate_is_hardly_below_the_measure_for_any_text(text in "([a-z]{1,9} |[A-Za-z0-9+/]{40}|[0-9]{1,9}|.|[一-龥]{1,5}|[а-я]{2,9}|\\PC){0,80}") {
            let estimated = tokens(&text);
            let measured = measured(&text);
            prop_assert!(measured * 22 <= estimated * 25 + 100, "{measured} measured, {estimated} estimated");
        }
    }
}
