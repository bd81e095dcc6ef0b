//! What `cargo xtask bench` is asked for, and what every topic makes of it.

use std::fs::OpenOptions;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use xtask::step::say;
use xtask::{build, workspace};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure; without it, the topics
    pub(super) topic: Option<String>,
    /// Folder of real pages with known outcomes, for the topics that use one
    #[arg(long)]
    pub(super) corpus: Option<PathBuf>,
    /// Write all figures to a file as well, for the topics that have a JSON form
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Print every failure with the elements concerned
    #[arg(long)]
    pub(super) failures: bool,
    /// Less of it, for the topics that take long
    #[arg(long)]
    pub(super) quick: bool,
    /// Instead of measuring, keep it busy for so long and fail when something grows, for the topics that can
    #[arg(long, value_name = "SECONDS")]
    pub(super) soak: Option<u64>,
    /// Without the peers, for the topics that have some
    #[arg(long)]
    pub(super) own: bool,
    /// Only try whether every part still runs, as small as can be, in any build: no figure comes of it. Without a
    /// topic, of all
    #[arg(long)]
    pub(super) smoke: bool,
    /// The home whose one history is asked for (the topic `dialogs` starts itself so)
    #[arg(long, hide = true)]
    pub(super) home: Option<PathBuf>,
    /// The server beside which is measured (the topic `gateway` starts itself so)
    #[arg(long, hide = true)]
    pub(super) peer: bool,
    /// One topic of a smoke run (the verb starts itself so)
    #[arg(long, hide = true, requires = "smoke")]
    pub(super) inside: bool,
}

impl Args {
    /// Tells what could not be measured. A smoke run fails by it: it is there to show that everything can be.
    pub(super) fn left_out(&self, what: &str) -> Result<()> {
        self.nothing_left_out(&[what])?;
        say(what);
        Ok(())
    }

    /// The same for what is told later.
    pub(super) fn nothing_left_out(&self, left_out: &[impl AsRef<str>]) -> Result<()> {
        let what = left_out.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("; ");
        ensure!(!self.smoke || what.is_empty(), "a smoke run leaves nothing out: {what}");
        Ok(())
    }

    /// The host that is measured: the one that is named, or the release build; of a smoke run, the one that every test
    /// uses.
    pub(super) fn host(&self) -> Result<PathBuf> {
        if let Some(host) = std::env::var_os("OPENTOOLBAR_HOST") {
            return Ok(std::path::absolute(host)?);
        }
        build::host(!self.smoke)?;
        Ok(if self.smoke { workspace::host_binary() } else { workspace::release_host_binary() })
    }

    /// That the JSON can be written, before a long run; what is there stays as it is.
    pub(super) fn check_json(&self) -> Result<()> {
        let Some(path) = &self.json else { return Ok(()) };
        let what = || format!("cannot write {}", path.display());
        OpenOptions::new().create(true).append(true).open(path).with_context(what)?;
        Ok(())
    }
}
