//! `config.json`: the person's settings, a part at a time, as whoever needs them knows its shape.

use std::io::ErrorKind;
use std::marker::PhantomData;

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

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
    let read = serde_path_to_error::deserialize(&mut json).map(|Object(read)| read).map_err(|e| {
        let (key, why) = (e.path().to_string(), without_values(&e.inner().to_string()));
        match key.as_str() {
            // Broken before any key, or no object at all.
            "." => why,
            key => format!("{key}: {why}"),
        }
    });
    let whole = read.and_then(|read| json.end().map(|()| read).map_err(|e| e.to_string()));
    whole.map_err(|why| cannot(home, &why, example))
}

/// A part of the file that is written with keys. As serde reads structs, a list of their values would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
            type Value = T;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(Keys(PhantomData)).map(Self)
    }
}

/// What does not fit is told on to whoever asks: the kind of what stands there, and not the value, which may be a
/// secret in the wrong place.
fn without_values(why: &str) -> String {
    let said = ["invalid type: ", "invalid value: "]
        .into_iter()
        .find_map(|beginning| Some((beginning, why.strip_prefix(beginning)?)));
    match said.and_then(|(beginning, rest)| Some((beginning, rest, rest.rfind(", expected ")?))) {
        Some((beginning, rest, at)) => {
            let (found, expected) = rest.split_at(at);
            // The kind is a word or two: `string "..."`, "integer `7`", `floating point ...`.
            let kind = found.split(['"', '`']).next().unwrap_or_default().trim_end();
            format!("{beginning}{kind}{expected}")
        }
        None => why.to_owned(),
    }
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

    #[test]
    fn a_list_of_values_is_no_object_and_a_value_that_does_not_fit_is_told_to_nobody() {
        let home = Home::at("/home");
        let read = |text: &str| parse::<Ports>(&home, text.as_bytes(), "{}").unwrap_err().message;
        for text in ["[]", "[[1]]"] {
            assert!(read(text).contains("expected an object"), "{text}");
        }
        for value in ["\"sk-live, expected x\"", "[\"sk-live\"]", "{\"a\": \"sk-live\"}"] {
            let refused = read(&format!("{{\"ports\": {value}}}"));
            assert!(refused.contains("ports") && !refused.contains("sk-live"), "{refused}");
        }
        assert!(read("{\"ports\": \"x\"}").contains("invalid type: string, expected a sequence"));
        assert!(read("{\"ports\": [70000]}").contains("invalid value: integer, expected u16"));
    }
}
