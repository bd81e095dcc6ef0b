//! What the source says of a message: the documentation of its variant and of the variant's fields.

/// One variant of an enum of messages.
pub(crate) struct Message {
    /// As it stands in `type`.
    pub(crate) kind: String,
    pub(crate) about: String,
    /// The name of the type that is its payload, when it is one of its own.
    pub(crate) payload: Option<String>,
    /// Name in JSON and documentation.
    pub(crate) fields: Vec<(String, String)>,
}

/// The variants of `pub enum NAME` in source that rustfmt has written: variants four blanks in, fields eight.
pub(crate) fn messages(source: &str, name: &str) -> Vec<Message> {
    let start = format!("pub enum {name} {{");
    let lines = source.lines().skip_while(|line| *line != start).skip(1).take_while(|line| *line != "}");
    let mut messages: Vec<Message> = Vec::new();
    let mut about = String::new();
    for line in lines {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        if let Some(text) = code.strip_prefix("///") {
            about = format!("{about}{text}").trim().to_owned();
        } else if code.starts_with(char::is_uppercase) && depth == 4 {
            let name = code.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let inner = code.split_once('(').map(|(_, inner)| inner.trim_end_matches(['(', ')', ',', '>']));
            let payload = inner.map(|inner| inner.trim_start_matches("Box<").to_owned());
            let about = std::mem::take(&mut about);
            messages.push(Message { kind: snake(name), about, payload, fields: Vec::new() });
        } else if let (true, Some((field, _)), Some(message)) =
            (depth == 8 && !code.starts_with('#'), code.split_once(": "), messages.last_mut())
        {
            message.fields.push((camel(field), std::mem::take(&mut about)));
        }
    }
    messages
}

/// `GetUiContext` -> `get_ui_context`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// `session_id` -> `sessionId`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        all + &head.to_uppercase() + tail
    })
}
