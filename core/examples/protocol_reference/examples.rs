//! One example of every message. Each is decoded into its type before it is printed.

use serde_json::{Value, json};

/// 1 by 1 pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn selection() -> Value {
    json!({
        "element": {
            "tagName": "BUTTON", "id": "buy", "classList": ["btn"], "textContent": "Buy now",
            "attributes": { "id": "buy", "class": "btn" },
            "boundingBox": { "x": 10, "y": 20, "width": 80, "height": 24 }
        },
        "ancestors": [{ "tagName": "MAIN", "classList": ["page"], "id": "main" }],
        "children": [{ "tagName": "SPAN", "classList": [], "textContent": "Buy now" }],
        "page": { "url": "http://localhost:5173/cart", "title": "Cart" }
    })
}

fn with(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

fn comment() -> Value {
    json!({
        "id": "c_1", "revision": 1, "url": "http://localhost:5173/cart", "pathname": "/cart", "title": "Cart",
        "sessionId": "s_1", "status": "active", "stage": "open", "text": "Make it bigger",
        "author": { "kind": "person" },
        "targets": [{
            "snapshot": { "tag": "button", "box": { "x": 10, "y": 20, "width": 80, "height": 24 } },
            "selector": "#buy", "anchor": "AQ=="
        }],
        "createdAt": 1_763_700_000_000_u64, "updatedAt": 1_763_700_000_000_u64
    })
}

/// As the hub keeps it.
fn kept() -> Value {
    with(comment(), json!({ "number": 1, "screenshot": "c_1.png" }))
}

fn project() -> Value {
    json!({ "root": "/home/me/shop", "name": "shop" })
}

fn hello(role: &str, client: &str) -> Value {
    json!({ "protocol": 1, "version": "0.1.0", "role": role, "client": client, "capabilities": ["chunks"] })
}

fn session() -> Value {
    json!({ "id": "s_1", "url": "http://localhost:5173/cart", "title": "Cart", "lastActive": 1_763_700_000_000_u64 })
}

fn agent() -> Value {
    json!({
        "client": "claude-code 2.1", "project": project(), "lastSeen": 1_763_700_000_000_u64,
        "presence": "answers", "isWaiting": true, "isNew": false, "version": "0.1.0"
    })
}

fn message() -> Value {
    json!({
        "id": "m_4", "sessionId": "s_1", "contextId": "ctx_1", "role": "assistant", "content": "Looking",
        "agent": "claude-code 2.1", "isComplete": false, "parts": 1, "isRead": true, "position": 8,
        "createdAt": 1_763_700_000_000_u64
    })
}

const HASH: &str = "5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592";

fn verification() -> Value {
    json!({
        "id": "v_1", "project": project(), "action": "Delete the directory build/", "reason": "It is stale",
        "context": "12 MB, not in git", "asker": "claude-code 2.1",
        "processes": [{ "id": 4712, "started": 1_763_700_000_u64 }], "hash": HASH,
        "askedAt": 1_763_700_000_000_u64, "expiresAt": 1_763_700_300_000_u64
    })
}

fn decided() -> Value {
    let decided = json!({
        "approved": true, "by": "person", "way": "browser", "at": 1_763_700_009_000_u64, "note": "Go on"
    });
    with(verification(), json!({ "decided": decided }))
}

fn rule() -> Value {
    json!({
        "id": "rule_1", "project": project(), "action": "Delete the directory build/", "context": "12 MB, not in git",
        "anyContext": false, "madeAt": 1_763_700_009_000_u64, "expiresAt": 1_763_728_809_000_u64, "uses": 0
    })
}

/// The messages of the conversation in the order of a short one, without ids.
pub(crate) fn plain() -> Vec<Value> {
    vec![
        json!({ "type": "set_context", "payload": with(selection(), json!({ "contextId": "ctx_1", "screenshot": PNG })) }),
        json!({ "type": "context_stored", "payload": { "contextId": "ctx_1" } }),
        json!({ "type": "user_message", "payload": { "contextId": "ctx_1", "message": "Make it bigger" } }),
        json!({ "type": "status_update", "payload": { "status": "searching", "detail": "Searching for Button" } }),
        json!({ "type": "agent_response_chunk", "payload": { "contextId": "ctx_1", "chunk": "Looking" } }),
        json!({ "type": "agent_response", "payload": { "contextId": "ctx_1", "message": "Looking: done.", "isComplete": true } }),
        json!({ "type": "status_update", "payload": { "status": "idle" } }),
        json!({ "type": "ping" }),
        json!({ "type": "pong" }),
        json!({ "type": "user_message", "payload": { "contextId": "ctx_2", "message": "And this one" } }),
        json!({ "type": "error", "payload": { "code": "unknown_context", "message": "there is no selection ctx_2 in the session tab-1", "nextStep": "Select the element again." } }),
    ]
}

pub(crate) fn requests() -> Vec<Value> {
    let of = |kind: &str, payload: Value| json!({ "id": "m_1", "type": kind, "payload": payload });
    let in_session = |kind: &str, payload: Value| with(of(kind, payload), json!({ "sessionId": "s_1" }));
    let bare = |kind: &str| json!({ "id": "m_1", "type": kind });
    let screenshot = json!({ "contextId": "ctx_1", "screenshot": PNG });
    vec![
        of("hello", hello("browser", "Chromium 156")),
        of("open_session", session()),
        of("close_session", json!({ "sessionId": "s_1" })),
        of("list_comments", json!({ "sessionId": "s_1" })),
        of("create_comment", json!({ "sessionId": "s_1", "comment": comment(), "screenshot": PNG })),
        of(
            "change_comment",
            json!({ "commentId": "c_1", "change": { "kind": "resolve" }, "at": 1_763_700_000_000_u64 }),
        ),
        of("import_comments", json!({ "sessionId": "s_1", "comments": [comment()] })),
        bare("list_projects"),
        of("set_origin_project", json!({ "origin": "http://localhost:5173", "root": "/home/me/shop" })),
        bare("ping"),
        of("agent_pong", json!({ "round": 3, "presence": "answers" })),
        in_session("set_context", with(selection(), screenshot)),
        in_session("user_message", json!({ "contextId": "ctx_1", "message": "Make it bigger" })),
        in_session("get_conversation", json!({ "after": 7 })),
        with(bare("stop_waiting"), json!({ "sessionId": "s_1" })),
        in_session(
            "answer_annotation",
            json!({ "annotationId": "a_1", "contextId": "ctx_1", "message": "This one" }),
        ),
        of("get_ui_context", json!({ "sessionId": "s_1", "contextId": "ctx_1" })),
        of("handed_over", json!({ "messageIds": ["m_3"] })),
        bare("list_sessions"),
        of("list_conversations", json!({ "limit": 20 })),
        of("get_requests", json!({ "sessionId": "s_1", "first": 1, "limit": 20 })),
        of("complete", json!({ "of": "comment", "prefix": "c_" })),
        of("select_session", json!({ "sessionId": "s_1" })),
        of(
            "respond_to_browser",
            json!({ "sessionId": "s_1", "contextId": "ctx_1", "message": "Looking", "isComplete": false, "index": 0 }),
        ),
        of(
            "update_status",
            json!({ "sessionId": "s_1", "status": "searching", "detail": "Searching for Button" }),
        ),
        of("get_conversation_history", json!({ "sessionId": "s_1", "limit": 20 })),
        of(
            "request_annotation",
            json!({ "annotationId": "a_1", "message": "Which header?", "timeoutMs": 45_000 }),
        ),
        of(
            "request_verification",
            json!({
                "action": "Delete the directory build/", "reason": "It is stale", "context": "12 MB, not in git",
                "timeoutSeconds": 300, "timeoutMs": 45_000
            }),
        ),
        of("get_verification", json!({ "verificationId": "v_1", "timeoutMs": 0 })),
        of("withdraw_verification", json!({ "verificationId": "v_1" })),
        bare("list_verifications"),
        of(
            "decide_verification",
            json!({
                "verificationId": "v_1", "hash": HASH, "approve": true, "note": "Go on",
                "rule": { "hours": 8, "anyContext": false }
            }),
        ),
        of("stop_rule", json!({ "ruleId": "rule_1" })),
        of("search", json!({ "query": "bigger", "limit": 20 })),
        of("search_messages", json!({ "query": "bigger", "limit": 20 })),
        of("get_feedback", json!({ "pathname": "/cart", "status": "unresolved", "limit": 50 })),
        of("get_comment", json!({ "commentId": "c_1" })),
        of(
            "wait_for_feedback",
            json!({ "after": 7, "unreadAfter": 5, "only": "messages", "timeoutMs": 30_000 }),
        ),
        of("end_wait", json!({ "messageId": "m_1" })),
        of("get_screenshot", json!({ "commentId": "c_1" })),
        bare("list_stored"),
        of("list_offers", json!({ "sessionId": "s_1" })),
        of(
            "get_source_changes",
            json!({ "sessionId": "s_1", "since": 1_763_700_000_000_u64, "files": ["/src/pages/Shop.tsx", "src/Gone.tsx"] }),
        ),
        of(
            "find_in_source",
            json!({ "sessionId": "s_1", "queries": [{ "file": "/src/pages/Shop.tsx", "since": 1_763_700_000_000_u64, "words": ["24", "29"] }] }),
        ),
        of(
            "answer_offer",
            json!({ "root": "/home/me/shop", "offerId": "moved-shop-1a2b3c4d", "accept": true }),
        ),
        of("move_stored", json!({ "id": "shop-1a2b3c4d", "to": "/home/me/work/shop" })),
        of("delete_stored", json!({ "id": "shop-1a2b3c4d" })),
        of("export_stored", json!({ "id": "shop-1a2b3c4d" })),
        bare("status"),
        of("open_gateway", json!({ "port": 7847 })),
        bare("get_gateway_config"),
        bare("begin_pairing"),
        bare("end_pairings"),
        bare("shutdown"),
    ]
}

pub(crate) fn answers() -> Vec<Value> {
    let of = |kind: &str, payload: Value| json!({ "replyTo": "m_1", "type": kind, "payload": payload });
    let context = with(
        selection(),
        json!({ "id": "ctx_1", "sessionId": "s_1", "screenshot": "ctx_1.png", "createdAt": 1_763_700_000_000_u64 }),
    );
    let asked = json!({ "annotationId": "a_1", "message": "Which header?", "agent": "claude-code 2.1" });
    let said = with(
        message(),
        json!({ "id": "m_3", "role": "user", "agent": null, "content": "Make it bigger", "isComplete": true, "isRead": false, "isAnswered": false, "position": 7 }),
    );
    let summary = json!({
        "sessionId": "s_1", "number": 1, "pageUrl": "http://localhost:5173/cart", "pageTitle": "Cart",
        "lastActive": 1_763_700_000_000_u64, "hasUnreadMessage": true, "isSelected": false
    });
    let stored = json!({
        "id": "shop-1a2b3c4d", "root": "/home/me/shop", "isThere": false, "bytes": 131_072,
        "firstUsed": 1_763_700_000_000_u64, "lastUsed": 1_763_700_000_000_u64
    });
    let offer = json!({
        "id": "moved-shop-1a2b3c4d", "project": { "root": "/home/me/work/shop", "name": "shop" }, "kind": "moved",
        "from": "/home/me/shop", "bytes": 131_072,
        "reason": "the project that was there is gone, and this one looks like it"
    });
    vec![
        of(
            "hello",
            with(hello("cli", "opentoolbar hub"), json!({ "capabilities": ["chunks", "source_changes"] })),
        ),
        of(
            "session",
            json!({ "sessionId": "s_1", "project": project(), "reason": "chosen for http://localhost:5173", "choices": [] }),
        ),
        of("comments", json!({ "sessionId": "s_1", "comments": [kept()] })),
        of("comment", json!({ "comment": kept() })),
        of("imported", json!({ "added": 0, "updated": 0, "skipped": 1 })),
        of("projects", json!({ "projects": [project()] })),
        of("pong", json!({ "agents": [agent()] })),
        of("context_stored", json!({ "contextId": "ctx_1" })),
        of("message_stored", json!({ "messageId": "m_1", "parts": 1, "position": 7 })),
        of(
            "conversation",
            json!({
                "sessionId": "s_1", "messages": [message()], "contexts": [context],
                "activities": [{ "status": "searching", "detail": "Searching for Button", "agent": "claude-code 2.1" }],
                "annotations": [asked], "position": 8
            }),
        ),
        of(
            "ui_context",
            json!({
                "sessionId": "s_1", "context": context, "screenshotPath": "/home/me/shop/.opentoolbar/screenshots/ctx_1.png",
                "pending": [said], "others": 0
            }),
        ),
        of("sessions", json!({ "sessions": [summary] })),
        of(
            "annotation",
            json!({ "annotationId": "a_1", "sessionId": "s_1", "outcome": "answered", "contextId": "ctx_1", "message": "This one" }),
        ),
        of(
            "conversations",
            json!({ "conversations": [{
                "sessionId": "s_1", "requests": 1, "firstRequest": "Make it bigger",
                "lastActive": 1_763_700_005_000_u64,
            }], "more": false }),
        ),
        of(
            "requests",
            json!({ "sessionId": "s_1", "total": 1, "requests": [{ "text": "Make it bigger", "at": 1_763_700_004_000_u64 }], "last": 1_763_700_004_000_u64 }),
        ),
        of("completions", json!({ "values": ["c_1"], "more": false })),
        of(
            "found",
            json!({ "hits": [{ "kind": "message", "id": "m_3", "sessionId": "s_1", "excerpt": "Make it bigger", "at": 1_763_700_000_000_u64, "role": "user", "request": 1 }, { "kind": "comment", "id": "c_1", "sessionId": "s_1", "excerpt": "Make it bigger", "at": 1_763_700_000_000_u64 }], "more": false }),
        ),
        of(
            "feedback",
            json!({
                "project": project(), "summary": { "total": 1, "active": 1, "outdated": 0, "resolved": 0 },
                "comments": [kept()], "position": 7
            }),
        ),
        of("news", json!({ "comments": [], "messages": [said], "positions": { "m_3": 7 }, "position": 7 })),
        of("screenshot", json!({ "path": "/home/me/shop/.opentoolbar/screenshots/c_1.png" })),
        of("stored", json!({ "projects": [stored], "offers": [offer] })),
        of("offers", json!({ "sessionId": "s_1", "offers": [offer] })),
        of(
            "source_changes",
            json!({ "at": 1_763_700_005_000_u64, "files": [{ "known": true, "at": 1_763_700_005_000_u64 }, { "known": false }] }),
        ),
        of("found_in_source", json!({ "found": [["nowhere", "changed_file"]] })),
        of("offer_answered", json!({ "added": 1, "skipped": 0 })),
        of(
            "status",
            json!({
                "pid": 4711, "version": "0.1.0", "uptimeSeconds": 60, "browsers": ["Chromium 156"], "agents": [agent()],
                "sessions": [session()], "projects": [project()],
                "gateway": { "address": "127.0.0.1:7847", "connected": 0 }
            }),
        ),
        of("gateway", json!({ "address": "127.0.0.1:7847" })),
        of("pairing", json!({ "code": "K7MXQ2RT", "address": "127.0.0.1:7847", "validSeconds": 120 })),
        of("gateway_config", json!({ "text": "{\n  \"name\": \"opentoolbar\"\n}\n", "hasToken": true })),
        of("verification", json!({ "verification": decided(), "seenBy": 1 })),
        of("verifications", json!({ "pending": [], "decided": [decided()], "rules": [rule()] })),
        json!({ "replyTo": "m_1", "type": "done" }),
        of(
            "error",
            json!({ "code": "unknown_session", "message": "the session s_2 is not open on this connection", "nextStep": "Send `open_session` for the tab first." }),
        ),
    ]
}

pub(crate) fn events() -> Vec<Value> {
    let of = |kind: &str, payload: Value| json!({ "type": kind, "payload": payload });
    let of_agent = |kind: &str, payload: Value| {
        with(of(kind, payload), json!({ "sessionId": "s_1", "agent": "claude-code 2.1" }))
    };
    let part = |index: u32| json!({ "part": { "messageId": "m_4", "index": index, "position": 8 + index } });
    vec![
        of("comment_changed", json!({ "comment": kept() })),
        of(
            "session_changed",
            json!({ "sessionId": "s_1", "project": project(), "reason": "chosen for http://localhost:5173" }),
        ),
        of_agent("status_update", json!({ "status": "searching", "detail": "Searching for Button" })),
        with(
            of_agent(
                "agent_response",
                json!({ "contextId": "ctx_1", "message": "Looking: done.", "isComplete": true }),
            ),
            json!({ "part": { "messageId": "m_4", "index": 1, "position": 9, "answers": ["m_3"] } }),
        ),
        with(of_agent("agent_response_chunk", json!({ "contextId": "ctx_1", "chunk": "Looking" })), part(0)),
        of_agent("message_read", json!({ "messageId": "m_3" })),
        of_agent(
            "annotation_requested",
            json!({ "annotationId": "a_1", "message": "Which header?", "agent": "claude-code 2.1" }),
        ),
        with(of("annotation_withdrawn", json!({ "annotationId": "a_1" })), json!({ "sessionId": "s_1" })),
        of("agents_changed", json!({ "agents": [agent()] })),
        of("agent_ping", json!({ "round": 3 })),
        of("source_changed", json!({ "root": "/home/me/shop", "at": 1_763_700_005_000_u64 })),
        of("verification_changed", json!({ "verification": verification() })),
        of("rules_changed", json!({ "rules": [rule()] })),
        of("changed", json!({ "kind": "comment", "id": "c_1", "number": 1 })),
    ]
}
