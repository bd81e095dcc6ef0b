//! Files of the home of which one bad entry costs itself alone. What cannot be read is left out, and the file as it was
//! is kept beside it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::files::write_whole;
use crate::why::why;

/// Kept beside a file, at most.
const MOST_ASIDE: u32 = 1_000;

/// Told to `status`, at most: a gateway that opens again may find another file.
const MOST_TOLD: usize = 20;

/// What could not be read of the home's files since the hub started.
#[derive(Debug, Default)]
pub struct SetAside(Mutex<Vec<String>>);

impl SetAside {
    /// What a file said of itself, if anything.
    pub fn note(&self, told: Option<&str>) {
        let Some(told) = told else { return };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(told.to_owned());
        let excess = all.len().saturating_sub(MOST_TOLD);
        all.drain(..excess);
    }

    /// The oldest first.
    pub fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Decodes what can be, and counts what cannot.
#[derive(Debug, Default)]
pub struct Salvage {
    /// Entries that were left out. A collection that is none counts for one.
    pub left_out: usize,
}

impl Salvage {
    /// One value.
    pub fn entry<T: DeserializeOwned>(&mut self, value: Value) -> Option<T> {
        let read = serde_json::from_value(value).ok();
        self.left_out += usize::from(read.is_none());
        read
    }

    /// The entries of a list; of none there are none.
    pub fn list<T: DeserializeOwned, C: FromIterator<T>>(&mut self, value: Option<Value>) -> C {
        let entries: Vec<Value> = value.and_then(|value| self.entry(value)).unwrap_or_default();
        entries.into_iter().filter_map(|value| self.entry(value)).collect()
    }

    /// The entries of an object, by key.
    pub fn object<K, V, C>(&mut self, value: Option<Value>) -> C
    where
        K: DeserializeOwned,
        V: DeserializeOwned,
        C: FromIterator<(K, V)>,
    {
        let entries: serde_json::Map<String, Value> =
            value.and_then(|value| self.entry(value)).unwrap_or_default();
        // Key and value are one entry.
        let entries = entries.into_iter().map(|(key, value)| Value::Array(vec![key.into(), value]));
        entries.filter_map(|pair| self.entry(pair)).collect()
    }

    /// Keeps the file as it was when something was left out, puts `clean` in its place, and gives what is to be told.
    pub fn keep(&self, path: &Path, before: &[u8], clean: &[u8]) -> Option<String> {
        let entries = match self.left_out {
            0 => return None,
            1 => "1 entry".to_owned(),
            more => format!("{more} entries"),
        };
        let kept = free_name(path).and_then(|aside| {
            // Its owner's alone, as it may hold what opens the gateway.
            write_whole(&aside, before).map_err(|error| why(&error).to_string()).map(|()| aside)
        });
        // Without it the file itself stays as it was, as long as nothing is to be written into it.
        if kept.is_ok()
            && let Err(error) = write_whole(path, clean)
        {
            tracing::warn!(path = %path.display(), %error, "what could be read is not written in its place");
        }
        Some(told(path, &format!("{entries} could not be read and is left out"), kept))
    }
}

/// Gives a file that cannot be read at all another name, and says what is to be told: why, in words that quote nothing
/// of it.
pub fn set_aside(path: &Path, why_not: &str) -> String {
    let kept = free_name(path).and_then(|aside| {
        std::fs::rename(path, &aside).map_err(|error| why(&error).to_string()).map(|()| aside)
    });
    told(path, &format!("it could not be read ({why_not}) and starts afresh"), kept)
}

/// `<name>.broken-<n>`.
fn free_name(path: &Path) -> Result<PathBuf, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    (1..MOST_ASIDE)
        .map(|n| path.with_file_name(format!("{name}.broken-{n}")))
        .find(|aside| aside.symlink_metadata().is_err())
        .ok_or_else(|| "there are too many of them".to_owned())
}

fn told(path: &Path, what: &str, kept: Result<PathBuf, String>) -> String {
    let told = match kept {
        Ok(aside) => format!("{}: {what}; as it was it is kept as {}", path.display(), aside.display()),
        Err(error) => format!("{}: {what}; it could not be kept as it was: {error}", path.display()),
    };
    tracing::error!("{told}");
    told
}
