//! The targets, a file for each kind of border that bytes cross.

mod browser;
mod disk;
mod pages;
mod texts;
mod wire;

use crate::Target;

/// Sorted by name.
pub(crate) const TARGETS: &[Target] = &[
    pages::ANCHOR,
    browser::CAPTURE,
    texts::CHAIN,
    wire::CHUNKS,
    disk::DOCUMENTS,
    disk::EXPORT,
    wire::GATEWAY_HEADERS,
    disk::HISTORY,
    disk::HOME_FILES,
    pages::HTML,
    disk::IMPORT,
    wire::LOCAL_FRAMES,
    wire::MCP,
    wire::NATIVE_FRAMES,
    browser::PACKED,
    wire::PLAIN,
    browser::PROBE,
    wire::PROTOCOL,
    texts::REDACTION,
    browser::SELECTION,
    pages::SELECTOR,
    texts::NEUTRALISER,
];
