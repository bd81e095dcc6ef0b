use serde::{Deserialize, Serialize};

/// Why a string is not an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} id must be {must}, got {got:?}")]
pub struct IdError {
    kind: &'static str,
    must: &'static str,
    got: String,
}

/// Longest part after the prefix, in bytes.
const MAX_TAIL: usize = 64;

impl IdError {
    /// Of what was to name a comment.
    pub(super) fn of_reference(given: &str) -> Self {
        let must = "\"c_\" followed by 1 to 64 of A-Z a-z 0-9 _ -, or a number from 1 as 3 or #3";
        Self::of("comment", must, given)
    }

    fn of(kind: &'static str, must: &'static str, id: &str) -> Self {
        Self { kind, must, got: id.chars().take(80).collect() }
    }
}

fn is_tail(tail: &str, most: usize) -> bool {
    (1..=most).contains(&tail.len())
        && tail.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// An id of ours: one of another kind is never taken for it.
macro_rules! prefixed {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $prefix:literal) => {
        id!($(#[$doc])* $name, |id| {
            let must = concat!("\"", $prefix, "\" followed by 1 to 64 of A-Z a-z 0-9 _ -");
            match id.strip_prefix($prefix).is_some_and(|tail| is_tail(tail, MAX_TAIL)) {
                true => Ok(()),
                false => Err(IdError::of($kind, must, id)),
            }
        });
    };
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $check:expr) => {
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
                let check: fn(&str) -> Result<(), IdError> = $check;
                check(&id).map(|()| Self(id))
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

prefixed!(
    /// A comment: `c_...`.
    CommentId, "comment", "c_"
);
id!(
    /// A browser tab on one origin, as its client calls it: `s_...` is the extension's own.
    SessionId,
    |id| {
        // Files are called by it: never as the picture of a comment or of a selection is.
        let is_others = matches!(id, "c" | "ctx") || id.starts_with("c_") || id.starts_with("ctx_");
        if !is_others && is_tail(id, MAX_TAIL + "s_".len()) {
            return Ok(());
        }
        let must = "1 to 66 of A-Z a-z 0-9 _ -, and not \"c\" or \"ctx\", nor begin with \"c_\" or \"ctx_\"";
        Err(IdError::of("session", must, id))
    }
);
prefixed!(
    /// A reply in a comment's thread: `r_...`.
    ReplyId, "reply", "r_"
);
prefixed!(
    /// A message between browser and hub, chosen by the sender and applied once: `m_...`.
    MessageId, "message", "m_"
);
prefixed!(
    /// A selection made in a session: `ctx_...`.
    ContextId, "context", "ctx_"
);
prefixed!(
    /// An agent's request that the person point at something: `a_...`.
    AnnotationId, "annotation", "a_"
);
prefixed!(
    /// An agent's request for a person's yes or no: `v_...`.
    VerificationId, "verification", "v_"
);
prefixed!(
    /// A rule that allows an action for a while: `rule_...`.
    RuleId, "rule", "rule_"
);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_session_is_called_as_its_client_calls_it_and_no_two_names_are_one() {
        let longest = format!("s_{}", "x".repeat(MAX_TAIL));
        for id in ["x", "s_x", "s_s_x", "tab-1", "A_1", "s_", longest.as_str()] {
            assert_eq!(id.parse::<SessionId>().map(|id| id.to_string()), Ok(id.to_owned()));
        }
        for id in ["", "c_1", "ctx_1", "a.b", "a/b", "..", "a b", "ä", &format!("{longest}x")] {
            assert!(id.parse::<SessionId>().is_err(), "{id}");
        }
        let refused = "c_1".parse::<SessionId>().unwrap_err().to_string();
        assert!(
            refused.starts_with("session id must be 1 to 66") && refused.ends_with("got \"c_1\""),
            "{refused}"
        );
        let refused = "1".parse::<CommentId>().unwrap_err().to_string();
        assert!(refused.starts_with("comment id must be \"c_\" followed by 1 to 64"), "{refused}");
    }
}
