//! The comments of a project, for verbs.

use opentoolbar_core::model::{Comment, CommentId, CommentRef};
use opentoolbar_core::protocol::{Answer, FeedbackQuery, Request, StatusFilter};

use super::{Exit, Failure, connect, output};
use crate::hub::client::Client;

/// Comments asked for at a time; the most that the hub gives.
const PAGE: u32 = 200;

/// A page's path as it is given on the command line.
pub(super) fn pathname(given: &str) -> Result<String, Failure> {
    if given.starts_with('/') {
        return Ok(given.to_owned());
    }
    let message = format!("--pathname must begin with /, got {given:?}");
    // Of an address its path.
    let meant = match given.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => given,
    };
    let meant = meant.split(['?', '#']).next().unwrap_or("");
    Err(Failure::new(message, format!("Did you mean --pathname /{meant}?")).exit(Exit::Usage))
}

/// The id of a comment that was named by its id or its number.
pub(super) async fn id_of(client: &Client, name: CommentRef) -> Result<CommentId, Failure> {
    let number = match name {
        CommentRef::Id(id) => return Ok(id),
        CommentRef::Number(number) => number,
    };
    let status = StatusFilter::All;
    let query = FeedbackQuery { number: Some(number), status, ..FeedbackQuery::default() };
    let (project, found) = all(client, query).await?;
    // A hub of an earlier version tells others.
    let found = found.into_iter().find(|comment| comment.number == Some(number));
    found.map(|comment| comment.id).ok_or_else(|| {
        Failure::new(
            format!("there is no comment #{number} in {}; it may be deleted", output::plain(&project)),
            "`opentoolbar export` tells the comments with their numbers; give --project DIR if that is not your \
             project.",
        )
    })
}

/// Every comment that the query means, however many there are, and the root of the project.
pub(super) async fn all(client: &Client, query: FeedbackQuery) -> Result<(String, Vec<Comment>), Failure> {
    let mut all = Vec::new();
    let mut left_out: u32 = 0;
    let mut cursor = None;
    loop {
        let asked = FeedbackQuery { cursor, limit: Some(PAGE), ..query.clone() };
        let Answer::Feedback { project, comments, next_cursor, unreadable, .. } =
            client.request(Request::GetFeedback(asked)).await?
        else {
            return Err(connect::mismatch("comments"));
        };
        all.extend(comments);
        left_out = left_out.saturating_add(unreadable);
        cursor = next_cursor;
        if cursor.is_none() {
            if left_out > 0 {
                output::note(&format!(
                    "Comments that could not be read and are left out: {left_out}. They stay as they are; update opentoolbar."
                ));
            }
            return Ok((project.root, all));
        }
    }
}
