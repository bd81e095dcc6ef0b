//! Histories from any bytes, for `tests/fuzz` alone: read to their end, with every text in them.

use crate::json::{Window, decode};
use crate::pass::{Pass, run};
use crate::places::Places;
use crate::sources::readers;

/// Reads the bytes as a history of each source.
pub fn history(bytes: &[u8]) {
    let root = || std::path::PathBuf::from("nowhere");
    let places = Places {
        vs_code: vec![(crate::Source::VsCode, root())],
        claude_code: Some(root()),
        codex: vec![root()],
    };
    for reader in readers(places) {
        for name in ["a.json", "a.jsonl"] {
            read(reader.pass(name).as_mut(), bytes);
        }
    }
}

fn read(pass: &mut dyn Pass, bytes: &[u8]) {
    let going = || true;
    if run(pass, &bytes, 0, bytes.len() as u64, &going).is_err() {
        return;
    }
    let index = pass.index();
    let spans = index.requests.iter().flat_map(|request| request.words.spans().to_vec());
    let mut window = Window::new(&bytes, 0, 0, &going);
    for span in spans.chain(index.answers.iter().map(|answer| answer.span)) {
        let mut words = String::new();
        let decoded =
            window.move_to(span.start(), span.end()).and_then(|()| decode(&mut window, 1024, &mut words));
        assert!(decoded.is_ok(), "a text that was found at {span:?} can be read: {decoded:?}");
    }
}
