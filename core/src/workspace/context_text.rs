//! Chain and state in one text that fits before a person's prompt.

use super::chain::Chain;
use super::chain_section::ChainParts;
use super::section::UiParts;
use super::snapshot::UiContextSnapshot;

/// Longest text, in bytes.
pub const MAX_CONTEXT_TEXT: usize = 2 * 1024;

/// What is said in the place of each part that was cut, a sentence with where the rest is.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut<'a> {
    /// Of what the file in the editor begins with.
    pub preview: &'a str,
    /// Of what is selected there.
    pub selection: &'a str,
    /// Of the chain's other prompts, of its tools, and of the end of its instructions.
    pub chain: &'a str,
    /// Of the templates.
    pub templates: &'a str,
}

/// Leaves out one part.
type Cut<'a> = &'a dyn Fn(&mut Option<ChainParts>, &mut UiParts);

/// The chain's section, then the state's, in at most `most` bytes and at least the headings with their first lines.
/// Cut, in this order and no more than needed: what the editor begins with, what is selected, the sub-prompts, the
/// templates; then the chain's tools, and of its instructions the end. `None` when there is nothing to say.
#[must_use]
pub fn context_text(
    chain: Option<(&Chain, &str)>,
    snapshot: &UiContextSnapshot,
    most: usize,
    left_out: LeftOut<'_>,
) -> Option<String> {
    let mut chain = chain.map(|(chain, file)| ChainParts::of(chain, file));
    let mut state = UiParts::of(snapshot);
    if !state.says_something() {
        chain.as_ref()?;
        state.head.clear();
        state.notice.clear();
    }
    let preview = format!("\nEditor content preview: {}\n", left_out.preview);
    let selection = format!("Selected text: {}\n", left_out.selection);
    let sub_prompts = format!("\n### Available Sub-Prompts\n\n{}\n", left_out.chain);
    let templates = format!("\nAvailable prompt templates: {}\n", left_out.templates);
    let tools = format!("\n### Chain-Specific Tools\n\n{}\n", left_out.chain);
    let cuts: [Cut<'_>; 5] = [
        &|_, state| leave_out(&mut state.preview, &preview),
        &|_, state| leave_out(&mut state.selection, &selection),
        &|chain, _| chain.iter_mut().for_each(|chain| leave_out(&mut chain.sub_prompts, &sub_prompts)),
        &|_, state| leave_out(&mut state.templates, &templates),
        &|chain, _| chain.iter_mut().for_each(|chain| leave_out(&mut chain.tools, &tools)),
    ];
    let mut text = joined(chain.as_ref(), &state);
    for cut in cuts {
        if text.len() <= most {
            return Some(text);
        }
        cut(&mut chain, &mut state);
        text = joined(chain.as_ref(), &state);
    }
    if text.len() > most
        && let Some(chain) = &mut chain
    {
        let room = chain.instructions.len().saturating_sub(text.len() - most);
        shorten(&mut chain.instructions, room, &format!("\n… {}\n", left_out.chain));
        text = joined(Some(chain), &state);
    }
    Some(text)
}

fn joined(chain: Option<&ChainParts>, state: &UiParts) -> String {
    let chain = chain.map(|ChainParts { head, instructions, sub_prompts, tools }| {
        [head.as_str(), instructions, sub_prompts, tools].concat()
    });
    let UiParts { head, editor, selection, preview, templates, notice } = state;
    let state = [head.as_str(), editor, selection, preview, templates, notice].concat();
    match chain {
        Some(chain) if state.is_empty() => chain,
        Some(chain) => format!("{chain}\n{state}"),
        None => state,
    }
}

/// What is shorter than what would stand for it stays.
fn leave_out(part: &mut String, instead: &str) {
    if part.len() > instead.len() {
        instead.clone_into(part);
    }
}

/// Down to so many bytes with what is said of it, on whole lines; heading and first line stay.
fn shorten(instructions: &mut String, room: usize, rest: &str) {
    let mut kept = String::new();
    let mut words = 0;
    for line in instructions.split_inclusive('\n') {
        // An empty line, the heading, an empty line, and the first of the words.
        let is_first = words == 0;
        if !is_first && kept.len() + line.len() + rest.len() > room {
            break;
        }
        kept += line;
        words += usize::from(!line.trim().is_empty() && !line.starts_with("### Chain Instructions"));
    }
    if kept.len() < instructions.len() {
        *instructions = kept + rest;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::super::chain_section::chain_section;
    use super::super::section::ui_context_section;
    use super::super::snapshot::{ActiveView, EditorView, TabType};
    use super::*;

    const LEFT_OUT: LeftOut<'static> =
        LeftOut { preview: "PREVIEW", selection: "SELECTION", chain: "CHAIN", templates: "TEMPLATES" };

    fn chain(system: usize, prompts: usize) -> Chain {
        let others: Vec<_> =
            (0..prompts).map(|n| serde_json::json!({ "name": format!("prompt-{n}") })).collect();
        let lines = "Do this, then that.\n".repeat(system);
        let mut all = vec![serde_json::json!({ "name": "main", "system": lines })];
        all.extend(others);
        let tool = serde_json::json!({ "function": { "name": "run", "description": "Runs it" } });
        Chain::parse(&serde_json::json!({ "prompts": all, "tools": [tool] }).to_string()).unwrap()
    }

    fn snapshot(preview: usize, selection: usize, templates: usize) -> UiContextSnapshot {
        UiContextSnapshot {
            active_view: ActiveView {
                tab_type: Some(TabType::File),
                tab_title: Some("a".into()),
                ..ActiveView::default()
            },
            editor: Some(EditorView {
                selection: Some("s".repeat(selection)),
                ..EditorView::of("a.json", &"line\n".repeat(preview))
            }),
            prompt_templates: (0..templates).map(|n| format!("template-{n}.json")).collect(),
            ..UiContextSnapshot::default()
        }
    }

    #[test]
    fn what_fits_is_whole_with_the_chain_first_and_nothing_is_said_of_nothing() {
        let (chain, snapshot) = (chain(1, 1), snapshot(1, 1, 1));
        let text = context_text(Some((&chain, "file")), &snapshot, MAX_CONTEXT_TEXT, LEFT_OUT).unwrap();
        assert_eq!(text, format!("{}\n{}", chain_section(&chain, "file"), ui_context_section(&snapshot)));
        let nothing = UiContextSnapshot::default();
        assert_eq!(context_text(None, &nothing, MAX_CONTEXT_TEXT, LEFT_OUT), None);
        let alone = context_text(Some((&chain, "file")), &nothing, MAX_CONTEXT_TEXT, LEFT_OUT).unwrap();
        assert_eq!(alone, chain_section(&chain, "file"));
    }

    #[test]
    fn the_preview_goes_first_then_the_selection_the_sub_prompts_and_the_templates() {
        let chain = chain(1, 30);
        let snapshot = snapshot(300, 400, 40);
        let whole = context_text(Some((&chain, "f")), &snapshot, usize::MAX, LEFT_OUT).unwrap();
        let mut left = Vec::new();
        for most in (0..whole.len()).rev() {
            let text = context_text(Some((&chain, "f")), &snapshot, most, LEFT_OUT).unwrap();
            for (cut, mark) in [
                ("preview", "PREVIEW"),
                ("selection", "SELECTION"),
                ("sub-prompts", "Sub-Prompts\n\nCHAIN"),
                ("templates", "TEMPLATES"),
            ] {
                if text.contains(mark) && !left.contains(&cut) {
                    left.push(cut);
                }
            }
        }
        assert_eq!(left, ["preview", "selection", "sub-prompts", "templates"]);
    }

    proptest! {
        #[test]
        fn it_fits_wherever_headings_and_first_lines_do_and_those_are_always_there(
            (system, prompts, preview, selection, templates) in (0..200usize, 0..200usize, 0..300usize, 0..4_000usize, 0..200usize),
            most in 1_200..4_000usize,
        ) {
            let chain = chain(system, prompts);
            let text = context_text(Some((&chain, "file")), &snapshot(preview, selection, templates), most, LEFT_OUT).unwrap();
            prop_assert!(text.len() <= most, "{} > {most}", text.len());
            prop_assert!(text.starts_with("## Active Prompt Chain: file\n"));
            prop_assert!(text.contains("## Current Application State\nThe user is viewing a file tab: \"a\".\n"));
            prop_assert!(text.contains("The text editor is open with file: a.json\n"));
            prop_assert_eq!(text.contains("### Chain Instructions\n\nDo this, then that.\n"), system > 0);
        }
    }
}
