//! `cargo xtask use-apps`: whether comments speak of source and not of state, in apps as the frameworks' own generators
//! make them. Makes the apps and what else is needed; the play is `tests/e2e/use-apps`, the shop that is put into each
//! app `tests/apps/generated`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum as _;

use crate::demo::Browser;
use crate::step::{self, say};
use crate::{build, tools, workspace};

/// Its templates are what a person gets today; the packages that they ask for are those of the committed lock files.
const GENERATOR: &str = "create-vite@9.3.0";
/// Steps of an hour, at six seconds each.
const HOUR: u32 = 600;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which apps; without one, all
    #[arg(value_enum)]
    apps: Vec<App>,
    /// Which browser
    #[arg(long, value_enum, default_value_t = Browser::Chromium)]
    browser: Browser,
    /// How many steps of use; a person takes six seconds for one, this a quarter and now and then three
    #[arg(long, default_value_t = HOUR)]
    steps: u32,
    /// Chooses the steps: the same number, the same steps
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Only the comments with this in their name
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum App {
    React,
    Vue,
    Svelte,
}

impl App {
    /// Also the folder of its shop, and the beginning of its template's name.
    fn name(self) -> &'static str {
        match self {
            Self::React => "react",
            Self::Vue => "vue",
            Self::Svelte => "svelte",
        }
    }

    fn template(self) -> String {
        format!("{}-ts", self.name())
    }

    fn lock(self) -> PathBuf {
        workspace::path("tests/apps/generated").join(self.name()).join("package-lock.json")
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let apps = if args.apps.is_empty() { App::value_variants() } else { &args.apps };
    let (variable, browser) = match args.browser {
        Browser::Chromium => ("OPENTOOLBAR_CHROMIUM", tools::chromium()?),
        Browser::Firefox => ("OPENTOOLBAR_FIREFOX", tools::firefox()?),
    };
    let node = tools::node_for_tests()?;
    build::wasm()?;
    build::extension()?;
    build::host(false)?;
    let mut folders = Vec::new();
    for &app in apps {
        folders.push(format!("{}={}", app.name(), make(app)?.display()));
    }
    say("==> the apps are used; a line for every hundred steps, and for whatever is not as it should be");
    let mut play = step::command(node, "tests", &["e2e/use-apps/main.ts", "--browser", args.browser.name()]);
    play.args(["--steps", &args.steps.to_string(), "--seed", &args.seed.to_string()]);
    if let Some(name) = &args.only {
        play.args(["--only", name]);
    }
    let status = play
        .args(&folders)
        .env(variable, browser)
        .env("OPENTOOLBAR_HOST", workspace::host_binary())
        .stdin(std::process::Stdio::null())
        .status()
        .context("cannot start Node")?;
    if !status.success() {
        bail!("not every comment is as it should be ({status}); which, and after what, is above");
    }
    Ok(())
}

/// The app as its generator makes it, with its packages; made once, and anew when the generator or the lock is another
/// one.
fn make(app: App) -> Result<PathBuf> {
    let all = workspace::own().join("generated-apps");
    let folder = all.join(app.name());
    let lock =
        fs::read_to_string(app.lock()).with_context(|| format!("cannot read {}", app.lock().display()))?;
    let wanted = stamp(&lock);
    if fs::read_to_string(stamp_file(&folder)).is_ok_and(|have| have == wanted) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&all).with_context(|| format!("cannot create {}", all.display()))?;
    let template = app.template();
    let mut generate = tools::npm("", &["exec", "--yes", GENERATOR, "--", app.name()])?;
    generate.args(["--template", &template, "--no-interactive"]).current_dir(&all);
    step::run(&format!("{GENERATOR} {template}"), &mut generate)?;
    let own_lock = folder.join("package-lock.json");
    fs::write(&own_lock, &lock).with_context(|| format!("cannot write {}", own_lock.display()))?;
    // Not `ci`: it takes a lock for damaged that names none of the programs for other platforms of the template's
    // linter.
    let mut install = tools::npm("", &["install"])?;
    step::run(&format!("npm install in the {} app", app.name()), install.current_dir(&folder))?;
    let vouched = stamp_file(&folder);
    fs::write(&vouched, wanted).with_context(|| format!("cannot write {}", vouched.display()))?;
    Ok(folder)
}

/// What an app was made from.
fn stamp(lock: &str) -> String {
    format!("{GENERATOR}\n{lock}")
}

/// Inside node_modules, so that it goes with what it vouches for.
fn stamp_file(folder: &Path) -> PathBuf {
    folder.join("node_modules").join(".opentoolbar-lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_app_has_a_shop_and_a_lock_that_names_no_registry() -> Result<()> {
        for app in App::value_variants() {
            let lock = fs::read_to_string(app.lock())?;
            assert!(lock.contains("\"node_modules/vite\""), "{app:?}");
            assert!(!lock.contains("\"resolved\""), "{app:?}");
            assert!(app.lock().with_file_name("src").is_dir(), "{app:?}");
        }
        Ok(())
    }

    #[test]
    fn an_app_is_made_anew_for_another_lock_or_another_generator() {
        assert_eq!(stamp("{}"), stamp("{}"));
        assert_ne!(stamp("{}"), stamp("{ }"));
        assert!(stamp("{}").contains(GENERATOR));
    }
}
