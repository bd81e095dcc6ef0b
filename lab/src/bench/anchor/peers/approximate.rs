//! Strings with errors: edit distance, and where a pattern stands in a text with the fewest errors. Bit-parallel, after
//! Myers, "A fast bit-vector algorithm for approximate string matching" (1999), in blocks of 64 rows.

use std::collections::HashMap;

/// Rows of the matrix in one word.
const ROWS: usize = 64;

/// One column of the matrix, moved over the text symbol by symbol.
struct Column<'a> {
    /// For each symbol, the rows at which the pattern has it.
    rows: HashMap<u32, Vec<u64>>,
    none: Vec<u64>,
    up: Vec<u64>,
    down: Vec<u64>,
    pattern: &'a [u32],
    /// The errors of the whole pattern up to here.
    errors: usize,
}

impl<'a> Column<'a> {
    fn new(pattern: &'a [u32]) -> Self {
        let blocks = pattern.len().div_ceil(ROWS);
        let mut rows: HashMap<u32, Vec<u64>> = HashMap::new();
        for (at, &symbol) in pattern.iter().enumerate() {
            if let Some(word) = rows.entry(symbol).or_insert_with(|| vec![0; blocks]).get_mut(at / ROWS) {
                *word |= 1 << (at % ROWS);
            }
        }
        Self {
            rows,
            none: vec![0; blocks],
            up: vec![u64::MAX; blocks],
            down: vec![0; blocks],
            pattern,
            errors: pattern.len(),
        }
    }

    /// `above`: by how much the first row's value rises; 0 lets a match begin anywhere, 1 only at the beginning.
    fn step(&mut self, symbol: u32, above: i32) {
        let rows = self.rows.get(&symbol).unwrap_or(&self.none);
        let last = self.up.len().saturating_sub(1);
        let mut carry = above;
        for (at, ((up, down), &equal)) in self.up.iter_mut().zip(&mut self.down).zip(rows).enumerate() {
            let high = if at == last { 1 << ((self.pattern.len() - 1) % ROWS) } else { 1 << (ROWS - 1) };
            let vertical = equal | *down;
            let equal = if carry < 0 { equal | 1 } else { equal };
            let horizontal = ((equal & *up).wrapping_add(*up) ^ *up) | equal;
            let rises = *down | !(horizontal | *up);
            let falls = *up & horizontal;
            let out = i32::from(rises & high != 0) - i32::from(falls & high != 0);
            let rises = (rises << 1) | u64::from(carry > 0);
            let falls = (falls << 1) | u64::from(carry < 0);
            *up = falls | !(vertical | rises);
            *down = rises & vertical;
            carry = out;
        }
        self.errors = self.errors.saturating_add_signed(carry as isize);
    }
}

/// Insertions, deletions and substitutions from one to the other.
pub(super) fn distance(a: &[u32], b: &[u32]) -> usize {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.is_empty() {
        return text.len();
    }
    let mut column = Column::new(pattern);
    for &symbol in text {
        column.step(symbol, 1);
    }
    column.errors
}

/// A stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) errors: usize,
}

/// Where the pattern stands with the fewest errors, at most `errors`: all such places, at most `most`.
pub(super) fn search(pattern: &[u32], text: &[u32], errors: usize, most: usize) -> Vec<Match> {
    if pattern.is_empty() {
        return Vec::new();
    }
    let mut column = Column::new(pattern);
    let (mut fewest, mut ends) = (errors, Vec::new());
    for (at, &symbol) in text.iter().enumerate() {
        column.step(symbol, 0);
        if column.errors < fewest || (ends.is_empty() && column.errors == fewest) {
            fewest = column.errors;
            ends.clear();
        }
        if column.errors == fewest && ends.len() < most {
            ends.push(at + 1);
        }
    }
    let backwards: Vec<u32> = pattern.iter().rev().copied().collect();
    ends.into_iter()
        .map(|end| {
            // The same from the end, to see where it begins.
            let mut column = Column::new(&backwards);
            let (mut best, mut start) = (usize::MAX, end);
            let window = text.get(end.saturating_sub(pattern.len() + fewest)..end).unwrap_or(&[]);
            for (taken, &symbol) in window.iter().rev().enumerate() {
                column.step(symbol, 1);
                if column.errors < best {
                    best = column.errors;
                    start = end - taken - 1;
                }
            }
            Match { start, end, errors: fewest }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    /// By the whole matrix.
    fn slow(a: &[u32], b: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut last = i;
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let new = (last + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                last = row[j + 1];
                row[j + 1] = new;
            }
        }
        row[b.len()]
    }

    #[test]
    fn the_distance_is_that_of_the_whole_matrix_in_one_block_and_in_several() {
        let long = "abcdefghij".repeat(20);
        let other = format!("{}xyz{}", &long[3..90], &long[100..]);
        for (a, b) in [
            ("kitten", "sitting"),
            ("", "abc"),
            ("same", "same"),
            (long.as_str(), other.as_str()),
            ("a", &long),
        ] {
            let (a, b) = (symbols(a), symbols(b));
            assert_eq!(distance(&a, &b), slow(&a, &b));
        }
    }

    #[test]
    fn a_pattern_is_found_with_its_errors_and_its_place() {
        let text = symbols("the quick brown fox jumps over the lazy dog");
        let found = search(&symbols("quikc brown"), &text, 5, 10);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].errors, 2);
        assert_eq!((found[0].start, found[0].end), (4, 15));
        assert_eq!(search(&symbols("the"), &text, 0, 10).len(), 2);
        assert!(search(&symbols("zebra crossing"), &text, 3, 10).is_empty());
    }
}
