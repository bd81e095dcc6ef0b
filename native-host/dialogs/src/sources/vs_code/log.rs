//! A `.jsonl` of VS Code: a session, and then what changed of it, line by line. All lines are applied as VS Code does,
//! and as far as they concern what is kept of a session: a later line may take back an earlier one. Where VS Code
//! itself would give up, so is given up here.

use struson::reader::ValueType;

use super::path::{Path, Target};
use super::session::{Session, Version, message, part, parts, request, requests, timestamp, title};
use crate::error::NoData;
use crate::index::{Index, Request, RequestList, Words};
use crate::json::{Fault, Json, Span};
use crate::pass::{Form, Pass};
use opentoolbar_core::model::Timestamp;

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Snapshot,
    Set,
    Push,
    Delete,
}

/// What a line brings, as far as it is kept.
#[derive(Debug)]
enum Value {
    /// Nothing, or nothing that is kept.
    None,
    Session(Session),
    Version(Version),
    Title(Option<String>),
    Requests(RequestList),
    Request(Option<Request>),
    At(Option<Timestamp>),
    Words(Words),
    Text(Option<Span>),
    Parts(Vec<Span>),
}

#[derive(Debug)]
struct Change {
    kind: Kind,
    target: Target,
    value: Value,
    /// What a push leaves of the array.
    keep: Option<usize>,
}

/// One way through a log.
#[derive(Debug, Default)]
pub(super) struct Log {
    change: Option<Change>,
    /// Without its requests, which are the index's.
    session: Option<Session>,
    index: Index,
    /// What the last snapshot says, also when it is not whole.
    version: Version,
}

impl Pass for Log {
    fn form(&self) -> Form {
        Form::Lines
    }

    fn read(&mut self, json: &mut Json<'_, '_>) -> Result<(), Fault> {
        let mut said = self.version;
        let mut line = Line::default();
        let is_object = json.object(|json, name| line.member(json, name, &mut said));
        // How much it is says nothing where nobody knows the version.
        if matches!(is_object, Err(Fault::TooLarge)) && said.check().is_err() {
            self.version = said;
            return Err(Fault::Broken);
        }
        let is_object = is_object?;
        let change = line.finish(json, &mut said);
        self.version = said;
        self.change = Some(change?.filter(|_| is_object).ok_or(Fault::Broken)?);
        Ok(())
    }

    fn apply(&mut self) -> Result<(), NoData> {
        let Some(change) = self.change.take() else { return Err(NoData::Broken) };
        self.change(change).map_err(|why| self.version.check().err().unwrap_or(why))
    }

    fn passed_over(&mut self) -> Result<(), NoData> {
        self.version.check()?;
        Err(NoData::Broken)
    }

    fn check(&self) -> Result<(), NoData> {
        self.version.check()?;
        // Nothing was whole but a line that is being written.
        if self.session.is_some() { Ok(()) } else { Err(NoData::Cut) }
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn index_mut(&mut self) -> &mut Index {
        &mut self.index
    }
}

impl Log {
    fn change(&mut self, change: Change) -> Result<(), NoData> {
        let Change { kind, target, value, keep } = change;
        if kind == Kind::Snapshot {
            let Value::Session(mut session) = value else { return Err(NoData::Broken) };
            self.index.requests = std::mem::take(&mut session.requests);
            self.session = Some(session);
        } else if self.session.is_none() {
            return Err(NoData::Broken);
        } else if kind == Kind::Push {
            self.push(target, value, keep)?;
        } else {
            self.set(target, value)?;
        }
        if let Some(session) = &self.session {
            session.tell(&mut self.index);
        }
        Ok(())
    }

    /// Also of what is deleted: then the value is none.
    fn set(&mut self, target: Target, value: Value) -> Result<(), NoData> {
        let Some(session) = &mut self.session else { return Err(NoData::Broken) };
        let count = self.index.requests.len();
        match (target, value) {
            (Target::Version, Value::Version(version)) => self.version = version,
            (Target::Version, _) => self.version = Version::Unsaid,
            (Target::Title, Value::Title(title)) => session.custom_title = title,
            (Target::Title, _) => session.custom_title = None,
            (Target::ComputedTitle, Value::Title(title)) => session.computed_title = title,
            (Target::ComputedTitle, _) => session.computed_title = None,
            (Target::Requests, Value::Requests(requests)) => self.index.requests = requests,
            (Target::Requests, _) => self.index.requests = RequestList::default(),
            (Target::Request(n), Value::Request(Some(request))) if n < count => {
                self.index.requests.change(n, |old| *old = request)?;
            }
            (Target::Request(n), Value::Request(Some(request))) if n == count => {
                self.index.requests.push(request)?;
            }
            // A hole, or a request that is none: VS Code does not open such a session.
            (Target::Request(_) | Target::Broken, _) => return Err(NoData::Broken),
            (Target::Nothing | Target::Number, _) => {}
            (Target::Within(n), value) => self.set_within(n, target, value)?,
            (Target::At(n), value) => self.set_within(n, target, value)?,
            (Target::Message(n) | Target::Text(n) | Target::Parts(n), value) => {
                self.set_within(n, target, value)?;
            }
            (Target::Part(n, _) | Target::PartText(n, _), value) => self.set_within(n, target, value)?,
        }
        Ok(())
    }

    fn set_within(&mut self, n: usize, target: Target, value: Value) -> Result<(), NoData> {
        self.index.requests.change(n, |request| match (target, value) {
            (Target::At(_), Value::At(at)) => request.set_at(at),
            (Target::At(_), _) => request.set_at(None),
            (Target::Message(_), Value::Words(words)) => request.words = words,
            (Target::Message(_), _) => request.words = Words::None,
            (Target::Text(_), Value::Text(Some(span))) => request.words = Words::One(span),
            (Target::Text(_), _) => request.words = Words::None,
            // Where there is a text it is all of them.
            (Target::Parts(_), Value::Parts(parts)) if !matches!(request.words, Words::One(_)) => {
                request.words = Words::of(parts);
            }
            (Target::Part(_, m) | Target::PartText(_, m), Value::Text(Some(span))) => {
                if let Words::Parts(parts) = &mut request.words
                    && let Some(part) = parts.get_mut(m)
                {
                    *part = span;
                }
            }
            _ => {}
        })
    }

    fn push(&mut self, target: Target, value: Value, keep: Option<usize>) -> Result<(), NoData> {
        match target {
            Target::Requests => {
                let requests = &mut self.index.requests;
                if let Some(keep) = keep {
                    // Longer than it is, it would have holes.
                    if keep > requests.len() {
                        return Err(NoData::Broken);
                    }
                    requests.truncate(keep);
                }
                if let Value::Requests(more) = value {
                    requests.extend(more)?;
                }
                Ok(())
            }
            Target::Parts(n) => {
                let more = if let Value::Parts(more) = value { more } else { Vec::new() };
                self.index.requests.change(n, |request| {
                    if !matches!(request.words, Words::One(_)) {
                        request.words.push(keep, more);
                    }
                })
            }
            Target::Within(n) => self.index.requests.get(n).map(drop).ok_or(NoData::Broken),
            Target::Nothing => Ok(()),
            // No array stands there.
            _ => Err(NoData::Broken),
        }
    }
}

/// A line while it is read. `kind` and `k` come before `v`; where they do not, `v` is read again.
#[derive(Debug, Default)]
struct Line {
    kind: Option<Kind>,
    path: Option<Path>,
    keep: Option<usize>,
    value: Option<Value>,
    later: Option<Span>,
}

impl Line {
    fn member(&mut self, json: &mut Json<'_, '_>, name: &str, version: &mut Version) -> Result<(), Fault> {
        match name {
            "kind" if self.kind.is_none() => self.kind = Some(kind(json)?),
            "k" if self.path.is_none() => self.path = Some(Path::read(json)?),
            "i" if self.keep.is_none() => self.keep = Some(length(json)?),
            "v" if self.value.is_some() || self.later.is_some() => return Err(Fault::Broken),
            "v" => match (self.kind, &self.path) {
                (Some(Kind::Snapshot), _) | (Some(_), Some(_)) => {
                    self.value = Some(self.read(json, version)?)
                }
                _ => self.later = Some(json.place()?),
            },
            // Twice in one line: which of them counts depends on who reads it.
            "kind" | "k" | "i" => return Err(Fault::Broken),
            _ => json.skip()?,
        }
        Ok(())
    }

    fn finish(mut self, json: &mut Json<'_, '_>, version: &mut Version) -> Result<Option<Change>, Fault> {
        if let Some(value) = self.later {
            self.value = Some(json.again(value, |json| self.read(json, version))?);
        }
        let Some(kind) = self.kind else { return Ok(None) };
        let target = match (kind, &self.path) {
            (Kind::Snapshot, _) => Target::Nothing,
            (_, Some(path)) => path.target(),
            (_, None) => return Ok(None),
        };
        Ok(Some(Change { kind, target, value: self.value.unwrap_or(Value::None), keep: self.keep }))
    }

    /// The value, as what it changes is written.
    fn read(&self, json: &mut Json<'_, '_>, version: &mut Version) -> Result<Value, Fault> {
        if self.kind == Some(Kind::Snapshot) {
            return Ok(Session::read(json, version)?.map_or(Value::None, Value::Session));
        }
        let is_push = self.kind == Some(Kind::Push);
        Ok(match self.path.as_ref().map_or(Target::Nothing, Path::target) {
            Target::Requests => array(json, requests)?.map_or(Value::None, Value::Requests),
            Target::Parts(_) => array(json, parts)?.map_or(Value::None, Value::Parts),
            Target::Request(_) if !is_push => Value::Request(request(json)?),
            Target::Version if !is_push => Value::Version(Version::read(json)?),
            Target::Title | Target::ComputedTitle if !is_push => Value::Title(title(json)?),
            Target::At(_) if !is_push => Value::At(timestamp(json)?),
            Target::Message(_) if !is_push => Value::Words(message(json)?),
            Target::Text(_) | Target::PartText(..) if !is_push => Value::Text(json.span()?),
            Target::Part(..) if !is_push => Value::Text(part(json)?),
            _ => json.skip().map(|()| Value::None)?,
        })
    }
}

fn array<T>(
    json: &mut Json<'_, '_>,
    read: impl FnOnce(&mut Json<'_, '_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    if json.kind()? == ValueType::Array { read(json).map(Some) } else { json.skip().map(|()| None) }
}

fn kind(json: &mut Json<'_, '_>) -> Result<Kind, Fault> {
    let number = json.number()?.ok_or(Fault::Broken)?;
    let kinds = [(0.0, Kind::Snapshot), (1.0, Kind::Set), (2.0, Kind::Push), (3.0, Kind::Delete)];
    kinds.into_iter().find_map(|(known, kind)| (known == number).then_some(kind)).ok_or(Fault::Broken)
}

/// An array's new length.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in the range of both")]
fn length(json: &mut Json<'_, '_>) -> Result<usize, Fault> {
    let number = json.number()?.ok_or(Fault::Broken)?;
    let is_length = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    if is_length { Ok(number as usize) } else { Err(Fault::Broken) }
}
