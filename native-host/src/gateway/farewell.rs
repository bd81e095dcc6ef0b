//! How a WebSocket is told that it is closed, and why: the codes of RFC 6455, section 7.4, and their registry.

use axum::extract::ws::close_code;
use opentoolbar_core::protocol::ErrorCode;
use tungstenite::Error;
use tungstenite::error::{CapacityError, ProtocolError};

use crate::hub::Ended;

/// The close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Farewell {
    pub(super) code: u16,
    /// At most 123 bytes.
    pub(super) reason: &'static str,
}

const fn farewell(code: u16, reason: &'static str) -> Farewell {
    Farewell { code, reason }
}

pub(super) const CLOSING: Farewell = farewell(close_code::AWAY, "the gateway closes; connect again");
/// The extension takes this code for the end of its pairing: nothing that it meets otherwise may have it.
pub(super) const UNPAIRED: Farewell = farewell(close_code::POLICY, "the pairing was taken back");
pub(super) const SILENT: Farewell = farewell(close_code::ERROR, "no answer to a ping; connect again");
pub(super) const DEFECT: Farewell = farewell(close_code::ERROR, "the hub met a defect; connect again");

/// Of a conversation that is over.
pub(super) fn of(ended: Ended) -> Farewell {
    match ended {
        Ended::ByPeer => farewell(close_code::NORMAL, ""),
        Ended::Leaving => farewell(close_code::AWAY, "the hub leaves; connect again"),
        Ended::CutOff => farewell(close_code::AGAIN, "too much waits to be read; connect again"),
        Ended::Refused(code) => match code {
            ErrorCode::Forbidden => farewell(close_code::POLICY, "not for this client"),
            ErrorCode::TooLarge => farewell(close_code::SIZE, "the message is too large"),
            ErrorCode::Conflict | ErrorCode::RateLimited | ErrorCode::Storage | ErrorCode::NoProject => {
                farewell(close_code::AGAIN, "not now; connect again later")
            }
            ErrorCode::Internal => DEFECT,
            ErrorCode::Incompatible => farewell(close_code::PROTOCOL, "another version of the protocol"),
            _ => farewell(close_code::PROTOCOL, "the conversation does not begin so"),
        },
    }
}

/// Of what came instead of a message; `None` when the link broke, so that nobody is there.
pub(super) fn of_broken(broken: axum::Error) -> Option<Farewell> {
    let Ok(broken) = broken.into_inner().downcast::<Error>() else { return Some(DEFECT) };
    match *broken {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            Some(farewell(close_code::SIZE, "the message is too large"))
        }
        Error::Utf8(_) => Some(farewell(close_code::INVALID, "the text is not UTF-8")),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)
        | Error::Io(_)
        | Error::ConnectionClosed
        | Error::AlreadyClosed => None,
        _ => Some(farewell(close_code::PROTOCOL, "not the WebSocket protocol")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_fits_a_close_frame_and_only_two_things_are_told_as_policy() {
        let codes = [
            ErrorCode::BadRequest,
            ErrorCode::Incompatible,
            ErrorCode::UnknownComment,
            ErrorCode::UnknownSession,
            ErrorCode::UnknownContext,
            ErrorCode::RateLimited,
            ErrorCode::NoProject,
            ErrorCode::Conflict,
            ErrorCode::Storage,
            ErrorCode::TooLarge,
            ErrorCode::Forbidden,
            ErrorCode::Internal,
        ];
        let ends = [Ended::ByPeer, Ended::Leaving, Ended::CutOff];
        let all: Vec<Farewell> = ends
            .into_iter()
            .chain(codes.map(Ended::Refused))
            .map(of)
            .chain([CLOSING, UNPAIRED, SILENT, DEFECT])
            .collect();
        assert!(all.iter().all(|one| one.reason.len() <= 123));
        assert_eq!(all.iter().filter(|one| one.code == close_code::POLICY).count(), 2);
    }

    #[test]
    fn what_came_instead_of_a_message_has_the_code_that_the_standard_names() {
        let code = |broken: Error| of_broken(axum::Error::new(broken)).map(|one| one.code);
        assert_eq!(code(Error::Capacity(CapacityError::MessageTooLong { size: 2, max_size: 1 })), Some(1009));
        assert_eq!(code(Error::Utf8(String::new())), Some(1007));
        assert_eq!(code(Error::Protocol(ProtocolError::InvalidOpcode(3))), Some(1002));
        assert_eq!(code(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)), None);
        assert_eq!(code(Error::ConnectionClosed), None);
    }
}
