//! Relay mode: a browser starts the binary with its own arguments, not with a verb.
//! Only our extension is served; standard output carries native-messaging frames and nothing else.

use std::ffi::OsString;

use super::Failure;
use crate::home::Home;
use crate::identity::Identity;

/// Started by a browser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Relay {
    /// By our extension.
    Ours,
    /// By an extension or manifest that is not ours.
    Foreign(String),
}

/// Chrome gives `chrome-extension://<id>/`; Firefox the path of the manifest, then the extension's id.
pub(super) fn started_by_browser(args: &[OsString]) -> Option<Relay> {
    let identity = Identity::get();
    let first = args.get(1)?.to_str()?;
    if let Some(rest) = first.strip_prefix("chrome-extension://") {
        let id = rest.trim_end_matches('/');
        return Some(if id == identity.chrome_id { Relay::Ours } else { Relay::Foreign(id.to_owned()) });
    }
    let path = std::path::Path::new(first);
    if path.is_absolute() && path.extension().is_some_and(|e| e == "json") {
        let id = args.get(2)?.to_str()?;
        return Some(if id == identity.firefox_id { Relay::Ours } else { Relay::Foreign(id.to_owned()) });
    }
    None
}

impl Relay {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Relay::Foreign(id) => Err(Failure::new(
                format!("the extension {id:?} is not opentoolbar's, so it is not served"),
                "Install the opentoolbar extension and run `opentoolbar setup`.",
            )),
            Relay::Ours => Ok(crate::browser::run(Home::from_env()?)?),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn args(list: &[&str]) -> Vec<OsString> {
        list.iter().map(OsString::from).collect()
    }

    #[test]
    fn chrome_with_our_id_is_ours() {
        let origin = format!("chrome-extension://{}/", Identity::get().chrome_id);
        assert_eq!(started_by_browser(&args(&["opentoolbar", &origin])), Some(Relay::Ours));
    }

    #[test]
    fn firefox_with_our_id_is_ours() {
        let id = &Identity::get().firefox_id;
        let path =
            if cfg!(windows) { "C:\\a\\org.opentoolbar.host.json" } else { "/a/org.opentoolbar.host.json" };
        assert_eq!(started_by_browser(&args(&["opentoolbar", path, id])), Some(Relay::Ours));
    }

    #[test]
    fn another_extension_is_foreign() {
        let foreign = started_by_browser(&args(&["opentoolbar", "chrome-extension://abc/"])).unwrap();
        assert_eq!(foreign, Relay::Foreign("abc".into()));
        assert!(foreign.run().is_err());
    }

    #[test]
    fn verbs_are_not_a_browser() {
        assert_eq!(started_by_browser(&args(&["opentoolbar", "status"])), None);
        assert_eq!(started_by_browser(&args(&["opentoolbar"])), None);
    }
}
