//! What the checks of a provider say: its index, its links, leaks, publishing, and fetching by address.
//!
//! `provider.<reason>` says what is wrong, `skill.remedy.<reason>` what to do; `unmade.<id>` says why a check was skipped
//! or not run; `property.<n>` names a property of chapter 12, `property.<n>.checked` what is checked for it.

/// The id of the sentence for a reason; the reason itself, which shows as it is, when there is none.
pub fn id_of(reason: &'static str) -> &'static str {
    TABLE.iter().map(|(id, ..)| *id).find(|id| id.strip_prefix("provider.") == Some(reason)).unwrap_or(reason)
}

/// The sentences: id, English, Chinese in traditional script.
pub const TABLE: &[(&str, &str, &str)] = &[
    // Identifiers
    (
        "provider.duplicate_id",
        "\"id\" is \"{value}\", already used at {pointer}",
        "「id」為「{value}」，已用於 {pointer}",
    ),
    (
        "provider.near_id",
        "\"id\" is \"{value}\", which some readers take for \"{other}\" at {pointer}",
        "「id」為「{value}」，有些程式會把它當成 {pointer} 的「{other}」",
    ),
    (
        "skill.remedy.near_id",
        "Give one of them an id that differs in more than case, percent encoding or slashes",
        "請讓兩者的識別碼不只在大小寫、百分比編碼或斜線上有所不同",
    ),
    (
        "provider.descriptor_id_twice",
        "This entry and {pointer} have different ids, but both descriptors say \"{value}\"",
        "此條目與 {pointer} 的識別碼不同，但兩份描述符都寫著「{value}」",
    ),
    (
        "skill.remedy.descriptor_id_twice",
        "Let each entry lead to a descriptor of its own, with the entry's id in it",
        "讓每個條目指向各自的描述符，且其中的識別碼與條目相同",
    ),
    ("provider.page_again", "\"next\" leads back to a page before it: {url}", "「next」指回先前的頁面：{url}"),
    ("skill.remedy.page_again", "Leave \"next\" out on the last page", "最後一頁請省略「next」"),
    // The index and what is listed
    (
        "provider.private_listed",
        "skill \"{id}\" has access \"private\" and must not be in an index served without authentication",
        "技能「{id}」的 access 為「private」，不得出現在未經認證即可取得的索引中",
    ),
    (
        "provider.private_descriptor_listed",
        "skill \"{id}\" is listed as \"{value}\", but its descriptor says \"private\"",
        "技能「{id}」列為「{value}」，但其描述符寫著「private」",
    ),
    (
        "skill.remedy.private_descriptor_listed",
        "Take the entry out and stop serving the descriptor, or make the skill public or restricted in both",
        "移除此條目並停止提供該描述符，或在兩處都改為 public 或 restricted",
    ),
    (
        "provider.private_in_full_set",
        "skill \"{id}\" is listed as \"{value}\", but it is private in the full set",
        "技能「{id}」列為「{value}」，但在完整集合中為 private",
    ),
    (
        "skill.remedy.private_in_full_set",
        "Publish again from the full set: what is served is out of step with it",
        "請由完整集合重新發布：目前提供的內容與其不一致",
    ),
    (
        "provider.not_listed",
        "skill \"{id}\" ({value}, in {file}) is not in the index",
        "技能「{id}」（{value}，位於 {file}）不在索引中",
    ),
    (
        "skill.remedy.not_listed",
        "Add an entry for it: every skill that is not private has to be listed",
        "請為它加入條目：凡非 private 的技能都必須列出",
    ),
    (
        "provider.private_served",
        "The descriptor of the private skill \"{id}\" can be fetched by anyone, though no entry leads to it",
        "私有技能「{id}」的描述符任何人都可取得，儘管沒有條目指向它",
    ),
    (
        "skill.remedy.private_served",
        "Remove the file from the served folder, and let its address answer 404",
        "從提供的資料夾移除此檔案，並讓其位址回應 404",
    ),
    // Links
    ("provider.url_reference", "\"{url}\" is no address that RFC 3986 allows", "「{url}」不是 RFC 3986 允許的位址"),
    (
        "skill.remedy.url_reference",
        "Percent-encode spaces and letters outside ASCII",
        "請將空白與非 ASCII 字元以百分比編碼",
    ),
    (
        "provider.url_scheme",
        "\"{url}\" begins with {detail}, which is not fetched",
        "「{url}」以 {detail} 開頭，不會被擷取",
    ),
    (
        "skill.remedy.url_scheme",
        "Use an https address, or one relative to the index",
        "請使用 https 位址，或相對於索引的位址",
    ),
    ("provider.url_host", "\"{url}\" names no host", "「{url}」沒有主機名稱"),
    (
        "skill.remedy.url_host",
        "Write the domain, for example skills.example.com",
        "請寫出網域，例如 skills.example.com",
    ),
    ("provider.url_ascii", "\"{url}\" has letters outside ASCII", "「{url}」含有非 ASCII 字元"),
    (
        "skill.remedy.url_ascii",
        "Type the domain as it is sent, for example xn--fsq.example",
        "請輸入實際傳送的網域形式，例如 xn--fsq.example",
    ),
    (
        "provider.url_userinfo",
        "The address of {detail} carries a user name or a password",
        "{detail} 的位址帶有使用者名稱或密碼",
    ),
    (
        "skill.remedy.url_userinfo",
        "Take out what stands before the @, and change the password: it was readable by anyone",
        "移除 @ 之前的內容，並更換密碼：任何人都曾能讀到它",
    ),
    (
        "provider.url_fragment",
        "\"{url}\" has a fragment ({detail}), which no server sees",
        "「{url}」帶有片段（{detail}），伺服器看不到它",
    ),
    ("skill.remedy.url_fragment", "Give each descriptor an address of its own", "請給每份描述符各自的位址"),
    (
        "provider.url_loopback",
        "\"{url}\" leads to the reader's own machine ({detail})",
        "「{url}」指向讀取者自己的電腦（{detail}）",
    ),
    (
        "skill.remedy.url_loopback",
        "Use the public address. Addresses of this machine are only followed when the page itself is served from it",
        "請使用公開位址。只有在本頁也由這台電腦提供時，才會擷取這台電腦的位址",
    ),
    (
        "provider.url_private_address",
        "\"{url}\" leads into a private network ({detail})",
        "「{url}」指向私有網路（{detail}）",
    ),
    (
        "skill.remedy.url_private_address",
        "Use an address that every caller can reach",
        "請使用所有呼叫者都能連上的位址",
    ),
    ("provider.url_http", "\"{url}\" is not encrypted", "「{url}」未加密"),
    ("skill.remedy.url_http", "Use https", "請使用 https"),
    ("provider.url_other_origin", "\"{url}\" is on another site, {detail}", "「{url}」位於另一個網站 {detail}"),
    (
        "skill.remedy.url_other_origin",
        "Allowed. Whoever runs that site can change the descriptor",
        "這是允許的。但該網站的管理者能更改描述符",
    ),
    ("provider.url_index", "\"{url}\" is the index itself", "「{url}」就是索引本身"),
    ("skill.remedy.url_index", "Let it lead to the descriptor of this skill", "請指向此技能的描述符"),
    ("provider.not_in_folder", "Nothing is at \"{url}\" ({detail})", "「{url}」沒有任何內容（{detail}）"),
    (
        "skill.remedy.not_in_folder",
        "Add the file to what is served, or correct the address",
        "請把檔案加入提供的內容，或更正位址",
    ),
    ("provider.status_404", "\"{url}\" answers {detail}: nothing is there", "「{url}」回應 {detail}：沒有這個檔案"),
    (
        "skill.remedy.status_404",
        "Put the file there. Some hosts drop folders that begin with a dot: add an empty file .nojekyll on GitHub Pages",
        "請把檔案放上去。有些主機會略過以點開頭的資料夾：在 GitHub Pages 請加入空檔案 .nojekyll",
    ),
    ("provider.status_401", "\"{url}\" answers {detail}: it asks for a sign-in", "「{url}」回應 {detail}：需要登入"),
    (
        "skill.remedy.status_401",
        "The index and public descriptors must be readable by anyone",
        "索引與公開的描述符必須任何人都能讀取",
    ),
    ("provider.status_5xx", "\"{url}\" answers {detail}: the server failed", "「{url}」回應 {detail}：伺服器發生錯誤"),
    ("skill.remedy.status_5xx", "Look at the server's log, then check again", "請查看伺服器紀錄，然後重新檢查"),
    ("provider.status_other", "\"{url}\" answers {detail} instead of 200", "「{url}」回應 {detail} 而不是 200"),
    ("skill.remedy.status_other", "Answer GET with 200 and the document", "請以 200 與文件內容回應 GET"),
    (
        "provider.html_instead",
        "\"{url}\" gives a web page, not JSON: a login page, or an app that answers every address",
        "「{url}」給的是網頁而不是 JSON：可能是登入頁，或對任何位址都回應的應用程式",
    ),
    (
        "skill.remedy.html_instead",
        "Serve the file itself at this address, without a sign-in",
        "請在此位址直接提供檔案，且不需登入",
    ),
    ("provider.empty_body", "\"{url}\" gives an empty answer", "「{url}」的回應是空的"),
    ("skill.remedy.empty_body", "Serve the document at this address", "請在此位址提供文件"),
    ("provider.not_json", "What \"{url}\" gives is not JSON", "「{url}」給的內容不是 JSON"),
    (
        "skill.remedy.not_json",
        "Open the document by itself: its own findings say where it breaks",
        "請單獨開啟該文件：其檢查結果會指出問題位置",
    ),
    (
        "provider.is_an_index",
        "\"{url}\" gives an index where a descriptor is expected",
        "「{url}」給的是索引，但此處應為描述符",
    ),
    ("skill.remedy.is_an_index", "Let it lead to the descriptor of this skill", "請指向此技能的描述符"),
    ("provider.other_document", "What \"{url}\" gives is another kind of document", "「{url}」給的是另一種文件"),
    ("skill.remedy.other_document", "Serve the expected document at this address", "請在此位址提供應有的文件"),
    (
        "provider.redirect_refused",
        "\"{url}\" was redirected to where no link may lead ({detail})",
        "「{url}」被重新導向至不允許的位址（{detail}）",
    ),
    ("skill.remedy.redirect_refused", "Redirect to a public https address only", "請只重新導向至公開的 https 位址"),
    (
        "provider.descriptor_invalid",
        "The descriptor at \"{url}\" is not valid: {n} {n|error|errors}, the first at {pointer} of {file}",
        "「{url}」的描述符無效：{n} 個錯誤，第一個位於 {file} 的 {pointer}",
    ),
    (
        "skill.remedy.descriptor_invalid",
        "Correct the descriptor; its own findings say how",
        "請修正該描述符；其檢查結果會說明如何修正",
    ),
    (
        "provider.entry_differs",
        "The entry says \"{value}\", its descriptor {file} says \"{actual}\"",
        "條目寫著「{value}」，其描述符 {file} 寫著「{actual}」",
    ),
    (
        "skill.remedy.entry_differs",
        "Make both say the same: callers choose by the entry and act by the descriptor",
        "請讓兩者一致：呼叫者依條目選擇，依描述符行動",
    ),
    (
        "provider.digest",
        "The digest is {value}, the descriptor's bytes have {actual}",
        "摘要為 {value}，描述符的位元組為 {actual}",
    ),
    (
        "skill.remedy.digest",
        "Compute it again over the bytes as served, or remove it",
        "請依實際提供的位元組重新計算，或移除它",
    ),
    ("provider.content_type", "\"{url}\" is served as {value}", "「{url}」以 {value} 提供"),
    ("skill.remedy.content_type", "Serve it as application/json", "請以 application/json 提供"),
    ("provider.redirected", "The index was redirected from {url} to {detail}", "索引由 {url} 重新導向至 {detail}"),
    (
        "skill.remedy.redirected",
        "Fine for browsers. Callers that do not follow redirects see nothing: serve it at the first address",
        "瀏覽器可以處理。但不跟隨重新導向的呼叫者看不到任何內容：請在原位址提供",
    ),
    (
        "provider.confirms_private",
        "The address of the private skill \"{id}\" answers {detail}, which tells that it exists",
        "私有技能「{id}」的位址回應 {detail}，這透露了它的存在",
    ),
    ("skill.remedy.confirms_private", "Answer 404", "請回應 404"),
    // Leaks
    ("provider.leak_id", "The private skill \"{id}\" is named here", "此處提到私有技能「{id}」"),
    (
        "skill.remedy.leak_id",
        "Take it out, wherever it stands: links, x- fields, descriptions and tags are read by anyone",
        "無論位於何處都請移除：連結、x- 欄位、描述與標籤任何人都能讀取",
    ),
    (
        "provider.leak_escaped",
        "The private skill \"{id}\" is named here in an escaped form",
        "此處以跳脫形式提到私有技能「{id}」",
    ),
    (
        "skill.remedy.leak_escaped",
        "Take it out: escapes hide nothing from a program",
        "請移除：跳脫字元對程式毫無隱藏作用",
    ),
    (
        "provider.leak_base64",
        "The private skill \"{id}\" is named here in base64",
        "此處以 base64 提到私有技能「{id}」",
    ),
    ("skill.remedy.leak_base64", "Take it out: base64 hides nothing", "請移除：base64 沒有任何隱藏作用"),
    (
        "provider.leak_name",
        "The name of the private skill \"{id}\" stands here: \"{value}\"",
        "此處出現私有技能「{id}」的名稱：「{value}」",
    ),
    ("skill.remedy.leak_name", "Take it out, or make the skill public", "請移除，或將該技能改為公開"),
    (
        "provider.leak_url",
        "An address of the private skill \"{id}\" stands here: {value}",
        "此處出現私有技能「{id}」的位址：{value}",
    ),
    (
        "skill.remedy.leak_url",
        "Take it out, or give the public skill an endpoint of its own",
        "請移除，或為公開的技能設定各自的端點",
    ),
    (
        "provider.leak_in_path",
        "The path of {file} names the private skill \"{id}\"",
        "{file} 的路徑提到私有技能「{id}」",
    ),
    ("skill.remedy.leak_in_path", "Rename or remove the file", "請重新命名或移除該檔案"),
    (
        "provider.leak_in_header",
        "A header of {file} names the private skill \"{id}\"",
        "{file} 的標頭提到私有技能「{id}」",
    ),
    ("skill.remedy.leak_in_header", "Take it out of the header", "請自標頭移除"),
    // Filter
    (
        "provider.filter_foreign",
        "Filtered by \"{value}\", an item of another type came through",
        "以「{value}」篩選，卻出現其他類型的項目",
    ),
    ("skill.remedy.filter_foreign", "This is a fault of the filter: report it", "這是篩選器的錯誤：請回報"),
    ("provider.filter_missing", "Filtered by \"{value}\", this item is missing", "以「{value}」篩選，卻缺少此項目"),
    ("skill.remedy.filter_missing", "This is a fault of the filter: report it", "這是篩選器的錯誤：請回報"),
    (
        "provider.unknown_capability",
        "\"capability_type\" cannot be filtered by \"{value}\"; it must be one of {allowed}",
        "無法以「{value}」篩選「capability_type」；必須是 {allowed} 之一",
    ),
    ("provider.round_trip", "Written out and read again, the document is another one", "寫出後再讀取，文件變得不同"),
    ("skill.remedy.round_trip", "This is a fault of the serialiser: report it", "這是序列化程式的錯誤：請回報"),
    // Publishing
    ("provider.publish_invalid", "{file} is not valid and cannot be published", "{file} 無效，無法發布"),
    ("skill.remedy.publish_invalid", "Correct it first, or take it out of the set", "請先修正，或將它移出集合"),
    ("provider.publish_twice", "{file} has the id \"{id}\" of another file", "{file} 的識別碼「{id}」與另一個檔案相同"),
    ("skill.remedy.publish_twice", "Keep one of them", "請只保留其中一份"),
    ("provider.publish_nothing", "There is no descriptor to publish", "沒有可發布的描述符"),
    ("skill.remedy.publish_nothing", "Add the provider's descriptors", "請加入提供者的描述符"),
    // Fetching
    (
        "provider.fetch_network",
        "Nothing came from {url}. Either no server answers there, or it does not allow other sites to read it (CORS): a browser does not tell which",
        "{url} 沒有回應。可能沒有伺服器，也可能該伺服器不允許其他網站讀取（CORS）：瀏覽器不會說明是哪一種",
    ),
    (
        "skill.remedy.fetch_network",
        "Open the address in a tab of its own. If it opens there, let the server send Access-Control-Allow-Origin: *; or drop the files here instead",
        "請在新分頁開啟該位址。若能開啟，請讓伺服器傳送 Access-Control-Allow-Origin: *；或改為把檔案拖到這裡",
    ),
    ("provider.fetch_timeout", "{url} did not answer within {detail} seconds", "{url} 在 {detail} 秒內沒有回應"),
    ("skill.remedy.fetch_timeout", "Check again, or drop the files here instead", "請重新檢查，或改為把檔案拖到這裡"),
    (
        "provider.fetch_too_large",
        "{url} is larger than {detail} MB and was not read further",
        "{url} 超過 {detail} MB，未繼續讀取",
    ),
    ("skill.remedy.fetch_too_large", "Serve the index in pages by \"next\"", "請以「next」將索引分頁提供"),
    (
        "provider.fetch_total",
        "{url} was not asked for: {detail} MB were read already",
        "未擷取 {url}：已讀取 {detail} MB",
    ),
    ("skill.remedy.fetch_total", "Drop the files here instead", "請改為把檔案拖到這裡"),
    (
        "provider.fetch_mixed",
        "{url} is not encrypted, and a page that is may not read it",
        "{url} 未加密，而本頁已加密，不得讀取它",
    ),
    (
        "skill.remedy.fetch_mixed",
        "Serve it by https; or run Skillscope on this machine, or drop the files here",
        "請以 https 提供；或在這台電腦執行 Skillscope，或把檔案拖到這裡",
    ),
    (
        "provider.below_root",
        "The index is looked for below a path, {url}; other callers look at the root of the domain",
        "索引在路徑 {url} 之下尋找；其他呼叫者會在網域根目錄尋找",
    ),
    ("skill.remedy.below_root", "Serve it at the root of its domain too", "請同時在網域根目錄提供"),
    // Why a check was not made
    ("unmade.no-full-set", "nothing says what the provider's full set is", "沒有資料說明提供者的完整集合"),
    ("unmade.not-here", "the descriptor is not among the files", "描述符不在檔案之中"),
    ("unmade.not-fetched", "it was not fetched", "未擷取"),
    ("unmade.too-many-pages", "there are more pages than are followed", "頁數超過跟隨的上限"),
    ("unmade.no-index", "there is no index to check", "沒有可檢查的索引"),
    ("unmade.link-refused", "the link is refused", "連結被拒絕"),
    ("unmade.link-broken", "the link leads to no descriptor", "連結未指向描述符"),
    (
        "unmade.needs-permission",
        "the descriptor needs a permission, and no credentials are sent",
        "描述符需要權限，而檢查不會傳送憑證",
    ),
    ("unmade.too-much", "there is too much to search", "搜尋量過大"),
    ("unmade.not-readable", "the document is not readable JSON", "文件不是可讀取的 JSON"),
    ("unmade.newer-major", "the document is of a newer MAJOR version", "文件屬於較新的主版本"),
    ("unmade.no-descriptor", "the descriptor of the skill is not among the files", "該技能的描述符不在檔案之中"),
    ("unmade.no-subject", "nothing of this kind is among the documents", "文件中沒有此類內容"),
    (
        "unmade.library",
        "it is about the types of the library, not about documents: make package runs it",
        "這是關於函式庫的型別，而非文件：由 make package 執行",
    ),
    // Properties of chapter 12
    ("property.1", "Structure of a descriptor", "描述符的結構"),
    ("property.2", "Values of enumerations", "列舉值"),
    ("property.3", "Round trip of serialising", "序列化往返"),
    ("property.4", "Schema validation", "Schema 驗證"),
    ("property.5", "Unique identifiers", "識別碼唯一"),
    ("property.6", "Index and access", "索引與存取"),
    ("property.7", "Filter by capability", "能力類型篩選"),
    ("property.8", "Messages of a call", "呼叫訊息"),
    ("property.9", "Protocol version", "協定版本"),
    ("property.10", "Version too new", "版本不相容"),
    ("property.11", "Types and schema agree", "型別與 Schema 一致"),
    (
        "property.1.checked",
        "12 required fields, and those each auth type asks for",
        "12 個必要欄位，以及各 auth 類型所需的欄位",
    ),
    ("property.2.checked", "capability_type, access, auth.type", "capability_type、access、auth.type"),
    ("property.3.checked", "parse(serialize(d)) = d for each document", "每份文件的 parse(serialize(d)) = d"),
    ("property.4.checked", "each fault with pointer, field, reason and line", "每個錯誤都有指標、欄位、原因與行號"),
    ("property.5.checked", "no id twice over all pages of an index", "索引的所有頁面中沒有重複的識別碼"),
    (
        "property.6.checked",
        "all public and restricted, no private, each descriptor_url opens",
        "列出所有 public 與 restricted，沒有 private，每個 descriptor_url 都能開啟",
    ),
    ("property.7.checked", "filtered set equals the matching ones, for 4 types", "4 種類型的篩選結果都等於符合者"),
    ("property.8.checked", "InvocationRequest and InvocationResponse", "InvocationRequest 與 InvocationResponse"),
    ("property.9.checked", "MAJOR.MINOR.PATCH, each a whole number", "MAJOR.MINOR.PATCH，各為非負整數"),
    ("property.10.checked", "consumer's version against the document's", "消費者的版本與文件的版本比較"),
    ("property.11.checked", "needs the TypeScript compiler: make package", "需要 TypeScript 編譯器：make package"),
];
