//! The learnt part: two small networks, and their numbers.
//!
//! `cargo xtask train anchor` learns the numbers and writes `weights.rs`; nothing here learns. One network says how well
//! a candidate fits, the other what the best one is: the element, another one while the element is elsewhere, or
//! another one because the element is gone.

use super::weights;

/// How many kinds of outcome the second network tells apart.
#[cfg(feature = "training")]
pub(super) const OUTCOMES: usize = 3;

/// A network of one hidden layer. Its inputs are shifted and scaled to mean 0 and deviation 1; an input that is not
/// known is taken as its mean.
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

impl Network<'_> {
    /// The outputs' values, as many as `N`. An input that is not a number is not known.
    pub(super) fn run<const N: usize>(&self, inputs: &[f32]) -> [f32; N] {
        let mut scaled = [0.0f32; 64];
        let count = self.inputs.len().min(scaled.len());
        for ((slot, value), (mean, scale)) in scaled.iter_mut().zip(inputs).zip(self.inputs) {
            *slot = if value.is_nan() { 0.0 } else { ((value - mean) * scale).clamp(-4.0, 4.0) };
        }
        let width = self.hidden.len() / (count + 1);
        let (hidden_steps, output_steps) = self.steps.split_at(width.min(self.steps.len()));
        let mut outputs = [0.0; N];
        let last = N.min(output_steps.len());
        for ((unit, row), step) in self.hidden.chunks_exact(count + 1).enumerate().zip(hidden_steps) {
            let (weights, bias) = row.split_at(count);
            let sum: f32 =
                weights.iter().zip(&scaled).map(|(&weight, value)| f32::from(weight) * value).sum();
            let bias: f32 = bias.iter().map(|&bias| f32::from(bias)).sum();
            let active = ((sum + bias) * step).max(0.0);
            for (output, row) in outputs.iter_mut().zip(self.output.chunks_exact(width + 1)) {
                *output += f32::from(row[unit]) * active;
            }
        }
        for at in 0..last {
            let bias = self.output.get(at * (width + 1) + width).copied().unwrap_or(0);
            outputs[at] = (outputs[at] + f32::from(bias)) * output_steps[at];
        }
        outputs
    }
}

/// All learnt numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model<'w> {
    /// From [`super::evidence`] to how well a candidate fits.
    pub(super) fit: Network<'w>,
    /// From [`super::outcome`] to the outcomes.
    pub(super) outcome: Network<'w>,
}

impl Model<'static> {
    pub(super) const LEARNT: Self = Self { fit: weights::FIT, outcome: weights::OUTCOME };
}

/// Shares that add up to 1.
pub(super) fn softmax<const N: usize>(values: [f32; N]) -> [f32; N] {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = values.map(|value| (value - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
