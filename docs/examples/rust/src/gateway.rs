//! What an agent is at a port, and questions to a person.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::http::Method;

use crate::http::{Http, Timing, something_else};
use crate::{Config, Error, Format};

/// Unless the config's format says another range.
const TIMEOUT_SECONDS: (u64, u64) = (5, 86_400);

/// What an agent is told at one port. Another port tells something else.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "docs/gateway.md says what they mean")]
pub struct Context {
    pub system: String,
    pub role: String,
    pub base_instruction: String,
    pub allowed_actions: Vec<String>,
    pub verification_required: bool,
}

/// A question to a person, and how it stands.
#[derive(Debug, Deserialize)]
pub struct Verification {
    /// Letters, digits, `_` and `-`: it is put into addresses.
    #[serde(rename = "verification_id")]
    pub id: String,
    /// How it stands.
    pub status: Status,
    /// The same in a sentence.
    pub message: String,
    /// Once it is decided.
    pub decided_by: Option<DecidedBy>,
    /// The person's words.
    pub note: Option<String>,
}

/// How a question stands.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Status {
    Pending,
    Approved,
    Rejected,
}

/// Who decided.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum DecidedBy {
    Person,
    Rule,
    Timeout,
    Withdrawn,
}

#[derive(Serialize)]
struct Ask<'a> {
    action: &'a str,
    reason: &'a str,
    context: &'a Value,
    timeout_seconds: u32,
}

/// One port of the gateway.
#[derive(Debug)]
pub struct Gateway<'a> {
    config: &'a Config,
    http: Http<'a>,
}

impl<'a> Gateway<'a> {
    /// # Errors
    /// When the port is none of the config's.
    pub fn new(config: &'a Config, port: u16, timing: Timing) -> Result<Self, Error> {
        if config.ports.iter().any(|known| known.port == port) {
            return Ok(Self { config, http: Http::new(&config.token, port, timing) });
        }
        let known: Vec<String> = config.ports.iter().map(|known| known.port.to_string()).collect();
        Err(Error::Request(format!("port {port} is none of the config's: {}", known.join(", "))))
    }

    /// Who an agent is at this port.
    ///
    /// # Errors
    /// [`Error::Gateway`], after retries where they help.
    pub fn context(&mut self) -> Result<Context, Error> {
        let mut context: Context = self.http.call(&Method::GET, "/context", None, Duration::ZERO)?;
        let texts = [&mut context.system, &mut context.role, &mut context.base_instruction];
        for text in texts.into_iter().chain(&mut context.allowed_actions) {
            *text = self.http.plain(text);
        }
        Ok(context)
    }

    /// Asks a person. Sent twice it is the same question while it waits, so that it may be tried again.
    ///
    /// # Errors
    /// [`Error::Request`] when the gateway would refuse it; [`Error::Gateway`] when it does.
    pub fn ask(
        &mut self,
        action: &str,
        reason: &str,
        context: &Value,
        timeout_seconds: u32,
    ) -> Result<Verification, Error> {
        let ask = Ask { action, reason, context, timeout_seconds };
        self.check(&ask)?;
        let body = serde_json::to_string(&ask).map_err(|error| Error::Request(error.to_string()))?;
        let asked = self.http.call(&Method::POST, "/verify", Some(&body), Duration::ZERO)?;
        self.checked(asked, None)
    }

    /// How it stands, at once or, while it is pending, up to so many seconds later.
    ///
    /// # Errors
    /// [`Error::Gateway`], after retries where they help.
    pub fn get(&mut self, asked: &Verification, wait: u64) -> Result<Verification, Error> {
        let path = format!("/verify/{}?wait={wait}", asked.id);
        let found = self.http.call(&Method::GET, &path, None, Duration::from_secs(wait))?;
        self.checked(found, Some(&asked.id))
    }

    /// Waits for the answer, at most so long; then the question is taken back.
    ///
    /// # Errors
    /// [`Error::Overdue`] when it was taken back; [`Error::Gateway`].
    pub fn decision(&mut self, mut asked: Verification, within: Duration) -> Result<Verification, Error> {
        let began = Instant::now();
        while asked.status == Status::Pending {
            let left = within.saturating_sub(began.elapsed());
            if left.is_zero() {
                return self.take_back(&asked);
            }
            asked = self.get(&asked, self.config.limits.wait_seconds.min(left.as_secs() + 1))?;
            if asked.status == Status::Pending {
                sleep(self.http.timing.pause); // a server that does not wait is not asked without end
            }
        }
        Ok(asked)
    }

    fn take_back(&mut self, asked: &Verification) -> Result<Verification, Error> {
        let path = format!("/verify/{}", asked.id);
        let answer = self.http.retried(&Method::DELETE, &path, None, Duration::ZERO)?;
        if answer.status == 409 {
            return self.get(asked, 0); // decided meanwhile: then that counts
        }
        let taken = self.http.read(&format!("DELETE {path}"), &answer)?;
        self.checked(taken, Some(&asked.id))?;
        Err(Error::Overdue)
    }

    /// What the gateway would refuse is not sent.
    fn check(&self, ask: &Ask<'_>) -> Result<(), Error> {
        let limits = &self.config.limits;
        let known = self.config.endpoints.iter().find(|endpoint| endpoint.name() == "POST /verify");
        let format = known.map(|endpoint| &endpoint.request);
        let sent = ["action", "reason", "context", "timeout_seconds"];
        let known: Vec<_> = format.into_iter().flat_map(Format::fields).collect();
        let odd = sent.into_iter().find(|name| known.iter().all(|(known, _)| known != name));
        let absent = known.iter().find(|(name, is_needed)| *is_needed && !sent.contains(name));
        if let Some(name) = odd.or(absent.map(|(name, _)| *name)) {
            return Err(Error::Request(format!(
                "`{name}` is not as the config's format of POST /verify says"
            )));
        }
        let texts = [
            ("action", ask.action, limits.action_characters),
            ("reason", ask.reason, limits.reason_characters),
        ];
        for (name, text, most) in texts {
            if text.trim().is_empty() || text.chars().count() > most {
                return Err(Error::Request(format!("`{name}` must have 1 to {most} characters")));
            }
        }
        let size = ask.context.as_str().map_or_else(|| ask.context.to_string().len(), str::len);
        if size > limits.context_bytes {
            let most = limits.context_bytes;
            return Err(Error::Request(format!("`context` has {size} bytes, at most {most} are taken")));
        }
        let range = format.and_then(|format| format.range("timeout_seconds"));
        let (least, most) = range.unwrap_or(TIMEOUT_SECONDS);
        if !(least..=most).contains(&u64::from(ask.timeout_seconds)) {
            return Err(Error::Request(format!("`timeout_seconds` must be from {least} to {most}")));
        }
        Ok(())
    }

    fn checked(&self, found: Verification, id: Option<&str>) -> Result<Verification, Error> {
        let Verification { id: own, status, message, decided_by, note } = &found;
        let fits = matches!(
            (status, decided_by),
            (Status::Pending, None)
                | (Status::Approved, Some(DecidedBy::Person | DecidedBy::Rule))
                | (Status::Rejected, Some(DecidedBy::Person | DecidedBy::Timeout | DecidedBy::Withdrawn))
        );
        if !fits {
            return Err(something_else("/verify", "`status` and `decided_by` do not fit"));
        }
        let is_plain = own.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        if id.is_some_and(|id| id != own) || !is_plain || !(1..=64).contains(&own.len()) {
            return Err(something_else("/verify", "another `verification_id`"));
        }
        let (message, note) = (self.http.plain(message), note.as_deref().map(|note| self.http.plain(note)));
        Ok(Verification { message, note, ..found })
    }
}
