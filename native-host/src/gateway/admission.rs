//! Who comes in: decided from a request's headers alone, before anything else is looked at.

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use opentoolbar_core::protocol::ErrorCode;
use schemars::{Schema, json_schema};

use super::paired::Pass;
use super::refusal::Refusal;
use super::state::Gateway;
use crate::identity::Identity;

/// The protocol that a browser asks for and is answered with; the token stands beside it, as a browser's WebSocket can
/// send no other header.
pub(super) const SUBPROTOCOL: &str = "opentoolbar.v1";
const BEARER: &str = "bearer.";

/// Who asks, as the browser says, which no page can forge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visitor<'a> {
    /// No browser: a program of somebody who can read the token.
    Program,
    /// Our extension, or in Firefox some extension, by its origin, which is random there for each installation.
    Extension(&'a str),
}

/// The request was meant for us and comes from no page. A name that is not loopback's is that of a page that has its
/// own name point here. The port may be another one for our extension alone: that of the near end of a forward.
pub(super) fn visitor(headers: &HeaderMap, port: u16) -> Result<Visitor<'_>, Refusal> {
    let elsewhere = || {
        Refusal::forbidden(
            "the request is not addressed to this machine's loopback",
            &format!(
                "Connect to 127.0.0.1:{port} or localhost:{port}; programs forward the same port from elsewhere."
            ),
        )
    };
    let asked_for = single(headers, &header::HOST)?.and_then(loopback_port).ok_or_else(elsewhere)?;
    match single(headers, &header::ORIGIN)? {
        None if asked_for == port => from_no_page(headers).map(|()| Visitor::Program),
        None => Err(elsewhere()),
        Some(origin) if is_extension(origin) => Ok(Visitor::Extension(origin)),
        Some(_) => Err(Refusal::forbidden(
            "pages and other extensions may not connect",
            "Use the opentoolbar extension, or a program that sends no Origin.",
        )),
    }
}

/// A browser sends no `Origin` with a page's images, scripts and forms, but says where each comes from. Programs send
/// no such header, and a person who types the address sends `none`.
fn from_no_page(headers: &HeaderMap) -> Result<(), Refusal> {
    match single(headers, &HeaderName::from_static("sec-fetch-site"))? {
        None | Some("none" | "same-origin") => Ok(()),
        Some(_) => Err(Refusal::forbidden(
            "a page of another origin may not ask",
            "Ask from a program, which sends no Sec-Fetch-Site.",
        )),
    }
}

/// The body is said to be JSON. `next`: what is to be sent.
pub(super) fn says_json(headers: &HeaderMap, next: &str) -> Result<(), Refusal> {
    let media = headers.get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    if media.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::BadRequest,
        "the body is not said to be JSON",
        next,
    ))
}

/// A program that has shown the home's token.
pub(super) fn program(headers: &HeaderMap, gateway: &Gateway, port: u16) -> Result<(), Refusal> {
    match visitor(headers, port)? {
        Visitor::Program => authorised(headers, Visitor::Program, gateway).map(drop),
        Visitor::Extension(_) => Err(Refusal::forbidden(
            "a browser comes in over the WebSocket alone",
            "Use GET /ws, or ask from a program that sends no Origin.",
        )),
    }
}

/// The visitor shows its token: a program the home's, a browser the one that it was paired with, from the same origin.
/// A browser's is good until its pairing ends.
pub(super) fn authorised(
    headers: &HeaderMap,
    visitor: Visitor<'_>,
    gateway: &Gateway,
) -> Result<Option<Pass>, Refusal> {
    let shown = shown(headers)?;
    match visitor {
        Visitor::Program => match shown {
            Some(shown) if gateway.token.is(shown) => Ok(None),
            Some(_) => Err(unauthorised("the token is wrong", "Read the file `token` anew.")),
            None => Err(unauthorised("there is no token", "Send `Authorization: Bearer TOKEN`.")),
        },
        Visitor::Extension(origin) => shown
            .and_then(|shown| gateway.paired.pass(origin, shown))
            .map(Some)
            .ok_or_else(|| unauthorised("this browser is not paired", "Pair again: run `opentoolbar pair`.")),
    }
}

/// The token, in the header or, as browsers can send none with a WebSocket, among the subprotocols.
pub(super) fn shown(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let authorization = single(headers, &header::AUTHORIZATION)?;
    let header = authorization.and_then(|value| {
        let (scheme, shown) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(shown.trim())
    });
    let lists = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|list| list.to_str().ok());
    let subprotocol = lists.flat_map(|list| list.split(',')).find_map(|one| one.trim().strip_prefix(BEARER));
    Ok(header.or(subprotocol))
}

fn unauthorised(message: &str, next: &str) -> Refusal {
    Refusal::new(StatusCode::UNAUTHORIZED, ErrorCode::Forbidden, message, next)
}

/// A header that may stand once: of two, somebody on the way may have read the other.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    match (first.map(|value| value.to_str()), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(Refusal::forbidden(format!("the header {name} is there twice or no text"), "Send it once.")),
    }
}

/// The port of a host that has one of loopback's names.
fn loopback_port(host: &str) -> Option<u16> {
    let (name, port) = host.rsplit_once(':')?;
    let is_loopback = matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost");
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_loopback && is_number).then(|| port.parse().ok()).flatten()
}

/// What the reference says of such an origin: of the extension's own id in Chrome it says that it has one.
pub(super) fn origin_of_extension() -> Schema {
    let hex = "[0-9a-fA-F]";
    let uuid = format!("{hex}{{8}}(-{hex}{{4}}){{3}}-{hex}{{12}}");
    json_schema!({
        "type": "string", "pattern": format!("^(chrome-extension://[a-p]{{32}}|moz-extension://{uuid})$")
    })
}

fn is_extension(origin: &str) -> bool {
    if let Some(id) = origin.strip_prefix("chrome-extension://") {
        return id == Identity::get().chrome_id;
    }
    origin.strip_prefix("moz-extension://").is_some_and(is_uuid)
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use axum::http::HeaderValue;

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_loopback_names_with_our_port_are_ours() {
        for host in ["127.0.0.1:7847", "localhost:7847", "LocalHost:7847", "[::1]:7847"] {
            assert_eq!(visitor(&headers(&[("host", host)]), 7847), Ok(Visitor::Program), "{host}");
        }
        for host in [
            "localhost",
            "localhost:80",
            "evil.test:7847",
            "127.0.0.1.evil.test:7847",
            "",
            ":7847",
            "0.0.0.0:7847",
        ] {
            let refused = visitor(&headers(&[("host", host)]), 7847).unwrap_err();
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{host}");
        }
        assert!(visitor(&headers(&[]), 7847).is_err());
        let twice = headers(&[("host", "127.0.0.1:7847"), ("host", "evil.test")]);
        assert!(visitor(&twice, 7847).is_err());
    }

    #[test]
    fn what_a_page_sends_without_an_origin_is_known_by_where_it_comes_from() {
        let status = |site: &str| {
            let headers = headers(&[("host", "127.0.0.1:1"), ("sec-fetch-site", site)]);
            visitor(&headers, 1).map(|visitor| assert_eq!(visitor, Visitor::Program)).err().map(|e| e.status)
        };
        for site in ["none", "same-origin"] {
            assert_eq!(status(site), None, "{site}");
        }
        for site in ["cross-site", "same-site", "", "None"] {
            assert_eq!(status(site), Some(StatusCode::FORBIDDEN), "{site}");
        }
        // Browsers say so of our extension too, whose `Origin` no page can send.
        let ours = format!("chrome-extension://{}", Identity::get().chrome_id);
        let list = [("host", "127.0.0.1:1"), ("origin", ours.as_str()), ("sec-fetch-site", "cross-site")];
        assert!(visitor(&headers(&list), 1).is_ok());
    }

    #[test]
    fn our_extension_may_come_through_a_forward_from_another_port_and_nobody_else() {
        let ours = format!("chrome-extension://{}", Identity::get().chrome_id);
        let from =
            |host: &str, origin: &str| visitor(&headers(&[("host", host), ("origin", origin)]), 7847).is_ok();
        for host in ["127.0.0.1:9000", "localhost:9000", "[::1]:9000", "127.0.0.1:7847"] {
            assert!(from(host, &ours), "{host}");
            assert!(!from(host, "http://localhost:9000"), "{host}");
            assert!(!from(host, "https://evil.test"), "{host}");
        }
        for host in [
            "evil.test:9000",
            "evil.test:7847",
            "127.0.0.1.evil.test:9000",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:+80",
            "127.0.0.1:70000",
            "127.0.0.1:9000:7847",
            "evil@127.0.0.1:9000",
            "",
        ] {
            assert!(!from(host, &ours), "{host}");
        }
        assert!(visitor(&headers(&[("host", "127.0.0.1:9000")]), 7847).is_err(), "a program");
    }

    #[test]
    fn only_our_extension_and_programs_come_in() {
        let from = |origin: &str| {
            let headers = headers(&[("host", "127.0.0.1:1"), ("origin", origin)]);
            let visitor = visitor(&headers, 1).map(|visitor| visitor == Visitor::Extension(origin));
            visitor.inspect(|is_extension| assert!(is_extension, "{origin}"))
        };
        let ours = format!("chrome-extension://{}", Identity::get().chrome_id);
        assert!(from(&ours).is_ok());
        assert!(from("moz-extension://0d6c7a9e-5b1e-4f0c-9d0a-3f1b2c4d5e6f").is_ok());
        for origin in [
            "http://localhost:5173",
            "http://127.0.0.1:1",
            "https://evil.test",
            "null",
            "",
            "file://",
            "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
            "moz-extension://evil.test",
            &format!("{ours}.evil.test"),
        ] {
            assert_eq!(from(origin).unwrap_err().status, StatusCode::FORBIDDEN, "{origin}");
        }
    }
}
