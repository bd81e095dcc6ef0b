//! How much is edited, by kind of edit.

use super::versions::Redo;
use crate::train::random::Random;

/// How much of a page is another afterwards, each 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::train) struct Rates {
    pub(in crate::train) text: f32,
    pub(in crate::train) attribute: f32,
    pub(in crate::train) insert: f32,
    pub(in crate::train) delete: f32,
    pub(in crate::train) shift: f32,
    pub(in crate::train) wrap: f32,
    /// Of the class names and ids of the page.
    pub(in crate::train) rename: f32,
    /// Of the lists.
    pub(in crate::train) list: f32,
    /// Of the tags that could as well be another.
    pub(in crate::train) tag: f32,
    /// Of the elements that are looked for: edited, and deleted.
    pub(in crate::train) edited: f32,
    pub(in crate::train) gone: f32,
    /// Moved.
    pub(in crate::train) moved: f32,
    /// Another takes the very place.
    pub(in crate::train) displaced: f32,
    /// Every class name had a hash behind it, and gets another.
    pub(in crate::train) rebuilt: bool,
    /// All texts in another language.
    pub(in crate::train) translated: bool,
    /// A new version of the site, or hardly anything of it.
    pub(in crate::train) redo: Redo,
}

impl Rates {
    /// The kinds of edits that pages see, each as light or heavy as `random` says.
    pub(in crate::train) fn of(kind: usize, random: &mut Random) -> Self {
        let by = 0.5 + 1.5 * random.share();
        let base = Self { edited: 0.2, gone: 0.2, moved: 0.04, displaced: 0.08, ..Self::default() };
        let edit = Self {
            text: 0.02 * by,
            attribute: 0.012 * by,
            insert: 0.008 * by,
            delete: 0.008 * by,
            shift: 0.006 * by,
            wrap: 0.004 * by,
            ..base
        };
        let heavy = Self {
            text: 0.09 * by,
            attribute: 0.05 * by,
            insert: 0.03 * by,
            delete: 0.03 * by,
            shift: 0.025 * by,
            wrap: 0.015 * by,
            rename: 0.25,
            list: 0.3,
            ..base
        };
        match kind {
            0 => Self { rename: 0.5 * by, text: 0.005, insert: 0.002, delete: 0.002, ..base },
            1 => edit,
            2 => Self { list: 0.25 * by, text: 0.005, ..base },
            3 => heavy,
            4 => Self { translated: true, gone: 0.1, edited: 0.05, text: 0.0, ..edit },
            // A redesign: hardly a class or a tree is left, most words are.
            5 => Self { rename: 0.8, tag: 0.2 * by, wrap: 0.04 * by, text: 0.06 * by, ..heavy },
            // A release, a version years later, the same site done anew.
            _ => {
                let level = match kind {
                    6 => 0.1 + 0.2 * random.share(),
                    7 => 0.2 + 0.5 * random.share(),
                    _ => 0.6 + 0.6 * random.share(),
                };
                let gone = 0.05 + 0.15 * random.share();
                let displaced = 0.02;
                Self {
                    redo: Redo::of(level, random),
                    list: 0.1 * level,
                    gone,
                    displaced,
                    edited: 0.1,
                    ..edit
                }
            }
        }
    }
}

impl Rates {
    /// For a small page, which has few places where something can happen.
    pub(in crate::train) fn livelier(self) -> Self {
        let by = |rate: f32| (rate * 3.0).min(0.3);
        Self {
            text: by(self.text),
            insert: by(self.insert),
            delete: by(self.delete),
            shift: by(self.shift),
            wrap: by(self.wrap),
            list: (self.list * 2.0).min(0.8),
            displaced: 0.15,
            ..self
        }
    }
}
