//! As much of XPath 1.0 as the generated forms use, evaluated on a page: the proof that they mean what they should.

use opentoolbar_core::page::{NodeKind, Page};

/// The elements of one tree that an expression means, in document order.
pub(crate) fn evaluate(page: &Page, root: u32, expression: &str) -> Vec<u32> {
    let mut reader = Reader { page, text: expression };
    let found = reader.path(vec![root]);
    assert!(reader.text.is_empty(), "not read: {} of {expression}", reader.text);
    found
}

struct Reader<'a> {
    page: &'a Page,
    text: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, what: &str) -> bool {
        let rest = self.text.strip_prefix(what);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn expect(&mut self, what: &str) {
        assert!(self.eat(what), "{what} is missing before {}", self.text);
    }

    fn until(&mut self, ends: &[char]) -> &'a str {
        let end = self.text.find(ends).unwrap_or(self.text.len());
        let (taken, rest) = self.text.split_at(end);
        self.text = rest;
        taken
    }

    fn string(&mut self) -> String {
        if self.eat("concat(") {
            let mut whole = self.string();
            while self.eat(",") {
                whole += &self.string();
            }
            self.expect(")");
            return whole;
        }
        let quote = if self.eat("'") { '\'' } else { '"' };
        if quote == '"' {
            self.expect("\"");
        }
        let value = self.until(&[quote]).to_owned();
        self.text = &self.text[1..];
        value
    }

    fn path(&mut self, mut from: Vec<u32>) -> Vec<u32> {
        let page = self.page;
        loop {
            let sibling = self.eat("/following-sibling::*[1]/self::");
            let deep = !sibling && self.eat("//");
            if !sibling && !deep && !self.eat("/") {
                return from;
            }
            let groups: Vec<Vec<u32>> = if sibling {
                from.iter().map(|&node| page.next_element(node).into_iter().collect()).collect()
            } else if deep {
                let here = |node: u32, above: u32| {
                    node == above || (page.root(node) == page.root(above) && page.is_element(node))
                };
                let parents =
                    from.iter().flat_map(|&above| page.subtree(above).filter(move |&n| here(n, above)));
                parents.map(|parent| page.element_children(parent).collect()).collect()
            } else {
                from.iter().map(|&parent| page.element_children(parent).collect()).collect()
            };
            let name = self.until(&['[', '/', ']']);
            let rest = self.text;
            let mut found = Vec::new();
            for group in &groups {
                self.text = rest;
                let group =
                    group.iter().copied().filter(|&node| name == "*" || page.tag(node) == name).collect();
                found.extend(self.predicates(group));
            }
            if groups.is_empty() {
                self.predicates(Vec::new());
            }
            found.sort_unstable();
            found.dedup();
            from = found;
        }
    }

    fn predicates(&mut self, mut nodes: Vec<u32>) -> Vec<u32> {
        while self.eat("[") {
            let rest = self.text;
            let mut kept = Vec::new();
            // Once more than there are nodes, so that the condition is read even for none.
            for (at, node) in nodes.iter().copied().map(Some).chain([None]).enumerate() {
                self.text = rest;
                if self.condition(at + 1, nodes.len(), node) {
                    kept.extend(node);
                }
            }
            self.expect("]");
            nodes = kept;
        }
        nodes
    }

    fn condition(&mut self, place: usize, last: usize, node: Option<u32>) -> bool {
        let page = self.page;
        let attr = |name: &str| node.and_then(|node| page.attr(node, name));
        let folded = || node.map_or(String::new(), |node| text(page, node));
        if self.text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.until(&[']']).parse() == Ok(place);
        }
        if self.eat("last()") {
            let before: usize = if self.eat("-") { self.until(&[']']).parse().unwrap() } else { 0 };
            return place + before == last;
        }
        if self.eat("contains(concat(' ',normalize-space(@class),' '),") {
            let wanted = self.string();
            self.expect(")");
            let classes = attr("class").unwrap_or("").split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            return format!(" {classes} ").contains(&wanted);
        }
        if self.eat("normalize-space()=") {
            return self.string() == folded();
        }
        if self.eat("starts-with(normalize-space(),") {
            let wanted = self.string();
            self.expect(")");
            return folded().starts_with(&wanted);
        }
        if self.eat("local-name()=") {
            let wanted = self.string();
            return node.is_some_and(|node| page.tag(node) == wanted);
        }
        if self.eat("@*[name()=") {
            let name = self.string();
            self.expect("]=");
            return Some(self.string().as_str()) == attr(&name);
        }
        if self.eat("@") {
            let name = self.until(&['=']);
            self.expect("=");
            return Some(self.string().as_str()) == attr(name);
        }
        self.expect(".");
        let found = self.path(node.into_iter().collect());
        !found.is_empty()
    }
}

/// `normalize-space()`: all texts of the same tree, as they stand.
fn text(page: &Page, node: u32) -> String {
    let texts = page
        .subtree(node)
        .filter(|&one| page.kind(one) == Some(NodeKind::Text) && page.root(one) == page.root(node));
    texts.map(|one| page.data(one)).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}
