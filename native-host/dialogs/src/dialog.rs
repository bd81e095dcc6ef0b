//! What is known of a dialog before its history is read.

use std::path::{Path, PathBuf};

use opentoolbar_core::model::Timestamp;

use crate::place::Place;

/// Which program keeps the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Visual Studio Code.
    VsCode,
    /// Its nightly build.
    VsCodeInsiders,
    /// Its build without Microsoft's parts.
    VsCodium,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::VsCode, Self::VsCodeInsiders, Self::VsCodium, Self::ClaudeCode, Self::Codex];

    /// As messages name it.
    pub fn word(self) -> &'static str {
        match self {
            Self::VsCode => "vs_code",
            Self::VsCodeInsiders => "vs_code_insiders",
            Self::VsCodium => "vscodium",
            Self::ClaudeCode => "claude_code",
            Self::Codex => "codex",
        }
    }

    /// By that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.word() == word)
    }

    /// Whether it is one of VS Code's builds: the current dialog of Copilot Chat is one of theirs.
    pub fn is_vs_code(self) -> bool {
        matches!(self, Self::VsCode | Self::VsCodeInsiders | Self::VsCodium)
    }
}

/// Where a dialog was held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workspace {
    /// In these directories of this machine, with links resolved as far as they are there; several in a
    /// `.code-workspace`.
    Folders(Vec<PathBuf>),
    /// In all of these directories, one after the other, as far as the history was looked at. It is of a project only
    /// when all are: what was said in another one is nobody's to be told.
    AllOf(Vec<PathBuf>),
    /// In a window without a folder.
    NoFolder,
    /// On another machine, or in what is no directory.
    Elsewhere,
    /// The history does not say, or could not be read.
    Unknown,
}

impl Workspace {
    /// Whether one of its folders, or each where it was in all, is `root` or inside it. `root` is a real path.
    pub fn is_within(&self, root: &Path) -> bool {
        let is_within = |folder: &PathBuf| folder.starts_with(root);
        match self {
            Self::Folders(folders) => folders.iter().any(is_within),
            Self::AllOf(folders) => !folders.is_empty() && folders.iter().all(is_within),
            Self::NoFolder | Self::Elsewhere | Self::Unknown => false,
        }
    }
}

/// Which dialogs are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the project with this root, a real path.
    Project(PathBuf),
    /// All of this user.
    Everything,
}

impl Scope {
    /// Whether a dialog held there is one.
    pub fn has(&self, workspace: &Workspace) -> bool {
        match self {
            Self::Project(root) => workspace.is_within(root),
            Self::Everything => true,
        }
    }
}

/// A dialog of a person with an agent, as another program keeps it.
#[derive(Clone, Debug)]
pub struct Dialog {
    /// Whose it is.
    pub source: Source,
    /// As the program calls it; unique within a source, but for copies.
    pub id: String,
    /// As far as it is known without reading the history.
    pub title: Option<String>,
    /// Where it was held.
    pub workspace: Workspace,
    /// When its history was written last; of one without a file, its last message in the program's own list.
    pub last_active: Timestamp,
    /// Whether nothing was asked in it, as in a chat window that was only opened. Known of VS Code's dialogs whose
    /// history has at most 64 KB, and of those without one where VS Code's own list says it; `None` of all others.
    pub is_empty: Option<bool>,
    /// Where its history is.
    pub place: Place,
}

impl Dialog {
    /// Whether there is a history to be read, as far as it was looked.
    pub fn has_history(&self) -> bool {
        self.place.file.is_ok()
    }
}
