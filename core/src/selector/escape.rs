use std::fmt::{self, Write};

/// Writes an identifier as CSSOM's "serialize an identifier" (what `CSS.escape` does).
pub(super) fn identifier(out: &mut impl Write, text: &str) -> fmt::Result {
    for (at, c) in text.chars().enumerate() {
        let leading_digit = c.is_ascii_digit() && (at == 0 || (at == 1 && text.starts_with('-')));
        match c {
            '\0' => out.write_char('\u{fffd}')?,
            '\u{1}'..='\u{1f}' | '\u{7f}' => write!(out, "\\{:x} ", u32::from(c))?,
            _ if leading_digit => write!(out, "\\{:x} ", u32::from(c))?,
            '-' if text.len() == 1 => out.write_str("\\-")?,
            '-' | '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' | '\u{80}'.. => out.write_char(c)?,
            _ => write!(out, "\\{c}")?,
        }
    }
    Ok(())
}

/// Writes a string as CSSOM's "serialize a string", in double quotes.
pub(super) fn string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '\0' => out.write_char('\u{fffd}')?,
            '\u{1}'..='\u{1f}' | '\u{7f}' => write!(out, "\\{:x} ", u32::from(c))?,
            '"' | '\\' => write!(out, "\\{c}")?,
            _ => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
