//! `opentoolbar setup` and `opentoolbar uninstall`: registers the host with browsers, and undoes it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use opentoolbar_core::protocol::Request;

use super::{Failure, connect, output, program};
use crate::home::Home;
use crate::hub;
use crate::hub::client::Connector;
use crate::setup::{
    Browser, Change, Effect, Places, Record, connect_lines, load_lines, register, sandboxed_browsers,
    unregister,
};
use crate::why::why;

const EXAMPLES: &str = "\
Examples:
  opentoolbar setup
  opentoolbar setup --browser firefox --browser chromium
  opentoolbar setup --user-data-dir ./profile     a Chromium profile of a test or a demo
  opentoolbar setup --dry-run";

/// Arguments of `opentoolbar setup`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SetupArgs {
    #[command(flatten)]
    which: Which,
}

/// Arguments of `opentoolbar uninstall`.
#[derive(Debug, Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
struct Which {
    /// Only this browser, found or not; can be given several times
    #[arg(long, value_enum)]
    browser: Vec<Browser>,
    /// Only this profile directory of a Chromium browser
    #[arg(long, value_name = "DIR", conflicts_with = "browser")]
    user_data_dir: Option<PathBuf>,
    /// Look for browsers in this home directory instead of yours
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Say what would be done and do nothing
    #[arg(long)]
    dry_run: bool,
}

impl Which {
    fn places(&self) -> Result<Places, Failure> {
        match &self.home {
            // A profile may come to be; a home directory that does not exist is a slip.
            Some(home) if !home.is_dir() => Err(Failure::new(
                format!("there is no directory {}", home.display()),
                "Give an existing home directory with --home DIR.",
            )),
            Some(home) => Ok(Places::of_home(absolute(home)?)),
            None => Places::from_env()
                .ok_or_else(|| Failure::new("there is no home directory", "Set HOME, or give --home DIR.")),
        }
    }

    fn profile(&self) -> Result<Option<PathBuf>, Failure> {
        self.user_data_dir.as_deref().map(absolute).transpose()
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| {
        Failure::new(
            format!("{} is not a path: {}", path.display(), why(&error)),
            "Give an existing directory.",
        )
    })
}

fn save(record: &Record, home: &Home) -> Result<(), Failure> {
    record.save(home.dir()).map_err(|error| {
        Failure::new(
            format!(
                "cannot keep a record of what was registered in {}: {}",
                home.dir().display(),
                why(&error)
            ),
            "Make the directory writable, or set OPENTOOLBAR_HOME to another one, and run it again.",
        )
    })
}

pub(super) fn setup(args: SetupArgs) -> Result<(), Failure> {
    let which = args.which;
    let places = which.places()?;
    let program = program::path()?;
    let profile = which.profile()?;
    let home = Home::from_env()?;
    let sandboxed = sandboxed_browsers(&places, Path::new("/"));
    let browsers = if which.browser.is_empty() {
        places.found(std::env::var_os("PATH").as_deref())
    } else {
        which.browser.clone()
    };
    let nothing_to_register = browsers.is_empty() && profile.is_none();
    let mut record = Record::load(home.dir());
    let changes = register(&program, &places, &browsers, profile.as_deref(), &mut record, which.dry_run);
    if !which.dry_run && !nothing_to_register {
        save(&record, &home)?;
    }
    let mut text = String::new();
    report(&mut text, &changes, which.dry_run);
    for browser in &sandboxed {
        let _ = writeln!(text, "{browser}: runs in a sandbox and cannot start opentoolbar. {}", pairing());
    }
    text.push_str("\nConnect your agent:\n");
    for (agent, place, line) in connect_lines(&program) {
        let _ = writeln!(text, "  {agent} ({place}):\n    {line}");
    }
    text.push_str("\nThen load the extension, open your app and press the toolbar button:\n");
    for line in load_lines(&program) {
        let _ = writeln!(text, "  {line}");
    }
    output::print(text.trim_start())?;
    if nothing_to_register && sandboxed.is_empty() {
        // The lines above serve an agent here with a browser on another machine.
        return Err(Failure::new(
            "no browser was found",
            format!(
                "Install Chromium, Chrome or Firefox, or name the browser with --browser. If it is on another machine: {}",
                pairing()
            ),
        ));
    }
    failed(&changes)
}

/// How a browser gets in that cannot start this program.
fn pairing() -> String {
    format!(
        "Pair it with a code: run `{}`, and in another terminal `{}`.",
        program::command("serve"),
        program::command("pair")
    )
}

pub(super) fn uninstall(args: UninstallArgs) -> Result<(), Failure> {
    let which = args.which;
    let places = which.places()?;
    let profile = which.profile()?;
    let home = Home::from_env()?;
    let everything = which.browser.is_empty() && profile.is_none() && which.home.is_none();
    let browsers = if which.browser.is_empty() { Browser::ALL.to_vec() } else { which.browser.clone() };
    let mut record = Record::load(home.dir());
    let mut changes =
        unregister(&places, &browsers, profile.as_deref(), everything, &mut record, which.dry_run);
    let mut text = String::new();
    if !which.dry_run && home.dir().is_dir() {
        save(&record, &home)?;
        if everything {
            match connect::block_on(end_hub(&home))? {
                Hub::Down => changes.extend(forget_hub(&home)),
                Hub::Ended => {
                    text.push_str("The hub was running and has been ended.\n");
                    changes.extend(forget_hub(&home));
                }
                Hub::Serves => text.push_str(
                    "The hub still serves a browser or an agent, so its state stays; close them and run this again.\n",
                ),
            }
        }
    }
    report(&mut text, &changes, which.dry_run);
    if changes.is_empty() {
        text.push_str("Nothing was registered.\n");
    }
    if everything && home.projects().exists() {
        let _ = writeln!(text, "Your comments stay in {}.", home.projects().display());
    }
    output::print(&text)?;
    failed(&changes)
}

enum Hub {
    /// None was running.
    Down,
    /// It left because it was asked to.
    Ended,
    /// It stays.
    Serves,
}

/// Removes what the hub keeps for itself, which is down.
fn forget_hub(home: &Home) -> impl Iterator<Item = Change> {
    hub::forget(home).into_iter().map(|(path, done)| {
        let effect = match done {
            Ok(hub::Removed::State) => Effect::Removed,
            Ok(hub::Removed::EmptyHome) => Effect::RemovedDirectory,
            Err(error) => Effect::Failed(error),
        };
        Change { place: "the hub".to_owned(), path, effect }
    })
}

/// Asks a running hub to leave and waits a little for it.
async fn end_hub(home: &Home) -> Result<Hub, Failure> {
    let connect = || Connector::new(home.clone()).connect_if_running(connect::hello("uninstall", None));
    match connect().await {
        Ok(None) => return Ok(Hub::Down),
        // Of another version, or it hangs: it lives, and needs its files.
        Err(_) => return Ok(Hub::Serves),
        Ok(Some(client)) => {
            client.request(Request::Shutdown).await?;
        }
    }
    for _ in 0..20 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        if matches!(connect().await, Ok(None)) {
            return Ok(Hub::Ended);
        }
    }
    Ok(Hub::Serves)
}

fn report(text: &mut String, changes: &[Change], dry_run: bool) {
    for Change { place, path, effect } in changes {
        let path = path.display();
        // Writing to a String does not fail.
        let _ = match effect {
            Effect::Written if dry_run => writeln!(text, "{place}: would write {path}"),
            Effect::Written => writeln!(text, "{place}: wrote {path}"),
            Effect::Unchanged => writeln!(text, "{place}: already registered in {path}"),
            Effect::Removed if dry_run => writeln!(text, "{place}: would remove {path}"),
            Effect::Removed => writeln!(text, "{place}: removed {path}"),
            Effect::RemovedDirectory => writeln!(text, "{place}: removed the empty directory {path}"),
            Effect::Foreign => writeln!(text, "{place}: left {path} alone, it is not opentoolbar's"),
            Effect::Failed(error) => writeln!(text, "{place}: failed at {path}: {}", why(error)),
        };
    }
}

fn failed(changes: &[Change]) -> Result<(), Failure> {
    let failures = changes.iter().filter(|change| matches!(change.effect, Effect::Failed(_))).count();
    let foreign = changes.iter().filter(|change| matches!(change.effect, Effect::Foreign)).count();
    if failures > 0 {
        return Err(Failure::new(
            format!("{failures} of {} places could not be changed", changes.len()),
            "Make them writable for you and run it again.",
        ));
    }
    if foreign > 0 && foreign == changes.len() {
        return Err(Failure::new(
            "nothing was changed, the files are not opentoolbar's",
            "Look into the files named above and remove them by hand if they are wrong.",
        ));
    }
    Ok(())
}
