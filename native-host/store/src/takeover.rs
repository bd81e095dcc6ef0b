//! Data that is not where it belongs: the database that an earlier version kept in the project, which is taken over
//! once when nothing says that it may be a stranger's; and what is offered to the person instead: such a database, and
//! the data of a project that seems to have moved.

use std::path::{Path, PathBuf};

use opentoolbar_core::model::{Author, Comment};
use opentoolbar_core::protocol::{ErrorCode, Offer, OfferKind};

use super::fault::{Fault, is_of_a_late_program};
use super::in_project::Found;
use super::{earlier_pictures, examine, in_project};
use opentoolbar_leaves::clock::now;
use opentoolbar_leaves::error::error;
use opentoolbar_leaves::files::Identity;
use opentoolbar_leaves::names::{DATABASE, DATABASE_LOG, DIRECTORY};
use opentoolbar_project::{
    Catalogue, Presence, Record, Tracked, is_absence, is_bare_mount_point, presences, private_directory,
    project_at, tracks,
};

/// Who wrote what came in a file, as it is shown: whoever it says, nobody here has seen them write it.
pub(super) const STRANGER: &str = "imported from a file in the repository";

/// What became of the database that an earlier version kept in a project.
pub(super) enum Outcome {
    /// It was taken over or not, for good. Where the home keeps the project's data.
    Decided(PathBuf),
    /// The project is gone. What stood in it went with it, and is looked at when it comes back.
    Gone,
    /// Nobody says in time what it is. The project is used without it: it is offered, and may still be taken over as
    /// long as nothing else is kept of the project.
    Undecided,
}

/// Takes over the database that an earlier version kept in the project, when it is there and beyond doubt, or notes
/// that it is not taken over: what there is is looked at once.
///
/// # Errors
/// When a disk fails or is full, or programs that are asked about it are not done in time. Nothing is decided then: it
/// is looked at again.
pub(super) fn take_over(root: &Path, catalogue: &Catalogue) -> Result<Outcome, Fault> {
    let patience = catalogue.patience();
    if !patience.is_worth_a_try(root) {
        return Ok(Outcome::Undecided);
    }
    let done = decide(root, catalogue);
    if !patience.were_asked(root, done.as_ref().is_err_and(Fault::is_of_a_late_program)) {
        patience.is_anew(root);
    }
    if patience.is_at_its_end(root) {
        tracing::warn!(
            "whether the database in the project is an earlier version's is not said in time; the project goes on without it"
        );
        return Ok(Outcome::Undecided);
    }
    done
}

fn decide(root: &Path, catalogue: &Catalogue) -> Result<Outcome, Fault> {
    let found = match in_project::look(root, || tracks(root, DIRECTORY).map(Some)) {
        Ok(found) => found,
        Err(_) if std::fs::metadata(root).is_err_and(|error| is_absence(&error)) => return Ok(Outcome::Gone),
        Err(error) => return Err(Fault::Io(error)),
    };
    if found.is_none() && is_not_mounted(root, catalogue) {
        return Err(Fault::NotMounted);
    }
    if let Some(found) = &found {
        let adopted = match doubt(root, found, catalogue) {
            Some(doubt) => {
                // What a disk does not answer any more looks like a doubt.
                found.files.database.is_unchanged()?;
                Err(doubt.to_owned())
            }
            None => adopt(root, found, catalogue)?,
        };
        match adopted {
            Ok(directory) => {
                catalogue.was_looked_at(root);
                tracing::info!(
                    "the database that stood in the project is taken over into the home; the old one is left"
                );
                return Ok(Outcome::Decided(directory));
            }
            Err(why) => {
                tracing::warn!(
                    why,
                    "the database in the project is not taken over; `opentoolbar projects` offers it"
                );
            }
        }
    }
    // What comes later comes from somebody else.
    let directory = catalogue.make(root, now()).map_err(Fault::Home)?;
    catalogue.was_looked_at(root);
    Ok(Outcome::Decided(directory))
}

/// Whether the disk is not mounted that had the project at the update: what is in it cannot be told. Not for ever, as
/// numbers of disks change, and the directory may have been emptied.
fn is_not_mounted(root: &Path, catalogue: &Catalogue) -> bool {
    let was = catalogue.left_in(root).and_then(|left| left.root());
    was.is_some_and(|was| is_bare_mount_point(root, was))
        && catalogue.may_be_mounted_later(root, Identity::of_directory(root))
}

/// Why a database in a project that was known before the update may be a stranger's.
fn doubt(root: &Path, found: &Found, catalogue: &Catalogue) -> Option<&'static str> {
    let was_there = || catalogue.left_in(root).is_some_and(|left| left.is(&found.files));
    found.doubt.or_else(|| {
        (!was_there()).then_some("it was not seen here, as it is now, when opentoolbar was updated")
    })
}

/// Puts a copy into the home when it is as one of our versions made it, with its pictures. Returns where it is; or why
/// it may be a stranger's, which no error of a disk says.
fn adopt(root: &Path, found: &Found, catalogue: &Catalogue) -> Result<Result<PathBuf, String>, Fault> {
    let scratch = catalogue.scratch().map_err(Fault::Home)?;
    let copies = scratch.path().join("copies");
    let prepared = scratch.path().join("prepared");
    for directory in [&copies, &prepared] {
        private_directory(directory).map_err(Fault::Home)?;
    }
    let fingerprint = match found.copy_with_log(&copies)? {
        Ok(fingerprint) => fingerprint,
        Err(changed) => return Ok(Err(changed.to_owned())),
    };
    let copy = copies.join(DATABASE);
    if let Err(why) = examine::is_ours(&copy).map_err(Fault::Home)? {
        return Ok(Err(why));
    }
    std::fs::rename(copy, prepared.join(DATABASE)).map_err(Fault::Home)?;
    if let Some(left) = catalogue.left_in(root)
        && let Err(error) = earlier_pictures::keep(&found.files, &left, &prepared)
    {
        if error.is_of_a_disk() {
            return Err(error);
        }
        tracing::warn!(%error, "pictures of comments could not be taken over; their comments are");
    }
    catalogue.install(root, &prepared, &found_id(&fingerprint), now()).map(Ok).map_err(Fault::Home)
}

fn found_id(fingerprint: &str) -> String {
    format!("found-{fingerprint}")
}

/// What could belong to the project at `root` and is the person's to decide. What was decided is not among it.
pub(super) fn offers(root: &Path, catalogue: &Catalogue) -> std::io::Result<Vec<Offer>> {
    // A project whose record cannot be read says so itself, whatever is asked of it.
    let Ok(own) = catalogue.record(root) else { return Ok(Vec::new()) };
    let is_open = |id: &str| own.as_ref().is_none_or(|(_, record)| !record.decided.contains_key(id));
    let has_data = own
        .as_ref()
        .is_some_and(|(directory, record)| !record.is_cleared && directory.join(DATABASE).exists());
    let Some(project) = project_at(root) else { return Ok(Vec::new()) };
    let mut offers = Vec::new();
    if !has_data {
        for (directory, record) in moved(root, catalogue)? {
            let Some(name) = directory.file_name().and_then(|name| name.to_str()) else { continue };
            offers.push(Offer {
                id: format!("moved-{name}"),
                project: project.clone(),
                kind: OfferKind::Moved,
                from: record.root.to_string_lossy().into_owned(),
                bytes: [DATABASE, DATABASE_LOG].iter().map(|name| size(&directory.join(name))).sum(),
                reason: "the project that was there is gone, and this one looks like it".to_owned(),
            });
        }
    }
    if let Ok(Some(found)) = in_project::look(root, || tracked_for_offer(root, catalogue))
        && let Ok(fingerprint) = found.fingerprint()
    {
        let doubt = if catalogue.is_from_before(root) { doubt(root, &found, catalogue) } else { found.doubt };
        let reason = match found.is_too_large_to_read() {
            true => "it is larger than what is read of a file in a project, and can only be declined",
            false => doubt.unwrap_or("it was not made by this opentoolbar"),
        };
        offers.push(Offer {
            id: found_id(&fingerprint),
            project,
            kind: OfferKind::Found,
            from: in_project::path(root).to_string_lossy().into_owned(),
            bytes: found.bytes(),
            reason: reason.to_owned(),
        });
    }
    offers.retain(|offer| is_open(&offer.id));
    Ok(offers)
}

/// Who looks for offers waits no longer than who uses the project.
fn tracked_for_offer(root: &Path, catalogue: &Catalogue) -> std::io::Result<Option<Tracked>> {
    let patience = catalogue.patience();
    if patience.is_at_its_end(root) {
        return Ok(None);
    }
    let told = tracks(root, DIRECTORY);
    patience.were_asked(root, told.as_ref().is_err_and(is_of_a_late_program));
    told.map(Some)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// Known projects with data that are gone from where they were, and that this one may be: the same directory under
/// another name; else those whose directory had the same name.
fn moved(root: &Path, catalogue: &Catalogue) -> std::io::Result<Vec<(PathBuf, Record)>> {
    let mut gone = catalogue.with_data()?;
    gone.retain(|(_, record)| record.root != root);
    let roots: Vec<PathBuf> = gone.iter().map(|(_, record)| record.root.clone()).collect();
    // One whose disk does not answer may be there, and delays nobody.
    let mut is_gone = presences(&roots).into_iter().map(|found| found == Presence::Gone);
    gone.retain(|_| is_gone.next() == Some(true));
    let here = Identity::of(root);
    let is_same = |record: &Record| here.is_some() && record.identity == here;
    if gone.iter().any(|(_, record)| is_same(record)) {
        gone.retain(|(_, record)| is_same(record));
    } else {
        gone.retain(|(_, record)| record.root.file_name() == root.file_name());
    }
    Ok(gone)
}

/// The comments of the database that is offered under this id, as somebody else's, from a copy of it; with how many
/// cannot be read. Blocks for as long as an examination may take.
pub(super) fn read_found(root: &Path, id: &str, catalogue: &Catalogue) -> Result<(Vec<Comment>, u32), Fault> {
    let scratch = catalogue.scratch().map_err(Fault::Home)?;
    // As somebody else's, whatever git says.
    let found = in_project::look(root, || Ok(None))?;
    if let Some(found) = found.as_ref().filter(|found| found.is_too_large_to_read()) {
        return Err(Fault::Refused(error(
            ErrorCode::TooLarge,
            format!(
                "{} has {} bytes, more than is read of a file in a project",
                in_project::path(root).display(),
                found.bytes()
            ),
            "Decline the offer; `opentoolbar projects decline` does. The file stays where it is.",
        )));
    }
    let copied = found.map(|found| found.copy_as_strangers(scratch.path())).transpose()?;
    if copied.is_none_or(|fingerprint| found_id(&fingerprint) != id) {
        return Err(Fault::Refused(error(
            ErrorCode::Conflict,
            "the file in the project has changed since it was offered",
            "Run `opentoolbar projects` again and look at what is offered now.",
        )));
    }
    let (comments, unreadable) =
        examine::comments(&scratch.path().join(DATABASE)).map_err(Fault::Home)?.map_err(|why| {
            Fault::Refused(error(
                ErrorCode::BadRequest,
                format!("nothing can be taken over from {}: {why}", in_project::path(root).display()),
                "Decline the offer; `opentoolbar projects decline` does.",
            ))
        })?;
    Ok((comments.into_iter().map(as_strangers).collect(), unreadable))
}

/// Whoever the file says wrote it, here it is nobody's that we know: not the person's, and no agent's that was
/// connected.
fn as_strangers(comment: Comment) -> Comment {
    let stranger = || Author::Agent { name: STRANGER.to_owned() };
    let mut comment =
        Comment { author: stranger(), session_id: None, screenshot: None, ..comment }.redacted();
    for reply in &mut comment.replies {
        reply.author = stranger();
    }
    if let Some(resolution) = &mut comment.resolution {
        resolution.by = stranger();
    }
    for entry in &mut comment.history {
        entry.by = stranger();
    }
    comment
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;
    use std::process::Command;
    use std::time::Duration;

    use opentoolbar_core::model::Timestamp;
    use opentoolbar_core::protocol::{ErrorCode, FeedbackQuery};

    use super::*;
    use crate::{Store, Stores};

    fn comment() -> Comment {
        serde_json::from_value(serde_json::json!({
            "id": "c_1", "revision": 1, "url": "http://shop.test/", "pathname": "/", "title": "Shop",
            "status": "active", "stage": "open", "text": "blue", "author": { "kind": "person" },
            "targets": [{
                "snapshot": {
                    "tag": "button", "classes": [], "ownText": "", "text": "",
                    "box": { "x": 0, "y": 0, "width": 80, "height": 24 }
                },
                "selector": "button", "anchor": "AQ=="
            }],
            "createdAt": 1_700_000_000_000_u64, "updatedAt": 1_700_000_000_000_u64
        }))
        .unwrap()
    }

    const MINUTE: Duration = Duration::from_secs(60);

    /// A project with a database of before the update, and a git that waits for ever when it reads its index.
    struct Late {
        stores: Stores,
        root: PathBuf,
        _directory: tempfile::TempDir,
    }

    impl Late {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = directory.path().canonicalize().unwrap().join("shop");
            std::fs::create_dir_all(root.join(DIRECTORY)).unwrap();
            std::fs::write(in_project::path(&root), "content").unwrap();
            assert!(Command::new("git").args(["init", "-q"]).arg(&root).status().unwrap().success());
            assert!(Command::new("mkfifo").arg(root.join(".git/index")).status().unwrap().success());
            let catalogue = Catalogue::at(directory.path().join("projects"));
            let catalogue = catalogue.with_projects_from_before(BTreeSet::from([root.clone()]), true);
            Self { stores: Stores::new(catalogue), root, _directory: directory }
        }

        /// As if it had been tried so often before, for two minutes until so long ago.
        fn had_tried(&self, tries: u32, last: Duration) {
            self.stores.catalogue().patience().had_tried(&self.root, tries, last + 2 * MINUTE, last);
        }

        fn store(&self) -> std::sync::Arc<Store> {
            self.stores.of(&self.root)
        }

        async fn total(&self) -> u32 {
            self.store().feedback(FeedbackQuery::default()).await.unwrap().summary.total
        }

        fn awaits(&self) -> bool {
            self.stores.catalogue().awaits_takeover(&self.root).unwrap()
        }
    }

    #[tokio::test]
    async fn a_git_that_is_never_done_keeps_nobody_out_of_the_project_and_decides_nothing() {
        let late = Late::new();
        late.had_tried(1, Duration::ZERO);
        let refused = late.store().feedback(FeedbackQuery::default()).await.unwrap_err();
        assert!(refused.code == ErrorCode::Storage && refused.message.contains("git"), "{refused}");
        assert_eq!(late.total().await, 0, "the third time it goes on");
        let offers = late.stores.offers(&late.root).unwrap();
        assert!(offers.len() == 1 && offers[0].reason.contains("in time"), "{offers:?}");
        assert!(late.awaits());
        // Later git is asked again.
        late.had_tried(3, 20 * MINUTE);
        std::fs::remove_file(late.root.join(".git/index")).unwrap();
        assert_eq!(late.total().await, 0);
        assert!(!late.awaits(), "it was looked at: it is none of ours");
        assert_eq!(std::fs::read(in_project::path(&late.root)).unwrap(), b"content");
        assert!(!late.stores.offers(&late.root).unwrap()[0].reason.contains("in time"));
    }

    #[tokio::test]
    async fn what_is_stored_while_git_is_late_stays_and_the_old_database_is_offered() {
        let late = Late::new();
        late.had_tried(3, Duration::ZERO);
        let comment = comment();
        late.store().create("m_1".parse().unwrap(), comment, None, Timestamp(1), |_| ()).await.unwrap();
        assert_eq!(late.total().await, 1);
        assert!(!late.awaits(), "something else is kept of it");
        assert_eq!(late.stores.offers(&late.root).unwrap().len(), 1);
        late.had_tried(3, 20 * MINUTE);
        std::fs::remove_file(late.root.join(".git/index")).unwrap();
        assert_eq!(late.total().await, 1);
        assert_eq!(std::fs::read(in_project::path(&late.root)).unwrap(), b"content");
    }
}
