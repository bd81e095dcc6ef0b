//! The gateway's part of `config.json`.

use opentoolbar_core::protocol::ErrorBody;
use serde::Deserialize;

use crate::config;
use crate::home::Home;

/// Whether and where the gateway is open when a hub runs in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    pub(crate) enabled: bool,
    /// 0 is any that is free.
    pub(crate) port: Option<u16>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    gateway: Config,
}

impl Config {
    /// Of a home without the file, the default.
    ///
    /// # Errors
    /// `bad_request` when the file is there and cannot be read.
    pub(crate) fn read(home: &Home) -> Result<Self, ErrorBody> {
        let example = "{\"gateway\": {\"enabled\": true, \"port\": 7847}}";
        config::read::<File>(home, example).map(|file| file.gateway)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_missing_file_is_the_default_and_a_broken_one_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(Config::read(&home).unwrap(), Config::default());
        for (text, expected) in [
            ("{}", Config::default()),
            ("{\"gateway\": {\"enabled\": true}, \"other\": 1}", Config { enabled: true, port: None }),
            ("{\"gateway\": {\"enabled\": true, \"port\": 0}}", Config { enabled: true, port: Some(0) }),
        ] {
            std::fs::write(home.config(), text).unwrap();
            assert_eq!(Config::read(&home).unwrap(), expected, "{text}");
        }
        for text in ["", "true", "{\"gateway\": {\"port\": 70000}}"] {
            std::fs::write(home.config(), text).unwrap();
            let refused = Config::read(&home).unwrap_err();
            assert!(refused.message.contains("config.json"), "{refused}");
        }
    }
}
