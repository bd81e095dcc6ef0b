//! `--soak SECONDS`: steady talk, sessions coming and going, agents coming and going, and after every round a look at
//! what the hub takes once the visitors have left. Fails when something grows (`growth` has the rule); how quick it is
//! counts nothing.
//!
//! Before the first look everything that is kept up to a limit is filled up to it: pictures, files of sessions, the
//! registry, SQLite's caches. What is kept for good (messages) is judged by how much is added.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use xtask::step::say;

use super::agent::Agent;
use super::browser::{Browser, Tab};
use super::growth::{Allowance, Verdict};
use super::load;
use super::process::{self, Process};
use crate::clients::carrier::Carrier;
use crate::clients::world::World;

/// Tabs that stay, of a browser over native messaging and of one over the gateway; each in a project of its own, with
/// an agent.
const STAYING: usize = 3;
/// Tabs that come and go in a round, in each of two browsers that do so too, with an agent of their own in a third
/// project.
const VISITING: usize = 2;
/// What a tab says in a round, each with a selection and two pictures.
const TALK: usize = 4;
/// Bytes of a picture.
const PICTURE: usize = 2_000;
/// Sessions that have come and gone before the first look, in all three projects together: more than the hub remembers
/// (500) and, in each project, more than it keeps files of (200). Each leaves three pictures, and of those 400 are kept
/// a project.
const BEFORE: usize = 630;
/// What is said in each project before the first look, and how long it is: together more than SQLite's cache of 2 MB.
const WORDS: (usize, usize) = (100, 30_000);
/// A round takes at least this long, so that the talk is steady and the machine has time for others.
const ROUND: Duration = Duration::from_millis(1_500);
/// Looks without which nothing is said, however long they take.
const LOOKS: usize = 30;
/// How long visitors that have left may be counted still.
const LEAVING: Duration = Duration::from_secs(60);

/// One look.
struct Look {
    hub: Process,
    databases: u64,
    logs: u64,
    pictures: (u64, u64),
    sessions: (u64, u64),
    registry: u64,
    log_files: u64,
}

/// One figure of the looks.
struct Figure {
    name: &'static str,
    unit: &'static str,
    of: fn(&Look) -> u64,
    /// Whether it is meant to grow, and is judged by what is added.
    is_kept: bool,
    allowance: Allowance,
}

const fn allow(percent: u64, amount: u64) -> Allowance {
    Allowance { percent, amount }
}

const FIGURES: [Figure; 10] = [
    figure("memory (RssAnon)", "KiB", |look| look.hub.anonymous_kib, allow(5, 2_048)),
    // The runtime's threads for files come when there is work and leave after 10 seconds.
    figure("threads", "", |look| look.hub.threads, allow(0, 4)),
    figure("file handles", "", |look| look.hub.handles, allow(0, 2)),
    figure("write-ahead logs", "bytes", |look| look.logs, allow(10, 65_536)),
    figure("pictures", "files", |look| look.pictures.0, allow(0, 4)),
    figure("pictures", "bytes", |look| look.pictures.1, allow(1, 8_192)),
    figure("files of sessions", "files", |look| look.sessions.0, allow(0, 4)),
    figure("registry", "bytes", |look| look.registry, allow(2, 1_024)),
    // The files grow when a log is written back, every ten rounds or so.
    Figure {
        is_kept: true,
        ..figure("databases, added", "bytes", |look| look.databases, allow(50, 1_048_576))
    },
    Figure {
        is_kept: true,
        ..figure("the hub's log, added", "bytes", |look| look.log_files, allow(25, 4_096))
    },
];

const fn figure(
    name: &'static str,
    unit: &'static str,
    of: fn(&Look) -> u64,
    allowance: Allowance,
) -> Figure {
    Figure { name, unit, of, is_kept: false, allowance }
}

pub(super) fn run(host: &Path, seconds: u64) -> Result<()> {
    let world = World::start(host)?;
    if Process::of(world.hub_pid()).is_none() {
        say("The system does not tell what a process takes (no /proc): growth is NOT judged here.");
        return Ok(());
    }
    let carriers = [Carrier::NativeMessaging, Carrier::WebSocket];
    let mut browsers = Vec::new();
    let mut agents = Vec::new();
    for (project, carrier) in carriers.into_iter().enumerate() {
        agents.push(Agent::start(&world, project)?);
        let browser = Browser::start(&world, carrier, &format!("staying{project}"))?;
        browser.choose(&world, project)?;
        browsers.push(browser);
    }
    // The third project is the visitors'.
    browsers[0].choose(&world, 2)?;
    let began = Instant::now();
    fill(&world, &browsers)?;
    say(&format!("filled in {:.0} s; now {seconds} s of rounds", began.elapsed().as_secs_f64()));

    let mut tabs = Vec::new();
    for (project, browser) in browsers.iter().enumerate() {
        for number in 0..STAYING {
            tabs.push(browser.open(project, &format!("s_staying_{project}_{number}"))?);
        }
    }
    let looks = rounds(&world, &mut tabs, Duration::from_secs(seconds))?;
    drop(tabs);
    for browser in browsers {
        if let Some(refused) = browser.refused() {
            bail!("a message was refused: {refused}");
        }
        browser.close()?;
    }
    agents.into_iter().try_for_each(Agent::stop)?;
    judge(&looks)
}

/// Up to every limit that the hub has.
fn fill(world: &World, browsers: &[Browser]) -> Result<()> {
    let visitor = Agent::start(world, 2)?;
    for project in 0..3 {
        let browser = browsers.get(project).unwrap_or(&browsers[0]);
        let tab = browser.open(project, &format!("s_words_{project}"))?;
        for number in 0..WORDS.0 {
            tab.say(&format!("{number} {}", "word ".repeat(WORDS.1 / 5)))?;
            tab.answer()?;
        }
        tab.close()?;
    }
    for number in 0..BEFORE {
        let mut tab = browsers[number % 2].open(number % 3, &format!("s_before_{number}"))?;
        tab.select(PICTURE)?;
        tab.close()?;
        if (number + 1).is_multiple_of(210) {
            say(&format!("    {} of {BEFORE} sessions have come and gone", number + 1));
        }
    }
    visitor.stop()
}

fn rounds(world: &World, tabs: &mut [Tab<'_>], time: Duration) -> Result<Vec<Look>> {
    let began = Instant::now();
    let mut told = Instant::now();
    let mut looks = Vec::new();
    while began.elapsed() < time || looks.len() < LOOKS {
        let round = Instant::now();
        visit(world, looks.len(), tabs)?;
        settle(world, tabs.len())?;
        looks.push(look(world)?);
        if told.elapsed() > Duration::from_secs(15) {
            told = Instant::now();
            say(&format!("    {:.0} s, {} rounds", began.elapsed().as_secs_f64(), looks.len()));
        }
        std::thread::sleep(ROUND.saturating_sub(round.elapsed()));
    }
    Ok(looks)
}

/// Everybody talks: those who stay, and visitors who come for it and leave.
fn visit(world: &World, round: usize, staying: &mut [Tab<'_>]) -> Result<()> {
    let agent = Agent::start(world, 2)?;
    let browsers = [
        Browser::start(world, Carrier::NativeMessaging, &format!("visitor-n{round}"))?,
        Browser::start(world, Carrier::WebSocket, &format!("visitor-w{round}"))?,
    ];
    {
        let mut visiting = Vec::new();
        for (number, browser) in browsers.iter().enumerate() {
            for tab in 0..VISITING {
                visiting.push(browser.open(2, &format!("s_visit_{round}_{number}_{tab}"))?);
            }
        }
        talk(staying)?;
        talk(&mut visiting)?;
        // One of them says goodbye; the others just vanish.
        visiting.pop().map_or(Ok(()), Tab::close)?;
    }
    for browser in browsers {
        if let Some(refused) = browser.refused() {
            bail!("a message was refused: {refused}");
        }
        browser.close()?;
    }
    agent.stop()
}

/// All of them at once, each a few times: a selection, a message, its answer.
fn talk(tabs: &mut [Tab<'_>]) -> Result<()> {
    let trips = tabs.len() * TALK;
    let one = |tab: &mut Tab<'_>, number: usize| {
        tab.select(PICTURE)?;
        load::converse(tab, number)
    };
    load::run(tabs, trips, one, |_| {}).map(drop)
}

/// Waits until the hub has noticed that the visitors are gone, and has written the files that come a moment later.
fn settle(world: &World, tabs: usize) -> Result<()> {
    let began = Instant::now();
    loop {
        let status = world.status()?;
        let count = |name: &str| status[name].as_array().map_or(0, Vec::len);
        if (count("browsers"), count("agents"), count("sessions")) == (2, 2, tabs) {
            break;
        }
        if began.elapsed() > LEAVING {
            bail!("visitors that have left are still counted: {status}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(600));
    Ok(())
}

fn look(world: &World) -> Result<Look> {
    let hub = Process::of(world.hub_pid()).context("the hub is gone")?;
    let home = world.home();
    let (databases, logs) = process::databases(&home);
    let mut look = Look {
        hub,
        databases,
        logs,
        pictures: (0, 0),
        sessions: (0, 0),
        registry: process::size(&home.join("registry.json")),
        log_files: process::folder(&home.join("logs")).1,
    };
    let add = |sum: &mut (u64, u64), folder: &Path| {
        let (files, bytes) = process::folder(folder);
        *sum = (sum.0 + files, sum.1 + bytes);
    };
    for project in 0..3 {
        let folder = world.project(project)?.join(".opentoolbar");
        add(&mut look.pictures, &folder.join("screenshots"));
        add(&mut look.sessions, &folder.join("sessions"));
    }
    Ok(look)
}

fn judge(looks: &[Look]) -> Result<()> {
    say(&format!(
        "\n{} looks; median of the second third against that of the last, which may be more by the allowance:",
        looks.len()
    ));
    say(&format!("  {:<24}{:>7}{:>14}{:>14}{:>16}", "", "", "second third", "last third", "at most"));
    let mut grown = Vec::new();
    for Figure { name, unit, of, is_kept, allowance } in &FIGURES {
        let samples: Vec<u64> = looks.iter().map(of).collect();
        let verdict =
            if *is_kept { Verdict::added(&samples, *allowance) } else { Verdict::of(&samples, *allowance) };
        let verdict = verdict.context("too few looks")?;
        let word = if verdict.has_grown() { "  GROWN" } else { "" };
        say(&format!(
            "  {name:<24}{unit:>7}{:>14}{:>14}{:>16}{word}",
            verdict.second, verdict.last, verdict.most
        ));
        if verdict.has_grown() {
            grown.push(format!("{name} {unit}: {samples:?}"));
        }
    }
    if grown.is_empty() {
        say("Nothing grows.");
        return Ok(());
    }
    bail!("it grows over the settled level; all looks:\n{}", grown.join("\n"))
}
