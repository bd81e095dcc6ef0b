//! Data that is not where it belongs: the database that an earlier version kept in the project, which is taken over once when
//! nothing says that it may be a stranger's; and what is offered to the person instead: such a database, and the data of a
//! project that seems to have moved.

use std::path::{Path, PathBuf};

use opentoolbar_core::model::{Author, Comment};
use opentoolbar_core::protocol::{ErrorCode, Offer, OfferKind};

use super::database::FILE;
use super::fault::Fault;
use super::in_project::Found;
use super::{earlier_pictures, examine, in_project};
use crate::hub::error::error;
use crate::hub::now;
use crate::project::{
    Catalogue, Identity, Presence, Record, is_absence, presences, private_directory, project_at,
};

/// Who wrote what came in a file, as it is shown: whoever it says, nobody here has seen them write it.
pub(super) const STRANGER: &str = "imported from a file in the repository";

/// Takes over the database that an earlier version kept in the project, when it is there and beyond doubt, or notes that it is
/// not taken over: what there is is looked at once. Returns the directory in the home; `None` when the project itself is gone.
///
/// # Errors
/// When a disk fails or is full. Nothing is decided then: it is looked at again.
pub(super) fn take_over(root: &Path, catalogue: &Catalogue) -> Result<Option<PathBuf>, Fault> {
    let found = match in_project::look(root) {
        Ok(found) => found,
        // What stood in it went with it, and is looked at when it comes back.
        Err(_) if std::fs::metadata(root).is_err_and(|error| is_absence(&error)) => return Ok(None),
        Err(error) => return Err(Fault::Io(error)),
    };
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
                return Ok(Some(directory));
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
    Ok(Some(directory))
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
    let copy = copies.join(FILE);
    if let Err(why) = examine::is_ours(&copy).map_err(Fault::Home)? {
        return Ok(Err(why));
    }
    std::fs::rename(copy, prepared.join(FILE)).map_err(Fault::Home)?;
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
    let has_data =
        own.as_ref().is_some_and(|(directory, record)| !record.is_cleared && directory.join(FILE).exists());
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
                bytes: [FILE, &format!("{FILE}-wal")].iter().map(|name| size(&directory.join(name))).sum(),
                reason: "the project that was there is gone, and this one looks like it".to_owned(),
            });
        }
    }
    if let Ok(Some(found)) = in_project::look(root)
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

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// Known projects with data that are gone from where they were, and that this one may be: the same directory under another
/// name; else those whose directory had the same name.
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

/// The comments of the database that is offered under this id, as somebody else's, from a copy of it; with how many cannot be
/// read. Blocks for as long as an examination may take.
pub(super) fn read_found(root: &Path, id: &str, catalogue: &Catalogue) -> Result<(Vec<Comment>, u32), Fault> {
    let scratch = catalogue.scratch().map_err(Fault::Home)?;
    let found = in_project::look(root)?;
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
        examine::comments(&scratch.path().join(FILE)).map_err(Fault::Home)?.map_err(|why| {
            Fault::Refused(error(
                ErrorCode::BadRequest,
                format!("nothing can be taken over from {}: {why}", in_project::path(root).display()),
                "Decline the offer; `opentoolbar projects decline` does.",
            ))
        })?;
    Ok((comments.into_iter().map(as_strangers).collect(), unreadable))
}

/// Whoever the file says wrote it, here it is nobody's that we know: not the person's, and no agent's that was connected.
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
