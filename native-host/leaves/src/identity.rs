//! Who we are to browsers: the extension's ids and the host's name, from the one file that the extension is built from.

use std::sync::OnceLock;

use serde::Deserialize;

/// The extension's ids and the host's name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// Name that the extension passes to `connectNative`.
    pub native_host: String,
    /// Fixed by `key` in the Chrome manifest.
    pub chrome_id: String,
    /// `browser_specific_settings.gecko.id`.
    pub firefox_id: String,
}

impl Identity {
    /// The one that this binary was built with.
    pub fn get() -> &'static Identity {
        static IDENTITY: OnceLock<Identity> = OnceLock::new();
        #[expect(clippy::expect_used, reason = "the text is compiled in; a test decodes it")]
        IDENTITY.get_or_init(|| {
            serde_json::from_str(include_str!("../../../extension/identity.json"))
                .expect("identity.json is valid")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Identity;

    #[test]
    fn the_compiled_in_identity_decodes() {
        assert_eq!(Identity::get().native_host, "org.opentoolbar.host");
        assert_eq!(Identity::get().chrome_id.len(), 32);
    }
}
