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
