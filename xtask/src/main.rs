//! Developer verbs.

fn main() {}
