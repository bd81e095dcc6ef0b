//! Says whether the agent is there when a browser wants to know: the hub asks this process, and this process the
//! agent's program, by the `ping` of MCP. That the pipes are open says nothing: a program that hangs keeps them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use opentoolbar_core::protocol::Presence;
use rmcp::model::{PingRequest, ServerRequest};
use rmcp::service::{Peer, RoleServer, ServiceError};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::link::Link;

/// Shorter than the hub's patience, so that it hears which of the two is silent.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// A question that stands for longer is not answered, however slow the program was before.
const LATE: Duration = Duration::from_secs(10);

/// A question that is not answered is asked again after so long, as a client may have dropped it; then after twice as
/// long each time, up to the longest. A program that was stopped for a while is known to be back after no more than
/// that while.
const AGAIN: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// Questions whose answers are waited for at once.
const STANDING: usize = 3;

/// The agent's program, to be asked.
#[derive(Clone)]
pub(super) struct Program {
    peer: Peer<RoleServer>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// What is under way: a program that hangs is not sent one after the other.
    question: Mutex<Option<Question>>,
    /// How long the last answer took; none before the first.
    took: Mutex<Option<Duration>>,
    answers: watch::Sender<u64>,
}

/// One that is not answered yet, however often it was asked.
struct Question {
    since: Instant,
    last: Instant,
    /// After the last time.
    pause: Duration,
    /// When the program had last asked for something.
    asked: u64,
    /// Those who wait for an answer, the longest first.
    waiting: VecDeque<AbortHandle>,
}

impl State {
    fn question(&self) -> MutexGuard<'_, Option<Question>> {
        self.question.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when the question stands. Asks it with `ask` when it is new, or stands for so long that it is asked again.
    /// `asked`: when the program last asked for something, which shows that it is there: then it is not waited for
    /// longer than at first.
    fn begin(&self, asked: u64, ask: impl FnOnce(Instant) -> AbortHandle) -> Instant {
        let mut question = self.question();
        let now = Instant::now();
        let standing = question.get_or_insert_with(|| Question {
            since: now,
            last: now,
            pause: Duration::ZERO,
            asked,
            waiting: VecDeque::new(),
        });
        if std::mem::replace(&mut standing.asked, asked) != asked {
            standing.pause = standing.pause.min(AGAIN);
        }
        if now.duration_since(standing.last) >= standing.pause {
            standing.last = now;
            standing.pause = (2 * standing.pause).clamp(AGAIN, LONGEST);
            if standing.waiting.len() >= STANDING
                && let Some(longest) = standing.waiting.pop_front()
            {
                longest.abort();
            }
            standing.waiting.push_back(ask(standing.since));
        }
        standing.since
    }

    /// The question that stands `since` then is answered, or never will be. None when it was before. The others who
    /// wait for it end: an answer to them may never come. Whoever says so goes on.
    fn end(&self, since: Instant, asked_at: Instant, is_answered: bool) -> Option<Duration> {
        let ended = self.question().take_if(|question| question.since == since)?;
        let own = tokio::task::try_id();
        ended.waiting.iter().filter(|one| Some(one.id()) != own).for_each(AbortHandle::abort);
        let took = asked_at.elapsed();
        if is_answered {
            *self.took.lock().unwrap_or_else(PoisonError::into_inner) = Some(took);
            self.answers.send_modify(|count| *count += 1);
        }
        Some(took)
    }
}

impl Program {
    pub(super) fn new(peer: Peer<RoleServer>) -> Self {
        Self { peer, state: Arc::default() }
    }

    /// `round`: of the hub's question, which hears of an answer also when that comes late.
    pub(super) async fn ask(&self, link: &Link, round: u64) -> Presence {
        let mut answers = self.state.answers.subscribe();
        let since = self.state.begin(link.last_asked(), |since| {
            let (program, link) = (self.clone(), link.clone());
            let asking = async move {
                let asked_at = Instant::now();
                let answer =
                    program.peer.send_request(ServerRequest::PingRequest(PingRequest::default())).await;
                // A refusal is an answer too.
                let is_answer = matches!(answer, Ok(_) | Err(ServiceError::McpError(_)));
                let took = program.state.end(since, asked_at, is_answer);
                if is_answer && took.is_some_and(|took| took > PATIENCE) {
                    link.tell_presence(round, Presence::Answers).await;
                }
            };
            tokio::spawn(asking).abort_handle()
        });
        if matches!(tokio::time::timeout(PATIENCE, answers.changed()).await, Ok(Ok(()))) {
            return Presence::Answers;
        }
        match *self.state.took.lock().unwrap_or_else(PoisonError::into_inner) {
            // It may be one that answers no ping at all, although MCP says that it must.
            None => Presence::ServerAnswers,
            // One that is slow each time does not hang: its last answer stands until this takes much longer than that
            // took.
            Some(took) if took > PATIENCE && since.elapsed() < (2 * took).min(LATE) => Presence::Answers,
            Some(_) => Presence::ServerAlone,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tokio::sync::oneshot;

    use super::*;

    /// A program that drops the first ping and answers the second leaves nobody behind who waits for the first.
    #[tokio::test]
    async fn once_a_question_is_answered_nobody_waits_for_another_answer_to_it() {
        let state = Arc::new(State::default());
        let dropped = tokio::spawn(std::future::pending::<()>());
        let since = state.begin(0, |_| dropped.abort_handle());
        // It stands for long enough to be asked again.
        state.question().as_mut().unwrap().pause = Duration::ZERO;
        let (answers, answer) = oneshot::channel::<()>();
        let asked = tokio::spawn({
            let state = state.clone();
            async move {
                answer.await.unwrap();
                let took = state.end(since, Instant::now(), true);
                tokio::task::yield_now().await;
                took
            }
        });
        assert_eq!(state.begin(0, |_| asked.abort_handle()), since);
        answers.send(()).unwrap();
        let took = asked.await.unwrap();
        assert!(took.is_some(), "whoever heard the answer goes on");
        let left = tokio::time::timeout(Duration::from_secs(60), dropped).await;
        assert!(left.unwrap().unwrap_err().is_cancelled());
        // The next one is another.
        let next = tokio::spawn(std::future::pending::<()>());
        state.begin(0, |_| next.abort_handle());
        assert!(!next.is_finished());
    }
}
