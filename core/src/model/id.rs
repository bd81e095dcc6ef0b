use serde::{Deserialize, Serialize};

/// Why a string is not an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} id must be {prefix:?} followed by 1 to 64 of A-Z a-z 0-9 _ -, got {got:?}")]
pub struct IdError {
    kind: &'static str,
    prefix: &'static str,
    got: String,
}

/// Longest part after the prefix, in bytes.
const MAX_TAIL: usize = 64;

fn check(kind: &'static str, prefix: &'static str, id: String) -> Result<String, IdError> {
    let valid = id.strip_prefix(prefix).is_some_and(|tail| {
        (1..=MAX_TAIL).contains(&tail.len())
            && tail.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    });
    if valid { Ok(id) } else { Err(IdError { kind, prefix, got: id.chars().take(80).collect() }) }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The id as it stands in JSON and SQL.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(id: String) -> Result<Self, IdError> {
                check($kind, $prefix, id).map(Self)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;
            fn from_str(id: &str) -> Result<Self, IdError> {
                id.to_owned().try_into()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// A comment: `c_...`.
    CommentId, "comment", "c_"
);
id!(
    /// A browser tab on one origin: `s_...`.
    SessionId, "session", "s_"
);
id!(
    /// A reply in a comment's thread: `r_...`.
    ReplyId, "reply", "r_"
);
id!(
    /// A message between browser and hub, chosen by the sender and applied once: `m_...`.
    MessageId, "message", "m_"
);
id!(
    /// A selection made in a session: `ctx_...`.
    ContextId, "context", "ctx_"
);
id!(
    /// An agent's request that the person point at something: `a_...`.
    AnnotationId, "annotation", "a_"
);

impl SessionId {
    /// An id that a client of the WebSocket chose itself, with our prefix where it has none.
    ///
    /// # Errors
    /// When it is not 1 to 64 of A-Z a-z 0-9 _ -.
    pub fn from_client(id: &str) -> Result<Self, IdError> {
        id.parse().or_else(|_| format!("s_{id}").parse())
    }
}
