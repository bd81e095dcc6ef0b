//! What was read of a selector: its pieces in order, and which names and elements each value may belong to.

use std::ops::Range;

use super::calls::Call;
use super::escapes::{Notation, unescaped};
use crate::find;

/// Most names, pairs and levels that are told apart. More are no selector.
pub(super) const MANY: usize = 16;
/// Most values of a selector. What has more is none.
pub(super) const VALUES: usize = 400;

pub(super) enum Piece {
    /// Names of the page's parts and of attributes, and signs.
    Kept(Range<usize>),
    /// Anything else that is no value: text.
    Plain(Range<usize>),
    Value(Value),
}

pub(super) struct Value {
    /// Without its quotes.
    pub(super) range: Range<usize>,
    pub(super) wrap: Wrap,
    pub(super) notation: Notation,
    /// What it is to the call that it stands in.
    pub(super) call: Call,
    /// It goes whatever it says: nobody can say where it ends, or it is typed.
    pub(super) is_unclear: bool,
    pub(super) clause: usize,
    pub(super) run: usize,
    /// It tells what is not.
    pub(super) is_negated: bool,
    /// It is compared with the name of an attribute.
    pub(super) is_name: bool,
    /// It may be compared with a part of what the attribute has.
    pub(super) is_part: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrap {
    /// A string in these quotes.
    Quotes(char),
    /// Without quotes where they may stand: in brackets.
    None,
    /// Without quotes where they would mean something else: `text=Save`.
    Engine,
}

/// What `and` and `or` part, in brackets; outside of brackets all of it.
#[derive(Default)]
pub(super) struct Clause {
    /// The one around it, where that speaks of the same.
    pub(super) around: Option<usize>,
    pub(super) names: Vec<String>,
}

/// What is said of one element: a compound of CSS, a step of XPath.
#[derive(Default)]
pub(super) struct Run {
    pub(super) tag: String,
    /// Attributes and what they are compared with.
    pub(super) pairs: Vec<(String, String)>,
    /// Names of attributes that stand in strings: `name()='data-token'`.
    spoken: Vec<String>,
}

impl Run {
    /// More than can be told apart.
    pub(super) fn is_full(&self) -> bool {
        self.pairs.len() >= MANY
    }
}

#[derive(Default)]
pub(super) struct Reading {
    pub(super) pieces: Vec<Piece>,
    pub(super) clauses: Vec<Clause>,
    pub(super) runs: Vec<Run>,
    pub(super) values: usize,
}

impl Reading {
    pub(super) fn run(&self, value: &Value) -> Option<&Run> {
        self.runs.get(value.run)
    }

    /// The names that a value may belong to; none when they are too many to be told apart.
    pub(super) fn names(&self, value: &Value) -> Option<Vec<&str>> {
        let mut names: Vec<&str> = Vec::new();
        let mut next = Some(value.clause);
        for _ in 0..MANY {
            let Some(clause) = next.and_then(|at| self.clauses.get(at)) else { break };
            names.extend(clause.names.iter().map(String::as_str));
            next = clause.around;
        }
        if !value.is_name {
            names.extend(self.run(value).into_iter().flat_map(|run| &run.spoken).map(String::as_str));
        }
        (next.is_none() && names.len() <= MANY).then_some(names)
    }

    /// Notes which attributes of an element are compared with what.
    pub(super) fn pair(&mut self, text: &str) {
        for piece in &self.pieces {
            let Piece::Value(value) = piece else { continue };
            let (Some(clause), Some(run)) = (self.clauses.get(value.clause), self.runs.get_mut(value.run))
            else {
                continue;
            };
            let said = || unescaped(text.get(value.range.clone()).unwrap_or_default(), value.notation);
            for name in &clause.names {
                let tells = matches!(name.as_str(), "type" | "autocomplete" | "name" | "id" | "property");
                if tells && !value.is_negated && !run.is_full() {
                    let mut said = said();
                    if value.is_part
                        && let Some(kind) = secret_kind(name, &said)
                    {
                        kind.clone_into(&mut said);
                    }
                    run.pairs.push((name.clone(), said));
                }
            }
            if value.is_name && run.spoken.len() <= MANY {
                run.spoken.push(said().to_ascii_lowercase());
            }
        }
    }
}

/// A kind of secret fields that a part of its name may mean.
fn secret_kind(name: &str, part: &str) -> Option<&'static str> {
    let kinds = match name {
        "type" => "password hidden",
        "autocomplete" => "current-password new-password one-time-code cc-number",
        _ => return None,
    };
    let part = part.to_ascii_lowercase();
    kinds.split(' ').find(|kind| find::has(kind, &part))
}
