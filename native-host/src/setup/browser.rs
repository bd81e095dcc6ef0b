//! Which browsers there are and where each looks for native hosts.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

/// A browser that can start a native host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Browser {
    /// Brave.
    Brave,
    /// Google Chrome.
    Chrome,
    /// Chromium.
    Chromium,
    /// Microsoft Edge.
    Edge,
    /// Mozilla Firefox.
    Firefox,
    /// Vivaldi.
    Vivaldi,
}

/// The format of a host's manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// `allowed_origins`.
    Chromium,
    /// `allowed_extensions`.
    Firefox,
}

impl Browser {
    /// Every one, sorted by name.
    pub const ALL: [Browser; 6] = [
        Browser::Brave,
        Browser::Chrome,
        Browser::Chromium,
        Browser::Edge,
        Browser::Firefox,
        Browser::Vivaldi,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Browser::Brave => "Brave",
            Browser::Chrome => "Chrome",
            Browser::Chromium => "Chromium",
            Browser::Edge => "Edge",
            Browser::Firefox => "Firefox",
            Browser::Vivaldi => "Vivaldi",
        }
    }

    pub(super) fn family(self) -> Family {
        if self == Browser::Firefox { Family::Firefox } else { Family::Chromium }
    }

    /// Names of the program on `PATH`.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Browser::Brave => &["brave-browser", "brave"],
            Browser::Chrome => &["google-chrome", "google-chrome-stable"],
            Browser::Chromium => &["chromium", "chromium-browser"],
            Browser::Edge => &["microsoft-edge", "microsoft-edge-stable"],
            Browser::Firefox => &["firefox", "firefox-esr"],
            Browser::Vivaldi => &["vivaldi", "vivaldi-stable"],
        }
    }

    #[cfg(windows)]
    pub(super) fn registry_key(self) -> &'static str {
        match self {
            Browser::Brave => "Software\\BraveSoftware\\Brave-Browser\\NativeMessagingHosts",
            Browser::Chrome => "Software\\Google\\Chrome\\NativeMessagingHosts",
            Browser::Chromium => "Software\\Chromium\\NativeMessagingHosts",
            Browser::Edge => "Software\\Microsoft\\Edge\\NativeMessagingHosts",
            Browser::Firefox => "Software\\Mozilla\\NativeMessagingHosts",
            Browser::Vivaldi => "Software\\Vivaldi\\NativeMessagingHosts",
        }
    }
}

/// The user's directories that browsers derive their places from.
#[derive(Clone, Debug)]
pub struct Places {
    home: PathBuf,
    /// `~/.config` on Linux, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows.
    config: PathBuf,
}

impl Places {
    /// Of the user `home` belongs to; nothing of the environment counts.
    pub fn of_home(home: impl Into<PathBuf>) -> Self {
        let home = home.into();
        let config = if cfg!(target_os = "macos") {
            home.join("Library/Application Support")
        } else if cfg!(windows) {
            home.join("AppData").join("Local")
        } else {
            home.join(".config")
        };
        Self { home, config }
    }

    /// Of the user who runs this: `$HOME`, and on Linux `$XDG_CONFIG_HOME`, which browsers follow too.
    /// `None` when there is no home directory.
    pub fn from_env() -> Option<Self> {
        let mut places = Self::of_home(etcetera::home_dir().ok()?);
        if cfg!(all(unix, not(target_os = "macos")))
            && let Some(config) =
                std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute())
        {
            places.config = config;
        }
        Some(places)
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// What exists once the browser ran.
    fn profile(&self, browser: Browser) -> PathBuf {
        let mac = cfg!(target_os = "macos");
        let below = |linux: &str, macos: &str| self.config.join(if mac { macos } else { linux });
        match browser {
            Browser::Brave => below("BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser"),
            Browser::Chrome => below("google-chrome", "Google/Chrome"),
            Browser::Chromium => below("chromium", "Chromium"),
            Browser::Edge => below("microsoft-edge", "Microsoft Edge"),
            Browser::Firefox if mac => self.config.join("Mozilla"),
            Browser::Firefox => self.home.join(".mozilla"),
            Browser::Vivaldi => below("vivaldi", "Vivaldi"),
        }
    }

    /// The directory where the browser looks for manifests. On Windows manifests may lie anywhere: the registry names
    /// them.
    pub(super) fn manifests(&self, browser: Browser) -> PathBuf {
        if cfg!(windows) {
            return self.config.join("opentoolbar").join("native-hosts").join(browser.name().to_lowercase());
        }
        let directory = match browser {
            Browser::Firefox if !cfg!(target_os = "macos") => "native-messaging-hosts",
            _ => "NativeMessagingHosts",
        };
        self.profile(browser).join(directory)
    }

    /// Browsers that ran here or are on `path` (the variable's value), sorted by name.
    pub fn found(&self, path: Option<&std::ffi::OsStr>) -> Vec<Browser> {
        let directories: Vec<PathBuf> =
            path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
        let on_path = |program: &str| directories.iter().any(|directory| directory.join(program).is_file());
        Browser::ALL
            .into_iter()
            .filter(|browser| {
                // Windows has no such places; registering for a browser that is not there is harmless.
                cfg!(windows)
                    || self.profile(*browser).is_dir()
                    || browser.programs().iter().any(|name| on_path(name))
            })
            .collect()
    }
}
