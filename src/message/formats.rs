//! Which files a format reads, and what an importer noticed: the sentences of the formats that traces, programs and
//! datasets have. Ids as in [`super::findings`].

pub const TABLE: &[(&str, &str, &str)] = &[(
    "format.otlp",
    "OTLP JSON with GenAI or OpenInference keys, Phoenix spans",
    "含 GenAI 或 OpenInference 鍵的 OTLP JSON、Phoenix span",
)];
