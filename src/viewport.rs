//! Which rows of a long list are on screen. Pure arithmetic: O(1), and O(log² low rows) where some rows are lower than the
//! others.
//!
//! Browsers cap an element's height (16 to 33 million pixels), so a list that would be higher than [`MOST`] is given a
//! space of that height, and what is scrolled to is translated: a small move moves by as much, a jump of the scroll bar
//! jumps in proportion. The rows' places follow by `shift`.

use std::sync::Arc;

/// The highest space, in pixels.
pub const MOST: f64 = 8_000_000.0;

/// A scrolled list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Viewport {
    /// Rows of the list.
    pub total: u32,
    /// Height of a row in pixels.
    pub row: f64,
    /// Height of the rows that are lower, and which they are, in order.
    pub low_row: f64,
    pub low: Arc<[u32]>,
    /// Height of what is visible.
    pub height: f64,
    /// The scroll position as the browser has it.
    pub top: f64,
    /// What has to be added to it to get the position in the list; 0 for lists that fit.
    pub shift: f64,
}

impl Viewport {
    fn whole(&self) -> f64 {
        self.place(self.total)
    }

    /// Position in the list of the upper edge of a row.
    fn place(&self, row: u32) -> f64 {
        let low = self.low.partition_point(|n| *n < row) as f64;
        f64::from(row) * self.row - low * (self.row - self.low_row)
    }

    fn tall(&self, row: u32) -> f64 {
        if self.low.binary_search(&row).is_ok() { self.low_row } else { self.row }
    }

    /// The row at a position in the list; the last one for what is behind it.
    fn row_at(&self, at: f64) -> u32 {
        // Of rows from `first` on, each at least as high as a low one; and from 0 on, none higher than the others.
        let (mut first, mut end) = (0, self.total);
        if self.low.is_empty() {
            return ((at / self.row).floor().max(0.0) as u32).min(self.total.saturating_sub(1));
        }
        while first + 1 < end {
            let middle = first + (end - first) / 2;
            if self.place(middle) <= at { first = middle } else { end = middle }
        }
        first
    }

    /// Height of the space that is scrolled.
    pub fn space(&self) -> f64 {
        self.whole().min(MOST)
    }

    fn last_top(&self) -> f64 {
        (self.space() - self.height).max(0.0)
    }

    fn last_at(&self) -> f64 {
        (self.whole() - self.height).max(0.0)
    }

    /// Position in the list of the upper edge.
    pub fn at(&self) -> f64 {
        self.top + self.shift
    }

    /// After the browser scrolled to `top`.
    pub fn scrolled(mut self, top: f64) -> Self {
        let (last_top, last_at) = (self.last_top(), self.last_at());
        let at = if last_top >= last_at {
            top
        } else if top <= 0.0 {
            0.0
        } else if top >= last_top {
            last_at
        } else if (top - self.top).abs() > self.height {
            top / last_top * last_at
        } else {
            (self.at() + top - self.top).clamp(0.0, last_at)
        };
        self.top = top;
        self.shift = at - top;
        self
    }

    /// With another number of rows or other sizes, at the same row as before.
    pub fn resized(self, total: u32, row: f64, height: f64) -> Self {
        self.resized_with(total, (row, row), height, Arc::default())
    }

    /// The same, where some rows are lower: the heights of a row and of a low one, and which are low, in order.
    pub fn resized_with(mut self, total: u32, (row, low_row): (f64, f64), height: f64, low: Arc<[u32]>) -> Self {
        let first = if self.row > 0.0 { self.row_at(self.at()) } else { 0 };
        let into = if self.row > 0.0 { (self.at() - self.place(first)) / self.tall(first).max(1.0) } else { 0.0 };
        self.total = total;
        self.row = row;
        self.low_row = low_row;
        self.low = if low_row < row { low } else { Arc::default() };
        self.height = height;
        let at = self.place(first) + into * self.tall(first);
        self.at_position(at)
    }

    /// Scrolled no further than needed to show `row`; with `centre`, to the middle when it is not in view.
    pub fn revealed(self, row: u32, centre: bool) -> Self {
        let (from, tall) = (self.place(row), self.tall(row));
        let at = self.at();
        let inside = from >= at && from + tall <= at + self.height;
        if inside {
            return self;
        }
        let wanted = if centre {
            from - (self.height - tall) / 2.0
        } else if from < at {
            from
        } else {
            from + tall - self.height
        };
        self.at_position(wanted)
    }

    /// Scrolled so that `row` is the first, as far as the end allows.
    pub fn begun_at(self, row: u32) -> Self {
        let at = self.place(row);
        self.at_position(at)
    }

    fn at_position(mut self, at: f64) -> Self {
        let (last_top, last_at) = (self.last_top(), self.last_at());
        let at = at.clamp(0.0, last_at);
        self.top = if last_top >= last_at { at } else { at / last_at * last_top };
        self.shift = at - self.top;
        self
    }

    /// The rows in view, as first and end, with `over` more on each side.
    pub fn range(&self, over: u32) -> (u32, u32) {
        if self.row <= 0.0 {
            return (0, self.total.min(over * 2));
        }
        if self.total == 0 {
            return (0, 0);
        }
        let (from, to) = (self.at(), self.at() + self.height);
        let first = self.row_at(from);
        let last = self.row_at(to);
        // What only touches the lower edge is not in view.
        let end = if self.place(last) < to { last + 1 } else { last };
        (first.saturating_sub(over).min(self.total), end.saturating_add(over).min(self.total))
    }

    /// Where a row lies in the space.
    pub fn y(&self, row: u32) -> f64 {
        self.place(row) - self.shift
    }

    /// Rows that fit into what is visible, at least one.
    pub fn page(&self) -> u32 {
        if self.row <= 0.0 { 1 } else { ((self.height / self.row).floor() as u32).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(total: u32) -> Viewport {
        Viewport::default().resized(total, 28.0, 560.0)
    }

    #[test]
    fn a_list_that_fits_scrolls_as_it_is() {
        let v = list(1000).scrolled(280.0);
        assert_eq!((v.shift, v.range(0), v.y(10)), (0.0, (10, 30), 280.0));
        assert_eq!(list(3).range(8), (0, 3));
        assert_eq!(list(0).range(8), (0, 0));
    }

    #[test]
    fn every_row_of_a_huge_list_can_be_reached() {
        let v = list(2_000_000);
        assert_eq!(v.space(), MOST);
        assert_eq!(v.clone().scrolled(MOST - 560.0).range(0).1, 2_000_000);
        assert_eq!(v.clone().scrolled(MOST / 2.0).scrolled(0.0).range(0).0, 0);
        for row in [0, 1, 999_999, 1_234_567, 1_999_999] {
            let shown = v.clone().revealed(row, true);
            let (first, end) = shown.range(0);
            assert!(first <= row && row < end, "{row} in {first}..{end}");
            let on_screen = shown.y(row) - shown.top;
            assert!((-0.01..=532.01).contains(&on_screen), "row {row} is {on_screen} below the edge");
        }
    }

    #[test]
    fn a_small_move_moves_by_as_much() {
        let v = list(2_000_000).scrolled(4_000_000.0);
        let before = v.y(1_000_010) - v.top;
        let v = v.scrolled(4_000_100.0);
        assert!((before - (v.y(1_000_010) - v.top) - 100.0).abs() < 1e-6);
    }

    #[test]
    fn low_rows_lie_where_the_others_end() {
        // Every third of 3,000 rows is low: 48, 48, 32 and again.
        let low: Arc<[u32]> = (0..1000).map(|n| n * 3 + 2).collect();
        let v = Viewport::default().resized_with(3000, (48.0, 32.0), 640.0, low.clone());
        assert_eq!(v.space(), 128_000.0);
        assert_eq!([0, 1, 2, 3, 4].map(|row| v.y(row)), [0.0, 48.0, 96.0, 128.0, 176.0]);
        assert_eq!(v.range(0), (0, 15));
        assert_eq!(v.clone().scrolled(96.0).range(0).0, 2);
        assert_eq!(v.clone().scrolled(127.5).range(0).0, 2);
        assert_eq!(v.clone().scrolled(128.0).range(0), (3, 18));
        for row in [0, 2, 5, 1499, 2998, 2999] {
            let shown = v.clone().revealed(row, false);
            let (first, end) = shown.range(0);
            assert!(first <= row && row < end, "{row} in {first}..{end}");
            assert!(shown.y(row) >= shown.top && shown.y(row) + v.tall(row) <= shown.top + 640.0);
        }
        // Where both heights are one, it is as if no row were low; the place in the list stays.
        let wide = v.clone().scrolled(12_800.0).resized_with(3000, (28.0, 28.0), 640.0, low.clone());
        assert_eq!((wide.range(0).0, wide.space()), (300, 84_000.0));
        let back = wide.resized_with(3000, (48.0, 32.0), 640.0, low);
        assert_eq!(back.range(0).0, 300);
        assert_eq!(v.scrolled(127_360.0).range(0).1, 3000);
    }

    #[test]
    fn the_same_row_stays_when_rows_get_higher() {
        let v = list(1000).scrolled(2800.0).resized(1000, 48.0, 700.0);
        assert_eq!(v.range(0).0, 100);
    }
}
