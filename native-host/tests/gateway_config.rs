//! `opentoolbar config`: what an agent needs to come in over HTTP, in a file that is its owner's alone.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Output;

use crate::room::http::ask;
use crate::room::{Gateway, Room};
use serde_json::Value;

fn config(room: &Room, args: &[&str]) -> Output {
    room.program().arg("config").args(args).current_dir(room.path()).output().unwrap()
}

fn holds_all(room: &Room, gateway: &Gateway, text: &str) {
    let told: Value = serde_json::from_str(text).unwrap();
    assert_eq!(told["authentication"]["token"], gateway.token.as_str());
    assert_eq!(told["authentication"]["token_file"], room.home.token().to_str().unwrap());
    assert_eq!(told["ports"][0]["port"], gateway.address.port());
    assert!(told["keep"].as_str().unwrap().contains("0600"), "{told}");
    // With it an agent comes in.
    let bearer = format!("Bearer {}", told["authentication"]["token"].as_str().unwrap());
    assert_eq!(ask(gateway.address, "GET", "/context", &[("Authorization", &bearer)], None).status, 200);
}

/// Requirements "Configuration Discovery", scenario "Configuration File Download", and "Security Considerations",
/// scenario "Configuration Confidentiality".
#[test]
fn configuration_file_download() {
    let room = Room::new();
    let closed = config(&room, &[]);
    let said = String::from_utf8(closed.stderr).unwrap();
    assert!(!closed.status.success() && closed.stdout.is_empty(), "{said}");
    assert!(said.contains("opentoolbar serve"), "{said}");

    let gateway = room.gateway();
    let printed = config(&room, &[]);
    assert!(printed.status.success(), "{printed:?}");
    holds_all(&room, &gateway, &String::from_utf8(printed.stdout).unwrap());
    let note = String::from_utf8(printed.stderr).unwrap();
    assert!(note.contains("readable by you alone") && !note.contains(&gateway.token), "{note}");

    // Over a file that others can read, and over a link to one.
    let (file, link, target) =
        (room.path().join("a.json"), room.path().join("b.json"), room.path().join("t"));
    std::fs::write(&file, "open").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(&target, "of somebody").unwrap();
    symlink(&target, &link).unwrap();
    for name in ["a.json", "b.json", "new.json"] {
        let written = config(&room, &["--output", name]);
        assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
        let path = room.path().join(name);
        let stands = std::fs::symlink_metadata(&path).unwrap();
        assert!(stands.is_file() && stands.permissions().mode() & 0o777 == 0o600, "{name}: {stands:?}");
        holds_all(&room, &gateway, &std::fs::read_to_string(&path).unwrap());
    }
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "of somebody", "a link is not followed");
    let failed = config(&room, &["--output", "nowhere/c.json"]);
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(
        !failed.status.success() && said.contains("nowhere/c.json") && !said.contains(&gateway.token),
        "{said}"
    );
}

#[test]
fn the_reference_is_printed_without_a_hub() {
    let room = Room::new();
    let printed = config(&room, &["--openapi"]);
    assert!(printed.status.success(), "{printed:?}");
    let document: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(room.pid().is_none(), "nothing was started");
}
