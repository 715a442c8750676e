//! What shape has a run? A canonical text of its calls, and a hash of it that another program can compute.
//!
//! This text is the definition; docs/topology.md shows it.
//! Cost: O(n·P) a variant for n calls (P: see [`crate::model::max_period`]), the fold being the dear part.
//!
//! # The tree shape (`tree`)
//!
//! **What counts.** Calls, observations without a call, and compactions. Messages of persons, thoughts, texts, prompts,
//! injected texts, notices and raw records do not: they are recorded differently by every program, and without them
//! the same work has the same shape whoever recorded it. Model turns are no level of the tree for the same reason.
//!
//! **Sequence.** The main agent's steps in recorded order. Steps that share a batch number form one group, at the
//! place of the batch's first step; a group of one is written as a plain item. A sub-agent's steps hang under the
//! call that started it. A sub-agent whose call is not known is an item of its own, at the place of its first step, in
//! its parent's sequence.
//!
//! **Text.** With `N(x)` = the length of x in bytes, in decimal, `:`, x, `,` (a netstring):
//!
//! ```text
//! S(leaf)     = kind [":" symbol] ["!" if it failed]
//! S(seq)      = "(" N(S(c1)) N(S(c2)) … ")"
//! S(batch)    = "{" N(…) … "}"          the texts of the members, sorted by bytes
//! S(subagent) = "<" S(seq) ">"          the first item of seq is the call that started it, of kind `spawn`
//! S(repeat)   = "+" S(seq)              fold only: a period that repeats at once
//! ```
//!
//! The whole run is one `S(seq)`, `()` when there is nothing. Kinds: `call`, `spawn`, `result?` (an observation without
//! a call), `compaction`. The failure mark stands in the variant `named+status` only. A sub-agent without a known call
//! has no `spawn` item. Nesting beyond 64 levels is written as if the sub-agent had done nothing (`exact` is false).
//!
//! **Symbols.** `shape`: none. `named`, `named+status`: the tool's name in Unicode NFC, `%` as `%25` and `!` as `%21`;
//! an observation without a call has its label as name when the file gives one. `anon`: the number of the name in order
//! of first occurrence, from 0, in decimal. Names that first occur in one batch are numbered by (how often in this
//! batch, then the list of later places as pairs (place, how often)), the greater first; places are the groups of the
//! main sequence in order, those of a sub-agent started by a call alone following their call; a batch is one place with
//! all that its sub-agents do. Names that tie and occur in no batch that holds a sub-agent are interchangeable. Other
//! ties are ordered by colour, the smaller first. All colours start as 0; then each is replaced by the rank of (colour,
//! sorted list of the paths to the name's occurrences), until the number of colours stays, at most 64 times. A path
//! is a list of numbers: in a sequence the place, in a batch the rank of the member's text among the distinct texts of
//! the batch, written without fold and with colours as symbols. If names tie still, all their orders are tried, up to
//! 720 in all (and 64 MB of text), and the text least by bytes wins; above that recorded order is kept and `exact` is
//! false.
//!
//! **Fold.** Symbols first. Then, in every sequence, inner ones first: find all maximal tandem runs (see
//! [`crate::model::tandem_runs`]; periods up to half the length, 64 above 2000 items); take them leftmost first, of the same start
//! the shortest period, skipping what overlaps a taken one; replace the whole repetitions of each by one item
//! `"+" S(period)`; what is left of an incomplete round stays. Repeat until nothing changes, at most 64 times.
//! Not the smallest grammar: a neighbour can take part of a run. Three retries and seven then have one shape.
//!
//! # The directly-follows graph (`dfg`)
//!
//! Nodes are tools, a start `^` and an end `$`. Between two groups of a lane that follow each other (a call alone, or the
//! calls of a batch) there is an edge from every tool of the first to every tool of the second, counted once. Every
//! lane is a trace of its own; the counts add up.
//!
//! **Named.** The text is the list of edges, sorted by their names: `N(a) N(b) N(count in decimal)`, the count left out
//! for `set`. A tool is written as `:` and its name as above.
//!
//! **Anonymous.** The same with numbers in place of names, `:0`, `:1` and so on, in the order that gives the least list
//! of those that a colour refinement allows; the head of `src/topology/anon.rs` says which. Its work is bounded; when the bound is
//! met, `exact` is false.
//!
//! # Graph metrics
//!
//! The head of `src/topology/graph.rs` defines them. docs/metrics.md lists them with their units.
//!
//! # Hash
//!
//! ```text
//! tk1-<graph>-<symbol>-<fold>-<b>
//! b = the first 16 bytes of SHA-256("tk1" 00 graph symbol fold 00 S), base32 of RFC 4648, lower case, no padding
//! ```
//!
//! The tag keeps hashes of different variants apart and says the version. The glyph is the first 16 nibbles of the digest.

mod anon;
mod dfg;
mod graph;
mod outline;
mod tree;

pub use dfg::{Dfg, Node, anonymous, dfg, dfg_anon_hash, dfg_hash, similarity, tools_in_order};
pub use graph::{Graph, GraphMetrics, graph_metrics};
pub use outline::outline;

use sha2::{Digest, Sha256};

use crate::model::Run;

/// What stands for a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// Nothing: only the rhythm.
    Shape,
    /// A number in order of first occurrence.
    Anon,
    /// Its name.
    Named,
    /// Its name, and whether the call failed.
    Status,
}

impl Symbol {
    pub fn id(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Anon => "anon",
            Self::Named => "named",
            Self::Status => "named+status",
        }
    }
}

/// One way to look at the tree shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variant {
    pub symbol: Symbol,
    /// Whether immediate repetitions are written once.
    pub fold: bool,
}

impl Variant {
    /// The badge's variant: names, loops folded. Of all variants it tells tasks apart best.
    pub const DEFAULT: Self = Self { symbol: Symbol::Named, fold: true };

    /// All of them, the default first.
    pub const ALL: [Self; 8] = [
        Self::DEFAULT,
        Self { symbol: Symbol::Named, fold: false },
        Self { symbol: Symbol::Status, fold: true },
        Self { symbol: Symbol::Status, fold: false },
        Self { symbol: Symbol::Anon, fold: true },
        Self { symbol: Symbol::Anon, fold: false },
        Self { symbol: Symbol::Shape, fold: true },
        Self { symbol: Symbol::Shape, fold: false },
    ];

    /// `fold` or `none`, as in the hash.
    pub fn fold_id(self) -> &'static str {
        if self.fold { "fold" } else { "none" }
    }

    /// For example `tree-named-fold`: the part of the hash that names the variant.
    pub fn id(self) -> String {
        format!("tree-{}-{}", self.symbol.id(), self.fold_id())
    }
}

/// A hash with what the glyph needs. Equal texts mean equal shapes, up to a collision of 128 bits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash {
    /// `tk1-…`
    pub text: String,
    /// The heights of the glyph's bars, 0 to 15.
    pub nibbles: [u8; 16],
    /// False when a limit was met, so that equal shapes may have got different hashes.
    pub exact: bool,
}

/// The canonical text of a run in one variant, with its hash. Compare the texts where hashes are equal, so that a
/// collision can never be shown as "same".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub canonical: String,
    pub hash: Hash,
}

/// The tree shape of a run.
pub fn shape(run: &Run, variant: Variant) -> Shape {
    shape_of(&tree::Tree::of(run), variant)
}

/// The hashes of all variants, the default first.
pub fn variants(run: &Run) -> Vec<(Variant, Hash)> {
    let tree = tree::Tree::of(run);
    Variant::ALL.into_iter().map(|variant| (variant, shape_of(&tree, variant).hash)).collect()
}

/// The hashes of the directly-follows graph, by the name of the variant.
pub fn graph_variants(graph: &Dfg) -> Vec<(&'static str, Hash)> {
    vec![
        ("dfg-named-count", dfg_hash(graph, true)),
        ("dfg-named-set", dfg_hash(graph, false)),
        ("dfg-anon-count", dfg_anon_hash(graph, true)),
        ("dfg-anon-set", dfg_anon_hash(graph, false)),
    ]
}

fn shape_of(tree: &tree::Tree, variant: Variant) -> Shape {
    let (canonical, exact) = tree.canonical(variant);
    let hash = hash("tree", variant.symbol.id(), variant.fold_id(), canonical.as_bytes(), exact);
    Shape { canonical, hash }
}

/// The hash of a canonical text.
fn hash(graph: &str, symbol: &str, fold: &str, canonical: &[u8], exact: bool) -> Hash {
    let mut sha = Sha256::new();
    for part in [b"tk1\0", graph.as_bytes(), symbol.as_bytes(), fold.as_bytes(), b"\0", canonical] {
        sha.update(part);
    }
    let digest: [u8; 32] = sha.finalize().into();
    let mut nibbles = [0u8; 16];
    for (nibble, i) in nibbles.iter_mut().zip(0usize..) {
        let byte = digest[i / 2];
        *nibble = if i % 2 == 0 { byte >> 4 } else { byte & 15 };
    }
    Hash { text: format!("tk1-{graph}-{symbol}-{fold}-{}", base32(&digest[..16])), nibbles, exact }
}

fn base32(bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut bits = 0u32;
    let mut held = 0u32;
    for &byte in bytes {
        held = held << 8 | u32::from(byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            push_base32(held >> bits, &mut out);
        }
        held &= (1 << bits) - 1;
    }
    if bits > 0 {
        push_base32(held << (5 - bits), &mut out);
    }
    out
}

fn push_base32(value: u32, out: &mut String) {
    out.push(char::from(b"abcdefghijklmnopqrstuvwxyz234567"[value as usize & 31]));
}

/// Appends `N(x)`.
fn netstring(x: &str, out: &mut String) {
    out.push_str(&x.len().to_string());
    out.push(':');
    out.push_str(x);
    out.push(',');
}

/// The name of a tool as it stands in canonical texts.
fn symbol_of(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    // Nearly all names are plain.
    if name.is_ascii() && !name.contains(['%', '!']) {
        return name.to_owned();
    }
    name.nfc()
        .flat_map(|c| match c {
            '%' => vec!['%', '2', '5'],
            '!' => vec!['%', '2', '1'],
            c => vec![c],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::notation::parse;

    #[test]
    fn base32_is_that_of_rfc_4648() {
        // The RFC's own vectors, lower case and without padding.
        for (plain, coded) in [
            ("", ""),
            ("f", "my"),
            ("fo", "mzxq"),
            ("foo", "mzxw6"),
            ("foob", "mzxw6yq"),
            ("fooba", "mzxw6ytb"),
            ("foobar", "mzxw6ytboi"),
        ] {
            assert_eq!(base32(plain.as_bytes()), coded);
        }
    }

    #[track_caller]
    fn check(text: &str, symbol: Symbol, fold: bool, canonical: &str) {
        let shape = shape(&parse(text).unwrap(), Variant { symbol, fold });
        assert_eq!(shape.canonical, canonical, "{text}");
        assert!(shape.hash.exact);
    }

    #[test]
    fn the_canonical_text_is_as_documented() {
        use Symbol::*;
        check("", Named, true, "()");
        check("u \"hm\" s", Named, false, "()");
        check("u A1 \"hm\" B2!", Named, false, "(6:call:A,6:call:B,)");
        check("A1 B2!", Status, false, "(6:call:A,7:call:B!,)");
        check("A1 B2!", Shape, false, "(4:call,4:call,)");
        check("B A B", Anon, false, "(6:call:0,6:call:1,6:call:0,)");
        check("[B A]", Named, false, "(20:{6:call:A,6:call:B,},)");
        check("[B]", Named, false, "(6:call:B,)");
        check("T<A B>", Named, false, "(32:<(7:spawn:T,6:call:A,6:call:B,)>,)");
        check("A A A B", Named, true, "(12:+(6:call:A,),6:call:B,)");
        check("A B A B A", Named, true, "(21:+(6:call:A,6:call:B,),6:call:A,)");
        check("A c o A", Named, false, "(6:call:A,10:compaction,7:result?,6:call:A,)");
    }

    #[test]
    fn the_hash_is_as_documented() {
        // Computed by `printf 'tk1\0treenamedfold\0()' | sha256sum` and base32 of the first 16 bytes.
        let empty = shape(&parse("").unwrap(), Variant::DEFAULT).hash;
        assert_eq!(empty.text, "tk1-tree-named-fold-4ymtavmvf2jo45s7bf2ivnti3m");
        assert_eq!(empty.nibbles, [14, 6, 1, 9, 3, 0, 5, 5, 9, 5, 2, 14, 9, 2, 14, 14]);
        let one = shape(&parse("A").unwrap(), Variant::DEFAULT).hash;
        assert_eq!(one.text, "tk1-tree-named-fold-rlt5iydpx5rtaxckgoaaj4dvoy");
    }
}
