//! Which directories a workspace of VS Code is, by the `workspace.json` in its storage.

use std::path::{Path, PathBuf};

use opentoolbar_leaves::files::Directory;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use crate::dialog::Workspace;
use crate::heads::{Heads, in_time};
use crate::json::{Fault, Json, Window};

/// Bytes of a file that says it; a `.code-workspace` may have settings beside the folders.
const MOST: u64 = 1024 * 1024;
const MOST_FOLDERS: usize = 1_000;
const MOST_PATH: usize = 16 * 1024;

#[derive(Deserialize)]
struct Stored {
    folder: Option<String>,
    /// The URI of a `.code-workspace`.
    workspace: Option<String>,
    /// What earlier versions called that.
    configuration: Option<String>,
}

/// Where the dialogs in this storage were held.
pub(super) fn held_in(storage: &Directory, heads: &Heads) -> Workspace {
    let Ok(Some(content)) = storage.read("workspace.json", MOST) else { return Workspace::Unknown };
    let Ok(stored) = serde_json::from_slice::<Stored>(&content) else { return Workspace::Unknown };
    if let Some(folder) = stored.folder {
        return match path_of(&folder) {
            Some(path) => Workspace::Folders(vec![heads.real(&path)]),
            None => Workspace::Elsewhere,
        };
    }
    let Some(uri) = stored.workspace.or(stored.configuration) else { return Workspace::Unknown };
    let Some(file) = path_of(&uri) else { return Workspace::Elsewhere };
    match in_time(move || folders(&file)).flatten() {
        Some(folders) => Workspace::Folders(folders.iter().map(|folder| heads.real(folder)).collect()),
        None => Workspace::Unknown,
    }
}

/// The folders that a `.code-workspace` names.
fn folders(file: &Path) -> Option<Vec<PathBuf>> {
    let (parent, name) = (file.parent()?, file.file_name()?.to_str()?);
    let content = Directory::open(parent).ok()?.read(name, MOST).ok()??;
    let mut folders = Vec::new();
    read(&content, |folder| {
        if folders.len() < MOST_FOLDERS {
            folders.push(folder);
        }
    })
    .ok()?;
    let absolute = |folder: Folder| match folder {
        Folder::Path(path) => Some(normal(&parent.join(path))),
        Folder::Uri(uri) => path_of(&uri),
    };
    Some(folders.into_iter().filter_map(absolute).collect())
}

enum Folder {
    /// May be relative to the file.
    Path(String),
    Uri(String),
}

fn read(content: &[u8], mut each: impl FnMut(Folder)) -> Result<(), Fault> {
    let going = || true;
    let mut window = Window::new(&content, 0, content.len() as u64, &going);
    let mut json = Json::with_comments(&mut window);
    json.object(|json, name| {
        if name != "folders" {
            return json.skip();
        }
        json.array(|json| {
            json.object(|json, name| {
                let folder = match name {
                    "path" => json.text(MOST_PATH)?.map(|text| Folder::Path(text.head)),
                    "uri" => json.text(MOST_PATH)?.map(|text| Folder::Uri(text.head)),
                    _ => json.skip().map(|()| None)?,
                };
                folder.into_iter().for_each(&mut each);
                Ok(())
            })
            .map(drop)
        })
        .map(drop)
    })?;
    json.finish()
}

/// Without `.` and `..`, as VS Code takes them: by name.
fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// The path that a URI of a file of this machine names.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(rest.split(['?', '#']).next()?).decode_utf8().ok()?.into_owned();
    if path.contains('\0') {
        return None;
    }
    if cfg!(windows) {
        let drive = path.strip_prefix('/').filter(|path| path.as_bytes().get(1) == Some(&b':'));
        return match drive {
            Some(path) => Some(normal(Path::new(&path.replace('/', "\\")))),
            // A share: its server is what comes first.
            None if !path.starts_with('/') => Some(PathBuf::from(format!("\\\\{}", path.replace('/', "\\")))),
            None => None,
        };
    }
    path.starts_with('/').then(|| normal(Path::new(&path)))
}
