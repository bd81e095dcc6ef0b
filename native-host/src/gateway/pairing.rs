//! Pairing: a person reads a short code from the terminal and types it into the extension, which gets the token for it.
//! The code lives in memory, for two minutes, for one browser.

use std::time::{Duration, Instant};

use constant_time_eq::constant_time_eq;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use crate::hub::Rate;
use crate::hub::error::{error, internal};

/// How long a code is good for.
pub(crate) const VALID: Duration = Duration::from_secs(120);
/// Wrong tries after which a code is worth nothing.
const TRIES: u32 = 5;
const LENGTH: usize = 8;
/// No letter looks like a digit or another letter, and 32 of them take five random bits.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// Tries at once and a second, right or wrong.
const RATE: (u32, f64) = (10, 0.5);

/// The code that is good now, if any.
#[derive(Debug)]
pub(crate) struct Pairing {
    code: Option<Code>,
    rate: Rate,
}

struct Code {
    text: String,
    until: Instant,
    tries: u32,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("tries", &self.tries).finish_non_exhaustive()
    }
}

impl Pairing {
    pub(super) fn new(now: Instant) -> Self {
        Self { code: None, rate: Rate::of(RATE.0, RATE.1, now) }
    }

    /// A new code; the one before is worth nothing any more.
    ///
    /// # Errors
    /// `internal` when the system gives no randomness.
    pub(crate) fn begin(&mut self, now: Instant) -> Result<String, ErrorBody> {
        let mut random = [0u8; LENGTH];
        getrandom::fill(&mut random).map_err(|e| internal(format!("the system gives no randomness: {e}")))?;
        let text: String = random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
        self.code = Some(Code { text: text.clone(), until: now + VALID, tries: TRIES });
        Ok(text)
    }

    /// Whether this is the code. A right one is used up.
    ///
    /// # Errors
    /// `rate_limited`; `forbidden` when it is wrong, or none is good now.
    pub(super) fn redeem(&mut self, given: &str, now: Instant) -> Result<(), ErrorBody> {
        if let Err(wait) = self.rate.take(now) {
            let next = format!("Wait {} s, then try again.", wait.as_secs() + 1);
            return Err(error(ErrorCode::RateLimited, "too many tries at once", next));
        }
        let given = plain(given);
        let Some(code) = self.code.as_mut().filter(|code| now < code.until) else {
            self.code = None;
            return Err(refused("no code is good now"));
        };
        if constant_time_eq(code.text.as_bytes(), given.as_bytes()) {
            self.code = None;
            return Ok(());
        }
        code.tries -= 1;
        match code.tries {
            0 => {
                self.code = None;
                Err(refused("the code is wrong, and was tried too often"))
            }
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

    #[test]
    fn a_code_is_good_once_as_a_person_types_it() {
        let now = Instant::now();
        let mut pairing = Pairing::new(now);
        let code = pairing.begin(now).unwrap();
        assert!(code.len() == LENGTH && code.bytes().all(|b| ALPHABET.contains(&b)), "{code}");
        let typed = format!(" {}-{} ", code[..4].to_lowercase(), &code[4..]);
        pairing.redeem(&typed, now).unwrap();
        assert_eq!(pairing.redeem(&code, now).unwrap_err().code, ErrorCode::Forbidden);
    }

    #[test]
    fn a_code_ends_after_two_minutes_five_wrong_tries_or_the_next_one() {
        let now = Instant::now();
        let late = now + VALID;
        let mut pairing = Pairing::new(now);
        let code = pairing.begin(now).unwrap();
        assert!(pairing.redeem(&code, late).unwrap_err().message.contains("no code is good"));
        let code = pairing.begin(late).unwrap();
        for _ in 0..TRIES {
            assert_eq!(pairing.redeem("wrong", late).unwrap_err().code, ErrorCode::Forbidden);
        }
        assert!(pairing.redeem(&code, late).is_err());
        let before = pairing.begin(late).unwrap();
        let code = pairing.begin(late).unwrap();
        assert!(before == code || pairing.redeem(&before, late).is_err());
    }

    #[test]
    fn tries_without_end_are_told_to_wait() {
        let now = Instant::now();
        let mut pairing = Pairing::new(now);
        let codes = (0..20).map(|_| pairing.redeem("AAAAAAAA", now).unwrap_err().code);
        assert!(codes.collect::<Vec<_>>().contains(&ErrorCode::RateLimited));
    }
}
