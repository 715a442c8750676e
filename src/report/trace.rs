//! Every sentence of chapter 12 and what holds it: checks of documents, tests of the library, or a stated reason.
//!
//! Decides nothing: it is the list that `docs/conformance.md` shows, that the page shows, and that a test holds complete
//! against the chapter and against the list of checks. Source: Skill Sharing Protocol chapter 12.

use super::skill::TraceRow;

/// A sentence of the chapter.
pub struct Line {
    pub section: &'static str,
    /// As it stands there, without white space at its ends.
    pub sentence: &'static str,
    pub checks: &'static [&'static str],
    /// Where it is held beside checks, or why nothing can hold it; empty when the checks say all.
    pub note: &'static str,
}

const fn held(section: &'static str, sentence: &'static str, checks: &'static [&'static str]) -> Line {
    Line { section, sentence, checks, note: "" }
}

const fn noted(
    section: &'static str,
    sentence: &'static str,
    checks: &'static [&'static str],
    note: &'static str,
) -> Line {
    Line { section, sentence, checks, note }
}

const TITLE: &str = "A title.";
const BOTH: &str = "Held by one property test in Rust (tests/properties*.rs) and one in TypeScript (tests/ts).";

/// Every line of the chapter, in order.
pub const LINES: &[Line] = &[
    noted("12", "BLUEPRINT", &[], TITLE),
    noted("12", "第十二章：正確性保證", &[], TITLE),
    noted("12.1", "12.1 概述", &[], TITLE),
    noted(
        "12.1",
        "協定透過形式化的正確性屬性（Correctness Properties）定義系統應滿足的不變量。這些屬性是人類可讀規範與機器可驗證正確性保證之間的橋樑，透過屬性測試（Property-Based Testing）進行驗證。",
        &[],
        "Says what the properties are; each of them is held below.",
    ),
    noted("12.2", "12.2 正確性屬性列表", &[], TITLE),
    noted("12.2.1", "屬性 1：技能描述符結構完整性", &[], TITLE),
    held(
        "12.2.1",
        "對於任意有效的 SkillDescriptor 物件，它必須包含所有必要欄位：protocol（含 version）、id、name、version、capability_type、description、provider、endpoint、inputs、output、auth、access。缺少任何必要欄位的物件不應通過驗證。",
        &["SSP-P1-REQUIRED", "SSP-P1-AUTH-FIELD"],
    ),
    noted("12.2.2", "屬性 2：列舉欄位值域約束", &[], TITLE),
    noted("12.2.2", "對於任意有效的 SkillDescriptor 物件：", &["SSP-P2-ENUM"], "Opens the three sentences below."),
    held("12.2.2", "capability_type 的值必須是 [\"plugin\", \"api\", \"knowledge\", \"task\"] 之一", &["SSP-P2-ENUM"]),
    held("12.2.2", "access 的值必須是 [\"public\", \"restricted\", \"private\"] 之一", &["SSP-P2-ENUM"]),
    held("12.2.2", "auth.type 的值必須是 [\"api_key\", \"oauth2\", \"custom\", \"none\"] 之一", &["SSP-P2-ENUM"]),
    noted("12.2.3", "屬性 3：序列化/解析往返一致性", &[], TITLE),
    held(
        "12.2.3",
        "對於任意有效的 SkillDescriptor 物件，將其序列化為 JSON 文件後再解析回物件，所得結果應與原始物件語意等價：",
        &["SSP-P3-ROUND-TRIP", "SSP-P3-NUMBER", "SSP-P3-SURROGATE", "SSP-P3-I-JSON", "SSP-P3-BOM"],
    ),
    held("12.2.3", "parse(serialize(descriptor)) == descriptor", &["SSP-P3-ROUND-TRIP"]),
    noted("12.2.4", "屬性 4：Schema 驗證正確性", &[], TITLE),
    noted(
        "12.2.4",
        "對於任意符合 Schema 的 JSON 文件，Schema Validator 應成功解析並回傳結構化物件",
        &["SSP-P4-SYNTAX"],
        BOTH,
    ),
    held(
        "12.2.4",
        "對於任意不符合 Schema 的 JSON 文件，Schema Validator 應回傳包含具體違規欄位名稱和錯誤原因的錯誤資訊",
        &[
            "SSP-P4-SYNTAX",
            "SSP-P4-DUPLICATE-KEY",
            "SSP-P4-TYPE",
            "SSP-P4-TEXT",
            "SSP-P4-FORMAT",
            "SSP-P4-RANGE",
            "SSP-P4-LIST",
            "SSP-P4-ENUM",
            "SSP-P4-EMBEDDED",
            "SSP-P4-EXAMPLE",
            "SSP-P4-UNKNOWN",
            "SSP-P4-HOUSE",
            "SSP-P4-SECRET",
        ],
    ),
    noted("12.2.5", "屬性 5：技能識別碼唯一性", &[], TITLE),
    held(
        "12.2.5",
        "對於任意技能索引中的技能描述符集合，所有技能的 id 欄位值必須互不相同。",
        &["SSP-P5-DUPLICATE-ID", "SSP-P5-DESCRIPTOR-ID", "SSP-P5-PAGES", "SSP-P5-NEAR-ID"],
    ),
    noted("12.2.6", "屬性 6：技能索引正確性與存取控制", &[], TITLE),
    held(
        "12.2.6",
        "對於任意包含 N 個技能的提供者域，當未認證請求存取 Well-Known URI 時：",
        &["SSP-P6-INDEX", "SSP-P6-REQUIRED", "SSP-P6-HTTP"],
    ),
    held("12.2.6", "回傳的技能索引應包含所有 access 不為 \"private\" 的技能", &["SSP-P6-COMPLETE"]),
    held(
        "12.2.6",
        "不包含任何 access 為 \"private\" 的技能",
        &["SSP-P6-PRIVATE-LISTED", "SSP-P6-PRIVATE-SERVED", "SSP-P6-LEAK"],
    ),
    held(
        "12.2.6",
        "索引中每個條目的 descriptor_url 應指向有效的技能描述符",
        &["SSP-P6-URL", "SSP-P6-LINK", "SSP-P6-MATCH", "SSP-P6-DIGEST"],
    ),
    noted("12.2.7", "屬性 7：能力類型篩選正確性", &[], TITLE),
    noted(
        "12.2.7",
        "對於任意技能集合和任意 CapabilityType 篩選值：",
        &["SSP-P7-SOUND", "SSP-P7-COMPLETE"],
        "Opens the two sentences below.",
    ),
    held("12.2.7", "篩選後的結果集中，每個技能的 capability_type 等於篩選值", &["SSP-P7-SOUND"]),
    held("12.2.7", "原始集合中所有符合該類型的技能都出現在結果中", &["SSP-P7-COMPLETE"]),
    noted("12.2.8", "屬性 8：呼叫訊息結構完整性", &[], TITLE),
    held(
        "12.2.8",
        "對於任意有效的 InvocationRequest，必須包含 caller（含 id 和 type）、skill_id 和 inputs 欄位",
        &["SSP-P8-REQUIRED", "SSP-P8-INPUTS", "SSP-P8-SKILL-ID"],
    ),
    held(
        "12.2.8",
        "對於任意有效的 InvocationResponse，必須包含 execution_id、status、skill_id 和 timestamps 欄位",
        &["SSP-P8-REQUIRED", "SSP-P8-OUTPUT", "SSP-P8-SKILL-ID", "SSP-P8-PAIR", "SSP-P8-TIMES"],
    ),
    noted("12.2.9", "屬性 9：協定版本 SemVer 格式", &[], TITLE),
    held(
        "12.2.9",
        "對於任意有效的 ProtocolVersion 物件，其 version 欄位必須符合 MAJOR.MINOR.PATCH 格式，其中 MAJOR、MINOR、PATCH 均為非負整數。",
        &["SSP-P9-REQUIRED", "SSP-P9-SEMVER"],
    ),
    noted("12.2.10", "屬性 10：版本不相容偵測", &[], TITLE),
    noted(
        "12.2.10",
        "對於任意技能描述符的協定版本和消費者支援的協定版本：",
        &["SSP-P10-MAJOR", "SSP-P10-OLDER"],
        "Opens the two sentences below. The chapter says nothing of a lower MAJOR: it is a warning.",
    ),
    held("12.2.10", "當描述符的主版本號（MAJOR）大於消費者支援的主版本號時，回傳版本不相容錯誤", &["SSP-P10-MAJOR"]),
    held("12.2.10", "當主版本號相同時，正常處理", &["SSP-P10-MAJOR", "SSP-P10-NEWER-MINOR"]),
    noted("12.2.11", "屬性 11：TypeScript 與 JSON Schema 語意一致性", &[], TITLE),
    noted(
        "12.2.11",
        "對於任意由 TypeScript 型別定義產生的有效 SkillDescriptor 實例，該實例應通過 JSON Schema 驗證",
        &["SSP-P11-TYPES"],
        "About the library's types, not about a document: make package runs it.",
    ),
    noted(
        "12.2.11",
        "對於任意通過 JSON Schema 驗證的 JSON 文件，它應能被 TypeScript 型別系統接受",
        &["SSP-P11-TYPES"],
        "About the library's types, not about a document: make package runs it.",
    ),
    noted("12.3", "12.3 測試策略", &[], TITLE),
    noted("12.3", "雙軌測試方法", &[], TITLE),
    noted("12.3", "方法\t目的\t工具", &[], TITLE),
    noted("12.3", "單元測試\t驗證具體範例、邊界情況和錯誤條件\tvitest", &[], "tests/ts and tests/skill*.rs."),
    noted("12.3", "屬性測試\t驗證跨所有輸入的通用屬性\tfast-check", &[], BOTH),
    noted("12.3", "屬性測試設定", &[], TITLE),
    noted("12.3", "每個屬性測試最少執行 100 次迭代", &[], BOTH),
    noted("12.3", "使用 fast-check 函式庫產生隨機測試資料", &[], "tests/ts; the Rust half uses proptest."),
    noted("12.3", "每個正確性屬性由單個屬性測試實作", &[], BOTH),
    noted("12.3", "測試標籤格式：Feature: skill-sharing-protocol, Property {N}: {description}", &[], BOTH),
    noted("12.3", "測試範例", &[], TITLE),
    noted("12.3", "import fc from 'fast-check';", &[], "An example of a test; tests/ts has it for property 3."),
];

/// The table as the page shows it.
pub fn rows() -> Vec<TraceRow> {
    LINES
        .iter()
        .map(|line| TraceRow {
            section: line.section.into(),
            sentence: line.sentence.into(),
            checks: line.checks.iter().map(|c| (*c).to_owned()).collect(),
            note: line.note.into(),
        })
        .collect()
}
