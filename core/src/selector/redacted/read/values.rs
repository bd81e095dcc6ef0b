//! Strings and values: where each ends, and what it stands next to.

use std::ops::Range;

use super::Reader;
use crate::selector::redacted::calls::Call;
use crate::selector::redacted::escapes::{Notation, is_blank, name_length};
use crate::selector::redacted::look::{count, trim_end, trim_start};
use crate::selector::redacted::reading::{Piece, Value, Wrap};

impl Reader<'_> {
    pub(super) fn value(&mut self, range: Range<usize>, wrap: Wrap, is_unclear: bool) {
        let is_string = matches!(wrap, Wrap::Quotes(_));
        let before = self.before(range.start - usize::from(is_string));
        let call = if is_string { self.call(range.end) } else { Call::Other };
        let is_not = self.groups.last().is_some_and(|group| group.is_not);
        let is_call = self.brackets == 0 && self.groups.last().is_none_or(|group| group.is_call);
        let notation = match wrap {
            _ if self.is_xpath => Notation::XPath,
            Wrap::Quotes(_) if is_call => Notation::Script,
            _ => Notation::Css,
        };
        let is_between = |c| matches!(c, '=' | '!' | ',') || is_blank(c);
        let after = trim_start(self.rest(range.end + usize::from(is_string)), is_between);
        let is_name_next = after
            .strip_prefix("local-")
            .unwrap_or(after)
            .strip_prefix("name")
            .is_some_and(|rest| trim_start(rest, is_blank).starts_with('('));
        let is_name_before =
            self.name_call_end > 0 && trim_end(before, is_between).len() == self.name_call_end;
        let is_name = self.is_xpath && (is_name_before || is_name_next);
        let is_unequal = before.ends_with("!=");
        let before = before.strip_suffix('=').unwrap_or(before);
        let is_part = before.ends_with(['^', '$', '*', '|'])
            || (self.is_xpath && self.groups.last().is_some_and(|group| !group.is_bracket));
        self.from = range.end;
        self.at = range.end;
        self.all.values += 1;
        self.all.pieces.push(Piece::Value(Value {
            range,
            wrap,
            call,
            notation,
            is_unclear,
            clause: self.clause,
            run: self.all.runs.len().saturating_sub(1),
            is_negated: is_not || is_unequal,
            is_name,
            is_part,
        }));
    }

    /// What the call takes the string for that ends at `end`.
    fn call(&mut self, end: usize) -> Call {
        let next = self.skipped(end + 1);
        let behind = self.rest(next).starts_with(',').then(|| self.rest(self.skipped(next + 1)));
        let is_string_next = behind.is_some_and(|rest| rest.starts_with(['"', '\'', '`']));
        let Some(group) = self.groups.last_mut() else { return Call::Other };
        let is_first = !group.has_strings;
        group.has_strings = true;
        match group.call {
            Call::Typed if is_first && group.is_of_page && is_string_next => Call::Selector,
            Call::Selector if !is_first => Call::Other,
            call => call,
        }
    }

    pub(super) fn string(&mut self, quote: char) {
        self.flush();
        self.at += 1;
        let rest = self.rest(self.at);
        let closing = if self.is_xpath { rest.find(quote) } else { closing(rest, quote) };
        let mut length = closing.unwrap_or(rest.len());
        count(length);
        // XPath knows no escapes, and who writes one means that the string goes on.
        let is_unclear = self.is_xpath && rest[..length].ends_with('\\');
        if is_unclear {
            length = rest.rfind(quote).unwrap_or(length);
        }
        let end = self.at + length;
        self.value(self.at..end, Wrap::Quotes(quote), is_unclear);
        if end < self.text.len() {
            self.at += 1;
            self.from = self.at;
        }
    }

    /// The value behind an operator, if it has no quotes.
    pub(super) fn unquoted(&mut self) {
        self.at = self.skipped(self.at);
        let rest = self.rest(self.at);
        let is_other = |c: char| matches!(c, '"' | '\'' | '`' | ']' | '=');
        let is_expression = |rest: &str| {
            let name = name_length(rest, ":");
            rest.starts_with(['@', '.', '/', '(', '$']) || (name > 0 && rest[name..].starts_with('('))
        };
        if rest.starts_with(is_other) || (self.is_xpath && is_expression(rest)) {
            return;
        }
        let mut length = 0;
        while let Some(c) = rest.get(length..).and_then(|rest| rest.chars().next()) {
            let ends = match c {
                ']' | '"' | '\'' | '`' => true,
                ')' | ',' => self.is_xpath,
                c => is_blank(c) && (self.is_xpath || self.brackets == 0),
            };
            if ends {
                break;
            }
            length += if c == '\\' { name_length(&rest[length..], "").max(1) } else { c.len_utf8() };
        }
        let length = length.min(rest.len());
        count(length);
        let mut value = trim_end(&rest[..length], is_blank);
        let flag = trim_end(value, |c| matches!(c, 'i' | 's' | 'I' | 'S'));
        if value.len() == flag.len() + 1 && flag.ends_with(is_blank) {
            value = trim_end(flag, is_blank);
        }
        let end = self.at + value.len();
        if end > self.at {
            self.flush();
            self.value(self.at..end, Wrap::None, false);
        }
    }
}

/// Where the string ends whose opening quote was before `rest`.
fn closing(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    rest.char_indices().find_map(|(at, c)| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends.then_some(at)
    })
}
