//! The file that tells a browser where the host is and which extension may start it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::browser::Family;
use crate::identity::Identity;

const DESCRIPTION: &str = "opentoolbar: hands comments from the page to your coding agent";

/// A native-messaging host's manifest, of either family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    name: String,
    description: String,
    path: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allowed_origins: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allowed_extensions: Option<Vec<String>>,
}

impl Manifest {
    pub(super) fn new(family: Family, program: &Path) -> Self {
        let identity = Identity::get();
        let (origins, extensions) = match family {
            Family::Chromium => (Some(vec![format!("chrome-extension://{}/", identity.chrome_id)]), None),
            Family::Firefox => (None, Some(vec![identity.firefox_id.clone()])),
        };
        Self {
            name: identity.native_host.clone(),
            description: DESCRIPTION.to_owned(),
            path: program.to_string_lossy().into_owned(),
            kind: "stdio".to_owned(),
            allowed_origins: origins,
            allowed_extensions: extensions,
        }
    }

    /// The file's name, the same for every browser.
    pub fn file_name() -> String {
        format!("{}.json", Identity::get().native_host)
    }

    pub(super) fn text(&self) -> String {
        // Strings only: cannot fail.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// Whether a file's content was written by us, by this version or another, for this program or another.
    pub(super) fn is_ours(content: &[u8]) -> bool {
        let identity = Identity::get();
        serde_json::from_slice::<Manifest>(content).is_ok_and(|manifest| {
            let origin = format!("chrome-extension://{}/", identity.chrome_id);
            let ours = |list: Option<&Vec<String>>, id: &str| {
                list.is_some_and(|list| list.iter().all(|one| one == id))
            };
            manifest.name == identity.native_host
                && manifest.description == DESCRIPTION
                && (ours(manifest.allowed_origins.as_ref(), &origin)
                    || ours(manifest.allowed_extensions.as_ref(), &identity.firefox_id))
        })
    }
}
