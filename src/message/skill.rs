//! What the checks of the Skill Sharing Protocol say: id, English, Chinese in traditional script.
//!
//! `skill.<id>` says what is wrong, `skill.remedy.<reason>` what to do, `skill.word.<id>` is a word inside a sentence.

/// Sentences of `skill`.
pub(super) const TABLE: &[(&str, &str, &str)] = &[
    ("skill.word.null", "null", "null"),
    ("skill.word.boolean", "true or false", "true 或 false"),
    ("skill.word.number", "a number", "數字"),
    ("skill.word.integer", "a whole number", "整數"),
    ("skill.word.string", "a string", "字串"),
    ("skill.word.array", "an array", "陣列"),
    ("skill.word.object", "an object", "物件"),
    // Bytes
    (
        "skill.syntax.not-a-number",
        "not JSON: {what} at line {line} column {column}",
        "不是 JSON：第 {line} 行第 {column} 欄有 {what}",
    ),
    (
        "skill.syntax.control-character",
        "not JSON: a raw control character in a string at line {line} column {column}",
        "不是 JSON：第 {line} 行第 {column} 欄的字串中有未跳脫的控制字元",
    ),
    (
        "skill.syntax.bad-escape",
        "not JSON: a backslash before no escape at line {line} column {column}",
        "不是 JSON：第 {line} 行第 {column} 欄的反斜線後不是跳脫字元",
    ),
    (
        "skill.syntax.trailing-comma",
        "not JSON: a comma before {what} at line {line} column {column}",
        "不是 JSON：第 {line} 行第 {column} 欄的 {what} 之前多了逗號",
    ),
    (
        "skill.syntax.cut-off",
        "not JSON: the text ends inside a value at line {line} column {column}",
        "不是 JSON：文字在第 {line} 行第 {column} 欄的值中間結束",
    ),
    (
        "skill.syntax.text-after",
        "not JSON: {what} behind the end of the document at line {line} column {column}",
        "不是 JSON：文件結束後，第 {line} 行第 {column} 欄還有 {what}",
    ),
    (
        "skill.syntax.unexpected",
        "not JSON: {what} at line {line} column {column}",
        "不是 JSON：第 {line} 行第 {column} 欄有 {what}",
    ),
    ("skill.syntax.empty", "not JSON: the file is empty", "不是 JSON：檔案是空的"),
    ("skill.top_level", "the document is {is}; it must be an object", "文件是{is}，必須是物件"),
    ("skill.too_large", "the file has {size} MB; at most {limit} MB are read", "檔案有 {size} MB，最多讀取 {limit} MB"),
    ("skill.too_deep", "nested more than {limit} levels deep", "巢狀超過 {limit} 層"),
    ("skill.encoding.utf16", "the text is UTF-16; JSON is UTF-8", "文字是 UTF-16，JSON 必須是 UTF-8"),
    (
        "skill.encoding",
        "the bytes at line {line} column {column} are not UTF-8",
        "第 {line} 行第 {column} 欄的位元組不是 UTF-8",
    ),
    ("skill.bom", "a byte order mark stands before the text", "文字前有位元組順序記號"),
    (
        "skill.duplicate_key",
        "\"{key}\" appears twice in the same object (lines {first} and {second}); readers disagree on which one counts",
        "「{key}」在同一個物件中出現兩次（第 {first} 行與第 {second} 行），各讀取程式對採用哪一個並不一致",
    ),
    (
        "skill.duplicate_key.many",
        "\"{key}\" appears {n} times in the same object (lines {lines}); readers disagree on which one counts",
        "「{key}」在同一個物件中出現 {n} 次（第 {lines} 行），各讀取程式對採用哪一個並不一致",
    ),
    (
        "skill.not_i_json",
        "\"{field}\" is {value}; JavaScript reads {read}",
        "「{field}」為 {value}，JavaScript 會讀成 {read}",
    ),
    (
        "skill.number_lossy",
        "\"{field}\" is {value}; common readers make {read} of it",
        "「{field}」為 {value}，一般讀取程式會讀成 {read}",
    ),
    (
        "skill.number_range",
        "\"{field}\" is {value}; it is beyond the range of a 64-bit float",
        "「{field}」為 {value}，超出 64 位元浮點數的範圍",
    ),
    (
        "skill.lone_surrogate",
        "\"{field}\" holds {escape}, half of a surrogate pair, which is no character",
        "「{field}」含有 {escape}，是代理對的一半，不是字元",
    ),
    // Fields
    ("skill.required", "\"{field}\" is required", "缺少必要欄位「{field}」"),
    ("skill.required.in", "\"{field}\" is required in \"{owner}\"", "「{owner}」缺少必要欄位「{field}」"),
    (
        "skill.required.auth",
        "\"{field}\" is required when auth.type is \"{type}\"",
        "auth.type 為「{type}」時，必須有欄位「{field}」",
    ),
    (
        "skill.required.near",
        "\"{field}\" is required; {key} looks like it, misspelt",
        "缺少必要欄位「{field}」；{key} 看來是它的誤拼",
    ),
    ("skill.required.strict", "\"{field}\" is required by the strict profile", "嚴格設定要求欄位「{field}」"),
    (
        "skill.required.status",
        "\"{field}\" is required by the strict profile when status is \"{status}\"",
        "status 為「{status}」時，嚴格設定要求欄位「{field}」",
    ),
    (
        "skill.not_allowed",
        "\"{field}\" is there although status is \"{status}\"",
        "status 為「{status}」，不應有欄位「{field}」",
    ),
    ("skill.type", "\"{field}\" is {is}; it must be {wants}", "「{field}」是{is}，必須是{wants}"),
    ("skill.null", "\"{field}\" is null; it must be {wants}", "「{field}」為 null，必須是{wants}"),
    (
        "skill.null.optional",
        "\"{field}\" is null; it must be {wants}, or left out",
        "「{field}」為 null，必須是{wants}，或省略",
    ),
    ("skill.integer", "\"{field}\" is {value}; it must be a whole number", "「{field}」為 {value}，必須是整數"),
    ("skill.minimum", "\"{field}\" is {value}; the least is {limit}", "「{field}」為 {value}，最小為 {limit}"),
    ("skill.maximum", "\"{field}\" is {value}; the most is {limit}", "「{field}」為 {value}，最大為 {limit}"),
    (
        "skill.empty_object",
        "\"{field}\" has no members; it must have at least one",
        "「{field}」沒有成員，至少要有一個",
    ),
    (
        "skill.empty_list",
        "\"{field}\" is an empty array; it must have at least one member",
        "「{field}」是空陣列，至少要有一個成員",
    ),
    ("skill.not_unique", "\"{field}\" holds {value} more than once", "「{field}」含有重複的 {value}"),
    ("skill.empty_text", "\"{field}\" is an empty string", "「{field}」是空字串"),
    ("skill.blank", "\"{field}\" holds nothing but white space", "「{field}」只有空白字元"),
    (
        "skill.too_long",
        "\"{field}\" has {n} characters; at most {limit} are allowed",
        "「{field}」有 {n} 個字元，最多 {limit} 個",
    ),
    (
        "skill.enum",
        "\"{field}\" is {value}; it must be one of {allowed}",
        "「{field}」為 {value}，必須是下列之一：{allowed}",
    ),
    (
        "skill.enum.case",
        "\"{field}\" is {value}; it must be one of {allowed} (values are case-sensitive: did you mean \"{near}\"?)",
        "「{field}」為 {value}，必須是下列之一：{allowed}（區分大小寫：是否為「{near}」？）",
    ),
    (
        "skill.enum.near",
        "\"{field}\" is {value}; it must be one of {allowed} (did you mean \"{near}\"?)",
        "「{field}」為 {value}，必須是下列之一：{allowed}（是否為「{near}」？）",
    ),
    (
        "skill.pattern.id",
        "\"{field}\" is {value}; it must be ASCII letters, digits and . _ : / @ + ~ % -, beginning with a letter or digit",
        "「{field}」為 {value}，只能是 ASCII 字母、數字與 . _ : / @ + ~ % -，且以字母或數字開頭",
    ),
    (
        "skill.pattern.token",
        "\"{field}\" is {value}; it must be one word of ASCII letters, digits and _ . -, beginning with a letter",
        "「{field}」為 {value}，必須是由 ASCII 字母、數字與 _ . - 組成、以字母開頭的一個詞",
    ),
    (
        "skill.pattern.digest",
        "\"{field}\" is {value}; it must be sha256: and 64 hexadecimal digits in lower case",
        "「{field}」為 {value}，必須是 sha256: 加上 64 個小寫十六進位數字",
    ),
    ("skill.pattern.path", "\"{field}\" is {value}; it must begin with /", "「{field}」為 {value}，必須以 / 開頭"),
    (
        "skill.semver",
        "\"{field}\" is {value}; the strict profile asks for a SemVer 2.0.0 version such as 1.2.0 or 1.2.0-beta.1",
        "「{field}」為 {value}，嚴格設定要求 SemVer 2.0.0 版本，例如 1.2.0 或 1.2.0-beta.1",
    ),
    (
        "skill.https",
        "\"{field}\" is {value}; the strict profile asks for https",
        "「{field}」為 {value}，嚴格設定要求 https",
    ),
    (
        "skill.format_uri",
        "\"{field}\" is {value}; it must be an absolute URI with a scheme",
        "「{field}」為 {value}，必須是含協定名稱的絕對 URI",
    ),
    (
        "skill.format_uri_reference",
        "\"{field}\" is {value}; it must be a URI or a reference relative to one",
        "「{field}」為 {value}，必須是 URI 或相對參照",
    ),
    (
        "skill.format_hostname",
        "\"{field}\" is {value}; it must be a DNS name such as skills.example.com",
        "「{field}」為 {value}，必須是 DNS 名稱，例如 skills.example.com",
    ),
    (
        "skill.format_date_time",
        "\"{field}\" is {value}; it must be an RFC 3339 date-time such as 2026-01-02T03:04:06Z",
        "「{field}」為 {value}，必須是 RFC 3339 日期時間，例如 2026-01-02T03:04:06Z",
    ),
    // Versions
    (
        "skill.semver_parts.empty",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: it is empty",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：內容是空的",
    ),
    (
        "skill.semver_parts.minor",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: MINOR and PATCH are missing",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：缺少 MINOR 與 PATCH",
    ),
    (
        "skill.semver_parts.patch",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: PATCH is missing",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：缺少 PATCH",
    ),
    (
        "skill.semver_parts.many",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: there are {part} parts",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：有 {part} 個部分",
    ),
    (
        "skill.semver_leading_zero",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: {part} has a leading zero",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：{part} 有前導零",
    ),
    (
        "skill.semver_suffix",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: the suffix \"{part}\" is not allowed",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：不允許後綴「{part}」",
    ),
    (
        "skill.semver_prefix",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: the prefix \"{part}\" is not allowed",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：不允許前綴「{part}」",
    ),
    (
        "skill.semver_space",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: white space is not allowed",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：不允許空白字元",
    ),
    (
        "skill.semver_not_number",
        "\"{field}\" is {value}; it must be three non-negative integers MAJOR.MINOR.PATCH: {part} is not one",
        "「{field}」為 {value}，必須是三個非負整數 MAJOR.MINOR.PATCH：{part} 不是非負整數",
    ),
    (
        "skill.protocol_incompatible",
        "the document follows protocol {version}; this reader supports {supported}",
        "文件遵循協定 {version}，此讀取程式支援 {supported}",
    ),
    (
        "skill.protocol_older_major",
        "the document follows the older protocol {version}; this reader supports {supported} and reads it as compatible",
        "文件遵循較舊的協定 {version}，此讀取程式支援 {supported}，並視為相容",
    ),
    (
        "skill.protocol_newer_minor",
        "the document follows protocol {version}; this reader supports {supported}, and keeps fields that it does not know",
        "文件遵循協定 {version}，此讀取程式支援 {supported}，並保留不認識的欄位",
    ),
    // House rules
    (
        "skill.typo",
        "\"{field}\" is no field of the protocol; did you mean \"{near}\"?",
        "協定沒有欄位「{field}」；是否為「{near}」？",
    ),
    (
        "skill.unknown_field",
        "\"{field}\" is no field of the protocol; extensions begin with x-",
        "協定沒有欄位「{field}」；擴充欄位以 x- 開頭",
    ),
    (
        "skill.inputs_object",
        "\"type\" is {value}; the strict profile asks for inputs of type \"object\"",
        "「type」為 {value}，嚴格設定要求 inputs 的類型為「object」",
    ),
    (
        "skill.inputs_object.missing",
        "\"type\" is required in \"inputs\" by the strict profile, and must be \"object\"",
        "嚴格設定要求「inputs」有「type」，且必須是「object」",
    ),
    ("skill.time_order", "\"{field}\" is before \"{earlier}\"", "「{field}」早於「{earlier}」"),
    // Across documents
    (
        "skill.private_listed",
        "skill {id} has access \"private\" and must not be in an index served without authentication",
        "技能 {id} 的 access 為「private」，不得出現在未經認證即可取得的索引中",
    ),
    ("skill.duplicate_id", "\"{field}\" is {value}, already used at {other}", "「{field}」為 {value}，已用於 {other}"),
    ("skill.pair", "\"{field}\" is {value}; the request says {request}", "「{field}」為 {value}，請求中為 {request}"),
    ("skill.pair.missing", "\"{field}\" is missing; the request says {request}", "缺少「{field}」，請求中為 {request}"),
    // What to do
    ("skill.remedy.required", "Add \"{field}\"", "請加入「{field}」"),
    (
        "skill.remedy.null",
        "Give \"{field}\" a value, or leave it out where it is optional: null is not absence",
        "請為「{field}」填入值；若為選填可省略：null 不等於省略",
    ),
    ("skill.remedy.type", "Write it as {wants}", "請改寫為{wants}"),
    (
        "skill.remedy.empty",
        "Add a member, or leave \"{field}\" out where it is optional",
        "請加入成員；若為選填可省略「{field}」",
    ),
    ("skill.remedy.blank", "Write something in \"{field}\"", "請填寫「{field}」"),
    ("skill.remedy.too_long", "Shorten it to {limit} characters", "請縮短為 {limit} 個字元以內"),
    ("skill.remedy.enum", "Take one of {allowed}, exactly as written", "請使用下列之一，須完全一致：{allowed}"),
    ("skill.remedy.minimum", "Write a number of at least {limit}", "請填入不小於 {limit} 的數字"),
    ("skill.remedy.maximum", "Write a number of at most {limit}", "請填入不大於 {limit} 的數字"),
    ("skill.remedy.pattern", "Change the characters that are not allowed", "請更換不允許的字元"),
    ("skill.remedy.not_unique", "Remove the repetition", "請移除重複的項目"),
    ("skill.remedy.not_allowed", "Remove \"{field}\", or correct the status", "請移除「{field}」，或更正 status"),
    ("skill.remedy.semver", "Write the skill's version as 1.2.0", "請將技能版本寫成 1.2.0 的形式"),
    ("skill.remedy.semver_parts", "Write three numbers, such as 1.0.0", "請寫三個數字，例如 1.0.0"),
    ("skill.remedy.semver_leading_zero", "Write the number without the zero before it", "請去掉數字前的零"),
    (
        "skill.remedy.semver_suffix",
        "Remove the suffix; only the skill's own version may have one",
        "請移除後綴；只有技能本身的版本可以有後綴",
    ),
    ("skill.remedy.semver_prefix", "Remove the prefix", "請移除前綴"),
    ("skill.remedy.semver_space", "Remove the white space", "請移除空白字元"),
    (
        "skill.remedy.semver_not_number",
        "Write three numbers of the digits 0 to 9, such as 1.0.0",
        "請以數字 0 到 9 寫三個數，例如 1.0.0",
    ),
    ("skill.remedy.https", "Serve the endpoint over https", "請以 https 提供端點"),
    (
        "skill.remedy.format_uri",
        "Write the whole address, such as https://example.com/skill",
        "請寫完整位址，例如 https://example.com/skill",
    ),
    (
        "skill.remedy.format_uri_reference",
        "Percent-encode what a URI may not hold",
        "請對 URI 不允許的字元做百分號編碼",
    ),
    (
        "skill.remedy.format_hostname",
        "Write the name alone, without scheme, port or path",
        "請只寫名稱，不含協定、連接埠與路徑",
    ),
    (
        "skill.remedy.format_date_time",
        "Write the moment with T and a zone, such as 2026-01-02T03:04:06Z",
        "請以 T 與時區書寫，例如 2026-01-02T03:04:06Z",
    ),
    ("skill.remedy.json_syntax", "Correct the text there; nothing after it was read", "請更正該處文字；其後內容未讀取"),
    ("skill.remedy.empty_file", "Write the document, or drop another file", "請寫入文件，或拖入其他檔案"),
    (
        "skill.remedy.top_level",
        "A document of the protocol is one JSON object; drop each one as a file of its own",
        "協定文件是單一 JSON 物件；請將每份文件各自存成檔案",
    ),
    (
        "skill.remedy.too_large",
        "Check a smaller file; a descriptor has a few kilobytes",
        "請檢查較小的檔案；描述符通常只有數 KB",
    ),
    (
        "skill.remedy.too_deep",
        "Nest less deeply; readers of many languages stop at this depth",
        "請減少巢狀層數；許多語言的讀取程式到此深度為止",
    ),
    ("skill.remedy.encoding", "Save the file as UTF-8", "請將檔案存成 UTF-8"),
    (
        "skill.remedy.bom",
        "Save the file as UTF-8 without a mark; many readers refuse it",
        "請存成不含記號的 UTF-8；許多讀取程式會拒絕",
    ),
    ("skill.remedy.duplicate_key", "Keep the one that is meant", "請只保留正確的那一個"),
    ("skill.remedy.not_i_json", "Write it as a string if every digit matters", "若每一位數字都重要，請改寫成字串"),
    (
        "skill.remedy.number_lossy",
        "Write it as a string, or with as many digits as a 64-bit float keeps",
        "請改寫成字串，或只保留 64 位元浮點數能表示的位數",
    ),
    ("skill.remedy.number_range", "Write it as a string", "請改寫成字串"),
    ("skill.remedy.lone_surrogate", "Write the whole pair, or remove the half", "請寫出完整的代理對，或移除這一半"),
    (
        "skill.remedy.protocol_incompatible",
        "Use a reader of that version, or ask the provider for a descriptor of an older one",
        "請使用支援該版本的讀取程式，或向提供者索取較舊版本的描述符",
    ),
    (
        "skill.remedy.protocol_older_major",
        "Ask the provider for a descriptor of the current version",
        "請向提供者索取目前版本的描述符",
    ),
    (
        "skill.remedy.protocol_newer_minor",
        "Nothing is wrong: an equal MAJOR is processed normally",
        "沒有問題：主版本相同即正常處理",
    ),
    (
        "skill.remedy.typo",
        "Rename it to \"{near}\", or begin an extension with x-",
        "請改名為「{near}」，或以 x- 開頭作為擴充欄位",
    ),
    (
        "skill.remedy.unknown_field",
        "Begin the name with x-; it is kept either way",
        "請以 x- 開頭命名；無論如何都會保留",
    ),
    ("skill.remedy.inputs_object", "Describe the inputs as an object with properties", "請以含屬性的物件描述輸入"),
    ("skill.remedy.time_order", "Correct the moments: created, started, completed", "請更正時間順序：建立、開始、完成"),
    (
        "skill.remedy.private_listed",
        "Leave it out of what is served without authentication",
        "請勿將其列入未經認證即可取得的內容",
    ),
    ("skill.remedy.duplicate_id", "Give every skill an id of its own", "請為每個技能指定不同的 id"),
    ("skill.remedy.pair", "Copy \"{field}\" from the request", "請自請求複製「{field}」"),
];
