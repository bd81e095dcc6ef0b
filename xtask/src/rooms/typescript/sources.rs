//! Where files of TypeScript are, which room each is in, and which file a path leads to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};

/// Folders in a tree that are no room but hold rooms in the same way, as `extension/page/pins`.
const NESTED: &[&str] = &["page", "panel"];

/// The folder in a tree that a file is in, or the file itself without its ending; in a nested one, the folder or file
/// there. `part`: what names of rooms begin with; `top`: the tree's folder.
pub(in super::super) fn room_of(part: &str, top: &Path, file: &Path) -> Option<String> {
    let mut parts = file.strip_prefix(top).ok()?.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let first = parts.next()?;
    let inner = NESTED.contains(&first).then(|| parts.next()).flatten();
    let name = |part: &str| part.split('.').next().unwrap_or(part).to_owned();
    let rooms = [Some(part.to_owned()), Some(name(first)), inner.map(name)];
    Some(rooms.into_iter().flatten().collect::<Vec<_>>().join("/"))
}

/// Every source below a folder with its text, but those of tests, stories and builds. `left_out`: folders in it that
/// are not looked into.
pub(in super::super) fn read(top: &Path, left_out: &[&str]) -> Result<BTreeMap<PathBuf, String>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                let is_left_out = folder == *top && left_out.contains(&&*name);
                let is_others = name == "node_modules" || name.starts_with('.');
                waiting.extend((!is_left_out && !is_others).then_some(path));
            } else if is_source(&name) {
                let text =
                    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                found.insert(path, text);
            }
        }
    }
    Ok(found)
}

fn is_source(name: &str) -> bool {
    let is_other = [".test.", ".stories.", ".config.", ".d."].iter().any(|part| name.contains(part));
    [".ts", ".tsx", ".mjs"].iter().any(|ending| name.ends_with(ending)) && !is_other
}

/// What a relative path in a file leads to, as it stands there: without an ending as often as with one.
pub(in super::super) fn target(file: &Path, path: &str) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in file.parent().unwrap_or(file).join(path).components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_a_folder_of_the_extension_or_a_file_in_it_and_in_a_nested_one_a_folder_or_a_file_there() {
        let room =
            |file: &str| room_of("extension", Path::new("/extension"), &Path::new("/extension").join(file));
        assert_eq!(room("background/messages/page.ts").as_deref(), Some("extension/background"));
        assert_eq!(room("new-id.ts").as_deref(), Some("extension/new-id"));
        assert_eq!(room("panel/chat/chat.ts").as_deref(), Some("extension/panel/chat"));
        assert_eq!(room("page/pins/pin.ts").as_deref(), Some("extension/page/pins"));
        assert_eq!(room("page/start.ts").as_deref(), Some("extension/page/start"));
        assert_eq!(room("/lab/main.ts"), None);
    }

    #[test]
    fn a_path_leads_from_the_folder_of_its_file() {
        let told = |path| target(Path::new("/extension/page/start.ts"), path);
        assert_eq!(told("../messages"), Path::new("/extension/messages"));
        assert_eq!(told("./pins/pin"), Path::new("/extension/page/pins/pin"));
    }
}
