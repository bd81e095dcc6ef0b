//! Learns a network of one hidden layer by gradient descent (Adam), and rounds its weights to eight bits.

use opentoolbar_core::anchor::training::{CLUES, Network, REDESIGN_INPUTS, SIGNS};
use xtask::step::say;

use super::examples::{ANEW, BACK, REAL, Seen, VERSIONS};
use super::random::Random;

const BATCH: usize = 64;

/// How a network is learnt.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    pub(super) rounds: usize,
    pub(super) rate: f32,
    /// Keeps weights small, so that no single clue decides.
    pub(super) decay: f32,
    /// How often an input is left out of an example, so that none is relied upon alone.
    pub(super) left_out: f32,
}

impl Pace {
    /// Of many examples.
    pub(super) const MANY: Self = Self { rounds: 20, rate: 0.004, decay: 0.02, left_out: 0.05 };
}

/// Weight of an element that is gone.
const GONE: f32 = 1.1;
/// Weight of versions that are as people left them: there are few of them, and made-up ones only resemble them.
const REAL_WEIGHT: f32 = 12.0;
/// Weight of the same the other way round.
const BACK_WEIGHT: f32 = 6.0;
/// Weight of versions of other pages, which are many.
const VERSIONS_WEIGHT: f32 = 2.0;
/// Weight of made-up new versions of a site.
const ANEW_WEIGHT: f32 = 1.0;

/// Weight of an element that is found without the ranking.
const UNTOUCHED: f32 = 0.3;

/// What the outputs mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// One output for each row of an example; the right row's should be the greatest.
    Ranking,
    /// One row an example; the right output's should be the greatest.
    Kinds,
}

/// One example: its rows of inputs one after the other, and which row or output is right.
pub(super) struct Rows {
    pub(super) inputs: Vec<f32>,
    pub(super) right: usize,
    pub(super) weight: f32,
}

/// The elements that are among their candidates.
pub(super) fn ranking(seen: &[Seen]) -> Vec<Rows> {
    let rows = |one: &Seen| {
        let inputs = one.candidates.iter().flatten().copied().collect();
        let weight = weight_of(one.kind) * if one.untouched { UNTOUCHED } else { 1.0 };
        Some(Rows { inputs, right: one.place?, weight })
    };
    seen.iter().filter_map(rows).collect()
}

/// What became of each element. Of a page's older version as its later one it is not known what is gone.
pub(super) fn outcomes(seen: &[Seen]) -> Vec<Rows> {
    seen.iter()
        .filter(|one| !one.untouched && one.first.is_some() && one.kind != BACK)
        .map(|one| {
            let right = match one.truth {
                None => 2,
                Some(_) if one.truth == one.first => 0,
                Some(_) => 1,
            };
            let weight = weight_of(one.kind) * if right == 2 { GONE } else { 1.0 };
            Rows { inputs: one.signs.to_vec(), right, weight }
        })
        .collect()
}

fn weight_of(kind: usize) -> f32 {
    match kind {
        REAL => REAL_WEIGHT,
        BACK => BACK_WEIGHT,
        VERSIONS => VERSIONS_WEIGHT,
        ANEW..REAL => ANEW_WEIGHT,
        _ => 1.0,
    }
}

/// The weights while they are learnt, all in one list: hidden rows with bias, output rows with bias.
struct Learner {
    count: usize,
    width: usize,
    outputs: usize,
    weights: Vec<f32>,
    inputs: Vec<(f32, f32)>,
}

pub(super) fn learn(
    rows: &[Rows],
    count: usize,
    outputs: usize,
    loss: Loss,
    width: usize,
    pace: Pace,
) -> Network {
    assert!([CLUES, SIGNS, REDESIGN_INPUTS].contains(&count), "the inputs of one of the networks");
    let Pace { rounds, rate: top_rate, decay, left_out } = pace;
    let mut random = Random::new(42);
    let hidden = width * (count + 1);
    let total = hidden + outputs * (width + 1);
    let mut learner = Learner {
        count,
        width,
        outputs,
        weights: (0..total).map(|at| random.normal() * if at < hidden { 0.15 } else { 0.3 }).collect(),
        inputs: spread(rows, count),
    };
    let scaled: Vec<Vec<f32>> = rows.iter().map(|one| learner.scale(&one.inputs)).collect();
    let (mut first, mut second) = (vec![0.0f32; total], vec![0.0f32; total]);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut step = 0;
    let mut average = vec![0.0f32; total];
    let mut averaged = 0.0f32;
    for round in 0..rounds {
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let rate = top_rate * (1.0 - round as f32 / rounds as f32).max(0.03);
        let (mut sum, mut right) = (0.0f64, 0usize);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0f32; total];
            for &at in batch {
                let mut inputs = scaled[at].clone();
                // For all candidates of an example alike.
                let left: Vec<bool> = (0..count).map(|_| !random.chance(left_out)).collect();
                inputs
                    .iter_mut()
                    .zip(left.iter().cycle())
                    .filter(|(_, left)| !**left)
                    .for_each(|(value, _)| *value = 0.0);
                let (cost, hit) = learner.example(&inputs, &rows[at], loss, &mut gradient);
                sum += f64::from(cost);
                right += usize::from(hit);
            }
            step += 1;
            let (fade1, fade2) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
            for at in 0..total {
                let slope = gradient[at] / batch.len() as f32;
                first[at] = 0.9 * first[at] + 0.1 * slope;
                second[at] = 0.999 * second[at] + 0.001 * slope * slope;
                let weight = &mut learner.weights[at];
                *weight -=
                    rate * (first[at] / fade1 / ((second[at] / fade2).sqrt() + 1e-8) + decay * *weight);
            }
            if round + 3 >= rounds {
                average.iter_mut().zip(&learner.weights).for_each(|(sum, weight)| *sum += weight);
                averaged += 1.0;
            }
        }
        if round % 10 == 0 || round + 1 == rounds {
            say(&format!(
                "  round {:>2}: loss {:.4}, right {:.2} %",
                round + 1,
                sum / rows.len() as f64,
                right as f64 * 100.0 / rows.len() as f64
            ));
        }
    }
    // The mean of the last rounds is steadier than the last weights.
    learner.weights = average.into_iter().map(|sum| sum / averaged.max(1.0)).collect();
    learner.rounded()
}

/// Mean and reciprocal of the deviation of each input, of those that are known.
fn spread(rows: &[Rows], count: usize) -> Vec<(f32, f32)> {
    (0..count)
        .map(|input| {
            let known = || {
                rows.iter()
                    .flat_map(|one| one.inputs.iter().skip(input).step_by(count))
                    .filter(|v| !v.is_nan())
            };
            let all = known().count().max(1) as f64;
            let mean = known().map(|&v| f64::from(v)).sum::<f64>() / all;
            let spread = (known().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / all).sqrt();
            (short(mean), short(1.0 / spread.max(0.05)))
        })
        .collect()
}

/// The eight highest bits of a number: the zeros behind them take no room in the WASM.
fn short(value: f64) -> f32 {
    let value = value as f32;
    f32::from_bits((value.to_bits() + 0x4000) & !0x7fff)
}

impl Learner {
    fn scale(&self, inputs: &[f32]) -> Vec<f32> {
        let places = self.inputs.iter().cycle();
        let scaled = |value: f32, (mean, scale): (f32, f32)| {
            if value.is_nan() { 0.0 } else { ((value - mean) * scale).clamp(-4.0, 4.0) }
        };
        inputs.iter().zip(places).map(|(&value, &place)| scaled(value, place)).collect()
    }

    /// Adds the gradient of one example; its cost, and whether the right one was the greatest.
    fn example(&self, inputs: &[f32], rows: &Rows, loss: Loss, gradient: &mut [f32]) -> (f32, bool) {
        let hidden_at = self.width * (self.count + 1);
        let mut active: Vec<Vec<f32>> = Vec::new();
        let mut values: Vec<f32> = Vec::new();
        for row in inputs.chunks_exact(self.count) {
            let units: Vec<f32> = self.weights[..hidden_at]
                .chunks_exact(self.count + 1)
                .map(|unit| {
                    let sum: f32 = unit.iter().zip(row).map(|(weight, value)| weight * value).sum();
                    (sum + unit[self.count]).max(0.0)
                })
                .collect();
            for output in self.weights[hidden_at..].chunks_exact(self.width + 1) {
                let sum: f32 = output.iter().zip(&units).map(|(weight, value)| weight * value).sum();
                values.push(sum + output[self.width]);
            }
            active.push(units);
        }
        let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let all: f32 = values.iter().map(|value| (value - most).exp()).sum();
        let hit = values[rows.right] >= most;
        let cost = all.ln() - (values[rows.right] - most);
        for (at, value) in values.iter().enumerate() {
            let slope = rows.weight * ((value - most).exp() / all - if at == rows.right { 1.0 } else { 0.0 });
            if slope.abs() < 1e-4 {
                continue;
            }
            let (row, output) = match loss {
                Loss::Ranking => (at, 0),
                Loss::Kinds => (0, at),
            };
            debug_assert!(output < self.outputs, "one value for each output");
            let out_at = hidden_at + output * (self.width + 1);
            for unit in 0..self.width {
                let value = active[row][unit];
                gradient[out_at + unit] += slope * value;
                if value > 0.0 {
                    let back = slope * self.weights[out_at + unit];
                    let unit_at = unit * (self.count + 1);
                    let inputs = &inputs[row * self.count..(row + 1) * self.count];
                    for (sum, input) in gradient[unit_at..].iter_mut().zip(inputs) {
                        *sum += back * input;
                    }
                    gradient[unit_at + self.count] += back;
                }
            }
            gradient[out_at + self.width] += slope;
        }
        (cost, hit)
    }

    fn rounded(&self) -> Network {
        let hidden_at = self.width * (self.count + 1);
        let mut steps = Vec::new();
        let mut round = |weights: &[f32], row: usize| -> Vec<i8> {
            weights
                .chunks_exact(row)
                .flat_map(|row| {
                    let step = row.iter().fold(1e-6f32, |most, weight| most.max(weight.abs())) / 127.0;
                    steps.push(step);
                    row.iter().map(move |weight| (weight / step).round() as i8).collect::<Vec<_>>()
                })
                .collect()
        };
        let hidden = round(&self.weights[..hidden_at], self.count + 1);
        let output = round(&self.weights[hidden_at..], self.width + 1);
        Network { inputs: self.inputs.clone(), hidden, output, steps }
    }
}
