//! Requests to one port of the gateway, with their retries.

use std::thread::sleep;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::{Method, Request, header};

use crate::config::Token;
use crate::{Error, parse};

/// Of one request.
const ATTEMPTS: u32 = 5;
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// In bytes.
const MAX_ANSWER: u64 = 1024 * 1024;

/// How long a client waits for what.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Before the second attempt; then twice that.
    pub pause: Duration,
    /// For an answer.
    pub patience: Duration,
}

/// One port.
#[derive(Debug)]
pub(crate) struct Http<'a> {
    token: &'a Token,
    port: u16,
    pub(crate) timing: Timing,
    /// Whether who has the port said so, since the last failure.
    is_opentoolbar: bool,
}

/// A failure that may pass, and how long the server says that it will take.
struct TryAgain(String, Option<Duration>);

pub(crate) struct Answer {
    pub(crate) status: u16,
    text: String,
}

impl<'a> Http<'a> {
    pub(crate) fn new(token: &'a Token, port: u16, timing: Timing) -> Self {
        Self { token, port, timing, is_opentoolbar: false }
    }

    pub(crate) fn call<T: DeserializeOwned>(
        &mut self,
        method: &Method,
        path: &str,
        body: Option<&str>,
        wait: Duration,
    ) -> Result<T, Error> {
        let answer = self.retried(method, path, body, wait)?;
        self.read(&format!("{method} {path}"), &answer)
    }

    pub(crate) fn read<T: DeserializeOwned>(&self, what: &str, answer: &Answer) -> Result<T, Error> {
        let Answer { status, text } = answer;
        match status {
            200 => parse(text).map_err(|why| something_else(what, &why)),
            300..400 => Err(Error::Gateway(format!(
                "{what}: {status}; a redirect is not followed, it could lead the token away"
            ))),
            // 404 and its like stay what they are, however often one asks.
            _ => Err(Error::Gateway(format!("{what}: {status} {}", self.reason(text)))),
        }
    }

    pub(crate) fn retried(
        &mut self,
        method: &Method,
        path: &str,
        body: Option<&str>,
        wait: Duration,
    ) -> Result<Answer, Error> {
        let mut pause = self.timing.pause;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let answered = self.attempt(method, path, body, wait)?;
            let TryAgain(why, after) = match answered {
                Ok(answer) => return Ok(answer),
                Err(again) => again,
            };
            // Whoever answers next may be another program: it is asked anew before it sees the token.
            self.is_opentoolbar = false;
            let why = self.plain(&why);
            let gave_up = match after {
                Some(after) if after > LONGEST_PAUSE => {
                    Some(format!("gave up, {} s are too long to wait", after.as_secs()))
                }
                _ if attempt == ATTEMPTS => Some(format!("gave up after {ATTEMPTS} attempts")),
                _ => None,
            };
            if let Some(gave_up) = gave_up {
                return Err(Error::Gateway(format!("{method} {path}: {gave_up}: {why}")));
            }
            sleep(after.unwrap_or(pause));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// One attempt; before the token is sent, who has the port must be opentoolbar.
    fn attempt(
        &mut self,
        method: &Method,
        path: &str,
        body: Option<&str>,
        wait: Duration,
    ) -> Result<Result<Answer, TryAgain>, Error> {
        if !self.is_opentoolbar {
            let Answer { status, text } = match self.exchange(&Method::GET, "/health", None, Duration::ZERO) {
                Ok(health) => health,
                Err(again) => return Ok(Err(again)),
            };
            let health: Value = serde_json::from_str(&text).unwrap_or_default();
            if status != 200 || health["name"] != "opentoolbar" {
                let port = self.port;
                return Err(Error::Gateway(format!(
                    "port {port} is not opentoolbar's: another program has it"
                )));
            }
            self.is_opentoolbar = true;
        }
        Ok(self.exchange(method, path, body, wait))
    }

    /// Sends one request, with the token where it is known who gets it.
    fn exchange(
        &self,
        method: &Method,
        path: &str,
        body: Option<&str>,
        wait: Duration,
    ) -> Result<Answer, TryAgain> {
        let lost = |error: ureq::Error| TryAgain(error.to_string(), None);
        // A proxy or another host that a redirect names could see the token.
        let agent = ureq::Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_global(Some(wait + self.timing.patience))
            .user_agent("opentoolbar-example-rust/1")
            .build()
            .new_agent();
        let mut request =
            Request::builder().method(method).uri(format!("http://127.0.0.1:{}{path}", self.port));
        if self.is_opentoolbar {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token.0));
        }
        let unfit = |error: ureq::http::Error| TryAgain(error.to_string(), None);
        let mut response = match body {
            None => agent.run(request.body(()).map_err(unfit)?),
            Some(body) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                agent.run(request.body(body.to_owned()).map_err(unfit)?)
            }
        }
        .map_err(lost)?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(MAX_ANSWER).read_to_string().map_err(lost)?;
        if status != 429 && status < 500 {
            return Ok(Answer { status, text });
        }
        let after = response.headers().get(header::RETRY_AFTER).filter(|_| status == 429);
        let after = after.and_then(|after| after.to_str().ok()?.parse().ok()).map(Duration::from_secs);
        Err(TryAgain(format!("{status} {}", self.reason(&text)), after))
    }

    fn reason(&self, text: &str) -> String {
        let said: Value = serde_json::from_str(text).unwrap_or_default();
        let words = ["message", "nextStep"].map(|name| said[name].as_str().unwrap_or_default());
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        if words.is_empty() { "without a reason".to_owned() } else { self.plain(&words.join(". ")) }
    }

    /// As it may be printed: the other side could send the token back, or what a terminal obeys.
    pub(crate) fn plain(&self, text: &str) -> String {
        let text = text.replace(&self.token.0, "(token)");
        text.chars().map(|letter| if is_obeyed(letter) { ' ' } else { letter }).collect()
    }
}

/// Controls, and characters that turn round or hide what stands beside them.
fn is_obeyed(letter: char) -> bool {
    let hides = ['\u{200b}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}'];
    letter.is_control() || letter == '\u{feff}' || hides.iter().any(|range| range.contains(&letter))
}

pub(crate) fn something_else(what: &str, why: &str) -> Error {
    Error::Gateway(format!("{what} answered something else: {why}"))
}
