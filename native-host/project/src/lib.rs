//! Which project a page, a port or a working directory belongs to, which programs are behind a question, what is
//! remembered about that, and where in the home a project's data is.
//!
//! Knows nothing of connections or of what projects store.

mod catalogue;
mod changes;
mod disk;
mod mount_point;
mod origin;
mod place;
mod port;
mod processes;
mod registry;
mod repository;
mod root;

pub use catalogue::{Catalogue, Decision, Record, UnreadableRecord, may_be_project_of};
pub use catalogue::{EarlierFiles, Left, private_directory};
pub use changes::{Asked, Changed, FileAt, Known, OnChange, Watch, WordsAsked, changes, words};
pub use disk::{
    Presence, Questions, SilentDisk, ask_ahead, is_absence, presence, presences, root_of_in_more_time,
    root_of_in_time, usable_in_time,
};
pub use mount_point::{is_bare_mount_point, is_mount_point};
pub use origin::{loopback_port, origin_of};
pub use place::{Evidence, Placement, known_around, look_ahead, place};
pub use port::{owner_of_port, process_behind};
pub use processes::{Processes, asking_processes};
pub use registry::{Registry, not_gone};
pub use repository::{Tracked, tracks};
pub use root::root_of;

use std::path::Path;

use opentoolbar_core::model::Project;

/// The project with this root; `None` when the path is not UTF-8, which messages cannot carry.
pub fn project_at(root: &Path) -> Option<Project> {
    let text = root.to_str()?;
    let name = root.file_name().and_then(|name| name.to_str()).unwrap_or(text);
    Some(Project { root: text.to_owned(), name: name.to_owned() })
}
