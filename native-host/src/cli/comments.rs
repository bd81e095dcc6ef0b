//! The comments of a project, for verbs.

use opentoolbar_core::model::Comment;
use opentoolbar_core::protocol::{Answer, FeedbackQuery, Request};

use super::{Failure, connect};
use crate::hub::client::Client;

/// Comments asked for at a time; the most that the hub gives.
const PAGE: u32 = 200;

/// Every comment that the query means, however many there are.
pub(super) async fn all(client: &Client, query: FeedbackQuery) -> Result<Vec<Comment>, Failure> {
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let asked = FeedbackQuery { cursor, limit: Some(PAGE), ..query.clone() };
        let Answer::Feedback { comments, next_cursor, .. } =
            client.request(Request::GetFeedback(asked)).await?
        else {
            return Err(connect::mismatch("comments"));
        };
        all.extend(comments);
        cursor = next_cursor;
        if cursor.is_none() {
            return Ok(all);
        }
    }
}
