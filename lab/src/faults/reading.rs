//! What is stored, as the product tells it: a browser's list of comments and its conversations.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::browser::{self, Connection, Trouble};
use crate::clients::world::World;

/// Every text that writers wrote into a project: of comments, replies and messages. `writers`: browsers' names.
pub(super) fn texts(world: &World, project: usize, writers: &[String]) -> Result<Vec<String>> {
    let name = format!("reader{project}");
    let mut connection = browser::connected(world, &name, project)?;
    let mut texts = Vec::new();
    let listed =
        asked(&mut connection, "list_comments", None, &json!({ "sessionId": browser::session(&name) }))?;
    for comment in list(&listed["payload"]["comments"])? {
        texts.extend(comment["text"].as_str().map(str::to_owned));
        let replies = comment["replies"].as_array().into_iter().flatten();
        texts.extend(replies.filter_map(|reply| reply["text"].as_str()).map(str::to_owned));
    }
    connection.drop_it();
    for writer in writers {
        let mut connection = browser::connected(world, writer, project)?;
        let mut after = json!(0);
        loop {
            let session = browser::session(writer);
            let page =
                asked(&mut connection, "get_conversation", Some(&session), &json!({ "after": after }))?;
            let messages = list(&page["payload"]["messages"])?;
            texts
                .extend(messages.iter().filter_map(|message| message["content"].as_str()).map(str::to_owned));
            if messages.is_empty() || page["payload"]["position"] == after {
                break;
            }
            after = page["payload"]["position"].clone();
        }
        connection.drop_it();
    }
    Ok(texts)
}

fn asked(connection: &mut Connection, kind: &str, session: Option<&str>, payload: &Value) -> Result<Value> {
    for _ in 0..200 {
        match connection.ask("m_read", kind, session, payload) {
            Ok(answer) => return Ok(answer),
            Err(Trouble::Again(why)) if why.starts_with('{') => {
                std::thread::sleep(Duration::from_millis(100))
            }
            Err(trouble) => bail!("{kind}: {trouble}"),
        }
    }
    bail!("{kind} is refused again and again")
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().with_context(|| format!("no list: {value}"))
}
