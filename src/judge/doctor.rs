//! Why an endpoint does not answer: tells apart what a browser reports in one word, and says what to paste where.
//!
//! A browser gives one error for "nothing listens", "the server does not let this page read it" and "the user did not
//! allow it"; only a second request whose answer nobody may read tells them apart. The examination is a state machine
//! like [`super::session`]: it says which request is next, and whoever makes requests reports what came.
//! Sources: the servers' documentation of their settings for other origins, 2026-10; Chrome's local network access.

use super::provider::{self, BadBase, Dialect, Endpoint, Failure, Http, Kind, Rung};
use super::session::Got;

/// What the page knows before it asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Where the page is from, for example `https://example.org`.
    pub origin: String,
    /// The browser's answer about its local network: `granted`, `denied`, `prompt`; empty when it does not know the word.
    pub permission: String,
    /// The network switch is off.
    pub off: bool,
}

/// A request of the examination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub http: Http,
    /// Sent so that the browser lets it pass without the server's consent, and gives nothing back: it only shows whether
    /// somebody is there. Carries no key.
    pub opaque: bool,
}

/// What is the matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// Its sentence is `judge.doctor.<word>`, what to do `judge.doctor.<word>.fix`.
    pub id: String,
    pub args: Vec<(String, String)>,
    /// Lines to paste, each with the server that it is for.
    pub paste: Vec<(String, String)>,
    /// The server's own words.
    pub detail: String,
    pub models: Vec<String>,
    pub rung: Option<Rung>,
    /// It works.
    pub good: bool,
}

enum Stage {
    Models,
    Opaque { after_answer: bool },
    Chat,
    Done,
}

/// An examination.
pub struct Doctor {
    endpoint: Endpoint,
    around: Around,
    stage: Stage,
    dialect: Dialect,
    models: Vec<String>,
    found: Option<Diagnosis>,
}

/// The diagnosis of an address that is none.
pub fn bad_base(why: BadBase) -> Diagnosis {
    Diagnosis { id: format!("url-{}", why.id()), ..Diagnosis::default() }
}

impl Doctor {
    pub fn new(endpoint: Endpoint, around: Around) -> Self {
        let mut out = Self {
            endpoint,
            around,
            stage: Stage::Models,
            dialect: Dialect::default(),
            models: Vec::new(),
            found: None,
        };
        let secure = out.around.origin.starts_with("https://");
        if out.around.off {
            out.found = Some(out.says("off"));
        } else if secure && !out.endpoint.is_https() && !out.endpoint.is_loopback() {
            out.found = Some(out.says("mixed"));
        } else if out.around.permission == "denied" && out.endpoint.is_local() {
            out.found = Some(out.permission());
        }
        out
    }

    pub fn api(&self) -> provider::Api {
        self.endpoint.api
    }

    /// The next request; `None` when the diagnosis is there.
    pub fn next(&self) -> Option<Probe> {
        if self.found.is_some() {
            return None;
        }
        let models = || provider::models_request(&self.endpoint);
        match self.stage {
            Stage::Models => Some(Probe { http: models(), opaque: false }),
            Stage::Opaque { .. } => Some(Probe { http: Http { headers: Vec::new(), ..models() }, opaque: true }),
            Stage::Chat => Some(Probe { http: provider::probe(&self.endpoint, self.dialect), opaque: false }),
            Stage::Done => None,
        }
    }

    /// The diagnosis, once there is one.
    pub fn found(&self) -> Option<&Diagnosis> {
        self.found.as_ref()
    }

    /// Takes what came of the request of [`Doctor::next`].
    pub fn answered(&mut self, got: Got) {
        match self.stage {
            Stage::Models => self.models_answered(got),
            Stage::Opaque { after_answer } => {
                // The browser lets the request pass, so somebody is there who does not let this page read.
                let there = matches!(got, Got::Answer { .. });
                self.found = Some(match (there, after_answer) {
                    (true, false) => self.cors("cors"),
                    (true, true) | (false, true) => self.cors("cors-post"),
                    (false, false) if self.asks_permission() => self.permission(),
                    (false, false) => self.says("down"),
                });
            }
            Stage::Chat => self.chat_answered(got),
            Stage::Done => {}
        }
        if self.found.is_some() {
            self.stage = Stage::Done;
        }
    }

    fn models_answered(&mut self, got: Got) {
        match got {
            Got::Answer { status, body, .. } if (200..300).contains(&status) => {
                // Not every server has a list; the question itself then tells.
                self.models = provider::models(self.endpoint.api, &body).unwrap_or_default();
                self.after_models();
            }
            Got::Answer { status, body, .. } => {
                let failure = match provider::read(self.endpoint.api, status, &body) {
                    Err(failure) => failure,
                    Ok(_) => return self.after_models(),
                };
                match failure.kind {
                    Kind::BadKey | Kind::Forbidden | Kind::Origin | Kind::Quota => self.failed(failure),
                    _ => self.after_models(),
                }
            }
            Got::Network => self.stage = Stage::Opaque { after_answer: false },
            other => self.no_answer(&other),
        }
    }

    fn after_models(&mut self) {
        let model = &self.endpoint.model;
        if model.is_empty() {
            let id = if self.models.is_empty() { "no-model-given" } else { "choose-model" };
            self.found = Some(self.says(id));
        } else {
            // A list may leave out what is there, so the model itself is asked.
            self.stage = Stage::Chat;
        }
    }

    fn chat_answered(&mut self, got: Got) {
        let (status, body) = match got {
            Got::Answer { status, body, .. } => (status, body),
            // The list came and the question did not: the server does not agree to the question's headers.
            Got::Network => {
                self.stage = Stage::Opaque { after_answer: true };
                return;
            }
            other => return self.no_answer(&other),
        };
        match provider::read(self.endpoint.api, status, &body) {
            Ok(reply) => {
                let fits = super::answer::last_object(&reply.text).is_some();
                let id = match (self.dialect.rung, fits) {
                    (_, false) => "no-json",
                    (Rung::Schema, true) => "fine",
                    (Rung::Text, true) => "fine-text",
                    (_, true) => "fine-object",
                };
                let mut found = self.says(id);
                found.good = fits;
                found.rung = Some(self.dialect.rung);
                self.found = Some(found);
            }
            // A model that thinks long has no room here to answer; it is there all the same.
            Err(failure) if matches!(failure.kind, Kind::Cut | Kind::Empty) => {
                let mut found = self.says("fine-cut");
                (found.good, found.rung) = (true, Some(self.dialect.rung));
                self.found = Some(found);
            }
            Err(failure) => match self.dialect.after(self.endpoint.api, &failure) {
                Some(dialect) => self.dialect = dialect,
                None => self.failed(failure),
            },
        }
    }

    fn no_answer(&mut self, got: &Got) {
        let id = match got {
            Got::Timeout => "timeout",
            Got::Stopped => "stopped",
            Got::Off => "off",
            _ => "too-big",
        };
        self.found = Some(self.says(id));
    }

    fn failed(&mut self, failure: Failure) {
        if failure.kind == Kind::Origin {
            self.found = Some(Diagnosis { detail: failure.detail, ..self.cors("origin") });
            return;
        }
        let mut found = self.says(&format!("failure-{}", failure.kind.id()));
        found.args.push(("status".into(), failure.status.map(|s| s.to_string()).unwrap_or_default()));
        found.detail = failure.detail;
        if failure.kind == Kind::NoModel && self.endpoint.is_local() && self.server() == "Ollama" {
            found.paste.push(("Ollama".into(), format!("ollama pull {}", self.endpoint.model)));
        }
        self.found = Some(found);
    }

    fn asks_permission(&self) -> bool {
        self.endpoint.is_local()
            && self.around.origin.starts_with("https://")
            && matches!(self.around.permission.as_str(), "prompt" | "denied")
    }

    fn permission(&self) -> Diagnosis {
        let mut out = self.says("permission");
        let site = format!("chrome://settings/content/siteDetails?site={}", self.around.origin);
        out.paste.push(("Chrome".into(), site));
        out
    }

    fn says(&self, id: &str) -> Diagnosis {
        let arg = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        Diagnosis {
            id: id.to_owned(),
            args: vec![
                arg("host", self.endpoint.host()),
                arg("model", &self.endpoint.model),
                arg("origin", &self.around.origin),
                arg("n", &self.models.len().to_string()),
            ],
            models: self.models.clone(),
            ..Diagnosis::default()
        }
    }

    /// The server's name, where interface or port tell it.
    fn server(&self) -> &'static str {
        let port = self.endpoint.host().rsplit(':').next().unwrap_or_default();
        match (self.endpoint.api, port) {
            (provider::Api::Ollama, _) | (_, "11434") => "Ollama",
            (_, "1234") => "LM Studio",
            (_, "8000") => "vLLM",
            (_, "8080") => "llama.cpp",
            _ => "",
        }
    }

    /// The lines that let this page read a server's answers.
    fn cors(&self, id: &str) -> Diagnosis {
        let origin = &self.around.origin;
        let model = if self.endpoint.model.is_empty() { "MODEL" } else { &self.endpoint.model };
        let all = [
            ("Ollama", format!("OLLAMA_ORIGINS={origin} ollama serve")),
            ("LM Studio", "lms server start --cors".to_owned()),
            ("vLLM", format!("vllm serve {model} --allowed-origins '[\"{origin}\"]'")),
            ("llama.cpp", format!("llama-server -m {model}.gguf --cors-origins {origin}")),
        ];
        let mut out = self.says(id);
        let known = self.server();
        let fits = |name: &str| if known.is_empty() { self.endpoint.is_local() } else { name == known };
        out.paste = all.into_iter().filter(|(name, _)| fits(name)).map(|(n, line)| (n.to_owned(), line)).collect();
        if out.paste.is_empty() {
            out.id.push_str("-public");
        }
        out
    }
}

/// Every word that a diagnosis can have; each has its sentence.
pub fn ids() -> Vec<String> {
    let bases =
        [BadBase::Empty, BadBase::Scheme, BadBase::NoHost, BadBase::Credentials, BadBase::Query, BadBase::Letters];
    let plain = [
        "off",
        "mixed",
        "permission",
        "down",
        "cors",
        "cors-public",
        "cors-post",
        "cors-post-public",
        "origin",
        "origin-public",
        "timeout",
        "stopped",
        "too-big",
        "no-model-given",
        "choose-model",
        "fine",
        "fine-object",
        "fine-text",
        "fine-cut",
        "no-json",
    ];
    let failures = Kind::ALL.iter().map(|k| format!("failure-{}", k.id()));
    bases
        .iter()
        .map(|b| format!("url-{}", b.id()))
        .chain(plain.iter().map(|p| (*p).to_owned()))
        .chain(failures)
        .collect()
}
