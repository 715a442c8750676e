//! Where you are, as the address's hash. Pure: text in, [`Route`] out, and back.
//!
//! `#/` home, `#/formats`, `#/d/<document>` a document, `#/d/<document>/<run>/<tab>?step=12&filter=…&all=1`.
//! `#/runs` every run that is open; a document of many runs and it take `view=`, `group=`, `sort=`, `turned=1`, `of=`.
//! `#/d/<document>/<member>/<skill tab>` a document of skills, `#/check?url=…` a provider by its address.
//! Documents are named by their file name, so that a copied link finds the file again once it is loaded.

/// A tab of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tab {
    #[default]
    Steps,
    Diagram,
    Findings,
    Loops,
    Usage,
    Contract,
    /// Metrics and topology.
    Measures,
    Import,
    Judge,
}

impl Tab {
    pub const ALL: [Tab; 9] = [
        Tab::Steps,
        Tab::Diagram,
        Tab::Findings,
        Tab::Loops,
        Tab::Usage,
        Tab::Contract,
        Tab::Measures,
        Tab::Import,
        Tab::Judge,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Tab::Steps => "steps",
            Tab::Diagram => "diagram",
            Tab::Findings => "findings",
            Tab::Loops => "loops",
            Tab::Usage => "usage",
            Tab::Contract => "contract",
            Tab::Measures => "measures",
            Tab::Import => "import",
            Tab::Judge => "judge",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.id() == text)
    }
}

/// A tab of a document of skills. The words differ from those of [`Tab`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkillTab {
    /// One document: its card, and its findings beside the source. Of several documents: the list of them.
    #[default]
    Check,
    /// Every finding of every document.
    AllFindings,
    Conformance,
    /// The served index beside the full set.
    Index,
    UsedIn,
    Publish,
    Traceability,
    /// Beside another descriptor.
    Compare,
    /// On the way out, as a list of tools or an agent card.
    AsMcp,
    AsA2a,
}

impl SkillTab {
    pub const ALL: [SkillTab; 10] = [
        SkillTab::Check,
        SkillTab::AllFindings,
        SkillTab::Conformance,
        SkillTab::Index,
        SkillTab::UsedIn,
        SkillTab::Publish,
        SkillTab::Traceability,
        SkillTab::Compare,
        SkillTab::AsMcp,
        SkillTab::AsA2a,
    ];

    pub fn id(self) -> &'static str {
        match self {
            SkillTab::Check => "check",
            SkillTab::AllFindings => "all-findings",
            SkillTab::Conformance => "conformance",
            SkillTab::Index => "index",
            SkillTab::UsedIn => "used-in",
            SkillTab::Publish => "publish",
            SkillTab::Traceability => "traceability",
            SkillTab::Compare => "compare",
            SkillTab::AsMcp => "as-mcp",
            SkillTab::AsA2a => "as-a2a",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.id() == text)
    }
}

/// A view of many runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunsTab {
    #[default]
    Table,
    Similarity,
    Consensus,
    Match,
}

impl RunsTab {
    pub const ALL: [RunsTab; 4] = [RunsTab::Table, RunsTab::Similarity, RunsTab::Consensus, RunsTab::Match];

    pub fn id(self) -> &'static str {
        match self {
            RunsTab::Table => "table",
            RunsTab::Similarity => "similarity",
            RunsTab::Consensus => "consensus",
            RunsTab::Match => "match",
        }
    }
}

/// How many runs are shown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunsView {
    pub tab: RunsTab,
    /// A column; empty is the usual order.
    pub sort: String,
    /// The other way round.
    pub turned: bool,
    /// What runs of a group have in common, or `none`.
    pub group: String,
    /// The group whose consensus is shown; `None` is all runs.
    pub key: Option<String>,
}

impl Default for RunsView {
    fn default() -> Self {
        Self { tab: RunsTab::Table, sort: String::new(), turned: false, group: "topology".into(), key: None }
    }
}

impl RunsView {
    fn read(&mut self, key: &str, value: &str) {
        match key {
            "view" => self.tab = RunsTab::ALL.into_iter().find(|t| t.id() == value).unwrap_or_default(),
            "sort" => self.sort = decode(value),
            "turned" => self.turned = value != "0",
            "group" => self.group = decode(value),
            "of" => self.key = Some(decode(value)),
            _ => {}
        }
    }

    fn write(&self, add: &mut dyn FnMut(&str, &str)) {
        if self.tab != RunsTab::Table {
            add("view", self.tab.id());
        }
        if !self.sort.is_empty() {
            add("sort", &encode(&self.sort));
        }
        if self.turned {
            add("turned", "1");
        }
        if self.group != "topology" {
            add("group", &encode(&self.group));
        }
        if let Some(key) = &self.key {
            add("of", &encode(key));
        }
    }
}

/// All open runs together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunsPlace {
    pub filter: String,
    pub view: RunsView,
}

/// A place in the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Route {
    #[default]
    Home,
    Formats,
    /// A provider by its address: the form, with what is typed in it.
    Check(String),
    Document(Place),
    /// Two runs side by side.
    Compare(Versus),
    /// Every run that is open, as a table.
    Runs(RunsPlace),
    /// Data that the link itself names or holds.
    Open(Opening),
}

/// A run of an open document, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The document's name; empty where no run is chosen yet.
    pub document: String,
    /// From 0; written from 1.
    pub run: u32,
}

/// Two runs and how they are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versus {
    pub left: Side,
    pub right: Side,
    /// What makes two actions the same: `tool`, `call` or `outcome`.
    pub same: String,
    /// Likeness from which texts are paired, in hundredths.
    pub threshold: u8,
    /// `actions`, `messages` or `both`.
    pub show: String,
    /// The chosen row of the whole table, from 0; written from 1.
    pub row: Option<u32>,
    /// Equal stretches are not folded.
    pub all: bool,
}

impl Default for Versus {
    fn default() -> Self {
        Self {
            left: Side::default(),
            right: Side::default(),
            same: "call".into(),
            threshold: 30,
            show: "both".into(),
            row: None,
            all: false,
        }
    }
}

impl Versus {
    fn parse<'a>(parts: impl Iterator<Item = &'a str>, query: &str) -> Self {
        let mut out = Self::default();
        let mut sides = parts.map(|part| {
            let (name, run) = part.rsplit_once(':').unwrap_or((part, "1"));
            let run = run.parse::<u32>().ok().and_then(|n| n.checked_sub(1)).unwrap_or(0);
            Side { document: decode(name), run }
        });
        out.left = sides.next().unwrap_or_default();
        out.right = sides.next().unwrap_or_default();
        for pair in query.split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (key, value) {
                ("same", "tool" | "call" | "outcome") => out.same = value.into(),
                ("show", "actions" | "messages" | "both") => out.show = value.into(),
                ("threshold", _) => {
                    if let Some(n) = value.parse::<u8>().ok().filter(|n| (1..=100).contains(n)) {
                        out.threshold = n;
                    }
                }
                ("row", _) => out.row = value.parse::<u32>().ok().and_then(|n| n.checked_sub(1)),
                ("all", _) => out.all = value != "0",
                _ => {}
            }
        }
        out
    }

    fn hash(&self) -> String {
        let side = |side: &Side| format!("/{}:{}", encode(&side.document), u64::from(side.run) + 1);
        let mut out = String::from("#/compare");
        if !self.left.document.is_empty() {
            out.push_str(&side(&self.left));
            if !self.right.document.is_empty() {
                out.push_str(&side(&self.right));
            }
        }
        let usual = Self::default();
        let mut query = Vec::new();
        if self.same != usual.same {
            query.push(format!("same={}", encode(&self.same)));
        }
        if self.threshold != usual.threshold {
            query.push(format!("threshold={}", self.threshold));
        }
        if self.show != usual.show {
            query.push(format!("show={}", encode(&self.show)));
        }
        if let Some(row) = self.row {
            query.push(format!("row={}", u64::from(row) + 1));
        }
        if self.all {
            query.push("all=1".into());
        }
        if !query.is_empty() {
            out.push('?');
            out.push_str(&query.join("&"));
        }
        out
    }
}

/// A place in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The document's name.
    pub document: String,
    /// The run, or the member of a document of skills, from 0; `None` shows the document itself: its only run or
    /// member, or the list of them.
    pub run: Option<u32>,
    pub tab: Tab,
    /// The tab of a document of skills; runs ignore it.
    pub skill: SkillTab,
    /// From 0; written from 1, as it is shown.
    pub step: Option<u32>,
    /// The step's short content name (`notes::Index::short`): `step=12~ab12cd34`. Empty in old links, and where the
    /// number is enough.
    pub named: String,
    /// A line of the source, from 1.
    pub line: Option<u32>,
    /// Which of several indexes, from 0; written from 1.
    pub site: u32,
    pub filter: String,
    /// Every step instead of what matters.
    pub all: bool,
    /// The raw text instead of the reading of it.
    pub raw: bool,
    /// How the runs of a document with many are shown.
    pub runs: RunsView,
}

impl Route {
    /// Reads a hash, with or without its `#`. Anything that is no place is home.
    pub fn parse(hash: &str) -> Self {
        let hash = hash.strip_prefix('#').unwrap_or(hash);
        let (path, query) = hash.split_once('?').unwrap_or((hash, ""));
        if path.trim_matches('/').is_empty()
            && let Some(opening) = Opening::parse(query)
        {
            return Route::Open(opening);
        }
        let mut parts = path.split('/').filter(|p| !p.is_empty());
        match parts.next() {
            Some("formats") => Route::Formats,
            Some("compare") => Route::Compare(Versus::parse(parts, query)),
            Some("runs") => {
                let mut place = RunsPlace::default();
                for pair in query.split('&') {
                    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                    match key {
                        "filter" => place.filter = decode(value),
                        _ => place.view.read(key, value),
                    }
                }
                Route::Runs(place)
            }
            Some("check") => {
                let url = query.split('&').find_map(|pair| pair.strip_prefix("url="));
                Route::Check(url.map(decode).unwrap_or_default())
            }
            Some("d") => {
                let Some(document) = parts.next().map(decode).filter(|d| !d.is_empty()) else { return Route::Home };
                let mut place = Place { document, ..Place::default() };
                for part in parts {
                    match (part.parse::<u32>(), Tab::parse(part), SkillTab::parse(part)) {
                        (Ok(run), ..) => place.run = run.checked_sub(1),
                        (_, Some(tab), _) => place.tab = tab,
                        (.., Some(tab)) => place.skill = tab,
                        _ => {}
                    }
                }
                for pair in query.split('&') {
                    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                    match key {
                        "step" => {
                            let (number, name) = value.split_once('~').unwrap_or((value, ""));
                            place.step = number.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
                            place.named = name.chars().filter(char::is_ascii_hexdigit).take(16).collect();
                        }
                        "line" => place.line = value.parse().ok().filter(|n| *n > 0),
                        "site" => place.site = value.parse::<u32>().ok().and_then(|n| n.checked_sub(1)).unwrap_or(0),
                        "filter" => place.filter = decode(value),
                        "all" => place.all = value != "0",
                        "raw" => place.raw = value != "0",
                        _ => place.runs.read(key, value),
                    }
                }
                Route::Document(place)
            }
            _ => Route::Home,
        }
    }

    /// The hash, with its `#`.
    pub fn hash(&self) -> String {
        match self {
            Route::Home => "#/".into(),
            Route::Formats => "#/formats".into(),
            Route::Compare(versus) => versus.hash(),
            Route::Runs(place) => {
                let mut out = String::from("#/runs");
                let mut add = adder(&mut out);
                if !place.filter.is_empty() {
                    add("filter", &encode(&place.filter));
                }
                place.view.write(&mut add);
                drop(add);
                out
            }
            Route::Open(opening) => opening.hash(),
            Route::Check(url) if url.is_empty() => "#/check".into(),
            Route::Check(url) => format!("#/check?url={}", encode(url)),
            Route::Document(place) => {
                let mut out = format!("#/d/{}", encode(&place.document));
                if let Some(run) = place.run {
                    out.push_str(&format!("/{}", run + 1));
                }
                if place.tab != Tab::Steps {
                    out.push_str(&format!("/{}", place.tab.id()));
                }
                if place.skill != SkillTab::Check {
                    out.push_str(&format!("/{}", place.skill.id()));
                }
                let mut add = adder(&mut out);
                if let Some(step) = place.step {
                    let name = if place.named.is_empty() { String::new() } else { format!("~{}", place.named) };
                    add("step", &format!("{}{name}", u64::from(step) + 1));
                }
                if let Some(line) = place.line {
                    add("line", &line.to_string());
                }
                if place.site > 0 {
                    add("site", &(place.site + 1).to_string());
                }
                if !place.filter.is_empty() {
                    add("filter", &encode(&place.filter));
                }
                if place.all {
                    add("all", "1");
                }
                if place.raw {
                    add("raw", "1");
                }
                place.runs.write(&mut add);
                drop(add);
                out
            }
        }
    }
}

/// Adds pairs to an address.
fn adder(out: &mut String) -> impl FnMut(&str, &str) {
    let mut mark = '?';
    move |key, value| {
        out.push(mark);
        out.push_str(key);
        out.push('=');
        out.push_str(value);
        mark = '&';
    }
}

/// The version of the view's grammar that links carry: [`upgrade`] reads older ones.
pub const VERSION: u32 = 1;

/// A link to data: `#/?url=…&sha256=…&url=…&view=…&v=1`, or with the data in it, `#/?data=…&v=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub sources: Vec<Source>,
    /// Base64 (of addresses) of what `share::container` packs; instead of sources. It says itself where to begin.
    pub data: String,
    /// Where the sender was: the hash of a [`Route`], in the grammar of `version`.
    pub view: String,
    pub version: u32,
}

/// A file somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub url: String,
    /// Of its bytes when the link was made, in hex digits; empty when the link does not say.
    pub sha256: String,
}

impl Default for Opening {
    fn default() -> Self {
        Self { sources: Vec::new(), data: String::new(), view: String::new(), version: VERSION }
    }
}

impl Opening {
    /// `None` when the query names no data.
    fn parse(query: &str) -> Option<Self> {
        // A link without a version is of the first.
        let mut out = Self { version: 1, ..Self::default() };
        for pair in query.split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            match key {
                "url" if !value.is_empty() => out.sources.push(Source { url: decode(value), ..Source::default() }),
                "sha256" => {
                    if let Some(last) = out.sources.last_mut() {
                        last.sha256 = decode(value);
                    }
                }
                "data" => out.data = value.to_owned(),
                "view" => out.view = decode(value),
                "v" => out.version = value.parse().unwrap_or(1),
                _ => {}
            }
        }
        (!out.sources.is_empty() || !out.data.is_empty()).then_some(out)
    }

    fn hash(&self) -> String {
        let mut query = Vec::new();
        for source in &self.sources {
            query.push(format!("url={}", encode(&source.url)));
            if !source.sha256.is_empty() {
                query.push(format!("sha256={}", encode(&source.sha256)));
            }
        }
        if !self.data.is_empty() {
            query.push(format!("data={}", self.data));
        }
        if !self.view.is_empty() {
            query.push(format!("view={}", encode(&self.view)));
        }
        query.push(format!("v={}", self.version));
        format!("#/?{}", query.join("&"))
    }

    /// The data as a page that only carries: the reader of pages reads it (`share::container`).
    pub fn as_page(&self) -> String {
        let data: String = self.data.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
        format!(
            "<!doctype html><html data-skillscope-page=\"1\"><script type=\"application/x-skillscope\" id=\"skillscope-data\">{data}</script>"
        )
    }
}

impl Source {
    /// Who is asked, for people.
    pub fn host(&self) -> String {
        let address = self.raw_address();
        let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        host.rsplit('@').next().unwrap_or_default().to_owned()
    }

    /// Whether this computer itself is asked: browsers let secure pages do that without encryption.
    pub fn is_local(&self) -> bool {
        let host = self.host();
        let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
    }

    /// The name of the file.
    pub fn name(&self) -> String {
        let rest = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        let path = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let last = path.rsplit_once('/').map_or("", |(_, last)| last);
        let name = decode(last);
        if name.is_empty() || name.contains(['/', '\\']) { self.host() } else { name }
    }

    /// Where the bytes are: pages that show a file on code hosts name another address than the file itself.
    pub fn raw_address(&self) -> String {
        let url = self.url.trim();
        if let Some(rest) = url.strip_prefix("https://github.com/") {
            let mut parts = rest.splitn(4, '/');
            if let (Some(owner), Some(name), Some("blob"), Some(path)) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            {
                return format!("https://raw.githubusercontent.com/{owner}/{name}/{path}");
            }
        }
        if url.starts_with("https://huggingface.co/") {
            return url.replacen("/blob/", "/resolve/", 1);
        }
        url.to_owned()
    }
}

/// A view of an older link in today's grammar, and whether the link is of a later one than this page knows. Each change
/// of the grammar that old links would notice adds a step here.
pub fn upgrade(view: &str, version: u32) -> (String, bool) {
    const STEPS: [fn(String) -> String; 0] = [];
    let mut view = view.to_owned();
    for step in STEPS.iter().skip((version.max(1) - 1) as usize) {
        view = step(view);
    }
    (view, version > VERSION)
}

fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = |b: Option<&u8>| b.and_then(|b| (*b as char).to_digit(16));
        match (byte, hex(tail.first()), hex(tail.get(1))) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_survives_the_address_bar() {
        let place = |f: fn(&mut Place)| {
            let mut p = Place { document: "a b/c#?&%.jsonl".into(), ..Place::default() };
            f(&mut p);
            Route::Document(p)
        };
        for route in [
            Route::Home,
            Route::Formats,
            place(|_| {}),
            place(|p| p.run = Some(0)),
            place(|p| p.tab = Tab::Loops),
            place(|p| p.tab = Tab::Usage),
            place(|p| p.tab = Tab::Measures),
            place(|p| p.step = Some(241)),
            place(|p| {
                p.step = Some(11);
                p.named = "ab12cd34".into();
            }),
            place(|p| p.skill = SkillTab::Conformance),
            place(|p| {
                p.run = Some(11);
                p.line = Some(47);
            }),
            place(|p| {
                p.skill = SkillTab::Index;
                p.site = 1;
                p.filter = "capability:api".into();
            }),
            place(|p| {
                p.run = Some(3);
                p.skill = SkillTab::AllFindings;
            }),
            Route::Compare(Versus::default()),
            Route::Compare(Versus {
                left: Side { document: "a:b/c d.json".into(), run: 0 },
                right: Side { document: "12".into(), run: 199 },
                ..Versus::default()
            }),
            Route::Compare(Versus {
                left: Side { document: "a.json".into(), run: 2 },
                same: "outcome".into(),
                threshold: 65,
                show: "actions".into(),
                row: Some(0),
                all: true,
                ..Versus::default()
            }),
            Route::Runs(RunsPlace::default()),
            Route::Runs(RunsPlace {
                filter: "calls>10 has:error".into(),
                view: RunsView {
                    tab: RunsTab::Consensus,
                    sort: "cost".into(),
                    turned: true,
                    group: "task".into(),
                    key: Some("a b&c".into()),
                },
            }),
            place(|p| p.runs = RunsView { group: "none".into(), key: Some(String::new()), ..RunsView::default() }),
            Route::Check(String::new()),
            Route::Check("https://a.example/?x=1&y=#2".into()),
            place(|p| p.filter = "tool:Bash 錯誤 & more".into()),
            place(|p| {
                p.run = Some(199);
                p.tab = Tab::Findings;
                p.step = Some(0);
                p.all = true;
                p.raw = true;
            }),
        ] {
            assert_eq!(Route::parse(&route.hash()), route, "{}", route.hash());
        }
    }

    #[test]
    fn nonsense_is_home() {
        for hash in ["", "#", "#/nowhere", "#/d", "#/d/", "garbage", "#/%zz"] {
            assert_eq!(Route::parse(hash), Route::Home, "{hash}");
        }
        let odd = Route::parse("#/compare/x:0/y:zz?same=none&threshold=0&threshold=300&show=&row=0");
        let side = |name: &str| Side { document: name.into(), run: 0 };
        assert_eq!(odd, Route::Compare(Versus { left: side("x"), right: side("y"), ..Versus::default() }));
        let Route::Document(place) = Route::parse("#/d/x/0/bogus?step=0&step=zz&filter") else { panic!("no document") };
        assert_eq!((place.run, place.step, place.tab), (None, None, Tab::Steps));
    }

    #[test]
    fn links_to_data() {
        let source = |url: &str, sha256: &str| Source { url: url.into(), sha256: sha256.into() };
        let opening = Opening {
            sources: vec![source("https://x.org/a b.json?k=1&l=2#3", "ab12"), source("https://y.org/b", "")],
            view: Route::Document(Place { document: "a b.json".into(), step: Some(3), ..Place::default() }).hash(),
            ..Opening::default()
        };
        let route = Route::Open(opening);
        assert_eq!(Route::parse(&route.hash()), route);
        let data = Route::Open(Opening { data: "H4sI-_x".into(), ..Opening::default() });
        assert_eq!((data.hash().as_str(), Route::parse(&data.hash())), ("#/?data=H4sI-_x&v=1", data));
        assert_eq!(Route::parse("#/?url="), Route::Home);
        assert_eq!(Route::parse("#?url=https%3A%2F%2Fx.org%2Fa").hash(), "#/?url=https%3A%2F%2Fx.org%2Fa&v=1");
        assert_eq!(upgrade("#/d/a", 1), ("#/d/a".into(), false));
        assert_eq!(upgrade("#/d/a", 9), ("#/d/a".into(), true));
    }

    #[test]
    fn what_a_source_is() {
        let check = |url: &str, host: &str, name: &str, raw: &str| {
            let source = Source { url: url.into(), ..Source::default() };
            assert_eq!(
                (source.host().as_str(), source.name().as_str(), source.raw_address().as_str()),
                (host, name, raw)
            );
        };
        check("https://x.org/a/b%20c.json?t=1", "x.org", "b c.json", "https://x.org/a/b%20c.json?t=1");
        check("https://x.org", "x.org", "x.org", "https://x.org");
        check("http://u:p@127.0.0.1:80/", "127.0.0.1:80", "127.0.0.1:80", "http://u:p@127.0.0.1:80/");
        check(
            "https://github.com/o/r/blob/main/d/a.json",
            "raw.githubusercontent.com",
            "a.json",
            "https://raw.githubusercontent.com/o/r/main/d/a.json",
        );
        check("nonsense", "nonsense", "nonsense", "nonsense");
    }
}
