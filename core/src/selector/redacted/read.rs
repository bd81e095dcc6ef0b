//! What stands where in a selector, an XPath or a locator: strings and values, and the names that they may belong to.
//!
//! No parser of one notation: it reads whatever is written, valid or not, and where it is not sure which name a value
//! belongs to, the value belongs to all of them.

mod called;
mod values;

use std::ops::Range;

use super::calls::{Call, call, may_be_of_page};
use super::escapes::{Notation, is_blank, is_name, name_length, unescaped};
use super::look::{Next, count, trim_end, trim_start};
use super::reading::{Clause, MANY, Name, Piece, Reading, Run, VALUES, Wrap};
use crate::find;

struct Group {
    is_bracket: bool,
    /// What stands in it tells what is not.
    is_not: bool,
    /// Its strings are a program's.
    is_call: bool,
    /// `name(`, `local-name(`
    is_name: bool,
    call: Call,
    /// The first of two strings is a selector.
    is_of_page: bool,
    has_strings: bool,
    /// Where it began.
    opened: usize,
    /// The string that it begins with.
    string: Option<Range<usize>>,
    /// To go on with behind it.
    clause: usize,
}

pub(super) fn read(text: &str, is_secret_field: bool) -> Reading {
    let mut reader = Reader {
        text,
        at: 0,
        from: 0,
        is_xpath: false,
        groups: Vec::new(),
        brackets: 0,
        clause: 0,
        attribute_end: usize::MAX,
        run_start: 0,
        last_comment: find::last(text, "*/").unwrap_or_default(),
        name_end: 0,
        name_call_end: 0,
        called: 0..0,
        is_of_page: false,
        next_close: Next::default(),
        next_open: Next::default(),
        next_equal: Next::default(),
        next_engine: Next::default(),
        next_line: Next::default(),
        behind_line: (usize::MAX, 0),
        all: Reading { is_secret_field, ..Reading::default() },
    };
    reader.segment();
    while let Some(next) = reader.rest(reader.at).chars().next().filter(|_| reader.all.values <= VALUES) {
        count(1);
        reader.one(next);
    }
    reader.flush();
    reader.all.pair(text);
    reader.all
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Where what is not a piece yet began.
    from: usize,
    is_xpath: bool,
    groups: Vec<Group>,
    /// Those of the groups that are brackets.
    brackets: usize,
    clause: usize,
    /// Where the last name ended that was marked as an attribute's.
    attribute_end: usize,
    run_start: usize,
    /// Where the last comment ends, if there is one.
    last_comment: usize,
    /// The last name, and where what stands behind it and its blanks and comments begins.
    called: Range<usize>,
    name_end: usize,
    /// Where the last `name()` ended.
    name_call_end: usize,
    /// It may be a method of a page.
    is_of_page: bool,
    next_close: Next,
    next_open: Next,
    next_equal: Next,
    next_engine: Next,
    next_line: Next,
    /// Where the last line ended that was looked for, and what stands behind it and its blanks and comments begins.
    behind_line: (usize, usize),
    all: Reading,
}

impl<'t> Reader<'t> {
    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn before(&self, at: usize) -> &'t str {
        trim_end(self.text.get(..at).unwrap_or_default(), is_blank)
    }

    /// What stands between the last piece and here is one.
    fn flush(&mut self) {
        let range = self.from..self.at;
        if !range.is_empty() {
            // A comment is text.
            let has_comment = self.last_comment > 0 && find::has(&self.text[range.clone()], "/*");
            let piece =
                if self.brackets > 0 && !has_comment { Piece::Kept(range) } else { Piece::Plain(range) };
            self.all.pieces.push(piece);
        }
        self.from = self.at;
    }

    /// What a new engine or tree begins with: nothing before it is meant.
    fn segment(&mut self) {
        let rest = trim_start(self.rest(self.at), is_blank);
        self.is_xpath = ["/", "(", "./", "../", "@"].iter().any(|start| rest.starts_with(start));
        self.new_clause(None);
        self.new_run();
    }

    fn new_clause(&mut self, around: Option<usize>) {
        self.clause = self.all.clauses.len();
        self.all.clauses.push(Clause { around, names: Vec::new() });
    }

    fn new_run(&mut self) {
        self.run_start = self.at;
        self.all.runs.push(Run::new(self.all.is_secret_field));
    }

    fn one(&mut self, next: char) {
        let length = next.len_utf8();
        let rest = self.rest(self.at);
        match next {
            '"' | '\'' | '`' => self.string(next),
            '?' | '!' | '<' | '/' if self.is_called_behind(next) => {}
            _ if self.number_or_pattern(next) => {}
            '/' if self.comment(self.at).is_some() => self.at = self.comment(self.at).unwrap_or(self.at) + 2,
            '[' => self.open_bracket(),
            '(' => self.open_paren(),
            ']' | ')' => self.close(next == ']'),
            '=' if self.brackets > 0 || self.has_names() => {
                self.at += 1;
                self.unquoted();
            }
            '#' | '.' if self.groups.last().is_none_or(|group| !group.is_bracket) => self.part(next),
            _ if is_name(next) || next == '\\' => self.name(),
            '>' if self.groups.is_empty() && rest.starts_with(">>") => {
                self.at += rest.len() - trim_start(rest, |c| c == '>').len();
                self.segment();
            }
            _ => {
                let behind = trim_start(&rest[length..], is_blank);
                self.at += if is_blank(next) { rest.len() - behind.len() } else { length };
                let is_end = match next {
                    '/' => !["@", "attribute::", "self::"].iter().any(|on| rest[1..].starts_with(on)),
                    '>' | '+' | '~' | ',' => true,
                    c => is_blank(c) && !behind.starts_with('['),
                };
                if is_end && self.groups.is_empty() {
                    self.new_run();
                }
            }
        }
    }

    fn has_names(&self) -> bool {
        self.all.clauses.get(self.clause).is_some_and(|clause| !clause.names.is_empty())
    }

    fn belongs_to(&mut self, name: &str) {
        if let Some(clause) = self.all.clauses.get_mut(self.clause)
            && clause.names.len() <= MANY
            && !clause.names.iter().any(|other| other.text == name)
        {
            clause.names.push(Name::new(name.to_owned()));
        }
    }

    /// Where the comment ends that begins here, but for its last two characters. XPath has the same signs for other
    /// things.
    fn comment(&self, at: usize) -> Option<usize> {
        let is_one = at + 2 <= self.last_comment && !self.is_xpath;
        let inside = self.rest(at).strip_prefix("/*").filter(|_| is_one)?;
        let length = find::first(inside, "*/")?;
        count(length);
        Some(at + 2 + length)
    }

    /// Behind blanks and comments.
    fn skipped(&self, mut at: usize) -> usize {
        loop {
            let rest = self.rest(at);
            at += rest.len() - trim_start(rest, is_blank).len();
            match self.comment(at) {
                Some(end) => at = end + 2,
                None => return at,
            }
        }
    }

    fn open_bracket(&mut self) {
        let from = self.skipped(self.at + 1);
        let rest = self.rest(from);
        if self.groups.is_empty() {
            let name = name_length(rest, "");
            let after = self.rest(self.skipped(from + name));
            let begins_css = name > 0 && !after.starts_with(['(', '/', '<', '>']) && !after.starts_with("::");
            let is_css = begins_css || rest.is_empty() || rest.starts_with(['*', '|', ']']);
            self.is_xpath |= !is_css && !self.is_string_alone(from);
        }
        self.flush();
        self.at += 1;
        let around = self.groups.last().map_or(Call::Other, |group| group.call);
        self.group(true, false, false, around.inside());
        self.new_clause(Some(self.clause));
        self.brackets += 1;
    }

    fn open_paren(&mut self) {
        let before = self.before(self.at);
        let outside = trim_end(before, is_name);
        let name = &before[outside.len()..];
        let is_pseudo = !self.is_xpath && outside.ends_with(':') && !outside.ends_with("::");
        let around = self.groups.last().map_or(Call::Other, |group| group.call);
        let is_called = self.name_end == self.at && !self.called.is_empty();
        let called = if is_called { self.called_name() } else { String::new() };
        // `document.evaluate(` takes an XPath.
        let is_selector = before.ends_with('$') || before.ends_with("document.evaluate");
        let call = if is_selector { Call::Selector } else { call(&called, around) };
        let is_of_page = is_called && self.is_of_page && may_be_of_page(&called);
        self.at += 1;
        self.group(false, name == "not", !is_pseudo, call);
        if let Some(group) = self.groups.last_mut() {
            group.is_name = name == "name" || name == "local-name";
            group.is_of_page = is_of_page;
        }
        if is_pseudo {
            self.new_clause(None);
        }
    }

    fn group(&mut self, is_bracket: bool, is_not: bool, is_call: bool, call: Call) {
        let is_not = is_not != self.groups.last().is_some_and(|group| group.is_not);
        let (is_name, is_of_page, has_strings) = (false, false, false);
        let clause = self.clause;
        let (opened, string) = (self.at, None);
        self.groups.push(Group {
            opened,
            string,
            is_bracket,
            is_not,
            is_call,
            is_name,
            call,
            is_of_page,
            has_strings,
            clause,
        });
    }

    fn close(&mut self, is_bracket: bool) {
        let mut groups = self.groups.iter();
        // A bracket is not closed by what stands around it.
        let opened = match is_bracket {
            true if self.brackets == 0 => None,
            true => groups.rposition(|group| group.is_bracket),
            false => groups.len().checked_sub(1).filter(|&last| !self.groups[last].is_bracket),
        };
        if let Some(at) = opened {
            self.flush();
            if let Some(group) = self.groups.get_mut(at) {
                self.clause = group.clause;
                if group.is_name {
                    self.name_call_end = self.at + 1;
                }
                let (opened, call, string) = (group.opened, group.call, group.string.take());
                if is_bracket || call == Call::Typed {
                    self.called_by_value(opened, string.filter(|_| is_bracket));
                }
            }
            count(self.groups.len() - at);
            self.groups.truncate(at);
            self.brackets -= usize::from(is_bracket);
        }
        self.at += 1;
    }

    /// `#id`, `.class`.
    fn part(&mut self, sign: char) {
        let length = name_length(self.rest(self.at + 1), ":");
        let (start, end) = (self.at + 1, self.at + 1 + length);
        self.flush();
        if !self.is_called_with(start..end) {
            self.called(start..end);
            self.is_of_page = !self.before(start - 1).ends_with(')');
        }
        if let Some(run) = self.all.runs.last_mut().filter(|_| sign == '#') {
            run.compare("id", &unescaped(&self.text[start..end], Notation::Css));
        }
        self.all.pieces.push(Piece::Kept(self.at..end));
        (self.at, self.from) = (end, end);
    }

    fn name(&mut self) {
        let start = self.at;
        self.at += name_length(self.rest(start), "").max(1);
        let name = unescaped(&self.text[start..self.at], Notation::Css).to_ascii_lowercase();
        let after_at = self.called(start..self.at);
        let before = self.before(start);
        let after = self.rest(after_at);
        let is_qualified = before.ends_with(':') && before.len() == self.attribute_end.wrapping_add(1);
        let is_attribute = before.ends_with('@') || before.ends_with("attribute::") || is_qualified;
        if is_attribute {
            self.attribute_end = self.at;
        }
        if self.brackets == 0 {
            if is_attribute {
                self.belongs_to(&name);
            } else if self.groups.is_empty() {
                self.outside(&name, start, after);
            }
            return;
        }
        let is_compared =
            trim_start(after, |c| matches!(c, '~' | '|' | '^' | '$' | '*' | '!')).starts_with('=');
        let is_first = !after.starts_with('(') && (before.ends_with('[') || before.ends_with('|'));
        let is_argument = self.is_xpath && !after.starts_with('(') && before.ends_with(['(', ',']);
        let is_second =
            before.strip_suffix('=').is_some_and(|before| trim_end(before, is_blank).ends_with(['"', '\'']));
        if is_attribute || is_compared || is_first || is_argument || is_second {
            self.belongs_to(&name);
        } else if self.is_xpath && matches!(name.as_str(), "and" | "or") && !before.ends_with(['/', ':']) {
            let around = self.all.clauses.get(self.clause).and_then(|clause| clause.around);
            self.new_clause(around);
            return;
        }
        // `[name value]`, `[name: value]`: no selector, but one can see what is meant.
        let is_meant =
            is_first && !self.is_xpath && after.starts_with(|c: char| c == ':' || c.is_alphanumeric());
        if !is_meant {
            return;
        }
        let end = self.next_close.at(self.text, "]", after_at);
        let has_equal = self.next_equal.at(self.text, "=", after_at) < end;
        let inside = &self.text[after_at..end];
        let word = trim_start(inside, is_name);
        let is_word = ["and", "or", "i", "s"].contains(&&inside[..inside.len() - word.len()]);
        if !is_word && !has_equal && !inside.starts_with("::") {
            self.at = after_at;
            self.at += usize::from(inside.starts_with(':'));
            self.unquoted();
        }
    }

    /// A name outside of brackets: a tag, an axis, or an engine of Playwright.
    fn outside(&mut self, name: &str, start: usize, after: &str) {
        let is_tag = start == self.run_start || self.before(start).ends_with("::");
        if let Some(run) = self.all.runs.last_mut().filter(|_| is_tag && !after.starts_with("::")) {
            name.clone_into(&mut run.tag);
        }
        let Some(value) = self.rest(self.at).strip_prefix('=') else { return };
        self.at += 1;
        let end = self.next_engine.at(self.text, " >>", self.at);
        let has_bracket = self.next_open.at(self.text, "[", self.at) < end;
        let value = &value[..end - self.at];
        let is_words = name.contains("text") || name.contains("label");
        if matches!(name, "css" | "xpath" | "role") || (has_bracket && !is_words) {
            self.is_xpath = name == "xpath" || value.starts_with(['/', '(']);
            self.run_start = self.at;
            return;
        }
        self.new_clause(None);
        self.belongs_to(name);
        if !value.is_empty() && !value.starts_with(['"', '\'']) {
            self.flush();
            self.value(self.at..self.at + value.len(), Wrap::Engine, false);
        }
    }
}
