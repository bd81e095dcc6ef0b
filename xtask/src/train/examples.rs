//! The examples: the corpus's pairs of the train part, real versions of other pages, and seeded edits of both.

use std::path::Path;

use anyhow::Result;
use opentoolbar_core::anchor::VERSION;
use opentoolbar_core::anchor::training::{CLUES, Numbers, SIGNS, look as look_for};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;

use super::mutate::{Rates, built, crop, mutate};
use super::random::Random;
use crate::bench::corpus::{self, Part};
use crate::step::say;

/// Elements of a made-up pair that are looked for.
const TARGETS: usize = 40;
/// Kinds of edits, see [`Rates::of`].
pub(super) const KINDS: usize = 9;
/// The first of those that are made-up new versions of a site.
pub(super) const ANEW: usize = 6;
/// In place of a kind: two versions as they are in the corpus.
pub(super) const REAL: usize = KINDS;
/// In place of a kind: another page altogether, as when a session ends and the log-in page is shown.
pub(super) const OTHER: usize = KINDS + 1;
/// Selectors of each element, as the extension keeps them.
const SELECTORS: usize = 4;
/// Parts of each page that are taken for small pages.
const CROPS: usize = 4;
/// Most elements of a page that is edited: larger ones take long and teach nothing else.
const LARGEST: u32 = 40_000;

/// In place of a kind: two versions the other way round.
pub(super) const BACK: usize = KINDS + 2;

/// In place of a kind: two versions of a page that is not of the corpus.
pub(super) const VERSIONS: usize = KINDS + 3;

/// How often a page of these is edited as well.
const EDITED: f32 = 0.5;

/// Two versions of a page with the truth.
pub(super) struct Example {
    kind: usize,
    /// Of the anchors.
    version: u8,
    /// Each is looked for by itself, as the only comment on its page.
    alone: bool,
    old: Page,
    new: Page,
    /// Element, its selectors, where it is.
    targets: Vec<(u32, Vec<String>, Option<u32>)>,
}

/// One element that was looked for.
pub(super) struct Seen {
    /// Which kind of edit, or [`REAL`].
    pub(super) kind: usize,
    pub(super) truth: Option<u32>,
    /// At which place of the candidates it is.
    pub(super) place: Option<usize>,
    /// What is taken for it, when the others have theirs.
    pub(super) first: Option<u32>,
    pub(super) candidates: Vec<[f32; CLUES]>,
    pub(super) signs: [f32; SIGNS],
    pub(super) untouched: bool,
}

/// Everything that is learnt from; `versions` is a folder as [`super::pages`] makes it.
pub(super) fn read(corpus: &Path, versions: Option<&Path>, quick: bool) -> Result<Vec<Example>> {
    let mut random = Random::new(0x6f70_656e_746f_6f6e);
    let mut examples = read_corpus(corpus, quick, &mut random)?;
    if let Some(versions) = versions {
        examples.extend(read_versions(versions, quick, &mut random)?);
    }
    mix(&mut examples);
    say(&format!("{} pairs to learn from.", examples.len()));
    Ok(examples)
}

/// Of every kind there are anchors of earlier versions, and comments that are alone on their page.
fn mix(examples: &mut [Example]) {
    // Some anchors are of the version before, which knew less.
    examples.iter_mut().skip(7).step_by(8).for_each(|example| example.version = 1);
    // Many are of another version of the page than the others, and many a comment is alone on its page.
    examples.iter_mut().skip(2).step_by(3).for_each(|example| example.version = example.version.min(2));
    examples.iter_mut().skip(1).step_by(3).for_each(|example| example.alone = true);
}

/// Pairs of which no part is for judging, and edits of their pages.
fn read_versions(versions: &Path, quick: bool, random: &mut Random) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    for place in corpus::pairs(versions)? {
        if quick && random.chance(0.8) {
            continue;
        }
        let pair = place.read()?;
        if random.chance(EDITED) {
            let kind = examples.len() % KINDS;
            examples.extend(made_up(&pair.old.page, kind, random));
        }
        let targets = pair.targets.iter().map(|one| (one.old, one.new)).collect();
        examples.push(example(VERSIONS, pair.old.page, pair.new.page, targets));
    }
    Ok(examples)
}

fn read_corpus(corpus: &Path, quick: bool, random: &mut Random) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    let mut another: Option<Page> = None;
    for place in corpus::pairs(corpus)? {
        let pair = place.read()?;
        if pair.part != Part::Train {
            continue;
        }
        let edits = if pair.set.starts_with("mut") { 16 } else { 8 };
        for round in 0..edits {
            let kinds = if quick { 1 + random.below(2) } else { KINDS };
            for _ in 0..kinds {
                let kind = if quick { random.below(KINDS) } else { examples.len() % KINDS };
                let base = if round % 2 == 0 { &pair.old.page } else { &pair.new.page };
                examples.extend(made_up(base, kind, random));
            }
        }
        for round in 0..if quick { 1 } else { CROPS } {
            let base = if round % 2 == 0 { &pair.old.page } else { &pair.new.page };
            let Some(part) = crop(base, random) else { continue };
            if let Some(another) = another.replace(part.clone()) {
                let shown = part.elements().filter(|&node| part.is_visible(node));
                let targets = shown.filter(|_| random.chance(0.1)).map(|node| (node, None)).collect();
                examples.push(example(OTHER, part.clone(), another, targets));
            }
            for _ in 0..2 {
                let kind = random.below(KINDS);
                examples.extend(made_up(&part, kind, random));
            }
        }
        let back = pair.targets.iter().filter_map(|one| Some((one.new?, Some(one.old)))).collect();
        examples.push(example(BACK, pair.new.page.clone(), pair.old.page.clone(), back));
        let targets = pair.targets.iter().map(|one| (one.old, one.new)).collect();
        examples.push(example(REAL, pair.old.page, pair.new.page, targets));
    }
    Ok(examples)
}

/// How often a page is built with a tool that puts hashes behind class names.
const BUILT: f32 = 0.2;

fn made_up(old: &Page, kind: usize, random: &mut Random) -> Option<Example> {
    let built = if random.chance(BUILT) { built(old, random) } else { None };
    let old = built.as_ref().unwrap_or(old);
    let shown: Vec<u32> = old.elements().filter(|&node| old.is_visible(node)).collect();
    if shown.len() < 20 || old.len() > LARGEST {
        return None;
    }
    let count = TARGETS.min(shown.len() / 4);
    let mut targets: Vec<u32> = (0..count).map(|_| *random.of(&shown)).collect();
    targets.sort_unstable();
    targets.dedup();
    let rates = if shown.len() < 400 { Rates::of(kind, random).livelier() } else { Rates::of(kind, random) };
    let rates = Rates { rebuilt: built.is_some(), ..rates };
    let (new, places) = mutate(old, &targets, &rates, random)?;
    Some(example(kind, old.clone(), new, targets.into_iter().zip(places).collect()))
}

fn example(kind: usize, old: Page, new: Page, targets: Vec<(u32, Option<u32>)>) -> Example {
    let targets = targets
        .into_iter()
        .map(|(node, truth)| (node, selector::diverse(&old, node, SELECTORS).unwrap_or_default(), truth))
        .collect();
    Example { kind, version: VERSION, alone: false, old, new, targets }
}

/// Looks for all targets of all examples, on two threads.
pub(super) fn look(numbers: &Numbers, examples: &[Example]) -> Result<Vec<Seen>> {
    let half = examples.len().div_ceil(3);
    let parts: Vec<Result<Vec<Seen>>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            examples.chunks(half.max(1)).map(|part| scope.spawn(move || look_at(numbers, part))).collect();
        let lost = || Err(anyhow::anyhow!("a thread that looked at examples ended"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
    });
    Ok(parts.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn look_at(numbers: &Numbers, examples: &[Example]) -> Result<Vec<Seen>> {
    let mut seen = Vec::new();
    for example in examples {
        let elements: Vec<(u32, Vec<String>)> =
            example.targets.iter().map(|(node, selectors, _)| (*node, selectors.clone())).collect();
        let at_once = if example.alone { 1 } else { elements.len().max(1) };
        let mut looks = Vec::new();
        for part in elements.chunks(at_once) {
            looks.extend(look_for(numbers, &example.old, part, &example.new, example.version)?);
        }
        for (one, &(_, _, truth)) in looks.into_iter().zip(&example.targets) {
            let place = truth.and_then(|truth| one.candidates.iter().position(|(node, _)| *node == truth));
            let candidates = one.candidates.into_iter().map(|(_, evidence)| evidence).collect();
            seen.push(Seen {
                kind: example.kind,
                truth,
                place,
                first: one.first,
                candidates,
                signs: one.signs,
                untouched: one.untouched,
            });
        }
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test may stop at what cannot be")]

    use opentoolbar_core::anchor::VERSION;
    use opentoolbar_core::anchor::training::Numbers;
    use opentoolbar_core::page::Page;

    use super::{Example, example, look_at, mix};

    fn page(main: &str) -> Page {
        let html = format!("<html><body><main>{main}</main></body></html>");
        Page::from_html(&html, "https://corpus.example/").expect("a page")
    }

    /// Two buttons with the same words, of which one is left.
    fn twins() -> Example {
        let old = page("<p>Name</p><button>Save</button><p>Address</p><button>Save</button>");
        let buttons: Vec<u32> = old.elements().filter(|&node| old.tag(node) == "button").collect();
        let targets = buttons.into_iter().map(|node| (node, None)).collect();
        example(0, old, page("<p>Name</p><button>Save</button>"), targets)
    }

    #[test]
    fn in_a_third_of_the_examples_each_comment_is_alone_with_anchors_of_this_version() {
        let mut examples: Vec<Example> = std::iter::repeat_with(twins).take(48).collect();
        mix(&mut examples);
        let alone: Vec<&Example> = examples.iter().filter(|example| example.alone).collect();
        assert_eq!(alone.len(), 16);
        // Of those some are of the first version, as of the others.
        assert_eq!(alone.iter().filter(|example| example.version == VERSION).count(), 14);
        let earlier = |version| examples.iter().filter(|example| example.version == version).count();
        assert_eq!((earlier(1), earlier(2)), (6, 14));
    }

    #[test]
    fn of_an_example_whose_comments_are_alone_each_is_looked_for_without_the_others() {
        let numbers = Numbers::learnt();
        // By their bits: what is not known is no number, and equal to none.
        let signs = |example| -> Vec<Vec<u32>> {
            let seen = look_at(&numbers, &[example]).expect("elements");
            seen.into_iter().map(|one| one.signs.iter().map(|sign| sign.to_bits()).collect()).collect()
        };
        let by_itself = |at: usize| {
            let all = twins();
            Example { targets: vec![all.targets[at].clone()], ..all }
        };
        let alone = signs(Example { alone: true, ..twins() });
        assert_eq!(alone, [signs(by_itself(0)), signs(by_itself(1))].concat());
        assert_ne!(alone, signs(twins()));
    }
}
