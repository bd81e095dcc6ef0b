//! Names of projects' directories in the home.

use std::ffi::OsStr;
use std::hash::Hasher;
use std::path::Path;

/// Longest readable part of an id, in bytes.
pub(super) const MAX_NAME: usize = 32;

/// Short and readable: the directory's name and eight hexadecimal digits that depend on the whole path.
pub(super) fn id_of(root: &Path) -> String {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(root.as_os_str().as_encoded_bytes());
    let hash = hasher.finish();
    let folded = (hash >> 32) ^ (hash & 0xffff_ffff);
    let name = root.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = name.chars().map(plain).take(MAX_NAME).collect();
    let name = name.trim_matches('-');
    format!("{}-{folded:08x}", if name.is_empty() { "project" } else { name })
}

/// The id of a project whose first ids are taken; numbers from 1.
pub(super) fn numbered(id: &str, number: u32) -> String {
    if number == 1 { id.to_owned() } else { format!("{id}-{number}") }
}

/// Whether a record that cannot be read may be that project's: it says so, or its directory is named so.
pub fn may_be_project_of(id: &str, said: Option<impl AsRef<Path>>, root: &Path) -> bool {
    said.is_some_and(|said| said.as_ref() == root)
        || id.strip_prefix(&id_of(root)).is_some_and(|rest| {
            rest.is_empty() || rest.strip_prefix('-').is_some_and(|number| number.parse::<u32>().is_ok())
        })
}
