//! Boxes for a page that was read from HTML: a live page has them, and what is right is right with and without.

use opentoolbar_core::page::{Capture, KIND_ELEMENT, KIND_TEXT, NODE_STRIDE, Page, Size};

/// Pixels.
const WIDTH: i32 = 1_280;
const LINE: i32 = 20;
const INDENT: i32 = 8;
/// Characters in a line.
const COLUMNS: usize = 120;

/// The page with everything below one another, each element as high as the lines of text in it.
///
/// # Errors
/// When the page is no longer one; not known to happen.
pub(crate) fn laid_out(page: &Page) -> Result<Page, String> {
    let mut capture = page.to_capture();
    capture.viewport = Size { width: WIDTH, height: 800 };
    let tops = tops(&capture);
    let (rows, _) = capture.nodes.as_chunks_mut::<NODE_STRIDE>();
    let mut depths: Vec<i32> = Vec::new();
    for (node, row) in (0u32..).zip(rows) {
        let depth =
            usize::try_from(row[1]).ok().and_then(|parent| depths.get(parent)).map_or(0, |above| above + 1);
        depths.push(depth);
        if row[0] == KIND_ELEMENT {
            let subtree = page.subtree(node);
            let (top, bottom) = (tops[subtree.start as usize], tops[subtree.end as usize]);
            row[5..9].copy_from_slice(&[
                INDENT * depth,
                top,
                (WIDTH - 2 * INDENT * depth).max(0),
                bottom - top,
            ]);
        }
    }
    Page::from_capture(capture).map_err(|error| error.to_string())
}

/// Where each node begins, and at last where the page ends.
fn tops(capture: &Capture) -> Vec<i32> {
    let mut top = 0;
    let mut tops = Vec::new();
    let (rows, _) = capture.nodes.as_chunks::<NODE_STRIDE>();
    for row in rows {
        tops.push(top);
        if row[0] == KIND_TEXT {
            let text = usize::try_from(row[2]).ok().and_then(|string| capture.strings.get(string));
            let lines = text.map_or(0, |text| text.chars().count() / COLUMNS + 1);
            top += LINE * i32::try_from(lines).unwrap_or(0);
        }
    }
    tops.push(top);
    tops
}
