//! What was read of a selector: its pieces in order, and which names and elements each value may belong to.

use std::ops::Range;

use super::calls::Call;
use super::escapes::{Notation, unescaped};
use crate::element::{AttributeName, AttributeValue, Said, is_secret_field};
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
    pub(super) names: Vec<Name>,
}

/// The name of an attribute, with what it says of its values.
pub(super) struct Name {
    pub(super) text: String,
    pub(super) says: AttributeName,
}

impl Name {
    pub(super) fn new(text: String) -> Self {
        Self { says: AttributeName::new(&text), text }
    }
}

/// What is said of one element: a compound of CSS, a step of XPath. What follows for its values is found once, not for
/// each.
#[derive(Default)]
pub(super) struct Run {
    pub(super) tag: String,
    /// What its attributes are compared with, counted.
    compared: usize,
    is_secret_field: bool,
    /// What `name` and `property` say of `content`.
    titles: Vec<Said>,
    /// Names of attributes that stand in strings: `name()='data-token'`.
    spoken: Vec<Name>,
}

impl Run {
    pub(super) fn new(is_secret_field: bool) -> Self {
        Self { is_secret_field, ..Self::default() }
    }

    /// Its attribute is compared with this.
    pub(super) fn compare(&mut self, name: &str, with: &str) {
        if self.compared >= MANY {
            return;
        }
        self.compared += 1;
        self.is_secret_field |= is_secret_field("input", |other| (other == name).then_some(with));
        if matches!(name, "name" | "property") {
            self.titles.push(Said::by(with));
        }
    }

    /// Whether a value of this name is a secret because of what else the element has. More than can be told apart may
    /// say so.
    pub(super) fn hides(&self, name: &str, value: &AttributeValue<'_>) -> bool {
        match name {
            "content" => self.compared >= MANY || self.titles.iter().any(|title| title.hides(value)),
            "value" | "defaultvalue" | "data-value" | "aria-valuetext" | "aria-valuenow" => {
                let has_own = matches!(self.tag.as_str(), "button" | "option");
                self.compared >= MANY || (self.is_secret_field && !has_own)
            }
            _ => false,
        }
    }
}

#[derive(Default)]
pub(super) struct Reading {
    pub(super) pieces: Vec<Piece>,
    pub(super) clauses: Vec<Clause>,
    pub(super) runs: Vec<Run>,
    pub(super) values: usize,
    /// What all of it is an address of, as is known from elsewhere.
    pub(super) is_secret_field: bool,
}

impl Reading {
    pub(super) fn run(&self, value: &Value) -> Option<&Run> {
        self.runs.get(value.run)
    }

    /// The names that a value may belong to; none when they are too many to be told apart.
    pub(super) fn names(&self, value: &Value) -> Option<Vec<&Name>> {
        let mut names: Vec<&Name> = Vec::new();
        let mut next = Some(value.clause);
        for _ in 0..MANY {
            let Some(clause) = next.and_then(|at| self.clauses.get(at)) else { break };
            names.extend(&clause.names);
            next = clause.around;
        }
        if !value.is_name {
            names.extend(self.run(value).into_iter().flat_map(|run| &run.spoken));
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
                let name = name.text.as_str();
                let tells = matches!(name, "type" | "autocomplete" | "name" | "id" | "property");
                if tells && !value.is_negated {
                    let mut said = said();
                    if value.is_part
                        && let Some(kind) = secret_kind(name, &said)
                    {
                        kind.clone_into(&mut said);
                    }
                    run.compare(name, &said);
                }
            }
            if value.is_name && run.spoken.len() <= MANY {
                run.spoken.push(Name::new(said().to_ascii_lowercase()));
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
