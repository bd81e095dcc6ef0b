//! Messages a second and how long they take, at 1, 10 and 100 sessions.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use xtask::step::say;

use super::echo::Echo;
use super::load::{self, Measured};
use super::memory::Tranche;
use super::picture::Picture;
use crate::clients::carrier::Carrier;
use crate::clients::world::World;

/// How much is measured.
pub(super) struct Effort {
    /// Sessions, and messages of persons in one round.
    sizes: &'static [(usize, usize)],
    /// Of everything measured the best of so many rounds is told; they take turns.
    rounds: usize,
}

pub(super) const FULL: Effort = Effort { sizes: &[(1, 300), (10, 1_000), (100, 3_000)], rounds: 3 };
pub(super) const QUICK: Effort = Effort { sizes: &[(1, 60), (10, 200), (100, 600)], rounds: 3 };
pub(super) const SMOKE: Effort = Effort { sizes: &[(1, 2), (11, 11)], rounds: 1 };

/// All of one run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Figures {
    pub(super) cores: usize,
    /// Load average of the last minute, when it began and ended.
    pub(super) load: String,
    pub(super) rates: Vec<Rate>,
    pub(super) memory: Vec<Tranche>,
}

/// The best of the rounds at one size.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rate {
    sessions: usize,
    over: &'static str,
    #[serde(flatten)]
    measured: Measured,
    /// In multiples of the echo's of the same size.
    p50_to_echo: f64,
    per_second_to_echo: f64,
}

pub(super) fn measure(host: &Path, node: &Path, effort: &Effort) -> Result<Vec<Rate>> {
    let echo = Echo::start(node)?;
    let rounds = effort.rounds;
    say(&format!(
        "\nA message of 120 bytes to the waiting agent and its answer of 300 bytes back; each session has one under way. Ten tabs a \
         browser; a project and an agent for every ten tabs.\nBest of {rounds} rounds, which take turns: least p50 and p99, most \
         messages a second (both directions). Echo: Node's `ws`, the same 120 bytes and back, nothing stored."
    ));
    say(&format!(
        "  {:>8} {:<18}{:>6} {:>11}{:>12}{:>12}{:>12}{:>12}{:>10}{:>10}",
        "sessions",
        "over",
        "trips",
        "messages/s",
        "there p50",
        "there p99",
        "whole p50",
        "whole p99",
        "x echo",
        "rate/echo"
    ));
    let mut rates = Vec::new();
    for &(sessions, trips) in effort.sizes {
        rates.extend(at(host, &echo, sessions, trips, rounds)?);
    }
    Ok(rates)
}

fn at(host: &Path, echo: &Echo, sessions: usize, trips: usize, turns: usize) -> Result<Vec<Rate>> {
    let worlds = [World::start(host)?, World::start(host)?];
    let native = Picture::start(&worlds[0], Carrier::NativeMessaging, sessions)?;
    let sockets = Picture::start(&worlds[1], Carrier::WebSocket, sessions)?;
    let mut rounds: [Vec<Measured>; 3] = Default::default();
    {
        let mut native = native.tabs()?;
        let mut sockets = sockets.tabs()?;
        let mut clients = (0..sessions).map(|_| echo.client()).collect::<Result<Vec<_>>>()?;
        // The first of everything opens files and fills caches.
        for tabs in [&mut native, &mut sockets] {
            load::run(tabs, sessions * 3, |tab, number| load::converse(tab, number), |_| {})?;
        }
        for _ in 0..turns {
            for (tabs, rounds) in [&mut native, &mut sockets].into_iter().zip(&mut rounds) {
                rounds.push(load::run(tabs, trips, |tab, number| load::converse(tab, number), |_| {})?);
            }
            let text = load::message(0);
            rounds[2].push(load::run(&mut clients, trips * 3, |client, _| client.trip(&text), |_| {})?);
        }
    }
    native.stop()?;
    sockets.stop()?;
    let peer = Measured::best(&rounds[2]);
    let names = ["native messaging", "WebSocket", "echo (Node ws)"];
    Ok(names.into_iter().zip(&rounds).map(|(over, rounds)| tell(sessions, over, rounds, &peer)).collect())
}

fn tell(sessions: usize, over: &'static str, rounds: &[Measured], peer: &Measured) -> Rate {
    let measured = Measured::best(rounds);
    let rate = Rate {
        sessions,
        over,
        measured,
        p50_to_echo: measured.p50 / peer.p50,
        per_second_to_echo: measured.per_second / peer.per_second,
    };
    let time = |micros: Option<f64>| match micros {
        None => "-".to_owned(),
        Some(micros) => format!("{:.2} ms", micros / 1e3),
    };
    say(&format!(
        "  {sessions:>8} {over:<18}{:>6} {:>11.0}{:>12}{:>12}{:>12}{:>12}{:>10.1}{:>10.3}",
        measured.trips,
        measured.per_second,
        time(measured.there_p50),
        time(measured.there_p99),
        time(Some(measured.p50)),
        time(Some(measured.p99)),
        rate.p50_to_echo,
        rate.per_second_to_echo
    ));
    rate
}
