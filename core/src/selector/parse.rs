//! Reads the notation. No recursion: the notation does not nest.

use super::syntax::{Case, Combinator, Compound, Operator, Path, Place, Segment, Simple, Step, Test};
use super::{MAX_SELECTOR_BYTES, SelectorError};

pub(super) fn parse(text: &str) -> Result<Path, SelectorError> {
    if text.len() > MAX_SELECTOR_BYTES {
        return Err(SelectorError::TooLong { bytes: text.len() });
    }
    let mut reader = Reader { chars: text.chars().collect(), at: 0 };
    let mut segments = Vec::new();
    let mut segment = Segment::default();
    let mut combinator = Combinator::Inside;
    reader.skip_blanks();
    loop {
        segment.0.push(Step { combinator, compound: reader.compound(false)? });
        let blank = reader.skip_blanks();
        combinator = match reader.peek() {
            None => {
                segments.push(segment);
                return Ok(Path(segments));
            }
            Some('>') if reader.starts_with(">>>") => {
                reader.at += 3;
                segments.push(std::mem::take(&mut segment));
                Combinator::Inside
            }
            Some('>') => reader.take(Combinator::Child),
            Some('+') => reader.take(Combinator::NextSibling),
            Some('~') => reader.take(Combinator::LaterSibling),
            Some(',') => return Err(reader.wrong("a list of selectors is not an address; give one selector")),
            Some(_) if blank => Combinator::Inside,
            Some(_) => return Err(reader.wrong("this character may not stand here")),
        };
        reader.skip_blanks();
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take<T>(&mut self, value: T) -> T {
        self.at += 1;
        value
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, c)| self.chars.get(self.at + offset) == Some(&c))
    }

    fn wrong(&self, problem: &str) -> SelectorError {
        SelectorError::Syntax { at: self.at, problem: problem.to_owned() }
    }

    fn skip_blanks(&mut self) -> bool {
        let from = self.at;
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
        self.at > from
    }

    fn expect(&mut self, wanted: char) -> Result<(), SelectorError> {
        if self.peek() == Some(wanted) {
            self.at += 1;
            return Ok(());
        }
        Err(self.wrong(&format!("`{wanted}` is missing")))
    }

    /// `inner` when it stands in a `:has()`, where none may stand again.
    fn compound(&mut self, inner: bool) -> Result<Compound, SelectorError> {
        let mut simples = Vec::new();
        loop {
            let simple = match self.peek() {
                Some('*') if simples.is_empty() => self.take(Simple::Any),
                Some('#') => {
                    self.at += 1;
                    Simple::Id(self.identifier("an id after `#`")?)
                }
                Some('.') => {
                    self.at += 1;
                    Simple::Class(self.identifier("a class after `.`")?)
                }
                Some('[') => self.attribute()?,
                Some(':') => {
                    self.pseudo_class(&mut simples, inner)?;
                    continue;
                }
                Some('|') => return Err(self.wrong("namespaces are not supported")),
                Some(c) if simples.is_empty() && starts_identifier(c) => {
                    Simple::Tag(self.identifier("a tag name")?)
                }
                _ if simples.is_empty() => {
                    return Err(self.wrong(
                        "a tag name, `*`, `#id`, `.class`, `[attribute]` or `:nth-of-type()` is missing",
                    ));
                }
                _ => return Ok(Compound(simples)),
            };
            simples.push(simple);
        }
    }

    fn identifier(&mut self, what: &str) -> Result<String, SelectorError> {
        let mut name = String::new();
        let from = self.at;
        while let Some(c) = self.peek() {
            let legal = if self.at == from {
                starts_identifier(c)
            } else {
                starts_identifier(c) || c.is_ascii_digit()
            };
            match c {
                '\\' => name.push(self.escaped()?),
                _ if legal => name.push(self.take(c)),
                // After a leading hyphen a digit must be escaped.
                _ => break,
            }
            if self.at == from + 1 && c == '-' && self.peek().is_some_and(|c| c.is_ascii_digit()) {
                return Err(self.wrong("a digit here must be escaped"));
            }
        }
        if name.is_empty() || (name == "-" && self.at == from + 1) {
            return Err(self.wrong(&format!("{what} is missing")));
        }
        Ok(name)
    }

    /// After a backslash: one to six hex digits and a blank, or any character but a line break.
    fn escaped(&mut self) -> Result<char, SelectorError> {
        self.at += 1;
        let mut code = 0u32;
        let mut digits = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)).filter(|_| digits < 6) {
            code = code * 16 + digit;
            digits += 1;
            self.at += 1;
        }
        if digits > 0 {
            if self.peek().is_some_and(is_blank) {
                self.at += 1;
            }
            return Ok(char::from_u32(code).filter(|c| *c != '\0').unwrap_or('\u{fffd}'));
        }
        match self.next() {
            Some(c) if !matches!(c, '\n' | '\r' | '\u{c}') => Ok(c),
            _ => Err(self.wrong("an escaped character is missing after the backslash")),
        }
    }

    fn string(&mut self, quote: char) -> Result<String, SelectorError> {
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.peek() {
                Some(c) if c == quote => return Ok(self.take(value)),
                Some('\\') if matches!(self.chars.get(self.at + 1), Some('\n' | '\u{c}')) => self.at += 2,
                Some('\\') => value.push(self.escaped()?),
                Some('\n' | '\r' | '\u{c}') | None => return Err(self.wrong("the string is not closed")),
                Some(c) => value.push(self.take(c)),
            }
        }
    }

    fn attribute(&mut self) -> Result<Simple, SelectorError> {
        self.at += 1;
        self.skip_blanks();
        let name = self.identifier("an attribute name")?;
        self.skip_blanks();
        let operator = match self.next() {
            Some(']') => return Ok(Simple::Attribute { name, test: None }),
            Some('=') => Operator::Equals,
            Some(sign @ ('~' | '|' | '^' | '$' | '*')) => {
                self.expect('=')?;
                match sign {
                    '~' => Operator::Word,
                    '|' => Operator::Dash,
                    '^' => Operator::Prefix,
                    '$' => Operator::Suffix,
                    _ => Operator::Part,
                }
            }
            _ => {
                return Err(
                    self.wrong("`]` or an operator such as `=` is missing after the attribute's name")
                );
            }
        };
        self.skip_blanks();
        let value = match self.peek() {
            Some(quote @ ('"' | '\'')) => self.string(quote)?,
            _ => self.identifier("a value, in quotes,")?,
        };
        self.skip_blanks();
        let case = match self.peek() {
            Some('i' | 'I') => self.take(Case::Ignored),
            Some('s' | 'S') => self.take(Case::Kept),
            _ => Case::Default,
        };
        self.skip_blanks();
        self.expect(']')?;
        Ok(Simple::Attribute { name, test: Some(Test { operator, value, case }) })
    }

    fn pseudo_class(&mut self, simples: &mut Vec<Simple>, inner: bool) -> Result<(), SelectorError> {
        let from = self.at;
        self.at += 1;
        if self.peek() == Some(':') {
            return Err(self.wrong("a pseudo-element is no element"));
        }
        let name = self.identifier("the name of a pseudo-class after `:`")?.to_ascii_lowercase();
        let one = |of_type, from_end| Simple::Nth { place: Place { of_type, from_end }, a: 0, b: 1 };
        let first = |of_type| one(of_type, false);
        let last = |of_type| one(of_type, true);
        match name.as_str() {
            "first-child" => simples.push(first(false)),
            "first-of-type" => simples.push(first(true)),
            "last-child" => simples.push(last(false)),
            "last-of-type" => simples.push(last(true)),
            "only-child" => simples.extend([first(false), last(false)]),
            "only-of-type" => simples.extend([first(true), last(true)]),
            "root" => simples.push(Simple::Root),
            "nth-child" | "nth-of-type" | "nth-last-child" | "nth-last-of-type" => {
                let argument = self.argument()?;
                let (a, b) = progression(&argument).ok_or_else(|| {
                    self.wrong("a number, `odd`, `even` or `an+b` is expected in the brackets")
                })?;
                let place =
                    Place { of_type: name.ends_with("of-type"), from_end: name.starts_with("nth-last") };
                simples.push(Simple::Nth { place, a, b });
            }
            "text-is" | "text-starts" => {
                self.expect('(')?;
                let text = match self.peek() {
                    Some(quote @ ('"' | '\'')) => self.string(quote)?,
                    _ => return Err(self.wrong("a text in quotes is missing")),
                };
                self.expect(')')?;
                simples.push(Simple::Text { whole: name == "text-is", text });
            }
            "has" if !inner => {
                self.expect('(')?;
                let held = self.compound(true)?;
                self.expect(')')?;
                simples.push(Simple::Has(held));
            }
            "not" if self.argument()?.split_ascii_whitespace().eq(["*", "*"]) => simples.push(Simple::Top),
            _ => {
                self.at = from;
                return Err(self.wrong(&format!(
                    "`:{name}` is not supported; use tags, ids, classes, attributes, `:nth-child()` or `:nth-of-type()`"
                )));
            }
        }
        Ok(())
    }

    fn argument(&mut self) -> Result<String, SelectorError> {
        self.expect('(')?;
        let length = self.chars[self.at..].iter().position(|c| *c == ')');
        let Some(length) = length else { return Err(self.wrong("`)` is missing")) };
        let argument = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        Ok(argument)
    }
}

/// `an+b` as CSS writes it.
fn progression(text: &str) -> Option<(i32, i32)> {
    let text = text.trim_matches(is_blank).to_ascii_lowercase();
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let Some((a, b)) = text.split_once('n') else { return number(&text).map(|b| (0, b)) };
    let a = match a {
        "" | "+" => 1,
        "-" => -1,
        _ => number(a)?,
    };
    let b = b.trim_start_matches(is_blank);
    if b.is_empty() {
        return Some((a, 0));
    }
    let sign = b.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let digits = b[1..].trim_start_matches(is_blank);
    let unsigned = digits.bytes().all(|d| d.is_ascii_digit());
    let b = if unsigned { number(digits)? } else { return None };
    Some((a, if sign == '-' { -b } else { b }))
}

fn number(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn starts_identifier(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '-' | '\\') || !c.is_ascii()
}
