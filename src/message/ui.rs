//! What the page says. One line a sentence: name, English, Chinese in traditional script.
//! Sentence case, no full stop after a lone sentence, `…` when more input follows.

macro_rules! messages {
    ($($name:ident: $en:literal, $zh:literal;)*) => {
        /// A sentence of the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum M { $($name,)* }

        /// Every sentence, for the tests.
        pub const ALL: &[M] = &[$(M::$name,)*];

        const EN: &[&str] = &[$($en,)*];
        const ZH_HANT: &[&str] = &[$($zh,)*];
    };
}

/// Sentences lie in pages of one language each, and a page is only reached through a function of its own: a program that
/// is loaded in parts can then leave what nobody has read yet, a whole language for instance, to a later part.
const PAGE: usize = 16;

/// One page of `all`; behind the last sentence it is empty.
const fn cut(all: &[&'static str], page: usize) -> [&'static str; PAGE] {
    let mut out = [""; PAGE];
    let mut at = 0;
    while at < PAGE && page * PAGE + at < all.len() {
        out[at] = all[page * PAGE + at];
        at += 1;
    }
    out
}

#[inline(never)]
fn en<const N: usize>(at: usize) -> &'static str {
    let page: &'static [&'static str; PAGE] = const { &cut(EN, N) };
    page[at % PAGE]
}

#[inline(never)]
fn zh_hant<const N: usize>(at: usize) -> &'static str {
    let page: &'static [&'static str; PAGE] = const { &cut(ZH_HANT, N) };
    page[at % PAGE]
}

macro_rules! pages {
    ($($tens:literal)*) => { pages!(@ EN_PAGES en $($tens)*); pages!(@ ZH_HANT_PAGES zh_hant $($tens)*); };
    (@ $name:ident $page:ident $($tens:literal)*) => {
        static $name: &[fn(usize) -> &'static str] = &[$(
            $page::<{ 8 * $tens }>, $page::<{ 8 * $tens + 1 }>, $page::<{ 8 * $tens + 2 }>, $page::<{ 8 * $tens + 3 }>,
            $page::<{ 8 * $tens + 4 }>, $page::<{ 8 * $tens + 5 }>, $page::<{ 8 * $tens + 6 }>, $page::<{ 8 * $tens + 7 }>,
        )*];
    };
}

pages! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }

// More sentences than pages: does not compile until a number is added to `pages!`.
const _: [(); 1] = [(); (ALL.len() <= 16 * 8 * PAGE) as usize];

impl M {
    /// The sentence in English.
    pub fn en(self) -> &'static str {
        let at = self as usize;
        EN_PAGES.get(at / PAGE).map_or("", |page| page(at))
    }

    /// The sentence in Chinese, traditional script.
    pub fn zh_hant(self) -> &'static str {
        let at = self as usize;
        ZH_HANT_PAGES.get(at / PAGE).map_or("", |page| page(at))
    }
}

super::screens::with_screens! { messages {
    // Home
    HomeTitle: "See what your agent did", "看清代理做了什麼";
    HomeLead: "Drop the logs of agent runs anywhere in this window. They are read, checked and drawn in this browser. Nothing is uploaded.",
        "把代理的執行紀錄拖進這個視窗的任何地方。讀取、檢查與繪圖都在瀏覽器裡進行，不會上傳任何東西。";
    ChooseFiles: "Choose files…", "選擇檔案…";
    ChooseFolder: "Choose a folder…", "選擇資料夾…";
    OrPaste: "or paste, or drop many at once", "或貼上，也可一次拖入多個";
    LoadRun: "Load a run", "載入一次執行";
    LoadRunWhat: "A made-up coding session that retries one commit five times", "一段虛構的程式開發過程：同一個提交重試了五次";
    StripTitle: "What a run looks like", "一次執行的樣子";
    StripCaption: "{steps} steps, {errors} errors, one loop. Every mark opens its step", "{steps} 個步驟、{errors} 個錯誤、一個迴圈。每個標記都可開啟對應的步驟";
    StripAgent: "agent", "代理";
    StripTool: "tool", "工具";
    StripError: "error", "錯誤";
    StripLoop: "loop", "迴圈";
    PrivateLine: "No account, no server of ours, no request leaves this tab unasked", "不需帳號、沒有我們的伺服器，未經您要求不會有請求離開此分頁";
    HowToCheck: "How to check", "如何查證";
    ReadsTitle: "What it reads", "可讀取的格式";
    ReadsRuns: "Runs", "執行紀錄";
    ReadsNote: "Recognised by content, not by name. gzip and zip are opened", "依內容辨識，不看檔名。可開啟 gzip 與 zip";
    AllFormats: "All formats", "所有格式";
    KeysTitle: "Keys", "快速鍵";
    // Between two sentences, between two remarks
    Stop: ". ", "。";
    Comma: ", ", "，";
    // Bar, rail, settings
    SkipToMain: "Skip to the content", "跳至主要內容";
    SearchSteps: "Search steps and commands", "搜尋步驟與指令";
    Files: "Files", "檔案";
    Views: "Views", "檢視";
    Add: "Add", "加入";
    AddFiles: "Add files…", "加入檔案…";
    Help: "Help", "說明";
    SettingsTitle: "Settings", "設定";
    Close: "Close", "關閉";
    CloseName: "Close {name}", "關閉 {name}";
    Closed: "{name} closed", "已關閉 {name}";
    StayHere: "Files stay in this browser", "檔案只留在此瀏覽器";
    RequestsSent: "{n} {n|request|requests} sent", "已送出 {n} 個請求";
    ThemeTitle: "Theme", "主題";
    ThemeSystem: "System", "系統";
    ThemeLight: "Light", "淺色";
    ThemeDark: "Dark", "深色";
    LanguageTitle: "Language", "語言";
    SingleKeys: "Single-key shortcuts", "單鍵快速鍵";
    KeptHere: "Kept in this browser: theme, language, skill check, shortcuts", "保存在此瀏覽器：主題、語言、技能檢查、快速鍵";
    // Files
    StateReading: "Reading {done} of {of}", "已讀取 {done}，共 {of}";
    StateAnalysing: "Analysing", "分析中";
    StateFailed: "Could not be read", "無法讀取";
    StateUnread: "Not recognised", "無法辨識";
    StateChanged: "Changed on disk", "磁碟上已變更";
    StateRuns: "{format}, {n} runs", "{format}，{n} 次執行";
    StateErrors: "{n} {n|error|errors}", "{n} 個錯誤";
    StateLoops: "{n} {n|loop|loops}", "{n} 個迴圈";
    StateNoErrors: "no errors", "沒有錯誤";
    DropCount: "Drop {n} {n|file|files}", "放開以加入 {n} 個檔案";
    DropHere: "Drop the files", "放開以加入檔案";
    DropStay: "Anywhere in this window. They stay in this browser", "視窗內任何地方皆可。檔案只留在此瀏覽器";
    NothingDropped: "Nothing to open was in there: the folder is empty, or the browser did not hand its files over", "其中沒有可開啟的檔案：資料夾是空的，或瀏覽器沒有交出檔案";
    Pasted: "Pasted", "貼上的內容";
    Opened: "{n} {n|file|files} opened", "已開啟 {n} 個檔案";
    OpenedSome: "{n} opened, {failed} not recognised or not read", "已開啟 {n} 個，{failed} 個無法辨識或讀取";
    IntakeReading: "Reading.", "讀取中。";
    ReadingWhat: "{done} of {of}", "{done}，共 {of}";
    Analysing: "Analysing.", "分析中。";
    FirstSteps: "First steps, while the rest is read", "開頭的步驟，其餘仍在讀取";
    AnalysingWhat: "Files of one session are joined, loops and topology are computed", "合併同一工作階段的檔案，計算迴圈與拓撲";
    Cancel: "Cancel", "取消";
    TryAgain: "Try again", "再試一次";
    Reload: "Reload", "重新載入";
    ReloadPage: "Reload the page", "重新載入頁面";
    KeepShown: "Keep what is shown", "保留目前內容";
    Dismiss: "Dismiss", "關閉通知";
    FileChanged: "{name} has changed since it was opened. The steps shown are those from before", "{name} 開啟後已變更。目前顯示的是變更前的步驟";
    Reloaded: "{name} was read again", "已重新讀取 {name}";
    Renewing: "{name} is being read again", "正在重新讀取 {name}";
    FileUnreadable: "The browser can no longer read {name}. It was changed, moved or deleted after it was given to the page", "瀏覽器無法再讀取 {name}。檔案在交給頁面之後被變更、移動或刪除";
    FileUnreadableFix: "Choose it again", "請重新選擇該檔案";
    ChooseAgain: "Choose it again…", "重新選擇…";
    FailedTitle: "Not read.", "未讀取。";
    DiedOf: "The reader stopped while it was busy with {name}, most likely because it ran out of memory. It was started again, and the other files are kept", "讀取程式在處理 {name} 時停止，很可能是記憶體不足。已重新啟動，其他檔案不受影響";
    DiedOfFix: "Close other files and try again, or open a smaller part of it", "請關閉其他檔案後再試，或開啟較小的部分";
    WorkerDied: "The reader stopped and was started again. The other files are kept and are being read again", "讀取程式停止後已重新啟動。其他檔案仍保留，正在重新讀取";
    WorkerNoStart: "The reader does not start, so no file can be opened: {detail}", "讀取程式無法啟動，因此無法開啟檔案：{detail}";
    OtherBuild: "A new version of this page is on the server. Reload the page, then open the files again", "伺服器上有新版本。請重新載入頁面，再開啟檔案";
    ExampleMissing: "The example could not be loaded from the page's own server: {detail}", "無法從頁面所在的伺服器載入範例：{detail}";
    // A place whose file is not here
    MissingTitle: "{name} is not open", "{name} 尚未開啟";
    MissingWhat: "This link leads into a file, and files are never kept. Open the file, and the page goes to the place", "此連結指向某個檔案，而檔案不會被保存。開啟該檔案後，頁面會前往對應的位置";
    MissingStep: "Step {step}", "步驟 {step}";
    // Not recognised
    NotARun: "Not a run.", "不是執行紀錄。";
    ShowRaw: "Show it as raw data", "以原始資料檢視";
    OpenAs: "Open as…", "開啟為…";
    CopyReport: "Copy report", "複製報告";
    Copied: "Copied", "已複製";
    NotCopied: "The browser did not allow it", "瀏覽器不允許";
    FirstLines: "First lines", "前幾行";
    NearestTitle: "The nearest formats, and why each said no", "最接近的格式，以及各自不符的原因";
    NearestFormat: "Format", "格式";
    NearestReason: "Reason", "原因";
    NearestPlace: "Place", "位置";
    OtherAnswers: "Every other format said no at the first byte or key", "其他格式在第一個位元組或鍵就不符";
    AllAnswers: "All answers", "全部原因";
    FewerAnswers: "Only the nearest", "只看最接近的";
    AlsoTitle: "Also in this drop", "同批檔案";
    AlsoRun: "opened", "已開啟";
    StoppedAt: "It stops being JSON at line {line}, column {column}", "自第 {line} 行第 {column} 欄起不是 JSON";
    OpenedAsNo: "{name} could not be read as {format}", "無法將 {name} 讀作 {format}";
    ShapeObject: "JSON object", "JSON 物件";
    ShapeArray: "JSON array", "JSON 陣列";
    ShapeLines: "JSON Lines, {n} {n|line|lines}", "JSON Lines，{n} 行";
    ShapeText: "text, {n} {n|line|lines}", "文字，{n} 行";
    ShapeBinary: "binary", "二進位";
    // Raw text
    RawTitle: "Raw text", "原始文字";
    RawLines: "{n} {n|line|lines}", "{n} 行";
    RawEmpty: "No text is kept of this file", "此檔案沒有保留文字";
    GoToLine: "Line", "行";
    BackToReading: "Back to the run", "返回執行";
    BackToWhy: "Why it was not recognised", "為何無法辨識";
    // Many runs
    RunsVerdict: "{n} runs.", "{n} 次執行。";
    RunsChoose: "Choose one to open it", "選擇一個以開啟";
    RunsPassed: "{passed} of {n} passed.", "{n} 次中有 {passed} 次通過。";
    RunsFilter: "Words of the title or the outcome", "標題或結果中的字詞";
    RunsShown: "{n} of {of}", "{n}，共 {of}";
    RunsNone: "No run has these words", "沒有符合的執行";
    RunsTitle: "Runs", "執行";
    Run: "Run", "執行";
    RunNumber: "Run {n}", "第 {n} 次執行";
    Topology: "Topology", "拓撲";
    Topologies: "{n} topologies", "{n} 種拓撲";
    Calls: "Calls", "呼叫";
    Errors: "Errors", "錯誤";
    Outcome: "Outcome", "結果";
    Passed: "Passed", "通過";
    OutcomePassed: "passed", "通過";
    OutcomeFailed: "failed", "失敗";
    OutcomeFinished: "finished", "完成";
    OutcomeLimit: "limit", "達到上限";
    OutcomeError: "error", "錯誤";
    OutcomeCancelled: "cancelled", "已取消";
    PerRun: "{n} a run", "每次 {n}";
    LoopsIn: "{n} {n|run|runs}", "{n} 次執行";
    Loops: "Loops", "迴圈";
    ReportTitle: "{file}: {n} of {of} records understood", "{file}：{of} 筆記錄中理解了 {n} 筆";
    // Formats
    FormatsTitle: "What it reads", "可讀取的格式";
    FormatsLead: "A file is recognised by its content, not by its name. gzip and zip archives are opened, and what no format knows is kept visible as it is.",
        "依檔案內容而非檔名辨識。可開啟 gzip 與 zip 壓縮檔；任何格式都不認得的內容會原樣顯示。";
    FormatsName: "Format", "格式";
    FormatsFiles: "Files", "檔案";
    // Commands
    CmdChooseFiles: "Choose files", "選擇檔案";
    CmdChooseFolder: "Choose a folder", "選擇資料夾";
    CmdPalette: "Commands", "指令";
    CmdHelp: "All keys", "所有快速鍵";
    CmdHome: "Home", "首頁";
    CmdFormats: "What it reads", "可讀取的格式";
    CmdTheme: "Next theme", "切換主題";
    CmdLanguage: "Next language", "切換語言";
    CmdNextFile: "Next file", "下一個檔案";
    CmdPreviousFile: "Previous file", "上一個檔案";
    CmdCloseFile: "Close this file", "關閉此檔案";
    CmdFilter: "Filter", "篩選";
    CmdNextStep: "Next step", "下一步";
    CmdPreviousStep: "Previous step", "上一步";
    CmdOpenStep: "Open the step", "開啟步驟";
    CmdInspector: "Inspector on or off", "開關檢視面板";
    CmdRaw: "Raw text of the step", "步驟的原始文字";
    CmdNextError: "Next error", "下一個錯誤";
    CmdPreviousError: "Previous error", "上一個錯誤";
    CmdNextLoop: "Next loop", "下一個迴圈";
    CmdPreviousLoop: "Previous loop", "上一個迴圈";
    CmdFold: "Fold or unfold", "摺疊或展開";
    CmdAll: "All steps, or only what matters", "全部步驟，或只看重點";
    CmdCopyLink: "Copy a link to the step", "複製步驟連結";
    CmdTabSteps: "Steps", "步驟";
    CmdTabDiagram: "Diagram", "時序圖";
    CmdTabFindings: "Findings", "發現";
    CmdTabLoops: "Loops", "迴圈";
    CmdTabImport: "Import report", "匯入報告";
    KeysNextStep: "Next, previous step", "下一步、上一步";
    KeysNextError: "Next, previous error", "下一個、上一個錯誤";
    KeysLoop: "Previous, next loop", "上一個、下一個迴圈";
    ScopeEverywhere: "Everywhere", "任何地方";
    ScopeFile: "With a file open", "開啟檔案時";
    ScopeList: "In a list", "清單中";
    ScopeRun: "In a run", "執行中";
    FindKey: "Find a key or command", "尋找快速鍵或指令";
    NothingFound: "Nothing found", "找不到結果";
    PaletteCommands: "Commands", "指令";
    PaletteFiles: "Files", "檔案";
    PaletteSteps: "Steps", "步驟";
    PaletteChoose: "choose", "選擇";
    PaletteOpen: "open", "開啟";
    PaletteClose: "close", "關閉";
    PaletteCount: "{n} {n|result|results}", "{n} 個結果";
    // How to check
    CheckTitle: "How to check that nothing leaves", "如何查證沒有資料外流";
    CheckLead: "The page is a program that runs in this tab. Files are read here and stay here. You need not take our word for it:",
        "本頁是在此分頁中執行的程式。檔案在此讀取，也只留在此處。您不必只聽我們說：";
    CheckCounter: "The counter under the list of files is what the browser itself reports about requests to other servers. It stands at {n}",
        "檔案清單下方的計數，是瀏覽器自行回報的、對其他伺服器的請求數。目前是 {n}";
    CheckNetwork: "Open the developer tools (F12), choose Network, then open a file: nothing is requested but parts of this page from the server that it came from",
        "開啟開發人員工具（F12），選擇「網路」，再開啟檔案：除了從本頁來源伺服器取得頁面自身的部分之外，沒有任何請求";
    CheckOffline: "Turn the network off once the page is loaded: files open as before. Only the diagram and the example come from the server the first time that they are used",
        "頁面載入後關閉網路：檔案照常開啟。只有時序圖與範例在首次使用時需要從伺服器取得";
    CheckPolicy: "The page's own policy (Content-Security-Policy, at the top of its source) forbids scripts, pictures and fonts from anywhere else",
        "頁面自身的政策（Content-Security-Policy，位於原始碼開頭）禁止來自其他地方的指令碼、圖片與字型";
    // Actors and kinds of steps
    KindPerson: "person", "使用者";
    KindSystem: "system", "系統";
    KindInjected: "injected", "插入";
    KindThought: "thought", "思考";
    KindSay: "said", "回覆";
    KindAction: "call", "呼叫";
    KindOrphan: "result", "結果";
    KindCompaction: "compacted", "壓縮";
    KindNotice: "notice", "通知";
    KindRaw: "record", "記錄";
    // Run
    ActorUser: "user", "使用者";
    ActorAgent: "agent", "代理";
    ActorTool: "tool", "工具";
    ActorSystem: "system", "系統";
    ActorEnvironment: "environment", "環境";
    SubAgent: "sub-agent", "子代理";
    AtOnce: "{n} at once", "同時 {n} 個";
    RoundOf: "{n} of {of}", "第 {n} 次，共 {of} 次";
    RowFailed: "failed", "失敗";
    NoResult: "no result", "沒有結果";
    FindingsHere: "{n} {n|finding|findings} here", "此處有 {n} 項發現";
    StepsCount: "{n} {n|step|steps}", "{n} 個步驟";
    SaidCount: "{n} {n|text|texts}", "{n} 段文字";
    FailedCount: "{n} failed", "{n} 次失敗";
    CallsCount: "{n} {n|call|calls}", "{n} 次呼叫";
    TokensCount: "{n} tokens", "{n} 個 token";
    SubAgentFileMissing: "Its own file is not here", "缺少它自己的檔案";
    AddIt: "Add it…", "加入…";
    RowsShown: "Rows shown", "顯示的列";
    RowsAll: "All", "全部";
    RowsFolded: "Folded", "摺疊";
    PictureInData: "Picture in the data, {kind}, {size}", "資料中的圖片，{kind}，{size}";
    MoreLines: "{n} more {n|line|lines}", "還有 {n} 行";
    MoreValues: "{n} more {n|value|values}", "還有 {n} 個值";
    MoreCharacters: "{n} more {n|character|characters}", "還有 {n} 個字元";
    LinesBelow: "{n} {n|line|lines}, shown below", "{n} 行，見下方";
    ViewsOfRun: "Views of the run", "執行的檢視";
    TabSteps: "Steps", "步驟";
    TabDiagram: "Diagram", "圖";
    TabFindings: "Findings", "發現";
    TabLoops: "Loops", "迴圈";
    TabImport: "Import", "匯入";
    FigureSteps: "Steps", "步驟";
    FigureCalls: "Calls", "呼叫";
    FigureErrors: "Errors", "錯誤";
    FigureTokensIn: "Tokens in", "輸入 token";
    FigureTokensOut: "Tokens out", "輸出 token";
    FigureCost: "Cost", "費用";
    FigureTime: "Time", "時間";
    MeansSteps: "Everything that happened, in order: what people, the agent and programs wrote, and each call together with its result",
        "依序發生的一切：使用者、代理與程式寫下的文字，以及每次呼叫連同其結果";
    MeansCalls: "Tool calls of the agent and its sub-agents. {results} have a result, {unanswered} have none", "代理與子代理的工具呼叫。{results} 次有結果，{unanswered} 次沒有";
    MeansErrors: "Calls whose result the file marks as failed, or that ended with an exit code other than 0", "檔案標示為失敗，或以非 0 結束代碼結束的呼叫";
    MeansTokensIn: "All that went into the model, cached tokens included: {all}. {cached} of them were read from a cache, {written} written to it",
        "送入模型的全部 token，含快取：{all}。其中 {cached} 讀自快取，{written} 寫入快取";
    MeansTokensOut: "All that the model wrote: {all}. The file states the usage of {known} of the turns", "模型輸出的全部 token：{all}。檔案載明 {known} 回合的用量";
    MeansCost: "What the file says it cost, in US dollars", "檔案載明的費用，以美元計";
    MeansCostEstimated: "An estimate from the tokens that the file states, in US dollars", "依檔案載明的 token 估算，以美元計";
    MeansTime: "From the first moment in the file to the last, pauses included", "從檔案中最早的時刻到最晚的時刻，包含停頓";
    SharedCached: "{share} cached", "{share} 來自快取";
    NotInFile: "not in the file", "檔案中沒有";
    Estimated: "estimated", "估算";
    ShowAllSteps: "Show all steps", "顯示所有步驟";
    ShowCalls: "Show the calls", "顯示呼叫";
    ShowErrors: "Show the errors", "顯示錯誤";
    ShowImport: "Show the import report", "顯示匯入報告";
    ModelsThen: "{first}, then {rest}", "{first}，之後 {rest}";
    FilterPlaceholder: "Words, or tool: actor: has:error loop:", "文字，或 tool: actor: has:error loop:";
    FilterLabel: "Filter the steps", "篩選步驟";
    NextError: "Next error", "下一個錯誤";
    HitsCount: "{n} {n|step has|steps have} it", "{n} 個步驟符合";
    TermsUnknown: "Not understood in the filter: {terms}. Known are tool: actor: kind: has: loop:", "篩選條件中無法理解：{terms}。可用 tool: actor: kind: has: loop:";
    NoHits: "No step has it", "沒有符合的步驟";
    ClearFilter: "Clear the filter", "清除篩選";
    StepsOfRun: "Steps", "步驟";
    Minimap: "The run at a glance", "執行總覽";
    StepOf: "step {n} of {of}, {name}", "第 {n} 步，共 {of} 步，{name}";
    StepNo: "Step {n}", "步驟 {n}";
    PreviousStep: "Previous step", "上一步";
    NextStep: "Next step", "下一步";
    CopyLink: "Copy link", "複製連結";
    Raw: "Raw", "原文";
    ViewReading: "Reading", "檢視";
    RawNowhere: "The text of this record is not kept", "未保留此記錄的原文";
    RawCut: "Cut here: {n} characters in all", "於此截斷：共 {n} 個字元";
    RawGone: "The file cannot be read any more. Drop it again", "無法再讀取檔案。請重新拖入";
    CopyAll: "Copy all of it", "全部複製";
    IntoRun: "{at} into the run", "執行開始後 {at}";
    TokensIn: "{n} tokens in", "輸入 {n} 個 token";
    ExitCode: "exit code {n}", "結束代碼 {n}";
    AgentSaid: "Agent said", "代理說";
    SectionSaid: "Text", "文字";
    SectionThought: "Thought", "思考";
    SectionArguments: "Arguments", "參數";
    SectionChange: "Change", "變更";
    SectionResult: "Result", "結果";
    SectionSummary: "Summary", "摘要";
    SectionRecord: "Record", "記錄";
    WhatFollowed: "What followed", "之後";
    LinesCount: "{n} {n|line|lines}", "{n} 行";
    CharactersCount: "{n} {n|character|characters}", "{n} 個字元";
    FindingsAtStep: "Findings", "發現";
    SameCalls: "The same call", "相同的呼叫";
    TurnUsage: "Usage of the turn", "本回合用量";
    TurnOfSteps: "one turn of {n} {n|step|steps}", "{n} 個步驟的一個回合";
    UsageIn: "In", "輸入";
    UsageCached: "of it from a cache", "其中來自快取";
    UsageWritten: "written to the cache", "寫入快取";
    UsageOut: "Out", "輸出";
    UsageUnknown: "The file does not state the usage of this turn", "檔案未載明本回合的用量";
    Place: "In the file", "在檔案中";
    LineNo: "line {n}", "第 {n} 行";
    LocalTime: "local time, the file names no zone", "本地時間，檔案未註明時區";
    Utc: "UTC", "UTC";
    ModelName: "Model", "模型";
    SubAgentName: "Sub-agent", "子代理";
    SeverityErrors: "{n} {n|error|errors}", "{n} 項錯誤";
    SeverityWarnings: "{n} {n|warning|warnings}", "{n} 項警告";
    SeverityInfos: "{n} {n|note|notes}", "{n} 項提示";
    FindingsFilterLabel: "Filter the findings", "篩選發現";
    FindingsFilter: "Words or a rule", "文字或規則";
    CopyMarkdown: "Copy as Markdown", "複製為 Markdown";
    NoFindings: "No findings. {n} {n|rule|rules} ran", "沒有發現。執行了 {n} 條規則";
    NoFindingHits: "No finding has it", "沒有符合的發現";
    RulesClean: "Ran and found nothing", "執行後無發現";
    RulesSkipped: "Could not run", "無法執行";
    FindingsCut: "the first {n} of {of} are shown", "顯示前 {n} 項，共 {of} 項";
    WholeFile: "the whole file", "整個檔案";
    AlsoAt: "also at {steps}", "也在 {steps}";
    WasteTitle: "waste, {n} of {of} {of|call|calls}", "浪費，{of} 次呼叫中的 {n} 次";
    WasteMeans: "Calls of a loop after its first round. No call counts twice, and a call without a loop never counts", "迴圈中首輪之後的呼叫。同一呼叫不重複計算，迴圈之外的呼叫不計";
    NoCalls: "No calls, so there is nothing to repeat", "沒有呼叫，因此無從重複";
    NoLoops: "No loops found", "沒有發現迴圈";
    LoopsFound: "Loops that were found", "發現的迴圈";
    ColumnFinding: "Finding", "發現";
    ColumnWhere: "Where", "位置";
    ColumnTimes: "Times", "次數";
    ColumnWasted: "Wasted calls", "浪費的呼叫";
    ColumnTokens: "Tokens", "token";
    ColumnTime: "Time", "時間";
    ColumnWhy: "Why it fired", "觸發原因";
    Tries: "The {n} {n|try|tries}", "{n} 次嘗試";
    TriesSub: "what changed before each, and what it cost", "每次之前的變化，以及代價";
    FirstNotCounted: "first, not counted", "首次，不計";
    Nearly: "Nearly", "差一點";
    NearlySub: "would have fired with other thresholds", "換個門檻就會觸發";
    HaveOfNeed: "{have} of {need}", "{need} 中的 {have}";
    WordCompacted: "compacted", "壓縮";
    WordRecovered: "recovered at {n}", "於 {n} 脫離";
    WordLoop: "{name}, {n}×", "{name}，{n}×";
    RangeSteps: "Steps", "步驟";
    RangeTo: "to", "至";
    RangeFrom: "First step", "第一步";
    RangeLast: "Last step", "最後一步";
    FoldLoops: "Fold loops", "摺疊迴圈";
    ShowArguments: "Arguments", "參數";
    ShowThoughts: "Thoughts", "思考";
    ReadAsList: "Read as list", "以清單閱讀";
    ShowPicture: "Show as picture", "以圖顯示";
    CopyMermaid: "Copy Mermaid", "複製 Mermaid";
    DownloadSvg: "Download SVG", "下載 SVG";
    DiagramOf: "Sequence of steps {range}", "步驟 {range} 的順序圖";
    DiagramCounts: "{n} {n|step|steps}: {shown} in arrows and notes, {folded} folded, {elsewhere} on other pages. Choose an arrow to open its step",
        "{n} 個步驟：{shown} 個畫成箭頭與註解，{folded} 個摺疊，{elsewhere} 個在其他頁。選擇箭頭可開啟步驟";
    DiagramDrawing: "Drawing…", "繪製中…";
    DiagramFailed: "The picture could not be drawn: {why}. This is its source", "無法繪製圖片：{why}。以下是原始碼";
    DiagramTooLong: "{n} characters are more than mermaid takes", "{n} 個字元超過 mermaid 的上限";
    DiagramNoLinks: "The arrows could not be matched with the steps, so they do not open them", "箭頭無法與步驟對應，因此無法開啟步驟";
    PageOf: "Page {n} of {of}", "第 {n} 頁，共 {of} 頁";
    PreviousPage: "Previous page", "上一頁";
    NextPage: "Next page", "下一頁";
    Smaller: "Smaller", "縮小";
    Larger: "Larger", "放大";
    Fit: "Fit", "符合寬度";
    ItemLoop: "loop", "迴圈";
    ItemParallel: "at once", "同時";
    ItemNote: "note", "註";
    ImportTitle: "Import report", "匯入報告";
    ImportFormat: "Format", "格式";
    ImportUnderstood: "Understood", "已理解";
    ImportLines: "Lines", "行";
    ImportRecords: "Records", "記錄";
    ImportRepairs: "Repairs", "修復";
    ImportWrapped: "wrapped as {how}", "以 {how} 包裝";
    ImportBadCount: "{n} not JSON", "{n} 行不是 JSON";
    ImportUnknown: "Not understood", "未理解";
    ImportUnknownSub: "kept in the run as raw", "以原樣保留在執行中";
    ImportSkipped: "Nothing to show", "無可顯示";
    ImportSkippedSub: "known records that hold nothing of the run", "已知但不含執行內容的記錄";
    ImportRepairsSub: "the file itself was not changed", "檔案本身未被更改";
    ImportBadLines: "Lines that are not JSON", "不是 JSON 的行";
    ImportNotes: "Notes", "說明";
    ImportKind: "Kind", "類型";
    ImportCount: "Count", "數量";
    ImportFirst: "First", "首次";
    ImportLineColumn: "line {line}, column {column}", "第 {line} 行第 {column} 欄";
    ImportFine: "Every record was understood, nothing was repaired", "每筆記錄都已理解，沒有修復";
    NoSuchStep: "There is none", "沒有";
    BeganAt: "It began at {at}", "開始於 {at}";
    MeansFormat: "Recognised by its content, not by its name", "依內容辨識，不看檔名";
    MeansUnderstood: "{n} of {of} records are of a known kind. The others are kept as raw steps", "{of} 筆記錄中有 {n} 筆屬於已知類型。其餘保留為原始步驟";
    MeansLines: "Lines of the decoded text", "解碼後文字的行數";
    MeansRecords: "Lines or members that hold a JSON value", "含有 JSON 值的行或成員";
    RunFigures: "What the file says about the run", "檔案關於此次執行的記載";
    // Two runs side by side
    Compare: "Compare", "比較";
    CmdCompare: "Compare two runs", "比較兩次執行";
    CmdNextDifference: "Next difference", "下一個差異";
    CmdPreviousDifference: "Previous difference", "上一個差異";
    CmdDivergence: "First divergence", "首次分歧";
    CmdSwap: "Swap the sides", "左右對調";
    CmdFoldEqual: "Fold or unfold equal steps", "摺疊或展開相同步驟";
    CmdCopyCompareLink: "Copy link to this comparison", "複製此比較的連結";
    CompareTitle: "Compare two runs", "比較兩次執行";
    CompareDemo: "Load two trials", "載入兩次嘗試";
    CompareDemoWhat: "Two made-up trials of one task at a ferry desk: one does what was asked, the other books the wrong ship", "虛構渡輪櫃台的同一任務兩次嘗試：一次照要求完成，另一次訂錯船班";
    CompareNeedsTwo: "Two runs are needed. Open two files, or one file with several runs", "需要兩次執行。請開啟兩個檔案，或一個含多次執行的檔案";
    CompareGone: "{name} is not open. Open it again, or choose another run", "{name} 沒有開啟。請重新開啟，或選擇另一次執行";
    CompareReading: "Reading…", "讀取中…";
    CompareAligning: "Comparing…", "比較中…";
    SideLeft: "Left", "左側";
    SideRight: "Right", "右側";
    PickLeft: "Left run", "左側的執行";
    PickRight: "Right run", "右側的執行";
    FigureAligned: "Aligned", "已對齊";
    FigureDivergence: "First divergence", "首次分歧";
    FigureOrder: "Order kept", "順序保持";
    FigureThoughts: "Thoughts", "想法";
    FigureTokens: "Tokens", "Token";
    BothSides: "{left} | {right}", "{left} | {right}";
    NoDivergence: "none", "無";
    MeansAligned: "Actions of each run that stand in one order on both sides, of all its actions. The share is 2 × pairs / all actions", "兩側以相同順序出現的動作，占各次執行所有動作的比例。百分比為 2 × 配對數 / 動作總數";
    MeansDivergence: "The first actions at which the runs are no longer the same, counted from 1 on each side", "兩次執行首次不再相同的動作，各側從 1 起算";
    MeansOrder: "How much of what both runs have in common stands in the same order", "兩次執行的共同部分中，順序相同的比例";
    MeansThoughts: "Thoughts and texts of the agent that found a like one, in order, of all that are in the file", "依順序找到相似對應的想法與代理文字，占檔案中全部的比例";
    MeansErrorsBoth: "Calls that failed, left and right", "左右兩側失敗的呼叫";
    MeansCallsBoth: "Calls of each run, sub-agents included", "各次執行的呼叫，含子代理";
    MeansBoth: "What each file says of the whole run, left and right", "各檔案所載的整次執行數值，左側與右側";
    GoThere: "Go there", "前往";
    TopologySame: "Same topology", "拓撲相同";
    TopologyDiffers: "Topology differs", "拓撲不同";
    SameStepMeans: "Same step means", "相同步驟的定義";
    CompareShow: "Show", "顯示";
    ShowActions: "Actions", "動作";
    ShowMessages: "Messages", "訊息";
    ShowBoth: "Both", "兩者";
    PreviousOne: "Previous", "上一個";
    Relation: "Relation", "關係";
    CompareRowsLabel: "Rows of both runs", "兩次執行的各列";
    DifferencesCount: "{n} {n|row differs|rows differ}", "{n} 列不同";
    ThoughtThreshold: "Texts are alike from", "文字視為相似的門檻";
    AfterwardsTitle: "What followed", "之後";
    AfterActions: "Actions after", "之後的動作";
    ThoughtsAlike: "The thoughts that led here are {n} alike", "導致此處的想法相似度為 {n}";
    PathTitle: "Path", "路徑";
    PathOf: "Path through both runs: {left} actions left, {right} right", "兩次執行的路徑：左側 {left} 個動作，右側 {right} 個";
    PathTable: "The path as a table", "以表格顯示路徑";
    PathMixed: "several", "多種";
    RowInFull: "This row in full", "此列全文";
    PairLegend: "Struck out: only left. Underlined: only right", "刪除線：僅左側。底線：僅右側";
    RowCut: "Cut after 20,000 characters", "超過 20,000 字元的部分已截斷";
    PartText: "Text", "文字";
    PartTool: "Tool", "工具";
    PartArguments: "Arguments", "參數";
    PartResult: "Result", "結果";
    StepNumber: "Step {n}", "步驟 {n}";
    ScopePair: "With two runs open", "開啟兩次執行時";
    ScopeCompare: "In a comparison", "比較中";
    RewardIs: "reward {n}", "獎勵 {n}";
    TakeAway: "Take away", "匯出";
    DownloadMarkdown: "Download Markdown", "下載 Markdown";
    DownloadJson: "Download JSON", "下載 JSON";
    // Usage and measures of a run
    TabUsage: "Usage", "用量";
    TabMeasures: "Measures", "度量";
    CmdTabUsage: "Usage", "用量";
    CmdTabMeasures: "Measures and topology", "度量與拓撲";
    ShowUsage: "Show the usage", "顯示用量";
    CmdShare: "Share what is on the screen", "分享畫面上的內容";
    ShareShort: "Share", "分享";
    CmdNote: "Note on this step", "為此步驟加註";
    CmdNotes: "Notes", "註記";
    CmdNextNote: "Next note", "下一則註記";
    CmdPreviousNote: "Previous note", "上一則註記";
} }
