//! What a transcript shows of itself when it is listed: where the session worked, by its first and its last lines.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::error::NoData;
use crate::heads::Head;
use crate::index::MOST_TITLE;
use crate::json::{Json, LineEnd, Window};
use crate::place::FileAt;

/// Bytes at the beginning, and at the end, in which all lines are asked where the session worked.
const SHOWN: u64 = 64 * 1024;
/// Bytes of each in which it is looked for when so few do not say it: a line may be long.
const MOST_SHOWN: u64 = 4 * 1024 * 1024;
/// Directories of one session; with more it is nobody's.
const MOST_FOLDERS: usize = 64;
/// Bytes of a path.
const MOST_PATH: usize = 16 * 1024;

/// What the first and the last lines say. In between a session may have been elsewhere: that is not looked at.
pub(super) fn read_head(file: &FileAt) -> Result<Head, NoData> {
    let opened = file.open()?;
    if opened.bytes == 0 {
        return Err(NoData::Empty);
    }
    let going = || true;
    let mut shown = Shown::default();
    let mut window = Window::new(&opened.file, 0, opened.bytes.min(MOST_SHOWN), &going).by_line();
    let mut is_at_line = true;
    while is_at_line && (window.position() < SHOWN || shown.folders.is_empty()) {
        is_at_line = shown.line(&mut window);
    }
    let upto = window.position();
    let title = shown.title.take();
    let (mut length, before) = (SHOWN, shown.said);
    loop {
        let from = opened.bytes.saturating_sub(length).max(upto);
        let mut window = Window::new(&opened.file, from, opened.bytes, &going).by_line();
        // It may begin in the middle of a line.
        let is_whole = (from == upto && is_at_line) || window.finish_line().is_ok();
        while is_whole && shown.line(&mut window) {}
        if shown.said > before || from == upto || length >= MOST_SHOWN {
            break;
        }
        length *= 8;
    }
    Ok(Head { title, folders: shown.into_folders(), ..Head::default() })
}

/// What lines say of where they were written.
#[derive(Debug, Default)]
struct Shown {
    title: Option<String>,
    /// Each once, as they stand there: one that is no path of this machine is in no project.
    folders: BTreeSet<String>,
    /// Lines that say one.
    said: usize,
}

impl Shown {
    /// Reads the next line; `false` when that was the last. Of a broken one it counts what it says until there.
    fn line(&mut self, window: &mut Window<'_>) -> bool {
        if !window.is_at_end().is_ok_and(|is_at_end| !is_at_end) {
            return false;
        }
        let mut json = Json::new(window);
        // What cannot be read is passed over.
        let _ = json.object(|json, name| {
            match name {
                "cwd" => {
                    if let Some(folder) = json.text(MOST_PATH)? {
                        self.said += 1;
                        if self.folders.len() <= MOST_FOLDERS {
                            self.folders.insert(folder.head);
                        }
                    }
                }
                "summary" => self.title = json.text(MOST_TITLE)?.map(|text| text.head).or(self.title.take()),
                _ => json.skip()?,
            }
            Ok(())
        });
        window.finish_line().is_ok_and(|end| end == LineEnd::Whole)
    }

    fn into_folders(self) -> Vec<PathBuf> {
        let is_known = self.folders.len() <= MOST_FOLDERS;
        self.folders.into_iter().filter(|_| is_known).map(PathBuf::from).collect()
    }
}
