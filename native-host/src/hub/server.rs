//! The hub's process: takes the lock, listens, leaves when told or when nobody needs it any more.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use interprocess::local_socket::tokio::Listener;
use interprocess::local_socket::traits::tokio::Listener as _;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::in_place::{self, Change};
use super::lock::HubLock;
use super::placing::Settle;
use super::state::Hub;
use super::unplaced::Week;
use super::way_in::{Gateways, Opened, Visit};
use super::{connection, handles, log, socket};
use crate::clock::now;
use crate::error::{error, internal};
use crate::files::sweep;
use crate::home::Home;
use crate::why::why;

/// Seconds without a connection after which the hub leaves, unless `OPENTOOLBAR_IDLE_SECONDS` says otherwise.
const IDLE_SECONDS: u64 = 60;
/// Seconds without use after which a project's database is closed, unless `OPENTOOLBAR_STORE_SECONDS` says otherwise.
const STORE_SECONDS: u64 = 300;
/// How long everything may take that is still to be done when a signal tells the hub to leave: whoever sent it waits.
const LEAVE_AT_ONCE: Duration = Duration::from_millis(1_600);
/// The same when the hub leaves by itself. Until it has left no other can begin.
const LEAVE_WITHIN: Duration = Duration::from_secs(10);
/// The part of it in which requests that are under way may finish.
const REQUESTS: u32 = 4;
/// After a signal the process ends then, whatever still waits for a disk that does not answer.
const END_WITHIN: Duration = Duration::from_millis(1_900);

/// Connections that came over the gateway and wait to be served.
const VISITS: usize = 16;

/// How the hub was started.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    /// By whoever needed it: leaves when idle; a second one leaves at once without a word. The gateway is open when
    /// `config.json` says so.
    Background,
    /// By a person with `serve`: stays until told, with the gateway open; a second one is an error.
    Foreground {
        /// The gateway's, instead of the one that `config.json` says; 0 is any that is free.
        port: Option<u16>,
        /// Called once the gateway is open.
        opened: fn(SocketAddr),
    },
}

/// Runs the hub until it leaves. Blocks; makes its own runtime.
///
/// # Errors
/// When another hub runs (foreground), or when lock, socket or home cannot be used.
pub(crate) fn run(home: Home, mode: Mode, gateways: Gateways) -> Result<(), ErrorBody> {
    home.ensure()?;
    let Some(lock) = HubLock::take(&home)?.map(Arc::new) else {
        return match mode {
            Mode::Background => Ok(()),
            Mode::Foreground { .. } => Err(error(
                ErrorCode::Conflict,
                format!("a hub is already running in {}", home.dir().display()),
                format!(
                    "Close browsers and agents until it leaves (`opentoolbar status` shows them), or let it open the \
                     gateway itself: {{\"gateway\": {{\"enabled\": true}}}} in {}, read when a hub starts.",
                    home.config().display()
                ),
            )),
        };
    };
    if matches!(mode, Mode::Background) {
        // Away from the terminal or browser of whoever started us. Fails only for a leader of its own session.
        #[cfg(unix)]
        let _ = rustix::process::setsid();
    }
    let foreground = matches!(mode, Mode::Foreground { .. });
    log::open(&home, foreground);
    handles::raise();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| internal(format!("cannot start the hub's threads: {}", why(&e))))?;
    let done = runtime.block_on(live(&home, mode, gateways, &lock));
    // What is stuck in a disk that does not answer is left behind: it ends with the process.
    runtime.shutdown_background();
    lock.tidy(&home);
    match &done {
        Ok(()) => {}
        // The verb tells the person who ran it; once is enough.
        Err(error) if foreground => tracing::info!(%error, "the hub could not live"),
        Err(error) => tracing::error!(%error, "the hub could not live"),
    }
    done
}

async fn live(home: &Home, mode: Mode, gateways: Gateways, lock: &Arc<HubLock>) -> Result<(), ErrorBody> {
    let cannot = |what: &str, e: std::io::Error| {
        let next_step = match e.raw_os_error() {
            Some(_) => "Make the directory writable for you, or set OPENTOOLBAR_HOME to another one.",
            // Our own words for what is in the way.
            None => "Move it away, or set OPENTOOLBAR_HOME to another directory.",
        };
        error(
            ErrorCode::Storage,
            format!("cannot {what} in {}: {}", home.dir().display(), why(&e)),
            next_step,
        )
    };
    // Of those before us, who may have been killed while they wrote.
    sweep(home.dir());
    let hub = Hub::open(home);
    hub.know_earlier_sessions();
    // Before anybody can approve it.
    hub.reject_what_ran_out();
    // What an earlier hub was killed over.
    let left = Arc::clone(&hub);
    tokio::spawn(async move { left.settle_unplaced(&Settle::All, &[]).await });
    let told = told_to_leave().map_err(|e| internal(format!("cannot listen for signals: {}", why(&e))))?;
    let listener = socket::listen(home).map_err(|e| cannot("open the socket", e))?;
    lock.write_pid(home).map_err(|e| cannot("write server.pid", e))?;
    let changes = in_place::watch(home, lock);
    tracing::info!(pid = std::process::id(), version = env!("CARGO_PKG_VERSION"), "the hub is up");
    let (visits, mut visitors) = mpsc::channel(VISITS);
    // The first ones stay; nobody else sets them.
    let _ = (hub.visits.set(visits), hub.gateways.set(gateways));
    let gateway = open_gateway(home, &hub, mode, gateways).await?;
    // An open port is a promise to be there.
    let idle = (matches!(mode, Mode::Background) && gateway.is_none()).then(idle_time);
    let letting_go = tokio::spawn(let_go_of_stores(Arc::clone(&hub)));
    let deciding = Arc::clone(&hub);
    let rejecting = tokio::spawn(async move { deciding.reject_in_time().await });
    let mut connections = JoinSet::new();
    let why = accept(&hub, listener, changes, &mut visitors, &mut connections, idle, told).await;
    letting_go.abort();
    rejecting.abort();
    if let Why::Displaced(why) = why {
        tracing::warn!(why, "the hub leaves: it is not where clients look for it");
    } else {
        tracing::info!(why = why.words(), "the hub leaves");
    }
    // Another hub may write to the same projects already.
    let is_urgent = matches!(why, Why::Signal | Why::Displaced(_));
    let within = if is_urgent { LEAVE_AT_ONCE } else { LEAVE_WITHIN };
    if is_urgent {
        end_in_any_case(Arc::clone(lock));
    }
    let begun = Instant::now();
    hub.leave();
    let leave = async {
        drop((gateway, hub.opening.lock().await.take()));
        while connections.join_next().await.is_some() {}
    };
    let finished = tokio::time::timeout(within / REQUESTS, leave).await;
    if finished.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
    hub.close(begun + within).await;
    Ok(())
}

/// What cannot be waited for must not be waited for by accident either: a file of our own in a home that does not
/// answer.
fn end_in_any_case(lock: Arc<HubLock>) {
    let end = move || {
        std::thread::sleep(END_WITHIN);
        // The kernel may keep the rest of the process for longer; the next hub need not wait for that.
        lock.release();
        std::process::exit(0);
    };
    if let Err(error) = std::thread::Builder::new().name("end".into()).spawn(end) {
        tracing::warn!(%error, "leaving has no bound");
    }
}

/// Why the hub leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Asked,
    Idle,
    Signal,
    /// It is not where clients look for it: why.
    Displaced(&'static str),
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Self::Asked => "asked to, and every connection is closed",
            Self::Idle => "nobody was connected for a while",
            Self::Signal => "told by a signal",
            Self::Displaced(why) => why,
        }
    }
}

/// Nothing of the gateway keeps a hub in the background from its other work.
async fn open_gateway(
    home: &Home,
    hub: &Arc<Hub>,
    mode: Mode,
    gateways: Gateways,
) -> Result<Option<Box<dyn Opened>>, ErrorBody> {
    let open = |port| (gateways.open)(Arc::clone(hub), port);
    match mode {
        Mode::Foreground { port, opened } => {
            let gateway = open(port).await?;
            opened(gateway.address());
            Ok(Some(gateway))
        }
        Mode::Background => {
            let wanted = async {
                match (gateways.are_wanted)(home)? {
                    true => open(None).await.map(Some),
                    false => Ok(None),
                }
            };
            Ok(wanted.await.unwrap_or_else(|error| {
                tracing::error!(%error, "the gateway is not open");
                None
            }))
        }
    }
}

/// Takes connections until there is a reason to leave, which it returns. The listener is closed then: a client gets no
/// answer, tries again and finds the next hub.
async fn accept(
    hub: &Arc<Hub>,
    mut listener: Listener,
    mut changes: mpsc::Receiver<Change>,
    visitors: &mut mpsc::Receiver<Visit>,
    connections: &mut JoinSet<()>,
    idle: Option<Duration>,
    told: impl Future<Output = ()>,
) -> Why {
    tokio::pin!(told);
    let mut empty_since = Instant::now();
    loop {
        let rest = match idle {
            Some(idle) if connections.is_empty() => idle.saturating_sub(empty_since.elapsed()),
            _ => Duration::MAX,
        };
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(stream) => { connections.spawn(connection::serve(Arc::clone(hub), stream)); }
                Err(error) => {
                    // Out of file descriptors, for example: let some close.
                    tracing::warn!(%error, "cannot take a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(visit) = visitors.recv() => { connections.spawn(visit); }
            Some(ended) = connections.join_next() => {
                if let Err(error) = ended {
                    tracing::error!(%error, "a connection ended with a defect");
                }
                empty_since = Instant::now();
                if connections.is_empty() && hub.is_asked_to_leave() {
                    return Why::Asked;
                }
            }
            Some(change) = changes.recv() => match change {
                Change::Listens(anew) => listener = anew,
                Change::Displaced(why) => return Why::Displaced(why),
            },
            // Somebody may decide it any moment, and it must be rejected in time.
            () = tokio::time::sleep(rest) => match hub.is_needed() {
                true => empty_since = Instant::now(),
                false => return Why::Idle,
            },
            () = &mut told => return Why::Signal,
        }
    }
}

fn idle_time() -> Duration {
    seconds("OPENTOOLBAR_IDLE_SECONDS", IDLE_SECONDS)
}

fn seconds(variable: &str, otherwise: u64) -> Duration {
    let seconds = std::env::var(variable).ok().and_then(|s| s.parse().ok());
    Duration::from_secs(seconds.unwrap_or(otherwise))
}

/// As long as the hub lives: a project's thread and open files are given back when nobody needs them.
async fn let_go_of_stores(hub: Arc<Hub>) {
    let unused_for = seconds("OPENTOOLBAR_STORE_SECONDS", STORE_SECONDS);
    let mut week = Week::default();
    loop {
        tokio::time::sleep((unused_for / 4).max(Duration::from_millis(100))).await;
        hub.let_go_of_stores(unused_for);
        if let Some(ago) = week.ago(now(), Instant::now(), unused_for * 3) {
            hub.forget_unplaced(ago).await;
        }
    }
}

#[cfg(unix)]
fn told_to_leave() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // A closed terminal ends `serve`; the background hub has none.
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hang_up.recv() => {}
        }
    })
}

#[cfg(windows)]
fn told_to_leave() -> std::io::Result<impl Future<Output = ()>> {
    let mut close = tokio::signal::windows::ctrl_close()?;
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        tokio::select! {
            _ = close.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
