//! Strangers at the gateway: whoever shows no token can neither wait for ever nor keep the person out, however many
//! come.
#![cfg(unix)]

use crate::room;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::room::websocket::{connected, upgraded};
use crate::room::{Gateway, Room, hello};
use opentoolbar_core::protocol::{Answer, Request, Role};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const FIREFOX: &str = "moz-extension://0d6c7a9e-5b1e-4f0c-9d0a-3f1b2c4d5e6f";

/// This test holds both ends of a thousand connections.
fn allow_many_handles() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

#[test]
fn whoever_sends_half_a_request_or_nothing_is_cut_off() {
    let room = Room::new();
    let gateway =
        room.gateway_of(room.program().args(["serve", "--port", "0"]).env("OPENTOOLBAR_ADMISSION_MS", "500"));
    let host = gateway.address;
    for begun in [
        String::new(),
        "GET /ws HTTP/1.1\r\nHost: 127".to_owned(),
        format!(
            "POST /pair HTTP/1.1\r\nHost: {host}\r\nOrigin: {FIREFOX}\r\nContent-Length: 50\r\n\r\n{{\"code\""
        ),
        // Served once, and then silent.
        format!("GET /nothing HTTP/1.1\r\nHost: {host}\r\n\r\n"),
    ] {
        let mut stream = connected(&gateway);
        stream.write_all(begun.as_bytes()).unwrap();
        let mut said = Vec::new();
        // An end, or a reset: not a wait without end.
        let ended = stream.read_to_end(&mut said);
        let timed_out = matches!(&ended, Err(e) if e.kind() == std::io::ErrorKind::WouldBlock);
        assert!(!timed_out, "{begun:?}: {ended:?}");
    }
    // Who is let in stays: this is longer than the time to show a token.
    let mut stream = upgraded(&gateway, "/ws?sessionId=tab");
    std::thread::sleep(Duration::from_millis(1_500));
    let mut ping = vec![0x81, 0x80 | 15, 0, 0, 0, 0];
    ping.extend_from_slice(br#"{"type":"ping"}"#);
    stream.write_all(&ping).unwrap();
    let mut said = Vec::new();
    let mut byte = [0];
    while !said.ends_with(br#"{"type":"pong"}"#) {
        stream.read_exact(&mut byte).unwrap();
        said.push(byte[0]);
    }
}

#[test]
fn a_crowd_without_a_token_keeps_nobody_out_and_takes_few_handles() {
    allow_many_handles();
    let room = Room::new();
    // As a login gives it, whatever this machine's limit is.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -Sn 1024; exec \"$0\" serve --port 0", room::PROGRAM]);
    let gateway = room.gateway_of(shell.env("OPENTOOLBAR_HOME", room.home.dir()));
    let mut crowd: Vec<TcpStream> = (0..1_100).map(|_| connected(&gateway)).collect();
    upgraded(&gateway, "/ws");
    // The first that came were let go: they read the end.
    let mut byte = [0];
    assert!(matches!(crowd[0].read(&mut byte), Ok(0) | Err(_)));
    crowd[0].set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    #[cfg(target_os = "linux")]
    {
        let handles = || std::fs::read_dir(format!("/proc/{}/fd", gateway.process.id())).unwrap().count();
        room.wait_until("most of the crowd is let go", || handles() < 300);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_hub_may_open_as_many_files_as_the_system_allows_it() {
    let room = Room::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -Sn 256; exec \"$0\" serve --port 0", room::PROGRAM]);
    let gateway = room.gateway_of(shell.env("OPENTOOLBAR_HOME", room.home.dir()));
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", gateway.process.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let numbers: Vec<&str> = line.split_whitespace().skip(3).take(2).collect();
    assert_eq!(numbers[0], numbers[1], "{line}");
}

/// Runs a script as the user `nobody`.
fn as_nobody(script: &str, gateway: &Gateway) -> std::process::Child {
    Command::new("setpriv")
        .args([
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "perl",
            "-MIO::Socket::INET",
            "-e",
            script,
        ])
        .arg(gateway.address.port().to_string())
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The rules are tested beside them for everybody; here the system tells whose a connection is.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs root, to become another user"]
async fn another_users_crowd_and_wrong_codes_are_its_own() {
    a_crowd_of_nobodys("1").await;
}

/// As in a container, or with a kernel without `tcp_diag`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs root, to become another user"]
async fn another_users_crowd_is_its_own_where_the_kernel_may_not_be_asked() {
    a_crowd_of_nobodys("0").await;
}

async fn a_crowd_of_nobodys(diag: &str) {
    assert!(rustix::process::geteuid().is_root(), "run this one as root");
    let room = Room::new();
    // A busy machine takes its time with a crowd; what is shown here is that the crowd ends nobody else's connection.
    let mut program = room.program();
    program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_ADMISSION_MS", "600000");
    let gateway = room.gateway_of(program.env("OPENTOOLBAR_SOCK_DIAG", diag));
    let ours = connected(&gateway);
    let crowd = "for (1..900) { push @all, IO::Socket::INET->new(PeerAddr => \"127.0.0.1:$ARGV[0]\") or die $! } \
                 $| = 1; print 'up'; <STDIN>";
    let mut nobody = as_nobody(crowd, &gateway);
    let mut up = [0; 2];
    nobody.stdout.as_mut().unwrap().read_exact(&mut up).unwrap();
    // Longer ago than all of theirs, and still there.
    let mut ours = ours;
    write!(ours, "GET /nothing HTTP/1.1\r\nHost: {}\r\n\r\n", gateway.address).unwrap();
    let mut head = [0; 12];
    ours.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 404");
    nobody.kill().unwrap();
    nobody.wait().unwrap();

    let verb = room.connector().connect(hello(Role::Cli, "verb", None)).await.unwrap();
    let Answer::Pairing { code, .. } = verb.request(Request::BeginPairing).await.unwrap() else { panic!() };
    let guess = format!(
        "for (1..30) {{ $s = IO::Socket::INET->new(PeerAddr => \"127.0.0.1:$ARGV[0]\") or die $!; \
         print $s \"POST /pair HTTP/1.1\\r\\nHost: 127.0.0.1:$ARGV[0]\\r\\nOrigin: {FIREFOX}\\r\\n\
         Content-Length: 20\\r\\n\\r\\n{{\\\"code\\\": \\\"AAAAAAAA\\\"}}\"; $line = <$s>; print $line; }}"
    );
    let guessed = as_nobody(&guess, &gateway).wait_with_output().unwrap();
    let guessed = String::from_utf8(guessed.stdout).unwrap();
    assert!(guessed.contains(" 429 ") && !guessed.contains(" 200 "), "{guessed}");
    let mut stream = connected(&gateway);
    let body = format!("{{\"code\": \"{code}\"}}");
    write!(
        stream,
        "POST /pair HTTP/1.1\r\nHost: {}\r\nOrigin: {FIREFOX}\r\nContent-Length: {}\r\n\r\n{body}",
        gateway.address,
        body.len()
    )
    .unwrap();
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
}
