//! Who wrote or did something.

use serde::{Deserialize, Serialize};

use super::flat::{MissingField, need};
use super::word::read_by_word;

/// Who wrote or did something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case", try_from = "FlatAuthor")]
pub enum Author {
    /// The person at the browser.
    Person,
    /// An agent, by the name its MCP client gave.
    Agent {
        /// For example `claude-code`.
        name: String,
    },
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
enum AuthorKind {
    Person,
    Agent,
}

read_by_word!(AuthorKind: Person = "person", Agent = "agent");

#[derive(Deserialize)]
struct FlatAuthor {
    kind: AuthorKind,
    #[serde(default)]
    name: Option<String>,
}

impl TryFrom<FlatAuthor> for Author {
    type Error = MissingField;
    fn try_from(flat: FlatAuthor) -> Result<Self, MissingField> {
        Ok(match flat.kind {
            AuthorKind::Person => Self::Person,
            AuthorKind::Agent => Self::Agent { name: need(flat.name, "an agent as author", "name")? },
        })
    }
}

/// For people: `a person`, or the agent's name.
impl std::fmt::Display for Author {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Person => f.write_str("a person"),
            Self::Agent { name } => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::model::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_author_reads_back(comment in arbitrary::comment()) {
            let json = serde_json::to_string(&comment.author).unwrap();
            prop_assert_eq!(serde_json::from_str::<Author>(&json).unwrap(), comment.author);
        }
    }

    #[test]
    fn a_missing_field_is_named() {
        let error = serde_json::from_str::<Author>(r#"{"kind": "agent"}"#).unwrap_err();
        assert!(error.to_string().starts_with("an agent as author needs `name`"), "{error}");
    }
}
