//! What the screens of skills say, for the table of [`super::ui`]: name, English, Chinese in traditional script.

/// Puts the sentences of these screens behind those that are given, and hands all to `$table`.
macro_rules! with_screens {
    ($table:ident { $($before:tt)* }) => {
        $table! {
            $($before)*
            // Rail and head
            KindDescriptor: "Skill", "技能";
            KindIndex: "Index", "索引";
            KindRequest: "Request", "請求";
            KindResponse: "Response", "回應";
            KindProblem: "Problem", "問題文件";
            KindVersion: "Version", "版本";
            DocumentsCount: "{n} {n|document|documents}", "{n} 份文件";
            FailCount: "{n} {n|fails|fail}", "{n} 份不符";
            WarningsCount: "{n} {n|warning|warnings}", "{n} 個警告";
            NotesCount: "{n} {n|note|notes}", "{n} 項提示";
            NoFindingsHere: "no findings", "沒有發現";
            NothingFetched: "Nothing was fetched", "沒有取得內容";
            NotWhole: "not a full verdict", "判定不完整";
            ProfileChip: "{profile} profile", "{profile} 規範";
            ProtocolChip: "SSP {version}", "SSP {version}";
            FetchedFrom: "fetched from {url}", "擷取自 {url}";
            ViewsOfSkill: "Views of the skills", "技能的檢視";
            AllDocuments: "All documents", "所有文件";
            TabCheck: "Check", "檢查";
            TabConformance: "Conformance", "符合性";
            TabUsedIn: "Used in", "使用處";
            TabDocuments: "Documents", "文件";
            TabIndex: "Index, as served", "對外索引";
            TabTraceability: "Traceability", "追溯";
            TabContract: "Contract", "契約";
            TabJudge: "Judge", "評審";
            CmdTabJudge: "Judge", "評審";
            NetworkOn: "Network: on", "網路：開";
            NetworkOff: "Network: off", "網路：關";
            NetworkTitle: "Turn off, and this page makes no request to another server", "關閉後，此頁面不會向其他伺服器送出請求";
            Publish: "Publish…", "發布…";
            Export: "Export…", "匯出…";
            ExportJson: "JSON", "JSON";
            ExportSarif: "SARIF", "SARIF";
            ExportJunit: "JUnit", "JUnit";
            ExportTitle: "Save the conformance report", "儲存符合性報告";
            Looking: "Checking…", "檢查中…";
            // Check
            ProfileCore: "Core", "核心";
            ProfileStrict: "Strict", "嚴格";
            ProfileTitle: "Profile of the check", "檢查規範";
            CardTitle: "Descriptor", "描述符";
            CardOther: "What it says", "內容";
            PageSupports: "this page supports up to {major}.x", "此頁支援至 {major}.x";
            TryTitle: "Try inputs", "試輸入";
            TryNote: "checked here, never sent", "只在此檢查，不會送出";
            TryLabel: "Inputs as JSON", "JSON 格式的輸入";
            TryFits: "These inputs fit", "輸入符合";
            TryNotJson: "Not a JSON object", "不是 JSON 物件";
            TryNoSchema: "The descriptor has no schema of its inputs", "描述符沒有輸入的結構描述";
            SourceTitle: "Source", "原始碼";
            SourceDropped: "{n} {n|line|lines}, as dropped", "{n} 行，與拖入時相同";
            SourceFetched: "{n} {n|line|lines}, as fetched", "{n} 行，與擷取時相同";
            SourceCut: "The first {n} lines are shown here", "此處顯示前 {n} 行";
            NextFinding: "Next finding", "下一項發現";
            CopySarif: "Copy as SARIF", "複製為 SARIF";
            FoldedLines: "{n} {n|line|lines} without findings", "{n} 行沒有發現";
            FoldedWhat: "{n} {n|line|lines} without findings: {what}", "{n} 行沒有發現：{what}";
            StrictOnly: "strict only", "僅嚴格規範";
            MissingHere: "missing here", "此處缺少";
            // Documents, findings
            DocumentsFilter: "Words of the name or the id", "名稱或識別碼中的字詞";
            ColumnFile: "File", "檔案";
            ColumnKind: "Kind", "類型";
            ColumnSkill: "Skill", "技能";
            ColumnCapability: "Capability", "能力";
            ColumnAccess: "Access", "存取";
            ColumnResult: "Result", "結果";
            ColumnFindings: "Findings", "發現";
            NotProtocol: "not of the protocol", "非協定文件";
            Served: "served", "對外提供";
            ShowMore: "Show {n} more", "再顯示 {n} 項";
            NoDocumentHits: "No document has it", "沒有符合的文件";
            // Conformance
            ColumnNumber: "No.", "編號";
            ColumnProperty: "Property", "屬性";
            ColumnPlace: "Where", "位置";
            ColumnChecked: "Checked", "檢查內容";
            ColumnExpected: "Expected", "預期";
            ColumnRun: "Run", "執行";
            ColumnShare: "Share run", "執行比例";
            FigurePass: "Pass", "通過";
            FigureWarn: "Warn", "警告";
            FigureFail: "Fail", "不符";
            FigureSkipped: "Skipped", "略過";
            FigureNotRun: "Not run", "未執行";
            FigureRun: "Checks run", "已執行的檢查";
            OfExpected: "of {n} expected", "共應執行 {n} 項";
            ResultPass: "pass", "通過";
            ResultWarn: "warn", "警告";
            ResultFail: "fail", "不符";
            ResultSkipped: "skipped", "略過";
            ResultNotRun: "not run", "未執行";
            SkipIsNoPass: "A property that was skipped or not run never counts as passed.", "略過或未執行的屬性不算通過。";
            NotMade: "{n} not run: {why}", "{n} 項未執行：{why}";
            MoreFindings: "{n} more, in the report", "另有 {n} 項，見報告";
            CheckedAgainst: "Checked for a consumer that supports {version}", "以支援 {version} 的使用者檢查";
            // Used in
            UsedNone: "No open run calls this skill", "沒有開啟的執行呼叫此技能";
            UsedNoneFix: "Open runs beside it: calls that name the skill by its id or its name are listed here", "請一併開啟執行紀錄：以識別碼或名稱呼叫此技能者會列於此處";
            ColumnCalls: "Calls", "呼叫";
            ColumnErrors: "Errors", "錯誤";
            FirstCall: "first at step {n}", "首次在步驟 {n}";
            // Index
            IndexNone: "No index is served here", "此處沒有對外的索引";
            IndexNoneFix: "Publish makes the folder .well-known/skill-sharing for any static host. Then check the provider by its address", "「發布」會產生任何靜態主機可用的 .well-known/skill-sharing 資料夾。之後可依位址檢查提供者";
            IndexOf: "Index", "索引";
            IndexFilter: "Words, or capability: state:", "文字，或 capability: state:";
            IndexFilterLabel: "Filter the index", "篩選索引";
            CapabilityFilter: "Capability type", "能力類型";
            AllTypes: "all", "全部";
            ColumnAnonymous: "Anyone sees", "任何人可見";
            ColumnFull: "Full set", "完整集合";
            ColumnState: "State", "狀態";
            ColumnLink: "Descriptor", "描述符";
            NotListed: "not listed", "未列出";
            Listed: "listed", "已列出";
            Missing: "missing", "缺少";
            Withheld: "withheld", "保留";
            Leaked: "leaked", "洩漏";
            Extra: "not in the full set", "不在完整集合";
            LinkOk: "opens", "可開啟";
            LinkWarning: "opens, with a remark", "可開啟，但有提醒";
            LinkBroken: "does not open", "無法開啟";
            LinkUnknown: "not tried", "未嘗試";
            LinkPermission: "needs a permission", "需要權限";
            NoFullSet: "Nothing here says what the full set is, so it is not known what is missing or leaked. Open the provider's own folder, or choose it when you check by address", "沒有資料說明完整集合，因此無從得知缺少或洩漏了什麼。請開啟提供者自己的資料夾，或在依位址檢查時選擇它";
            NoSkillHits: "No skill has it", "沒有符合的技能";
            PagesRead: "{n} {n|page|pages}", "{n} 頁";
            PreviousRows: "Previous", "上一頁";
            NextRows: "Next", "下一頁";
            // Traceability
            TraceLead: "Every sentence of chapter 12, and the checks that hold it", "第 12 章的每一句，以及對應的檢查";
            ColumnSection: "Section", "節";
            ColumnSentence: "Sentence", "句子";
            ColumnChecks: "Checks", "檢查";
            TraceUnchecked: "not checked", "未檢查";
            // Publish
            PublishTitle: "Publish", "發布";
            PublishLead: "A zip with .well-known/skill-sharing for any static host. Unpack it at the root of the domain; let the server allow other sites to read it (Access-Control-Allow-Origin: *)",
                "內含 .well-known/skill-sharing 的 zip，可用於任何靜態主機。請解壓縮到網域根目錄，並讓伺服器允許其他網站讀取（Access-Control-Allow-Origin: *）";
            PublishListed: "{n} {n|skill is|skills are} listed", "列出 {n} 個技能";
            PublishWithheld: "{n} private {n|skill is|skills are} left out, and no trace of {n|it|them} is in the zip", "排除 {n} 個私有技能，zip 中不留任何痕跡";
            PublishBlocked: "Nothing can be published yet. Put this right first:", "目前無法發布。請先修正：";
            DownloadZip: "Download {name}, {size}", "下載 {name}，{size}";
            // By address
            CmdVisit: "Check a provider by address", "依位址檢查提供者";
            VisitTitle: "Check a provider by address", "依位址檢查提供者";
            VisitLead: "The page asks the provider itself for its index and descriptors: GET, without credentials, referrer or cache. Nothing of your files is sent",
                "此頁會直接向提供者請求索引與描述符：以 GET，不帶憑證、來源與快取。不會送出您檔案的任何內容";
            VisitField: "Domain or address of the index", "網域或索引位址";
            VisitPlaceholder: "skills.example.com", "skills.example.com";
            VisitCompare: "Compare with the full set in", "與此處的完整集合比對";
            VisitCompareNone: "nothing", "不比對";
            VisitGo: "Check", "檢查";
            VisitProgress: "{done} of {of} {of|request|requests} answered", "已回應 {done}／{of} 個請求";
            VisitStopped: "Stopped. {n} {n|request was|requests were} made", "已停止。送出了 {n} 個請求";
            VisitLost: "What was fetched from {url} is gone, since the reader was started again", "讀取程式重新啟動，從 {url} 擷取的內容已不在";
            VisitLostFix: "Check the address again", "請重新檢查該位址";
            // Home
            CheckSkills: "Check skills", "檢查技能";
            CheckSkillsWhat: "A made-up provider with a private skill, and a descriptor with two faults", "一個虛構的提供者，含一個私有技能，以及一份有兩處錯誤的描述符";
            ReadsSkills: "Skills", "技能";
            ReadsSkillsWhat: "descriptor, index, request, response", "描述符、索引、請求、回應";
            // Settings
            SkillCheckTitle: "Skill check", "技能檢查";
            SupportsTitle: "Supported protocol version", "支援的協定版本";
            SupportsBad: "Three whole numbers with dots, for example 1.0.0", "以點分隔的三個整數，例如 1.0.0";
            // Contract of a run
            ContractNone: "No skills are declared in this run, and none are open beside it, so no call could be checked", "此執行未宣告技能，也沒有一併開啟的技能，因此沒有呼叫可檢查";
            ContractNoneFix: "Open the provider's skills beside the run", "請將提供者的技能與執行一併開啟";
            ContractKept: "kept", "符合";
            ContractBroken: "broken", "違反";
            ContractUnchecked: "not checked", "未檢查";
            ContractNote: "A call that was not checked whole is not a pass", "未能完整檢查的呼叫不算通過";
            ContractNotMade: "{n} not checked: {why}", "{n} 個未檢查：{why}";
            ContractWhole: "The run itself says what all its tools are", "執行紀錄本身載明了所有工具";
            ContractPart: "Skills that the run names or that are open beside it", "執行紀錄提到的技能，以及一併開啟的技能";
            SkillsTitle: "Skills", "技能";
            SourceOfRun: "the run", "執行紀錄";
            ColumnSource: "Declared in", "宣告於";
            ColumnBroken: "Broken", "違反";
            ColumnUnchecked: "Not checked", "未檢查";
            NeverCalled: "never called", "從未呼叫";
            VerdictsTitle: "Verdicts by step", "各步驟的判定";
            VerdictsCut: "{n} more calls that kept their promises are not listed", "另有 {n} 個符合的呼叫未列出";
            VerdictsShow: "Which verdicts are listed", "列出哪些判定";
            VerdictsAll: "All", "全部";
            ColumnStep: "Step", "步驟";
            ColumnTool: "Tool", "工具";
            ColumnVerdict: "Verdict", "判定";
            ColumnWhat: "What", "內容";
            NoVerdicts: "None of them", "沒有";
            MeantName: "the nearest valid name is {name}", "最接近的有效名稱是 {name}";
            // Commands
            ScopeSkill: "In a skill", "技能中";
            CmdNextFinding: "Next finding", "下一項發現";
            CmdPreviousFinding: "Previous finding", "上一項發現";
            CmdProfile: "Core or strict", "核心或嚴格";
            CmdPublish: "Publish", "發布";
            CmdView1: "First view", "第一個檢視";
            CmdView2: "Second view", "第二個檢視";
            CmdView3: "Third view", "第三個檢視";
            CmdView4: "Fourth view", "第四個檢視";
            CmdView5: "Fifth view", "第五個檢視";
            CmdTabContract: "Contract", "契約";
        }
    };
}

pub(super) use with_screens;

/// Sentences by id, as [`super::findings`] describes them.
pub const TABLE: &[(&str, &str, &str)] = &[
    ("unchecked.no-skill", "no skill of this name is known", "沒有已知的同名技能"),
    ("unchecked.no-schema", "the skill has no schema", "技能沒有結構描述"),
    ("unchecked.args-not-json", "the arguments are not JSON", "參數不是 JSON"),
    ("unchecked.schema-unusable", "the schema cannot be used", "結構描述無法使用"),
    ("unchecked.too-slow", "the schema takes too long", "結構描述耗時過久"),
    ("unchecked.too-large", "there is too much to check", "檢查量過大"),
    ("unchecked.no-result", "there is no result", "沒有結果"),
    ("unchecked.result-not-json", "the result is not JSON", "結果不是 JSON"),
    ("unchecked.protocol", "the skill is of a newer protocol", "技能屬於較新的協定"),
];
