//! How long a store may write into its project's directory. A thread that waited for a disk gets on long after its
//! store has ended, and would put what was said then in the place of what another store wrote meanwhile.

use std::io::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looked at right before each change of a directory. Clones end together.
#[derive(Clone, Debug, Default)]
pub struct Lease(Arc<AtomicBool>);

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
#[error("its store has ended")]
struct Ended;

impl Lease {
    /// Nothing is begun under it any more. What the system is doing by then it does.
    pub fn revoke(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was revoked.
    pub fn is_revoked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// # Errors
    /// When it was revoked, which [`Lease::ended`] tells.
    pub(super) fn check(&self) -> Result<()> {
        if self.is_revoked() { Err(Error::other(Ended)) } else { Ok(()) }
    }

    /// Whether this is what [`Lease::check`] said.
    pub fn ended(error: &Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Ended>())
    }
}
