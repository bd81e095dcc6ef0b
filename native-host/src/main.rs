//! The host.

fn main() {}
