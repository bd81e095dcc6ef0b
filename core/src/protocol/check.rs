//! What a request may hold. Every kind of request stands here by its name, so that a new one does not compile until
//! somebody has said what its limits are.

use super::decode::{bad, too_large};
use super::limits::{
    MAX_ANNOTATION, MAX_FEEDBACK, MAX_FILES, MAX_HANDED, MAX_HELLO, MAX_HISTORY_LIMIT, MAX_IMPORT, MAX_QUERY,
    MAX_SCREENSHOT, MAX_WAIT_MS, MAX_WORD,
};
use super::{
    ErrorBody, FeedbackQuery, Hello, NewsQuery, Request, RuleWish, SetContext, SourceQuery, next_step,
};
use crate::anchor::MAX_WORDS;
use crate::model::{
    MAX_DETAIL, RULE_HOURS, Session, Timestamp, VERIFICATION_SECONDS, check_action, check_message,
    check_note, limits,
};

/// Checks what the types alone do not say. Comments, ids and changes are valid by their types.
pub(super) fn check_request(request: &Request) -> Result<(), ErrorBody> {
    match request {
        Request::Hello(hello) => check_hello(hello),
        Request::OpenSession(session) => check_session(session),
        Request::CreateComment { session_id: _, comment: _, screenshot } => {
            check_picture("screenshot", screenshot.as_deref(), "comment")
        }
        Request::ImportComments { session_id: _, comments } => {
            check_count("comments", comments.len(), MAX_IMPORT, "Import the file in several parts.")
        }
        Request::ChangeComment { comment_id: _, change: _, at } => check_moment("at", *at),
        Request::SetContext(set) => check_set_context(set),
        Request::UserMessage { context_id: _, message } => Ok(check_message("message", message, false)?),
        // A part may be a line's end and nothing else; only the end of an answer may have no words at all.
        Request::RespondToBrowser {
            session_id: _,
            context_id: _,
            message,
            is_complete,
            index: _,
            told_in_part,
        } => {
            check_count("messages", told_in_part.len(), MAX_HANDED, "Tell the longest ones alone.")?;
            Ok(check_message("message", message, *is_complete || !message.is_empty())?)
        }
        Request::AnswerAnnotation { annotation_id: _, context_id: _, message } => {
            message.as_ref().map_or(Ok(()), |message| Ok(check_message("message", message, true)?))
        }
        Request::UpdateStatus { session_id: _, status: _, detail } => {
            check_detail(detail.as_deref().unwrap_or_default())
        }
        Request::GetConversationHistory { session_id: _, limit, before: _, message_id: _ } => {
            limit.map_or(Ok(()), |limit| check_limit(limit, MAX_HISTORY_LIMIT))
        }
        Request::ListConversations { limit, until, behind: _ } => {
            check_moment("until", until.unwrap_or_default())?;
            check_limit(*limit, MAX_HISTORY_LIMIT)
        }
        Request::GetRequests { session_id: _, first: _, limit } => check_limit(*limit, MAX_HISTORY_LIMIT),
        Request::Complete { of: _, prefix } => check_length("prefix", prefix, MAX_QUERY),
        Request::HandedOver { message_ids } => {
            check_count("messages", message_ids.len(), MAX_HANDED, "Send them in several requests.")
        }
        Request::Search { query, limit } | Request::SearchMessages { query, limit, before: _ } => {
            check_length("query", query, MAX_QUERY)?;
            check_limit(*limit, MAX_HISTORY_LIMIT)
        }
        Request::RequestAnnotation { session_id: _, annotation_id: _, message, timeout_ms } => {
            check_message("message", message, false)?;
            check_length("message", message, MAX_ANNOTATION)?;
            check_wait(*timeout_ms)
        }
        Request::RequestVerification { action, reason, context, timeout_seconds, timeout_ms, process: _ } => {
            check_action(action, reason, context.as_deref())?;
            check_seconds(*timeout_seconds)?;
            check_wait(*timeout_ms)
        }
        Request::GetVerification { verification_id: _, timeout_ms } => check_wait(*timeout_ms),
        Request::DecideVerification { verification_id: _, hash, approve, note, rule } => {
            check_length("hash", hash, MAX_QUERY)?;
            check_note(note.as_deref().unwrap_or_default())?;
            check_rule(*approve, *rule)
        }
        Request::GetFeedback(query) => check_query(query),
        Request::WaitForFeedback(NewsQuery { after: _, unread_after: _, only: _, timeout_ms }) => {
            check_wait(*timeout_ms)
        }
        Request::GetSourceChanges { session_id: _, since: _, files } => check_files(files),
        Request::FindInSource { session_id: _, queries } => check_queries(queries),
        Request::AnswerOffer { root, offer_id, accept: _ } => {
            check_length("root", root, limits::MAX_URL)?;
            check_length("offerId", offer_id, MAX_QUERY)
        }
        Request::MoveStored { id, to } => {
            check_length("id", id, MAX_QUERY)?;
            check_length("to", to, limits::MAX_URL)
        }
        Request::DeleteStored { id } => check_length("id", id, MAX_QUERY),
        Request::ExportStored { id, cursor } => {
            check_length("id", id, MAX_QUERY)?;
            check_length("cursor", cursor.as_deref().unwrap_or_default(), limits::MAX_URL)
        }
        Request::SetOriginProject { origin, root } => {
            check_length("origin", origin, limits::MAX_URL)?;
            check_length("root", root, limits::MAX_URL)
        }
        Request::CloseSession { session_id: _ }
        | Request::ListComments { session_id: _ }
        | Request::ListProjects
        | Request::Ping
        | Request::AgentPong { round: _, presence: _ }
        | Request::GetConversation { after: _ }
        | Request::StopWaiting
        | Request::GetUiContext { session_id: _, context_id: _ }
        | Request::ListSessions
        | Request::EndWait { message_id: _ }
        | Request::WithdrawVerification { verification_id: _ }
        | Request::ListVerifications
        | Request::StopRule { rule_id: _ }
        | Request::SelectSession { session_id: _ }
        | Request::GetComment { comment_id: _ }
        | Request::GetScreenshot { comment_id: _ }
        | Request::ListStored
        | Request::ListOffers { session_id: _ }
        | Request::Status
        | Request::OpenGateway { port: _ }
        | Request::GetGatewayConfig
        | Request::BeginPairing
        | Request::EndPairings
        | Request::Shutdown => Ok(()),
    }
}

fn check_count(what: &str, count: usize, most: usize, next_step: &str) -> Result<(), ErrorBody> {
    if count <= most {
        return Ok(());
    }
    Err(too_large(format!("{count} {what} at once, at most {most} are taken"), next_step))
}

fn check_moment(field: &str, moment: Timestamp) -> Result<(), ErrorBody> {
    if moment.0 <= limits::MAX_MOMENT {
        return Ok(());
    }
    Err(bad(format!("{field} is not a moment before the year 10000"), "Send milliseconds since 1970."))
}

fn check_detail(detail: &str) -> Result<(), ErrorBody> {
    let length = detail.chars().count();
    if length <= MAX_DETAIL {
        return Ok(());
    }
    let message = format!("detail has {length} characters, at most {MAX_DETAIL} are allowed");
    Err(bad(message, next_step::SAY_IT_SHORTER))
}

fn check_picture(field: &str, picture: Option<&str>, of: &str) -> Result<(), ErrorBody> {
    let length = picture.map_or(0, str::len);
    if length <= MAX_SCREENSHOT {
        return Ok(());
    }
    let message = format!("the {field} has {length} bytes of base64, at most {MAX_SCREENSHOT} are taken");
    Err(too_large(message, &format!("Send the {of} with a smaller screenshot, or with none.")))
}

/// What everybody who is connected is told of the speaker.
fn check_hello(hello: &Hello) -> Result<(), ErrorBody> {
    check_length("version", &hello.version, MAX_HELLO)?;
    check_length("client", &hello.client, MAX_HELLO)?;
    check_length("instance", hello.instance.as_deref().unwrap_or_default(), MAX_HELLO)?;
    check_length("cwd", hello.cwd.as_deref().unwrap_or_default(), limits::MAX_URL)?;
    check_length("capabilities", &hello.capabilities.concat(), MAX_HELLO)
}

fn check_files(files: &[String]) -> Result<(), ErrorBody> {
    check_count("files", files.len(), MAX_FILES, "Ask for them in several requests.")?;
    files.iter().try_for_each(|file| check_length("files", file, limits::MAX_URL))
}

fn check_queries(queries: &[SourceQuery]) -> Result<(), ErrorBody> {
    check_count("queries", queries.len(), MAX_FILES, "Ask in several requests.")?;
    queries.iter().try_for_each(|SourceQuery { file, words, .. }| {
        check_length("file", file.as_deref().unwrap_or_default(), limits::MAX_URL)?;
        check_count("words", words.len(), MAX_WORDS, "Ask for fewer of them.")?;
        words.iter().try_for_each(|word| check_length("words", word, MAX_WORD))
    })
}

fn check_query(query: &FeedbackQuery) -> Result<(), ErrorBody> {
    check_length("pathname", query.pathname.as_deref().unwrap_or_default(), limits::MAX_URL)?;
    check_length("url", query.url.as_deref().unwrap_or_default(), limits::MAX_URL)?;
    check_length("cursor", query.cursor.as_deref().unwrap_or_default(), limits::MAX_URL)?;
    query.limit.map_or(Ok(()), |limit| check_limit(limit, MAX_FEEDBACK))
}

fn check_limit(limit: u32, most: u32) -> Result<(), ErrorBody> {
    if (1..=most).contains(&limit) {
        return Ok(());
    }
    let message = format!("limit is {limit}, it must be from 1 to {most}");
    Err(bad(message, "Ask for fewer at once."))
}

fn check_wait(timeout_ms: u32) -> Result<(), ErrorBody> {
    if timeout_ms <= MAX_WAIT_MS {
        return Ok(());
    }
    let message = format!("timeoutMs is {timeout_ms}, at most {MAX_WAIT_MS} are allowed");
    Err(bad(message, "Wait for less, then wait again."))
}

fn check_seconds(seconds: Option<u32>) -> Result<(), ErrorBody> {
    match seconds {
        Some(seconds) if !VERIFICATION_SECONDS.contains(&seconds) => {
            let (least, most) = (VERIFICATION_SECONDS.start(), VERIFICATION_SECONDS.end());
            let message = format!("timeoutSeconds is {seconds}, it must be from {least} to {most}");
            Err(bad(message, "Leave it out, or give another."))
        }
        _ => Ok(()),
    }
}

fn check_rule(approve: bool, rule: Option<RuleWish>) -> Result<(), ErrorBody> {
    match rule {
        Some(_) if !approve => {
            Err(bad("a rule needs a yes".to_owned(), "Approve it, or leave the rule out."))
        }
        Some(RuleWish { hours, .. }) if !RULE_HOURS.contains(&hours) => {
            let message =
                format!("hours is {hours}, it must be from {} to {}", RULE_HOURS.start(), RULE_HOURS.end());
            Err(bad(message, "Allow it for less."))
        }
        _ => Ok(()),
    }
}

fn check_set_context(set: &SetContext) -> Result<(), ErrorBody> {
    set.selection.check()?;
    check_picture("screenshot", set.screenshot.as_deref(), "selection")?;
    check_picture("viewportScreenshot", set.viewport_screenshot.as_deref(), "selection")
}

fn check_session(session: &Session) -> Result<(), ErrorBody> {
    check_length("url", &session.url, limits::MAX_URL)?;
    check_length("title", &session.title, limits::MAX_TITLE)
}

fn check_length(field: &str, value: &str, limit: usize) -> Result<(), ErrorBody> {
    if value.len() <= limit {
        return Ok(());
    }
    let message = format!("{field} has {} bytes, at most {limit} are taken", value.len());
    Err(bad(message, "Shorten it and send the message again."))
}
