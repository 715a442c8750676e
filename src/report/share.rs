//! What the panel for sharing shows, and what it sends: plain data.

use serde::Serialize;

use crate::message::{Lang, fill_id};

/// What the user chose. Everything that is not named here is as by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ShareChoices {
    /// Kinds of values that are not looked for (`share::Kind::id`).
    pub kinds_off: Vec<String>,
    /// Names of people, hosts, customers.
    pub names: Vec<String>,
    /// Values that may stay.
    pub keep: Vec<String>,
    /// Parts that are shared although they are not by default, and the other way round (`share::Part::id`).
    pub parts_switched: Vec<String>,
}

/// What was found in the runs that are about to be shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ShareSurvey {
    /// By kind, then by first place; at most [`MAX_GROUPS`].
    pub groups: Vec<SecretGroup>,
    /// All values, and all places.
    pub values: u32,
    pub times: u32,
    /// What each part holds, whether it is shared or not.
    pub parts: Vec<PartLine>,
    pub runs: u32,
    pub steps: u32,
    /// Bytes of the files that the runs are from, as far as they are known.
    pub bytes: u64,
}

/// Values that are listed.
pub const MAX_GROUPS: usize = 500;

/// A value with where it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SecretGroup {
    /// `share::Kind::id`; its sentence is `share.kind.<id>`.
    pub kind: String,
    pub value: String,
    pub placeholder: String,
    pub count: u32,
    /// The first steps that hold it; `None` is the head of a run.
    pub places: Vec<SecretPlace>,
    /// Steps and heads that hold it, all of them.
    pub held: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SecretPlace {
    /// Which of the runs that were asked about.
    pub run: u32,
    pub step: Option<u32>,
}

/// A part that may stay out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartLine {
    pub id: String,
    pub on: bool,
    pub pieces: u32,
}

/// A finished page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedPage {
    /// A name for the file.
    pub name: String,
    pub html: String,
    pub receipt: Receipt,
}

/// What was removed, and what the finished bytes were searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// Kind, values, places.
    pub removed: Vec<(String, u32, u32)>,
    /// Part, pieces.
    pub left_out: Vec<(String, u32)>,
    /// Bytes of the page, of the block that holds the runs, and of what is unpacked from it.
    pub bytes: u64,
    pub data_bytes: u64,
    pub plain_bytes: u64,
}

/// What was removed and left out, one sentence each.
pub fn receipt_lines(lang: Lang, receipt: &Receipt) -> Vec<String> {
    let arg = |name: &str, value: String| (name.to_owned(), value);
    let mut out = Vec::new();
    for (kind, values, times) in &receipt.removed {
        let kind = fill_id(lang, &format!("share.kind.{kind}"), &[arg("n", values.to_string())]);
        out.push(fill_id(lang, "share.receipt.removed", &[arg("kind", kind), arg("times", times.to_string())]));
    }
    for (part, n) in &receipt.left_out {
        let part = fill_id(lang, &format!("share.part.{part}"), &[]);
        out.push(fill_id(lang, "share.receipt.left-out", &[arg("part", part), arg("n", n.to_string())]));
    }
    if out.is_empty() {
        out.push(fill_id(lang, "share.receipt.nothing", &[]));
    }
    out
}
