//! Strings and values: where each ends, and what it stands next to.

use std::ops::Range;

use super::{Group, Reader};
use crate::selector::redacted::calls::{Call, is_of_field, plain_name};
use crate::selector::redacted::escapes::{Notation, is_blank, name_length};
use crate::selector::redacted::look::{count, trim_end, trim_start};
use crate::selector::redacted::reading::{Piece, Value, Wrap};

impl Reader<'_> {
    pub(super) fn value(&mut self, range: Range<usize>, wrap: Wrap, is_unclear: bool) {
        let is_string = matches!(wrap, Wrap::Quotes(_));
        let before = self.before(range.start - usize::from(is_string));
        let call = if is_string { self.call(&range) } else { Call::Other };
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

    /// What the call takes the string for that stands there.
    fn call(&mut self, string: &Range<usize>) -> Call {
        let is_begin = |group: &Group| !group.has_strings && self.skipped(group.opened) + 1 == string.start;
        let is_begin = self.groups.last().is_some_and(is_begin);
        let next = self.skipped(string.end + 1);
        let behind = self.rest(next).starts_with(',').then(|| self.rest(self.skipped(next + 1)));
        let is_string_or_more = behind.is_some();
        let is_string_next = behind.is_some_and(|rest| {
            rest.starts_with(|c: char| matches!(c, '"' | '\'' | '`') || c.is_ascii_digit())
        });
        let Some(group) = self.groups.last_mut() else { return Call::Other };
        let is_first = !group.has_strings;
        group.has_strings = true;
        let call = group.call;
        if is_begin {
            group.string = Some(string.clone());
            // `.should("have.value", "x")`
            if is_string_or_more && group.is_call && is_of_field(&plain_name(&self.text[string.clone()])) {
                group.call = Call::Typed;
            }
        }
        match call {
            Call::Typed | Call::Keys if is_first && group.is_of_page && is_string_next => Call::Selector,
            Call::Selector if !is_first => Call::Other,
            Call::Program if is_begin => Call::Selector,
            Call::Program => Call::Typed,
            call => call,
        }
    }

    /// `["fill"]`: what begins here is a string, and the bracket ends behind it.
    pub(super) fn is_string_alone(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) else { return false };
        let Some(length) = closing(&rest[1..], quote) else { return false };
        count(length);
        self.rest(self.skipped(at + length + 2)).starts_with(']')
    }

    pub(super) fn string(&mut self, quote: char) {
        let is_typed = self.is_assigned() || self.is_typed_template(quote);
        self.flush();
        self.at += 1;
        let rest = self.rest(self.at);
        let closing = match quote {
            _ if self.is_xpath => rest.find(quote),
            '`' => end_of_template(rest),
            _ => closing(rest, quote),
        };
        let mut length = closing.unwrap_or(rest.len());
        count(length);
        // XPath knows no escapes, and who writes one means that the string goes on.
        let is_unclear = self.is_xpath && rest[..length].ends_with('\\');
        if is_unclear {
            length = rest.rfind(quote).unwrap_or(length);
        }
        let end = self.at + length;
        self.value(self.at..end, Wrap::Quotes(quote), is_unclear || is_typed);
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

/// Where the template ends whose opening quote was before `rest`. In `${...}` there may be strings and templates again.
fn end_of_template(rest: &str) -> Option<usize> {
    // What ends each of those that are open.
    let mut open = vec!['`'];
    let mut is_escaped = false;
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let ends = open.last().copied().unwrap_or('`');
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if ends != '}' => is_escaped = true,
            c if c == ends => {
                open.pop();
                if open.is_empty() {
                    return Some(at);
                }
            }
            '{' if ends == '}' || (ends == '`' && before == '$') => open.push('}'),
            '"' | '\'' | '`' if ends == '}' => open.push(c),
            _ => {}
        }
        before = c;
    }
    None
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
