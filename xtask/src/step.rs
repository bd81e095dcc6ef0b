//! One step: a command that runs unattended, with a line of progress. Its output goes to a log and is shown only when
//! it fails.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::workspace;

/// A step that takes longer than this tells what it is at, again and again.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// One line at a time, whoever prints.
static LINES: Mutex<()> = Mutex::new(());

/// How a step went.
#[derive(Debug)]
pub struct Outcome {
    /// How the command ended.
    pub status: ExitStatus,
    /// From its start to its end.
    pub took: Duration,
    /// Standard output and standard error, in order.
    pub output: String,
    /// The file that has the output too.
    pub log: PathBuf,
}

/// Prints a line whole, whatever other threads print.
pub fn say(line: &str) {
    let _guard = LINES.lock();
    println!("{line}");
    // A closed pipe is the reader's choice, not a failure of the step.
    let _ = std::io::stdout().flush();
}

/// Runs a command to its end. Tells that it began, what it is at while it takes long, and that it ended.
///
/// # Errors
/// When it cannot be started; that it failed is in the outcome.
pub fn observe(name: &str, command: &mut Command) -> Result<Outcome> {
    let logs = workspace::own().join("logs");
    fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
    let file_name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let log = logs.join(format!("{file_name}.log"));
    let out = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let err = out.try_clone()?;
    say(&format!("==> {name} ..."));
    let began = Instant::now();
    let mut child = clean(command)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .spawn()
        .with_context(|| format!("cannot start {:?} for the step {name:?}", command.get_program()))?;
    let mut next = HEARTBEAT;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(if began.elapsed().as_secs() < 2 { 10 } else { 100 }));
        if began.elapsed() > next {
            next += HEARTBEAT;
            say(&format!("    {name} ... {:.0} s, now: {}", began.elapsed().as_secs_f32(), last_line(&log)));
        }
    };
    let took = began.elapsed();
    let word = if status.success() { "" } else { ", FAILED" };
    say(&format!("==> {name} ... {:.1} s{word}", took.as_secs_f32()));
    let output = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
    Ok(Outcome { status, took, output, log })
}

/// Runs a command that has to succeed; a failure shows its whole output.
///
/// # Errors
/// When it cannot be started or fails.
pub fn run(name: &str, command: &mut Command) -> Result<Outcome> {
    let outcome = observe(name, command)?;
    if !outcome.status.success() {
        say(&outcome.output);
        bail!("{name} failed ({}); its output is above and in {}", outcome.status, outcome.log.display());
    }
    Ok(outcome)
}

/// What compiles, and what waits for a network, at the same time. Both run to their ends.
///
/// # Errors
/// When one of them fails; when both do, what `fetch` failed of is printed and the other's failure returned.
pub fn side_by_side<A: Send, B>(
    compile: impl FnOnce() -> Result<A> + Send,
    fetch: impl FnOnce() -> Result<B>,
) -> Result<(A, B)> {
    std::thread::scope(|scope| {
        let compiling = scope.spawn(compile);
        let fetched = fetch();
        let compiled =
            compiling.join().map_err(|_| anyhow::anyhow!("a step broke off; what it said is above"))?;
        if let (Err(_), Err(other)) = (&compiled, &fetched) {
            say(&format!("{other:#}"));
        }
        Ok((compiled?, fetched?))
    })
}

/// Runs a command whose standard output is the product; what it says on standard error is shown when it fails.
///
/// # Errors
/// When it cannot be started, fails, or prints what is no text.
pub fn run_for_stdout(name: &str, command: &mut Command) -> Result<String> {
    say(&format!("==> {name} ..."));
    let began = Instant::now();
    let output = clean(command)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {:?} for the step {name:?}", command.get_program()))?;
    if !output.status.success() {
        say(&String::from_utf8_lossy(&output.stderr));
        bail!("{name} failed ({}); what it said is above", output.status);
    }
    say(&format!("==> {name} ... {:.1} s", began.elapsed().as_secs_f32()));
    String::from_utf8(output.stdout).with_context(|| format!("{name} printed something that is not text"))
}

/// Asks a tool something small and returns its standard output, trimmed; `None` when it is missing or fails.
pub fn ask(program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Option<String> {
    let output = clean(Command::new(program).args(args)).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A command in a folder of the workspace.
pub fn command(program: impl AsRef<std::ffi::OsStr>, folder: impl AsRef<Path>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(workspace::root().join(folder));
    command
}

/// `cargo` in the workspace's root.
pub fn cargo(args: &[&str]) -> Command {
    command("cargo", "", args)
}

/// The same where this program was started, so that relative paths mean the same.
pub fn cargo_here(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args);
    clean(&mut command);
    command
}

/// Takes away what `cargo run` set for xtask itself: build scripts of a nested cargo would see a change and run again.
fn clean(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
    command
}

fn last_line(log: &Path) -> String {
    let text = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no output yet").trim().to_owned()
}
