//! `config.json`: the person's settings, a part at a time, as whoever needs them knows its shape.

use std::io::ErrorKind;

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use serde::de::DeserializeOwned;

use crate::error::error;
use crate::home::Home;
use crate::why::why;

/// What the file says; of a home without the file, the default. `example`: how it may be written.
///
/// # Errors
/// `bad_request` when the file is there and cannot be read as that.
pub fn read<T: Default + DeserializeOwned>(home: &Home, example: &str) -> Result<T, ErrorBody> {
    match std::fs::read(home.config()) {
        Ok(bytes) => parse(home, &bytes, example),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(T::default()),
        Err(e) => Err(cannot(home, &why(&e), example)),
    }
}

/// What these bytes of the file say.
///
/// # Errors
/// `bad_request` that names the key and the line which do not fit.
pub fn parse<T: DeserializeOwned>(home: &Home, bytes: &[u8], example: &str) -> Result<T, ErrorBody> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|e| {
        let key = e.path().to_string();
        match key.as_str() {
            // Broken before any key, or no object at all.
            "." => e.inner().to_string(),
            key => format!("{key}: {}", e.inner()),
        }
    });
    let whole = read.and_then(|read| json.end().map(|()| read).map_err(|e| e.to_string()));
    whole.map_err(|why| cannot(home, &why, example))
}

fn cannot(home: &Home, why: &str, example: &str) -> ErrorBody {
    error(
        ErrorCode::BadRequest,
        format!("cannot read {}: {why}", home.config().display()),
        format!("Write it as {example}, or remove it."),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    struct Ports {
        #[serde(default)]
        ports: Vec<u16>,
    }

    #[test]
    fn what_does_not_fit_is_named_by_key_and_line() {
        let home = Home::at("/home");
        let read = |text: &str| parse::<Ports>(&home, text.as_bytes(), "{}");
        assert_eq!(read("{\"other\": 1}").unwrap(), Ports::default());
        for (text, key, line) in [
            ("{\n\"ports\": [\n1,\n70000]\n}", "ports[1]", "line 4"),
            ("{\n\"ports\": 7\n}", "ports", "line 2"),
            ("{\n\"ports\": [1,\n", "ports", "line 3"),
            ("{}\n}", "config.json", "line 2"),
            ("", "config.json", "line 1"),
        ] {
            let refused = read(text).unwrap_err().message;
            assert!(refused.contains(key) && refused.contains(line), "{text:?}: {refused}");
        }
    }
}
