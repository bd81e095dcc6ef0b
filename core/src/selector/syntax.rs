//! A selector as a value, and how it is written.

use std::fmt::{self, Display, Formatter};

use super::escape;

/// Segments from the outside in, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path(pub(super) Vec<Segment>);

/// Steps from left to right, at least one. The first step's combinator says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment(pub(super) Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) combinator: Combinator,
    pub(super) compound: Compound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    Inside,
    Child,
    NextSibling,
    LaterSibling,
}

/// Simple selectors that must all fit, at least one; a tag name or `*` first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Compound(pub(super) Vec<Simple>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Simple {
    Any,
    Tag(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        test: Option<Test>,
    },
    Nth {
        place: Place,
        a: i32,
        b: i32,
    },
    Root,
    Top,
    /// The whole text, or how it begins; white space is not compared.
    Text {
        whole: bool,
        text: String,
    },
    /// Something inside fits.
    Has(Compound),
}

impl Simple {
    /// Itself, or what it asks of something inside.
    pub(super) fn parts(&self) -> &[Simple] {
        if let Self::Has(inner) = self { &inner.0 } else { std::slice::from_ref(self) }
    }
}

/// What a place is counted among, and from which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) of_type: bool,
    pub(super) from_end: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) operator: Operator,
    pub(super) value: String,
    pub(super) case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equals,
    Word,
    Dash,
    Prefix,
    Suffix,
    Part,
}

/// How letters are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// As HTML says for that attribute.
    Default,
    /// `i`.
    Ignored,
    /// `s`.
    Kept,
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(" >>> ")?;
            }
            Display::fmt(segment, f)?;
        }
        Ok(())
    }
}

impl Display for Segment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(match step.combinator {
                    Combinator::Inside => " ",
                    Combinator::Child => " > ",
                    Combinator::NextSibling => " + ",
                    Combinator::LaterSibling => " ~ ",
                })?;
            }
            Display::fmt(&step.compound, f)?;
        }
        Ok(())
    }
}

impl Display for Compound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|simple| Display::fmt(simple, f))
    }
}

impl Display for Simple {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = |of_type: bool| if of_type { "of-type" } else { "child" };
        match self {
            Self::Any => f.write_str("*"),
            Self::Tag(name) => escape::identifier(f, name),
            Self::Id(id) => {
                f.write_str("#")?;
                escape::identifier(f, id)
            }
            Self::Class(class) => {
                f.write_str(".")?;
                escape::identifier(f, class)
            }
            Self::Attribute { name, test } => {
                f.write_str("[")?;
                escape::identifier(f, name)?;
                if let Some(test) = test {
                    Display::fmt(test, f)?;
                }
                f.write_str("]")
            }
            Self::Nth { place, a: 0, b: 1 } => {
                write!(f, ":{}-{}", if place.from_end { "last" } else { "first" }, kind(place.of_type))
            }
            Self::Nth { place, a, b } => {
                write!(f, ":nth-{}{}", if place.from_end { "last-" } else { "" }, kind(place.of_type))?;
                if *a == 0 { write!(f, "({b})") } else { write!(f, "({a}n{b:+})") }
            }
            Self::Root => f.write_str(":root"),
            Self::Top => f.write_str(":not(* *)"),
            Self::Text { whole, text } => {
                f.write_str(if *whole { ":text-is(" } else { ":text-starts(" })?;
                escape::string(f, text)?;
                f.write_str(")")
            }
            Self::Has(inner) => {
                f.write_str(":has(")?;
                Display::fmt(inner, f)?;
                f.write_str(")")
            }
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.operator {
            Operator::Equals => "=",
            Operator::Word => "~=",
            Operator::Dash => "|=",
            Operator::Prefix => "^=",
            Operator::Suffix => "$=",
            Operator::Part => "*=",
        })?;
        escape::string(f, &self.value)?;
        f.write_str(match self.case {
            Case::Default => "",
            Case::Ignored => " i",
            Case::Kept => " s",
        })
    }
}
