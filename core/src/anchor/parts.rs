//! What each part of an element says: its own text, its heading, the rows of its list.
//!
//! A part is all text that stands in the same tags below the element, so that the rows of a list are one part and the
//! heading above them is another. Kept with the anchor, to tell which part of a container differs, and which texts are
//! text nodes of their own.

use serde::{Deserialize, Serialize};

use super::hash::{self, Kind};
use super::noise::without_clock;
use super::short::cut;
use super::survey::Survey;
use crate::element::redact_text;
use crate::page::Page;

/// Between two text nodes that stand side by side in one element, as frameworks make of `Open cart ({count})`.
pub(super) const SEAM: char = '\u{1f}';
/// Between the texts of two elements.
pub(super) const ROW: char = '\n';
/// The field of a diff that says what an element's own text is; of other parts it goes on with `:` and their tags.
pub(super) const TEXT: &str = "text";

/// Parts that are told apart; what is in others is one more.
const PARTS: usize = 10;
const OTHERS: &str = "*";
/// Tags of a name, from the text up, and its longest in bytes.
const TAGS: usize = 4;
const NAME_BYTES: usize = 32;
/// Bytes of text that are kept of one part, and of all.
const PART_BYTES: usize = 80;
const ALL_BYTES: usize = 240;
/// Texts that are told apart; the rest is one hash.
const TEXTS: usize = 1_000;

/// One part of an element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    /// The tags between the element and the text, `ol li`; empty for the element's own text.
    pub(super) name: String,
    /// How many elements say it.
    pub(super) rows: u16,
    /// All of it as one number; 0 when that is not known.
    pub(super) hash: u32,
    /// Its beginning without secrets, with [`SEAM`] and [`ROW`] in it.
    pub(super) text: String,
}

/// What is gathered of one part.
struct Gathered {
    part: Part,
    /// Of its texts.
    hashes: Vec<u64>,
    row: String,
    /// The text before, and its parent.
    last: Option<(u32, u32)>,
}

impl Part {
    /// Its text nodes, those that stand side by side one by one.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.text.split([ROW, SEAM])
    }

    fn is_within(&self) -> bool {
        self.name.len() <= NAME_BYTES && self.text.len() <= PART_BYTES
    }
}

/// Parts that were read, when they are such as [`kept`] makes; none otherwise. Whoever sends an anchor can write any
/// number of them into it, and every one is compared and listed.
pub(super) fn valid(mut parts: Vec<Part>) -> Vec<Part> {
    let bytes: usize = parts.iter().map(|part| part.text.len()).sum();
    if parts.len() > PARTS + 1 || bytes > ALL_BYTES || !parts.iter().all(Part::is_within) {
        parts.clear();
    }
    parts
}

/// The parts of an element as it is now, in the order of their first texts.
pub(super) fn now(survey: &Survey<'_>, node: u32) -> Vec<Part> {
    let (from, to) = survey.text_range(node);
    let mut all: Vec<Gathered> = Vec::new();
    let mut room = ALL_BYTES;
    let mut last = None;
    let end = to.min(from + TEXTS);
    for place in from..end {
        let text = survey.text_node(place);
        let Some(parent) = survey.page.parent(text) else { continue };
        let at = match last {
            Some((of, at)) if of == parent => at,
            _ => place_of(&mut all, name(survey.page, node, text)),
        };
        last = Some((parent, at));
        let Some(part) = all.get_mut(at) else { continue };
        part.hashes.extend(survey.text_at(place).map(u64::from));
        if part.last.is_none_or(|(_, of)| of != parent) {
            part.end_row(&mut room);
            part.part.rows = part.part.rows.saturating_add(1);
        }
        let is_beside = part.last.is_some_and(|(before, of)| of == parent && text == before + 1);
        if room > 0 {
            part.add(survey.page.data(text), is_beside);
        }
        part.last = Some((text, parent));
    }
    if end < to {
        let at = place_of(&mut all, OTHERS.to_owned());
        if let Some(part) = all.get_mut(at) {
            part.hashes.extend((end..to).filter_map(|place| survey.text_at(place)).map(u64::from));
        }
    }
    let finished = all.into_iter().map(|mut one| {
        one.end_row(&mut room);
        one.part.hash = ((hash::join(Kind::Text, one.hashes) >> 32) as u32).max(1);
        one.part
    });
    finished.collect()
}

/// Where the part of this name is gathered; a new one, or the one of all others, when there is none yet.
fn place_of(all: &mut Vec<Gathered>, name: String) -> usize {
    let is_full = all.len() >= PARTS;
    let of = |all: &[Gathered], name: &str| all.iter().position(|one| one.part.name == name);
    if let Some(at) = of(all, &name).or_else(|| of(all, OTHERS).filter(|_| is_full)) {
        return at;
    }
    let name = if is_full { OTHERS.to_owned() } else { name };
    all.push(Gathered {
        part: Part { name, ..Part::default() },
        hashes: Vec::new(),
        row: String::new(),
        last: None,
    });
    all.len() - 1
}

fn name(page: &Page, node: u32, text: u32) -> String {
    let mut tags: Vec<&str> = page
        .element_ancestors(text)
        .take_while(|&above| above != node)
        .take(TAGS)
        .map(|above| page.tag(above))
        .collect();
    tags.reverse();
    cut(&tags.join(" "), NAME_BYTES).to_owned()
}

impl Gathered {
    /// A text node: white space in it is one blank, also at its ends.
    fn add(&mut self, text: &str, is_beside: bool) {
        match self.row.chars().last() {
            _ if self.part.text.len() >= PART_BYTES || self.row.len() > 2 * PART_BYTES => return,
            Some(_) if is_beside => self.row.push(SEAM),
            None | Some(' ') => {}
            Some(_) => self.row.push(' '),
        }
        let mut is_blank = self.row.ends_with(' ');
        for c in without_clock(redact_text(text)).chars().take(PART_BYTES) {
            let c = if c.is_whitespace() || c == SEAM { ' ' } else { c };
            if c != ' ' || !is_blank {
                self.row.push(c);
            }
            is_blank = c == ' ';
        }
    }

    fn end_row(&mut self, room: &mut usize) {
        let row = std::mem::take(&mut self.row);
        let kept = &mut self.part.text;
        let between = usize::from(!kept.is_empty());
        let left = PART_BYTES.saturating_sub(kept.len()).min(*room).saturating_sub(between);
        if row.is_empty() || left == 0 {
            return;
        }
        let whole = without_seams(&row);
        let redacted = redact_text(&whole);
        // A secret may stand in several text nodes, so where they meet is not kept of it.
        let row = if redacted == whole { row.as_str() } else { redacted.as_ref() };
        let row = cut(row, left);
        if between > 0 {
            kept.push(ROW);
        }
        kept.push_str(row);
        *room -= row.len() + between;
    }
}

/// A text as it reads.
pub(super) fn without_seams(text: &str) -> String {
    text.chars().filter(|&c| c != SEAM).collect()
}

/// The parts that are kept with an element's anchor; none for one text alone, which the anchor has already.
pub(super) fn kept(survey: &Survey<'_>, node: u32) -> Vec<Part> {
    let (from, to) = survey.text_range(node);
    if to == from || (to == from + 1 && survey.child_count(node) == 0) {
        return Vec::new();
    }
    now(survey, node)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use proptest::prelude::*;

    use super::super::told_apart::told_apart;
    use super::super::{Anchor, FieldChange, MAX_ENCODED};
    use super::*;
    use crate::model::limits::MAX_DIFF;
    use crate::page::arbitrary::{Piece, el, page, pieces, text};

    fn parts(pieces: Vec<Piece>) -> Vec<(String, u16, String)> {
        let page = page(vec![el("section", &[], pieces)]);
        let node = page.elements().find(|&node| page.tag(node) == "section").unwrap();
        now(&Survey::new(&page), node).into_iter().map(|part| (part.name, part.rows, part.text)).collect()
    }

    fn part(name: &str, rows: u16, text: &str) -> (String, u16, String) {
        (name.to_owned(), rows, text.to_owned())
    }

    #[test]
    fn the_rows_of_a_list_are_one_part_and_its_heading_is_another() {
        let row = |words: &str| el("li", &[], vec![text(words)]);
        let said = parts(vec![
            el("h2", &[], vec![text("Orders  today")]),
            el("ol", &[], vec![row("Lund"), row("Graz")]),
            text("Since nine"),
        ]);
        assert_eq!(
            said,
            [part("h2", 1, "Orders today"), part("ol li", 2, "Lund\nGraz"), part("", 1, "Since nine")]
        );
    }

    #[test]
    fn text_nodes_side_by_side_are_told_from_one() {
        assert_eq!(
            parts(vec![text("Open cart ("), text("0"), text(")")]),
            [part("", 1, "Open cart (\u{1f}0\u{1f})")]
        );
        let said = parts(vec![text("Buy "), el("b", &[], vec![text("two")]), text(" now")]);
        assert_eq!(said, [part("", 1, "Buy now"), part("b", 1, "two")]);
    }

    #[test]
    fn a_clock_stands_still() {
        let said = parts(vec![text("It is 10:15:07, "), text("3"), text(" open, 5 minutes ago")]);
        assert_eq!(said, [part("", 1, "It is 00:00:00 \u{1f}3\u{1f} open, 0 time ago")]);
    }

    #[test]
    fn no_secret_is_kept_also_of_one_in_two_text_nodes() {
        let said = parts(vec![text("Key: ghp_16C7e42F292c6912"), text("E7710c838347Ae178B4a")]);
        assert!(!format!("{said:?}").contains("16C7e42F"), "{said:?}");
    }

    /// An anchor as a stranger writes it into a document: valid, and full of parts.
    fn forged(anchor: &Anchor, part: &Part) -> Anchor {
        let mut forged = anchor.clone();
        forged.parts = Vec::new();
        let room = MAX_ENCODED - forged.encode().len();
        let one = postcard::to_allocvec(part).unwrap().len();
        // The number of parts takes a byte more than none.
        forged.parts = vec![part.clone(); (room - 1) / one];
        forged
    }

    /// What of an element's parts can be compared, and how long the longest text is.
    fn work(parts: &[Part]) -> (usize, usize) {
        let texts = parts.iter().map(|part| part.text.len() + part.name.len());
        (parts.len(), texts.max().unwrap_or_default())
    }

    #[test]
    fn of_two_megabytes_of_forged_anchors_no_more_is_compared_than_of_our_own() {
        let rows = ["h1", "h2", "p", "ul"].map(|tag| el(tag, &[], vec![text("Lund")]));
        let page = page(vec![el("section", &[("id", "it")], rows.into_iter().collect())]);
        let node = page.with_attr("id", "it")[0];
        let own = Anchor::of(&page, node, &["#it"]).unwrap();
        let survey = Survey::new(&page);
        let long = "x".repeat(900);
        let (mut bytes, mut compared, mut listed) = (0, 0, 0);
        for (name, text) in [("", ""), ("a", "b"), (long.as_str(), ""), ("", long.as_str())] {
            let part = Part { name: name.to_owned(), rows: 1, hash: 7, text: text.to_owned() };
            let forged = forged(&own, &part).encode();
            assert!(forged.len() <= MAX_ENCODED && forged.len() + 1_000 > MAX_ENCODED, "{}", forged.len());
            for _ in 0..(1 << 19) / forged.len() {
                let read = Anchor::decode(&forged).unwrap();
                bytes += forged.len();
                let (parts, longest) = work(&read.parts);
                assert!(parts <= PARTS + 1 && longest <= NAME_BYTES + PART_BYTES, "{parts} of {longest}");
                compared += parts;
            }
            let read = Anchor::decode(&forged).unwrap();
            let whole = FieldChange { field: TEXT.to_owned(), before: None, after: None };
            listed = listed.max(told_apart(&survey, &read, node, vec![whole; MAX_DIFF]).len());
        }
        assert!(bytes > 2_000_000, "{bytes}");
        assert!(compared <= bytes / 100, "{compared} parts of {bytes} bytes");
        assert!(listed <= MAX_DIFF, "{listed}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_diff_is_never_longer_than_it_may_be(
            kept in prop::collection::vec(("[a-z ]{0,40}", any::<u16>(), any::<u32>(), ".{0,90}"), 0..90),
            others in 1..=MAX_DIFF,
            pieces in pieces(),
        ) {
            let page = page(pieces);
            let survey = Survey::new(&page);
            let other = FieldChange { field: TEXT.to_owned(), before: None, after: None };
            for node in page.elements().take(8) {
                let mut anchor = Anchor::of(&page, node, &[""]).unwrap();
                anchor.parts =
                    kept.iter().cloned().map(|(name, rows, hash, text)| Part { name, rows, hash, text }).collect();
                let diff = told_apart(&survey, &anchor, node, vec![other.clone(); others]);
                prop_assert!(diff.len() <= MAX_DIFF, "{}", diff.len());
                anchor.parts = valid(std::mem::take(&mut anchor.parts));
                prop_assert!(anchor.parts.len() <= PARTS + 1);
                prop_assert_eq!(valid(anchor.parts.clone()), anchor.parts.clone());
            }
        }

        #[test]
        fn the_parts_that_we_keep_are_read_back(pieces in pieces()) {
            let page = page(pieces);
            let survey = Survey::new(&page);
            for node in page.elements() {
                let parts = kept(&survey, node);
                prop_assert_eq!(valid(parts.clone()), parts);
            }
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let tags = ["a", "b", "i", "u", "s", "p", "q", "em", "h1", "h2", "h3", "h4", "h5"];
        let long = "word ".repeat(400);
        let many = tags.map(|tag| el(tag, &[], vec![text(&long), text(&long)]));
        let said = parts(many.into_iter().collect());
        assert_eq!(said.len(), PARTS + 1);
        assert!(said.iter().map(|(.., text)| text.len()).sum::<usize>() <= ALL_BYTES, "{said:?}");
    }
}
