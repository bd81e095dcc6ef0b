//! The hidden verb that the hub runs to look into a database that may be a stranger's; see `store::examine`.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::store::{Question, examine};

/// Arguments of the hidden verb.
#[derive(Debug, Args)]
pub(super) struct ExamineArgs {
    /// `is-ours` or `comments`
    question: String,
    /// A copy in the home
    file: PathBuf,
}

pub(super) fn run(args: &ExamineArgs) -> Result<(), Failure> {
    let question = Question::from_word(&args.question)
        .ok_or_else(|| Failure::new("there is no such question", "The hub asks by itself."))?;
    if examine(question, &args.file) {
        return Ok(());
    }
    Err(Failure::new("the answer could not be said", "The hub asks again when it needs to know."))
}
