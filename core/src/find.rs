//! One door to looking for a text in a text. The standard library's own way is made for long needles and costs 2 KB of
//! compressed WASM; ours are words of a few letters, where going through the text does as well.

/// Where `needle` first is in `text`.
pub(crate) fn first(text: &str, needle: &str) -> Option<usize> {
    // No window is of no length: an empty needle is nowhere.
    text.as_bytes().windows(needle.len().max(1)).position(|window| window == needle.as_bytes())
}

/// Where `needle` last is in `text`.
pub(crate) fn last(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes().windows(needle.len().max(1)).rposition(|window| window == needle.as_bytes())
}

/// Whether `needle` is in `text`.
pub(crate) fn has(text: &str, needle: &str) -> bool {
    first(text, needle).is_some()
}

/// What stands before and after the first `needle`.
pub(crate) fn split_first<'a>(text: &'a str, needle: &str) -> Option<(&'a str, &'a str)> {
    split_at(text, needle, first(text, needle)?)
}

/// What stands before and after the last `needle`.
pub(crate) fn split_last<'a>(text: &'a str, needle: &str) -> Option<(&'a str, &'a str)> {
    split_at(text, needle, last(text, needle)?)
}

fn split_at<'a>(text: &'a str, needle: &str, at: usize) -> Option<(&'a str, &'a str)> {
    Some((text.get(..at)?, text.get(at + needle.len()..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_the_standard_library_finds(text in "[ab_é]{0,12}", needle in "[ab_é]{1,3}") {
            let needle = needle.as_str();
            prop_assert_eq!(super::first(&text, needle), text.find(needle));
            prop_assert_eq!(super::last(&text, needle), text.rfind(needle));
            prop_assert_eq!(super::has(&text, needle), text.contains(needle));
            prop_assert_eq!(super::split_first(&text, needle), text.split_once(needle));
            prop_assert_eq!(super::split_last(&text, needle), text.rsplit_once(needle));
        }
    }
}
