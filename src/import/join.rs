//! Runs that are stored as a folder with one file an event: joined into one text of JSON lines before they are read.
//!
//! OpenHands keeps `events/event-00012-<id>.json` beside a `base_state.json` (SDK) or `events/12.json` with a cache of
//! the same events in pages, `event_cache/0-25.json` (before the SDK). O(bytes).
//! Source: the names in the persistence code of both programs.

use std::collections::BTreeMap;

use crate::json::decode_bytes;

/// Whether a file may be a part of such a folder: hold it back, and give all of them to [`join_event_files`].
pub fn is_event_file(path: &str) -> bool {
    event_number(path).is_some() || cache_folder(path).is_some() || state_folder(path).is_some()
}

/// Joins the files of each folder of events, in order of their numbers, into one file of JSON lines that is named like
/// the folder; the state of the conversation becomes its first line. Files that belong to no such folder come back as
/// they are, before the joined ones; pages of a cache whose events are here are left out.
pub fn join_event_files(files: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    let mut folders: BTreeMap<String, BTreeMap<(u64, String), Vec<u8>>> = BTreeMap::new();
    let mut out = Vec::new();
    for (path, bytes) in files {
        match event_number(&path) {
            Some((folder, number)) => {
                let key = (number, path.clone());
                folders.entry(folder.to_owned()).or_default().insert(key, bytes);
            }
            None => out.push((path, bytes)),
        }
    }
    let mut states = BTreeMap::new();
    out.retain_mut(|(path, bytes)| {
        if let Some(parent) = cache_folder(path) {
            return !folders.contains_key(&under(parent, "events"));
        }
        let Some(parent) = state_folder(path) else { return true };
        let events = under(parent, "events");
        if !folders.contains_key(&events) {
            return true;
        }
        states.insert(events, std::mem::take(bytes));
        false
    });
    for (folder, events) in folders {
        let mut text = String::new();
        for bytes in states.get(&folder).into_iter().chain(events.values()) {
            push_line(&mut text, bytes);
        }
        let name = if folder.is_empty() { "events".to_owned() } else { folder };
        out.push((name, text.into_bytes()));
    }
    out
}

/// A pretty-printed value becomes one line. A raw line break inside a string is no JSON in the first place.
fn push_line(text: &mut String, bytes: &[u8]) {
    let decoded = decode_bytes(bytes);
    let line = decoded.text.trim();
    text.extend(line.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }));
    text.push('\n');
}

fn under(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") }
}

/// Folder and file name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The folder and the number of an event file.
fn event_number(path: &str) -> Option<(&str, u64)> {
    let (folder, name) = split(path);
    let stem = name.strip_suffix(".json")?;
    if let Some(rest) = stem.strip_prefix("event-") {
        let (number, id) = rest.split_once('-')?;
        return if id.is_empty() { None } else { Some((folder, digits(number)?)) };
    }
    if split(folder).1 == "events" { Some((folder, digits(stem)?)) } else { None }
}

/// The parent of the folder that holds a page of cached events.
fn cache_folder(path: &str) -> Option<&str> {
    let (folder, name) = split(path);
    let (from, to) = name.strip_suffix(".json")?.split_once('-')?;
    let (parent, last) = split(folder);
    (last == "event_cache" && digits(from).is_some() && digits(to).is_some()).then_some(parent)
}

/// The folder of a conversation's state.
fn state_folder(path: &str) -> Option<&str> {
    let (folder, name) = split(path);
    (name == "base_state.json").then_some(folder)
}

fn digits(text: &str) -> Option<u64> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let files = files.iter().map(|(p, t)| ((*p).to_owned(), t.as_bytes().to_vec())).collect();
        let text = |b: Vec<u8>| String::from_utf8(b).unwrap_or_default();
        join_event_files(files).into_iter().map(|(p, b)| (p, text(b))).collect()
    }

    #[test]
    fn events_stand_in_order_of_their_numbers_behind_the_state() {
        let joined = join(&[
            ("c/events/event-00010-b.json", "{\n  \"n\": 10\n}\n"),
            ("c/events/event-00002-a.json", "{\"n\":2}"),
            ("c/base_state.json", "{\"agent\":{}}"),
            ("notes.txt", "hello"),
            ("d/base_state.json", "{}"),
        ]);
        assert_eq!(joined.len(), 3);
        assert_eq!(joined[0], ("notes.txt".into(), "hello".into()));
        assert_eq!(joined[1], ("d/base_state.json".into(), "{}".into()));
        assert_eq!(joined[2].0, "c/events");
        assert_eq!(joined[2].1, "{\"agent\":{}}\n{\"n\":2}\n{   \"n\": 10 }\n");
    }

    #[test]
    fn numbered_files_need_their_folder_and_a_cache_is_no_second_run() {
        let joined = join(&[
            ("s/events/1.json", "{\"id\":1}"),
            ("s/events/0.json", "{\"id\":0}"),
            ("s/event_cache/0-25.json", "[{\"id\":0},{\"id\":1}]"),
            ("t/event_cache/0-25.json", "[]"),
            ("7.json", "{}"),
            ("event-00000-x.json", "{}"),
        ]);
        let names: Vec<_> = joined.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["t/event_cache/0-25.json", "7.json", "events", "s/events"]);
        assert_eq!(joined[3].1, "{\"id\":0}\n{\"id\":1}\n");
        for (path, expected) in
            [("events/3.json", true), ("3.json", false), ("event-1-.json", false), ("events/x.json", false)]
        {
            assert_eq!(is_event_file(path), expected, "{path}");
        }
    }
}
