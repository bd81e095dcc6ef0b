//! Takes over what changes of `config.json` while the gateway is open.

use std::io::ErrorKind;
use std::time::Duration;

use opentoolbar_core::protocol::ErrorBody;

use super::config::Config;
use super::ports::{Opens, Ports};
use crate::home::Home;

/// How soon a change is taken over, and a port opened that was in use.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// As long as the gateway is open. Ends with its task alone. `has_extra`: whether ports beside the main one are opened.
pub(super) async fn follow(home: Home, ports: &Ports, has_extra: bool, opens: impl Opens) {
    let mut last = None;
    loop {
        let (text, home) = (text_of(&home).await, &home);
        if last.as_ref() != Some(&text) {
            match Config::parse(home, text.as_ref().ok().and_then(Option::as_deref)) {
                Ok(config) => {
                    ports.set_mistake(text.as_ref().err().cloned());
                    if text.is_ok() {
                        adopt(ports, &config, has_extra, &opens).await;
                    }
                }
                // Whoever asks is told of it, without a token: where the home is says nothing to them.
                Err(ErrorBody { message, .. }) => {
                    let path = home.config().display().to_string();
                    ports.set_mistake(Some(message.replace(&path, "config.json")));
                }
            }
            last = Some(text);
        } else if let Some(wanted) = ports.wants_more() {
            ports.set_extra(&wanted, &opens).await;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// What the file says, at once.
pub(super) async fn adopt(ports: &Ports, config: &Config, has_extra: bool, opens: &impl Opens) {
    let wanted = config.ports();
    ports.set_main(&wanted);
    if has_extra {
        ports.set_extra(&wanted, opens).await;
    }
}

/// The file's bytes; none where there is no file.
async fn text_of(home: &Home) -> Result<Option<Vec<u8>>, String> {
    match tokio::fs::read(home.config()).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read config.json: {}", crate::why::why(&error))),
    }
}
