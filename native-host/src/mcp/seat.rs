//! What is remembered of one agent: for as long as its process serves it, its session over HTTP lasts, or it goes on
//! asking without one.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tokio::sync::watch;

use super::context::Context;
use super::link::Link;
use super::offer::Offer;
use super::resources::Subscriptions;
use super::underway::Underway;

/// One agent's.
pub(crate) struct Seat {
    pub(super) context: Context,
    pub(super) underway: Underway,
    pub(super) offer: Offer,
    pub(super) subscriptions: Subscriptions,
    /// Whether changes are told to the client.
    pub(super) tells: AtomicBool,
    /// Of an agent whose end is no end of this process: ends what still waits for it.
    _gone: Option<watch::Sender<bool>>,
}

impl Seat {
    /// `gone` turns true when the client is gone.
    pub(super) fn new(
        directory: PathBuf,
        offer: Offer,
        underway: Underway,
        gone: watch::Receiver<bool>,
    ) -> Self {
        let context =
            Context { marks: !offer.is_read_only(), news: offer.news(), ..Context::new(directory, gone) };
        Self {
            context,
            underway,
            offer,
            subscriptions: Subscriptions::default(),
            tells: AtomicBool::default(),
            _gone: None,
        }
    }

    /// For one that comes to the hub's own process, called so until it says its name. It is over when it is dropped.
    pub(super) fn in_the_hub(directory: PathBuf, name: String) -> Self {
        let (gone, receiver) = watch::channel(false);
        let mut seat = Self::new(directory.clone(), Offer::default(), Underway::default(), receiver);
        seat.context.link = Link::to_this_hub(directory, name);
        seat._gone = Some(gone);
        seat
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.context.link.end();
    }
}
