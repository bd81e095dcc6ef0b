//! One way through a history, from its beginning or from where the last one ended, in bounded memory.

use crate::error::{Error, NoData};
use crate::index::Index;
use crate::json::{Bytes, Fault, Json, LineEnd, Window};

/// How a history is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One document.
    Whole,
    /// A document a line, appended one after the other.
    Lines,
}

/// What reads the histories of one source: values one by one.
pub(crate) trait Pass: Send {
    fn form(&self) -> Form;

    /// Reads the next document and keeps in mind what it changes. It may turn out to be broken after that.
    ///
    /// # Errors
    /// When it is cut, broken or cannot be read on.
    fn read(&mut self, json: &mut Json<'_, '_>) -> Result<(), Fault>;

    /// The document was whole: what it changes is so now.
    ///
    /// # Errors
    /// When the history makes no sense with it.
    fn apply(&mut self) -> Result<(), NoData>;

    /// The document was broken.
    ///
    /// # Errors
    /// When nothing that follows can be trusted.
    fn passed_over(&mut self) -> Result<(), NoData>;

    /// Whether what came before is enough to say anything.
    ///
    /// # Errors
    /// Why it is not.
    fn check(&self) -> Result<(), NoData> {
        Ok(())
    }

    fn index(&self) -> &Index;
    fn index_mut(&mut self) -> &mut Index;
}

/// Goes through a history. Gives the place from which the next one goes on when lines are appended; `None` when it must
/// begin anew.
pub(crate) fn run(
    pass: &mut dyn Pass,
    bytes: &dyn Bytes,
    from: u64,
    size: u64,
    keep_going: &dyn Fn() -> bool,
) -> Result<Option<u64>, Error> {
    if size == 0 {
        return Err(NoData::Empty.into());
    }
    let window = Window::new(bytes, from, size, keep_going);
    let resume = match pass.form() {
        Form::Whole => whole(pass, window).map(|()| None),
        Form::Lines => lines(pass, window.by_line()),
    }?;
    pass.check()?;
    pass.index_mut().requests.shrink_to_fit();
    pass.index_mut().answers.shrink_to_fit();
    Ok(resume)
}

fn whole(pass: &mut dyn Pass, mut window: Window<'_>) -> Result<(), Error> {
    match document(pass, &mut window) {
        Ok(()) => Ok(pass.apply()?),
        Err(Fault::Cut) => Err(NoData::Cut.into()),
        Err(Fault::Broken) => Err(pass.check().err().unwrap_or(NoData::Broken).into()),
        Err(Fault::TooLarge) => Err(pass.check().err().unwrap_or(NoData::TooLarge).into()),
        Err(Fault::Stopped) => Err(Error::Stopped),
        Err(Fault::Io(error)) => Err(error.into()),
    }
}

fn lines(pass: &mut dyn Pass, mut window: Window<'_>) -> Result<Option<u64>, Error> {
    pass.index_mut().is_cut = false;
    loop {
        let start = window.position();
        if window.is_at_end().map_err(failed)? {
            return Ok(Some(start));
        }
        if window.is_blank() {
            window.finish_line().map_err(failed)?;
            continue;
        }
        let read = document(pass, &mut window);
        if matches!(read, Err(Fault::TooLarge)) {
            return Err(NoData::TooLarge.into());
        }
        let end = window.finish_line().map_err(failed)?;
        match (read, end) {
            (Ok(()), LineEnd::Whole) => pass.apply()?,
            // Whole but for its end. More may come, and it would be another line then.
            (Ok(()), LineEnd::Open) => {
                pass.apply()?;
                return Ok(None);
            }
            (Err(Fault::Cut | Fault::Broken), LineEnd::Whole) => pass.passed_over()?,
            (Err(Fault::Cut | Fault::Broken), LineEnd::Open) => {
                pass.index_mut().is_cut = true;
                return Ok(Some(start));
            }
            (Err(fault), _) => return Err(failed(fault)),
        }
    }
}

fn document(pass: &mut dyn Pass, window: &mut Window<'_>) -> Result<(), Fault> {
    let mut json = Json::new(window);
    pass.read(&mut json)?;
    json.finish().map_err(|fault| window.failure().unwrap_or(fault))
}

/// Where it cannot be the document's fault.
fn failed(fault: Fault) -> Error {
    match fault {
        Fault::Stopped => Error::Stopped,
        Fault::Io(error) => error.into(),
        Fault::TooLarge => NoData::TooLarge.into(),
        Fault::Cut | Fault::Broken => NoData::Broken.into(),
    }
}
