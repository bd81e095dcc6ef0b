//! What one input may cost.

use std::time::Duration;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Processor time for one input. Not a clock's: what else the machine does must not count.
pub const MOST_TIME: Duration = Duration::from_secs(1);

/// Memory for one input, in bytes, above what was taken before.
pub const MOST_MEMORY: usize = 256 * 1024 * 1024;

/// Runs one input.
///
/// # Panics
/// When the target does, or the input takes more memory or `slower` times more processor time than it may. `slower`: 1,
/// and more in a build that is not optimised.
pub fn hold(run: fn(&[u8]), input: &[u8], slower: u32) {
    let memory = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let began = processor_time();
    run(input);
    let took = processor_time().saturating_sub(began);
    let grown = MEMORY.peak_usage().saturating_sub(memory);
    assert!(took <= MOST_TIME * slower, "an input of {} bytes took {took:?}", input.len());
    assert!(grown <= MOST_MEMORY, "an input of {} bytes took {grown} bytes of memory", input.len());
}

/// What this thread has taken of a processor.
#[cfg(unix)]
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// No system call without a crate of its own: the clock has to do.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static BEGAN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed()
}
