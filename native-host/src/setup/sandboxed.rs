//! Browsers inside a sandbox (Flatpak, Snap) cannot start a program outside it, so a manifest does not help them.

use std::path::Path;

use super::browser::Places;

const FLATPAKS: [(&str, &str); 6] = [
    ("com.brave.Browser", "Brave"),
    ("com.google.Chrome", "Chrome"),
    ("com.microsoft.Edge", "Edge"),
    ("com.vivaldi.Vivaldi", "Vivaldi"),
    ("org.chromium.Chromium", "Chromium"),
    ("org.mozilla.firefox", "Firefox"),
];

const SNAPS: [(&str, &str); 3] = [("brave", "Brave"), ("chromium", "Chromium"), ("firefox", "Firefox")];

/// `Firefox (Snap)`, for each sandboxed browser of this user. `system`: the root of the file system, `/`.
pub fn sandboxed_browsers(places: &Places, system: &Path) -> Vec<String> {
    let home = places.home();
    let flatpaks = FLATPAKS.iter().filter(|(id, _)| {
        home.join(".var/app").join(id).is_dir()
            || home.join(".local/share/flatpak/app").join(id).is_dir()
            || system.join("var/lib/flatpak/app").join(id).is_dir()
    });
    let snaps = SNAPS
        .iter()
        .filter(|(id, _)| home.join("snap").join(id).is_dir() || system.join("snap").join(id).is_dir());
    flatpaks
        .map(|(_, name)| format!("{name} (Flatpak)"))
        .chain(snaps.map(|(_, name)| format!("{name} (Snap)")))
        .collect()
}
