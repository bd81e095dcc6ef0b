//! The gateway's token: random, in a file that only its owner can read, never in a log.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use constant_time_eq::constant_time_eq;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use crate::error::{error, internal};
use crate::files::write_whole;
use crate::home::Home;
use crate::why::why;

/// Random bytes in a token.
const BYTES: usize = 32;

/// What a client must show.
pub(super) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// The home's; made when there is none, or none that could be one.
    ///
    /// # Errors
    /// `storage` when the file cannot be read or written.
    pub(super) fn of(home: &Home) -> Result<Self, ErrorBody> {
        let path = home.token();
        let cannot = |e: std::io::Error| {
            error(
                ErrorCode::Storage,
                format!("cannot use {}: {}", path.display(), why(&e)),
                "Make it a file that you can read and write, or remove it.",
            )
        };
        match std::fs::read_to_string(&path) {
            Ok(text) if is_token(text.trim()) => {
                owner_only(&path).map_err(cannot)?;
                return Ok(Self(text.trim().to_owned()));
            }
            Ok(_) => tracing::warn!("the file `token` held none; it is written anew"),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(cannot(e)),
        }
        let mut random = [0u8; BYTES];
        getrandom::fill(&mut random).map_err(|e| internal(format!("the system gives no randomness: {e}")))?;
        let token = URL_SAFE_NO_PAD.encode(random);
        // Temporary files are their owner's alone, and this one is put in place as it is.
        write_whole(&path, token.as_bytes()).and_then(|()| owner_only(&path)).map_err(cannot)?;
        Ok(Self(token))
    }

    /// For our own processes alone.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// In a time that does not depend on where the two differ.
    pub(super) fn is(&self, shown: &str) -> bool {
        constant_time_eq(self.0.as_bytes(), shown.as_bytes())
    }
}

fn is_token(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == BYTES)
}

fn owner_only(path: &std::path::Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path)?.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_token_is_made_once_for_its_owner_alone_and_never_shown() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let token = Token::of(&home).unwrap();
        assert!(is_token(token.reveal()));
        assert!(Token::of(&home).unwrap().is(token.reveal()), "the same again");
        assert!(!format!("{token:?}").contains(token.reveal()));
        assert!(!token.is("") && !token.is(&token.reveal()[1..]) && !token.is(&"A".repeat(43)));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&home.token()), 0o600);
            std::fs::set_permissions(home.token(), std::fs::Permissions::from_mode(0o644)).unwrap();
            Token::of(&home).unwrap();
            assert_eq!(mode(&home.token()), 0o600);
        }
        std::fs::write(home.token(), "password").unwrap();
        assert!(!Token::of(&home).unwrap().is("password"), "what is no token is replaced");
    }
}
