//! Everybody says something, waits for the answer and says the next thing: one message a session is under way.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::agent;
use super::browser::Tab;
use crate::bench::statistics::{number, percentile};

/// One message and its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    /// Until the agent had it; an echo has no agent.
    pub(super) there: Option<Duration>,
    /// Until the answer was back.
    pub(super) whole: Duration,
}

/// Runs `trips` trips, spread evenly over the sessions and all at once. `said`: called with how many are done, now and
/// then.
pub(super) fn run<T: Send>(
    sessions: &mut [T],
    trips: usize,
    trip: impl Fn(&mut T, usize) -> Result<Trip> + Sync,
    said: impl Fn(usize) + Sync,
) -> Result<Measured> {
    let each = trips.div_ceil(sessions.len().max(1));
    let done = AtomicUsize::new(0);
    let all = Mutex::new(Vec::with_capacity(each * sessions.len()));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = sessions
            .iter_mut()
            .map(|session| {
                scope.spawn(|| -> Result<()> {
                    let mut own = Vec::with_capacity(each);
                    for number in 0..each {
                        own.push(trip(session, number)?);
                        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                        if done.is_multiple_of(500) {
                            said(done);
                        }
                    }
                    all.lock().unwrap_or_else(std::sync::PoisonError::into_inner).append(&mut own);
                    Ok(())
                })
            })
            .collect();
        for thread in threads {
            thread.join().map_err(|_| anyhow::anyhow!("a session's thread broke"))??;
        }
        anyhow::Ok(())
    })?;
    let took = began.elapsed();
    let trips = all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Measured::of(&trips, took))
}

/// One message of a tab to its agent, and the answer.
pub(super) fn converse(tab: &Tab<'_>, number: usize) -> Result<Trip> {
    let text = message(number);
    let sent = Instant::now();
    tab.say(&text)?;
    let (back, answer) = tab.answer()?;
    let heard = agent::heard_at(&answer)?;
    let there = heard.saturating_duration_since(sent);
    Ok(Trip { there: Some(there), whole: back.saturating_duration_since(sent) })
}

/// What a person says: about 120 bytes.
pub(super) fn message(number: usize) -> String {
    format!(
        "{number}: make this button a little bigger, use the accent colour, and keep the label on one line on a phone"
    )
}

/// Figures of one round. Times in microseconds.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Measured {
    pub(super) trips: usize,
    /// Messages a second, those of persons and those of agents.
    pub(super) per_second: f64,
    pub(super) p50: f64,
    pub(super) p99: f64,
    /// From the browser to the agent.
    pub(super) there_p50: Option<f64>,
    pub(super) there_p99: Option<f64>,
}

impl Measured {
    fn of(trips: &[Trip], took: Duration) -> Self {
        let micros = |mut times: Vec<Duration>| {
            times.sort_unstable();
            let at = |share| percentile(&times, share).map(|time: Duration| time.as_secs_f64() * 1e6);
            (at(50), at(99))
        };
        let (p50, p99) = micros(trips.iter().map(|trip| trip.whole).collect());
        let (there_p50, there_p99) = micros(trips.iter().filter_map(|trip| trip.there).collect());
        Self {
            trips: trips.len(),
            per_second: 2.0 * number(trips.len()) / took.as_secs_f64(),
            p50: p50.unwrap_or_default(),
            p99: p99.unwrap_or_default(),
            there_p50,
            there_p99,
        }
    }

    /// Of several rounds the least of each time, and the most messages.
    pub(super) fn best(rounds: &[Self]) -> Self {
        let least = |of: fn(&Self) -> f64| rounds.iter().map(of).fold(f64::INFINITY, f64::min);
        let least_there = |of: fn(&Self) -> Option<f64>| rounds.iter().filter_map(of).reduce(f64::min);
        Self {
            trips: rounds.iter().map(|round| round.trips).sum(),
            per_second: rounds.iter().map(|round| round.per_second).fold(0.0, f64::max),
            p50: least(|round| round.p50),
            p99: least(|round| round.p99),
            there_p50: least_there(|round| round.there_p50),
            there_p99: least_there(|round| round.there_p99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_counted_and_the_best_round_is_told() {
        let trip = |ms| Trip { there: None, whole: Duration::from_millis(ms) };
        let slow = Measured::of(&[trip(2), trip(4), trip(6)], Duration::from_secs(1));
        assert_eq!((slow.trips, slow.per_second, slow.p50, slow.p99), (3, 6.0, 4_000.0, 6_000.0));
        let quick = Measured::of(&[trip(3), trip(3), trip(3), trip(9)], Duration::from_secs(1));
        let best = Measured::best(&[slow, quick]);
        assert_eq!((best.trips, best.per_second, best.p50, best.p99), (7, 8.0, 3_000.0, 6_000.0));
        assert_eq!(best.there_p50, None);
    }

    #[test]
    fn every_session_takes_its_part() {
        let mut sessions = [0, 0, 0];
        let trip = |session: &mut i32, _| {
            *session += 1;
            Ok(Trip { there: None, whole: Duration::from_millis(1) })
        };
        let measured = run(&mut sessions, 9, trip, |_| {}).map(|measured| measured.trips);
        assert_eq!((measured.ok(), sessions), (Some(9), [3, 3, 3]));
    }
}
