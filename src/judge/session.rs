//! A judgement in the making: which request is next, what is tried again, when it ends. A state machine without a clock:
//! it says how long to wait, and whoever makes the requests waits.
//!
//! The first request goes alone, so that the way of asking for JSON is found once; then two at a time. Waiting follows
//! full jitter (Amazon's builders' library): a random time up to 1, 2, 4, … seconds, at most 30; the random number
//! follows from the page's own. No request is made that could cost more than the limit together with what was spent.

use std::collections::BTreeMap;

use super::answer::{self, Answer};
use super::cost::{self, Prices, Range};
use super::digest;
use super::inject::Hit;
use super::plan::{Material, Task, What};
use super::prompt::{Mode, Prompt};
use super::provider::{self, Dialect, Endpoint, Failure, Http, Kind, Reply, Rung};
use super::rubric::Rubric;
use super::shrink::Coverage;
use super::store::Kept;
use super::verdict::{self, Asked, Outcome, Ran, Shown};

/// What the user set.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub endpoint: Endpoint,
    pub mode: Mode,
    pub rubric: Rubric,
    /// Times that each question is asked.
    pub samples: u32,
    /// Tokens of an answer at most.
    pub max_output: u32,
    /// Tokens that the model's window holds.
    pub context: u32,
    pub prices: Option<Prices>,
    /// Dollars that are not exceeded.
    pub cap: Option<f64>,
    /// The page's random number: fences and waiting follow from it.
    pub nonce: String,
    /// What this model counted of earlier estimates.
    pub factor: Option<f64>,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    Answer { status: u16, body: String, retry_after_s: Option<f64> },
    Network,
    Timeout,
    TooBig,
    Stopped,
    Off,
}

/// A request to make after a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    pub id: u32,
    pub http: Http,
    pub after_ms: u32,
}

/// What was used up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    pub requests: u32,
    pub bytes: u64,
    pub input: u64,
    pub output: u64,
    /// `None` without prices.
    pub cost: Option<Range>,
    /// Answers that were there already.
    pub kept: u32,
    pub retries: u32,
    /// Requests whose tokens the server did not tell.
    pub uncounted: u32,
}

impl Spent {
    /// Tokens in and out of the requests whose tokens were told; `None` when requests were made and none was told.
    pub fn tokens(&self) -> Option<(u64, u64)> {
        (self.requests == 0 || self.uncounted < self.requests).then_some((self.input, self.output))
    }
}

/// What will be sent, before anything is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub requests: u32,
    pub bytes: u64,
    pub input: Range,
    pub output: Range,
    pub cost: Option<Range>,
    /// Requests that are not made since their answers are there.
    pub kept: u32,
    /// Parts in which a long run is read; 0 when it is sent whole.
    pub parts: u32,
    pub coverage: Vec<Coverage>,
    pub hits: Vec<(u8, Hit)>,
}

enum State {
    Waiting { after_ms: u32 },
    Flying { id: u32 },
    Done(Result<Said, Failure>),
}

/// What a model said to a task.
#[derive(Clone, Debug)]
pub(super) enum Said {
    Answer(Box<Answer>, bool),
    Findings(Vec<answer::Finding>),
}

struct Entry {
    task: Task,
    state: State,
    tries: u8,
    /// What the last answer lacked: it is asked once more with that said.
    lacked: Option<(String, String)>,
    key: String,
}

/// A judgement in the making.
pub struct Session {
    setup: Setup,
    runs: Vec<Material>,
    dialect: Dialect,
    entries: Vec<Entry>,
    reducing: bool,
    settled: bool,
    next: u32,
    spent: Spent,
    stopped: Option<Failure>,
    /// New answers by the hash of their question.
    kept: BTreeMap<String, Kept>,
    /// Estimated and counted tokens of what was answered.
    seen: (f64, f64),
    model: Option<String>,
}

/// A judgement that is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub outcome: Outcome,
    pub failures: Vec<(Asked, Failure)>,
    pub spent: Spent,
    pub rung: Rung,
    pub model: Option<String>,
    pub prompt_hash: String,
    pub schema_hash: String,
    pub masked: bool,
    /// What the server counted is far less than what was sent: it has cut the run off.
    pub short_count: bool,
}

impl Session {
    /// Plans a judgement of one run, or of two. `kept`: answers to questions that were asked before.
    pub fn new(setup: Setup, runs: Vec<Material>, kept: &BTreeMap<String, Kept>) -> Self {
        let tasks = super::plan::tasks(&setup, &runs);
        let mut out = Self {
            setup,
            runs,
            dialect: Dialect::default(),
            entries: Vec::new(),
            reducing: false,
            settled: false,
            next: 0,
            spent: Spent::default(),
            stopped: None,
            kept: BTreeMap::new(),
            seen: (0.0, 0.0),
            model: None,
        };
        out.spent.cost = out.setup.prices.map(|_| Range::default());
        out.add(tasks, kept);
        out
    }

    fn add(&mut self, tasks: Vec<Task>, kept: &BTreeMap<String, Kept>) {
        for task in tasks {
            let prompt = self.prompt(&task, &"0".repeat(32));
            let endpoint = &self.setup.endpoint;
            let sample = task.asked.sample.to_string();
            let schema = prompt.schema.to_string();
            let parts =
                [endpoint.api.id(), &endpoint.base, &endpoint.model, &prompt.system, &prompt.user, &schema, &sample];
            let key = format!("jq1-{}", digest(parts, 40));
            let known = kept.get(&key).and_then(|k| self.understand(&task, &k.text).ok());
            let state = match known {
                Some(said) => {
                    self.spent.kept += 1;
                    if let Some(kept) = kept.get(&key) {
                        self.kept.insert(key.clone(), kept.clone());
                        self.model = kept.model.clone().or(self.model.take());
                    }
                    State::Done(Ok(said))
                }
                None => State::Waiting { after_ms: 0 },
            };
            self.entries.push(Entry { task, state, tries: 0, lacked: None, key });
        }
    }

    fn prompt(&self, task: &Task, fence: &str) -> Prompt {
        super::plan::prompt(&self.setup, &self.runs, task, fence)
    }

    /// The request of a task, and its tokens.
    fn request(&self, entry: &Entry, number: u32) -> (Http, f64) {
        let mut prompt = self.prompt(&entry.task, &super::prompt::fence(&self.setup.nonce, number));
        if let Some((said, lacked)) = &entry.lacked {
            let said: String = said.chars().take(2_000).collect();
            prompt.user.push_str(&format!(
                "\n\nYour last answer could not be used: {lacked}. It began: {}\nAnswer again, with one JSON object that fits.",
                crate::json::quote(&said)
            ));
        }
        let tokens = cost::tokens(&prompt.system) + cost::tokens(&prompt.user);
        let ask = provider::Ask {
            system: prompt.system,
            user: prompt.user,
            schema: prompt.schema,
            max_output: self.setup.max_output,
            input_tokens: cost::range(tokens, self.setup.factor).high as u64,
        };
        (provider::request(&self.setup.endpoint, self.dialect, &ask), tokens)
    }

    /// What will be sent when it is begun.
    pub fn plan(&self) -> Plan {
        let mut out = Plan { kept: self.spent.kept, ..Plan::default() };
        let mut tokens = 0.0;
        for (n, entry) in self.waiting() {
            let (http, input) = self.request(entry, n as u32);
            out.requests += 1;
            out.bytes += http.body.len() as u64;
            tokens += input;
        }
        out.parts = self.entries.iter().filter(|e| matches!(e.task.what, What::Part { .. })).count() as u32;
        let mut answers = out.requests;
        if out.parts > 0 {
            // What comes after the parts is made of their answers: as much as they may say, and a line a step.
            let (requests, each) = super::plan::reduce_estimate(&self.setup, &self.runs);
            out.requests += requests;
            answers += requests;
            tokens += each * f64::from(requests);
            out.bytes += (each * 3.5) as u64 * u64::from(requests);
        }
        out.input = cost::range(tokens, self.setup.factor);
        let least = 60.0 * self.setup.rubric.criteria.len().max(2) as f64;
        let most = f64::from(self.setup.max_output);
        out.output = Range { low: least.min(most), high: most }.times(f64::from(answers));
        out.cost = self.setup.prices.map(|p| p.range(out.input, out.output));
        out.coverage = self.runs.iter().map(|r| r.coverage).collect();
        out.hits = (0u8..).zip(&self.runs).flat_map(|(i, r)| r.hits.iter().map(move |h| (i, h.clone()))).collect();
        out
    }

    fn waiting(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().enumerate().filter(|(_, e)| matches!(e.state, State::Waiting { .. }))
    }

    /// The body of the request that would be made as number `n`, byte for byte as it is sent.
    pub fn preview(&self, n: usize) -> Option<Http> {
        let (at, entry) = self.waiting().nth(n)?;
        Some(self.request(entry, at as u32).0)
    }

    /// Requests to make now.
    pub fn next(&mut self, kept: &BTreeMap<String, Kept>) -> Vec<Send> {
        let mut out = Vec::new();
        loop {
            self.reduce_when_ready(kept);
            let flying = self.entries.iter().filter(|e| matches!(e.state, State::Flying { .. })).count();
            let at_once = if self.settled { 2 } else { 1 };
            if flying >= at_once || self.stopped.is_some() {
                break;
            }
            let Some(at) = self.waiting().next().map(|(at, _)| at) else { break };
            let Some(entry) = self.entries.get(at) else { break };
            // A repeated request has its own fence, but the first is the one that was shown.
            let again = u32::from(entry.tries) * 10_000 + u32::from(entry.lacked.is_some()) * 5_000;
            let (http, tokens) = self.request(entry, at as u32 + again);
            if self.over_cap(tokens) {
                self.stop(Failure::new(Kind::Cap, None, ""));
                break;
            }
            self.next += 1;
            let id = self.next;
            let Some(entry) = self.entries.get_mut(at) else { break };
            let State::Waiting { after_ms } = entry.state else { break };
            entry.tries = entry.tries.saturating_add(1);
            entry.state = State::Flying { id };
            self.spent.requests += 1;
            self.spent.bytes += http.body.len() as u64;
            out.push(Send { id, http, after_ms });
        }
        out
    }

    fn over_cap(&self, tokens: f64) -> bool {
        let (Some(cap), Some(prices), Some(spent)) = (self.setup.cap, self.setup.prices, self.spent.cost) else {
            return false;
        };
        let input = cost::range(tokens, self.setup.factor).high;
        let flying = self.entries.iter().filter(|e| matches!(e.state, State::Flying { .. })).count() as f64;
        let one = prices.of(input, f64::from(self.setup.max_output));
        // What is under way costs about as much as this one.
        spent.high + one * (1.0 + flying) > cap + 1e-9
    }

    /// Takes what came of a request. An answer to one that nobody waits for is dropped.
    pub fn answered(&mut self, id: u32, got: Got) {
        let Some(at) = self.entries.iter().position(|e| matches!(e.state, State::Flying { id: i } if i == id)) else {
            return;
        };
        let Some(entry) = self.entries.get(at) else { return };
        let tokens = self.request(entry, at as u32).1;
        let high = cost::range(tokens, self.setup.factor).high;
        let mut wait_for = None;
        let read = match got {
            Got::Answer { status, body, retry_after_s } => {
                wait_for = retry_after_s;
                provider::read(self.setup.endpoint.api, status, &body)
            }
            Got::Network => Err(Failure::new(Kind::Network, None, "")),
            Got::Timeout => Err(Failure::new(Kind::Timeout, None, "")),
            Got::TooBig => Err(Failure::new(Kind::TooBig, None, "")),
            Got::Stopped => Err(Failure::new(Kind::Stopped, None, "")),
            Got::Off => Err(Failure::new(Kind::Off, None, "")),
        };
        match read {
            Ok(reply) => self.replied(at, reply, tokens),
            Err(failure) => {
                // These were worked on, and may be on the bill.
                if matches!(failure.kind, Kind::Timeout | Kind::Broken | Kind::Cut | Kind::Refused | Kind::TooBig) {
                    self.pay(None, None, high, f64::from(self.setup.max_output));
                }
                self.failed(at, failure, wait_for);
            }
        }
    }

    fn pay(&mut self, input: Option<u64>, output: Option<u64>, input_high: f64, output_high: f64) {
        self.spent.input += input.unwrap_or(0);
        self.spent.output += output.unwrap_or(0);
        self.spent.uncounted += u32::from(input.is_none() || output.is_none());
        let (Some(prices), Some(cost)) = (self.setup.prices, self.spent.cost.as_mut()) else { return };
        *cost = cost.plus(match (input, output) {
            (Some(input), Some(output)) => {
                let exact = prices.of(input as f64, output as f64);
                Range { low: exact, high: exact }
            }
            _ => Range { low: 0.0, high: prices.of(input_high, output_high) },
        });
    }

    fn replied(&mut self, at: usize, reply: Reply, tokens: f64) {
        self.settled = true;
        self.pay(reply.input, reply.output, tokens * (1.0 + cost::MARGIN), f64::from(self.setup.max_output));
        if let Some(input) = reply.input {
            self.seen.0 += tokens;
            self.seen.1 += input as f64;
        }
        self.model = reply.model.clone().or(self.model.take());
        let Some(entry) = self.entries.get(at) else { return };
        let result = self.understand(&entry.task, &reply.text);
        let Some(entry) = self.entries.get_mut(at) else { return };
        match result {
            Ok(said) => {
                let kept = Kept { text: reply.text, model: reply.model, input: reply.input, output: reply.output };
                self.kept.insert(entry.key.clone(), kept);
                entry.state = State::Done(Ok(said));
            }
            Err(lacked) if entry.lacked.is_none() => {
                entry.lacked = Some((reply.text, lacked));
                entry.state = State::Waiting { after_ms: 0 };
                self.spent.retries += 1;
            }
            Err(lacked) => entry.state = State::Done(Err(Failure::new(Kind::Misfit, None, &lacked))),
        }
    }

    fn understand(&self, task: &Task, text: &str) -> Result<Said, String> {
        if let What::Part { .. } = task.what {
            return answer::read_findings(text).map(|(findings, _)| Said::Findings(findings));
        }
        let ids: Vec<&str> = self.setup.rubric.criteria.iter().map(|c| c.id.as_str()).collect();
        let answer = answer::read(self.setup.mode, &ids, text)?;
        let control = task.canary.fits(&answer.control);
        Ok(Said::Answer(Box::new(answer), control))
    }

    fn failed(&mut self, at: usize, failure: Failure, wait_for_s: Option<f64>) {
        let api = self.setup.endpoint.api;
        // Another way of asking, as long as none has worked yet; later a refusal of the format means something else.
        if !self.settled
            && let Some(dialect) = self.dialect.after(api, &failure)
        {
            self.dialect = dialect;
            if let Some(entry) = self.entries.get_mut(at) {
                entry.state = State::Waiting { after_ms: 0 };
                entry.tries = 0;
            }
            self.spent.retries += 1;
            return;
        }
        let nonce = self.setup.nonce.clone();
        let Some(entry) = self.entries.get_mut(at) else { return };
        if entry.tries < failure.kind.tries() {
            let most = 1_000u64.saturating_mul(1 << (entry.tries.max(1) - 1).min(10)).min(30_000);
            let draw = u64::from_str_radix(&digest([nonce.as_str(), &entry.key, &entry.tries.to_string()], 8), 16);
            let jitter = draw.unwrap_or(0) % most.max(1);
            let after = wait_for_s.filter(|s| (0.0..=120.0).contains(s)).map_or(jitter, |s| (s * 1_000.0) as u64);
            entry.state = State::Waiting { after_ms: after as u32 };
            self.spent.retries += 1;
            return;
        }
        entry.state = State::Done(Err(failure.clone()));
        // Before anything has worked, or when nothing can: the rest would only fail in the same way.
        if failure.kind.is_final() || !self.settled && failure.kind != Kind::Misfit {
            self.stop(failure);
        }
    }

    /// Ends it: what has not been answered has failed so.
    pub fn stop(&mut self, failure: Failure) {
        for entry in &mut self.entries {
            if !matches!(entry.state, State::Done(_)) {
                entry.state = State::Done(Err(failure.clone()));
            }
        }
        self.stopped.get_or_insert(failure);
    }

    /// Once every part has said what it has, the questions follow.
    fn reduce_when_ready(&mut self, kept: &BTreeMap<String, Kept>) {
        let parts = self.entries.iter().any(|e| matches!(e.task.what, What::Part { .. }));
        if self.reducing || !parts || self.stopped.is_some() || !self.is_quiet() {
            return;
        }
        self.reducing = true;
        let failed = self.entries.iter().find_map(|e| match &e.state {
            State::Done(Err(failure)) => Some(failure.clone()),
            _ => None,
        });
        // A run of which a part was not read is not judged.
        if let Some(failure) = failed {
            self.stop(failure);
            return;
        }
        let said: Vec<(&Task, &[answer::Finding])> = self
            .entries
            .iter()
            .filter_map(|e| match &e.state {
                State::Done(Ok(Said::Findings(findings))) => Some((&e.task, findings.as_slice())),
                _ => None,
            })
            .collect();
        let tasks = super::plan::reduce_tasks(&self.setup, &self.runs, &said);
        self.add(tasks, kept);
    }

    fn is_quiet(&self) -> bool {
        self.entries.iter().all(|e| matches!(e.state, State::Done(_)))
    }

    pub fn is_done(&self) -> bool {
        let parts = self.entries.iter().any(|e| matches!(e.task.what, What::Part { .. }));
        self.is_quiet() && (!parts || self.reducing || self.stopped.is_some())
    }

    /// Requests that are answered, of how many that are known.
    pub fn progress(&self) -> (u32, u32) {
        let done = self.entries.iter().filter(|e| matches!(e.state, State::Done(_))).count();
        (done as u32, self.entries.len() as u32)
    }

    pub fn rung(&self) -> Rung {
        self.dialect.rung
    }

    pub fn spent(&self) -> Spent {
        self.spent
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn runs(&self) -> &[Material] {
        &self.runs
    }

    /// Answers that are worth keeping, by the hash of their question.
    pub fn kept(&self) -> &BTreeMap<String, Kept> {
        &self.kept
    }

    /// What this model counts of an estimate; `None` when it has not said.
    pub fn factor(&self) -> Option<f64> {
        (self.seen.0 > 0.0 && self.seen.1 > 0.0).then(|| (self.seen.1 / self.seen.0).clamp(0.2, 5.0))
    }

    /// What it came to.
    pub fn finish(&self) -> Judged {
        let mut ran = Vec::new();
        for entry in self.entries.iter().filter(|e| matches!(e.task.what, What::Whole | What::Reduce { .. })) {
            let (result, control) = match &entry.state {
                State::Done(Ok(Said::Answer(answer, control))) => (Ok((**answer).clone()), *control),
                State::Done(Err(failure)) => (Err(failure.clone()), true),
                _ => continue,
            };
            ran.push(Ran { asked: entry.task.asked, result, control });
        }
        let mut failures: Vec<(Asked, Failure)> =
            ran.iter().filter_map(|r| r.result.as_ref().err().map(|f| (r.asked, f.clone()))).collect();
        if ran.is_empty() {
            failures.extend(self.stopped.clone().map(|f| (Asked::default(), f)));
        }
        let masked = self.runs.iter().any(|r| r.masked.is_some());
        let shown: Vec<Shown<'_>> = self
            .runs
            .iter()
            .map(|r| Shown { plain: &r.pieces, masked: r.masked.as_deref().unwrap_or(&r.pieces) })
            .collect();
        let outcome = verdict::outcome(self.setup.mode, &self.setup.rubric, &shown, &ran, masked);
        let keys = self.entries.iter().map(|e| e.key.as_str());
        let schema = self.entries.last().map(|e| self.prompt(&e.task, "").schema.to_string()).unwrap_or_default();
        Judged {
            outcome,
            failures,
            spent: self.spent,
            rung: self.dialect.rung,
            model: self.model.clone(),
            prompt_hash: format!("jp1-{}", digest(keys, 12)),
            schema_hash: format!("js1-{}", digest([schema.as_str()], 12)),
            masked,
            short_count: self.seen.0 > 500.0 && self.seen.1 < self.seen.0 * 0.5,
        }
    }
}
