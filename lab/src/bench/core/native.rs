//! The same measurements natively. Baselines: parsing the same bytes without meaning, and the path of places that a
//! selector is when it says nothing.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use opentoolbar_core::anchor::{Anchor, Evidence, Held, Query};
use opentoolbar_core::page::{Capture, CaptureError, Page, strings_of};
use opentoolbar_core::{anchor, element, selector};

use super::subject::{Figure, Subject};

/// Runs of what takes milliseconds.
const RUNS: usize = 15;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Figure>> {
    let Subject { page, json, later, sample, .. } = subject;
    let packed = Packed::of(page);
    let packed = (0..RUNS).map(|_| packed.clone()).collect::<Vec<_>>();
    let packed = packed.into_iter().map(|one| timed(|| drop(black_box(one.decode())))).collect();
    let mut figures = vec![
        summed("decode", packed),
        repeated("decode: JSON, as tests and tools read it", || {
            drop(black_box(Page::decode(black_box(json))))
        }),
        repeated("decode: baseline serde_json::Value", || {
            drop(black_box(serde_json::from_slice::<serde_json::Value>(black_box(json))));
        }),
    ];
    let mut index = Vec::new();
    for _ in 0..RUNS {
        // A page builds its index once, so each run takes a fresh one.
        let fresh = Page::decode(json)?;
        index.push(timed(|| {
            black_box(fresh.index());
        }));
    }
    figures.push(summed("index", index));
    let each = |what: &str, run: &dyn Fn(u32)| {
        // Three rounds, the best of each element: the machine's other work is not ours.
        let best =
            sample.iter().map(|&node| (0..3).map(|_| timed(|| run(node))).fold(f64::INFINITY, f64::min));
        summed(what, best.collect())
    };
    figures.push(each("describe, an element", &|node| drop(black_box(element::describe(page, node, None)))));
    figures.push(each("selector, an element", &|node| drop(black_box(selector::generate(page, node)))));
    figures.push(each("selector: baseline nth-child path", &|node| drop(black_box(places(page, node)))));
    let mut first = Vec::new();
    for _ in 0..RUNS {
        let fresh = Page::decode(json)?;
        let node = sample.first().copied().unwrap_or(0);
        first.push(timed(|| drop(black_box(anchor::target_of(&fresh, node, None)))));
    }
    figures.push(summed("target, the first of a page", first));
    figures.push(each("target (all of an element)", &|node| {
        drop(black_box(anchor::target_of(page, node, None)))
    }));
    let texts = sample
        .iter()
        .map(|&node| Ok(anchor::target_of(page, node, None)?.anchor))
        .collect::<Result<Vec<_>>>()?;
    let keep = || texts.iter().map(|text| Ok(Anchor::from_base64(text)?)).collect::<Result<Vec<_>>>();
    figures.push(repeated("keep 100 anchors, decoded once", || drop(black_box(keep()))));
    let anchors = keep()?;
    let mut first = Vec::new();
    for _ in 0..RUNS {
        let fresh = Page::decode(later)?;
        first.push(timed(|| drop(black_box(anchor::relocate(&fresh, anchors.get(..1).unwrap_or(&[]))))));
    }
    figures.push(summed("relocate, the first on an edited page", first));
    let edited = Page::decode(later)?;
    figures.push(repeated("relocate, 100 anchors, edited page", || {
        drop(black_box(anchor::relocate(&edited, &anchors)))
    }));
    figures.push(repeated("relocate, 100 anchors, same page", || {
        drop(black_box(anchor::relocate(page, &anchors)))
    }));
    // The same search with what differs put down to its cause, as the extension asks.
    let first_query = || anchors.iter().take(1).map(query).collect();
    let first = (0..RUNS).map(|_| Ok((Page::decode(later)?, first_query()))).collect::<Result<Vec<_>>>()?;
    let first = first.into_iter().map(|(fresh, one)| timed(|| drop(black_box(anchor::judge(&fresh, one)))));
    figures.push(summed("judge, the first on an edited page", first.collect()));
    for (what, page) in
        [("judge, 100 anchors, edited page", &edited), ("judge, 100 anchors, same page", page)]
    {
        let all = (0..RUNS).map(|_| anchors.iter().map(query).collect::<Vec<_>>()).collect::<Vec<_>>();
        let times = all.into_iter().map(|all| timed(|| drop(black_box(anchor::judge(page, all)))));
        figures.push(summed(what, times.collect()));
    }
    let addresses: Vec<String> =
        sample.iter().filter_map(|&node| selector::generate(page, node).ok()).collect();
    let resolved =
        addresses.iter().map(|address| timed(|| drop(black_box(selector::resolve(page, address)))));
    figures.push(summed("resolve, a selector", resolved.collect()));
    Ok(figures)
}

/// A page as it crosses into WASM: its lists, and its strings as one text.
#[derive(Clone)]
struct Packed {
    capture: Capture,
    strings: String,
}

impl Packed {
    fn of(page: &Page) -> Self {
        let capture = page.to_capture();
        let strings = capture.strings.iter().flat_map(|string| [string.as_str(), "\0"]).collect();
        Self { capture: Capture { strings: Vec::new(), ..capture }, strings }
    }

    fn decode(self) -> Result<Page, CaptureError> {
        Page::from_capture(Capture { strings: strings_of(&self.strings), ..self.capture })
    }
}

/// As by a tab that never saw the element and was loaded after a change of the source.
fn query(anchor: &Anchor) -> Query {
    Query {
        anchor: anchor.clone(),
        look: None,
        varied: Vec::new(),
        evidence: Evidence::Loaded,
        found: Vec::new(),
        held: Held::Unknown,
    }
}

fn repeated(what: &str, run: impl Fn()) -> Figure {
    summed(what, (0..RUNS).map(|_| timed(&run)).collect())
}

fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1_000.0
}

pub(super) fn summed(what: &str, mut times: Vec<f64>) -> Figure {
    times.sort_by(f64::total_cmp);
    let at = |index: usize| times.get(index).copied().unwrap_or(0.0);
    Figure { what: what.to_owned(), median: at(times.len() / 2), worst: at(times.len().saturating_sub(1)) }
}

/// `html:nth-child(1) > body:nth-child(2) > ...`, the selector that needs no thought.
fn places(page: &Page, node: u32) -> String {
    let mut steps = Vec::new();
    let mut element = Some(node);
    while let Some(this) = element {
        let before = page
            .parent(this)
            .map_or(0, |above| page.element_children(above).take_while(|&c| c < this).count());
        let place = before + 1;
        steps.push(format!("{}:nth-child({place})", page.tag(this)));
        element = page.parent_element(this);
    }
    steps.reverse();
    steps.join(" > ")
}
