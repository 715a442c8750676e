//! How an analysis page carries what it shows: one block of text in the HTML, base64 of gzip of a line of JSON and the
//! documents behind it, each in our own run format. Written and read here alone; `scripts/share/boot.js` reads it too.
//!
//! ```text
//! {"skillscope_page":1,"view":"#/d/a.jsonl/loops","documents":[{"name":"a.jsonl","bytes":5120}]}
//! {"format":"skillscope-run", …
//! ```
//!
//! Cost: O(bytes). A page from elsewhere may be hostile: unpacking stops at a limit, and what is damaged is no page.

use std::io::{Read, Write};

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use serde_json::{Value, json};

use crate::json::{Tape, Val};

/// The version of the line of JSON. A page of a later one is read as far as its documents can be told.
pub const VERSION: u64 = 1;

/// The places of the template; `scripts/share.mjs` writes them.
pub const PLACES: [&str; 4] =
    ["@@skillscope:lang@@", "@@skillscope:title@@", "@@skillscope:report@@", "@@skillscope:data@@"];

const INDIFFERENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

const OPEN: &str = "<script type=\"application/x-skillscope\" id=\"skillscope-data\">";
const CLOSE: &str = "</script>";
/// In the head of every page.
const MARK: &[u8] = b"data-skillscope-page=";
/// Where the mark stands at the latest.
const HEAD: usize = 1024;
/// Unpacked bytes for each packed one, and at least this many, before it is a bomb.
const MAX_RATIO: u64 = 200;
const MIN_BOMB: u64 = 64 * 1024 * 1024;

/// What a page carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Where its reader begins, as the address's hash; empty: at the first document.
    pub view: String,
    pub documents: Vec<Document>,
    /// Labels and comments, as their file has them; empty without.
    pub notes: String,
}

/// A document of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub name: String,
    /// Runs, one behind another, as `import::write_run` writes them.
    pub text: String,
}

impl Carried {
    /// The bytes that are compressed: what a search for secrets has to look at.
    pub fn plain(&self) -> String {
        let documents: Vec<Value> =
            self.documents.iter().map(|d| json!({"name": d.name, "bytes": d.text.len()})).collect();
        let mut head = json!({"skillscope_page": VERSION, "view": self.view, "documents": documents});
        if !self.notes.is_empty() {
            head["notes"] = Value::String(self.notes.clone());
        }
        let mut out = head.to_string();
        out.push('\n');
        for document in &self.documents {
            out.push_str(&document.text);
        }
        out
    }

    /// The data, compressed, as base64.
    pub fn letters(&self) -> String {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        // Writing to memory does not fail.
        let _ = packer.write_all(self.plain().as_bytes());
        let packed = packer.finish().unwrap_or_default();
        STANDARD.encode(packed)
    }

    /// The block for the page.
    pub fn block(&self) -> String {
        format!("{OPEN}{}{CLOSE}", self.letters())
    }
}

/// Whether a file begins as one of our pages.
pub fn is_page(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    let start = head.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    let html = head.get(start..start + 9).is_some_and(|h| h.eq_ignore_ascii_case(b"<!doctype"));
    html && head.windows(MARK.len()).any(|w| w == MARK)
}

/// What a page carries; `None` when it is damaged, or none of ours.
pub fn read(bytes: &[u8]) -> Option<Carried> {
    if !is_page(bytes) {
        return None;
    }
    let text = String::from_utf8_lossy(bytes);
    let from = text.find(OPEN)? + OPEN.len();
    let block = text.get(from..)?;
    let block = block.get(..block.find(CLOSE)?)?;
    unpack(&block.split_ascii_whitespace().collect::<String>())
}

/// Reads base64 of gzip of a [`Carried`]: the block of a page, or the data of a link.
pub fn unpack(letters: &str) -> Option<Carried> {
    // Links have the letters that an address may hold, and no padding.
    let letters = letters.replace('-', "+").replace('_', "/");
    let packed = INDIFFERENT.decode(letters).ok()?;
    let limit = MIN_BOMB.max((packed.len() as u64).saturating_mul(MAX_RATIO));
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).take(limit + 1).read_to_end(&mut plain).ok()?;
    if plain.len() as u64 > limit {
        return None;
    }
    parse(std::str::from_utf8(&plain).ok()?)
}

fn parse(plain: &str) -> Option<Carried> {
    let (head, mut rest) = plain.split_once('\n')?;
    let mut tape = Tape::new();
    tape.load(head);
    let root = tape.doc(head).root();
    root.get("skillscope_page")?.as_u64()?;
    let text = |val: Val<'_>, key: &str| val.str(key).map(|s| s.into_owned()).unwrap_or_default();
    let mut out = Carried { view: text(root, "view"), notes: text(root, "notes"), documents: Vec::new() };
    for document in root.get("documents")?.items() {
        let bytes = usize::try_from(document.get("bytes")?.as_u64()?).ok()?;
        let (own, behind) = (rest.get(..bytes)?, rest.get(bytes..)?);
        out.documents.push(Document { name: text(document, "name"), text: own.to_owned() });
        rest = behind;
    }
    Some(out)
}

/// The template with its places filled; `None` when it is no template.
pub fn fill(template: &str, lang: &str, title: &str, report: &str, block: &str) -> Option<String> {
    let mut out = String::with_capacity(template.len() + report.len() + block.len());
    let mut rest = template;
    for (place, text) in PLACES.into_iter().zip([lang, title, report, block]) {
        let (before, behind) = rest.split_once(place)?;
        out.push_str(before);
        out.push_str(text);
        rest = behind;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried() -> Carried {
        let document = |name: &str, text: &str| Document { name: name.into(), text: text.into() };
        Carried {
            view: "#/d/a.jsonl/loops?step=3".into(),
            documents: vec![document("a.jsonl", "{\"x\":\"ä\"}\n"), document("b </script>.json", "")],
            notes: "{\"n\":1}".into(),
        }
    }

    fn page(carried: &Carried) -> String {
        let template = format!(
            "<!doctype html><html lang=\"{}\" data-skillscope-page=\"1\"><title>{}</title>{}{}",
            PLACES[0], PLACES[1], PLACES[2], PLACES[3]
        );
        fill(&template, "en", "t", "<p>r</p>", &carried.block()).unwrap_or_default()
    }

    #[test]
    fn what_a_page_carries_comes_back() {
        let page = page(&carried());
        assert!(!page.contains("@@"), "{page}");
        assert_eq!(read(page.as_bytes()), Some(carried()));
    }

    #[test]
    fn damage_is_no_page() {
        let page = page(&carried());
        assert_eq!(read(b"<!doctype html><p>data-skillscope"), None);
        assert_eq!(read(page.replace("H4sI", "H4sJ").as_bytes()), None);
        assert_eq!(read(page.get(..page.len() - 40).unwrap_or_default().as_bytes()), None);
        assert_eq!(parse("{\"skillscope_page\":1,\"documents\":[{\"name\":\"a\",\"bytes\":99}]}\nshort"), None);
        assert_eq!(fill("no places", "en", "", "", ""), None);
    }
}
