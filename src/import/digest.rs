//! A number for a sequence of texts, to find records that are there twice. Looked up only: it is never shown and never
//! decides an order. Four lanes of eight bytes, so that it costs a fraction of reading the text; O(bytes).
//! Not made against an attacker, who could only make a record of a file of their own count as repeated, which is said.

/// Odd numbers with well-mixed bits, one a lane.
const LANES: [u64; 4] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0xd6e8_feb8_6659_fd93];

/// Takes texts one by one; where one ends and the next begins counts.
pub(super) struct Digest(u64);

impl Digest {
    /// An empty one; other seeds give other numbers for the same texts.
    pub fn new(seed: u64) -> Self {
        Self(seed ^ LANES[0])
    }

    pub fn add(&mut self, text: &str) {
        let mut lanes = LANES.map(|lane| lane ^ self.0);
        let (blocks, rest) = text.as_bytes().as_chunks::<32>();
        for block in blocks {
            let (words, _) = block.as_chunks::<8>();
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(LANES[0]).rotate_left(29);
            }
        }
        let [a, b, c, d] = lanes;
        let mut hash = mix(mix(a, b), mix(c, d));
        for byte in rest {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(LANES[2]);
        }
        self.0 = mix(hash, text.len() as u64);
    }

    pub fn end(self) -> u64 {
        self.0
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let hash = (a ^ b.rotate_left(32)).wrapping_mul(LANES[1]);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn of(texts: &[&str]) -> u64 {
        let mut digest = Digest::new(0);
        texts.iter().for_each(|t| digest.add(t));
        digest.end()
    }

    #[test]
    fn what_differs_in_one_place_differs() {
        let text = "the same tool result, longer than one block of thirty-two bytes, and then some more of it";
        let mut seen = HashSet::from([of(&[text])]);
        for at in 0..text.len() {
            for other in ["#", "~"] {
                let mut changed = text.to_owned();
                changed.replace_range(at..=at, other);
                assert!(seen.insert(of(&[&changed])), "{changed}");
            }
            assert!(seen.insert(of(&[&text[..at]])), "cut at {at}");
            assert!(seen.insert(of(&[&text[..at], &text[at..]])), "two parts, at {at}");
        }
        assert!(seen.insert(Digest::new(1).end()));
        assert_eq!(of(&[text, "b"]), of(&[text, "b"]));
    }
}
