//! Lays captures down node by node, for the benches that make pages or read them from elsewhere.

use std::collections::HashMap;

use opentoolbar_core::page::{CAPTURE_VERSION, Capture, KIND_DOCUMENT, KIND_ELEMENT, KIND_TEXT, Size};

/// Lays a capture down node by node, in document order.
pub(crate) struct CaptureWriter {
    capture: Capture,
    interned: HashMap<String, u32>,
    count: u32,
}

impl CaptureWriter {
    pub(crate) fn new(url: &str, title: &str) -> Self {
        let capture = Capture {
            version: CAPTURE_VERSION,
            url: url.to_owned(),
            title: title.to_owned(),
            viewport: Size { width: 1920, height: 1080 },
            ..Capture::default()
        };
        let mut writer = Self { capture, interned: HashMap::new(), count: 0 };
        writer.push(KIND_DOCUMENT, -1, url, &[], [0; 4], 0);
        writer
    }

    pub(crate) fn element(
        &mut self,
        parent: u32,
        tag: &str,
        attributes: &[(&str, &str)],
        place: [i32; 4],
        flags: i32,
    ) -> u32 {
        self.push(KIND_ELEMENT, parent.cast_signed(), tag, attributes, place, flags)
    }

    pub(crate) fn text(&mut self, parent: u32, text: &str, place: [i32; 4]) -> u32 {
        self.push(KIND_TEXT, parent.cast_signed(), text, &[], place, 0)
    }

    /// A shadow root or a frame's document.
    pub(crate) fn root(&mut self, kind: i32, host: u32) -> u32 {
        self.push(kind, host.cast_signed(), "", &[], [0; 4], 0)
    }

    pub(crate) fn finish(self) -> Capture {
        self.capture
    }

    fn push(
        &mut self,
        kind: i32,
        parent: i32,
        text: &str,
        attributes: &[(&str, &str)],
        [x, y, width, height]: [i32; 4],
        flags: i32,
    ) -> u32 {
        let string = self.string(text).cast_signed();
        let first = i32::try_from(self.capture.attributes.len() / 2).unwrap_or(i32::MAX);
        let count = i32::try_from(attributes.len()).unwrap_or(i32::MAX);
        for (name, value) in attributes {
            let pair = [self.string(name), self.string(value)];
            self.capture.attributes.extend(pair);
        }
        self.capture.nodes.extend([kind, parent, string, first, count, x, y, width, height, flags]);
        self.count += 1;
        self.count - 1
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.interned.get(text) {
            return id;
        }
        let id = u32::try_from(self.capture.strings.len()).unwrap_or(u32::MAX);
        self.capture.strings.push(text.to_owned());
        self.interned.insert(text.to_owned(), id);
        id
    }
}
