//! Passwords on command lines and in `.netrc`, where a command's name says what its options mean.

use std::ops::Range;

use super::runs::run_end;
use super::shape::is_password;
use crate::find;

/// What the command of a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Command {
    Other,
    Curl,
    Database,
    PowerShell,
    SshPass,
}

/// `curl -u name:password`, `mysql -ppassword`, `sshpass -p password`, `ConvertTo-SecureString password`,
/// `login name password password`.
pub(super) fn commands(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut command = Command::Other;
    // The words before, the nearest one first.
    let mut before = [""; 3];
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'\n' | b'\r' | b';' | b'|') {
            command = Command::Other;
        }
        let end = run_end(bytes, at, &|b| !b.is_ascii_whitespace() && !matches!(b, b';' | b'|'));
        if end == at {
            at += 1;
            continue;
        }
        let word = text.get(at..end).unwrap_or("");
        // Its path, a quote or a name may stand before it.
        match word.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or("") {
            "sshpass" => command = Command::SshPass,
            "curl" => command = Command::Curl,
            "ConvertTo-SecureString" => command = Command::PowerShell,
            "mysql" | "mysqldump" | "mysqladmin" | "mariadb" | "mariadb-dump" => command = Command::Database,
            _ => {
                if let Some(secret) = secret_in(command, before, word) {
                    found.push(at + secret.start..at + secret.end);
                    // What follows is another command with options of its own.
                    if command == Command::SshPass {
                        command = Command::Other;
                    }
                }
            }
        }
        before = [word, before[0], before[1]];
        at = end;
    }
    found
}

/// What of a word is secret, without quotes.
fn secret_in(command: Command, before: [&str; 3], word: &str) -> Option<Range<usize>> {
    let is_of_user = command == Command::Curl && matches!(before[0], "-u" | "-U" | "--user" | "--proxy-user");
    let start = match command {
        Command::Curl if is_of_user => 0,
        Command::Curl if word.starts_with("-u") => 2,
        Command::Database if word.starts_with("-p") => 2,
        Command::SshPass if before[0] == "-p" => 0,
        Command::SshPass if word.starts_with("-p") => 2,
        Command::PowerShell if !word.starts_with(['-', '$']) => 0,
        _ if before[0] == "password" && before[2] == "login" => 0,
        _ => return None,
    };
    let is_quote = |b: u8| matches!(b, b'"' | b'\'' | b'`' | b'\\');
    let from = run_end(word.as_bytes(), start, &is_quote);
    let end = run_end(word.as_bytes(), from, &|b| !is_quote(b));
    let value = &word[from..end];
    let is_secret = match command {
        Command::Curl => find::first(value, ":").is_some_and(|at| at + 1 < value.len()),
        Command::Database => end > from,
        // A variable's name is no secret.
        Command::SshPass => end > from && !value.starts_with('$'),
        Command::PowerShell => end > from && (from > start || value.bytes().any(|b| b.is_ascii_digit())),
        Command::Other => is_password(value),
    };
    is_secret.then_some(from..end)
}
