/// Why there is nothing to check. Displays as both sentences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}. {next_step}")]
pub struct Refusal {
    /// What happened, a sentence without its full stop.
    pub message: String,
    /// What to do, a sentence.
    pub next_step: String,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self { message: message.into(), next_step: next_step.into() }
    }
}
