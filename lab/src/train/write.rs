//! Writes the learnt numbers as Rust.

use std::fmt::Write as _;

use anyhow::Result;
use opentoolbar_core::anchor::training::{Network, Numbers};

pub(super) fn text(numbers: &Numbers) -> Result<String> {
    let mut text = String::from(
        "//! The model's numbers, learnt by `cargo xtask train anchor`. Not written by hand.\n\n\
         use super::model::Network;\n\n",
    );
    for (name, network) in [("FIT", &numbers.fit), ("OUTCOME", &numbers.outcome)] {
        constant(&mut text, name, network)?;
    }
    Ok(text)
}

/// One network in a file of its own.
pub(super) fn one(name: &str, network: &Network) -> Result<String> {
    let mut text = String::from(
        "//! The numbers for pages that were built anew, learnt by `cargo xtask train redesigns`. Not written by hand.\n\n\
         use super::model::Network;\n\n",
    );
    constant(&mut text, name, network)?;
    Ok(text)
}

fn constant(text: &mut String, name: &str, network: &Network) -> Result<()> {
    writeln!(text, "#[rustfmt::skip]\npub(super) const {name}: Network<'static> = Network {{")?;
    let inputs: Vec<String> =
        network.inputs.iter().map(|(mean, scale)| format!("({mean:?}, {scale:?})")).collect();
    writeln!(text, "    inputs: &[{}],", inputs.join(", "))?;
    for (field, weights) in [("hidden", &network.hidden), ("output", &network.output)] {
        let weights: Vec<String> = weights.iter().map(i8::to_string).collect();
        writeln!(text, "    {field}: &[")?;
        for line in weights.chunks(24) {
            writeln!(text, "        {},", line.join(", "))?;
        }
        writeln!(text, "    ],")?;
    }
    let steps: Vec<String> = network.steps.iter().map(|step| format!("{step:e}")).collect();
    writeln!(text, "    steps: &[{}],\n}};", steps.join(", "))?;
    Ok(())
}
