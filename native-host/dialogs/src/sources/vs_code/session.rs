//! A session as VS Code writes it: one object, of which version, title and requests are wanted.

use opentoolbar_core::model::Timestamp;
use struson::reader::ValueType;

use crate::error::NoData;
use crate::index::{Index, MOST_SPANS, MOST_TITLE, Request, RequestList, Words, moment};
use crate::json::{Fault, Json, Span};
use crate::pass::{Form, Pass};

/// The newest whose shape is known; 1, 2 and 3 write requests alike, and 1 says no number.
const NEWEST_VERSION: f64 = 3.0;

/// What is kept of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    pub(super) version: Version,
    /// Given by the person, or made up by a model and kept as if.
    pub(super) custom_title: Option<String>,
    /// Version 2's.
    pub(super) computed_title: Option<String>,
    pub(super) requests: RequestList,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Version {
    #[default]
    Unsaid,
    Number(f64),
    /// Something else than a number.
    Strange,
}

impl Version {
    pub(super) fn read(json: &mut Json<'_, '_>) -> Result<Self, Fault> {
        Ok(json.number()?.map_or(Self::Strange, Self::Number))
    }

    pub(super) fn check(self) -> Result<(), NoData> {
        match self {
            Self::Unsaid => Ok(()),
            Self::Number(number) if number.fract() == 0.0 && (1.0..=NEWEST_VERSION).contains(&number) => {
                Ok(())
            }
            Self::Number(_) | Self::Strange => Err(NoData::UnknownVersion),
        }
    }
}

impl Session {
    /// `None` of what is no object. What is read is told at once, so that a session that breaks off still says which
    /// version it is.
    pub(super) fn read(json: &mut Json<'_, '_>, version: &mut Version) -> Result<Option<Self>, Fault> {
        let mut session = Self::default();
        *version = Version::Unsaid;
        let is_object = json.object(|json, name| {
            match name {
                "version" => *version = Version::read(json)?,
                "customTitle" => session.custom_title = title(json)?,
                "computedTitle" => session.computed_title = title(json)?,
                "requests" => session.requests = requests(json)?,
                _ => json.skip()?,
            }
            Ok(())
        })?;
        session.version = *version;
        Ok(is_object.then_some(session))
    }

    /// What is told of it beside its requests.
    pub(super) fn tell(&self, index: &mut Index) {
        index.title = self.title().map(str::to_owned);
    }

    fn title(&self) -> Option<&str> {
        self.custom_title
            .as_deref()
            .or(self.computed_title.as_deref())
            .filter(|title| !title.trim().is_empty())
    }
}

pub(super) fn title(json: &mut Json<'_, '_>) -> Result<Option<String>, Fault> {
    Ok(json.text(MOST_TITLE)?.map(|text| text.head))
}

/// Of anything but an array there are none.
pub(super) fn requests(json: &mut Json<'_, '_>) -> Result<RequestList, Fault> {
    let mut requests = RequestList::default();
    json.array(|json| {
        let request = request(json)?.ok_or(Fault::Broken)?;
        requests.push(request).map_err(|_| Fault::TooLarge)
    })?;
    Ok(requests)
}

/// `None` of what is no object.
pub(super) fn request(json: &mut Json<'_, '_>) -> Result<Option<Request>, Fault> {
    let (mut at, mut words) = (None, Words::None);
    let is_object = json.object(|json, name| {
        match name {
            "timestamp" => at = timestamp(json)?,
            "message" => words = message(json)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok(is_object.then(|| Request::new(at, words)))
}

pub(super) fn timestamp(json: &mut Json<'_, '_>) -> Result<Option<Timestamp>, Fault> {
    json.number().map(moment)
}

/// A string, or an object with the text and its parts; the parts count where there is no text.
pub(super) fn message(json: &mut Json<'_, '_>) -> Result<Words, Fault> {
    if json.kind()? == ValueType::String {
        return Ok(json.span()?.map_or(Words::None, Words::One));
    }
    let (mut text, mut of_parts) = (None, Vec::new());
    json.object(|json, name| {
        match name {
            "text" => text = json.span()?,
            "parts" => of_parts = parts(json)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok(text.map_or_else(|| Words::of(of_parts), Words::One))
}

/// The texts of a message's parts.
pub(super) fn parts(json: &mut Json<'_, '_>) -> Result<Vec<Span>, Fault> {
    let mut spans = Vec::new();
    json.array(|json| {
        spans.extend(part(json)?);
        if spans.len() > MOST_SPANS { Err(Fault::TooLarge) } else { Ok(()) }
    })?;
    Ok(spans)
}

pub(super) fn part(json: &mut Json<'_, '_>) -> Result<Option<Span>, Fault> {
    let mut text = None;
    json.object(|json, name| {
        if name == "text" {
            text = json.span()?;
            return Ok(());
        }
        json.skip()
    })?;
    Ok(text)
}

/// A `.json`: the session is the file.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    read: Option<Session>,
    version: Version,
    index: Index,
}

impl Pass for Snapshot {
    fn form(&self) -> Form {
        Form::Whole
    }

    fn read(&mut self, json: &mut Json<'_, '_>) -> Result<(), Fault> {
        self.read = Session::read(json, &mut self.version)?;
        Ok(())
    }

    fn apply(&mut self) -> Result<(), NoData> {
        self.check()?;
        let session = self.read.take().ok_or(NoData::Broken)?;
        session.tell(&mut self.index);
        self.index.requests = session.requests;
        Ok(())
    }

    fn passed_over(&mut self) -> Result<(), NoData> {
        Err(NoData::Broken)
    }

    fn check(&self) -> Result<(), NoData> {
        self.version.check()
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn index_mut(&mut self) -> &mut Index {
        &mut self.index
    }
}
