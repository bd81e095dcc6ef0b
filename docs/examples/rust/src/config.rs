//! The config, as `opentoolbar config --output FILE` writes it: read, checked, kept secret.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Error, parse};

const NEEDED: [&str; 5] =
    ["GET /health", "GET /context", "POST /verify", "GET /verify/{id}", "DELETE /verify/{id}"];

/// A config that holds.
#[derive(Debug)]
pub struct Config {
    /// Of the program that wrote it.
    pub version: String,
    /// What listens, the main port first.
    pub ports: Vec<Port>,
    /// Each method of each path.
    pub endpoints: Vec<Endpoint>,
    /// The endpoints by which a person is asked, in their order.
    pub workflow: Vec<String>,
    /// What the gateway takes.
    pub limits: Limits,
    pub(crate) token: Token,
}

/// One port of the gateway.
#[derive(Debug, Deserialize)]
pub struct Port {
    /// Its number.
    pub port: u16,
    url: String,
    /// What an agent is there.
    pub role: String,
    /// Whether it is the one with the WebSocket.
    pub is_main: bool,
}

/// What an endpoint takes and answers.
#[derive(Debug, Deserialize)]
pub struct Endpoint {
    method: String,
    path: String,
    /// Of the body that is sent.
    pub request: Format,
    /// Of the body that comes.
    pub response: Format,
}

/// The format of a body, by its JSON Schema.
#[derive(Debug, Deserialize)]
pub struct Format {
    body: Option<Body>,
}

#[derive(Debug, Deserialize)]
struct Body {
    schema: Schema,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Schema {
    Object {
        properties: Map<String, Value>,
        #[serde(default)]
        required: Vec<String>,
    },
    #[expect(dead_code, reason = "whatever else is a schema, as `true`")]
    Other(Value),
}

/// What the gateway takes, at most.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Limits {
    pub action_characters: usize,
    pub reason_characters: usize,
    pub context_bytes: usize,
    pub wait_seconds: u64,
}

/// In no log: `{:?}` does not show it.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Token(pub(crate) String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

#[derive(Deserialize)]
struct Written {
    name: String,
    version: String,
    authentication: Authentication,
    ports: Vec<Port>,
    endpoints: Vec<Endpoint>,
    verification_workflow: Workflow,
    limits: Limits,
}

#[derive(Deserialize)]
struct Authentication {
    scheme: String,
    // What the panel saves in a browser that is paired has none.
    token: Token,
}

#[derive(Deserialize)]
struct Workflow {
    available: bool,
    endpoints: Vec<String>,
}

impl Config {
    /// Reads it from a file that nobody else can read.
    ///
    /// # Errors
    /// [`Error::Config`] says what to do.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display();
        let file = File::open(path).and_then(|file| Ok((is_shared(&file)?, file)));
        let text = file.and_then(|(is_shared, mut file)| {
            let mut text = String::new();
            if !is_shared {
                file.read_to_string(&mut text)?;
            }
            Ok((!is_shared).then_some(text))
        });
        let text = text
            .map_err(|error| {
                Error::Config(format!(
                    "cannot read {name}: {error}. Make it by `opentoolbar config --output {name}`"
                ))
            })?
            .ok_or_else(|| {
                Error::Config(format!(
                    "{name} can be read by others, and it holds the token: run `chmod 600 {name}`"
                ))
            })?;
        Self::checked(&text).map_err(|what| {
            Error::Config(format!("{name}: {what}. Write it anew by `opentoolbar config --output {name}`"))
        })
    }

    fn checked(text: &str) -> Result<Self, String> {
        let written: Written = parse(text)?;
        let Written { name, version, authentication, ports, endpoints, verification_workflow, limits } =
            written;
        let Authentication { scheme, token } = authentication;
        // Written so by every gateway. Anything else would take the token off this machine.
        let leads_away =
            |port: &Port| port.port == 0 || port.url != format!("http://127.0.0.1:{}", port.port);
        for (is_wrong, what) in [
            (name != "opentoolbar", "`name` is not opentoolbar"),
            (scheme != "Bearer", "`authentication.scheme` is not Bearer"),
            (!is_token(&token.0), "`authentication.token` is no token"),
            (
                ports.iter().any(leads_away),
                "a `url` in `ports` is not http://127.0.0.1 with that entry's port",
            ),
            (ports.iter().filter(|port| port.is_main).count() != 1, "`ports` has not exactly one main port"),
            (
                !verification_workflow.available,
                "`verification_workflow.available` is false: nobody can be asked here",
            ),
            (limits.has_nothing(), "`limits` has one below 1"),
        ] {
            if is_wrong {
                return Err(what.to_owned());
            }
        }
        let is_there = |name: &&str| endpoints.iter().any(|one| one.name() == **name);
        if let Some(absent) = NEEDED.iter().find(|name| !is_there(name)) {
            return Err(format!("`endpoints` has no {absent}"));
        }
        Ok(Self { version, ports, endpoints, workflow: verification_workflow.endpoints, limits, token })
    }

    /// The number of the main port.
    #[must_use]
    pub fn main_port(&self) -> u16 {
        self.ports.iter().find(|port| port.is_main).map_or(0, |port| port.port)
    }
}

impl Endpoint {
    /// Method and path: `GET /context`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

impl Format {
    /// The least and the most that a number may be, where the schema says both.
    #[must_use]
    pub fn range(&self, name: &str) -> Option<(u64, u64)> {
        match &self.body.as_ref()?.schema {
            Schema::Object { properties, .. } => {
                let number = properties.get(name)?;
                Some((number["minimum"].as_u64()?, number["maximum"].as_u64()?))
            }
            Schema::Other(_) => None,
        }
    }

    /// The names of its fields, each with whether it must be there.
    pub fn fields(&self) -> impl Iterator<Item = (&str, bool)> {
        let schema = self.body.as_ref().map(|body| &body.schema);
        let object = schema.and_then(|schema| match schema {
            Schema::Object { properties, required } => Some((properties, required)),
            Schema::Other(_) => None,
        });
        object.into_iter().flat_map(|(properties, required)| {
            properties.keys().map(move |name| (name.as_str(), required.contains(name)))
        })
    }
}

impl Limits {
    fn has_nothing(&self) -> bool {
        [self.action_characters, self.reason_characters, self.context_bytes].contains(&0)
            || self.wait_seconds == 0
    }
}

fn is_token(text: &str) -> bool {
    (16..=512).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~+/=-".contains(&byte))
}

/// Of the open file: what has the name may be another one a moment later. Windows has no such modes.
fn is_shared(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    return Ok(std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o077 != 0);
    #[cfg(not(unix))]
    file.metadata().map(|_| false)
}

/// Where the config is looked for when no file is named.
#[must_use]
pub fn default_config() -> PathBuf {
    let home = std::env::var_os("OPENTOOLBAR_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".opentoolbar")));
    home.unwrap_or_default().join("gateway.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_a_config_hides_its_token() {
        assert_eq!(format!("{:?}", Token("secret".into())), "Token(hidden)");
    }
}
