//! What others do, written from their papers, asked about the same targets in the same run. Only ratios to them are
//! wanted: nothing of it is part of the product.
//!
//! None of them says by itself that an element is gone; each gives its guess and a score, and the score's threshold is
//! tuned in its favour (see `rows`).

mod approximate;
mod element;
mod guess;
mod quote;
mod sftm;
mod similo;
mod similo_2022;
mod similo_2025;
mod text_compare;
mod xpath;

use opentoolbar_core::page::Page;

use crate::corpus::Pair;
pub(super) use guess::Guess;

/// A method of others.
pub(super) struct Peer {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// A guess with its score for each target, in order.
    pub(super) locate: fn(&Pair) -> Vec<Guess>,
}

/// Milliseconds to make an old and a new page ready, and for one target, the mean of those given.
type Speed = fn(&Page, &Page, &[u32]) -> (f64, f64);

/// The peers that speed is compared with.
pub(super) const SIMILO: [(&str, Speed); 2] = [
    (SIMILO_2022, similo::speed::<similo_2022::Properties>),
    (SIMILO_2025, similo::speed::<similo_2025::Properties>),
];

const SIMILO_2022: &str = "Similo 2022";
const SIMILO_2025: &str = "Similo 2025";

pub(super) const PEERS: &[Peer] = &[
    Peer {
        name: SIMILO_2022,
        about: "Nass et al., Similarity-based Web Element Localization, 14 properties, weights 1.5 and 0.5",
        locate: |pair| {
            similo::locate::<similo_2022::Properties>(&pair.old.page, &pair.new.page, &targets(pair))
        },
    },
    Peer {
        name: SIMILO_2025,
        about: "Kluge and Stocco, Web Element Relocalization, optimised weights and comparisons",
        locate: |pair| {
            similo::locate::<similo_2025::Properties>(&pair.old.page, &pair.new.page, &targets(pair))
        },
    },
    Peer {
        name: "SFTM with texts",
        about: "Brisset et al., flexible tree matching of both whole pages; the best pair first instead of Metropolis",
        locate: |pair| sftm::locate(&pair.old.page, &pair.new.page, &targets(pair)),
    },
    Peer {
        name: "text quote",
        about: "Hypothes.is style: the element's text with 32 characters before and after, searched with errors",
        locate: |pair| quote::locate(&pair.old.page, &pair.new.page, &targets(pair)),
    },
    Peer {
        name: "XPath, absolute",
        about: "tags and places from the root",
        locate: |pair| xpath::locate(&pair.old.page, &pair.new.page, &targets(pair), xpath::From::Root),
    },
    Peer {
        name: "XPath, from id",
        about: "tags and places from the nearest element with an id",
        locate: |pair| xpath::locate(&pair.old.page, &pair.new.page, &targets(pair), xpath::From::NearestId),
    },
];

fn targets(pair: &Pair) -> Vec<u32> {
    pair.targets.iter().map(|target| target.old).collect()
}
