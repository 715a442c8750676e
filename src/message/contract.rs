//! What the contract of a run says: calls that break what their skills promise, in both languages.

/// Sentences by id, as [`super::findings`] describes them.
pub const TABLE: &[(&str, &str, &str)] = &[
    ("rule.contract-undeclared.title", "Undeclared skill", "未宣告的技能"),
    (
        "rule.contract-undeclared",
        "{tool} is not among the {n} declared {n|skill|skills}",
        "{tool} 不在已宣告的 {n} 個技能之中",
    ),
    (
        "rule.contract-undeclared.remedy",
        "The model made the name up, or a tool was left out of the list. Compare the name with the declared ones",
        "可能是模型自行編造名稱，或清單漏列了工具。請與已宣告的名稱比對",
    ),
    ("rule.contract-misnamed.title", "Skill of another name", "技能名稱有誤"),
    (
        "rule.contract-misnamed",
        "No declared skill is called {tool}; the nearest name is {near}",
        "沒有名為 {tool} 的已宣告技能；最接近的名稱是 {near}",
    ),
    ("rule.contract-misnamed.remedy", "Call {near}, or declare {tool}", "請改為呼叫 {near}，或宣告 {tool}"),
    ("rule.contract-missing.title", "Required argument is missing", "缺少必要的參數"),
    (
        "rule.contract-missing",
        "{tool} was called without {field}, which its schema requires",
        "呼叫 {tool} 時缺少其結構描述所要求的 {field}",
    ),
    (
        "rule.contract-missing.remedy",
        "Give {field}, or take it out of \"required\" if the skill can do without it",
        "請提供 {field}；若技能不需要它，請將它自 \"required\" 移除",
    ),
    ("rule.contract-unknown.title", "Argument that the skill does not take", "技能不接受的參數"),
    ("rule.contract-unknown", "{tool} takes no {field}; it takes {names}", "{tool} 不接受 {field}；它接受 {names}"),
    (
        "rule.contract-unknown.remedy",
        "Use one of the names of the schema. The nearest comes first",
        "請使用結構描述中的名稱，最接近的列在最前面",
    ),
    ("rule.contract-input.title", "Argument breaks the schema", "參數不符合結構描述"),
    (
        "rule.contract-input",
        "{tool}: {field} breaks \"{keyword}\": {wanted}",
        "{tool}：{field} 不符合 \"{keyword}\"：{wanted}",
    ),
    (
        "rule.contract-input.remedy",
        "Compare the argument with what the schema wants at this place",
        "請比對該參數與結構描述在此處的要求",
    ),
    ("rule.contract-output.title", "Result breaks the schema", "結果不符合結構描述"),
    (
        "rule.contract-output",
        "The result of {tool}: {field} breaks \"{keyword}\": {wanted}",
        "{tool} 的結果：{field} 不符合 \"{keyword}\"：{wanted}",
    ),
    (
        "rule.contract-output.remedy",
        "The skill gives something else than it declares. Its provider should correct the skill or its output schema",
        "技能回傳的內容與其宣告不同。提供者應修正技能或其輸出的結構描述",
    ),
    ("rule.contract-access.title", "Anonymous call of a skill that is not public", "匿名呼叫非公開的技能"),
    (
        "rule.contract-access",
        "{tool} is {word}, and the run does not say who calls it",
        "{tool} 的存取層級為 {word}，但執行紀錄未說明呼叫者",
    ),
    (
        "rule.contract-access.remedy",
        "A provider would refuse the call. Name the agent in the log, and sign in",
        "提供者會拒絕此呼叫。請在紀錄中註明代理並先通過驗證",
    ),
    ("rule.contract-protocol.title", "Protocol is too new", "協定版本過新"),
    (
        "rule.contract-protocol",
        "{tool} is described in protocol {version}; supported is {supports}. Nothing else of it was checked",
        "{tool} 以協定 {version} 描述；支援的版本是 {supports}。其餘內容未檢查",
    ),
    (
        "rule.contract-protocol.remedy",
        "Ask the provider for a descriptor of the supported version, or use a newer reader",
        "請向提供者索取支援版本的描述符，或改用較新的讀取程式",
    ),
    ("rule.contract-argument.title", "Argument that the schema does not know", "結構描述未列出的參數"),
    (
        "rule.contract-argument",
        "The schema of {tool} knows no {field} and lets it pass; {near} was probably meant",
        "{tool} 的結構描述未列出 {field} 但允許通過；可能是指 {near}",
    ),
    (
        "rule.contract-argument.remedy",
        "Call it {near}. \"additionalProperties\": false in the schema would have refused it",
        "請改用 {near}。在結構描述中設定 \"additionalProperties\": false 即可拒絕它",
    ),
    ("rule.contract-schema.title", "Schema cannot be used", "結構描述無法使用"),
    ("rule.contract-schema", "A schema of {tool} cannot be used: {why}", "{tool} 的結構描述無法使用：{why}"),
    (
        "rule.contract-schema.remedy",
        "Calls of this skill were not checked. Correct the schema; references to other places are never fetched",
        "此技能的呼叫未經檢查。請修正結構描述；指向其他位置的參照不會被擷取",
    ),
    ("rule.contract-unchecked.title", "Calls that were not checked", "未檢查的呼叫"),
    (
        "rule.contract-unchecked",
        "{n} {n|call was|calls were} not checked whole: {schemaless} without a schema, {args} whose arguments are not JSON, {results} without a result of the declared kind, {others} for other reasons",
        "{n} 個呼叫未能完整檢查：{schemaless} 個沒有結構描述，{args} 個的參數不是 JSON，{results} 個沒有所宣告類型的結果，{others} 個因其他原因",
    ),
    (
        "rule.contract-unchecked.remedy",
        "Not checked is not passed. Open the skills' descriptors beside the run",
        "未檢查不等於通過。請將技能的描述符與執行紀錄一併開啟",
    ),
    ("rule.contract-unused.title", "Declared and never called", "已宣告但從未呼叫"),
    (
        "rule.contract-unused",
        "{n} of {of} declared {of|skill was|skills were} never called: {names}",
        "已宣告的 {of} 個技能中有 {n} 個從未被呼叫：{names}",
    ),
    (
        "rule.contract-unused.remedy",
        "Every declared skill costs tokens in every request. Leave out what is not needed",
        "每個已宣告的技能都會在每次請求中耗用 token。請移除不需要的技能",
    ),
    (
        "skipped.no-skills",
        "no skills are declared in the run or open beside it",
        "執行紀錄未宣告技能，也沒有一併開啟的技能",
    ),
];
