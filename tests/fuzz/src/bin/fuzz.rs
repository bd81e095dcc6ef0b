//! One target under libFuzzer: `OPENTOOLBAR_FUZZ_TARGET` names it, its well-formed inputs are written into
//! `OPENTOOLBAR_FUZZ_SEEDS`. `cargo xtask fuzz` builds and starts this.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use opentoolbar_fuzz::{Target, bounds, find, mutate};

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("OPENTOOLBAR_FUZZ_TARGET").unwrap_or_default();
    find(&name).unwrap_or_else(|| {
        eprintln!("there is no target {name:?}; run `cargo xtask fuzz`");
        std::process::exit(2)
    })
});

fuzz_target!(
    init: {
        // The engine reads its folder after this.
        if let Some(folder) = std::env::var_os("OPENTOOLBAR_FUZZ_SEEDS") {
            for (number, seed) in (TARGET.seeds)().iter().enumerate() {
                let _ = std::fs::write(Path::new(&folder).join(format!("seed-{number}")), seed);
            }
        }
    },
    |input: &[u8]| bounds::hold(TARGET.run, input, 1)
);

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    // One change in four is made to the bytes: syntax is input too.
    if TARGET.is_json
        && !seed.is_multiple_of(4)
        && let Some(json) = mutate::mutated(&data[..size], most.min(data.len()), seed)
    {
        data[..json.len()].copy_from_slice(&json);
        return json.len();
    }
    fuzzer_mutate(data, size, most)
});
