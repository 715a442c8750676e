//! Jobs of the judge. The worker builds prompts, redacts and reads answers; the page adds the key and sends bytes.
//!
//! Judgements, labels and answers are kept by the content of the run, as long as the worker lives. A job without the
//! user's confirmation ends with a plan: requests come out of [`Bench::go_on`] alone, which only `JudgeStart` begins.

use std::collections::{BTreeMap, BTreeSet};

use super::judge_view::{self as view, Sending};
use super::{Analysed, Workbench, fault};
use crate::judge::doctor::{Around, Doctor, bad_base};
use crate::judge::evidence::{pieces, texts};
use crate::judge::plan::Material;
use crate::judge::prompt::Mode;
use crate::judge::provider::{Api, Endpoint, Failure, Kind};
use crate::judge::rubric::Rubric;
use crate::judge::session::{Got, Session, Setup};
use crate::judge::store::{Judgement, Kept, Labels, agreement, run_hash};
use crate::judge::verdict::State;
use crate::judge::{agreement::FEWEST, cost::Prices};
use crate::protocol::Outcome;
use crate::report::skill::{Blob, Sentence};
use crate::report::{JudgeForm, JudgeGot, JudgeLabels, JudgeSetup, JudgeStatistic, RunRef};
use crate::share::{Kind as SecretKind, Policy, Redactor, Secret, survey};

/// Bounds of what the form may ask for.
const SAMPLES: (u32, u32) = (1, 9);
const OUTPUT: (u32, u32) = (200, 64_000);
const CONTEXT: (u32, u32) = (2_000, 4_000_000);
const PATIENCE: (u32, u32) = (1, 3_600);

/// Everything about judging.
#[derive(Default)]
pub(super) struct Bench {
    open: BTreeMap<u32, Open>,
    next: u32,
    /// Answers by the hash of their question.
    kept: BTreeMap<String, Kept>,
    /// By the hash of the run.
    judgements: BTreeMap<String, Vec<Judgement>>,
    labels: BTreeMap<String, Labels>,
    /// Tokens that a model counts of our estimate, by endpoint and model.
    factors: BTreeMap<(String, String), f64>,
}

/// What is under way.
enum Open {
    Judge(Box<Judging>),
    Doctor(Box<Doctor>),
}

/// A judgement that is ready or under way.
pub(super) struct Judging {
    session: Session,
    run: String,
    other: Option<String>,
    pub replaced: Vec<(String, u32)>,
    placeholders: Vec<String>,
    patience_s: u32,
}

/// Why something cannot be asked.
type Refused = (Sentence, Sentence);

fn refused(id: &str, args: &[(&str, String)]) -> Refused {
    let args: Vec<(String, String)> = args.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
    ((id.to_owned(), args.clone()), (format!("{id}.fix"), args))
}

fn endpoint(setup: &JudgeSetup) -> Result<Endpoint, Refused> {
    let api = Api::from_id(&setup.api).unwrap_or(Api::OpenAiChat);
    Endpoint::new(api, &setup.base, &setup.model).map_err(|why| refused(&format!("judge.doctor.url-{}", why.id()), &[]))
}

fn rubric(mode: Mode, text: &str) -> Result<Rubric, Refused> {
    match mode {
        Mode::Taxonomy => Ok(Rubric::mast()),
        _ if text.trim().is_empty() => Ok(Rubric::built_in()),
        _ => Rubric::read(text)
            .map_err(|f| refused(&format!("judge.rubric.{}", f.what), &[("line", f.line.to_string())])),
    }
}

/// What of the values is left in what is taken from the runs, written in whatever way.
fn left_in_texts(materials: &[Material], redactor: &Redactor) -> Option<String> {
    let pieces = materials.iter().flat_map(|m| &m.pieces);
    let texts = pieces.flat_map(|p| [&p.text, &p.input, &p.result, &p.tool, &p.agent]);
    texts.filter(|t| !t.is_empty()).find_map(|t| redactor.left_in(t.as_bytes()).into_iter().next())
}

impl Workbench {
    fn judged_run(&self, at: RunRef) -> Option<&Analysed> {
        self.documents.get(&at.document)?.runs.get(at.run as usize)
    }

    pub(super) fn judge_form(&self, document: u32, run: u32) -> Outcome {
        let Some(of) = self.judged_run(RunRef { document, run }) else { return fault("fault.no-run", &[]) };
        let hash = run_hash(&of.run);
        let all = self.bench.judgements.get(&hash).map(Vec::as_slice).unwrap_or_default();
        let labels = self.bench.labels.get(&hash);
        let form = JudgeForm {
            apis: Api::ALL.into_iter().map(view::api).collect(),
            rubric: Rubric::built_in().write(),
            kinds: SecretKind::ALL.into_iter().filter(|k| *k != SecretKind::Name).map(|k| k.id().to_owned()).collect(),
            judged: all.last().map(|j| view::judged(j, labels)),
            judgements: all.len() as u32,
        };
        Outcome::JudgeForm { form: Box::new(form) }
    }

    pub(super) fn judge_plan(&mut self, run: RunRef, other: Option<RunRef>, asked: &JudgeSetup) -> Outcome {
        match self.judging(run, other, asked) {
            Err((what, fix)) => Outcome::JudgeRefused { what, fix },
            Ok(None) => fault("fault.no-run", &[]),
            Ok(Some(judging)) => {
                // What was planned before and not begun is not wanted any more.
                self.bench.open.retain(|_, o| !matches!(o, Open::Judge(j) if j.session.spent().requests == 0));
                self.bench.next += 1;
                let judge = self.bench.next;
                let plan = view::plan(judge, &judging.session, &judging.replaced);
                self.bench.open.insert(judge, Open::Judge(Box::new(judging)));
                Outcome::JudgePlan { plan: Box::new(plan) }
            }
        }
    }

    fn judging(&self, at: RunRef, other: Option<RunRef>, asked: &JudgeSetup) -> Result<Option<Judging>, Refused> {
        let mode = Mode::from_id(&asked.mode).unwrap_or_default();
        let endpoint = endpoint(asked)?;
        if endpoint.model.is_empty() {
            return Err(refused("judge.no-model", &[]));
        }
        let rubric = rubric(mode, &asked.rubric)?;
        let other =
            if mode == Mode::Pairwise { Some(other.ok_or_else(|| refused("judge.no-other", &[]))?) } else { None };
        let mut runs = Vec::new();
        for at in std::iter::once(at).chain(other) {
            let Some(run) = self.judged_run(at) else { return Ok(None) };
            if run.run.steps.is_empty() {
                return Err(refused("judge.empty", &[]));
            }
            runs.push(run);
        }
        let price = |p: Option<f64>| p.filter(|p| p.is_finite() && *p >= 0.0);
        let prices = price(asked.price_in).zip(price(asked.price_out));
        let factor = self.bench.factors.get(&(endpoint.base.clone(), endpoint.model.clone())).copied();
        let setup = Setup {
            mode,
            rubric,
            samples: asked.samples.clamp(SAMPLES.0, SAMPLES.1),
            max_output: asked.max_output.clamp(OUTPUT.0, OUTPUT.1),
            context: asked.context.clamp(CONTEXT.0, CONTEXT.1),
            prices: prices.map(|(input, output)| Prices { input, output }),
            cap: price(asked.cap),
            nonce: asked.nonce.clone(),
            factor,
            endpoint,
        };
        let kinds: BTreeSet<SecretKind> =
            SecretKind::ALL.into_iter().filter(|k| asked.kinds.iter().any(|id| id == k.id())).collect();
        let mut policy = Policy { kinds, names: asked.names.clone(), keep: BTreeSet::new() };
        policy.kinds.insert(SecretKind::Name);
        // One numbering for both runs: the same value has the same placeholder in both.
        let secrets = survey(runs.iter().flat_map(|r| texts(&r.run)), &policy);
        let redactor = Redactor::new(&secrets);
        let of = runs.len();
        let materials: Vec<Material> = runs
            .iter()
            .map(|r| Material::new(pieces(&r.run, &redactor), &r.loops.repeats(&r.run), &setup, of))
            .collect();
        if let Some(left) = left_in_texts(&materials, &redactor) {
            return Err(refused("judge.left", &[("what", left)]));
        }
        let samples = setup.samples as usize;
        let session = Session::new(setup, materials, &self.bench.kept);
        // The proof on the finished bytes. Names are not looked for in these: "user" is one, and a word of every request.
        let grave: Vec<Secret> =
            secrets.iter().filter(|s| !matches!(s.kind, SecretKind::Home | SecretKind::Name)).cloned().collect();
        let grave = Redactor::new(&grave);
        let plan = session.plan();
        // Samples differ by the order of their questions alone.
        let distinct = if plan.parts > 0 { plan.requests as usize } else { (plan.requests as usize).div_ceil(samples) };
        for n in 0..distinct.max(1) {
            let Some(http) = session.preview(n) else { break };
            if let Some(left) = grave.left_in(http.body.as_bytes()).first() {
                return Err(refused("judge.left", &[("what", left.clone())]));
            }
        }
        let mut replaced: BTreeMap<String, u32> = BTreeMap::new();
        for secret in &secrets {
            *replaced.entry(secret.kind.id().to_owned()).or_insert(0) += 1;
        }
        let hashes: Vec<String> = runs.iter().map(|r| run_hash(&r.run)).collect();
        Ok(Some(Judging {
            session,
            run: hashes.first().cloned().unwrap_or_default(),
            other: hashes.get(1).cloned(),
            replaced: replaced.into_iter().collect(),
            patience_s: asked.patience_s.clamp(PATIENCE.0, PATIENCE.1),
            placeholders: secrets.into_iter().map(|s| s.placeholder).collect(),
        }))
    }

    pub(super) fn judge_label(
        &mut self,
        document: u32,
        run: u32,
        rubric_text: &str,
        criterion: Option<String>,
        label: Option<String>,
    ) -> Outcome {
        let Some(of) = self.judged_run(RunRef { document, run }) else { return fault("fault.no-run", &[]) };
        let hash = run_hash(&of.run);
        let of = rubric(Mode::Rubric, rubric_text).unwrap_or_else(|_| Rubric::built_in());
        let rubric = of.hash();
        if let Some(criterion) = criterion {
            let labels = self.bench.labels.entry(hash.clone()).or_default();
            let key = (rubric.clone(), criterion);
            match label {
                Some(label) => labels.insert(key, label),
                None => labels.remove(&key),
            };
        }
        let criteria = of.criteria.into_iter().map(|c| (c.id, c.title)).collect();
        Outcome::JudgeLabels { labels: Box::new(JudgeLabels { criteria, ..self.bench.labels(&hash, &rubric) }) }
    }

    pub(super) fn judge_export(&self, document: u32, run: u32) -> Outcome {
        let Some(of) = self.judged_run(RunRef { document, run }) else { return fault("fault.no-run", &[]) };
        let hash = run_hash(&of.run);
        let empty = Labels::new();
        let labels = self.bench.labels.get(&hash).unwrap_or(&empty);
        let all = self.bench.judgements.get(&hash).map(Vec::as_slice).unwrap_or_default();
        let agreed = all.last().map(|j| self.bench.labels(&hash, &j.setup.rubric.hash()));
        let json = view::export(&hash, &of.run, all, labels, agreed);
        let file = Blob {
            name: "judgements.json".into(),
            mime: "application/json".into(),
            bytes: format!("{json:#}\n").into_bytes(),
        };
        Outcome::File { file }
    }
}

impl Bench {
    pub fn preview(&self, judge: u32, request: u32, from: u32, count: u32) -> Outcome {
        let Some(Open::Judge(judging)) = self.open.get(&judge) else { return fault("judge.gone", &[]) };
        match view::preview(&judging.session, request, (from, count.min(500)), &judging.placeholders) {
            Some(preview) => Outcome::JudgePreview { preview: Box::new(preview) },
            None => fault("judge.gone", &[]),
        }
    }

    /// The next requests, or what came of it.
    pub fn go_on(&mut self, judge: u32, now: &str) -> Outcome {
        let kept = &self.kept;
        match self.open.get_mut(&judge) {
            None => fault("judge.gone", &[]),
            Some(Open::Judge(judging)) => {
                let sends = judging.session.next(kept);
                if judging.session.is_done() {
                    return self.finish(judge, now);
                }
                let progress = view::progress(&judging.session);
                let api = judging.session.setup().endpoint.api;
                let patience_ms = judging.patience_s * 1_000;
                let sends = sends.into_iter().map(|s| view::send(api, Sending::Judge(s, patience_ms))).collect();
                Outcome::JudgeSend { judge, sends, progress }
            }
            Some(Open::Doctor(doctor)) => match (doctor.next(), doctor.found()) {
                (Some(probe), _) => {
                    let sends = vec![view::send(doctor.api(), Sending::Doctor(probe))];
                    Outcome::JudgeSend { judge, sends, progress: Default::default() }
                }
                (None, found) => {
                    let diagnosis = found.map(view::diagnosis).unwrap_or_default();
                    self.open.remove(&judge);
                    Outcome::JudgeDiagnosis { diagnosis: Box::new(diagnosis) }
                }
            },
        }
    }

    pub fn answered(&mut self, judge: u32, request: u32, got: JudgeGot, now: &str) -> Outcome {
        let got = match got {
            JudgeGot::Answer { status, body, retry_after } => Got::Answer { status, body, retry_after_s: retry_after },
            JudgeGot::Network => Got::Network,
            JudgeGot::Timeout => Got::Timeout,
            JudgeGot::TooLarge => Got::TooBig,
            JudgeGot::Stopped => Got::Stopped,
            JudgeGot::Off => Got::Off,
        };
        match self.open.get_mut(&judge) {
            Some(Open::Judge(judging)) => judging.session.answered(request, got),
            Some(Open::Doctor(doctor)) => doctor.answered(got),
            None => return fault("judge.gone", &[]),
        }
        self.go_on(judge, now)
    }

    pub fn stop(&mut self, judge: u32, now: &str) -> Outcome {
        match self.open.get_mut(&judge) {
            Some(Open::Judge(judging)) => {
                judging.session.stop(Failure::new(Kind::Stopped, None, ""));
                self.finish(judge, now)
            }
            Some(Open::Doctor(_)) => {
                self.open.remove(&judge);
                Outcome::Done
            }
            None => fault("judge.gone", &[]),
        }
    }

    pub fn doctor(&mut self, setup: &JudgeSetup, origin: String, permission: String, off: bool) -> Outcome {
        let api = Api::from_id(&setup.api).unwrap_or(Api::OpenAiChat);
        let endpoint = match Endpoint::new(api, &setup.base, &setup.model) {
            Ok(endpoint) => endpoint,
            Err(why) => {
                return Outcome::JudgeDiagnosis { diagnosis: Box::new(view::diagnosis(&bad_base(why))) };
            }
        };
        self.next += 1;
        let doctor = Doctor::new(endpoint, Around { origin, permission, off });
        self.open.insert(self.next, Open::Doctor(Box::new(doctor)));
        self.go_on(self.next, "")
    }

    fn finish(&mut self, judge: u32, now: &str) -> Outcome {
        let Some(Open::Judge(judging)) = self.open.remove(&judge) else { return fault("judge.gone", &[]) };
        let session = &judging.session;
        self.kept.extend(session.kept().iter().map(|(k, v)| (k.clone(), v.clone())));
        let endpoint = &session.setup().endpoint;
        if let Some(factor) = session.factor() {
            self.factors.insert((endpoint.base.clone(), endpoint.model.clone()), factor);
        }
        let judgement = Judgement {
            at: now.to_owned(),
            setup: session.setup().clone(),
            judged: session.finish(),
            coverage: session.runs().iter().map(|r| r.coverage).collect(),
            other: judging.other.clone(),
            hits: session.runs().iter().map(|r| r.hits.len() as u32).sum(),
            replaced: judging.replaced.iter().map(|(_, n)| n).sum(),
        };
        let judged = view::judged(&judgement, self.labels.get(&judging.run));
        let all = self.judgements.entry(judging.run.clone()).or_default();
        // What brought nothing is shown, and not kept in the place of what did.
        if judgement.judged.outcome.answers > 0 {
            all.push(judgement);
        }
        Outcome::Judged { judged: Box::new(judged), judgements: all.len() as u32 }
    }

    /// The labels of a run under a rubric, and the agreement of judge and people in every run.
    fn labels(&self, run: &str, rubric: &str) -> JudgeLabels {
        let mut both: Vec<Vec<(String, String)>> = Vec::new();
        for (run, labels) in &self.labels {
            let judged = self.judgements.get(run).into_iter().flatten().rev();
            let same = |j: &&Judgement| j.setup.mode == Mode::Rubric && j.setup.rubric.hash() == rubric;
            let Some(judged) = judged.into_iter().find(same) else { continue };
            let rows = judged.judged.outcome.rows.iter();
            let pairs = rows.filter(|r| matches!(r.state, State::Counted | State::Open)).filter_map(|r| {
                let label = labels.get(&(rubric.to_owned(), r.criterion.clone()))?;
                Some((label.clone(), r.value.clone()?))
            });
            both.push(pairs.collect());
        }
        let found = agreement(&both);
        let statistic = |s: Option<crate::judge::store::Statistic>| {
            s.map(|s| JudgeStatistic {
                value: s.value,
                low: s.interval.map(|(low, _)| low),
                high: s.interval.map(|(_, high)| high),
            })
        };
        let own = self.labels.get(run).into_iter().flatten().filter(|((r, _), _)| r == rubric);
        JudgeLabels {
            labels: own.map(|((_, criterion), label)| (criterion.clone(), label.clone())).collect(),
            criteria: Vec::new(),
            n: found.n,
            runs: found.runs,
            same: found.same,
            fewest: FEWEST as u32,
            kappa: statistic(found.kappa),
            alpha: statistic(found.alpha),
            ac1: statistic(found.ac1),
        }
    }
}
