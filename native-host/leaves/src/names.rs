//! How directories and files of ours are called, in a project and in the home.

/// The directory inside a project that is ours. What stands in it is written and never read as truth: it may have come
/// with a repository.
pub const DIRECTORY: &str = ".opentoolbar";
/// A project's database, in its directory of the home; earlier versions kept it in the project. SQLite's log and
/// journal of it begin with the same name.
pub const DATABASE: &str = "opentoolbar.db";
/// What SQLite has written and not yet put into it.
pub const DATABASE_LOG: &str = "opentoolbar.db-wal";
/// Pictures, in the directory inside a project; in that of the home those that the project itself could not take.
pub const PICTURES: &str = "screenshots";
