//! Defects: said with their place and the words of our own code. What that worked on, as a page's text that was cut
//! where it cannot be, is for no log.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write as _;
use std::panic::PanicHookInfo;

/// Has every defect of this process said so, in the log; on standard error as well when the log does not go there.
pub(super) fn report(log_is_visible: bool) {
    std::panic::set_hook(Box::new(move |defect| {
        let words = words(defect);
        tracing::error!("{words}");
        if log_is_visible {
            return;
        }
        // Nobody need read it.
        let mut stderr = std::io::stderr();
        let _ = writeln!(stderr, "{words}");
        // For who asked for it by `RUST_BACKTRACE`.
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            let _ = writeln!(stderr, "{trace}");
        }
    }));
}

fn words(defect: &PanicHookInfo<'_>) -> String {
    let place = defect.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    // A message that was put together may hold anything.
    match defect.payload().downcast_ref::<&'static str>() {
        Some(said) => format!("a defect at {place}: {said}"),
        None => format!("a defect at {place}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_defect_is_said_with_its_place_and_without_what_it_worked_on() {
        let (said, words_of) = mpsc::channel();
        std::panic::set_hook(Box::new(move |defect| drop(said.send(words(defect)))));
        let page = "the text of a page".to_owned();
        std::thread::spawn(move || panic!("cut in {page}")).join().unwrap_err();
        std::thread::spawn(|| panic!("an invariant of ours")).join().unwrap_err();
        drop(std::panic::take_hook());
        let [first, second] = [words_of.recv().unwrap(), words_of.recv().unwrap()];
        assert!(first.contains("defects.rs") && !first.contains("page"), "{first}");
        assert!(second.ends_with(": an invariant of ours"), "{second}");
    }
}
