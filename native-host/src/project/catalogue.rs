//! Where the data of each project is: one directory a project in the home, `projects/<id>/`, with a `project.json` that names
//! the project's real path. Nothing in a project itself says where its data is.
//!
//! Only the one hub that lives writes here.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use opentoolbar_core::model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::store::write_whole;

const VERSION: u32 = 1;
const FILE: &str = "project.json";
/// Beside it, once something was said.
const DATABASE: &str = "opentoolbar.db";
/// What stands in the home for a moment begins so.
const SCRATCH: &str = ".scratch-";
const LEFTOVER: &[u8] = SCRATCH.as_bytes();
/// Decisions that are remembered of a project.
const MOST_DECIDED: usize = 100;
/// Longest readable part of an id, in bytes.
const MAX_NAME: usize = 32;
/// Directories of other projects that may stand where this one's would be.
const MOST_COLLISIONS: u32 = 100;

/// What is known of a project beside its comments: the content of `project.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    version: u32,
    /// The project's directory, with links resolved.
    pub root: PathBuf,
    /// Device and inode of that directory when it was last used; absent where the system has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// When something was first stored.
    pub first_used: Timestamp,
    /// When the database was last opened to be written.
    pub last_used: Timestamp,
    /// What became of data that was offered to it, by the offer's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decided: BTreeMap<String, Decision>,
}

/// What became of an offer. It is not made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// The hub took it over by itself: it was its own.
    TakenOver,
    /// The person took it.
    Accepted,
    /// The person did not want it.
    Declined,
}

/// Tells a directory from every other one on this machine, also after it was renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Of what is at this path; `None` when nothing is, or the system does not tell.
    pub fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = std::fs::metadata(path).ok()?;
            Some(Self { device: metadata.dev(), inode: metadata.ino() })
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            None
        }
    }
}

/// The projects that have data.
#[derive(Debug)]
pub struct Catalogue {
    directory: PathBuf,
    /// Root -> directory of its data. `None` until the home was looked at.
    known: Mutex<Option<BTreeMap<PathBuf, PathBuf>>>,
    /// Projects that were known when their database was kept in the project itself.
    from_before: BTreeSet<PathBuf>,
}

impl Catalogue {
    /// Of the home's `projects` directory. Nothing is read or made yet.
    pub fn at(directory: PathBuf) -> Self {
        Self { directory, known: Mutex::default(), from_before: BTreeSet::new() }
    }

    /// With the projects that were known when their database was kept in the project itself.
    #[must_use]
    pub fn with_projects_from_before(self, from_before: BTreeSet<PathBuf>) -> Self {
        Self { from_before, ..self }
    }

    /// Whether a database in the project may be what an earlier version left. What there was is looked at once: then the project
    /// has a record.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn awaits_takeover(&self, root: &Path) -> io::Result<bool> {
        Ok(self.from_before.contains(root) && self.find(root)?.is_none())
    }

    /// Removes what a kill in the middle of something has left. Only while nobody else uses the home.
    pub fn sweep(&self) {
        let left = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        for entry in left.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(LEFTOVER)) {
            if let Err(error) = std::fs::remove_dir_all(entry.path()) {
                tracing::warn!(%error, "what an earlier hub left in the home cannot be removed");
            }
        }
    }

    /// A directory for copies that are looked at, its owner's alone; it goes with the value.
    ///
    /// # Errors
    /// When the home cannot be written.
    pub fn scratch(&self) -> io::Result<tempfile::TempDir> {
        private_directory(&self.directory)?;
        tempfile::Builder::new().prefix(SCRATCH).tempdir_in(&self.directory)
    }

    /// The directory that all of them are in.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the data of the project at `root` is; `None` when nothing was ever stored of it. `root`: with links resolved.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn find(&self, root: &Path) -> io::Result<Option<PathBuf>> {
        if let Some(known) = &*self.known() {
            return Ok(known.get(root).cloned());
        }
        // Read without the lock: a slow disk must not keep others from what is known.
        let read = self.read()?;
        let mut known = self.known();
        let known = known.get_or_insert_default();
        for (directory, record) in read {
            known.entry(record.root).or_insert(directory);
        }
        Ok(known.get(root).cloned())
    }

    /// The same, made when there is none, its owner's alone; notes that the project is used.
    ///
    /// # Errors
    /// When the home cannot be written.
    pub fn make(&self, root: &Path, at: Timestamp) -> io::Result<PathBuf> {
        let found = self.find(root)?;
        private_directory(&self.directory)?;
        let directory = match found {
            Some(directory) => directory,
            None => self.free(root)?,
        };
        private_directory(&directory)?;
        let before = record(&directory)?;
        let record = Record {
            version: VERSION,
            root: root.to_owned(),
            identity: Identity::of(root),
            first_used: before.as_ref().map_or(at, |before| before.first_used),
            last_used: at,
            decided: before.as_ref().map(|before| before.decided.clone()).unwrap_or_default(),
        };
        match (before, write(&directory, &record)) {
            // Whoever writes the database is told by itself that the home cannot be written.
            (Some(_), Err(error)) => tracing::warn!(%error, "when the project was last used is not noted"),
            (None, written) => written?,
            (Some(_), Ok(())) => {}
        }
        self.known().get_or_insert_default().insert(root.to_owned(), directory.clone());
        Ok(directory)
    }

    /// Makes the directory for a project that has none, without a record yet: nobody finds it before it has one.
    ///
    /// # Errors
    /// When the home cannot be written.
    pub fn reserve(&self, root: &Path) -> io::Result<PathBuf> {
        private_directory(&self.directory)?;
        let directory = self.free(root)?;
        private_directory(&directory)?;
        Ok(directory)
    }

    /// Every project with a record, and where its data is.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn records(&self) -> io::Result<Vec<(PathBuf, Record)>> {
        self.read()
    }

    /// The record of one project.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn record(&self, root: &Path) -> io::Result<Option<(PathBuf, Record)>> {
        let Some(directory) = self.find(root)? else { return Ok(None) };
        Ok(record(&directory)?.map(|record| (directory, record)))
    }

    /// Remembers what became of an offer to a project. One change of a project at a time.
    ///
    /// # Errors
    /// When the home cannot be written; it is then not remembered.
    pub fn decide(&self, root: &Path, offer: &str, decision: Decision) -> io::Result<()> {
        let Some((directory, mut record)) = self.record(root)? else {
            return Err(io::Error::other("the project has no record"));
        };
        record.decided.insert(offer.to_owned(), decision);
        while record.decided.len() > MOST_DECIDED {
            record.decided.pop_first();
        }
        write(&directory, &record)
    }

    /// Gives what is kept of one project to another, of which nothing is kept but decisions. Neither is in use meanwhile.
    ///
    /// # Errors
    /// `AlreadyExists` when something is kept of the other; `NotFound` when nothing is of the first; when the home cannot be
    /// written. Nothing is changed then.
    pub fn hand_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (directory, mut moved) = self.record(from)?.ok_or(io::ErrorKind::NotFound)?;
        if let Some((own, record)) = self.record(to)? {
            if own.join(DATABASE).exists() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            moved.decided.extend(record.decided);
            self.remove(&own)?;
            self.known().get_or_insert_default().remove(to);
        }
        moved.root = to.to_owned();
        moved.identity = Identity::of(to);
        write(&directory, &moved)?;
        let mut known = self.known();
        let known = known.get_or_insert_default();
        known.remove(from);
        known.insert(to.to_owned(), directory);
        Ok(())
    }

    /// Deletes what is kept of a project, for good. It is not in use meanwhile.
    ///
    /// # Errors
    /// When the home cannot be written.
    pub fn delete(&self, root: &Path) -> io::Result<()> {
        let Some(directory) = self.find(root)? else { return Ok(()) };
        self.remove(&directory)?;
        self.known().get_or_insert_default().remove(root);
        Ok(())
    }

    /// Out of sight in one step; what a kill leaves of it is swept.
    fn remove(&self, directory: &Path) -> io::Result<()> {
        let aside = self.scratch()?;
        let gone = aside.path().join("deleted");
        match std::fs::rename(directory, &gone) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(e),
            Ok(()) => aside.close(),
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<BTreeMap<PathBuf, PathBuf>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every directory with a record that can be read. One that cannot is logged: its project is told when it is used.
    fn read(&self) -> io::Result<Vec<(PathBuf, Record)>> {
        let entries = match std::fs::read_dir(&self.directory) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut read = Vec::new();
        for entry in entries {
            let directory = entry?.path();
            match record(&directory) {
                Ok(Some(record)) => read.push((directory, record)),
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "a project's record cannot be read"),
            }
        }
        read.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(read)
    }

    /// A directory for a project that has none: by its id, or the id with a number when that is another project's.
    fn free(&self, root: &Path) -> io::Result<PathBuf> {
        let id = id_of(root);
        for number in 1..=MOST_COLLISIONS {
            let name = if number == 1 { id.clone() } else { format!("{id}-{number}") };
            let directory = self.directory.join(name);
            // One without a record is what a kill left of the moment in which it was made.
            if record(&directory)?.is_none_or(|record| record.root == root) {
                return Ok(directory);
            }
        }
        Err(io::Error::other(format!("{MOST_COLLISIONS} directories named {id} are other projects'")))
    }
}

/// Short and readable: the directory's name and eight hexadecimal digits that depend on the whole path.
fn id_of(root: &Path) -> String {
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

/// `None` when there is none.
fn record(directory: &Path) -> io::Result<Option<Record>> {
    let path = directory.join(FILE);
    let broken = |why: String| {
        io::Error::other(format!(
            "{} cannot be read ({why}); repair it, or move its directory aside",
            path.display()
        ))
    };
    match std::fs::read(&path) {
        Ok(bytes) => match serde_json::from_slice::<Record>(&bytes) {
            Ok(record) if record.version == VERSION => Ok(Some(record)),
            Ok(record) => Err(broken(format!("its version {} is not known", record.version))),
            Err(error) => Err(broken(format!("line {}, column {}", error.line(), error.column()))),
        },
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}

fn write(directory: &Path, record: &Record) -> io::Result<()> {
    let mut json = serde_json::to_vec_pretty(record)?;
    json.push(b'\n');
    write_whole(&directory.join(FILE), &json)
}

/// Makes a directory that its owner alone may enter; one that is there and lets others in is closed to them.
fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn roots(home: &Path, names: &[&str]) -> Vec<PathBuf> {
        let make = |name: &&str| {
            let root = home.join("work").join(name);
            std::fs::create_dir_all(&root).unwrap();
            root
        };
        names.iter().map(make).collect()
    }

    #[test]
    fn an_id_is_short_readable_and_depends_on_the_whole_path() {
        for (root, name) in [
            ("/home/me/shop", "shop"),
            ("/home/me/My Shop (2)", "my-shop--2"),
            ("/home/me/\u{5e97}", "project"),
            ("/", "project"),
        ] {
            let id = id_of(Path::new(root));
            let (before, hash) = id.rsplit_once('-').unwrap();
            assert_eq!((before, hash.len()), (name, 8), "{id}");
        }
        assert_ne!(id_of(Path::new("/a/shop")), id_of(Path::new("/b/shop")));
        assert!(id_of(&PathBuf::from(format!("/{}", "x".repeat(300)))).len() <= MAX_NAME + 9);
    }

    #[test]
    fn a_project_has_one_directory_that_the_next_hub_finds() {
        let home = tempfile::tempdir().unwrap();
        let [shop, blog] = roots(home.path(), &["shop", "blog"]).try_into().unwrap();
        let catalogue = Catalogue::at(home.path().join("projects"));
        assert_eq!(catalogue.find(&shop).unwrap(), None);
        assert!(!catalogue.directory().exists(), "asking makes nothing");
        let of_shop = catalogue.make(&shop, Timestamp(1)).unwrap();
        let of_blog = catalogue.make(&blog, Timestamp(2)).unwrap();
        assert_ne!(of_shop, of_blog);
        assert_eq!(catalogue.make(&shop, Timestamp(3)).unwrap(), of_shop);
        let next = Catalogue::at(home.path().join("projects"));
        assert_eq!(next.find(&shop).unwrap(), Some(of_shop.clone()));
        assert_eq!(next.find(&blog).unwrap(), Some(of_blog));
        let record = record(&of_shop).unwrap().unwrap();
        assert_eq!((record.first_used, record.last_used), (Timestamp(1), Timestamp(3)));
        assert_eq!(record.identity, Identity::of(&shop));
    }

    #[test]
    fn what_is_kept_is_handed_over_only_to_who_has_nothing_and_deleted_whole() {
        let home = tempfile::tempdir().unwrap();
        let [shop, store, blog] = roots(home.path(), &["shop", "store", "blog"]).try_into().unwrap();
        let catalogue = Catalogue::at(home.path().join("projects"));
        for root in [&shop, &blog] {
            std::fs::write(catalogue.make(root, Timestamp(1)).unwrap().join(DATABASE), "x").unwrap();
        }
        let of_shop = catalogue.find(&shop).unwrap().unwrap();
        // It has declined something, and nothing else.
        catalogue.make(&store, Timestamp(2)).unwrap();
        catalogue.decide(&store, "found-1", Decision::Declined).unwrap();
        let refused = catalogue.hand_over(&shop, &blog).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        catalogue.hand_over(&shop, &store).unwrap();
        for catalogue in [&catalogue, &Catalogue::at(home.path().join("projects"))] {
            assert_eq!(catalogue.find(&shop).unwrap(), None);
            let (directory, record) = catalogue.record(&store).unwrap().unwrap();
            assert_eq!(directory, of_shop);
            assert_eq!(record.decided.len(), 1);
            assert_eq!(catalogue.records().unwrap().len(), 2);
        }
        // The first path is another project now, and its id is taken.
        assert_ne!(catalogue.make(&shop, Timestamp(3)).unwrap(), of_shop);
        catalogue.delete(&store).unwrap();
        assert!(!of_shop.exists());
        assert_eq!(catalogue.find(&store).unwrap(), None);
        assert_eq!(
            std::fs::read_dir(catalogue.directory()).unwrap().count(),
            2,
            "nothing is left beside them"
        );
        std::fs::create_dir(catalogue.directory().join(".scratch-left")).unwrap();
        catalogue.sweep();
        assert_eq!(std::fs::read_dir(catalogue.directory()).unwrap().count(), 2);
    }

    #[test]
    fn two_projects_whose_ids_are_the_same_have_two_directories() {
        let home = tempfile::tempdir().unwrap();
        let [shop] = roots(home.path(), &["shop"]).try_into().unwrap();
        let catalogue = Catalogue::at(home.path().join("projects"));
        let first = catalogue.make(&shop, Timestamp(1)).unwrap();
        // As if another path had the same hash.
        let mut other = record(&first).unwrap().unwrap();
        other.root = home.path().join("elsewhere");
        write(&first, &other).unwrap();
        let next = Catalogue::at(home.path().join("projects"));
        let second = next.make(&shop, Timestamp(2)).unwrap();
        assert_ne!(first, second);
        assert_eq!(next.find(&other.root).unwrap(), Some(first));
        assert_eq!(next.find(&shop).unwrap(), Some(second));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_kept_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let [shop] = roots(home.path(), &["shop"]).try_into().unwrap();
        let projects = home.path().join("projects");
        std::fs::create_dir(&projects).unwrap();
        std::fs::set_permissions(&projects, std::fs::Permissions::from_mode(0o755)).unwrap();
        let directory = Catalogue::at(projects.clone()).make(&shop, Timestamp(1)).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&projects), mode(&directory)), (0o700, 0o700));
        assert_eq!(mode(&directory.join(FILE)), 0o600);
    }

    #[test]
    fn a_record_that_cannot_be_read_is_said_and_not_written_over() {
        let home = tempfile::tempdir().unwrap();
        let [shop, blog] = roots(home.path(), &["shop", "blog"]).try_into().unwrap();
        let projects = home.path().join("projects");
        let directory = Catalogue::at(projects.clone()).make(&shop, Timestamp(1)).unwrap();
        for broken in ["", "{", "[]", r#"{"version": 99, "root": "/", "firstUsed": 1, "lastUsed": 1}"#] {
            std::fs::write(directory.join(FILE), broken).unwrap();
            let next = Catalogue::at(projects.clone());
            next.make(&blog, Timestamp(2)).unwrap();
            let error = next.make(&shop, Timestamp(2)).unwrap_err().to_string();
            assert!(error.contains("repair it"), "{error}");
            assert_eq!(std::fs::read_to_string(directory.join(FILE)).unwrap(), broken);
        }
    }
}
