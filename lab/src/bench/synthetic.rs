//! Pages as applications draw them, of any size and always the same: navigation, cards, lists, tables, forms, hashed
//! class names, test ids here and there, shadow roots and frames.

use opentoolbar_core::page::{
    Capture, FLAG_INTERACTIVE, FLAG_VISIBLE, KIND_DOCUMENT, KIND_SHADOW_ROOT, KIND_TEXT, NODE_STRIDE,
};

use crate::capture::CaptureWriter;

const WORDS: [&str; 32] = [
    "order", "invoice", "customer", "total", "shipped", "pending", "report", "weekly", "account", "settings",
    "profile", "team", "project", "release", "build", "deploy", "status", "region", "north", "south",
    "price", "amount", "due", "paid", "draft", "review", "open", "closed", "search", "filter", "export",
    "import",
];

/// Knuth's multiplier with an xorshift: enough for variety, and the same everywhere.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn word(&mut self) -> &'static str {
        let at = self.below(WORDS.len() as u64);
        usize::try_from(at).ok().and_then(|at| WORDS.get(at)).copied().unwrap_or("word")
    }

    fn words(&mut self, count: u64) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    /// A class name as CSS-in-JS makes it.
    fn hash(&mut self) -> String {
        format!("css-{:x}", self.below(0xffff_ffff) | 0x1000_0000)
    }
}

struct Writer {
    capture: CaptureWriter,
    sequence: Sequence,
    elements: usize,
    y: i32,
}

/// A page of `wanted` elements, give or take one section.
pub(crate) fn page(wanted: usize) -> Capture {
    let mut w = Writer {
        capture: CaptureWriter::new("https://app.example.com/dashboard?tab=orders", "Dashboard"),
        sequence: Sequence(0x9e37_79b9_7f4a_7c15),
        elements: 0,
        y: 0,
    };
    let html = w.open(0, "html", &[("lang", "en")]);
    let body = w.open(html, "body", &[("class", "app theme-light")]);
    let nav = w.open(body, "nav", &[("aria-label", "Main"), ("class", "sidebar")]);
    for at in 0..12 {
        let href = format!("/{}/{at}", w.sequence.word());
        let class = if at == 2 { "nav-link active" } else { "nav-link" };
        let text = w.sequence.words(1);
        w.leaf(nav, "a", &[("href", &href), ("class", class)], &text);
    }
    let main = w.open(body, "main", &[("id", "content"), ("class", "flex flex-col gap-4 p-6")]);
    let mut section = 0;
    while w.elements < wanted {
        match section % 5 {
            0 => cards(&mut w, main, section),
            1 => table(&mut w, main, section),
            2 => form(&mut w, main, section),
            3 => list(&mut w, main, section),
            _ => widget(&mut w, main, section),
        }
        section += 1;
    }
    w.capture.finish()
}

/// A later version of a page: every fifth text gets other words.
pub(crate) fn edited(mut capture: Capture) -> Capture {
    let (rows, _) = capture.nodes.as_chunks_mut::<NODE_STRIDE>();
    for row in rows.iter_mut().filter(|row| row[0] == KIND_TEXT).step_by(5) {
        let text = usize::try_from(row[2]).ok().and_then(|at| capture.strings.get(at));
        // Numbered, as each string may stand only once.
        let at = capture.strings.len();
        let other = format!("{} anew {at}", text.map_or("", String::as_str));
        row[2] = i32::try_from(at).unwrap_or(0);
        capture.strings.push(other);
    }
    capture
}

impl Writer {
    fn open(&mut self, parent: u32, tag: &str, attributes: &[(&str, &str)]) -> u32 {
        self.elements += 1;
        self.y += 8;
        let interactive = matches!(tag, "a" | "button" | "input" | "select");
        let flags = FLAG_VISIBLE | if interactive { FLAG_INTERACTIVE } else { 0 };
        self.capture.element(parent, tag, attributes, [16, self.y, 640, 24], flags)
    }

    fn leaf(&mut self, parent: u32, tag: &str, attributes: &[(&str, &str)], text: &str) -> u32 {
        let node = self.open(parent, tag, attributes);
        self.capture.text(node, text, [16, self.y, 640, 24]);
        node
    }
}

fn heading(w: &mut Writer, parent: u32, section: usize) -> u32 {
    let (id, class) = (format!("section-{section}"), format!("panel {}", w.sequence.hash()));
    let panel = w.open(parent, "section", &[("id", &id), ("class", &class)]);
    let text = w.sequence.words(3);
    w.leaf(panel, "h2", &[("class", "panel-title text-lg font-semibold")], &text);
    panel
}

fn cards(w: &mut Writer, parent: u32, section: usize) {
    let panel = heading(w, parent, section);
    let grid = w.open(panel, "div", &[("class", "grid grid-cols-3 gap-4")]);
    for at in 0..6 {
        let class = format!("card {}", w.sequence.hash());
        let card = w.open(grid, "div", &[("class", &class)]);
        let (title, number) = (w.sequence.words(2), w.sequence.below(10_000).to_string());
        w.leaf(card, "h3", &[("class", "card-title")], &title);
        w.leaf(card, "p", &[("class", "card-value text-2xl")], &number);
        let id = format!("card-open-{section}-{at}");
        w.leaf(card, "button", &[("class", "btn btn-primary"), ("data-testid", &id)], "Open");
    }
}

fn table(w: &mut Writer, parent: u32, section: usize) {
    let panel = heading(w, parent, section);
    let table = w.open(panel, "table", &[("class", "table w-full")]);
    let head = w.open(table, "thead", &[]);
    let row = w.open(head, "tr", &[]);
    for name in ["Number", "Customer", "Status", "Amount"] {
        w.leaf(row, "th", &[("scope", "col")], name);
    }
    let body = w.open(table, "tbody", &[]);
    for at in 0..20 {
        let number = format!("{}", 10_000 + section * 100 + at);
        let row = w.open(body, "tr", &[("data-row", &number), ("class", "table-row")]);
        let (customer, status) = (w.sequence.words(2), w.sequence.word());
        let amount = w.sequence.below(100_000).to_string();
        let cell = w.open(row, "td", &[]);
        let href = format!("/orders/{number}");
        w.leaf(cell, "a", &[("href", &href)], &number);
        w.leaf(row, "td", &[("class", "cell-name")], &customer);
        let cell = w.open(row, "td", &[]);
        let class = format!("badge badge-{status}");
        w.leaf(cell, "span", &[("class", &class)], status);
        w.leaf(row, "td", &[("class", "cell-amount")], &amount);
    }
}

fn form(w: &mut Writer, parent: u32, section: usize) {
    let panel = heading(w, parent, section);
    let form = w.open(panel, "form", &[("action", "/save"), ("class", "form")]);
    for at in 0..8 {
        let field = w.open(form, "div", &[("class", "field mb-3")]);
        let name = format!("{}_{section}_{at}", w.sequence.word());
        let text = w.sequence.words(2);
        w.leaf(field, "label", &[("for", &name), ("class", "form-label")], &text);
        w.open(
            field,
            "input",
            &[("id", &name), ("name", &name), ("type", "text"), ("class", "form-control")],
        );
    }
    w.leaf(form, "button", &[("type", "submit"), ("class", "btn btn-primary")], "Save");
}

fn list(w: &mut Writer, parent: u32, section: usize) {
    let panel = heading(w, parent, section);
    let list = w.open(panel, "ul", &[("class", "feed")]);
    for _ in 0..25 {
        let class = format!("feed-item {}", w.sequence.hash());
        let item = w.open(list, "li", &[("class", &class)]);
        let (who, what) = (w.sequence.words(1), w.sequence.words(6));
        w.leaf(item, "strong", &[], &who);
        w.leaf(item, "p", &[("class", "feed-text")], &what);
        let icon =
            w.open(item, "svg", &[("class", "icon"), ("viewBox", "0 0 24 24"), ("aria-hidden", "true")]);
        w.open(icon, "path", &[("fill", "currentColor")]);
        w.leaf(item, "button", &[("class", "btn-icon"), ("aria-label", "More")], "…");
    }
}

fn widget(w: &mut Writer, parent: u32, section: usize) {
    let panel = heading(w, parent, section);
    let host = w.open(panel, "x-chart", &[("name", "sales")]);
    let root = w.capture.root(KIND_SHADOW_ROOT, host);
    let frame = w.open(root, "div", &[("class", "chart")]);
    for _ in 0..10 {
        let text = w.sequence.below(100).to_string();
        w.leaf(frame, "span", &[("class", "bar")], &text);
    }
    if section % 10 == 4 {
        let iframe = w.open(panel, "iframe", &[("title", "Preview")]);
        let document = w.capture.root(KIND_DOCUMENT, iframe);
        let html = w.open(document, "html", &[]);
        let body = w.open(html, "body", &[]);
        for _ in 0..5 {
            let text = w.sequence.words(8);
            w.leaf(body, "p", &[], &text);
        }
    }
}
