//! Other programs, run with a deadline and a bound on what they may say.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often it is looked whether the program has ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What a program said and how it ended.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: ExitStatus,
    /// What it said on standard output.
    pub output: Vec<u8>,
}

/// Runs a program to its end and keeps its standard output; it gets no input, and what it says on standard error is
/// dropped. Blocks. On Unix it has a process group of its own, which is ended with it: programs that it started must
/// not stay.
///
/// # Errors
/// `TimedOut` when it takes longer than `within`, `FileTooLarge` when it says more than `most` bytes: it is ended then.
/// What the system says when it cannot be started.
pub fn run(command: &mut Command, within: Duration, most: usize) -> io::Result<Outcome> {
    let until = Instant::now() + within;
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let done = watch(&mut child, until, most);
    if done.is_err() {
        end(&mut child);
    }
    done
}

/// Each step fails only when it has ended by itself meanwhile.
fn end(child: &mut Child) {
    // Its number is its own until it is waited for.
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    let _ = child.kill();
    let _ = child.wait();
}

fn watch(child: &mut Child, until: Instant, most: usize) -> io::Result<Outcome> {
    let Some(output) = child.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let (read, result) = mpsc::channel();
    // Left behind when the deadline passes: it ends with the pipe.
    std::thread::Builder::new().name("output".into()).spawn(move || {
        let mut bytes = Vec::new();
        let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
        let done = output.take(limit).read_to_end(&mut bytes).map(|_| bytes);
        // Nobody listens any more after the deadline.
        let _ = read.send(done);
    })?;
    let late = || io::Error::new(io::ErrorKind::TimedOut, "it took too long");
    let output =
        result.recv_timeout(until.saturating_duration_since(Instant::now())).map_err(|_| late())??;
    if output.len() > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it said too much"));
    }
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Outcome { status, output });
        }
        if Instant::now() >= until {
            return Err(late());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_a_program_says_is_kept_with_how_it_ended() {
        let outcome = run(&mut shell("echo hello; exit 3"), Duration::from_secs(60), 100).unwrap();
        assert_eq!((outcome.status.code(), outcome.output.as_slice()), (Some(3), b"hello\n".as_slice()));
    }

    #[test]
    fn programs_that_a_late_program_started_are_ended_with_it() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Opened both ways first, so that neither the script nor who reads waits for the other, however late the script
        // begins.
        let open = std::fs::File::options().read(true).write(true).open(&pipe).unwrap();
        let mut reading = std::fs::File::open(&pipe).unwrap();
        let (ended, end) = mpsc::channel();
        let mut script = shell("exec 9>\"$0\"; sleep 600 & wait");
        script.arg(&pipe);
        // Comes to its end when the last program that has the pipe open for writing is gone.
        std::thread::spawn(move || ended.send(reading.read_to_end(&mut Vec::new())));
        assert_eq!(
            run(&mut script, Duration::from_secs(2), 100).unwrap_err().kind(),
            io::ErrorKind::TimedOut
        );
        drop(open);
        end.recv_timeout(Duration::from_secs(60)).unwrap().unwrap();
    }

    #[test]
    fn a_program_that_takes_too_long_or_says_too_much_is_ended() {
        let late = run(&mut shell("sleep 600"), Duration::from_millis(50), 100).unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        let closed = run(&mut shell("exec >&-; sleep 600"), Duration::from_millis(50), 100).unwrap_err();
        assert_eq!(closed.kind(), io::ErrorKind::TimedOut);
        let much = run(&mut shell("yes"), Duration::from_secs(60), 1_000).unwrap_err();
        assert_eq!(much.kind(), io::ErrorKind::FileTooLarge);
    }
}
