//! A body as the JSON texts in it: server-sent events, JSON lines, or one JSON text. O(length).
//!
//! Source: the HTML standard's event streams, as far as these servers use them: `data:` lines, ended by an empty line.

/// The JSON texts, in order. A body that is no stream is one text.
pub fn pieces(body: &str) -> Vec<String> {
    let body = body.trim_start_matches('\u{feff}').trim();
    if is_events(body) {
        return events(body);
    }
    // JSON lines: every line begins an object. A pretty-printed text has lines that do not.
    let mut lines = body.lines().map(str::trim).filter(|l| !l.is_empty()).peekable();
    let several = body.lines().filter(|l| !l.trim().is_empty()).count() > 1;
    if several && lines.all(|l| l.starts_with('{')) && !body.starts_with("{\n") {
        return body.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect();
    }
    vec![body.to_owned()]
}

fn is_events(body: &str) -> bool {
    ["data:", "event:", ":", "id:", "retry:"].iter().any(|head| body.starts_with(head))
}

fn events(body: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut data: Vec<&str> = Vec::new();
    let mut flush = |data: &mut Vec<&str>| {
        let text = std::mem::take(data).join("\n");
        if !text.trim().is_empty() && text.trim() != "[DONE]" {
            out.push(text);
        }
    };
    for line in body.lines() {
        if line.is_empty() {
            flush(&mut data);
        } else if let Some(rest) = line.strip_prefix("data:") {
            data.push(rest.strip_prefix(' ').unwrap_or(rest));
        }
    }
    flush(&mut data);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_kinds_of_body() {
        assert_eq!(pieces("{\n \"a\": 1\n}"), ["{\n \"a\": 1\n}"]);
        assert_eq!(pieces("{\"a\":1}\n{\"a\":2}\n"), ["{\"a\":1}", "{\"a\":2}"]);
        assert_eq!(
            pieces(": hello\n\nevent: x\ndata: {\"a\":1}\n\ndata: {\"b\":\ndata: 2}\n\ndata: [DONE]\n"),
            ["{\"a\":1}", "{\"b\":\n2}"]
        );
        assert_eq!(pieces(""), [""]);
    }
}
