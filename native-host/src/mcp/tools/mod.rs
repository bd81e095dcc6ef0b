//! The tools, one file each, declared in one table. A tool decodes its arguments, asks the hub and says how it ended;
//! how that stands on the wire is not its business.

mod check_comment;
mod get_conversation_history;
mod get_screenshot;
mod get_ui_context;
mod get_ui_feedback;
mod list_sessions;
mod reply_to_comment;
mod request_annotation;
mod resolve_comment;
mod respond_to_browser;
mod select_session;
mod update_comment;
mod update_status;
mod wait_for_feedback;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use opentoolbar_core::model::{AnnotationId, Comment, CommentChange, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorCode, Request};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use tokio::sync::watch;

use super::progress::{Piece, Progress};

use super::arguments;
use super::link::{Link, now};
use super::outcome::Outcome;

/// What a tool may use.
pub(super) struct Context {
    /// The hub.
    pub(super) link: Link,
    /// Where the agent works; absolute.
    pub(super) directory: PathBuf,
    /// Turns true when the client is gone.
    pub(super) gone: watch::Receiver<bool>,
    /// The tab that the agent picked.
    pub(super) selected: Mutex<Option<SessionId>>,
    /// What the agent asked the developer to point at, for when it goes on waiting and another hub does not know of it.
    pub(super) wishes: Mutex<BTreeMap<AnnotationId, String>>,
    /// How far the agent was told the person's messages.
    pub(super) told: Progress,
}

impl Context {
    /// The agent's own pick.
    fn selected(&self) -> Option<SessionId> {
        self.selected.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn select(&self, session: Option<SessionId>) {
        *self.selected.lock().unwrap_or_else(PoisonError::into_inner) = session;
    }

    /// The tab that a call names, else the agent's pick, else none: then the hub knows which.
    fn session(&self, named: Option<&str>) -> Result<Option<SessionId>, Outcome> {
        named.map(arguments::session_id).transpose().map(|named| named.or_else(|| self.selected()))
    }

    /// Asks about the tab that a call names. An own pick holds while its tab is open; then the hub knows which is
    /// meant.
    async fn ask_in(
        &self,
        named: Option<&str>,
        request: impl Fn(Option<SessionId>) -> Request,
    ) -> Result<Answer, Outcome> {
        let session = self.session(named)?;
        let is_pick = named.is_none() && session.is_some();
        match self.link.ask(request(session)).await {
            Err(error) if is_pick && error.code == ErrorCode::UnknownSession => {
                Ok(self.link.ask(request(None)).await?)
            }
            done => Ok(done?),
        }
    }
}

impl Context {
    /// Remembers what an answer tells that is given to the agent now, and tells the hub what is handed over by it, and
    /// no more than that: it is what the agent's answers answer. A message is handed over with its last piece. Dropped
    /// in between, as the client does not want the answer any more, nothing of it is remembered, and it is told once
    /// more.
    pub(super) async fn hand_over(&self, pieces: &[Piece]) {
        let message_ids = self.told.ended_by(pieces);
        if !message_ids.is_empty()
            && let Err(error) = self.link.ask(Request::HandedOver { message_ids }).await
        {
            // It is handed over all the same; the person sees it as sent, and it is told once more.
            tracing::warn!(%error, "the hub was not told what was handed over");
        }
        self.told.add(pieces);
    }
}

type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// One tool: everything that is known of it stands in its file.
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What for; "Use this tool when:"; parameters; returns; "Example usage scenarios".
    pub(super) description: &'static str,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
    effect: Effect,
    pub(super) run: for<'a> fn(&'a Context, Option<JsonObject>) -> Running<'a>,
}

/// What a call does to what is stored.
enum Effect {
    /// Nothing. What marks messages as read is not meant: the developer sees that they were read.
    Reads,
    /// Adds or changes; again with the same arguments changes nothing more.
    Sets,
    /// May add something more every time, also with the same arguments.
    Adds,
}

/// Every tool, sorted by name.
pub(super) const TABLE: [&Declared; 14] = [
    &check_comment::TOOL,
    &get_conversation_history::TOOL,
    &get_screenshot::TOOL,
    &get_ui_context::TOOL,
    &get_ui_feedback::TOOL,
    &list_sessions::TOOL,
    &reply_to_comment::TOOL,
    &request_annotation::TOOL,
    &resolve_comment::TOOL,
    &respond_to_browser::TOOL,
    &select_session::TOOL,
    &update_comment::TOOL,
    &update_status::TOOL,
    &wait_for_feedback::TOOL,
];

/// The tool of that name.
pub(super) fn find(name: &str) -> Option<&'static Declared> {
    TABLE.into_iter().find(|tool| tool.name == name)
}

impl Declared {
    /// As `tools/list` tells it.
    pub(super) fn listed(&self) -> Tool {
        let hints = ToolAnnotations::new().open_world(false);
        let hints = match self.effect {
            Effect::Reads => hints.read_only(true),
            Effect::Sets => hints.read_only(false).destructive(false).idempotent(true),
            Effect::Adds => hints.read_only(false).destructive(false).idempotent(false),
        };
        Tool::new(self.name, self.description, (self.input)())
            .with_title(self.title)
            .with_raw_output_schema((self.output)().into())
            .with_annotations(hints)
    }
}

/// Makes one change and gives the comment as it is then.
async fn change(context: &Context, id: &str, change: CommentChange) -> Result<Comment, Outcome> {
    let comment_id = arguments::comment_id(id)?;
    match context.link.ask(Request::ChangeComment { comment_id, change, at: now() }).await? {
        Answer::Comment { comment } => Ok(*comment),
        _ => Err(Outcome::mismatch("the comment")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_description_has_its_parts() {
        assert!(TABLE.is_sorted_by_key(|tool| tool.name));
        for tool in TABLE {
            for part in ["Use this tool when:", "Parameters", "Returns:", "Example usage scenarios:"] {
                assert!(tool.description.contains(part), "{} lacks {part:?}", tool.name);
            }
            let listed = tool.listed();
            let properties = listed.input_schema.get("properties").and_then(|p| p.as_object());
            for (name, schema) in properties.into_iter().flatten() {
                assert!(schema.get("description").is_some(), "{}.{name} has no description", tool.name);
                assert!(tool.description.contains(name), "{} does not explain {name}", tool.name);
            }
            assert_eq!(listed.output_schema.and_then(|s| s.get("type").cloned()), Some("object".into()));
        }
    }

    /// A model looks in the answer for what the description promised, and overlooks what it did not.
    #[test]
    fn descriptions_name_every_field_of_their_answers() {
        // With every answer, and explained by what they say.
        let everywhere = ["success", "error", "message", "note", "notice"];
        for tool in TABLE {
            let (_, returns) = tool.description.split_once("Returns:").unwrap_or_default();
            let (returns, _) = returns.split_once("Example usage scenarios:").unwrap_or_default();
            let output = (tool.output)();
            let fields = output.get("properties").and_then(|all| all.as_object()).into_iter();
            let fields = fields.flat_map(|all| all.keys());
            for field in fields.filter(|field| !everywhere.contains(&field.as_str())) {
                let is_named = returns.split(|c: char| !c.is_alphanumeric()).any(|word| word == field);
                assert!(is_named, "{} does not say that it returns {field}", tool.name);
            }
        }
    }

    /// A model that looks for what was promised, and is nowhere in the answer, guesses.
    #[test]
    fn descriptions_name_no_field_that_their_answers_lack() {
        // Values of `warnings` and `outcome`, which the schema does not list.
        let values = ["emptyShell", "filledByScripts", "answered", "declined", "waiting"];
        for tool in TABLE {
            let (_, returns) = tool.description.split_once("Returns:").unwrap_or_default();
            let (returns, _) = returns.split_once("Example usage scenarios:").unwrap_or_default();
            let mut known: BTreeSet<String> = values.map(str::to_owned).into();
            named_in(&serde_json::Value::Object((tool.output)()), &mut known);
            let promised = promised(returns);
            assert!(!promised.is_empty(), "{} does not say what it returns", tool.name);
            for name in promised {
                assert!(known.contains(&name), "{} says that it returns {name}, and does not", tool.name);
            }
        }
    }

    /// What a text behind "Returns:" names as a field: each word that is written as `nextCursor` is, and each part of
    /// the list it begins with that is one word, apart from what stands in brackets.
    fn promised(returns: &str) -> BTreeSet<String> {
        let is_camel = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.contains(|c: char| c.is_ascii_uppercase())
        };
        let mut depth = 0;
        let outside = returns.chars().filter(|c| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && *c != ')'
        });
        let outside: String = outside.collect();
        let list = outside.split(". ").next().unwrap_or_default();
        let list = list.replace(" and ", ",").replace(" or ", ",").replace(" with ", ",");
        let parts = list.split([',', ':', ';']).map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
        let words = returns.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| is_camel(word));
        let is_word = |part: &&str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
        words.chain(parts.filter(is_word)).map(str::to_owned).collect()
    }

    /// The names of all fields in a schema, and the words that it lists as values.
    fn named_in(schema: &serde_json::Value, into: &mut BTreeSet<String>) {
        for (key, value) in schema.as_object().into_iter().flatten() {
            match key.as_str() {
                "properties" | "$defs" => {
                    let all = value.as_object().into_iter().flatten();
                    all.for_each(|(name, schema)| {
                        into.extend((key == "properties").then(|| name.clone()));
                        named_in(schema, into);
                    });
                }
                "enum" => {
                    into.extend(
                        value
                            .as_array()
                            .into_iter()
                            .flatten()
                            .filter_map(|one| one.as_str())
                            .map(str::to_owned),
                    );
                }
                "const" => into.extend(value.as_str().map(str::to_owned)),
                _ => {
                    named_in(value, into);
                    value.as_array().into_iter().flatten().for_each(|one| named_in(one, into));
                }
            }
        }
    }

    /// A client may call such a tool again when it did not hear the answer.
    #[test]
    fn only_what_adds_nothing_the_second_time_is_idempotent() {
        let idempotent = TABLE.iter().filter(|tool| {
            let hints = tool.listed().annotations;
            hints.is_some_and(|hints| hints.idempotent_hint == Some(true))
        });
        let idempotent: Vec<_> = idempotent.map(|tool| tool.name).collect();
        // `update_comment` adds its note, a wait hands over what comes next.
        assert_eq!(
            idempotent,
            [
                "get_conversation_history",
                "get_ui_context",
                "resolve_comment",
                "select_session",
                "update_status"
            ]
        );
    }

    #[test]
    fn the_list_of_tools_is_stable() {
        let list: Vec<_> = TABLE.iter().map(|tool| tool.listed()).collect();
        insta::assert_json_snapshot!(list);
    }
}
