//! The gateway's part of `config.json`.

use std::collections::BTreeSet;

use opentoolbar_core::protocol::ErrorBody;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::instructions::{self, Instructions};
use crate::config::{self, Object};
use crate::home::Home;

const EXAMPLE: &str = "{\"gateway\": {\"enabled\": true, \"port\": 7847, \"ports\": [{\"port\": 8090, \"role\": \"reviewer\", \
                       \"system\": \"...\", \"base_instruction\": \"...\", \"allowed_actions\": [], \
                       \"verification_required\": true}]}}";
/// Maximum number of entries in `gateway.ports`.
pub(super) const MOST_PORTS: usize = 16;
/// Longest `role` of a port, in characters.
const MOST_ROLE: usize = 100;
/// Longest `system` or `base_instruction`, in characters.
const MOST_TEXT: usize = 8_000;
/// Maximum number of `allowed_actions` of a port, and the longest of them in characters.
const MOST_ACTIONS: usize = 100;
const MOST_ACTION: usize = 200;

/// Whether and where the gateway is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// Whether it is open when a hub runs in the background.
    pub(crate) enabled: bool,
    /// 0 is any that is free.
    pub(crate) port: Option<u16>,
    /// Ports with instructions of their own; without the key, the default ones.
    #[serde(deserialize_with = "ports")]
    pub(super) ports: Option<Vec<ExtraPort>>,
}

/// One entry of `gateway.ports`. That of the main port's number says what the main port tells.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtraPort {
    /// 0 is any that is free.
    pub(super) port: u16,
    #[serde(deserialize_with = "role")]
    role: String,
    #[serde(deserialize_with = "text")]
    system: String,
    #[serde(deserialize_with = "text")]
    base_instruction: String,
    #[serde(deserialize_with = "actions")]
    allowed_actions: Vec<String>,
    verification_required: bool,
}

impl ExtraPort {
    pub(super) fn instructions(&self) -> Instructions {
        Instructions {
            system: self.system.clone(),
            role: self.role.clone(),
            base_instruction: self.base_instruction.clone(),
            allowed_actions: self.allowed_actions.clone(),
            verification_required: self.verification_required,
        }
    }

    pub(super) fn of(port: u16, instructions: Instructions) -> Self {
        let Instructions { system, role, base_instruction, allowed_actions, verification_required } =
            instructions;
        Self { port, role, system, base_instruction, allowed_actions, verification_required }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    gateway: Object<Config>,
}

impl Config {
    /// Of a home without the file, the default.
    ///
    /// # Errors
    /// `bad_request` when the file is there and cannot be read; it names the key and the line.
    pub(crate) fn read(home: &Home) -> Result<Self, ErrorBody> {
        config::read::<File>(home, EXAMPLE).map(|file| file.gateway.0)
    }

    /// The same of bytes that were read already; of none, the default.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(super) fn parse(home: &Home, bytes: Option<&[u8]>) -> Result<Self, ErrorBody> {
        match bytes {
            Some(bytes) => config::parse::<File>(home, bytes, EXAMPLE).map(|file| file.gateway.0),
            None => Ok(Self::default()),
        }
    }

    /// The ports beside the main one.
    pub(super) fn ports(&self) -> Vec<ExtraPort> {
        self.ports.clone().unwrap_or_else(|| {
            vec![ExtraPort::of(instructions::REVIEW_PORT, Instructions::of_the_review_port())]
        })
    }
}

fn at_most<'de, D: Deserializer<'de>>(deserializer: D, most: usize) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.chars().count() {
        count if count > most => {
            Err(D::Error::custom(format!("it has {count} characters; it may have {most}")))
        }
        _ => Ok(text),
    }
}

fn role<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let role = at_most(deserializer, MOST_ROLE)?;
    if role.trim().is_empty() {
        return Err(D::Error::custom("a role has a name, like \"reviewer\""));
    }
    Ok(role)
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    at_most(deserializer, MOST_TEXT)
}

fn actions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let actions = Vec::<String>::deserialize(deserializer)?;
    if actions.len() > MOST_ACTIONS {
        return Err(D::Error::custom(format!("there are {} actions; {MOST_ACTIONS} may be", actions.len())));
    }
    if actions.iter().any(|action| action.chars().count() > MOST_ACTION) {
        return Err(D::Error::custom(format!("an action has more than {MOST_ACTION} characters")));
    }
    Ok(actions)
}

/// One by one, so that a mistake is told with its line.
fn ports<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<ExtraPort>>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<ExtraPort>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list of ports")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let (mut ports, mut numbers) = (Vec::new(), BTreeSet::new());
            while let Some(entry) = list.next_element::<Object<ExtraPort>>()? {
                let Object(entry) = entry;
                if entry.port != 0 && !numbers.insert(entry.port) {
                    return Err(A::Error::custom(format!("port {} is there twice", entry.port)));
                }
                if ports.len() == MOST_PORTS {
                    return Err(A::Error::custom(format!("there are more than {MOST_PORTS} ports")));
                }
                ports.push(entry);
            }
            Ok(ports)
        }
    }
    deserializer.deserialize_seq(Entries).map(Some)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn entry(port: &str) -> String {
        format!(
            "{{\"port\": {port}, \"role\": \"r\", \"system\": \"s\", \"base_instruction\": \"b\",\n\
             \"allowed_actions\": [\"a\"], \"verification_required\": true}}"
        )
    }

    #[test]
    fn a_missing_file_is_the_default_and_a_broken_one_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(Config::read(&home).unwrap(), Config::default());
        let on = |port| Config { enabled: true, port, ports: None };
        for (text, expected) in [
            ("{}", Config::default()),
            ("{\"gateway\": {\"enabled\": true}, \"other\": 1}", on(None)),
            ("{\"gateway\": {\"enabled\": true, \"port\": 0}}", on(Some(0))),
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

    #[test]
    fn without_a_list_there_is_the_port_of_the_requirement_and_an_empty_list_is_none() {
        let ports: Vec<u16> = Config::default().ports().iter().map(|port| port.port).collect();
        assert_eq!(ports, [8090]);
        let none = Config { ports: Some(Vec::new()), ..Config::default() };
        assert!(none.ports().is_empty());
    }

    #[test]
    fn an_entry_that_does_not_fit_is_named_by_its_key_and_line() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let read = |list: &str| {
            std::fs::write(home.config(), format!("{{\"gateway\": {{\n\"ports\": [\n{list}\n]}}}}")).unwrap();
            Config::read(&home)
        };
        let read_ports = read(&format!("{},{}", entry("0"), entry("0"))).unwrap().ports();
        assert_eq!(read_ports.len(), 2);
        assert_eq!(read_ports[0].instructions().allowed_actions, ["a"]);
        let one = entry("8090");
        for (list, key, line) in [
            (entry("70000"), "gateway.ports[0].port", "line 3"),
            (format!("{one},\n{}", entry("true")), "gateway.ports[1].port", "line 5"),
            (format!("{one},\n{one}"), "gateway.ports", "line 7"),
            (one.replace("\"r\"", "\"\""), "gateway.ports[0].role", "line 3"),
            (
                one.replace("\"s\"", &format!("\"{}\"", "x".repeat(8_001))),
                "gateway.ports[0].system",
                "line 3",
            ),
            (one.replace("\"a\"", "1"), "gateway.ports[0].allowed_actions", "line 4"),
            (one.replace("role", "rolle"), "gateway.ports[0]", "line 3"),
            (vec![entry("0"); 17].join(","), "gateway.ports", "more than 16"),
            (format!("{one}],\n\"portz\": ["), "portz", "line 5"),
            ("[0, \"r\", \"s\", \"b\", [], true]".to_owned(), "gateway.ports[0]", "line 3"),
        ] {
            let refused = read(&list).unwrap_err();
            assert!(refused.message.contains(key) && refused.message.contains(line), "{list}: {refused}");
        }
    }
}
