//! TypeScript as far as rooms need it: its files, what each imports, and which file uses which.

pub(super) mod arrows;
pub(super) mod imports;
pub(super) mod sources;
