//! How much is right of the cases of each group, and how far the confidences can be trusted.
//!
//! Cases whose name has a number are in two halves: what is wrong with the odd ones is printed, of the even ones it is
//! counted only, so that nobody tunes to them.

use std::collections::BTreeMap;
use std::path::Path;

use libtest_mimic::Failed;

use crate::case::Case;
use crate::verdicts::{Look, Tally};

/// What is reached, in per cent of looks together and of each alone: nobody makes it worse unseen. Nothing of a group
/// is shown as it was when it was not.
const REACHED: [(&str, f64, f64); 2] = [("adversarial", 95.0, 93.0), ("redesign", 80.5, 79.0)];

/// Prints how much is right of the cases of each group.
///
/// # Errors
/// When a case cannot be read, or less is right than was.
pub(crate) fn print(folder: &Path) -> Result<(), Failed> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let case = Case::read(&crate::files(&entry.path())?)?;
        let Some(group) = &case.group else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        let held_out = half(&name);
        let judged = [judged(&case, false)?, judged(&case, true)?];
        let wrong_of = (held_out != Some(true)).then_some(&*name);
        groups.entry(group.clone()).or_default().add(&judged, wrong_of);
        if let Some(held_out) = held_out {
            let half = if held_out { "held out" } else { "to look at" };
            groups.entry(format!("{group}, {half}")).or_default().add(&judged, None);
        }
    }
    let mut worse = Vec::new();
    for (name, group) in groups {
        for (how, tally) in [("together", group.together), ("each alone", group.alone)] {
            tally.wrong.iter().for_each(|wrong| println!("  {how}: {wrong}"));
            let Tally { targets, right, silent, .. } = tally;
            println!(
                "{name}, {} pairs, {how}: {right} of {targets} right, {silent} silent mistakes",
                group.pairs
            );
            println!("    {}", shares(&tally.looks));
            worse.extend(fallen_behind(&name, how, silent, &tally.looks));
        }
    }
    if worse.is_empty() { Ok(()) } else { Err(worse.join("; ").into()) }
}

/// What is worse than it was.
fn fallen_behind(group: &str, how: &str, silent: usize, looks: &[Look]) -> Option<String> {
    let &(_, together, alone) = REACHED.iter().find(|(name, ..)| *name == group)?;
    let least = if how == "together" { together } else { alone };
    let whole = 100.0 * share(looks.iter().filter(|look| look.is_whole).count(), looks.len());
    (silent > 0 || whole < least)
        .then(|| format!("{group}, {how}: {silent} silent mistakes, {whole:.1} % whole, {least} before"))
}

/// Whether a case is held out; `None` of those without a number.
fn half(name: &str) -> Option<bool> {
    let number = name.split('-').find_map(|word| word.parse::<u32>().ok())?;
    Some(number.is_multiple_of(2))
}

/// The cases that are counted together.
#[derive(Default)]
struct Group {
    pairs: usize,
    together: Tally,
    alone: Tally,
}

impl Group {
    /// What is wrong is told with the case's name, if one is given.
    fn add(&mut self, judged: &[Tally; 2], name: Option<&str>) {
        self.pairs += 1;
        for (tally, one) in [&mut self.together, &mut self.alone].into_iter().zip(judged) {
            tally.targets += one.targets;
            tally.right += one.right;
            tally.silent += one.silent;
            tally.looks.extend_from_slice(&one.looks);
            let wrong = name
                .into_iter()
                .flat_map(|name| one.wrong.iter().map(move |wrong| format!("{name}, {wrong}")));
            tally.wrong.extend(wrong);
        }
    }
}

fn judged(case: &Case, is_alone: bool) -> Result<Tally, Failed> {
    let mut tally = Tally::default();
    tally.add(case, is_alone)?;
    Ok(tally)
}

/// The figures of `cargo xtask bench anchor`, over looks with boxes and without.
fn shares(looks: &[Look]) -> String {
    let part = |count: usize, of: usize| format!("{count}/{of} = {:.1} %", 100.0 * share(count, of));
    let count = |which: &dyn Fn(&Look) -> bool| looks.iter().filter(|look| which(look)).count();
    let (there, gone) = (count(&|look| look.is_there), count(&|look| !look.is_there));
    format!(
        "of looks: whole {}, element {}, gone said gone {}, missing said of what is there {}, ECE {:.3}",
        part(count(&|look| look.is_whole), looks.len()),
        part(count(&|look| look.is_there && look.is_element), there),
        part(count(&|look| !look.is_there && look.is_whole), gone),
        part(count(&|look| look.is_there && look.is_missing), there),
        calibration_error(looks)
    )
}

/// Expected calibration error over ten bins.
fn calibration_error(looks: &[Look]) -> f64 {
    (0_u8..10)
        .map(|bin| {
            let inside = || {
                looks.iter().filter(move |look| (look.confidence * 10.0).min(9.0).floor() == f32::from(bin))
            };
            let sum: f64 =
                inside().map(|look| f64::from(look.confidence) - f64::from(u8::from(look.is_right))).sum();
            sum.abs() / share(looks.len(), 1)
        })
        .sum()
}

fn share(count: usize, of: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(of.max(1)).unwrap_or(u32::MAX))
}
