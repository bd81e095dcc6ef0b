//! Whether two lists of class names say the same. What a build tool made up is told from the pair: tails of one
//! length with digits among their letters, behind the same name, are hashes in both builds.

use super::usage::is_state_class;
use crate::selector::is_generated;

/// Whether a class that a person chose came or went. Order, made-up names and states are no difference.
pub(super) fn differ(kept: &[&str], now: &[&str]) -> bool {
    let gone: Vec<&str> = kept.iter().filter(|class| !now.contains(class)).copied().collect();
    let mut come: Vec<&str> = now.iter().filter(|class| !kept.contains(class)).copied().collect();
    let left = gone.into_iter().filter(|class| {
        let again = come.iter().position(|other| is_of_another_build(class, other));
        again.map(|at| come.swap_remove(at)).is_none()
    });
    // Collected first: what is left of the new ones is known only when each old one has been looked for.
    let left: Vec<&str> = left.collect();
    left.into_iter().chain(come).any(says)
}

/// Whether a class is one that a person chose, and no state.
pub(super) fn says(class: &str) -> bool {
    !is_generated(class) && !is_state_class(class)
}

/// `card-body_uc5s45` and `card-body_606dig`: one name with the hashes of two builds.
fn is_of_another_build(one: &str, other: &str) -> bool {
    let parts = |name: &'_ str| {
        let at = name.rfind(['_', '-'])?;
        (at > 0).then_some(at + 1)
    };
    let (Some(at), Some(other_at)) = (parts(one), parts(other)) else { return false };
    let ((stem, tail), (other_stem, other_tail)) = (one.split_at(at), other.split_at(other_at));
    let is_tail = |tail: &str| {
        (5..=10).contains(&tail.len())
            && tail.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && tail.bytes().any(|byte| byte.is_ascii_digit())
    };
    stem == other_stem
        && tail.len() == other_tail.len()
        && is_tail(tail)
        && is_tail(other_tail)
        && (is_mixed(tail) || is_mixed(other_tail))
}

/// Digits before letters: `606dig`, `x0y1zz`, but neither `header` nor `step12`.
fn is_mixed(tail: &str) -> bool {
    let is_turn = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic();
    tail.as_bytes().windows(2).any(is_turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_of_another_build_is_no_difference() {
        for (kept, now) in [
            ("card-body_uc5s45", "card-body_606dig"),
            ("card_606dig", "card_606mih"),
            ("nav__link--k3j9x2 wide", "wide nav__link--99abcd"),
            ("css-1x2y3z", "css-9z8y7x"),
        ] {
            let split = |names: &'static str| names.split(' ').collect::<Vec<_>>();
            assert!(!differ(&split(kept), &split(now)), "{kept} {now}");
        }
    }

    #[test]
    fn a_name_of_a_persons_is() {
        for (kept, now) in [
            ("card-header", "card-footer"),
            ("step-first1", "step-first2"),
            ("api_metadata", "api_635g3uo5"),
            ("btn_large", "btn_small"),
            ("item-a1b2c3", "row-a1b2c3 wide"),
            ("card", ""),
            ("", "card"),
            ("col_606dig col_707dig", "col_808dig"),
        ] {
            let split =
                |names: &'static str| names.split(' ').filter(|name| !name.is_empty()).collect::<Vec<_>>();
            assert!(differ(&split(kept), &split(now)), "{kept} {now}");
        }
    }

    #[test]
    fn states_and_order_are_none() {
        assert!(!differ(&["tab", "active"], &["is-open", "tab"]));
    }
}
