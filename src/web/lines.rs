//! Lines of a text that is read in pieces: where they begin, and the first of their bytes. Pure; O(bytes fed).
//!
//! Nothing of the text is kept but a mark for every [`BLOCK`] lines, so that the raw view of a file of any size costs
//! a few kilobytes; a block is read from the file when it comes into view.

/// Lines between two marks.
pub const BLOCK: u32 = 200;
/// Bytes of a line that are shown.
pub const MOST: usize = 4000;

/// Where the blocks of a text begin, and how many lines there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// Offset of the first byte of line 0, [`BLOCK`], 2 × [`BLOCK`] and so on.
    marks: Vec<u64>,
    /// Line ends so far.
    ends: u32,
    /// Bytes so far.
    bytes: u64,
    /// Whether the last byte ended a line.
    fresh: bool,
}

impl Default for Index {
    fn default() -> Self {
        Self { marks: vec![0], ends: 0, bytes: 0, fresh: true }
    }
}

impl Index {
    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        for (i, _) in bytes.iter().enumerate().filter(|(_, b)| **b == b'\n') {
            self.ends = self.ends.saturating_add(1);
            if self.ends.is_multiple_of(BLOCK) {
                self.marks.push(self.bytes + i as u64 + 1);
            }
        }
        self.bytes += bytes.len() as u64;
        if let Some(last) = bytes.last() {
            self.fresh = *last == b'\n';
        }
    }

    /// Lines so far; a line end at the very end begins no line.
    pub fn total(&self) -> u32 {
        self.ends.saturating_add(u32::from(!self.fresh))
    }

    /// Byte range of a block, as far as it is known.
    pub fn range(&self, block: u32) -> Option<(u64, u64)> {
        let start = *self.marks.get(block as usize)?;
        let end = self.marks.get(block as usize + 1).copied().unwrap_or(self.bytes);
        (start < end).then_some((start, end))
    }
}

/// Cuts the bytes of a block into lines.
#[derive(Debug, Default)]
pub struct Cutter {
    lines: Vec<String>,
    line: Vec<u8>,
    cut: bool,
}

impl Cutter {
    /// Takes the next bytes; false when no more are needed.
    pub fn feed(&mut self, bytes: &[u8], lines: u32) -> bool {
        for piece in bytes.split_inclusive(|b| *b == b'\n') {
            let (text, ends) = match piece.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (piece, false),
            };
            let room = MOST.saturating_sub(self.line.len());
            self.cut |= text.len() > room;
            self.line.extend(text.iter().take(room));
            if ends {
                self.end();
            }
        }
        let have = self.lines.len() as u32;
        have < lines && !(have + 1 == lines && self.cut)
    }

    fn end(&mut self) {
        if !self.cut && self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        let mut text = String::from_utf8_lossy(&self.line).into_owned();
        if self.cut {
            while text.ends_with('\u{FFFD}') {
                text.pop();
            }
            text.push('…');
        }
        self.lines.push(text);
        self.line.clear();
        self.cut = false;
    }

    /// The lines; the last one needs no end.
    pub fn finish(mut self) -> Vec<String> {
        if !self.line.is_empty() {
            self.end();
        }
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str, piece: usize) -> Index {
        let mut index = Index::default();
        text.as_bytes().chunks(piece).for_each(|c| index.feed(c));
        index
    }

    #[test]
    fn counts_as_editors_do() {
        for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(index(text, 1).total(), lines, "{text:?}");
        }
    }

    #[test]
    fn blocks_cut_the_text_whatever_the_pieces() {
        let text: String = (0..1001).map(|i| format!("line {i}\r\n")).collect();
        let whole = index(&text, 1 << 20);
        for piece in [1, 7, 4096] {
            assert_eq!(index(&text, piece), whole);
        }
        assert_eq!(whole.total(), 1001);
        let (start, end) = whole.range(3).expect("a fourth block");
        for piece in [1, 5, 1 << 20] {
            let mut cutter = Cutter::default();
            for bytes in text.as_bytes()[start as usize..end as usize].chunks(piece) {
                cutter.feed(bytes, BLOCK);
            }
            let lines = cutter.finish();
            assert_eq!((lines.len(), lines[0].as_str(), lines[199].as_str()), (200, "line 600", "line 799"));
        }
        assert_eq!(whole.range(6), None);
    }

    #[test]
    fn long_lines_are_cut_and_not_read_to_the_end() {
        let mut cutter = Cutter::default();
        let long = "錯".repeat(MOST);
        assert!(!cutter.feed(long.as_bytes(), 1), "one line is wanted and shown: the rest is not needed");
        let lines = cutter.finish();
        assert!(lines[0].ends_with("錯…") && lines[0].len() <= MOST + 3, "{}", lines[0].len());
        let mut cutter = Cutter::default();
        assert!(cutter.feed(long.as_bytes(), 2));
        cutter.feed(b"\nnext\n", 2);
        assert_eq!(cutter.finish()[1], "next");
    }
}
