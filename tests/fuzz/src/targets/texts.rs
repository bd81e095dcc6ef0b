//! Texts of pages and people, before others read them.

use opentoolbar_core::element::{is_secret_field, redact_attribute, redact_text};
use opentoolbar_core::prompt;
use opentoolbar_core::workspace::{
    Chain, LeftOut, MAX_CONTEXT_TEXT, UiContextSnapshot, context_text, fill, variables,
};

use crate::{Target, seeds};

const TAGS: [&str; 4] = ["input", "a", "div", "meta"];
const NAMES: [&str; 8] =
    ["value", "href", "data-token", "data-session", "content", "class", "name", "onclick"];

/// A text and attributes, in the page's words.
pub(super) const REDACTION: Target = Target {
    name: "redaction",
    is_json: false,
    run: |input| {
        let text = String::from_utf8_lossy(input);
        let _ = redact_text(&redact_text(&text));
        let (first, rest) = text.split_once('\n').unwrap_or(("", &text));
        for tag in TAGS {
            let attribute =
                |name: &str| matches!(name, "type" | "name" | "autocomplete" | "id").then_some(first);
            let _ = is_secret_field(tag, attribute);
            for name in NAMES {
                let _ = redact_attribute(tag, attribute, name, rest);
            }
            let _ = redact_attribute(tag, attribute, first, rest);
        }
    },
    seeds: seeds::redaction,
};

/// A prompt chain of a file, and what an agent is told of it.
pub(super) const CHAIN: Target = Target {
    name: "chain",
    is_json: true,
    run: |input| {
        let text = String::from_utf8_lossy(input);
        assert_eq!(fill(&text, |_| None), text, "without values a text stays as it is");
        let _ = variables(&text);
        let Ok(chain) = Chain::parse(&text) else { return };
        let nothing = UiContextSnapshot::default();
        let left_out = LeftOut { preview: "", selection: "", chain: "", templates: "" };
        let told =
            context_text(Some((&chain, "file")), &nothing, MAX_CONTEXT_TEXT, left_out).unwrap_or_default();
        assert!(told.starts_with("## Active Prompt Chain: "), "{told:?} begins otherwise");
        let headings = told.lines().filter(|line| line.starts_with("## Active Prompt Chain: ")).count();
        // Its instructions are the person's own words, and may say what they like.
        assert!(headings >= 1 && !told.contains('\u{1b}'), "{told:?} drives a terminal");
    },
    seeds: || {
        let texts = [
            r#"{"_name":"Plan","prompts":[{"name":"main","system":"Do {goal}","user":"{state.x}"},{"name":"b"}]}"#,
            r#"{"prompts":[{"name":"a","tools":[],"then":{}}],"tools":[{"function":{"name":"t"}}]}"#,
            r#"{"prompts":[]}"#,
        ];
        texts.map(|text| text.as_bytes().to_vec()).into()
    },
};

/// A name or a text, made fit for an agent and a terminal.
pub(super) const NEUTRALISER: Target = Target {
    name: "neutraliser",
    is_json: false,
    run: |input| {
        let text = String::from_utf8_lossy(input);
        let safe = prompt::neutralise(&text);
        assert_eq!(prompt::neutralise(&safe), safe, "what is harmless stays as it is");
        assert!(
            !safe.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')),
            "{safe:?} drives a terminal"
        );
        let line = prompt::one_line(&text, 80);
        assert!(!line.chars().any(char::is_control), "{line:?} is more than a line");
        assert!(!prompt::inline_code(&text, 80).contains('\n'), "code in a line stays there");
        let fenced = prompt::fence("text", &text);
        let fence: String = fenced.lines().next_back().unwrap_or_default().to_owned();
        assert_eq!(
            fenced.lines().filter(|line| *line == fence).count(),
            1,
            "a fence is closed by ourselves alone"
        );
    },
    seeds: || {
        let texts =
            ["```\nx\n```", "\u{1b}[2Ja\u{202e}b\u{200d}", "a\r\nb\tc", "`` ` ``", "é🦀\u{fe0f}", "~~~~"];
        texts.map(|text| text.as_bytes().to_vec()).into()
    },
};
