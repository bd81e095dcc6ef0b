//! What the steps cost, in characters looked at: a clock would measure the machine.

use proptest::prelude::*;

use super::redact_text;
use crate::element::redaction::runs::LOOKED;

/// How often a character may be looked at. A short name before each value of 256 characters reaches a quarter of it.
const MOST: usize = 400;

fn times_looked_at(text: &str) -> usize {
    looked_during(|| drop(redact_text(text))) / text.len().max(1)
}

/// How many characters are looked at meanwhile.
pub(crate) fn looked_during(redact: impl FnOnce()) -> usize {
    LOOKED.set(0);
    redact();
    LOOKED.get()
}

/// A mark that no other number has.
fn mark(number: usize, quote: &str) -> String {
    let slashes = [r"\", "%5C", "%5c", "%255C"];
    let digits = (0..8).map(|place| slashes[number >> (2 * place) & 3]);
    digits.chain([quote]).collect()
}

#[test]
fn marks_that_never_come_again_cost_no_search_each() {
    for name in ["session=", "token: ", "pwd:"] {
        for (quote, last) in [("%22", 8), ("\"", 8), ("%2527", 8), ("%22", 3)] {
            let marks = (0..1_500).map(|number| {
                let mark = mark(number, quote);
                // With fewer backslashes too: they begin later.
                let from = mark.match_indices(['\\', '%']).nth(8 - last).map_or(0, |(at, _)| at);
                format!("{name}{} x ", &mark[from..])
            });
            let times = times_looked_at(&marks.collect::<String>());
            assert!(times < MOST, "{name} {quote} {last}: {times}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn time_grows_with_the_length_of_the_text_however_its_parts_differ(
        parts in prop::collection::vec(
            prop_oneof![
                (
                    "(session|token|pwd|--pin|sid|a)[ ]{0,2}[=:,]",
                    r#"(\\|%5C|%5c|%255C|%255c){0,12}("|'|`|%22|%27|%2522|%60)?"#,
                    "[a-z ]{0,6}",
                )
                    .prop_map(|(name, mark, rest)| name + &mark + &rest),
                "(#login|token|curl|mysql|-p|[a-z0-9-]{1,40}|[0-9 -]{1,30}|(://|/|@|%3D|-----BEGIN |eyJ|Bearer ){1,4})[!;\n ]?",
            ],
            200..800,
        ),
    ) {
        let text = parts.concat();
        let times = times_looked_at(&text);
        prop_assert!(times < MOST, "{times}");
    }
}
