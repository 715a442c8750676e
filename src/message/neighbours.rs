//! What is guessed and lost when neighbours of the protocol become descriptors, in both languages.
//!
//! `neighbour.note.<code>` tells a guess or a loss, `neighbour.skipped.<code>` why a part of a file gives no descriptor,
//! `neighbour.refused.<code>` why a file gives none and what to do; `neighbour.kind.<id>` are the words for the two kinds.

/// Sentences by id.
pub const TABLE: &[(&str, &str, &str)] = &[
    ("neighbour.kind.guess", "guess", "推測"),
    ("neighbour.kind.loss", "loss", "遺失"),
    (
        "neighbour.note.by-kind",
        "Protocol version and capability type ({capability}) follow from the kind of the file; access follows from whether a sign-in is asked for",
        "協定版本與能力類型（{capability}）依檔案種類推定；存取層級依是否要求驗證推定",
    ),
    ("neighbour.note.version-missing", "No version is stated; 0.0.0 was put", "未說明版本；填入 0.0.0"),
    (
        "neighbour.note.version-elsewhere",
        "The version stands outside \"metadata\", where the specification does not have it",
        "版本寫在 \"metadata\" 之外，不符合規範的位置",
    ),
    (
        "neighbour.note.version-placeholder",
        "The version is a placeholder, {version}; 0.0.0 was put",
        "版本是佔位符 {version}；填入 0.0.0",
    ),
    ("neighbour.note.name-missing", "No name is stated; \"{value}\" was put", "未說明名稱；填入「{value}」"),
    (
        "neighbour.note.description-missing",
        "No description is stated; \"{value}\" was put",
        "沒有說明文字；填入「{value}」",
    ),
    ("neighbour.note.provider-missing", "No provider is named; \"{name}\" was put", "未指明提供者；填入「{name}」"),
    (
        "neighbour.note.namespace",
        "Nothing says whose skill it is; the id begins with \"{namespace}\"",
        "沒有說明技能屬於誰；識別碼以「{namespace}」開頭",
    ),
    (
        "neighbour.note.id-escaped",
        "\"{from}\" has signs that an id cannot have; it became {id}",
        "「{from}」含有識別碼不允許的字元；改為 {id}",
    ),
    ("neighbour.note.id-taken", "The id {from} was taken; it became {id}", "識別碼 {from} 已被使用；改為 {id}"),
    ("neighbour.note.id-made", "No id is stated; {id} was made", "未說明識別碼；產生 {id}"),
    (
        "neighbour.note.endpoint-missing",
        "No address is stated; {url}, which cannot exist, was put",
        "未說明位址；填入不可能存在的 {url}",
    ),
    (
        "neighbour.note.endpoint-relative",
        "The address {url} is relative; it was resolved against the given base",
        "位址 {url} 是相對位址；已依指定的基底解析",
    ),
    (
        "neighbour.note.endpoint-variables",
        "The address has variables; their defaults give {url}",
        "位址含有變數；以預設值得到 {url}",
    ),
    (
        "neighbour.note.inputs-missing",
        "No schema of the inputs is stated; any object is taken",
        "未說明輸入的結構描述；接受任何物件",
    ),
    (
        "neighbour.note.inputs-synthetic",
        "The card knows no schemas; the inputs are one message",
        "代理卡片沒有結構描述；輸入為一則訊息",
    ),
    (
        "neighbour.note.arguments-read",
        "The list \"arguments\" was read as the inputs; it is not part of the specification",
        "清單 \"arguments\" 當作輸入讀取；它不屬於規範",
    ),
    (
        "neighbour.note.output-undeclared",
        "No schema of the output is stated; the output is undeclared",
        "未說明輸出的結構描述；輸出視為未宣告",
    ),
    (
        "neighbour.note.scheme-unknown",
        "The way to authenticate \"{name}\" is not described; it is kept by name",
        "驗證方式「{name}」沒有說明；僅保留名稱",
    ),
    (
        "neighbour.note.older-version",
        "The card is older than A2A 1.0 (it says {version})",
        "此卡片早於 A2A 1.0（標示 {version}）",
    ),
    (
        "neighbour.note.older-dialect",
        "The schema of \"{field}\" names an older dialect than 2020-12 and keeps it",
        "\"{field}\" 的結構描述使用早於 2020-12 的版本，維持原樣",
    ),
    (
        "neighbour.note.parameter-renamed",
        "Two parameters are called {from}; this one became {name}",
        "有兩個參數名為 {from}；此參數改為 {name}",
    ),
    (
        "neighbour.note.text-cut",
        "The text of \"{field}\" is longer than {max} characters and was cut",
        "\"{field}\" 的文字超過 {max} 個字元，已截斷",
    ),
    (
        "neighbour.note.schema-unusable",
        "The schema of \"{field}\" cannot be used and is kept aside: {why}",
        "\"{field}\" 的結構描述無法使用，另行保留：{why}",
    ),
    (
        "neighbour.note.schema-rewritten",
        "The schema is in the dialect of OpenAPI 3.0; it was rewritten as JSON Schema 2020-12",
        "結構描述使用 OpenAPI 3.0 的方言；已改寫為 JSON Schema 2020-12",
    ),
    (
        "neighbour.note.reference-lost",
        "The reference {ref} leads out of the file and was not followed",
        "參照 {ref} 指向檔案之外，未予追蹤",
    ),
    (
        "neighbour.note.auth-alternatives",
        "There {n|is|are} {n} more {n|way|ways} to authenticate; a descriptor has room for one",
        "另有 {n} 種驗證方式；描述符只能容納一種",
    ),
    (
        "neighbour.note.interfaces",
        "There {n|is|are} {n} more {n|address|addresses}; a descriptor has room for one",
        "另有 {n} 個位址；描述符只能容納一個",
    ),
    (
        "neighbour.note.packages",
        "There {n|is|are} {n} more {n|package|packages} of the server",
        "伺服器另有 {n} 個套件",
    ),
    ("neighbour.note.more-pages", "The list goes on; the other pages are not here", "清單尚有後續頁面，不在此檔案中"),
    ("neighbour.note.method", "A descriptor has no word for this method", "描述符沒有對應此方法的詞"),
    (
        "neighbour.note.webhooks",
        "{n} {n|webhook is|webhooks are} left out: the provider calls them",
        "略過 {n} 個 webhook：它們由提供者呼叫",
    ),
    ("neighbour.note.callbacks", "Callbacks are left out: the provider calls them", "略過 callbacks：它們由提供者呼叫"),
    ("neighbour.note.links", "Links between operations are left out", "略過作業之間的 links"),
    (
        "neighbour.note.responses",
        "{n} other {n|answer|answers}, errors among them, {n|is|are} left out",
        "略過其他 {n} 種回應（包含錯誤）",
    ),
    (
        "neighbour.note.media-types",
        "{n} more media {n|type is|types are} left out; {kept} was kept",
        "略過另外 {n} 種媒體類型；保留 {kept}",
    ),
    ("neighbour.note.field", "\"{field}\" has no place in a descriptor", "\"{field}\" 在描述符中沒有位置"),
    (
        "neighbour.note.body",
        "The text of the skill, {n} {n|line|lines}, stays in its file",
        "技能的本文（{n} 行）保留在原檔案中",
    ),
    (
        "neighbour.note.digest-unchecked",
        "The digest is kept and was not checked: the file is not here",
        "已保留摘要值但未檢查：檔案不在此處",
    ),
    (
        "neighbour.note.extended-card",
        "Callers who sign in get another card with more skills; it is not here",
        "通過驗證的呼叫者會取得含有更多技能的卡片；它不在此處",
    ),
    ("neighbour.note.tags-made", "A card asks for tags; the capability type was put", "代理卡片要求標籤；填入能力類型"),
    ("neighbour.note.no-place", "There is no place for {fields}", "{fields} 沒有對應的位置"),
    (
        "neighbour.note.auth-lost",
        "A card cannot say the way to authenticate \"{scheme}\"",
        "代理卡片無法表達驗證方式「{scheme}」",
    ),
    (
        "neighbour.note.inputs-lost",
        "A card knows no schemas; the schema of the inputs is left out",
        "代理卡片沒有結構描述；略過輸入的結構描述",
    ),
    ("neighbour.note.output-lost", "The schema of the output is left out", "略過輸出的結構描述"),
    (
        "neighbour.note.endpoint-lost",
        "The address speaks \"{binding}\" and not A2A; agents cannot call it",
        "此位址使用「{binding}」而非 A2A；代理無法呼叫",
    ),
    (
        "neighbour.note.private-left-out",
        "{id} is private and is not in a public list",
        "{id} 為 private，不列入公開清單",
    ),
    ("neighbour.skipped.not-an-object", "It is not an object", "它不是物件"),
    ("neighbour.skipped.no-name", "It has no name", "它沒有名稱"),
    (
        "neighbour.skipped.service-tool",
        "A tool of the model service itself ({type}) has no schema of its own",
        "模型服務本身的工具（{type}）沒有自己的結構描述",
    ),
    (
        "neighbour.skipped.method",
        "A descriptor has no word for the method {method}",
        "描述符沒有對應方法 {method} 的詞",
    ),
    ("neighbour.skipped.reference", "The reference {ref} leads out of the file", "參照 {ref} 指向檔案之外"),
    (
        "neighbour.skipped.too-many",
        "Only {limit} descriptors are made of one file",
        "一個檔案最多產生 {limit} 個描述符",
    ),
    (
        "neighbour.skipped.not-valid",
        "The descriptor {id} would not be valid: {field} ({reason})",
        "描述符 {id} 不會有效：{field}（{reason}）",
    ),
    ("neighbour.refused.nothing", "There is nothing in it that could be a skill", "其中沒有可作為技能的內容"),
    (
        "neighbour.refused.not-json",
        "It stops being JSON at line {line}, column {column}. Correct that place and drop it again",
        "自第 {line} 行第 {column} 欄起不是 JSON。請修正後再次放入",
    ),
    (
        "neighbour.refused.not-yaml",
        "It stops being YAML at line {line}, column {column}: {what}. Correct that place and drop it again",
        "自第 {line} 行第 {column} 欄起不是 YAML：{what}。請修正後再次放入",
    ),
    (
        "neighbour.refused.no-frontmatter",
        "A SKILL.md begins with YAML between two lines of ---; this one does not. Add at least name and description",
        "SKILL.md 應以兩行 --- 之間的 YAML 開頭，此檔案沒有。請至少加上 name 與 description",
    ),
    (
        "neighbour.refused.no-skills",
        "The card of {name} lists no skills. Ask the agent for its extended card",
        "{name} 的卡片沒有列出技能。請向代理索取擴充卡片",
    ),
    (
        "neighbour.refused.server-alone",
        "{name} is described, but not its tools. Drop its tools/list answer into the same folder",
        "僅描述了 {name}，沒有工具。請將其 tools/list 回應放入同一資料夾",
    ),
    (
        "neighbour.refused.openapi-version",
        "It is OpenAPI {version}; 3.0 and later are read. Convert it: npx swagger2openapi FILE -o new.json",
        "這是 OpenAPI {version}；可讀取 3.0 及更新版本。請轉換：npx swagger2openapi FILE -o new.json",
    ),
    (
        "neighbour.refused.no-operations",
        "The description has no operations. Webhooks are calls that the provider makes, no skills of it",
        "此描述沒有作業。webhook 是由提供者發出的呼叫，不是它的技能",
    ),
    (
        "neighbour.refused.ai-plugin",
        "The plugin is described at {url}. Drop that OpenAPI file instead",
        "此外掛的描述位於 {url}。請改放入該 OpenAPI 檔案",
    ),
];
