//! Browsers that were paired: each has a token of its own, good from its own origin alone, until it is taken back. In
//! Firefox an extension's origin is random for each installation, so that no other extension can use what it was given.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use constant_time_eq::constant_time_eq;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use serde::{Deserialize, Deserializer, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

use crate::error::{error, internal};
use crate::files::write_whole;
use crate::home::Home;
use crate::salvage::{self, Salvage};
use crate::why::why;

/// Random bytes in a token.
const BYTES: usize = 32;
/// Pairings that are kept; of more, the oldest end.
const MOST: usize = 100;

/// Good until its pairing ends, which closes it.
pub(super) type Pass = watch::Receiver<()>;

/// Every pairing that stands, in memory and in a file that only its owner can read.
pub(super) struct Paired {
    path: PathBuf,
    /// Held for a moment only: every visitor is looked for here, on the threads that serve connections.
    browsers: Mutex<Vec<Browser>>,
    /// Held by whoever changes the list while it is written, which a disk may hold up.
    writing: Mutex<()>,
    set_aside: Option<String>,
}

struct Browser {
    kept: Kept,
    /// Dropped with the pairing: whoever came in by it is closed.
    pass: watch::Sender<()>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    origin: String,
    #[serde(deserialize_with = "token")]
    token: String,
}

/// As it was given: an empty one would let in whoever shows none.
fn token<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let token = String::deserialize(deserializer)?;
    let is_ours = URL_SAFE_NO_PAD.decode(&token).is_ok_and(|bytes| bytes.len() == BYTES);
    if is_ours { Ok(token) } else { Err(serde::de::Error::custom("it is no token")) }
}

impl std::fmt::Debug for Paired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Paired").field("browsers", &self.browsers().len()).finish_non_exhaustive()
    }
}

impl Paired {
    /// The home's. What cannot be read is no pairing, that browser pairs again; the file as it was is kept as
    /// `paired.json.broken-<n>`.
    ///
    /// # Errors
    /// `storage` when there is a file that cannot be read.
    pub(super) fn of(home: &Home) -> Result<Self, ErrorBody> {
        let path = home.paired();
        let (kept, set_aside) = match std::fs::read(&path) {
            Ok(bytes) => read(&path, &bytes),
            Err(e) if e.kind() == ErrorKind::NotFound => (Vec::new(), None),
            Err(e) => return Err(cannot_keep(&path, &e)),
        };
        let browsers = kept.into_iter().map(|kept| Browser { kept, pass: watch::Sender::new(()) });
        Ok(Self { browsers: Mutex::new(browsers.collect()), path, writing: Mutex::default(), set_aside })
    }

    /// What of the file could not be read, and where it is kept as it was.
    pub(super) fn set_aside(&self) -> Option<&str> {
        self.set_aside.as_deref()
    }

    /// Ends every pairing of a home in which no hub has the gateway open.
    ///
    /// # Errors
    /// `storage` when the file cannot be removed.
    pub(super) fn remove_file(home: &Home) -> Result<(), ErrorBody> {
        let path = home.paired();
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(cannot_keep(&path, &e)),
            _ => Ok(()),
        }
    }

    /// A new token for an origin.
    ///
    /// # Errors
    /// `storage` when it cannot be kept; `internal` when the system gives no randomness.
    pub(super) fn add(&self, origin: &str) -> Result<String, ErrorBody> {
        let mut random = [0u8; BYTES];
        getrandom::fill(&mut random).map_err(|e| internal(format!("the system gives no randomness: {e}")))?;
        let token = URL_SAFE_NO_PAD.encode(random);
        let kept = Kept { origin: origin.to_owned(), token: token.clone() };
        let _one_at_a_time = self.writing();
        let mut list = self.kept();
        let excess = (list.len() + 1).saturating_sub(MOST);
        list.drain(..excess);
        list.push(kept.clone());
        self.write(&list)?;
        let mut browsers = self.browsers();
        browsers.drain(..excess);
        browsers.push(Browser { kept, pass: watch::Sender::new(()) });
        Ok(token)
    }

    /// Whether the token was given to this origin. Every pairing is looked at, in a time that does not depend on the
    /// token.
    pub(super) fn pass(&self, origin: &str, token: &str) -> Option<Pass> {
        let mut found = None;
        for Browser { kept, pass } in &*self.browsers() {
            if constant_time_eq(kept.token.as_bytes(), token.as_bytes()) && kept.origin == origin {
                found = Some(pass.subscribe());
            }
        }
        found
    }

    /// Ends the pairing of this token and closes who came in by it. False when there is none.
    ///
    /// # Errors
    /// `storage` when that cannot be kept; the pairing then stands.
    pub(super) fn remove(&self, origin: &str, token: &str) -> Result<bool, ErrorBody> {
        // Looked for first: anybody may ask, and must not wait here for the disk.
        if self.pass(origin, token).is_none() {
            return Ok(false);
        }
        let _one_at_a_time = self.writing();
        // Another visitor may have ended it meanwhile.
        if self.pass(origin, token).is_none() {
            return Ok(false);
        }
        let mut list = self.kept();
        list.retain(|kept| kept.token != token);
        self.write(&list)?;
        self.browsers().retain(|browser| browser.kept.token != token);
        Ok(true)
    }

    /// Ends every pairing.
    ///
    /// # Errors
    /// `storage` when that cannot be kept; the pairings then stand.
    pub(super) fn clear(&self) -> Result<(), ErrorBody> {
        let _one_at_a_time = self.writing();
        self.write(&[])?;
        self.browsers().clear();
        Ok(())
    }

    fn kept(&self) -> Vec<Kept> {
        self.browsers().iter().map(|browser| browser.kept.clone()).collect()
    }

    fn browsers(&self) -> MutexGuard<'_, Vec<Browser>> {
        // A panic in between leaves the list as it was written, or as it was before.
        self.browsers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, list: &[Kept]) -> Result<(), ErrorBody> {
        let json = serde_json::to_vec(list).map_err(|e| internal(format!("cannot encode pairings: {e}")))?;
        // Temporary files are their owner's alone, and this one is put in place as it is.
        write_whole(&self.path, &json).map_err(|e| cannot_keep(&self.path, &e))
    }
}

/// The pairings of a file, and what is to be told of it. What an error says may quote a token.
fn read(path: &Path, bytes: &[u8]) -> (Vec<Kept>, Option<String>) {
    let entries: Vec<serde_json::Value> = match serde_json::from_slice(bytes) {
        Ok(entries) => entries,
        Err(error) => {
            let at = format!("line {}, column {}", error.line(), error.column());
            return (Vec::new(), Some(salvage::set_aside(path, &at)));
        }
    };
    let mut salvage = Salvage::default();
    let mut kept: Vec<Kept> = entries.into_iter().filter_map(|entry| salvage.entry(entry)).collect();
    kept.drain(..kept.len().saturating_sub(MOST));
    let clean = serde_json::to_vec(&kept).unwrap_or_default();
    let told = salvage.keep(path, bytes, &clean);
    (kept, told)
}

fn cannot_keep(path: &Path, e: &std::io::Error) -> ErrorBody {
    error(
        ErrorCode::Storage,
        format!("cannot use {}: {}", path.display(), why(e)),
        "Make it a file that you can read and write, or remove it.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FIREFOX: &str = "moz-extension://0d6c7a9e-5b1e-4f0c-9d0a-3f1b2c4d5e6f";
    const OTHER: &str = "moz-extension://11111111-5b1e-4f0c-9d0a-3f1b2c4d5e6f";

    #[test]
    fn a_token_is_good_from_its_own_origin_until_it_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let paired = Paired::of(&home).unwrap();
        let token = paired.add(FIREFOX).unwrap();
        assert!(paired.pass(FIREFOX, &token).is_some());
        assert!(paired.pass(OTHER, &token).is_none());
        assert!(paired.pass(FIREFOX, "").is_none() && paired.pass(FIREFOX, &token[1..]).is_none());
        assert!(!paired.remove(OTHER, &token).unwrap());

        let again = Paired::of(&home).unwrap();
        let pass = again.pass(FIREFOX, &token).unwrap();
        assert!(pass.has_changed().is_ok());
        let second = again.add(FIREFOX).unwrap();
        assert!(again.remove(FIREFOX, &token).unwrap());
        assert!(pass.has_changed().is_err(), "whoever is in goes");
        assert!(again.pass(FIREFOX, &token).is_none() && again.pass(FIREFOX, &second).is_some());
        assert!(Paired::of(&home).unwrap().pass(FIREFOX, &token).is_none());
        again.clear().unwrap();
        assert!(Paired::of(&home).unwrap().pass(FIREFOX, &second).is_none());
    }

    #[test]
    fn a_hundred_pairings_stand_and_a_broken_file_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let paired = Paired::of(&home).unwrap();
        let tokens: Vec<String> = (0..=MOST).map(|_| paired.add(FIREFOX).unwrap()).collect();
        assert!(paired.pass(FIREFOX, &tokens[0]).is_none() && paired.pass(FIREFOX, &tokens[1]).is_some());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(home.paired()).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::write(home.paired(), "{").unwrap();
        assert!(Paired::of(&home).unwrap().pass(FIREFOX, &tokens[1]).is_none());
        Paired::remove_file(&home).unwrap();
        Paired::remove_file(&home).unwrap();
        assert!(!home.paired().exists());
    }

    #[test]
    fn a_bad_pairing_ends_alone_and_the_file_as_it_was_is_kept_once() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let aside = |n: u32| dir.path().join(format!("paired.json.broken-{n}"));
        for (n, bad) in [
            r#"{"origin":5,"token":"x"}"#,
            r#"{"origin":"moz-extension://a"}"#,
            // No token of ours: whoever says nothing would come in.
            r#"{"origin":"moz-extension://a","token":""}"#,
            r#"{"origin":"moz-extension://a","token":"short"}"#,
            "null",
        ]
        .into_iter()
        .enumerate()
        {
            let n = u32::try_from(n).unwrap() + 1;
            let _ = std::fs::remove_file(home.paired());
            let token = Paired::of(&home).unwrap().add(FIREFOX).unwrap();
            let written = std::fs::read_to_string(home.paired()).unwrap();
            let written = format!("[{bad},{}", &written[1..]);
            std::fs::write(home.paired(), &written).unwrap();
            let paired = Paired::of(&home).unwrap();
            assert!(paired.pass(FIREFOX, &token).is_some(), "{bad}");
            assert!(paired.pass("moz-extension://a", "").is_none(), "{bad}");
            let told = paired.set_aside().unwrap_or_default();
            assert!(told.contains("1 entry") && !told.contains(&token), "{bad}: {told}");
            assert_eq!(std::fs::read_to_string(aside(n)).unwrap(), written, "{bad}");
            let next = Paired::of(&home).unwrap();
            assert!(next.pass(FIREFOX, &token).is_some() && next.set_aside().is_none(), "{bad}");
            assert!(!aside(n + 1).exists(), "once: {bad}");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                assert_eq!(std::fs::metadata(aside(n)).unwrap().permissions().mode() & 0o777, 0o600);
            }
        }
        // No list at all: none stands, and it is kept as well.
        std::fs::write(home.paired(), "{").unwrap();
        let paired = Paired::of(&home).unwrap();
        assert!(paired.set_aside().is_some_and(|told| told.contains("paired.json.broken-6")));
        assert_eq!(std::fs::read_to_string(aside(6)).unwrap(), "{");
        assert!(Paired::of(&home).unwrap().set_aside().is_none());
    }

    #[test]
    fn a_disk_that_does_not_take_a_pairing_keeps_no_other_browser_out() {
        let dir = tempfile::tempdir().unwrap();
        let paired = std::sync::Arc::new(Paired::of(&Home::at(dir.path())).unwrap());
        let token = paired.add(FIREFOX).unwrap();
        // As whoever is in the middle of writing holds it.
        let disk = paired.writing();
        let (let_in, found) = std::sync::mpsc::channel();
        for work in [
            |paired: &Paired, _: &str| paired.add(OTHER).map(drop),
            |paired: &Paired, token: &str| paired.remove(FIREFOX, token).map(drop),
        ] {
            let (paired, token) = (std::sync::Arc::clone(&paired), token.clone());
            std::thread::spawn(move || work(&paired, &token));
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        let (browser, shown) = (std::sync::Arc::clone(&paired), token.clone());
        std::thread::spawn(move || let_in.send(browser.pass(FIREFOX, &shown).is_some()));
        assert_eq!(found.recv_timeout(std::time::Duration::from_secs(20)), Ok(true));
        // Nor does one that was never paired wait for the disk: each would keep a thread.
        let (answer, answered) = std::sync::mpsc::channel();
        let visited = std::sync::Arc::clone(&paired);
        std::thread::spawn(move || {
            let strangers = [(OTHER, token.as_str()), (FIREFOX, ""), (FIREFOX, "no token")];
            let ended = strangers.map(|(origin, shown)| visited.remove(origin, shown).unwrap());
            answer.send(ended)
        });
        assert_eq!(answered.recv_timeout(std::time::Duration::from_secs(20)), Ok([false; 3]));
        drop(disk);
    }
}
