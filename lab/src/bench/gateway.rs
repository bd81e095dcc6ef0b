//! `cargo xtask bench gateway`: requests a second and how long they take under 64 connections, of `GET /context` (no
//! disk) and of `/verify` (a transaction each), beside the smallest server of axum that answers as many bytes, in the
//! same run (`hello`). The release build, a real hub, a real database. `OPENTOOLBAR_HOST` names another binary.

mod hello;
mod load;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use xtask::step::say;
use xtask::workspace;

use self::hello::Hello;
use self::load::{Connection, Measured, Request};
use super::args::Args;
use crate::clients::mcp::Started;
use crate::clients::world::World;

/// How much is measured.
struct Effort {
    connections: usize,
    /// Of each in one round.
    time: Duration,
    /// Of everything measured the best of so many rounds is told; they take turns.
    rounds: usize,
}

/// Of one program the hub takes 1,000 questions a second: the connections are those of so many.
const PROGRAMS: usize = 16;

const FULL: Effort = Effort { connections: 64, time: Duration::from_secs(5), rounds: 3 };
const QUICK: Effort = Effort { connections: 64, time: Duration::from_secs(2), rounds: 2 };
const SMOKE: Effort = Effort { connections: 2, time: Duration::from_millis(50), rounds: 1 };

/// By a connection and its number. Gives the size of the last answer.
type Turn = Arc<dyn Fn(&mut Connection, usize) -> Result<usize> + Send + Sync>;

/// What is asked again and again, by one connection after the other.
#[derive(Clone)]
struct Work {
    name: &'static str,
    turn: Turn,
    /// Requests in a turn.
    requests: u32,
    address: String,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.peer {
        return hello::serve();
    }
    let effort = match args {
        Args { smoke: true, .. } => &SMOKE,
        Args { quick: true, .. } => &QUICK,
        _ => &FULL,
    };
    let host = args.host()?;
    say(&format!("host: {}", host.strip_prefix(workspace::root()).unwrap_or(&host).display()));
    let world = World::start(&host)?;
    // An agent makes the project known.
    let mut agent = Started::in_project(&world, 0)?;
    agent.client.introduce()?;
    let hello = Hello::start()?;
    let works = works(&world, &hello)?;
    let measured = measure(effort, &works);
    agent.process.kill()?;
    agent.process.wait()?;
    report(effort, &works, &measured?)
}

fn works(world: &World, hello: &Hello) -> Result<Vec<Work>> {
    let project = world.project(0)?.canonicalize()?;
    let project = project.to_str().context("the folder for temporary files is not UTF-8")?.to_owned();
    let (gateway, token) = (world.gateway.clone(), world.token.clone());
    let request = move |program: usize, method: &str, path: &str, body: Option<&Value>| {
        let name = program % PROGRAMS;
        let head = format!(
            "Host: {gateway}\r\nAuthorization: Bearer {token}\r\nUser-Agent: bench-{name}\r\n\
             Opentoolbar-Project: {project}\r\n"
        );
        Request::new(method, path, &head, body)
    };
    let mut first = Connection::open(&world.gateway)?;
    let context = request(0, "GET", "/context", None);
    let question = json!({ "action": "Delete build/", "reason": "It is stale", "timeout_seconds": 3_600 });
    let asks: Vec<Request> =
        (0..PROGRAMS).map(|program| request(program, "POST", "/verify", Some(&question))).collect();
    let mut looks = Vec::new();
    for (program, asks) in asks.iter().enumerate() {
        let told: Value = serde_json::from_str(first.ask(asks)?)?;
        let id = told["verification_id"].as_str().context("no id")?;
        looks.push(request(program, "GET", &format!("/verify/{id}"), None));
    }
    let sizes = [first.ask(&context)?.len(), first.ask(&looks[0])?.len()];
    let work = |name, requests, turn: Turn| Work { name, turn, requests, address: world.gateway.clone() };
    let once = |requests: Vec<Request>| -> Turn {
        Arc::new(move |connection, number| Ok(connection.ask(&requests[number % requests.len()])?.len()))
    };
    let number = AtomicU64::new(0);
    let asks_anew = move |connection: &mut Connection, program: usize| -> Result<usize> {
        let action = format!("Step {}", number.fetch_add(1, Ordering::Relaxed));
        let body = json!({ "action": action, "reason": "It is stale", "timeout_seconds": 600 });
        let told: Value =
            serde_json::from_str(connection.ask(&request(program, "POST", "/verify", Some(&body)))?)?;
        let id = told["verification_id"].as_str().with_context(|| told.to_string())?.to_owned();
        Ok(connection.ask(&request(program, "DELETE", &format!("/verify/{id}"), None))?.len())
    };
    let mut works = vec![
        work("GET /context", 1, once(vec![context])),
        work("GET /verify/{id}", 1, once(looks)),
        work("POST /verify, the same again", 1, once(asks)),
        work("POST /verify anew, then DELETE", 2, Arc::new(asks_anew)),
    ];
    for (name, size) in
        [("axum, as many bytes as /context", sizes[0]), ("axum, as many as /verify", sizes[1])]
    {
        let head = format!("Host: {}\r\n", hello.address);
        let turn = once(vec![Request::new("GET", &format!("/{size}"), &head, None)]);
        works.push(Work { name, turn, requests: 1, address: hello.address.clone() });
    }
    Ok(works)
}

/// The best of the rounds, of each.
fn measure(effort: &Effort, works: &[Work]) -> Result<Vec<Measured>> {
    let mut best: Vec<Option<Measured>> = vec![None; works.len()];
    for _ in 0..effort.rounds {
        for (work, best) in works.iter().zip(&mut best) {
            let now = load::of(&work.address, effort.connections, effort.time, &*work.turn, work.requests)
                .with_context(|| work.name)?;
            *best = Some(best.map_or(now, |best| best.better_of(now)));
        }
    }
    best.into_iter().map(|best| best.context("nothing was measured")).collect()
}

fn report(effort: &Effort, works: &[Work], measured: &[Measured]) -> Result<()> {
    let [.., hello_context, hello_verify] = measured else { anyhow::bail!("there is no peer") };
    ensure!(hello_context.per_second > 0.0 && hello_verify.per_second > 0.0, "the peer answered nothing");
    say(&format!(
        "\n{} connections of {PROGRAMS} programs, each with one request under way, {} s a round, best of {} rounds that take turns. The clients \
         run on the same machine.\nRatio: to axum with as many bytes.\n",
        effort.connections,
        effort.time.as_secs_f32(),
        effort.rounds
    ));
    say(&format!(
        "{:<34} {:>10} {:>8} {:>9} {:>9} {:>9}",
        "", "requests/s", "ratio", "p50 ms", "p99 ms", "ratio"
    ));
    for (work, one) in works.iter().zip(measured) {
        let peer = if work.name.contains("/context") { hello_context } else { hello_verify };
        say(&format!(
            "{:<34} {:>10.0} {:>8.2} {:>9.2} {:>9.2} {:>9.2}",
            work.name,
            one.per_second,
            one.per_second / peer.per_second,
            one.p50.as_secs_f64() * 1e3,
            one.p99.as_secs_f64() * 1e3,
            one.p99.as_secs_f64() / peer.p99.as_secs_f64(),
        ));
    }
    Ok(())
}
