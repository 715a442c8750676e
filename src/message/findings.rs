//! What checks, imports and analyses say: id, English, Chinese in traditional script.
//!
//! `rule.<id>.title` names a rule, `rule.<id>` says what is wrong, `rule.<id>.remedy` what to do; `refused.<id>` says
//! what a file looks like and what to drop instead; `note.<id>` and `repair.<id>` belong to the import report;
//! `verdict.<id>` is the line under a run's title; `why.<id>` says why a detector fired or nearly did;
//! `answer.<id>` is a format's "no"; `fault.<id>` is a job that could not be done.

/// Looks a sentence up in both languages.
pub fn both(id: &str) -> Option<(&'static str, &'static str)> {
    FINDERS.iter().find_map(|find| find(id))
}

type Finder = fn(&str) -> Option<(&'static str, &'static str)>;

/// The tables, and for each a function that looks only there: a program that is loaded in parts can then leave a table that
/// nobody has asked to a later part.
macro_rules! tables {
    ($($table:path;)*) => {
        /// Every table of sentences by id; a part of the house with many sentences has a file of its own beside this one.
        pub const TABLES: &[&[(&str, &str, &str)]] = &[$($table,)*];

        static FINDERS: &[Finder] = &[$({
            #[inline(never)]
            fn find(id: &str) -> Option<(&'static str, &'static str)> {
                $table.iter().find(|(known, ..)| *known == id).map(|(_, en, zh)| (*en, *zh))
            }
            find
        },)*];
    };
}

tables! {
    // First, since the first screen names the formats and should not look elsewhere for them.
    super::formats::TABLE;
    TABLE;
    super::align::TABLE;
    super::contract::TABLE;
    super::neighbours::TABLE;
    super::skill::TABLE;
    super::provider::TABLE;
    super::loops::TABLE;
    super::usage::TABLE;
    super::screens::TABLE;
    super::plots::TABLE;
    super::many::TABLE;
    super::judge::TABLE;
    super::judge_screen::TABLE;
    super::share::TABLE;
    super::notes::TABLE;
    super::exchange::TABLE;
}

/// What imports, checks and analyses of runs say.
const TABLE: &[(&str, &str, &str)] = &[
    ("rule.call-unanswered.title", "Call without a result", "沒有結果的呼叫"),
    ("rule.call-unanswered", "{tool} was called and nothing came back", "呼叫了 {tool}，但沒有任何結果"),
    (
        "rule.call-unanswered.remedy",
        "The run may have been stopped here, or the log cut off. Look at the last lines of the file",
        "執行可能在此中止，或紀錄被截斷。請查看檔案的最後幾行",
    ),
    ("rule.result-without-call.title", "Result without a call", "沒有呼叫的結果"),
    ("rule.result-without-call", "A result for {id} has no call before it", "{id} 的結果之前沒有對應的呼叫"),
    (
        "rule.result-without-call.remedy",
        "The part of the log with the call may be missing. Add the earlier file, or the whole session",
        "含有該呼叫的紀錄可能遺失。請加入較早的檔案或整個工作階段",
    ),
    ("rule.id-reused.title", "Call id used again", "重複使用的呼叫識別碼"),
    ("rule.id-reused", "{id} names {n} different calls", "{id} 用於 {n} 個不同的呼叫"),
    (
        "rule.id-reused.remedy",
        "Results were paired with the nearest earlier call. Give each call an id of its own",
        "結果已與最近的前一個呼叫配對。請為每個呼叫指定不同的識別碼",
    ),
    ("rule.args-not-json.title", "Arguments are not JSON", "參數不是 JSON"),
    (
        "rule.args-not-json",
        "The arguments of {tool} stop being JSON at character {column}",
        "{tool} 的參數自第 {column} 個字元起不是 JSON",
    ),
    (
        "rule.args-not-json.remedy",
        "Shown as they are. The model wrote them so, or the writer of the log cut them",
        "原樣顯示。可能是模型如此輸出，或寫入紀錄時被截斷",
    ),
    ("rule.time-backwards.title", "Time runs backwards", "時間倒退"),
    ("rule.time-backwards", "This step is {by} earlier than the one before it", "此步驟比前一步早 {by}"),
    (
        "rule.time-backwards.remedy",
        "Durations around it are not to be trusted. The clock was set, or lines were written out of order",
        "附近的時間長度不可信。時鐘可能被調整，或紀錄未依序寫入",
    ),
    ("rule.thought-empty.title", "Thoughts are withheld", "思考內容未公開"),
    (
        "rule.thought-empty",
        "{n} {n|thought is|thoughts are} empty: the provider keeps the reasoning",
        "有 {n} 段思考是空的：供應商未提供推理內容",
    ),
    (
        "rule.thought-empty.remedy",
        "Nothing is wrong with the file. Where a setting shows summaries of the reasoning, turn it on",
        "檔案沒有問題。若有顯示推理摘要的設定，請開啟",
    ),
    ("rule.schema.title", "Does not follow its format", "不符合格式"),
    ("rule.schema", "{message}", "{message}"),
    (
        "rule.schema.remedy",
        "The program that wrote the file departs from the format here. It was read all the same",
        "寫入檔案的程式在此偏離格式。仍已讀取",
    ),
    ("rule.schema-unchecked.title", "Format not checked", "未檢查格式"),
    (
        "rule.schema-unchecked",
        "The file is too large to be checked against its schema: {size}",
        "檔案太大，未以結構描述檢查：{size}",
    ),
    ("rule.schema-unchecked.remedy", "Check a smaller part of it", "請檢查較小的部分"),
    ("rule.line-not-json.title", "Line is not JSON", "此行不是 JSON"),
    ("rule.line-not-json", "The line stops being JSON at column {column}", "此行自第 {column} 欄起不是 JSON"),
    ("rule.line-not-json.remedy", "It was left out; the lines around it were read", "已略過此行；前後各行已讀取"),
    ("rule.cut-off.title", "The file is cut off", "檔案被截斷"),
    ("rule.cut-off", "The file ends inside a record", "檔案在一筆記錄中間結束"),
    (
        "rule.cut-off.remedy",
        "What comes before was read. The program was writing, or was stopped while it wrote: load the file again",
        "之前的內容已讀取。程式可能正在寫入或在寫入時中止：請重新載入檔案",
    ),
    ("rule.unknown-record.title", "Unknown records", "未知的記錄"),
    ("rule.unknown-record", "{n} {n|record|records} of the unknown kind {kind}", "{n} 筆未知類型 {kind} 的記錄"),
    ("rule.unknown-record.remedy", "They are shown as they are and count for nothing", "原樣顯示，不計入任何數字"),
    ("rule.repaired.title", "Repaired while reading", "讀取時已修復"),
    ("rule.repaired", "{what}, {n} {n|time|times}", "{what}，{n} 次"),
    ("rule.repaired.remedy", "The file itself was not changed", "檔案本身未被更改"),
    ("rule.subagent-missing.title", "Sub-agent's file is not here", "缺少子代理的檔案"),
    (
        "rule.subagent-missing",
        "{agent} made {calls} calls in a file of its own",
        "{agent} 在自己的檔案中有 {calls} 次呼叫",
    ),
    (
        "rule.subagent-missing.remedy",
        "Add the folder with the session's name: its subagents folder holds the file",
        "請加入與工作階段同名的資料夾：其中的 subagents 資料夾含有該檔案",
    ),
    ("rule.totals-differ.title", "Totals differ", "總計不一致"),
    (
        "rule.totals-differ",
        "The file's own total of {what} is {stated}; its steps add up to {sum}",
        "檔案自述的{what}總計為 {stated}，各步驟合計為 {sum}",
    ),
    ("rule.totals-differ.remedy", "The file's own total is shown", "顯示檔案自述的總計"),
    // Formats
    // Import
    ("refused.empty", "The file is empty", "檔案是空的"),
    (
        "refused.binary",
        "Binary data of an unknown kind. Drop the log that the agent wrote, as JSON or JSON Lines",
        "未知的二進位資料。請拖入代理寫下的 JSON 或 JSON Lines 紀錄",
    ),
    (
        "refused.text",
        "Plain text that no format recognises. It can be read as raw text",
        "沒有格式能辨識的純文字。可以原文檢視",
    ),
    (
        "refused.python-repr",
        "The printed form of a Python object, not JSON. Write it with json.dumps and drop that",
        "這是 Python 物件的列印形式，不是 JSON。請用 json.dumps 輸出後再拖入",
    ),
    (
        "refused.broken-json",
        "It begins as JSON and stops being JSON. Too little of it could be read to recognise a run",
        "開頭是 JSON，之後卻不是。可讀的部分太少，無法辨識",
    ),
    ("refused.json-object", "A JSON object that no format recognises", "沒有格式能辨識的 JSON 物件"),
    ("refused.json-array", "A JSON array that no format recognises", "沒有格式能辨識的 JSON 陣列"),
    ("refused.json-lines", "JSON Lines that no format recognises", "沒有格式能辨識的 JSON Lines"),
    (
        "refused.parquet",
        "A Parquet table. Export it: python -c \"import pandas; pandas.read_parquet('FILE').to_json('FILE.jsonl', orient='records', lines=True)\"",
        "Parquet 表格。請先匯出：python -c \"import pandas; pandas.read_parquet('FILE').to_json('FILE.jsonl', orient='records', lines=True)\"",
    ),
    (
        "refused.sqlite",
        "An SQLite database. Export the session from the program that keeps it: goose session export, opencode export",
        "SQLite 資料庫。請從該程式匯出工作階段：goose session export、opencode export",
    ),
    (
        "refused.zstd",
        "Compressed with Zstandard. Unpack it first: zstd -d FILE",
        "以 Zstandard 壓縮。請先解壓：zstd -d FILE",
    ),
    (
        "refused.pickle",
        "A Python pickle, which cannot be opened safely. Export the run as JSON",
        "Python pickle，無法安全開啟。請將執行匯出為 JSON",
    ),
    ("refused.picture", "A picture. Drop the log that names it", "圖片。請拖入引用它的紀錄"),
    ("refused.pdf", "A PDF. Drop the log itself", "PDF。請拖入紀錄本身"),
    ("refused.zip-broken", "A zip archive that cannot be opened. Pack it again", "無法開啟的 zip 壓縮檔。請重新壓縮"),
    ("refused.zip-empty", "A zip archive without files", "沒有檔案的 zip 壓縮檔"),
    (
        "refused.zip-member",
        "A member of the archive that cannot be unpacked: it may be encrypted, or packed by a method other than deflate",
        "壓縮檔中無法解開的成員：可能已加密，或使用 deflate 以外的方法",
    ),
    (
        "refused.swe-bench-predictions",
        "SWE-bench predictions: patches without the steps that led to them. Drop the trajectory instead, for example the .traj file beside it",
        "SWE-bench 預測：只有修補檔而沒有過程。請改拖入軌跡，例如旁邊的 .traj 檔",
    ),
    (
        "refused.mcp-config",
        "A configuration of MCP servers, not a run. Drop the agent's session log instead",
        "MCP 伺服器設定，不是執行紀錄。請改拖入代理的工作階段紀錄",
    ),
    (
        "refused.tool-config",
        "A configuration of tools, not a run. Drop the agent's session log instead",
        "工具設定，不是執行紀錄。請改拖入代理的工作階段紀錄",
    ),
    (
        "refused.mcp-tools",
        "A list of an MCP server's tools, not a run: it says what an agent may call, not what it called",
        "MCP 伺服器的工具清單，不是執行紀錄：它說明代理可以呼叫什麼，而不是呼叫了什麼",
    ),
    (
        "refused.skill",
        "A skill descriptor, not a run: it says what an agent may call, not what it called",
        "技能描述符，不是執行紀錄：它說明代理可以呼叫什麼，而不是呼叫了什麼",
    ),
    (
        "refused.webarena-task",
        "A WebArena task, not a run. Drop the agent's trajectory for it instead",
        "WebArena 任務，不是執行紀錄。請改拖入代理完成它的軌跡",
    ),
    (
        "refused.agentbench-task",
        "AgentBench tasks, not runs. Drop runs.jsonl, which the benchmark writes",
        "AgentBench 任務，不是執行紀錄。請拖入該評測寫下的 runs.jsonl",
    ),
    (
        "refused.openhands-state",
        "The state of an OpenHands conversation without its events. Drop the whole folder, with events/ beside it",
        "OpenHands 對話狀態，沒有事件。請拖入整個資料夾，包括旁邊的 events/",
    ),
    ("answer.no-key", "no {key}", "沒有 {key}"),
    ("answer.not-a", "{key} is not {expected}", "{key} 不是 {expected}"),
    ("answer.needs-object", "expected an object with {key}", "應為含有 {key} 的物件"),
    ("answer.needs-records", "expected records with {key}", "應為含有 {key} 的多筆記錄"),
    ("repair.lone-surrogate", "Half a surrogate pair became �", "不成對的代理字元改為 �"),
    ("repair.not-a-number", "NaN or Infinity was read as null", "NaN 或 Infinity 讀作 null"),
    ("repair.control-character", "A raw control character inside a string was kept", "保留字串中的控制字元"),
    ("repair.bad-escape", "A backslash that is no escape was kept", "保留無效的反斜線"),
    ("repair.trailing-comma", "A comma before a closing bracket was ignored", "忽略結尾括號前的逗號"),
    ("repair.too-deep", "Values nested deeper than 512 levels were kept unread", "巢狀超過 512 層的值未讀取"),
    ("repair.replaced-bytes", "Bytes that are no text became �", "非文字的位元組改為 �"),
    ("repair.repeated-record", "A record that stands twice was counted once", "重複的記錄只計一次"),
    ("repair.concatenated", "Values one after another were read as records", "連續的值讀作多筆記錄"),
    (
        "repair.cut-off",
        "The file ends inside a record; what comes before was read",
        "檔案在記錄中間結束；之前的內容已讀取",
    ),
    (
        "repair.gzip-broken",
        "The gzip stream is damaged or cut off; what could be unpacked was read",
        "gzip 串流損壞或被截斷；已讀取能解開的部分",
    ),
    (
        "repair.zip-member",
        "A member of the archive is damaged; what could be unpacked was read",
        "壓縮檔的成員損壞；已讀取能解開的部分",
    ),
    (
        "repair.bomb",
        "It unpacks to more than 200 times its size; reading stopped there",
        "解開後超過原大小的 200 倍；已停止讀取",
    ),
    // Verdict line
    ("verdict.stuck", "Stuck in a loop.", "陷入迴圈。"),
    ("verdict.recovered", "Looped, recovered.", "曾陷入迴圈，已脫離。"),
    ("verdict.passed", "Passed.", "通過。"),
    ("verdict.failed", "Failed.", "失敗。"),
    ("verdict.finished", "Finished.", "完成。"),
    ("verdict.limit", "Stopped by a limit.", "因達到上限而停止。"),
    ("verdict.error", "Ended with an error.", "以錯誤結束。"),
    ("verdict.cancelled", "Cancelled.", "已取消。"),
    ("verdict.unanswered", "Ended without an answer.", "結束時沒有答覆。"),
    ("verdict.ended", "Ended with an answer.", "以答覆結束。"),
    ("verdict.empty", "Nothing happened.", "沒有發生任何事。"),
    (
        "reason.loop-failing",
        "The same {tool} call failed {times} times, {steps}",
        "相同的 {tool} 呼叫失敗 {times} 次，{steps}",
    ),
    ("reason.loop-cycle", "{tool} went round {times} times, {steps}", "{tool} 重複了 {times} 次，{steps}"),
    (
        "reason.loop-redundant",
        "{tool} read the same thing {times} times, {steps}",
        "{tool} 讀取相同內容 {times} 次，{steps}",
    ),
    ("reason.recovered", "it went on at {step}", "在 {step} 繼續"),
    ("reason.word", "The file says {word}", "檔案寫著 {word}"),
    ("reason.reward", "Reward {reward}", "獎勵 {reward}"),
    ("reason.errors", "{n} {n|call|calls} failed, the last at {step}", "{n} 次呼叫失敗，最後一次在 {step}"),
    ("reason.no-errors", "No call failed", "沒有呼叫失敗"),
    (
        "reason.unanswered",
        "{n} {n|call|calls} without a result, the last at {step}",
        "{n} 次呼叫沒有結果，最後一次在 {step}",
    ),
    (
        "note.helper",
        "{agent} only summarises the context of its session; it is not counted",
        "{agent} 只負責摘要工作階段的內容，不計入",
    ),
    (
        "note.codex-replay",
        "The file begins with the history of its parent {parent}: {count} records of it are left out",
        "檔案開頭重複了上層 {parent} 的歷史，已略過其中 {count} 筆紀錄",
    ),
    (
        "note.calls-in-text",
        "{count} {count|call was|calls were} written into the text as <function=…> and read from there",
        "有 {count} 個呼叫以 <function=…> 寫在文字中，已從文字讀出",
    ),
    (
        "note.alternatives-left-out",
        "{count} other {count|answer|answers} to the same request left out; the first of each is shown",
        "省略了同一請求的 {count} 個其他回答，只顯示第一個",
    ),
    (
        "note.requests-joined",
        "{count} {count|request repeats|requests repeat} what an earlier one said and {count|continues|continue} its run",
        "有 {count} 個請求重複先前的內容，已接續為同一次執行",
    ),
    (
        "note.demonstrations",
        "{count} {count|message is a demonstration|messages are demonstrations} for the agent and no part of the run",
        "有 {count} 則訊息是給代理的示範，不屬於這次執行",
    ),
    (
        "note.calls-not-written",
        "{count} {count|record keeps|records keep} only the text of what was said: the calls are not in the file",
        "有 {count} 筆紀錄只保留文字，呼叫不在檔案中",
    ),
    ("note.more-findings", "{n} more findings of the rule {rule} are not listed", "規則 {rule} 另有 {n} 項發現未列出"),
    ("skipped.no-schema", "this format has no schema of its own", "此格式沒有結構描述"),
    ("skipped.no-times", "the file has no times", "檔案沒有時間"),
    // Loops
    (
        "why.exact-cycle",
        "The same {period} {period|call|calls} with the same results, {times} times in a row",
        "相同的 {period} 個呼叫與結果連續出現 {times} 次",
    ),
    (
        "why.weak-cycle",
        "The same {period} {period|call|calls} {times} times in a row, but the results change: this may be polling",
        "相同的 {period} 個呼叫連續出現 {times} 次，但結果不同：可能是輪詢",
    ),
    (
        "why.keeps-failing",
        "Same tool and arguments, failed {times} times in a row",
        "工具與參數相同，連續失敗 {times} 次",
    ),
    (
        "why.keeps-failing-gapped",
        "Same tool and arguments, failed {times} times with the same errors, at most {between} other {between|call|calls} between",
        "工具與參數相同，以相同的錯誤失敗 {times} 次，中間最多隔 {between} 個其他呼叫",
    ),
    ("why.redundant", "Read {times} times, and nothing had changed in between", "讀取了 {times} 次，其間沒有任何改變"),
    ("near.other-call", "{tool} {what}, then another call came at {step}", "{tool} {what}，之後在 {step} 出現其他呼叫"),
    ("near.other-result", "{tool} {what}, but the result changed at {step}", "{tool} {what}，但結果在 {step} 改變"),
    ("near.succeeded", "{tool} {what}, then it worked at {step}", "{tool} {what}，之後在 {step} 成功"),
    ("near.other-error", "{tool} {what}, but the errors changed at {step}", "{tool} {what}，但錯誤在 {step} 改變"),
    ("near.world-changed", "{tool} {what}, but something was changed at {step}", "{tool} {what}，但在 {step} 有所更動"),
    (
        "near.too-far-apart",
        "{tool} {what}, too many other calls until {step}",
        "{tool} {what}，到 {step} 之間隔了太多其他呼叫",
    ),
    (
        "near.not-again",
        "{tool} {what}, and it did not happen again after {step}",
        "{tool} {what}，{step} 之後沒有再發生",
    ),
    // Diagram
    ("diagram.user", "User", "使用者"),
    ("diagram.agent", "Agent", "代理"),
    ("diagram.environment", "Environment", "環境"),
    ("diagram.repeated", "{times} times, {from}–{to}", "{times} 次，{from}–{to}"),
    ("diagram.folded", "{from}–{to} folded, {steps} steps", "{from}–{to} 已摺疊，{steps} 個步驟"),
    ("diagram.parallel", "{calls} calls at once", "同時 {calls} 個呼叫"),
    ("diagram.compaction", "compacted", "已壓縮"),
    ("diagram.continued", "continued", "接續"),
    // Faults
    ("fault.no-document", "This file is not open any more", "此檔案已關閉"),
    ("fault.no-run", "There is no such run", "沒有這次執行"),
    ("fault.no-step", "There is no step {step}", "沒有步驟 {step}"),
    (
        "fault.bad-message",
        "Page and worker do not understand each other. Reload the page",
        "頁面與背景程式不相容。請重新載入頁面",
    ),
    (
        "fault.worker-died",
        "The reader stopped while it was busy with this and was started again. Try again, or open a smaller part of the file",
        "讀取程式在處理此項時停止，已重新啟動。請再試一次，或開啟檔案的較小部分",
    ),
    (
        "fault.worker-stopped",
        "The reader was started again before it came to this. Try again",
        "讀取程式在處理此項之前已重新啟動。請再試一次",
    ),
    ("fault.no-worker", "The reader does not run. Reload the page", "讀取程式未執行。請重新載入頁面"),
];
