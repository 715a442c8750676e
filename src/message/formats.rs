//! Which files a format reads, and what an importer noticed: the sentences of the formats that traces, programs and
//! datasets have. Ids as in [`super::findings`].

pub const TABLE: &[(&str, &str, &str)] = &[
    (
        "format.otlp",
        "OTLP JSON with GenAI or OpenInference keys, Phoenix spans",
        "含 GenAI 或 OpenInference 鍵的 OTLP JSON、Phoenix span",
    ),
    ("format.langfuse", "exported traces with observations and scores", "匯出的追蹤，含觀察與分數"),
    ("format.langsmith", "exported runs, LangGraph's astream_events", "匯出的執行、LangGraph 的 astream_events"),
    (
        "format.openai-agents",
        "exported traces with agents, hand-overs and guardrails",
        "匯出的追蹤，含代理、交接與護欄",
    ),
    ("format.langchain", "serialised messages, graph states, streamed updates", "序列化的訊息、圖狀態、串流更新"),
    ("format.openai-responses", "item lists, responses, requests with responses", "項目清單、回應、請求與回應"),
    ("format.pydantic-ai", "message histories", "訊息歷史"),
    ("format.gemini-cli", "saved sessions, session logs", "儲存的工作階段、工作階段紀錄"),
    ("format.opencode", "exported sessions, run --format json", "匯出的工作階段、run --format json"),
    ("format.copilot-cli", "session events", "工作階段事件"),
    ("format.vscode-copilot", "exported prompts (.chatreplay.json)", "匯出的提示（.chatreplay.json）"),
    ("format.cursor", "agent transcripts", "代理對話紀錄"),
    ("format.cline", "conversation histories, screen messages, CLI sessions", "對話歷史、畫面訊息、CLI 工作階段"),
    ("format.goose", "exported sessions, session files, stream-json", "匯出的工作階段、工作階段檔、stream-json"),
    ("format.pi", "session files", "工作階段檔"),
    (
        "note.content-not-recorded",
        "{count} {count|request|requests} to a model without a word of prompt or answer: the tracer was not told to record content",
        "{count} 次模型請求沒有提示與回答的文字：追蹤工具未設定記錄內容",
    ),
    (
        "note.branches-left-out",
        "{count} {count|entry|entries} on branches that were left; the path to the last entry is shown",
        "略過 {count} 筆已離開分支上的記錄；顯示通往最後一筆的路徑",
    ),
];
