//! What a program finds at the gateway by HTTP: what there is, in which form it is refused, and that no page gets in.

use crate::room::http::{Response, ask};
use crate::room::{Gateway, Room};
use opentoolbar::identity::Identity;
use serde_json::{Value, json};

/// `GET` with the token.
fn get(gateway: &Gateway, path: &str) -> Response {
    let bearer = format!("Bearer {}", gateway.token);
    ask(gateway.address, "GET", path, &[("Authorization", &bearer)], None)
}

fn has_headers(response: &Response) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(response.header(name), Some(value), "{response:?}");
    }
}

/// Requirement "Configuration Discovery", scenario "Configuration Endpoint Discovery".
#[test]
fn configuration_endpoint_discovery() {
    let room = Room::new();
    let gateway = room.gateway();
    // Something is known of a project, which is not to be told here.
    room.make_data();
    let response = ask(gateway.address, "GET", "/config", &[], None);
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("content-type"), Some("application/json"));
    has_headers(&response);
    let shop = room.project.to_str().unwrap();
    let home = room.home.dir().to_str().unwrap();
    for secret in [gateway.token.as_str(), shop, home] {
        assert!(!response.body.contains(secret), "{}", response.body);
    }
    let config = response.json();
    assert_eq!(config["authentication"]["token_file"], "$OPENTOOLBAR_HOME/token");
    let text = |list: &str, key: &str| -> Vec<String> {
        config[list].as_array().unwrap().iter().map(|one| one[key].to_string()).collect()
    };
    assert_eq!(text("ports", "port"), [gateway.address.port().to_string()], "port mappings");
    let methods = text("endpoints", "method");
    let endpoints: Vec<String> = methods
        .iter()
        .zip(text("endpoints", "path"))
        .map(|(method, path)| format!("{method} {path}"))
        .collect();
    for endpoint in [
        "\"GET\" \"/health\"",
        "\"GET\" \"/config\"",
        "\"GET\" \"/context\"",
        "\"GET\" \"/openapi.json\"",
        "\"POST\" \"/verify\"",
        "\"GET\" \"/verify/{id}\"",
        "\"DELETE\" \"/verify/{id}\"",
        "\"POST\" \"/mcp\"",
        "\"GET\" \"/ws\"",
    ] {
        assert!(endpoints.contains(&endpoint.to_owned()), "{endpoint}: {endpoints:?}");
    }
    let health = ask(gateway.address, "GET", "/health", &[], None);
    assert_eq!(health.json(), json!({ "status": "ok", "name": "opentoolbar", "version": config["version"] }));
    has_headers(&health);
}

/// Requirement "Configuration Discovery", scenario "Configuration Parsing". What is listed is there, and nothing else
/// is: each endpoint is asked, with the token and without.
#[test]
fn configuration_parsing() {
    let room = Room::new();
    let gateway = room.gateway();
    let config = get(&gateway, "/config").json();
    let port = gateway.address.port();
    assert_eq!(config["ports"][0]["port"], port);
    assert_eq!(config["ports"][0]["role"], "developer");
    assert_eq!(config["ports"].as_array().unwrap().len(), 1, "a port that was named is the only one");
    let bearer = format!("Bearer {}", gateway.token);
    let mut listed = Vec::new();
    for endpoint in config["endpoints"].as_array().unwrap() {
        let text = |key: &str| endpoint[key].as_str().unwrap_or_else(|| panic!("{key}: {endpoint}"));
        let (method, path) = (text("method"), text("path"));
        listed.push(format!("{method} {path}"));
        assert!(
            !text("description").is_empty() && endpoint["request"]["parameters"].is_array(),
            "{endpoint}"
        );
        let status = endpoint["response"]["status"].as_u64().unwrap();
        let token = endpoint["token"].as_bool().unwrap();
        let for_programs = endpoint["callers"].as_array().unwrap().contains(&json!("programs"));
        let at = path.replace("{id}", "v_none");
        let without = ask(gateway.address, method, &at, &[], None);
        let with = ask(gateway.address, method, &at, &[("Authorization", &bearer)], None);
        // The path is there; a verification of that id is not.
        let is_there = with.status != 404 || with.error()["code"] == "unknown_verification";
        assert!(is_there && ![405, 500].contains(&with.status), "{endpoint}: {with:?}");
        match (for_programs, token) {
            (false, _) => assert_eq!((without.status, with.status), (403, 403), "{endpoint}"),
            (true, true) => assert_eq!(without.status, 401, "{endpoint}"),
            (true, false) => assert_eq!(without.status, 200, "{endpoint}"),
        }
        // The others want a body, an upgrade, or a session (tests/gateway_mcp.rs).
        if status == 200 && for_programs && method == "GET" && path != "/mcp" && at == path {
            assert_eq!(with.status, 200, "{endpoint}: {with:?}");
            assert!(
                endpoint["response"]["body"]["schema"].is_object() || path == "/openapi.json",
                "{endpoint}"
            );
        }
    }
    assert!(listed.contains(&"GET /context".to_owned()), "{listed:?}");
    let workflow = &config["verification_workflow"];
    let steps = workflow["endpoints"].as_array().unwrap();
    assert_eq!(workflow["available"], true);
    assert_eq!(*steps, [json!("POST /verify"), json!("GET /verify/{id}"), json!("DELETE /verify/{id}")]);
    assert!(steps.iter().all(|step| listed.contains(&step.as_str().unwrap().to_owned())), "{workflow}");
}

/// Requirement "Context Retrieval", scenario "Context Endpoint Access".
#[test]
fn context_endpoint_access() {
    let room = Room::new();
    let gateway = room.gateway();
    let response = get(&gateway, "/context");
    assert_eq!(response.status, 200, "{response:?}");
    let context = response.json();
    for part in ["system", "role", "allowed_actions"] {
        assert!(!context[part].is_null(), "{part}: {context}");
    }
}

/// Requirement "Error Handling", scenario "Endpoint Not Found".
#[test]
fn endpoint_not_found() {
    let room = Room::new();
    let gateway = room.gateway();
    let missing = get(&gateway, "/nothing");
    assert_eq!(missing.status, 404, "{missing:?}");
    let error = missing.error();
    assert!(error["nextStep"].as_str().unwrap().contains("GET /config"), "what there is: {error}");
    assert!(missing.header("retry-after").is_none(), "it is not to be asked again: {missing:?}");
}

/// Requirement "Context Retrieval", scenario "Context Format".
#[test]
fn context_format() {
    let room = Room::new();
    let gateway = room.gateway();
    let response = get(&gateway, "/context");
    assert_eq!(response.status, 200, "{response:?}");
    let context = response.json();
    for text in ["system", "role", "base_instruction"] {
        assert!(context[text].as_str().is_some_and(|text| !text.is_empty()), "{context}");
    }
    assert!(context["allowed_actions"].as_array().is_some_and(|actions| !actions.is_empty()), "{context}");
    assert!(context["verification_required"].is_boolean(), "{context}");
    assert_eq!(context.as_object().unwrap().len(), 5, "{context}");
}

#[test]
fn every_refusal_has_one_form_and_the_headers_that_keep_pages_out() {
    let room = Room::new();
    let gateway = room.gateway();
    let bearer = format!("Bearer {}", gateway.token);
    let authorised = [("Authorization", bearer.as_str())];
    let wrong = format!("Bearer {}", "A".repeat(43));
    let ours = format!("chrome-extension://{}", Identity::get().chrome_id);
    let long = "x".repeat(2_000);
    let other = format!("localhost:{}", gateway.address.port().wrapping_add(1));
    for (status, method, path, headers, body) in [
        (400, "GET", "/ws?sessionId=", &authorised[..], None),
        (400, "POST", "/pair", &[("Origin", ours.as_str())], Some("{")),
        (401, "GET", "/context", &[], None),
        (401, "GET", "/context", &[("Authorization", wrong.as_str())], None),
        (401, "GET", "/openapi.json", &[("Authorization", "Basic YTpi")], None),
        (401, "GET", "/config", &[("Origin", ours.as_str())], None),
        (403, "GET", "/context", &[authorised[0], ("Host", other.as_str())], None),
        (403, "GET", "/context", &[authorised[0], ("Origin", ours.as_str())], None),
        (404, "GET", "/verify-nothing", &[], None),
        (404, "GET", "/config/", &authorised, None),
        (405, "DELETE", "/config", &authorised, None),
        (405, "POST", "/health", &[], Some("{}")),
        (405, "PUT", "/paired", &[], None),
        (413, "POST", "/pair", &[("Origin", ours.as_str())], Some(long.as_str())),
        (426, "GET", "/ws", &authorised, None),
    ] {
        let response = ask(gateway.address, method, path, headers, body);
        assert_eq!(response.status, status, "{method} {path} {headers:?}: {response:?}");
        response.error();
        has_headers(&response);
        assert!(!response.body.contains(&gateway.token));
        assert_eq!(response.header("allow").is_some(), status == 405, "{response:?}");
        assert_eq!(response.header("www-authenticate").is_some(), status == 401, "{response:?}");
    }
    let refused = ask(gateway.address, "PUT", "/paired", &[], None);
    assert_eq!(refused.header("allow"), Some("post, options, delete"));
    let refused = ask(gateway.address, "GET", "/nothing", &[], None);
    let next = refused.error()["nextStep"].as_str().unwrap().to_owned();
    assert!(next.contains("GET /config") && next.contains("POST /pair"), "{next}");
}

/// Guessing codes is told to wait, with how long.
#[test]
fn too_much_at_once_is_told_when_to_ask_again() {
    let room = Room::new();
    let gateway = room.gateway();
    let ours = format!("chrome-extension://{}", Identity::get().chrome_id);
    let guess =
        || ask(gateway.address, "POST", "/pair", &[("Origin", &ours)], Some("{\"code\": \"AAAAAAAA\"}"));
    let refused = (0..30).map(|_| guess()).find(|response| response.status == 429).unwrap();
    assert_eq!(refused.header("retry-after"), Some("1"), "{refused:?}");
    refused.error();
    has_headers(&refused);
}

/// A web page of another origin tries every endpoint: whatever way it asks, with and without a token.
#[test]
fn a_page_gets_nothing_by_fetch_image_script_form_or_another_name_and_is_logged_once() {
    let room = Room::new();
    let gateway = room.gateway();
    let config = get(&gateway, "/config").json();
    let bearer = format!("Bearer {}", gateway.token);
    let rebound = format!("evil.test:{}", gateway.address.port());
    let own_page = format!("http://{}", gateway.address);
    let from_a_page: &[&[(&str, &str)]] = &[
        &[("Origin", "https://evil.test"), ("Sec-Fetch-Site", "cross-site")],
        &[("Origin", "http://localhost:5173"), ("Sec-Fetch-Site", "same-site")],
        &[("Origin", own_page.as_str())],
        &[("Origin", "null")],
        // An image, a script, a style sheet: no origin is sent.
        &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")],
        &[("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "navigate")],
        &[("Host", rebound.as_str())],
        &[("Host", "127.0.0.1")],
    ];
    let mut paths: Vec<(String, String)> = Vec::new();
    for endpoint in config["endpoints"].as_array().unwrap() {
        let text = |key: &str| endpoint[key].as_str().unwrap().to_owned();
        paths.push((text("method"), text("path")));
    }
    paths.push(("GET".into(), "/nothing".into()));
    for (method, path) in &paths {
        for headers in from_a_page {
            for token in [false, true] {
                let mut headers = headers.to_vec();
                if token {
                    headers.push(("Authorization", &bearer));
                }
                let refused = ask(gateway.address, method, path, &headers, None);
                assert_eq!(refused.status, 403, "{method} {path} {headers:?}: {refused:?}");
                refused.error();
                has_headers(&refused);
                assert!(refused.header("access-control-allow-origin").is_none(), "{refused:?}");
            }
        }
    }
    let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    for name in ["https://evil.test", "http://localhost:5173", own_page.as_str(), rebound.as_str()] {
        let lines = log.lines().filter(|line| line.contains("a stranger was refused") && line.contains(name));
        assert_eq!(lines.count(), 1, "{name}: {log}");
    }
}

/// The reference is made of the same table, and every operation says who may call it and what it refuses.
#[test]
fn the_openapi_document_is_what_the_table_says() {
    let room = Room::new();
    let gateway = room.gateway();
    let document = get(&gateway, "/openapi.json").json();
    let config = get(&gateway, "/config").json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            operations.push((method.to_uppercase(), path.clone()));
            assert!(operation["responses"].as_object().unwrap().contains_key("403"), "{operation}");
        }
    }
    let listed = config["endpoints"].as_array().unwrap();
    let pair = |endpoint: &Value| {
        let text = |key: &str| endpoint[key].as_str().unwrap().to_owned();
        (text("method"), text("path"))
    };
    let mut listed: Vec<_> = listed.iter().map(pair).collect();
    listed.sort();
    operations.sort();
    assert_eq!(operations, listed);
    // Who follows it comes to the gateway that answered, and no other.
    assert_eq!(document["servers"], json!([{ "url": format!("http://{}", gateway.address) }]));
    let mut committed: Value = serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap();
    assert_eq!(committed["servers"][0]["url"], "http://127.0.0.1:7847");
    committed["servers"] = document["servers"].clone();
    let is_the_same = committed == document;
    assert!(is_the_same, "docs/openapi.json is not what the table says: run `cargo xtask codegen`");
}

/// Slow heads and bodies, and silence, end in time on the new paths as well; a program that asks again over the same
/// connection is not cut off.
#[test]
fn a_connection_that_shows_a_token_has_its_time_anew_with_each_request() {
    use std::io::{Read, Write};
    use std::time::{Duration, Instant};
    let room = Room::new();
    let mut program = room.program();
    let gateway =
        room.gateway_of(program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_ADMISSION_MS", "1000"));
    let request = |authorization: &str| {
        format!("GET /context HTTP/1.1\r\nHost: {}\r\n{authorization}\r\n", gateway.address)
    };
    let mut stream = std::net::TcpStream::connect(gateway.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let began = Instant::now();
    let mut buffer = [0; 4096];
    while began.elapsed() < Duration::from_millis(2_500) {
        stream
            .write_all(request(&format!("Authorization: Bearer {}\r\n", gateway.token)).as_bytes())
            .unwrap();
        let read = stream.read(&mut buffer).unwrap();
        assert!(buffer[..read].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&buffer[..read]));
        std::thread::sleep(Duration::from_millis(200));
    }
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    // Without a token there is one time for all of it.
    let mut stream = std::net::TcpStream::connect(gateway.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let began = Instant::now();
    loop {
        if stream.write_all(request("").as_bytes()).is_err() {
            break;
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
