//! Which part of a session a change is about.

use crate::json::{Fault, Json};
use struson::reader::ValueType;

/// Steps that are looked at; deeper nothing is kept.
const MOST_STEPS: usize = 6;
/// Bytes of a step that is a name.
const MOST_NAME: usize = 64;

/// As a line names it: names and positions from the session inward.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Path {
    steps: Vec<Step>,
    length: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Position(usize),
}

/// What of a session it is, as far as it matters. `n` is the request's position, `m` that of a part of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Nothing that is kept.
    Nothing,
    /// Nothing that can be: inside a number or a text.
    Broken,
    Version,
    Title,
    ComputedTitle,
    /// A number of the session's that is not kept.
    Number,
    Requests,
    Request(usize),
    /// Something of a request that is not kept.
    Within(usize),
    At(usize),
    Message(usize),
    Text(usize),
    Parts(usize),
    Part(usize, usize),
    PartText(usize, usize),
}

impl Path {
    pub(super) fn read(json: &mut Json<'_, '_>) -> Result<Self, Fault> {
        let mut path = Self::default();
        let is_array = json.array(|json| {
            path.length += 1;
            if path.steps.len() >= MOST_STEPS {
                return json.skip();
            }
            path.steps.push(Step::read(json)?);
            Ok(())
        })?;
        if is_array { Ok(path) } else { Err(Fault::Broken) }
    }

    pub(super) fn target(&self) -> Target {
        let [Step::Name(first), rest @ ..] = self.steps.as_slice() else { return Target::Nothing };
        let scalar = |target| if rest.is_empty() { target } else { Target::Broken };
        match first.as_str() {
            "version" => scalar(Target::Version),
            "customTitle" => scalar(Target::Title),
            "computedTitle" => scalar(Target::ComputedTitle),
            "creationDate" | "lastMessageDate" => scalar(Target::Number),
            "requests" => self.in_requests(rest),
            _ => Target::Nothing,
        }
    }

    fn in_requests(&self, steps: &[Step]) -> Target {
        let (n, steps) = match steps {
            [] => return Target::Requests,
            [Step::Position(n), steps @ ..] => (*n, steps),
            // The array's length, say: VS Code writes no such thing.
            [Step::Name(_), ..] => return Target::Broken,
        };
        let (name, steps) = match steps {
            [] => return Target::Request(n),
            [Step::Name(name), steps @ ..] => (name.as_str(), steps),
            [Step::Position(_), ..] => return Target::Within(n),
        };
        match (name, steps) {
            ("timestamp", []) => Target::At(n),
            ("timestamp", _) => Target::Broken,
            ("message", []) => Target::Message(n),
            ("message", [Step::Name(inner), steps @ ..]) => match (inner.as_str(), steps) {
                ("text", []) => Target::Text(n),
                ("text", _) => Target::Broken,
                ("parts", []) => Target::Parts(n),
                ("parts", [Step::Position(m)]) => Target::Part(n, *m),
                ("parts", [Step::Position(m), Step::Name(text)])
                    if text == "text" && self.length == MOST_STEPS =>
                {
                    Target::PartText(n, *m)
                }
                _ => Target::Within(n),
            },
            _ => Target::Within(n),
        }
    }
}

impl Step {
    fn read(json: &mut Json<'_, '_>) -> Result<Self, Fault> {
        if json.kind()? == ValueType::Number {
            return position(json.number()?).map(Self::Position).ok_or(Fault::Broken);
        }
        let name = json.text(MOST_NAME)?.ok_or(Fault::Broken)?.head;
        // JavaScript takes "3" for 3.
        Ok(match name.parse::<u32>() {
            Ok(number) if number.to_string() == name => Self::Position(number as usize),
            _ => Self::Name(name),
        })
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in the range of both")]
fn position(number: Option<f64>) -> Option<usize> {
    let is_position = |number: &f64| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number);
    number.filter(is_position).map(|number| number as usize)
}
