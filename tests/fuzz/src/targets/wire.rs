//! What comes over a connection: frames, parts, messages, headers, lines of an agent's client.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use opentoolbar::browser::frame as native;
use opentoolbar::hub::frame as local;
use opentoolbar::{check, project};
use opentoolbar_core::protocol::{Chunk, Joiner, decode_hub, decode_request, split};

use crate::{Target, seeds};

/// Reads from memory, which is always ready.
fn at_once<T>(reading: impl Future<Output = T>) -> Option<T> {
    match pin!(reading).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// The stream of a browser.
pub(super) const NATIVE_FRAMES: Target = Target {
    name: "native-frames",
    is_json: false,
    run: |mut input| {
        while let Some(Ok(Some(message))) = at_once(native::read(&mut input)) {
            let _ = decode_request(&message);
        }
    },
    seeds: || {
        framed(|json| [&u32::try_from(json.len()).unwrap_or_default().to_ne_bytes()[..], json].concat())
    },
};

/// The stream of a process on this machine, to the hub and from it.
pub(super) const LOCAL_FRAMES: Target = Target {
    name: "local-frames",
    is_json: false,
    run: |mut input| {
        while let Some(Ok(Some(body))) = at_once(local::read_body(&mut input)) {
            if let Ok(local::Frame::Message(json)) = local::Frame::decode(&body) {
                let _ = decode_request(json);
                let _ = decode_hub(json);
            }
        }
    },
    seeds: || framed(|json| local::Frame::Message(json).encode().unwrap_or_default()),
};

/// The examples, each in a frame and all in one stream.
fn framed(frame: fn(&[u8]) -> Vec<u8>) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = seeds::messages().iter().map(|json| frame(json)).collect();
    all.push(all.concat());
    all
}

/// Messages of the protocol, both ways.
pub(super) const PROTOCOL: Target = Target {
    name: "protocol",
    is_json: true,
    run: |input| {
        if let Ok(request) = decode_request(input) {
            let json = serde_json::to_vec(&request).unwrap_or_default();
            assert_eq!(decode_request(&json).as_ref(), Ok(&request), "a request survives the way");
        }
        let _ = decode_hub(input);
    },
    seeds: seeds::messages,
};

/// A text message of a client that says no hello, and what stands in its address.
pub(super) const PLAIN: Target = Target {
    name: "plain",
    is_json: true,
    run: |input| {
        let _ = decode_request(input);
        let text = String::from_utf8_lossy(input);
        let _ = project::loopback_port(&project::origin_of(&text));
        let _ = check::Address::parse(&text);
    },
    seeds: || {
        let mut all = seeds::messages();
        all.retain(|json| json.windows(11).any(|window| window == b"\"sessionId\""));
        all.extend(
            ["http://[::1]:5173/a?b#c", "https://localhost./", "http://a@127.0.0.1:80\\@b"]
                .map(|url| url.as_bytes().to_vec()),
        );
        all
    },
};

/// A list of parts of large messages.
pub(super) const CHUNKS: Target = Target {
    name: "chunks",
    is_json: true,
    run: |input| {
        if let Ok(chunks) = serde_json::from_slice::<Vec<Chunk>>(input) {
            let mut joiner = Joiner::default();
            for chunk in chunks {
                let _ = joiner.push(chunk);
            }
        }
        let text = String::from_utf8_lossy(input);
        let parts = split(&text, 1, 128 + input.len() % 500).unwrap_or_default();
        let mut joiner = Joiner::default();
        let mut joined = None;
        for part in parts {
            joined = joiner.push(part).ok().flatten();
        }
        // An empty message has no parts that a joiner takes.
        assert!(
            text.is_empty() || joined.as_deref() == Some(&*text),
            "a message in parts is the same message"
        );
    },
    seeds: || {
        let parts = split(&"{\"a\":\"é\\\"\"}".repeat(40), 7, 160).unwrap_or_default();
        serde_json::to_vec(&parts).into_iter().collect()
    },
};

/// The head of a request to the gateway.
pub(super) const GATEWAY_HEADERS: Target = Target {
    name: "gateway-headers",
    is_json: false,
    run: |input| opentoolbar::fuzzing::gateway_headers(&String::from_utf8_lossy(input)),
    seeds: || {
        let heads = [
            "Host: 127.0.0.1:7847\nAuthorization: Bearer AAAA",
            "Host: localhost:7847\nOrigin: chrome-extension://abcdefghijklmnopabcdefghijklmnop\n\
             Sec-WebSocket-Protocol: opentoolbar.v1, bearer.AAAA",
            "Host: [::1]:7847\nOrigin: moz-extension://0b9a5ab3-9c3f-4a3b-8a55-0d0d0d0d0d0d",
            "Host: evil.test:7847\nHost: 127.0.0.1:7847\nOrigin: null",
        ];
        heads.map(|head| head.as_bytes().to_vec()).into()
    },
};

/// A line of an agent's client.
pub(super) const MCP: Target = Target {
    name: "mcp",
    is_json: true,
    run: opentoolbar::fuzzing::mcp_line,
    seeds: || {
        let call = |tool: &str, arguments: &str| {
            let params = format!("{{\"name\":\"{tool}\",\"arguments\":{arguments}}}");
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{params}}}")
                .into_bytes()
        };
        let initialize =
            r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}"#;
        let mut all = vec![
            format!("{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"initialize\",\"params\":{initialize}}}")
                .into_bytes(),
            br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_vec(),
            br#"{"jsonrpc":"2.0","id":1000000000,"result":{}}"#.to_vec(),
            br#"{"jsonrpc":"2.0","id":"1000000001","error":{"code":-32600,"message":"no"}}"#.to_vec(),
            br#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#.to_vec(),
        ];
        let text = r#"{"sessionId":"s_1","contextId":"ctx_1","message":"Done","isComplete":true}"#;
        for (tool, arguments) in [
            ("check_comment", r#"{"commentId":"c_1","html":"<p>x"}"#),
            ("copilot_chat_secretary_get_first_request", r#"{"sessionId":"abc-123"}"#),
            ("copilot_chat_secretary_get_request", r#"{"index":2}"#),
            ("list_dialogs", r#"{"source":"codex","cursor":"1.codex.a"}"#),
            ("search_dialogs", r#"{"query":"header","cursor":"opentoolbar.3"}"#),
            ("get_conversation_history", r#"{"sessionId":"s_1","limit":5}"#),
            ("get_screenshot", r#"{"commentId":"c_1"}"#),
            ("get_ui_context", r#"{"sessionId":"s_1"}"#),
            ("get_ui_feedback", r#"{"status":"all","limit":5,"detail":"full","cursor":"AAAA"}"#),
            ("get_verification", r#"{"verificationId":"v_1","waitSeconds":0}"#),
            ("list_sessions", "{}"),
            ("reply_to_comment", r#"{"commentId":"c_1","message":"Which?"}"#),
            ("request_annotation", r#"{"sessionId":"s_1","message":"Point at it","timeoutSeconds":1}"#),
            ("request_verification", r#"{"action":"a","reason":"r","context":{"a":[1]},"timeoutSeconds":5}"#),
            ("resolve_comment", r#"{"commentId":"c_1","summary":"Done"}"#),
            ("respond_to_browser", text),
            ("select_session", r#"{"sessionId":"s_1"}"#),
            ("update_comment", r##"{"commentId":"#3","stage":"in_progress","note":"x"}"##),
            ("update_status", r#"{"sessionId":"s_1","status":"editing","detail":"x"}"#),
            ("wait_for_feedback", r#"{"after":3,"timeoutSeconds":1}"#),
        ] {
            all.push(call(tool, arguments));
        }
        all
    },
};
