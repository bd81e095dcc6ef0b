//! What need not be said: a field that holds it is left out.

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields so")]
pub(super) fn is_zero(count: &u32) -> bool {
    *count == 0
}
