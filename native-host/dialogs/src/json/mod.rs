//! JSON of any size as a stream: what is wanted of it with its place in the file, everything else passed over.

mod bytes;
mod read;
mod window;

pub(crate) use bytes::Bytes;
pub(crate) use read::{Fault, Json, Span, Text, decode};
pub(crate) use window::{LineEnd, Window};
