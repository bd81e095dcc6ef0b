//! Pairing: a person reads a short code from the terminal and types it into the extension, which gets the token for it.
//! The code lives in memory, for two minutes, for one browser.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use constant_time_eq::constant_time_eq;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::caller::Caller;
use crate::error::{error, internal};
use crate::hub::Rate;

/// How long a code is good for.
pub(crate) const VALID: Duration = Duration::from_secs(120);
/// Wrong tries of one user after which a code is worth nothing to it. What others try does not count: else they could
/// keep the person from pairing.
const TRIES: u32 = 5;
/// Users whose tries are counted one by one; those that come later count together. This user's own always count alone.
const MOST_CALLERS: usize = 64;
const LENGTH: usize = 8;
/// No letter looks like a digit or another letter, and 32 of them take five random bits.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// Tries of one user at once and a second, right or wrong.
const RATE: (u32, f64) = (10, 0.5);

/// The code that is good now, if any.
#[derive(Debug)]
pub(crate) struct Pairing {
    code: Option<Code>,
    callers: BTreeMap<Counted, Tries>,
}

/// For whom tries are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Counted {
    One(Caller),
    Others,
}

#[derive(Debug)]
struct Tries {
    rate: Rate,
    /// Of the code that is good now.
    wrong: u32,
}

struct Code {
    text: String,
    until: Instant,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Pairing {
    pub(super) fn new() -> Self {
        Self { code: None, callers: BTreeMap::new() }
    }

    /// A new code; the one before is worth nothing any more.
    ///
    /// # Errors
    /// `internal` when the system gives no randomness.
    pub(crate) fn begin(&mut self, now: Instant) -> Result<String, ErrorBody> {
        let mut random = [0u8; LENGTH];
        getrandom::fill(&mut random).map_err(|e| internal(format!("the system gives no randomness: {e}")))?;
        let text: String = random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
        self.code = Some(Code { text: text.clone(), until: now + VALID });
        self.callers.values_mut().for_each(|tries| tries.wrong = 0);
        Ok(text)
    }

    fn tries_of(&mut self, caller: Caller, now: Instant) -> &mut Tries {
        let one = Counted::One(caller);
        let has_room = caller.is_us() || self.callers.len() < MOST_CALLERS || self.callers.contains_key(&one);
        let counted = if has_room { one } else { Counted::Others };
        let new = || Tries { rate: Rate::of(RATE.0, RATE.1, now), wrong: 0 };
        self.callers.entry(counted).or_insert_with(new)
    }

    /// Whether this is the code. A right one is used up.
    ///
    /// # Errors
    /// `rate_limited`; `forbidden` when it is wrong, or none is good now.
    pub(super) fn redeem(&mut self, caller: Caller, given: &str, now: Instant) -> Result<(), ErrorBody> {
        if let Err(wait) = self.tries_of(caller, now).rate.take(now) {
            let next = format!("Wait {} s, then try again.", wait.as_secs() + 1);
            return Err(error(ErrorCode::RateLimited, "too many tries at once", next));
        }
        let given = plain(given);
        let Some(code) = self.code.as_ref().filter(|code| now < code.until) else {
            self.code = None;
            return Err(refused("no code is good now"));
        };
        let is_right = constant_time_eq(code.text.as_bytes(), given.as_bytes());
        let tries = self.tries_of(caller, now);
        if tries.wrong >= TRIES {
            // Right or wrong: it is not said which.
            return Err(refused("the code was tried too often"));
        }
        if is_right {
            self.code = None;
            return Ok(());
        }
        tries.wrong += 1;
        match TRIES - tries.wrong {
            0 => Err(refused("the code is wrong, and was tried too often")),
            left => Err(error(
                ErrorCode::Forbidden,
                format!("the code is wrong; {left} more tries"),
                "Type it as `opentoolbar pair` printed it.",
            )),
        }
    }
}

fn refused(message: &str) -> ErrorBody {
    error(
        ErrorCode::Forbidden,
        message,
        "Run `opentoolbar pair` for a new code; it is good for two minutes, once.",
    )
}

/// As a person may type it: in any case, with blanks or a hyphen between.
fn plain(given: &str) -> String {
    let letters = given.chars().filter(|c| !c.is_whitespace() && *c != '-').take(LENGTH + 1);
    letters.map(|c| c.to_ascii_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const US: Caller = Caller::User(1000);

    #[test]
    fn a_code_is_good_once_as_a_person_types_it() {
        let now = Instant::now();
        let mut pairing = Pairing::new();
        let code = pairing.begin(now).unwrap();
        assert!(code.len() == LENGTH && code.bytes().all(|b| ALPHABET.contains(&b)), "{code}");
        let typed = format!(" {}-{} ", code[..4].to_lowercase(), &code[4..]);
        pairing.redeem(US, &typed, now).unwrap();
        assert_eq!(pairing.redeem(US, &code, now).unwrap_err().code, ErrorCode::Forbidden);
    }

    #[test]
    fn a_code_ends_after_two_minutes_five_wrong_tries_or_the_next_one() {
        let now = Instant::now();
        let late = now + VALID;
        let mut pairing = Pairing::new();
        let code = pairing.begin(now).unwrap();
        assert!(pairing.redeem(US, &code, late).unwrap_err().message.contains("no code is good"));
        let code = pairing.begin(late).unwrap();
        for _ in 0..TRIES {
            assert_eq!(pairing.redeem(US, "wrong", late).unwrap_err().code, ErrorCode::Forbidden);
        }
        assert!(pairing.redeem(US, &code, late).is_err());
        let before = pairing.begin(late).unwrap();
        let code = pairing.begin(late).unwrap();
        assert!(before == code || pairing.redeem(US, &before, late).is_err());
    }

    #[test]
    fn tries_without_end_are_told_to_wait() {
        let now = Instant::now();
        let mut pairing = Pairing::new();
        let codes = (0..20).map(|_| pairing.redeem(US, "AAAAAAAA", now).unwrap_err().code);
        assert!(codes.collect::<Vec<_>>().contains(&ErrorCode::RateLimited));
    }

    #[test]
    fn what_another_user_tries_does_not_count_against_the_person() {
        let now = Instant::now();
        let mut pairing = Pairing::new();
        let code = pairing.begin(now).unwrap();
        for user in 0..200 {
            for _ in 0..20 {
                assert!(pairing.redeem(Caller::User(2_000 + user), "AAAAAAAA", now).is_err());
            }
            assert!(pairing.redeem(Caller::User(2_000 + user), &code, now).is_err(), "its tries are used up");
        }
        assert!(pairing.callers.len() <= MOST_CALLERS + 1, "{}", pairing.callers.len());
    }

    #[test]
    fn a_user_who_tried_too_often_waits_for_the_next_code_and_others_do_not() {
        let now = Instant::now();
        let mut pairing = Pairing::new();
        let code = pairing.begin(now).unwrap();
        for _ in 0..TRIES {
            assert!(pairing.redeem(Caller::User(1), "AAAAAAAA", now).is_err());
        }
        assert!(pairing.redeem(Caller::User(1), &code, now).is_err());
        pairing.redeem(US, &code, now).unwrap();
        let code = pairing.begin(now).unwrap();
        pairing.redeem(Caller::User(1), &code, now).unwrap();
    }
}
