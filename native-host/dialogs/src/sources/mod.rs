//! The sources, a file each.

mod claude_code;
mod codex;
mod reader;
mod vs_code;

use crate::places::Places;

pub(crate) use claude_code::unwrapped;
pub(crate) use reader::{Listing, Reader};

/// One for each program.
pub(crate) fn readers(places: Places) -> Vec<Box<dyn Reader>> {
    let mut readers: Vec<Box<dyn Reader>> = Vec::new();
    for (source, user) in places.vs_code {
        readers.push(Box::new(vs_code::VsCode::new(source, user)));
    }
    if let Some(projects) = places.claude_code {
        readers.push(Box::new(claude_code::ClaudeCode::new(projects)));
    }
    if !places.codex.is_empty() {
        readers.push(Box::new(codex::Codex::new(places.codex)));
    }
    readers
}
