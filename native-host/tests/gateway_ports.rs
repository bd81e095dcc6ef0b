//! The ports beside the main one: what each tells, how they follow `config.json`, and what is said when one cannot be.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;

use crate::room::http::ask;
use crate::room::websocket::upgraded;
use crate::room::{Gateway, Room};
use serde_json::{Value, json};

fn entry(port: u16, role: &str) -> Value {
    json!({
        "port": port, "role": role, "system": format!("system of {role}"),
        "base_instruction": format!("instruction of {role}"), "allowed_actions": [format!("action of {role}")],
        "verification_required": role == "careful",
    })
}

/// The main port is any that is free.
fn write(room: &Room, ports: &[Value]) {
    room.home.ensure().unwrap();
    let config = json!({ "gateway": { "port": 0, "ports": ports }, "unknown": { "kept": true } });
    std::fs::write(room.home.config(), config.to_string()).unwrap();
}

fn serve(room: &Room) -> Gateway {
    room.gateway_of(room.program().arg("serve"))
}

fn config(gateway: &Gateway) -> Value {
    ask(gateway.address, "GET", "/config", &[], None).json()
}

/// Addresses of the ports beside the main one, by role.
fn others(gateway: &Gateway) -> Vec<(String, SocketAddr)> {
    let config = config(gateway);
    let ports = config["ports"].as_array().unwrap().iter().filter(|port| port["is_main"] == false);
    ports
        .map(|port| {
            let address = format!("127.0.0.1:{}", port["port"]);
            assert_eq!(port["url"], format!("http://{address}"));
            (port["role"].as_str().unwrap().to_owned(), address.parse().unwrap())
        })
        .collect()
}

fn context(gateway: &Gateway, address: SocketAddr) -> Value {
    let bearer = format!("Bearer {}", gateway.token);
    ask(address, "GET", "/context", &[("Authorization", &bearer)], None).json()
}

fn status(room: &Room) -> String {
    let output = room.program().arg("status").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Requirement "Context Retrieval", scenario "Multiple Contexts".
#[test]
fn multiple_contexts() {
    let room = Room::new();
    write(&room, &[entry(0, "careful"), entry(0, "quick")]);
    let gateway = serve(&room);
    let others = others(&gateway);
    assert_eq!(others.iter().map(|(role, _)| role.as_str()).collect::<Vec<_>>(), ["careful", "quick"]);
    for (role, address) in &others {
        let context = context(&gateway, *address);
        let mut expected = entry(0, role);
        expected.as_object_mut().unwrap().remove("port");
        assert_eq!(context, expected);
        // Each knows its own name and no other's.
        let bearer = format!("Bearer {}", gateway.token);
        let main = gateway.address.to_string();
        let headers = [("Authorization", bearer.as_str()), ("Host", main.as_str())];
        assert_eq!(ask(*address, "GET", "/context", &headers, None).status, 403);
        assert_eq!(ask(*address, "GET", "/context", &[], None).status, 401);
        assert_eq!(ask(*address, "GET", "/config", &[], None).json(), config(&gateway));
        // Browsers come in at the main port alone.
        for path in ["/ws?sessionId=tab", "/pair", "/paired"] {
            let refused = ask(*address, "GET", path, &headers[..1], None);
            assert_eq!(refused.status, 404, "{path}: {refused:?}");
            assert!(!refused.error()["nextStep"].as_str().unwrap().contains("/ws"));
        }
    }
    assert_eq!(context(&gateway, gateway.address)["role"], "developer");
    upgraded(&gateway, "/ws?sessionId=tab");
}

/// Also what the main port tells; and what stays goes on without a break.
#[test]
fn a_change_of_the_settings_is_taken_over_and_a_broken_one_is_told_with_its_key_and_line() {
    let room = Room::new();
    write(&room, &[entry(0, "first")]);
    let gateway = serve(&room);
    let first = others(&gateway)[0].1;
    let stays = TcpStream::connect(first).unwrap();
    write(&room, &[entry(0, "second"), entry(gateway.address.port(), "main")]);
    room.wait_until("the role is another one", || others(&gateway)[0].0 == "second");
    assert_eq!(others(&gateway), [("second".to_owned(), first)], "the same port");
    assert_eq!(context(&gateway, gateway.address)["role"], "main");
    write(&room, &[entry(0, "second"), entry(0, "third")]);
    room.wait_until("there is one more", || others(&gateway).len() == 2);
    assert_eq!(context(&gateway, gateway.address)["role"], "developer");

    // The last good ones stay.
    std::fs::write(room.home.config(), "{\"gateway\": {\n\"ports\": [\n{\"port\": \"sk-live\"}]}}").unwrap();
    let warnings = || config(&gateway)["warnings"].to_string();
    room.wait_until("it is told", || warnings().contains("gateway.ports[0].port"));
    assert!(warnings().contains("line 3") && others(&gateway).len() == 2, "{}", warnings());
    assert!(status(&room).contains("gateway.ports[0].port"), "{}", status(&room));
    // Who asks without a token is told neither what stands there nor where.
    let home = room.home.dir().to_str().unwrap().to_owned();
    assert!(!warnings().contains("sk-live") && !warnings().contains(&home), "{}", warnings());
    for shape in ["[]", "{\"gateway\": []}", "{\"gateway\": [true]}"] {
        std::fs::write(room.home.config(), shape).unwrap();
        room.wait_until("it is told", || warnings().contains("expected an object"));
        assert_eq!(others(&gateway).len(), 2, "{shape}: the last good ones stay");
    }

    write(&room, &[]);
    room.wait_until("they are closed", || TcpStream::connect(first).is_err());
    assert_eq!(warnings(), "[]");
    drop(stays);
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(room.home.config()).unwrap()).unwrap();
    assert_eq!(kept["unknown"], json!({ "kept": true }), "nobody but the person writes it");
}

#[test]
fn a_port_in_use_is_a_warning_that_names_its_owner_and_is_opened_once_it_is_free() {
    let room = Room::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    write(&room, &[entry(port, "careful"), entry(0, "quick")]);
    let gateway = serve(&room);
    let warnings = config(&gateway)["warnings"].clone();
    let said = warnings[0].as_str().unwrap();
    // This test has it, under the name of its thread or of its program.
    assert!(said.contains(&format!("127.0.0.1:{port}")) && said.contains("(by "), "{said}");
    assert_eq!(others(&gateway).len(), 1, "the other one is open");
    assert!(status(&room).contains(said), "{}", status(&room));
    drop(taken);
    room.wait_until("it is open", || others(&gateway).len() == 2);
    assert_eq!(config(&gateway)["warnings"], json!([]));
    assert_eq!(context(&gateway, SocketAddr::from(([127, 0, 0, 1], port)))["role"], "careful");
}

#[test]
fn a_port_that_is_named_is_the_only_one_whatever_the_settings_say() {
    let room = Room::new();
    write(&room, &[entry(0, "careful")]);
    let gateway = room.gateway();
    assert_eq!(others(&gateway), []);
    std::fs::write(room.home.config(), "{\"gateway\": 1}").unwrap();
    room.wait_until("the mistake is told", || config(&gateway)["warnings"].to_string().contains("line 1"));
    drop(gateway);
    // Also from the start.
    let gateway = room.gateway();
    assert!(config(&gateway)["warnings"].to_string().contains("gateway"));
}

/// The verb says it; browsers and agents are served over the local socket all the same.
#[tokio::test(flavor = "multi_thread")]
async fn settings_that_are_broken_at_the_start_keep_nobody_from_the_local_socket() {
    let room = Room::new();
    room.home.ensure().unwrap();
    std::fs::write(room.home.config(), "{\"gateway\": {\"enabled\": true,\n\"ports\": [7]}}").unwrap();
    let serve = |room: &Room| room.program().arg("serve").output().unwrap();
    let said = String::from_utf8(serve(&room).stderr).unwrap();
    assert!(said.contains("gateway.ports[0]") && said.contains("line 2"), "{said}");
    let agent = room.agent("codex 1.2").await;
    let browser = room.browser().await;
    for client in [&agent, &browser] {
        client.request(opentoolbar_core::protocol::Request::Ping).await.unwrap();
    }
    let said = status(&room);
    assert!(said.contains("Gateway: closed; ") && said.contains("gateway.ports[0]"), "{said}");
    assert!(!serve(&room).status.success());
}

/// Opens the ports of the settings with the main one, also those that no settings name; and closes all of them with it.
#[tokio::test(flavor = "multi_thread")]
async fn all_ports_close_with_the_gateway() {
    let room = Room::new();
    let agent = room.agent("claude-code 2.1").await;
    write(&room, &[entry(0, "careful")]);
    let gateway = serve(&room);
    let other = others(&gateway)[0].1;
    drop(gateway);
    room.wait_until("both are closed", || TcpStream::connect(other).is_err());
    assert!(agent.request(opentoolbar_core::protocol::Request::Ping).await.is_ok(), "the hub goes on");
    let mut help = Command::new(crate::room::PROGRAM);
    assert!(help.args(["serve", "--help"]).output().unwrap().status.success());
}
