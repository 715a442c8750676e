//! What the page says. One line a sentence: name, English, Chinese in traditional script.
//! Sentence case, no full stop after a lone sentence, `…` when more input follows.

macro_rules! messages {
    ($($name:ident: $en:literal, $zh:literal;)*) => {
        /// A sentence of the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum M { $($name,)* }

        /// Every sentence, for the tests.
        pub const ALL: &[M] = &[$(M::$name,)*];

        impl M {
            /// The sentence in English and in Chinese.
            pub fn both(self) -> (&'static str, &'static str) {
                match self { $(M::$name => ($en, $zh),)* }
            }
        }
    };
}

messages! {
    // Home
    HomeTitle: "See what your agent did", "看清代理做了什麼";
    HomeLead: "Drop agent runs and skill files anywhere in this window. They are read, checked and compared in this browser. Nothing is uploaded.",
        "把代理的執行紀錄拖進這個視窗的任何地方。讀取、檢查與比較都在瀏覽器裡進行，不會上傳任何東西。";
    ChooseFiles: "Choose files…", "選擇檔案…";
    ChooseFolder: "Choose a folder…", "選擇資料夾…";
    OrPaste: "or paste, or drop many at once", "或貼上，也可一次拖入多個";
    LoadRun: "Load a run", "載入一次執行";
    LoadRunWhat: "A made-up coding session that retries one commit until it goes through", "一段虛構的程式開發過程：同一個提交重試多次才成功";
    StripTitle: "What a run looks like", "一次執行的樣子";
    StripCaption: "{steps} steps, {errors} errors, one loop. Every mark opens its step", "{steps} 個步驟、{errors} 個錯誤、一個迴圈。每個標記都可開啟對應的步驟";
    StripAgent: "agent", "代理";
    StripTool: "tool", "工具";
    StripError: "error", "錯誤";
    StripLoop: "loop", "迴圈";
    PrivateLine: "No account, no server of ours, no request leaves this tab", "不需帳號、沒有我們的伺服器，沒有任何請求離開此分頁";
    HowToCheck: "How to check", "如何查證";
    ReadsTitle: "What it reads", "可讀取的格式";
    ReadsRuns: "Runs", "執行紀錄";
    ReadsNote: "Recognised by content, not by name. gzip and zip are opened", "依內容辨識，不看檔名。可開啟 gzip 與 zip";
    AllFormats: "All formats", "所有格式";
    KeysTitle: "Keys", "快速鍵";
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
    KeptHere: "Kept in this browser: theme, language, shortcuts", "保存在此瀏覽器：主題、語言、快速鍵";
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
    Reading: "Reading.", "讀取中。";
    ReadingWhat: "{done} of {of}", "{done}，共 {of}";
    Analysing: "Analysing.", "分析中。";
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
    ShapeLines: "JSON Lines, {n} lines", "JSON Lines，{n} 行";
    ShapeText: "text, {n} lines", "文字，{n} 行";
    ShapeBinary: "binary", "二進位";
    // Raw text
    RawTitle: "Raw text", "原始文字";
    RawLines: "{n} lines", "{n} 行";
    RawEmpty: "No text is kept of this file", "此檔案沒有保留文字";
    GoToLine: "Line", "行";
    BackToReading: "Back to the reading of it", "返回解讀結果";
    // Many runs
    RunsVerdict: "{n} runs.", "{n} 次執行。";
    RunsChoose: "Choose one to open it", "選擇一個以開啟";
    RunsPassed: "{passed} of {n} passed.", "{n} 次中有 {passed} 次通過。";
    RunsFilter: "Words of the title or the outcome", "標題或結果中的字詞";
    RunsShown: "{n} of {of}", "{n}，共 {of}";
    RunsNone: "No run has these words", "沒有符合的執行";
    RunsTitle: "Runs", "執行";
    Run: "Run", "執行";
    Topology: "Topology", "拓撲";
    Topologies: "{n} topologies", "{n} 種拓撲";
    Calls: "Calls", "呼叫";
    Errors: "Errors", "錯誤";
    Outcome: "Outcome", "結果";
    Passed: "Passed", "通過";
    Failed: "Failed", "失敗";
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
    KeysSwitch: "Views", "檢視";
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
}
