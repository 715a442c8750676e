//! Any list of messages: the last resort for the many dumps that are nobody's format.
//!
//! ```json
//! {"log":{"turns":[{"from":"human","value":"hi"},{"from":"gpt","value":"hello"}]}}
//! ```
//!
//! A message is an object with a speaker (`role`, `from`, `speaker`, `author`, `sender`, `type`, `source`) and a body
//! (`content`, `value`, `text`, `message`, `parts`), or a pair `{"user": "…", "assistant": "…"}`. The list is the file
//! itself, its lines, or the first such list within three levels below the root object. Two messages must be there
//! and somebody must speak as a person or as a model: lists of other things are not taken. O(bytes).

use super::chat::{Chat, Speaker, body, speaker};
use super::part::cut;
use super::tools::declare;
use super::{Format, Log, Reason, Record, RecordReader, Sample, Sniff};
use crate::json::Val;
use crate::model::Run;

/// The format's line in the table.
pub const FORMAT: Format = Format {
    id: "messages",
    label: "Any list of messages",
    files: "any array of objects with a role and a text",
    marks: &["role", "content"],
    sniff,
    reader: || Box::new(Reader { runs: Vec::new(), stream: None }),
};

/// Levels below the root object where a list is looked for.
const DEPTH: usize = 3;
/// Values looked at on one level.
const MAX_LOOK: usize = 2_000;

/// Who speaks, in a record of a list. `type` and `source` are words of many other things, so there they must name a
/// usual speaker.
fn who(val: Val<'_>) -> Option<String> {
    for key in ["role", "from", "speaker", "author", "sender"] {
        let Some(found) = val.some(key) else { continue };
        let found = if found.is_object() { found.some("role").or_else(|| found.some("name"))? } else { found };
        let name = found.as_str()?;
        if !name.trim().is_empty() && name.len() <= 100 {
            return Some(name.into_owned());
        }
    }
    ["type", "source"]
        .iter()
        .find_map(|k| val.str(k))
        .filter(|name| speaker(name) != Speaker::Named)
        .map(|n| n.into_owned())
}

fn is_turn(val: Val<'_>) -> bool {
    val.is_object() && who(val).is_some() && body(val).is_some_and(|b| b.is_string() || b.is_array() || b.is_object())
}

/// `{"user": "…", "assistant": "…"}`: question and answer in one record.
fn pair(val: Val<'_>) -> Option<(Val<'_>, Val<'_>)> {
    let text = |keys: [&str; 2]| keys.iter().find_map(|k| val.get(k)).filter(|v| v.is_string());
    Some((text(["user", "human"])?, text(["assistant", "ai"])?))
}

/// Whether values, one after another, are messages: two or more, most of all, and with a person or a model among them.
fn are_turns<'a>(list: impl Iterator<Item = Val<'a>>) -> bool {
    let (mut all, mut turns, mut known, mut pairs) = (0, 0, 0, 0);
    for val in list.take(64).filter(|v| v.is_object()) {
        all += 1;
        if is_turn(val) {
            turns += 1;
            known += usize::from(who(val).is_some_and(|w| matches!(speaker(&w), Speaker::Person | Speaker::Agent)));
        } else if pair(val).is_some() {
            pairs += 1;
        }
    }
    (turns >= 2 && known > 0 && turns * 2 >= all) || (pairs > 0 && pairs * 2 >= all)
}

/// The first list of messages below an object, nearest level first.
fn list_in(root: Val<'_>) -> Option<Val<'_>> {
    let mut level = vec![root];
    for _ in 0..DEPTH {
        let mut below = Vec::new();
        for object in level {
            for (_, val) in object.entries().take(MAX_LOOK) {
                if val.is_array() && are_turns(val.items()) {
                    return Some(val);
                }
                if val.is_object() && below.len() < MAX_LOOK {
                    below.push(val);
                }
            }
        }
        level = below;
    }
    None
}

fn sniff(sample: &Sample<'_>) -> Sniff {
    if let Some(root) = sample.object() {
        if list_in(root).is_some() || pair(root).is_some() {
            return Sniff::Yes;
        }
        let arrays = root.entries().filter(|(_, v)| v.is_array()).count();
        let near = u8::from(arrays > 0);
        return Sniff::near(near, Reason::NeedsRecords("role"), "/");
    }
    let containers = sample.records.iter().filter(|v| holds_list(**v)).count();
    if are_turns(sample.records.iter().copied()) || (containers > 0 && containers * 2 >= sample.records.len()) {
        return Sniff::Yes;
    }
    let has_speaker = sample.any(|v| v.is_object() && who(v).is_some());
    let has_body = sample.any(|v| v.is_object() && body(v).is_some());
    match (has_speaker, has_body) {
        (true, false) => Sniff::near(1, Reason::NoKey("content"), "/0/content"),
        (false, true) => Sniff::near(1, Reason::NoKey("role"), "/0/role"),
        // One message alone, or nobody among them who is a person or a model.
        (true, true) => Sniff::near(1, Reason::NeedsRecords("role"), "/1/role"),
        (false, false) => Sniff::no(Reason::NeedsRecords("role"), "/0/role"),
    }
}

fn holds_list(val: Val<'_>) -> bool {
    (val.is_array() && are_turns(val.items())) || (val.is_object() && list_in(val).is_some())
}

struct Reader {
    runs: Vec<Run>,
    /// Messages that are records themselves.
    stream: Option<Chat>,
}

fn turn(chat: &mut Chat, record: &Record<'_>, log: &mut Log) {
    let val = record.val;
    if let (Some(role), true) = (who(val), is_turn(val)) {
        let mut said = body(val);
        // `{"role": "…", "message": {"content": …}}`
        if let Some(inner) = said.filter(|s| s.is_object()).and_then(body) {
            said = Some(inner);
        }
        chat.spoken(record, &role, said, log);
        return;
    }
    if let Some((question, answer)) = pair(val) {
        chat.spoken(record, "user", Some(question), log);
        chat.spoken(record, "assistant", Some(answer), log);
        return;
    }
    if val.has("role") && (val.has("tool_calls") || val.has("function_call")) {
        chat.message(record, log);
        return;
    }
    chat.unknown(record, &val.str("type").unwrap_or("no role".into()), log);
}

impl RecordReader for Reader {
    fn record(&mut self, record: &Record<'_>, log: &mut Log) {
        let val = record.val;
        let list = if val.is_array() {
            Some(val)
        } else if is_turn(val) || pair(val).is_some() {
            None
        } else {
            list_in(val)
        };
        let Some(list) = list else {
            return turn(self.stream.get_or_insert_with(|| Chat::new(FORMAT.id)), record, log);
        };
        let mut chat = Chat::new(FORMAT.id);
        for tools in ["tools", "functions"].iter().filter_map(|k| val.some(k)) {
            declare(&mut chat.run.run, tools);
        }
        for key in ["id", "session_id", "conversation_id"] {
            if let Some(id) = val.some(key).filter(|v| !v.is_object() && !v.is_array() && chat.run.run.id.is_none()) {
                chat.run.run.id = Some(cut(&id.text(), 200));
            }
        }
        if let Some(title) = val.str("title").or_else(|| val.str("name")) {
            chat.run.run.title = cut(title.trim(), 120);
        }
        record.each(list, |member| turn(&mut chat, member, log));
        self.runs.push(chat.finish(log));
    }

    fn finish(mut self: Box<Self>, log: &mut Log) -> Vec<Run> {
        if let Some(chat) = self.stream.take() {
            self.runs.push(chat.finish(log));
        }
        self.runs.retain(|r| !r.steps.is_empty());
        self.runs
    }
}
