//! How much of ordinary pages redaction touches: what is different among their texts and attributes is counted once.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use opentoolbar_core::element::{redact_attribute, redact_text};
use opentoolbar_core::page::Page;
use xtask::step::say;

use crate::bench::synthetic;
use crate::corpus;

/// How many of those touched are shown.
const SHOWN: usize = 20;

/// `made`: elements of the page that is made where there is no corpus.
pub(super) fn run(corpus: Option<&Path>, made: usize) -> Result<()> {
    let mut seen = Seen::default();
    let what = if let Some(corpus) = corpus {
        let mut pages = 0;
        for page in corpus::pages(corpus)? {
            seen.page(&page.page);
            pages += 1;
        }
        for place in corpus::pairs(corpus)? {
            let pair = place.read()?;
            seen.page(&pair.old.page);
            seen.page(&pair.new.page);
            pages += 2;
        }
        format!("{pages} pages of the corpus")
    } else {
        seen.page(&Page::from_capture(synthetic::page(made))?);
        "a made page (real ones: --corpus DIR)".to_owned()
    };
    let (all, touched) = (seen.values.len(), seen.touched.len());
    #[expect(clippy::cast_precision_loss, reason = "counts of a few thousands")]
    let share = touched as f64 * 100.0 / all.max(1) as f64;
    say(&format!("ordinary: {touched} of {all} texts and attributes of {what} touched ({share:.3} %)"));
    seen.touched
        .iter()
        .take(SHOWN)
        .for_each(|(before, after)| say(&format!("  {before:.100} -> {after:.100}")));
    Ok(())
}

#[derive(Default)]
struct Seen {
    /// Tag, attribute (none: a text) and value.
    values: BTreeSet<(String, String, String)>,
    touched: Vec<(String, String)>,
}

impl Seen {
    fn page(&mut self, page: &Page) {
        for node in 0..page.len() {
            let tag = page.tag(node);
            for (name, value) in page.attributes(node) {
                let attr = |name: &str| page.attr(node, name);
                self.add(tag, name, value, |value| redact_attribute(tag, attr, name, value));
            }
            let text = page.own_text(node, usize::MAX);
            self.add("", "", &text, redact_text);
        }
    }

    fn add(&mut self, tag: &str, name: &str, value: &str, redact: impl Fn(&str) -> String) {
        if value.is_empty() || !self.values.insert((tag.to_owned(), name.to_owned(), value.to_owned())) {
            return;
        }
        let redacted = redact(value);
        if redacted != value {
            self.touched.push((value.to_owned(), redacted));
        }
    }
}
