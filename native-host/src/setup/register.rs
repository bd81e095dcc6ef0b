//! Writes and removes manifests. A file that is not ours is never touched.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::browser::{Browser, Family, Places};
use super::manifest::Manifest;
use super::record::Record;

/// What happened to one file, or would happen.
#[derive(Debug)]
pub enum Effect {
    /// Written, new or over an older one of ours.
    Written,
    /// It was there already, the same.
    Unchanged,
    /// Removed.
    Removed,
    /// A directory that setup had made and that is empty now.
    RemovedDirectory,
    /// Somebody else's file stands there; left alone.
    Foreign,
    /// It could not be done.
    Failed(io::Error),
}

/// One file and what happened to it.
#[derive(Debug)]
pub struct Change {
    /// Whose place it is: a browser, or the profile named by hand.
    pub place: String,
    /// The file or directory.
    pub path: PathBuf,
    /// What happened.
    pub effect: Effect,
}

/// Writes a file whole or not at all.
pub(super) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(content)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Registers `program` for the browsers, or for one Chromium profile directory only.
/// With `dry_run` nothing is written and the changes say what would be.
pub fn register(
    program: &Path,
    places: &Places,
    browsers: &[Browser],
    profile: Option<&Path>,
    record: &mut Record,
    dry_run: bool,
) -> Vec<Change> {
    let targets: Vec<(String, PathBuf, Family, Option<Browser>)> = match profile {
        Some(profile) => {
            vec![(
                profile.display().to_string(),
                profile.join("NativeMessagingHosts"),
                Family::Chromium,
                None,
            )]
        }
        None => browsers
            .iter()
            .map(|browser| {
                (browser.name().to_owned(), places.manifests(*browser), browser.family(), Some(*browser))
            })
            .collect(),
    };
    targets
        .into_iter()
        .map(|(place, directory, family, browser)| {
            let path = directory.join(Manifest::file_name());
            let text = Manifest::new(family, program).text();
            let effect = write_manifest(&path, &text, record, dry_run).unwrap_or_else(Effect::Failed);
            let effect = match (&effect, browser) {
                (Effect::Written | Effect::Unchanged, Some(browser)) if !dry_run => {
                    tell_windows(browser, &path).map_or_else(Effect::Failed, |()| effect)
                }
                _ => effect,
            };
            Change { place, path, effect }
        })
        .collect()
}

fn write_manifest(path: &Path, text: &str, record: &mut Record, dry_run: bool) -> io::Result<Effect> {
    match std::fs::read(path) {
        Ok(content) if content == text.as_bytes() => {
            record.files.insert(path.to_owned());
            return Ok(Effect::Unchanged);
        }
        Ok(content) if !Manifest::is_ours(&content) => return Ok(Effect::Foreign),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    if dry_run {
        return Ok(Effect::Written);
    }
    if let Some(directory) = path.parent() {
        let missing: Vec<PathBuf> =
            directory.ancestors().take_while(|ancestor| !ancestor.exists()).map(Path::to_owned).collect();
        std::fs::create_dir_all(directory)?;
        record.directories.extend(missing);
    }
    write_whole(path, text.as_bytes())?;
    record.files.insert(path.to_owned());
    Ok(Effect::Written)
}

/// Removes our manifests from every place of `browsers`, from `profile`, and, when neither limits it, from everywhere
/// that the record knows; then the directories that setup made, if they are empty.
pub fn unregister(
    places: &Places,
    browsers: &[Browser],
    profile: Option<&Path>,
    everything: bool,
    record: &mut Record,
    dry_run: bool,
) -> Vec<Change> {
    let name = Manifest::file_name();
    let mut targets: Vec<(String, PathBuf)> = match profile {
        Some(profile) => {
            vec![(profile.display().to_string(), profile.join("NativeMessagingHosts").join(&name))]
        }
        None => browsers
            .iter()
            .map(|browser| (browser.name().to_owned(), places.manifests(*browser).join(&name)))
            .collect(),
    };
    if everything {
        let known: Vec<_> = record
            .files
            .iter()
            .filter(|file| !targets.iter().any(|(_, path)| path == *file))
            .cloned()
            .collect();
        targets.extend(known.into_iter().map(|path| ("recorded".to_owned(), path)));
    }
    let mut changes = Vec::new();
    for (place, path) in targets {
        let effect = match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                record.files.remove(&path);
                continue;
            }
            Err(error) => Effect::Failed(error),
            Ok(content) if !Manifest::is_ours(&content) => Effect::Foreign,
            Ok(_) if dry_run => Effect::Removed,
            Ok(_) => std::fs::remove_file(&path).map_or_else(Effect::Failed, |()| Effect::Removed),
        };
        if matches!(effect, Effect::Removed) && !dry_run {
            record.files.remove(&path);
        }
        changes.push(Change { place, path, effect });
    }
    if !dry_run {
        for browser in browsers.iter().filter(|_| profile.is_none()) {
            if let Err(error) = forget_windows(*browser) {
                let place = browser.name().to_owned();
                changes.push(Change {
                    path: PathBuf::from("the registry"),
                    effect: Effect::Failed(error),
                    place,
                });
            }
        }
        changes.extend(remove_directories(record));
    }
    changes
}

/// Deepest first. One that holds anything is left alone, and still ours while a manifest of ours is in it.
fn remove_directories(record: &mut Record) -> Vec<Change> {
    let mut changes = Vec::new();
    for directory in record.directories.clone().into_iter().rev() {
        if record.files.iter().any(|file| file.starts_with(&directory)) {
            continue;
        }
        // Removes an empty directory only: what a browser put there since stays.
        if std::fs::remove_dir(&directory).is_ok() {
            changes.push(Change {
                place: "made by setup".to_owned(),
                path: directory.clone(),
                effect: Effect::RemovedDirectory,
            });
        }
        record.directories.remove(&directory);
    }
    changes
}

#[cfg(windows)]
fn tell_windows(browser: Browser, manifest: &Path) -> io::Result<()> {
    super::windows::tell(browser.registry_key(), manifest)
}

#[cfg(windows)]
fn forget_windows(browser: Browser) -> io::Result<()> {
    super::windows::forget(browser.registry_key())
}

#[cfg(not(windows))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Windows, where the registry can refuse")]
fn tell_windows(_browser: Browser, _manifest: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(windows))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Windows, where the registry can refuse")]
fn forget_windows(_browser: Browser) -> io::Result<()> {
    Ok(())
}
