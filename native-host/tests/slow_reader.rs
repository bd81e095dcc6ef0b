//! Whoever asks and does not read what it is answered: the hub keeps little for it, and ends the connection.
#![cfg(target_os = "linux")]

use crate::world;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::room::{Room, comment, hello, open_tab, session};
use base64::Engine;
use opentoolbar::hub::frame::{Frame, MAX_FRAME};
use opentoolbar_core::protocol::{Request, RequestEnvelope, Role};
use serde_json::json;

/// What a process may take, in MiB: more than a busy allocator keeps, far less than what is asked for.
const MOST: u64 = 300;

/// Resident memory of a process, in MiB.
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

fn message(request: Request) -> Vec<u8> {
    let json =
        serde_json::to_vec(&RequestEnvelope { id: "m_1".parse().ok(), session_id: None, request }).unwrap();
    assert!(json.len() < MAX_FRAME);
    Frame::Message(&json).encode().unwrap()
}

/// 3 GiB of answers are asked for; each has about 2 MiB.
#[tokio::test(flavor = "multi_thread")]
async fn the_hub_keeps_little_for_a_client_that_does_not_read_and_cuts_it_off() {
    let room = Room::new();
    room.home.ensure().unwrap();
    let mut hub = room.program();
    let mut hub = hub.arg("hub").env("OPENTOOLBAR_STALL_MS", "3000").stdin(Stdio::null()).spawn().unwrap();
    room.wait_until("the hub is up", || room.pid() == Some(hub.id()));
    let browser = room.browser().await;
    open_tab(&browser, "s_1", "http://shop.test/", &room.project).await;
    let text = "make it blue, please\n".repeat(900);
    let comments = (0..120).map(|n| comment(&format!("c_{n:03}"), "http://shop.test/", &text)).collect();
    browser.request(Request::ImportComments { session_id: "s_1".parse().unwrap(), comments }).await.unwrap();

    let mut slow = UnixStream::connect(room.home.socket()).unwrap();
    slow.set_write_timeout(Some(Duration::from_secs(120))).unwrap();
    slow.write_all(&message(Request::Hello(hello(Role::Browser, "Slow", None)))).unwrap();
    slow.write_all(&message(Request::OpenSession(session("s_2", "http://shop.test/")))).unwrap();
    let ask = message(Request::ListComments { session_id: "s_2".parse().unwrap() });
    let cut_off = (0..1_500).find_map(|_| slow.write_all(&ask).err());
    // A socket takes more questions than the hub reads, so that the end may show only now.
    let mut rest = Vec::new();
    slow.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    room.wait_until(
        "it is cut off",
        || matches!(slow.write_all(&ask), Err(error) if error.kind() != ErrorKind::WouldBlock),
    );
    let _ = slow.read_to_end(&mut rest);
    assert!(rest.len() < 64 * 1024 * 1024, "{cut_off:?}: {} bytes were kept for it", rest.len());
    let most = memory(hub.id());
    assert!(most < MOST, "{most} MiB");
    // Everybody else is served as before.
    browser.request(Request::Ping).await.unwrap();
    drop(browser);
    hub.kill().unwrap();
    hub.wait().unwrap();
}

/// An agent's program that sends calls and reads nothing: its MCP server waits for it instead of keeping the answers.
#[tokio::test(flavor = "multi_thread")]
async fn an_mcp_server_keeps_little_for_a_program_that_does_not_read() {
    let world = world::World::new();
    let browser = world.browser().await;
    // The smallest PNG there is, and nothing of use behind it.
    let engine = base64::engine::general_purpose::STANDARD;
    let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    let mut png = engine.decode(png).unwrap();
    png.resize(900 * 1024, 0);
    let png = engine.encode(png);
    browser.comment_with(world::comment("c_1", "/", "Make it bigger"), Some(png)).await;

    let mut mcp = Command::new(world::program())
        .arg("mcp")
        .current_dir(world.project())
        .env("OPENTOOLBAR_HOME", world.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = mcp.stdin.take().unwrap();
    let asking = std::thread::spawn(move || {
        let info = json!({ "name": "slow", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
        let mut lines =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }).to_string() + "\n";
        lines += "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
        let call = json!({ "name": "get_screenshot", "arguments": { "commentId": "c_1" } });
        for id in 1..=250 {
            let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call });
            lines += &(call.to_string() + "\n");
        }
        // These lines are more than a pipe takes at once.
        let sent = input.write_all(lines.as_bytes());
        (input, sent)
    });
    // Nothing is to happen: it would take what it takes within this time.
    std::thread::sleep(Duration::from_secs(8));
    let most = memory(mcp.id());
    // It still answers every one of them once somebody reads.
    let mut output = std::io::BufReader::new(mcp.stdout.take().unwrap());
    let mut answered = 0;
    let mut line = String::new();
    while answered < 251 {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut output, &mut line).unwrap() > 0, "{answered} answers");
        answered += usize::from(line.contains("\"result\""));
    }
    drop(asking.join().unwrap());
    mcp.kill().unwrap();
    mcp.wait().unwrap();
    assert!(most < MOST, "{most} MiB");
}
