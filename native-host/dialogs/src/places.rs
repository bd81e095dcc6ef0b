//! Where programs keep their histories, from the system and the user's environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::dialog::Source;

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux, and what is like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// This machine's.
    pub fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// Directories that histories are looked for in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// User directories of VS Code's builds.
    pub vs_code: Vec<(Source, PathBuf)>,
    /// The directory with a directory for each project of Claude Code.
    pub claude_code: Option<PathBuf>,
    /// Directories with Codex's sessions.
    pub codex: Vec<PathBuf>,
}

impl Places {
    /// For a user with this home directory and environment.
    pub fn new(system: System, home: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let directory = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let settings = match system {
            System::Linux => directory("XDG_CONFIG_HOME")
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| home.join(".config")),
            System::MacOs => home.join("Library/Application Support"),
            System::Windows => directory("APPDATA").unwrap_or_else(|| home.join("AppData").join("Roaming")),
        };
        let builds = [
            (Source::VsCode, "Code"),
            (Source::VsCodeInsiders, "Code - Insiders"),
            (Source::VsCodium, "VSCodium"),
        ];
        let claude = directory("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"));
        let codex = directory("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
        Self {
            vs_code: builds.map(|(source, name)| (source, settings.join(name).join("User"))).into(),
            claude_code: Some(claude.join("projects")),
            codex: vec![codex.join("sessions"), codex.join("archived_sessions")],
        }
    }

    /// For the user that runs this; without a home directory there are none.
    pub fn of_this_user() -> Self {
        etcetera::home_dir()
            .map(|home| Self::new(System::here(), &home, |name| std::env::var_os(name)))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(system: System, variables: &[(&str, &str)]) -> Places {
        Places::new(system, Path::new("/home/me"), |wanted| {
            variables.iter().find_map(|(name, value)| (*name == wanted).then(|| OsString::from(value)))
        })
    }

    fn of_vs_code(places: &Places) -> Vec<&str> {
        places.vs_code.iter().filter_map(|(_, path)| path.to_str()).collect()
    }

    #[test]
    fn each_system_has_its_place_for_settings() {
        let linux = places(System::Linux, &[]);
        let expected = ["Code/User", "Code - Insiders/User", "VSCodium/User"];
        let below = |settings: &str| expected.map(|name| format!("{settings}/{name}"));
        assert_eq!(of_vs_code(&linux), below("/home/me/.config"));
        assert_eq!(of_vs_code(&places(System::MacOs, &[])), below("/home/me/Library/Application Support"));
        let moved = places(System::Linux, &[("XDG_CONFIG_HOME", "/etc/mine")]);
        assert_eq!(of_vs_code(&moved), below("/etc/mine"));
        assert_eq!(linux.claude_code, Some("/home/me/.claude/projects".into()));
        assert_eq!(linux.codex[0], Path::new("/home/me/.codex/sessions"));
        let windows = places(System::Windows, &[("APPDATA", "/roaming")]);
        assert_eq!(windows.vs_code[1], (Source::VsCodeInsiders, "/roaming/Code - Insiders/User".into()));
    }

    #[test]
    fn a_directory_that_the_person_set_is_where_claude_code_and_codex_are_looked_for() {
        let set = [("CLAUDE_CONFIG_DIR", "/c"), ("CODEX_HOME", "/x"), ("XDG_CONFIG_HOME", "")];
        let places = places(System::Linux, &set);
        assert_eq!(places.claude_code, Some("/c/projects".into()));
        assert_eq!(places.codex, [PathBuf::from("/x/sessions"), "/x/archived_sessions".into()]);
        assert_eq!(places.vs_code[0].1, Path::new("/home/me/.config/Code/User"), "an empty one is none");
    }
}
