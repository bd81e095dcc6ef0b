//! Histories of any size, written piece by piece.

use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// One way in which histories are written.
pub(super) struct Shape {
    pub(super) about: &'static str,
    /// In a home.
    pub(super) file: &'static str,
    write: fn(&mut Counted, u64) -> Result<()>,
}

pub(super) const SHAPES: &[Shape] = &[
    Shape {
        about: "VS Code .json: one object",
        file: ".config/Code/User/workspaceStorage/a/chatSessions/history.json",
        write: one_object,
    },
    Shape {
        about: "VS Code .jsonl: four fifths in line 1",
        file: ".config/Code/User/workspaceStorage/a/chatSessions/history.jsonl",
        write: long_line,
    },
    Shape {
        about: "VS Code .jsonl: 300,000 changes",
        file: ".config/Code/User/workspaceStorage/a/chatSessions/history.jsonl",
        write: many_changes,
    },
    Shape {
        about: "Claude Code .jsonl",
        file: ".claude/projects/-home-me-shop/history.jsonl",
        write: transcript,
    },
];

pub(super) fn write(shape: &Shape, path: &Path, bytes: u64) -> Result<()> {
    let mut file = Counted { file: BufWriter::with_capacity(1 << 20, File::create(path)?), written: 0 };
    (shape.write)(&mut file, bytes)?;
    file.file.flush()
}

struct Counted {
    file: BufWriter<File>,
    written: u64,
}

impl Counted {
    fn put(&mut self, text: &str) -> Result<()> {
        self.written += text.len() as u64;
        self.file.write_all(text.as_bytes())
    }
}

/// What an agent answers: code, with what JSON makes of its line feeds and quotes.
fn code(lines: usize) -> String {
    (0..lines).map(|n| format!("    let value_{n} = compute(\\\"name {n}\\\", {n});\\n")).collect()
}

fn part(code: &str) -> String {
    let path = r#""baseUri":{"$mid":1,"path":"/home/me/shop/src/app.rs","scheme":"file"}"#;
    let tool =
        r#"{"kind":"toolInvocationSerialized","invocationMessage":{"value":"Reading"},"isComplete":true}"#;
    format!(r#"{{"value":"Done:\n```rust\n{code}```\n","supportThemeIcons":false,{path}}},{tool}"#)
}

fn request(number: u64, response: &str) -> String {
    let text = format!("Please mend the button of page {number} \\\"now\\\"");
    let message =
        format!(r#"{{"parts":[{{"range":{{"start":0}},"text":"{text}","kind":"text"}}],"text":"{text}"}}"#);
    let at = 1_764_000_000_000 + number;
    format!(
        r#"{{"requestId":"request_{number}","message":{message},"response":[{response}],"timestamp":{at}}}"#
    )
}

fn session(file: &mut Counted, upto: u64) -> Result<()> {
    let response = vec![part(&code(60)); 40].join(",");
    file.put(r#"{"version":3,"responderUsername":"GitHub Copilot","requests":["#)?;
    let mut number = 0;
    while file.written < upto {
        file.put(if number > 0 { "," } else { "" })?;
        file.put(&request(number, &response))?;
        number += 1;
    }
    file.put(r#"],"sessionId":"history","creationDate":1764000000000,"customTitle":"Buttons"}"#)
}

fn one_object(file: &mut Counted, bytes: u64) -> Result<()> {
    session(file, bytes)
}

fn long_line(file: &mut Counted, bytes: u64) -> Result<()> {
    file.put(r#"{"kind":0,"v":"#)?;
    session(file, bytes / 5 * 4)?;
    file.put("}\n")?;
    let response = vec![part(&code(60)); 10].join(",");
    let mut number = 1_000_000;
    while file.written < bytes {
        file.put(&format!("{{\"kind\":2,\"k\":[\"requests\"],\"v\":[{}]}}\n", request(number, &response)))?;
        number += 1;
    }
    Ok(())
}

/// Requests that take back some of those before, parts of answers that do, and what is set.
fn many_changes(file: &mut Counted, bytes: u64) -> Result<()> {
    let changes = (bytes / 1_667).max(300);
    let answer = part(&code(25));
    file.put(r#"{"kind":0,"v":{"version":3,"requests":[],"sessionId":"history"}}"#)?;
    file.put("\n")?;
    let mut count = 0;
    for number in 0..changes {
        let line = match number % 3 {
            0 if number % 30 == 0 && count > 25 => {
                count -= 4;
                format!(
                    r#"{{"kind":2,"k":["requests"],"v":[{}],"i":{}}}"#,
                    request(number, &answer),
                    count - 1
                )
            }
            0 => {
                count += 1;
                format!(r#"{{"kind":2,"k":["requests"],"v":[{}]}}"#, request(number, &answer))
            }
            1 => format!(r#"{{"kind":2,"k":["requests",{},"response"],"v":[{answer}],"i":0}}"#, count - 1),
            _ => format!(
                r#"{{"kind":1,"k":["requests",{},"result"],"v":{{"metadata":[{answer}]}}}}"#,
                count - 1
            ),
        };
        file.put(&line)?;
        file.put("\n")?;
    }
    Ok(())
}

fn transcript(file: &mut Counted, bytes: u64) -> Result<()> {
    let code = code(60);
    let mut number = 0_u64;
    while file.written < bytes {
        let about = |kind: &str| {
            format!(
                r#""isSidechain":false,"cwd":"/home/me/shop","sessionId":"history","type":"{kind}","timestamp":"2026-11-28T10:00:00.000Z","uuid":"{number}""#
            )
        };
        let said = |kind: &str, content: &str| {
            format!("{{{},\"message\":{{\"role\":\"{kind}\",\"content\":{content}}}}}\n", about(kind))
        };
        file.put(&said("user", &format!("\"Please mend the button of page {number}\"")))?;
        for _ in 0..4 {
            file.put(&said("assistant", &format!(r#"[{{"type":"text","text":"Done:\n{code}"}}]"#)))?;
            file.put(&said(
                "assistant",
                r#"[{"type":"tool_use","id":"t","name":"Read","input":{"path":"src/app.rs"}}]"#,
            ))?;
            file.put(&said(
                "user",
                &format!(r#"[{{"type":"tool_result","tool_use_id":"t","content":"{code}{code}"}}]"#),
            ))?;
        }
        number += 1;
    }
    Ok(())
}
