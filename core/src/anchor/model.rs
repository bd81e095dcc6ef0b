//! The learnt part: two small networks, and their numbers.
//!
//! `cargo xtask train anchor` learns the numbers and writes `weights.rs`; nothing here learns. One network says how
//! well a candidate fits, the other what the best one is: the element, another one while the element is elsewhere, or
//! another one because the element is gone.

use super::{redesign_weights, weights};

/// How many kinds of outcome the second network tells apart.
#[cfg(feature = "training")]
pub(super) const OUTCOMES: usize = 3;

/// A network of one hidden layer, as it is kept. Its inputs are shifted and scaled to mean 0 and deviation 1; an input
/// that is not known is taken as its mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Network<'w> {
    /// Mean and reciprocal of the deviation for each input.
    pub(super) inputs: &'w [(f32, f32)],
    /// For each hidden unit a row: one weight for each input, then the bias.
    pub(super) hidden: &'w [i8],
    /// For each output a row: one weight for each hidden unit, then the bias.
    pub(super) output: &'w [i8],
    /// What one step of the weights means, for each row of `hidden`, then of `output`.
    pub(super) steps: &'w [f32],
}

/// Most inputs and hidden units of a network.
const MOST: usize = 96;
/// Inputs that are added to the units' sums at once.
const STEP: usize = 4;

/// A network laid out to be run: the weights as floats, those of one input for all hidden units beside each other, so
/// that one instruction serves several units.
#[derive(Clone, Debug)]
pub(super) struct Unpacked {
    /// Mean and reciprocal of the deviation for each input.
    means: Vec<f32>,
    scales: Vec<f32>,
    units: usize,
    /// For each input a row of weights, then one of biases, then zeros to fill up the last [`STEP`].
    hidden: Vec<f32>,
    /// What a step of each unit's weights means.
    steps: Vec<f32>,
    outputs: Vec<Output>,
}

#[derive(Clone, Debug)]
struct Output {
    /// One for each unit.
    weights: Vec<f32>,
    bias: f32,
    step: f32,
}

impl Network<'_> {
    pub(super) fn unpack(&self) -> Unpacked {
        let inputs = self.inputs.get(..MOST).unwrap_or(self.inputs);
        let (row, units) = (inputs.len() + 1, (self.hidden.len() / (inputs.len() + 1)).min(MOST));
        let (steps, output_steps) = self.steps.split_at(units.min(self.steps.len()));
        let weight = |weights: &[i8], at: usize| f32::from(weights.get(at).copied().unwrap_or(0));
        let hidden = |(input, unit): (usize, usize)| {
            if input < row { weight(self.hidden, unit * row + input) } else { 0.0 }
        };
        let output = |(at, &step): (usize, &f32)| {
            let of = |unit: usize| weight(self.output, at * (units + 1) + unit);
            Output { weights: (0..units).map(of).collect(), bias: of(units), step }
        };
        let rows = row.next_multiple_of(STEP);
        Unpacked {
            means: inputs.iter().map(|&(mean, _)| mean).collect(),
            scales: inputs.iter().map(|&(_, scale)| scale).collect(),
            units,
            hidden: (0..rows)
                .flat_map(|input| (0..units).map(move |unit| (input, unit)))
                .map(hidden)
                .collect(),
            steps: steps.to_vec(),
            outputs: output_steps.iter().enumerate().map(output).collect(),
        }
    }
}

impl Unpacked {
    /// The outputs' values, as many as `N`. An input that is not a number is not known.
    pub(super) fn run<const N: usize>(&self, inputs: &[f32]) -> [f32; N] {
        let mut scaled = [0.0f32; MOST + STEP];
        for (((slot, value), mean), scale) in scaled.iter_mut().zip(inputs).zip(&self.means).zip(&self.scales)
        {
            let shifted = ((value - mean) * scale).clamp(-4.0, 4.0);
            *slot = if shifted.is_nan() { 0.0 } else { shifted };
        }
        // What the biases are multiplied with.
        scaled[self.means.len()] = 1.0;
        let mut sums = [0.0f32; MOST];
        let sums = &mut sums[..self.units];
        let (values, _) = scaled.as_chunks::<STEP>();
        for (rows, &[a, b, c, d]) in self.hidden.chunks_exact((self.units * STEP).max(1)).zip(values) {
            let (first, rest) = rows.split_at(self.units);
            let (second, rest) = rest.split_at(self.units);
            let (third, fourth) = rest.split_at(self.units);
            for ((((sum, w), x), y), z) in sums.iter_mut().zip(first).zip(second).zip(third).zip(fourth) {
                *sum += w * a + x * b + y * c + z * d;
            }
        }
        for (sum, step) in sums.iter_mut().zip(&self.steps) {
            *sum = (*sum * step).max(0.0);
        }
        let mut outputs = [0.0; N];
        for (value, output) in outputs.iter_mut().zip(&self.outputs) {
            let sum: f32 = sums.iter().zip(&output.weights).map(|(active, weight)| active * weight).sum();
            *value = (sum + output.bias) * output.step;
        }
        outputs
    }
}

/// All learnt numbers, ready to be used.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// From [`super::evidence`] to how well a candidate fits.
    pub(super) fit: Unpacked,
    /// From [`super::outcome`] to the outcomes.
    pub(super) outcome: Unpacked,
    /// From [`super::redesign`] to how well a candidate fits, or its being gone, on a page that was built anew.
    pub(super) redesign: Unpacked,
}

impl Model {
    pub(super) fn new(fit: &Network<'_>, outcome: &Network<'_>) -> Self {
        Self { fit: fit.unpack(), outcome: outcome.unpack(), redesign: redesign_weights::REDESIGN.unpack() }
    }

    /// The numbers in `weights.rs`.
    pub(super) fn learnt() -> Self {
        Self::new(&weights::FIT, &weights::OUTCOME)
    }
}

/// Shares that add up to 1.
pub(super) fn softmax<const N: usize>(values: [f32; N]) -> [f32; N] {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = values.map(|value| (value - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
