//! A page from a server on this machine: one GET, to loopback addresses only, redirects included.

use std::fmt;
use std::net::{IpAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

use opentoolbar_core::page::MAX_HTML_BYTES;
use ureq::http::{Response, StatusCode, Uri};
use ureq::{Agent, Body, Error};

use super::Refusal;
use super::html::{Html, not_html, too_large};
use crate::why::why;

/// Longest that the answer may take, redirects included.
const PATIENCE: Duration = Duration::from_secs(15);
const MAX_REDIRECTS: usize = 5;

/// Address of a page on this machine: `http`, and a host that is this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Uri);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Address {
    /// Reads an address as a person writes it; what stands behind `#` is left out.
    ///
    /// # Errors
    /// When it is none, has another scheme than `http`, or another host than `localhost`, `127.0.0.1` or `[::1]`.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let whole = text.trim().split('#').next().unwrap_or("");
        let uri: Uri = whole.parse().map_err(|error| {
            Refusal::new(
                format!("{text} is not an address: {error}"),
                "Give one like http://localhost:5173/settings.",
            )
        })?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(Refusal::new(
                format!("{text} is not an http address"),
                "Give one like http://localhost:5173/settings.",
            ));
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(Refusal::new(
                "the address holds a user name or a password",
                "Leave them out, or fetch the HTML yourself and hand that over.",
            ));
        }
        if uri.host().is_none_or(|host| !is_loopback(host)) {
            return Err(Refusal::new(
                format!("{} is not this machine", uri.host().unwrap_or("the host")),
                "Only localhost, 127.0.0.1 and [::1] are fetched; hand the HTML of other pages over as it is.",
            ));
        }
        // Last: of another machine the http address would be refused too.
        if uri.scheme_str() == Some("https") {
            return Err(Refusal::new(
                format!(
                    "{text} is served over https, which is not fetched: a local certificate cannot be checked"
                ),
                "Give the http address, or fetch the HTML yourself and hand that over (`curl -k URL | opentoolbar check -`).",
            ));
        }
        Ok(Self(uri))
    }

    /// The path, `/` first, without the query.
    #[must_use]
    pub fn pathname(&self) -> &str {
        match self.0.path() {
            "" => "/",
            path => path,
        }
    }

    /// Where a `Location` leads to from here.
    fn follow(&self, location: &str) -> Result<Self, Refusal> {
        let authority = self.0.authority().map_or("", |authority| authority.as_str());
        let there = if location.contains("://") {
            location.to_owned()
        } else if let Some(elsewhere) = location.strip_prefix("//") {
            format!("http://{elsewhere}")
        } else if location.starts_with('/') {
            format!("http://{authority}{location}")
        } else {
            let folder = self.pathname().rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("http://{authority}{folder}/{location}")
        };
        Self::parse(&there).map_err(|refusal| {
            Refusal::new(format!("{self} leads to {there}, and {}", refusal.message), refusal.next_step)
        })
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Gets the page. Blocks, at most [`PATIENCE`]. The address that it came from in the end is
/// in the second place.
///
/// # Errors
/// When nothing answers there, the answer is no HTML page, too large or too late, or it leads elsewhere.
pub fn fetch(address: &Address) -> Result<(Html, Address), Refusal> {
    let agent = Agent::new_with_config(
        Agent::config_builder()
            // Whatever the environment says of proxies: this machine needs none.
            .proxy(None)
            // Each redirect is looked at here, before it is followed.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("opentoolbar/", env!("CARGO_PKG_VERSION")))
            // Dev servers give the page for any path only to who asks for HTML.
            .accept("text/html,application/xhtml+xml")
            .build(),
    );
    let until = Instant::now() + PATIENCE;
    let mut at = address.clone();
    for _ in 0..=MAX_REDIRECTS {
        let answer = get(&agent, &at, until)?;
        let location = answer.headers().get("location").and_then(|location| location.to_str().ok());
        match location.filter(|_| answer.status().is_redirection()) {
            Some(location) => at = at.follow(location)?,
            None => return Ok((html(&at, answer)?, at)),
        }
    }
    Err(Refusal::new(
        format!("{address} was redirected more than {MAX_REDIRECTS} times"),
        "Open it in a browser and give the address where it ends.",
    ))
}

fn get(agent: &Agent, at: &Address, until: Instant) -> Result<Response<Body>, Refusal> {
    // A name can be made to mean another machine.
    let host = at.0.host().unwrap_or("").trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = at.0.port_u16().unwrap_or(80);
    let mut addresses = (host.as_str(), port).to_socket_addrs().map_err(|error| down(at, &why(&error)))?;
    if let Some(elsewhere) = addresses.find(|address| !address.ip().is_loopback()) {
        return Err(Refusal::new(
            format!("{host} means {} here, which is not this machine", elsewhere.ip()),
            "Give 127.0.0.1 or [::1] instead.",
        ));
    }
    let left = until.saturating_duration_since(Instant::now());
    agent.get(&at.0).config().timeout_global(Some(left)).build().call().map_err(|error| match error {
        Error::Timeout(_) => slow(at),
        Error::Io(error) => down(at, &why(&error)),
        error => down(at, &error.to_string()),
    })
}

fn html(at: &Address, mut answer: Response<Body>) -> Result<Html, Refusal> {
    if answer.status() != StatusCode::OK {
        return Err(Refusal::new(
            format!("{at} answers {}", answer.status()),
            "Open it in a browser, and give an address that shows the page.",
        ));
    }
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(|kind| kind.trim().to_ascii_lowercase());
    if kind.is_some_and(|kind| kind != "text/html" && kind != "application/xhtml+xml") {
        return Err(not_html(&at.to_string()));
    }
    let most = u64::try_from(MAX_HTML_BYTES).unwrap_or(u64::MAX);
    let body = answer.body_mut().with_config().limit(most).read_to_vec();
    let bytes = body.map_err(|error| match error {
        Error::BodyExceedsLimit(_) => too_large(),
        Error::Timeout(_) => slow(at),
        error => down(at, &error.to_string()),
    })?;
    Html::from_bytes(bytes, &at.to_string())
}

fn down(at: &Address, why: &str) -> Refusal {
    Refusal::new(format!("{at} does not answer: {why}"), "Start your dev server, or check host and port.")
}

fn slow(at: &Address) -> Refusal {
    Refusal::new(
        format!("{at} took longer than {} s", PATIENCE.as_secs()),
        "Try again when the server is less busy, or hand the HTML over as it is.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_this_machine_is_asked() {
        for good in [
            "http://localhost:5173/a?b#c",
            "http://127.0.0.1/",
            "http://[::1]:80",
            "http://LOCALHOST",
            "http://127.1.2.3/",
        ] {
            assert!(Address::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "http://example.org/",
            "http://localhost.example.org/",
            "http://10.0.0.1/",
            "http://0.0.0.0/",
            "http://[::]/",
            "http://127.0.0.1@example.org/",
            "http://user:pw@localhost/",
            "https://localhost/",
            "file:///etc/passwd",
            "/settings",
            "ftp://localhost/",
            "",
            "http://",
            "http:///x",
            "localhost:5173",
            "http://2130706433/",
            "http://[::ffff:10.0.0.1]/",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
        let of_another = Address::parse("https://example.org/").unwrap_err();
        assert!(of_another.message.contains("not this machine"), "{of_another}");
        assert_eq!(Address::parse("http://localhost:1?x").unwrap().pathname(), "/");
    }

    #[test]
    fn redirects_are_followed_on_this_machine_only() {
        let at = Address::parse("http://localhost:5173/a/b?c").unwrap();
        let to =
            |location: &str| at.follow(location).map(|to| to.to_string()).map_err(|refusal| refusal.message);
        assert_eq!(to("/x").unwrap(), "http://localhost:5173/x");
        assert_eq!(to("x").unwrap(), "http://localhost:5173/a/x");
        assert_eq!(to("http://127.0.0.1:3000/y").unwrap(), "http://127.0.0.1:3000/y");
        assert!(to("http://example.org/").unwrap_err().contains("not this machine"));
        assert!(to("//example.org/").unwrap_err().contains("not this machine"));
        assert!(to("https://localhost/").unwrap_err().contains("https"));
    }
}
