//! What a person wrote of a class name. Build tools put a hash behind it (`title_x1y2z`, `Card_title__1Nlqn`): the hash
//! is another one after the next change, and what is before it stays.

use crate::selector::is_generated;

/// The part of a class name that a person chose: all of it, what stands before a hash, or nothing.
pub(super) fn written(class: &str) -> Option<&str> {
    if !is_generated(class) {
        return Some(class);
    }
    // `_title_1nlqn_24`: the number is the line.
    let of_module = class.strip_prefix('_').and_then(|class| class.rsplit_once('_'));
    let class =
        of_module.filter(|(_, line)| line.bytes().all(|b| b.is_ascii_digit())).map_or(class, |it| it.0);
    let (before, _) = class.rsplit_once(['_', '-'])?;
    let before = before.trim_end_matches(['_', '-']);
    (before.len() > 1 && !is_prefix(before) && !is_generated(before)).then_some(before)
}

/// What style libraries put before every class they make up.
fn is_prefix(part: &str) -> bool {
    matches!(part, "css" | "sc" | "jss" | "emotion" | "svelte" | "astro" | "ng-tns" | "radix" | "headlessui")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_behind_a_name_leaves_the_name() {
        for (class, wanted) in [
            ("card-title", Some("card-title")),
            ("card-title_m2hxb", Some("card-title")),
            ("Card_title__1Nlqn", Some("Card_title")),
            ("_title_1nlqn_24", Some("title")),
            ("widget-12345", Some("widget")),
            ("block__element", Some("block__element")),
            ("css-1x2y3z", None),
            ("svelte-1a2b3c", None),
            ("x1y2z3", None),
            ("", Some("")),
        ] {
            assert_eq!(written(class), wanted, "{class}");
        }
    }
}
