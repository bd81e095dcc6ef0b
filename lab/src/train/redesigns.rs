//! `cargo xtask train redesigns`: learns the numbers with which an element is found on a page that was built anew, from
//! the odd ones of the pairs `tests/cases/anchor/redesign-*` and from those of `tests/cases/redesigns`. The even ones
//! are held out: they are counted, and nothing is learnt of them.

use std::path::Path;

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::training::{Network, REDESIGN_INPUTS, Redesigned, redesign_values, redesigned};
use opentoolbar_core::anchor::{Anchor, target_of};
use opentoolbar_core::page::Page;
use xtask::step::say;
use xtask::workspace;

use super::learn::{Loss, Pace, Rows, learn};
use super::write;
use crate::corpus::marks::page;

/// Hidden units.
const WIDTH: usize = 16;
/// How often it is learnt: which comments are found for sure, and so tell of the others, comes from the numbers.
const TURNS: usize = 2;
/// Weight of a page that is not the element's at all, of which there are as many as of real ones.
const OTHERS: f32 = 0.2;
/// Of few examples.
const PACE: Pace = Pace { rounds: 15, rate: 0.004, decay: 0.02, left_out: 0.1 };

/// Two versions of a page, with the elements that are looked for and what they became.
struct Pair {
    number: u32,
    old: Page,
    new: Page,
    marks: Vec<(u32, Option<u32>)>,
}

/// One element that was looked for on a page that was built anew.
struct Look {
    pair: u32,
    /// Of its own page, or of another.
    is_own: bool,
    seen: Redesigned,
    is_there: bool,
    /// The place among the candidates, or past the last when it is gone; none when it is there and not among them.
    right: Option<usize>,
}

pub(super) fn run(check: bool) -> Result<()> {
    crate::ensure_optimised()?;
    let pairs = read()?;
    let mut network = Network::default();
    for turn in 1..=TURNS {
        say(&format!("Turn {turn}: looking at {} pairs ...", pairs.len()));
        let looks = look(&network, &pairs)?;
        let odd: Vec<&Look> = looks.iter().filter(|look| look.pair % 2 == 1).collect();
        let learnt = learn_from(&odd);
        report(&looks, &learnt);
        network = learnt;
    }
    let path = workspace::root().join("core/src/anchor/redesign_weights.rs");
    let text = write::one("REDESIGN", &network)?;
    if check {
        let kept =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        anyhow::ensure!(kept == text, "{} is not what these pairs and this code give", path.display());
        say(&format!("{} is what these pairs and this code give.", path.display()));
    } else {
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        say(&format!("Wrote {}.", path.display()));
    }
    Ok(())
}

/// How many whole outcomes are right, what being wrong costs together, and how many there are.
fn figures<'l>(looks: impl Iterator<Item = &'l Look>, network: &Network) -> (f64, f64, f64) {
    let (mut whole, mut loss, mut count) = (0.0, 0.0, 0.0);
    for one in looks {
        let shares = shares(one, network);
        let last = shares.len() - 1;
        let best = (0..last).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
        let said = if shares[last] > shares[best] { last } else { best };
        whole += f64::from(u8::from(one.right == Some(said)));
        loss -= f64::from(one.right.map_or(1e-3, |right| shares[right].max(1e-6))).ln();
        count += 1.0;
    }
    (whole, loss, count)
}

/// The shares of all candidates, and last of its being gone.
fn shares(one: &Look, network: &Network) -> Vec<f32> {
    let values = redesign_values(network, &rows_of(one));
    let top = values.iter().copied().fold(f32::MIN, f32::max);
    let all: f32 = values.iter().map(|value| (value - top).exp()).sum();
    values.iter().map(|value| (value - top).exp() / all).collect()
}

fn rows_of(one: &Look) -> Vec<[f32; REDESIGN_INPUTS]> {
    let candidates = one.seen.candidates.iter().map(|&(_, inputs)| inputs);
    candidates.chain([one.seen.gone]).collect()
}

fn learn_from(looks: &[&Look]) -> Network {
    let rows = |one: &&Look| {
        let inputs = rows_of(one).into_iter().flatten().collect();
        Some(Rows { inputs, right: one.right?, weight: if one.is_own { 1.0 } else { OTHERS } })
    };
    let rows: Vec<Rows> = looks.iter().filter_map(rows).collect();
    learn(&rows, REDESIGN_INPUTS, 1, Loss::Ranking, WIDTH, PACE)
}

fn report(looks: &[Look], network: &Network) {
    for (name, half, is_own) in [("learnt from", 1, true), ("other pages", 1, false), ("held out", 0, true)] {
        let of = || looks.iter().filter(move |one| one.pair % 2 == half && one.is_own == is_own);
        let (whole, loss, count) = figures(of(), network);
        let there = of().filter(|one| one.is_there).count();
        say(&format!(
            "  {name:<12} {count:>5} looks, {there:>5} there: whole {:.1} %, loss {:.3}",
            100.0 * whole / count,
            loss / count
        ));
    }
}

/// All that is looked for as on a page that was built anew: together with the others of its page, alone, and on another
/// page.
fn look(network: &Network, pairs: &[Pair]) -> Result<Vec<Look>> {
    let mut looks = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        let anchor = |&(node, _): &(u32, Option<u32>)| -> Result<Anchor> {
            Ok(Anchor::from_base64(&target_of(&pair.old, node, None)?.anchor)?)
        };
        let anchors: Vec<Anchor> = pair.marks.iter().map(anchor).collect::<Result<_>>()?;
        let mut add = |seen: Vec<Option<Redesigned>>, marks: &[(u32, Option<u32>)], is_own: bool| {
            for (seen, &(_, truth)) in seen.into_iter().zip(marks) {
                let (Some(seen), truth) = (seen, truth.filter(|_| is_own)) else { continue };
                let place = |node: u32| seen.candidates.iter().position(|&(other, _)| other == node);
                let right = truth.map_or(Some(seen.candidates.len()), place);
                looks.push(Look { pair: pair.number, is_own, is_there: truth.is_some(), right, seen });
            }
        };
        let next = pairs.iter().cycle().skip(at + 1).find(|next| next.number % 2 == pair.number % 2);
        add(redesigned(network, &anchors, &pair.new), &pair.marks, true);
        for (anchor, mark) in anchors.chunks(1).zip(pair.marks.chunks(1)) {
            add(redesigned(network, anchor, &pair.new), mark, true);
            if let Some(next) = next {
                add(redesigned(network, anchor, &next.new), mark, false);
            }
        }
    }
    Ok(looks)
}

/// Folders with pairs.
const FOLDERS: [&str; 2] = ["tests/cases/anchor", "tests/cases/redesigns"];

fn read() -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for folder in FOLDERS.map(workspace::path) {
        let entries = std::fs::read_dir(&folder);
        for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let number = name.strip_prefix("redesign-").and_then(|rest| rest.split('-').next()?.parse().ok());
            if let Some(number) = number {
                pairs.push(pair(&path, number).with_context(|| name)?);
            }
        }
    }
    pairs.sort_by_key(|pair| pair.number);
    Ok(pairs)
}

fn pair(folder: &Path, number: u32) -> Result<Pair> {
    let file = |name: &str| std::fs::read_to_string(folder.join(name)).with_context(|| name.to_owned());
    let page = |name: &str| page(name, &file(name)?).map_err(anyhow::Error::msg);
    let (old, before) = page("old.html")?;
    let (new, after) = page("new.html")?;
    let marks = before.into_iter().map(|(mark, node)| (node, after.get(&mark).copied())).collect();
    Ok(Pair { number, old, new, marks })
}
