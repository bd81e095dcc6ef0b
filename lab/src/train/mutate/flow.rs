//! Where things stand when others came, went or changed places: the boxes of an edited page, about as a browser lays
//! them out. Without it every element would keep the box it had, and a box would tell for sure which of a list it is.

use super::tree::Tree;

/// The boxes of an element's children as the page was before it was edited.
pub(super) struct Slots {
    /// For each piece its element children that show, and their boxes.
    of: Vec<Vec<(usize, [i32; 4])>>,
}

/// Boxes of a column may overlap by so much.
const OVERLAP: i32 = 2;

impl Tree {
    pub(super) fn slots(&self) -> Slots {
        Slots { of: (0..self.pieces.len()).map(|at| self.shown_children(at)).collect() }
    }

    fn shown_children(&self, at: usize) -> Vec<(usize, [i32; 4])> {
        let children = self.pieces[at].children.iter();
        let shown = children.map(|&child| (child, self.pieces[child].place));
        shown
            .filter(|&(child, [_, _, width, height])| self.is_element(child) && width > 0 && height > 0)
            .collect()
    }

    /// Gives the children of every element the places that there are, and pushes down what comes after what grew.
    pub(super) fn flow(&mut self, slots: &Slots) {
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            order.extend(&self.pieces[at].children);
            next += 1;
        }
        let mut moved = vec![(0, 0); self.pieces.len()];
        // The inner ones first: how high they are says where the others stand.
        for &at in order.iter().rev() {
            let Some(before) = slots.of.get(at).filter(|before| !before.is_empty()) else { continue };
            let now = self.shown_children(at);
            if now == *before {
                continue;
            }
            let grown = arrange(before, &now, &mut moved);
            let height = &mut self.pieces[at].place[3];
            *height = (*height + grown).max(1);
        }
        for &at in &order {
            let (x, y) = moved[at];
            self.pieces[at].place[0] += x;
            self.pieces[at].place[1] += y;
            for child in self.pieces[at].children.clone() {
                moved[child] = (moved[child].0 + x, moved[child].1 + y);
            }
        }
    }
}

/// How far each child is moved; how much higher the whole is.
fn arrange(before: &[(usize, [i32; 4])], now: &[(usize, [i32; 4])], moved: &mut [(i32, i32)]) -> i32 {
    let pairs = || before.windows(2).map(|two| (two[0].1, two[1].1));
    let gap = |(one, other): ([i32; 4], [i32; 4])| other[1] - one[1] - one[3];
    let (Some(&(_, first)), Some(&(_, last))) = (before.first(), before.last()) else { return 0 };
    if pairs().all(|two| gap(two) >= -OVERLAP) {
        // A column.
        let gap = pairs().map(gap).min().unwrap_or(0);
        let mut y = first[1];
        for &(child, [x, top, _, height]) in now {
            let stays = before.iter().any(|&(known, _)| known == child);
            moved[child] = (if stays { 0 } else { first[0] - x }, y - top);
            y += height + gap;
        }
        return y - gap - (last[1] + last[3]);
    }
    // A row or a grid: the first has the first one's place.
    let step = pairs().next_back().map_or((0, 0), |(one, other)| (other[0] - one[0], other[1] - one[1]));
    for (place, &(child, [x, y, ..])) in now.iter().enumerate() {
        let over = i32::try_from((place + 1).saturating_sub(before.len())).unwrap_or(0);
        let slot = before.get(place).map_or(last, |&(_, slot)| slot);
        moved[child] = (slot[0] + over * step.0 - x, slot[1] + over * step.1 - y);
    }
    0
}
