//! A file that is written on and on and never grows beyond a limit: when it is full it becomes the one before, and a
//! new one begins. At most two files, which have the newest lines.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that is written, and its neighbour `NAME.before.EXTENSION`.
#[derive(Debug)]
pub(super) struct Bounded {
    path: PathBuf,
    /// `None` after it could not be opened anew.
    file: Option<File>,
    bytes: u64,
    most: u64,
}

impl Bounded {
    /// Goes on where an earlier hub ended.
    pub(super) fn open(path: PathBuf, most: u64) -> io::Result<Self> {
        let file = append(&path)?;
        let bytes = file.metadata()?.len();
        Ok(Self { path, file: Some(file), bytes, most })
    }

    fn before(&self) -> PathBuf {
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        self.path.with_extension(format!("before.{extension}"))
    }

    /// The line that is written next begins a new file.
    fn begin_anew(&mut self) -> io::Result<()> {
        // Windows renames no file that is open.
        self.file = None;
        if std::fs::rename(&self.path, self.before()).is_err() {
            // What cannot be kept makes room: the limit holds. Somebody may have taken the file away.
            match std::fs::remove_file(&self.path) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
        self.bytes = 0;
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

impl Write for Bounded {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let length = u64::try_from(line.len()).unwrap_or(u64::MAX);
        if self.bytes > 0 && self.bytes.saturating_add(length) > self.most {
            self.begin_anew()?;
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(append(&self.path)?),
        };
        // A line alone may not be longer than a file either.
        let most = usize::try_from(self.most).unwrap_or(usize::MAX);
        file.write_all(line.get(..most).unwrap_or(line))?;
        self.bytes = self.bytes.saturating_add(length.min(self.most));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const MOST: u64 = 1_000;

    fn files(directory: &Path) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
        let read = |entry: std::fs::DirEntry| {
            (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap())
        };
        let mut files: Vec<_> = entries.map(read).collect();
        files.sort();
        files
    }

    #[test]
    fn the_newest_lines_stay_in_two_files_of_bounded_size() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hub.log");
        for hub in 0..3 {
            let mut log = Bounded::open(path.clone(), MOST).unwrap();
            for line in 0..200 {
                writeln!(log, "hub {hub}, line {line:03}").unwrap();
            }
        }
        let files = files(directory.path());
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["hub.before.log", "hub.log"]);
        assert!(files.iter().all(|(_, text)| text.len() as u64 <= MOST), "{files:?}");
        let all: String = files.iter().map(|(_, text)| text.as_str()).collect();
        assert!(all.len() as u64 > MOST, "a whole file of lines is there at any time");
        let newest: String = (0..200).map(|line| format!("hub 2, line {line:03}\n")).collect();
        assert!(newest.ends_with(&all), "{all}");
    }

    #[test]
    fn a_file_that_somebody_took_away_is_begun_anew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hub.log");
        let mut log = Bounded::open(path.clone(), MOST).unwrap();
        writeln!(log, "before").unwrap();
        std::fs::remove_file(&path).unwrap();
        for line in 0..200 {
            writeln!(log, "line {line:03}").unwrap();
        }
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("line 199\n"));
    }

    #[test]
    fn a_line_that_is_longer_than_a_file_is_cut() {
        let directory = tempfile::tempdir().unwrap();
        let mut log = Bounded::open(directory.path().join("hub.log"), MOST).unwrap();
        for _ in 0..3 {
            log.write_all(&[b'x'; 5_000]).unwrap();
        }
        let files = files(directory.path());
        assert!(files.iter().all(|(_, text)| text.len() as u64 == MOST), "{files:?}");
    }
}
