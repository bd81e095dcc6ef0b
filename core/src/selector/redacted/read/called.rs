//! What is called, however that is written: `fill(`, `["fill"](`, `fill?.(`, `fill!(`, `fill<string>(`, `fill.call(`;
//! and what is given to it without quotes.

use std::ops::Range;

use super::Reader;
use crate::selector::redacted::calls::{Call, call, is_of_field, plain_name};
use crate::selector::redacted::escapes::{is_blank, is_name, name_length};
use crate::selector::redacted::look::{count, trim_start};
use crate::selector::redacted::reading::Wrap;

impl Reader<'_> {
    pub(super) fn called(&mut self, name: Range<usize>) -> usize {
        self.name_end = self.skipped(name.end);
        (self.called, self.is_of_page) = (name, false);
        self.name_end
    }

    /// `page["fill"]` is `page.fill`: a bracket is closed here in which a string is all. What else a bracket has, or
    /// what a call that types gives back, is called by a name that nobody knows, kept with its bracket.
    pub(super) fn called_by_value(&mut self, opened: usize, string: Option<Range<usize>>) {
        self.name_end = self.skipped(self.at + 1);
        let of = self.before(opened - 1);
        self.is_of_page = !of.strip_suffix("?.").unwrap_or(of).ends_with(')');
        self.called = match string.filter(|string| self.skipped(string.end + 1) == self.at) {
            Some(name) => name,
            None => opened - 1..self.at,
        };
    }

    /// What is called, as it is looked up.
    pub(super) fn called_name(&self) -> String {
        plain_name(&self.text[self.called.clone()])
    }

    /// What may stand between a name and the parentheses of its call: `?.`, `!`, `<string>`, `// words`.
    pub(super) fn is_called_behind(&mut self, sign: char) -> bool {
        if self.name_end != self.at || self.called.is_empty() {
            return false;
        }
        let rest = self.rest(self.at + 1);
        let length = match sign {
            '!' => 0,
            '?' if rest.starts_with('.') => 1,
            '<' => {
                let is_of_type = |c| is_name(c) || is_blank(c) || matches!(c, '.' | ',' | '|' | '[' | ']');
                rest.len() - trim_start(rest, is_of_type).len()
            }
            '/' if rest.starts_with('/') && !self.is_xpath => return self.is_called_on_next_line(),
            _ => return false,
        };
        let end = if sign == '<' { self.at + 2 + length } else { self.at + 1 + length };
        let is_closed = sign != '<' || self.rest(self.at + 1 + length).starts_with('>');
        let next = self.skipped(end);
        let is_call = is_closed && self.rest(next).starts_with('(');
        if is_call {
            (self.at, self.name_end) = (end, next);
        }
        is_call
    }

    fn is_called_on_next_line(&mut self) -> bool {
        let end = self.next_line.at(self.text, "\n", self.at);
        if self.behind_line.0 != end {
            self.behind_line = (end, self.skipped(end));
        }
        let next = self.behind_line.1;
        let is_call = self.rest(next).starts_with('(');
        if is_call {
            (self.at, self.name_end) = (end, next);
        }
        is_call
    }

    /// `fill.call(`, `fill.apply(`, `fill.bind(`: what is called is what stands before.
    pub(super) fn is_called_with(&mut self, name: Range<usize>) -> bool {
        let is_behind = !self.called.is_empty() && self.name_end + 1 == name.start;
        if !is_behind || !matches!(&self.text[name.clone()], "call" | "apply" | "bind") {
            return false;
        }
        self.name_end = self.skipped(name.end);
        self.is_of_page = true;
        true
    }

    /// Whether what stands here is typed, or compared with what was.
    pub(super) fn is_typed(&self) -> bool {
        self.groups.last().is_some_and(|group| matches!(group.call, Call::Typed | Call::Program))
    }

    /// `.value = "x"`, `.value == 1`
    pub(super) fn is_assigned(&self) -> bool {
        let before = self.before(self.at);
        let name = before.trim_end_matches('=');
        count(before.len() - name.len());
        let is_next = name.len() < before.len() && name.len() == self.name_end && !self.called.is_empty();
        if !is_next || self.brackets > 0 {
            return false;
        }
        // `["val" + "ue"]`, but not `//a[1]`.
        let is_made_up = self.text[self.called.start..].starts_with('[')
            && (!self.is_xpath
                || self.rest(self.skipped(self.called.start + 1)).starts_with(['"', '\'', '`']));
        let is_member = || self.before(self.called.start).ends_with(['.', '"', '\'', '`']);
        is_made_up || (is_member() && is_of_field(&self.called_name()))
    }

    /// A template behind a name, which calls it without parentheses.
    pub(super) fn is_typed_template(&self, quote: char) -> bool {
        let is_next = quote == '`' && self.name_end == self.at && !self.called.is_empty();
        is_next && call(&self.called_name(), Call::Other) == Call::Typed
    }

    /// A number or a regular expression that is typed, or compared with what was.
    pub(super) fn number_or_pattern(&mut self, next: char) -> bool {
        let rest = self.rest(self.at);
        let is_number =
            next.is_ascii_digit() || (next == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()));
        if !(is_number || next == '/') || !(self.is_typed() || self.is_assigned()) {
            return false;
        }
        let length = if is_number {
            if self.is_of_time() {
                return false;
            }
            name_length(rest, ".")
        } else {
            if self.comment(self.at).is_some() || !self.before(self.at).ends_with(['(', ',', '[', ':', '=']) {
                return false;
            }
            pattern_length(rest)
        };
        count(length);
        self.flush();
        self.value(self.at..self.at + length, Wrap::None, true);
        true
    }

    /// `delay: 10`, `timeout=10`: how it is typed, not what.
    fn is_of_time(&self) -> bool {
        let before = self.before(self.at);
        let is_next = before.ends_with([':', '=']) && before.len() == self.name_end + 1;
        is_next && matches!(self.called_name().as_str(), "delay" | "timeout")
    }
}

/// Of a regular expression with its flags, which ends with its line.
fn pattern_length(rest: &str) -> usize {
    let (mut is_escaped, mut is_class) = (false, false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '/' if !is_class => return at + 1 + name_length(&rest[at + 1..], ""),
            _ => {}
        }
    }
    rest.len()
}
