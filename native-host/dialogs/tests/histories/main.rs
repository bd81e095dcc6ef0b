//! Histories as programs write them, found and read in a home of the tests' own.
#![allow(clippy::unwrap_used)]

mod broken;
mod changing;
mod claude_code;
mod codex;
mod replay;
mod search;
mod vs_code;
mod workspaces;
mod world;
