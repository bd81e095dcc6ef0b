//! What developer verbs stand on, those of `xtask` and those of `lab`: running one step and reporting it, finding the
//! tools it needs, building what is tried, and where things are. Knows the workspace's folders and commands, and
//! nothing of what is inside the crates.
#![allow(clippy::print_stdout, reason = "a developer tool talks on stdout; it carries no protocol")]

pub mod build;
pub mod step;
pub mod tools;
pub mod workspace;
