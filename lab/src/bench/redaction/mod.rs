//! How many kinds of secrets redaction removes, of our own list and of two kept libraries' patterns, and how much of
//! ordinary pages it touches.

mod library;
mod ordinary;

// The same that the tests of the core run.
#[expect(dead_code, reason = "what is expected of a case is the tests' business")]
#[path = "../../../../core/tests/vectors/mod.rs"]
mod vectors;

use anyhow::{Context as _, Result};
use vectors::{Case, Parts, cases};
use xtask::step::say;

use super::args::Args;

/// Elements of the page that is made where there is no corpus.
const MADE: usize = 20_000;

pub(super) fn run(args: &Args) -> Result<()> {
    own()?;
    library::run(args)?;
    if args.smoke {
        ordinary::run(None, 200)?;
    }
    ordinary::run(args.corpus.as_deref(), MADE)
}

/// The kinds of `tests/cases/redaction.json`.
fn own() -> Result<()> {
    let cases = cases().context("tests/cases/redaction.json is not as expected")?;
    let kinds: Vec<&Case> = cases.iter().filter(|case| case.secret.is_some()).collect();
    let missed: Vec<&str> = kinds
        .iter()
        .filter(|case| {
            let secret = case.secret.as_ref().map(Parts::text).unwrap_or_default();
            is_left(&secret, &case.redacted())
        })
        .map(|case| case.what.as_str())
        .collect();
    say(&format!("own list: {} of {} kinds removed", kinds.len() - missed.len(), kinds.len()));
    missed.iter().for_each(|what| say(&format!("  left: {what}")));
    Ok(())
}

/// Whether more than a third of a secret is left in one piece.
fn is_left(secret: &str, redacted: &str) -> bool {
    let most = secret.len() / 3 + 1;
    (0..secret.len())
        .any(|start| secret.get(start..start + most).is_some_and(|piece| redacted.contains(piece)))
}

#[cfg(test)]
mod tests {
    use super::is_left;

    #[test]
    fn a_secret_is_left_when_more_than_a_third_of_it_is() {
        assert!(is_left("abcdefghi", "an abcd"));
        assert!(!is_left("abcdefghi", "an abc"));
        assert!(is_left("abcdefghi", "fghi"));
    }
}
