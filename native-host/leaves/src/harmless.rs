//! A writer for logs: what strangers call themselves passes without anything that a terminal would obey.

use std::io::{Result, Write};

use opentoolbar_core::prompt::neutralise;

/// Writes whole lines, neutralised, to `W`.
#[derive(Debug)]
pub struct Harmless<W>(pub W);

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, line: &[u8]) -> Result<usize> {
        self.0.write_all(neutralise(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}
