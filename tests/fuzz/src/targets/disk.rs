//! What lies on a disk: documents of a database, exports, files of the home.

use std::cell::OnceCell;
use std::path::PathBuf;

use opentoolbar_core::model::{Author, Comment, CommentChange, Context, Message, Session, Timestamp};
use opentoolbar_core::prompt::{self, Level, PromptOptions};
use opentoolbar_core::protocol::FeedbackCursor;

use crate::{Target, seeds};

const NOW: Timestamp = Timestamp(1_763_700_000_000);

/// The JSON of a row: a comment, a context, a message.
pub(super) const DOCUMENTS: Target = Target {
    name: "documents",
    is_json: true,
    run: |input| {
        if let Ok(comment) = serde_json::from_slice::<Comment>(input) {
            use_comment(&comment);
        }
        if let Ok(context) = serde_json::from_slice::<Context>(input) {
            let _ = context.selection.check();
            let _ = prompt::project_selection(&context.selection.redacted(), |text| text.len() < 8_000);
        }
        let _ = serde_json::from_slice::<Message>(input);
        let _ = serde_json::from_slice::<Session>(input);
    },
    seeds: || {
        let mut all = seeds::comments();
        for name in ["context", "messages", "session", "payload"] {
            all.extend(seeds::inside_messages(name));
        }
        all
    },
};

/// Everything that is told of a comment, and every change that can be made to it.
fn use_comment(comment: &Comment) {
    for level in [Level::Brief, Level::Standard, Level::Full] {
        let _ = prompt::project(comment, level, |reply| reply.to_string());
        let _ = prompt::comment_markdown(comment, 1, level);
    }
    let _ = FeedbackCursor::after(comment, 1).encode();
    let redacted = comment.clone().redacted();
    let json = serde_json::to_vec(&redacted).unwrap_or_default();
    assert_eq!(
        serde_json::from_slice(&json).ok().as_ref(),
        Some(&redacted),
        "a comment survives being stored"
    );
    let changes = [
        CommentChange::Reopen,
        CommentChange::Delete,
        CommentChange::Restore,
        CommentChange::Repin { targets: redacted.targets.clone() },
    ];
    for change in changes {
        if let Ok(changed) = redacted.apply(&change, &Author::Person, NOW) {
            assert!(changed.check().is_ok(), "{change:?} made a comment invalid: {:?}", changed.check());
        }
    }
}

/// A file that a person imports.
pub(super) const IMPORT: Target = Target {
    name: "import",
    is_json: true,
    run: |input| {
        let Ok(comments) = prompt::import_json(input) else { return };
        let (existing, others) = comments.split_at(comments.len() / 2);
        let _ = prompt::merge(existing, others.to_vec(), NOW);
        let _ = prompt::merge(&comments, existing.to_vec(), NOW);
        let exported = prompt::export_json(&comments, NOW);
        assert!(
            prompt::import_json(exported.as_bytes()).is_ok(),
            "what was imported can be exported and imported"
        );
    },
    seeds: exports,
};

/// The report that an agent reads, of comments that somebody else wrote.
pub(super) const EXPORT: Target = Target {
    name: "export",
    is_json: true,
    run: |input| {
        let Ok(comments) = prompt::import_json(input) else { return };
        for (level, token_budget) in
            [(Level::Brief, Some(50)), (Level::Standard, Some(2_000)), (Level::Full, None)]
        {
            let options = PromptOptions { level, token_budget, include_resolved: true };
            let _ = prompt::markdown(&comments, &options);
        }
    },
    seeds: exports,
};

fn exports() -> Vec<Vec<u8>> {
    let all: Vec<Comment> =
        seeds::comments().iter().filter_map(|json| serde_json::from_slice(json).ok()).collect();
    let mut bytes = vec![prompt::export_json(&all, NOW).into_bytes(), b"[]".to_vec()];
    bytes.extend(all.chunks(1).map(|one| prompt::export_json(one, NOW).into_bytes()));
    bytes
}

thread_local! {
    static HOME: OnceCell<PathBuf> = const { OnceCell::new() };
}

/// `registry.json`, `config.json` and `paired.json`; each is given the same bytes.
pub(super) const HOME_FILES: Target = Target {
    name: "home-files",
    is_json: true,
    run: |input| {
        HOME.with(|home| {
            let home = home
                .get_or_init(|| std::env::temp_dir().join(format!("otb-fuzz-home-{}", std::process::id())));
            let made = std::fs::remove_dir_all(home).or(Ok(())).and_then(|()| std::fs::create_dir_all(home));
            let files = ["registry.json", "config.json", "paired.json"];
            let written =
                made.and_then(|()| files.iter().try_for_each(|file| std::fs::write(home.join(file), input)));
            written.unwrap_or_else(|error| unreachable!("{} can be written: {error}", home.display()));
            opentoolbar::fuzzing::home_files(home);
            let _ = std::fs::remove_dir_all(home);
        });
    },
    seeds: || {
        let registry = r#"{"version":1,"origins":{"http://localhost:5173":"/home/me/shop"},"projects":{"/home/me/shop":1763700000000},
            "sessions":{"s_1":{"root":"/home/me/shop","lastActive":1763700000000}},"picked":{"/home/me/shop":"s_1"},
            "agents":[{"instance":"m_1","number":2}]}"#;
        let config = r#"{"gateway":{"enabled":true,"port":7847}}"#;
        let paired = r#"[{"origin":"moz-extension://0b9a5ab3-9c3f-4a3b-8a55-0d0d0d0d0d0d","token":"AAAA"}]"#;
        [registry, config, paired].map(|text| text.as_bytes().to_vec()).into()
    },
};

/// A chat history of another program, as each of them writes it.
pub(super) const HISTORY: Target = Target {
    name: "history",
    is_json: true,
    run: opentoolbar_dialogs::fuzzing::history,
    seeds: || {
        let request = r#"{"message":{"text":"Make it \ud83d blue","parts":[{"text":"Make"}]},"timestamp":5,"response":[]}"#;
        let session =
            format!(r#"{{"version":3,"customTitle":"Blue","requests":[{request}],"sessionId":"s"}}"#);
        let log = [
            format!(r#"{{"kind":0,"v":{session}}}"#),
            format!(r#"{{"kind":2,"k":["requests"],"v":[{request}],"i":1}}"#),
            r#"{"kind":1,"k":["requests",0,"message","parts",0,"text"],"v":"part"}"#.to_owned(),
            r#"{"kind":1,"k":["requests","1","message"],"v":"anew"}"#.to_owned(),
            r#"{"v":[{"text":"x"}],"kind":2,"k":["requests",0,"message","parts"]}"#.to_owned(),
            r#"{"kind":3,"k":["requests",0,"timestamp"]}"#.to_owned(),
        ];
        let claude_code = r#"{"type":"user","cwd":"/shop","timestamp":"2026-11-28T10:00:00Z","message":{"content":"<command-name>/fix</command-name><command-args>it</command-args>"}}
{"type":"user","message":{"content":[{"type":"text","text":"fix it"},{"type":"tool_result"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"done"}]}}
"#;
        let codex = r#"{"type":"session_meta","payload":{"id":"x","cwd":"/shop"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}}
{"type":"event_msg","timestamp":"2026-11-28T10:00:00Z","payload":{"type":"user_message","message":"fix it"}}
"#;
        let all = [session, log.join("\n") + "\n", claude_code.to_owned(), codex.to_owned()];
        all.map(String::into_bytes).into()
    },
};
