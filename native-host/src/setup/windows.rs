//! On Windows a registry key of the user names each manifest; browsers do not look into directories.

use std::io;
use std::path::Path;

use winreg::RegKey;
use winreg::enums::HKEY_CURRENT_USER;

use crate::identity::Identity;

fn key(hosts: &str) -> String {
    format!("{hosts}\\{}", Identity::get().native_host)
}

/// Makes the key under `hosts` name the manifest.
pub(super) fn tell(hosts: &str, manifest: &Path) -> io::Result<()> {
    let (key, _) = RegKey::predef(HKEY_CURRENT_USER).create_subkey(key(hosts))?;
    key.set_value("", &manifest.as_os_str())
}

/// Removes the key; the name is ours alone.
pub(super) fn forget(hosts: &str) -> io::Result<()> {
    match RegKey::predef(HKEY_CURRENT_USER).delete_subkey(key(hosts)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
