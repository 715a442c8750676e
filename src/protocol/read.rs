//! Reads the messages of [`super`] back from JSON: what `serde` writes, without what `serde` compiles to read it.
//!
//! Derived reading was a fifth of the page, since it is made anew for every shape, for sequences as well as for maps.
//! Here a shape is a line that names its fields in the order in which they are written; the compiler says when one is
//! missing, `tests/protocol.rs` that what is written is read. The text is read on our own tape ([`crate::json`]); what
//! does not fit is `None`, since the other side is of the same build or not to be trusted.

use crate::json::{Entries, Items, Kind, Tape, Val};
use crate::model::{BadLine, Finding, FormatAnswer, ImportReport, Note, Place, Refusal, Repair, Severity};
use crate::protocol::{CompareSeek, Example, Job, Outcome, Progress, Request, Response, Seek};
// Every shape there is, so that a new one is one line below.
use crate::report::skill::*;
use crate::report::*;

/// What can be read back.
///
/// Whether it fits is asked once, at the end, and not after every field: each early way out would have to take apart
/// again what was read so far, which is most of what derived readers consist of.
pub trait Read: Sized {
    /// Reads a value. What does not fit turns `fits` off and gives anything.
    fn read(value: Val<'_>, fits: &mut bool) -> Self;

    /// What stands for a field that is not there.
    fn absent(fits: &mut bool) -> Self;
}

/// Reads a message.
pub fn from_json<T: Read>(text: &str) -> Option<T> {
    let mut tape = Tape::new();
    tape.load(text);
    // The tape repairs what it can, for files; a message needs no repair.
    let mut fits = tape.faults().is_empty();
    let read = T::read(tape.doc(text).root(), &mut fits);
    fits.then_some(read)
}

/// What fits, or anything.
fn or_any<T: Default>(read: Option<T>, fits: &mut bool) -> T {
    *fits &= read.is_some();
    read.unwrap_or_default()
}

fn whole(value: Val<'_>) -> Option<i128> {
    if value.kind() == Kind::Number { value.raw().parse().ok() } else { None }
}

macro_rules! plain {
    ($($type:ty: $read:expr;)*) => {
        $(impl Read for $type {
            fn read(value: Val<'_>, fits: &mut bool) -> Self {
                let read: fn(Val<'_>) -> Option<$type> = $read;
                or_any(read(value), fits)
            }

            fn absent(fits: &mut bool) -> Self {
                or_any(None, fits)
            }
        })*
    };
}
plain! {
    String: |value| Some(value.as_str()?.into_owned());
    f64: |value| value.as_f64();
    i64: |value| whole(value)?.try_into().ok();
    u64: |value| whole(value)?.try_into().ok();
    u32: |value| whole(value)?.try_into().ok();
    u16: |value| whole(value)?.try_into().ok();
    u8: |value| whole(value)?.try_into().ok();
}

/// Flags that are off are not always written.
impl Read for bool {
    fn read(value: Val<'_>, fits: &mut bool) -> Self {
        or_any(value.as_bool(), fits)
    }

    fn absent(_: &mut bool) -> Self {
        false
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: Val<'_>, fits: &mut bool) -> Self {
        (!value.is_null()).then(|| T::read(value, fits))
    }

    fn absent(_: &mut bool) -> Self {
        None
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: Val<'_>, fits: &mut bool) -> Self {
        Box::new(T::read(value, fits))
    }

    fn absent(fits: &mut bool) -> Self {
        Box::new(T::absent(fits))
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Val<'_>, fits: &mut bool) -> Self {
        *fits &= value.is_array();
        value.items().map(|item| T::read(item, fits)).collect()
    }

    fn absent(fits: &mut bool) -> Self {
        or_any(None, fits)
    }
}

/// The next member of a tuple.
fn next<T: Read>(items: &mut Items<'_>, fits: &mut bool) -> T {
    match items.next() {
        Some(item) => T::read(item, fits),
        None => T::absent(fits),
    }
}

macro_rules! tuples {
    ($($($part:ident)*;)*) => {
        $(impl<$($part: Read),*> Read for ($($part,)*) {
            fn read(value: Val<'_>, fits: &mut bool) -> Self {
                let mut items = value.items();
                ($(next::<$part>(&mut items, fits),)*)
            }

            fn absent(fits: &mut bool) -> Self {
                *fits = false;
                ($($part::absent(fits),)*)
            }
        })*
    };
}
tuples! { A B; A B C; }

/// The fields of an object. They are asked for in the order in which they are written, so the next one is usually it.
struct Fields<'a> {
    of: Val<'a>,
    rest: Entries<'a>,
}

impl<'a> Fields<'a> {
    fn of(of: Val<'a>) -> Self {
        Self { of, rest: of.entries() }
    }

    fn find(&mut self, name: &str) -> Option<Val<'a>> {
        let mut rest = self.rest.clone();
        match rest.next() {
            Some((key, value)) if key == name => {
                self.rest = rest;
                Some(value)
            }
            _ => self.of.get(name),
        }
    }

    fn take<T: Read>(&mut self, name: &str, fits: &mut bool) -> T {
        match self.find(name) {
            Some(value) => T::read(value, fits),
            None => T::absent(fits),
        }
    }
}

/// The variant's name and what it holds: `"done"` or `{"rows": …}`.
fn variant(value: Val<'_>) -> (std::borrow::Cow<'_, str>, Val<'_>) {
    value.entries().next().unwrap_or((value.as_str().unwrap_or_default(), value))
}

/// Structs: `Name { field, … }`.
macro_rules! shapes {
    ($($shape:ident { $($field:ident),* })*) => {
        $(impl Read for $shape {
            fn read(value: Val<'_>, fits: &mut bool) -> Self {
                *fits &= value.is_object();
                let mut fields = Fields::of(value);
                $shape { $($field: fields.take(stringify!($field), fits)),* }
            }

            fn absent(fits: &mut bool) -> Self {
                *fits = false;
                $shape { $($field: Read::absent(fits)),* }
            }
        })*
    };
}

/// Enums: `Name or Variant: "as written" => Variant, …`, where the first is what an unknown name gives.
macro_rules! variants {
    ($enum:ident or $any:expr; $($name:literal => $variant:ident $({ $($field:ident),* })? $(($inner:ty))?,)*) => {
        impl Read for $enum {
            #[allow(unused_mut, unused_variables, reason = "a variant without fields reads none")]
            fn read(value: Val<'_>, fits: &mut bool) -> Self {
                // Says at compile time when a variant is missing here.
                fn _all(of: &$enum) {
                    match of { $($enum::$variant { .. } => {})* }
                }
                let (name, inner) = variant(value);
                let mut fields = Fields::of(inner);
                match &*name {
                    $($name => $enum::$variant $({ $($field: fields.take(stringify!($field), fits)),* })?
                        $((<$inner>::read(inner, fits)))?,)*
                    _ => Self::absent(fits),
                }
            }

            fn absent(fits: &mut bool) -> Self {
                *fits = false;
                $any
            }
        }
    };
}

shapes! {
    Request { id, job }
    Response { id, outcome }
    Example { id, files }
    Progress { phase, done, of }
    DocumentSummary { id, name, files, format, format_label, reports, runs, skills }
    RunSummary { index, id, title, agent, models, outcome, steps, events, calls, results, errors, unanswered, usage, duration_ms, started_ms, local_time, topology, loops, findings, verdict, facts, labels }
    OutcomeSummary { verdict, word, reward }
    UsageSummary { input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost, cost_estimated, known_fraction }
    TopologySummary { hash, exact, glyph, variants }
    LoopSummary { verdict, spans, wasted_steps, waste_ratio }
    SeverityCounts { errors, warnings, infos }
    VerdictLine { tone, state, reasons }
    View { filter, folded, open }
    Rows { from, rows, total, hits, unknown_terms, low }
    StepRow { step, kind, actor, label, preview, mono, duration_ms, failed, unanswered, failure, depth, group, loops, findings }
    GroupMark { size, index }
    LoopMark { detector, from, to, round, times }
    FoldRow { from, to, open, count, tools, said, errors, duration_ms }
    SpawnRow { step, agent, calls, tokens, duration_ms, here }
    Strip { steps, buckets, errors, loops, compactions }
    Detail { row, lane, model, offset_ms, at_ms, local_time, exit_code, usage, turn_steps, before, sections, after, findings, same, place }
    SourcePlace { file, line, pointer }
    Context { row, blocks }
    Section { kind, lines, chars, blocks }
    JsonRow { depth, key, kind, value, cut }
    Diff { path, added, removed, lines, cut }
    DiffLine { sign, old, new, parts }
    FindingsReport { findings, counts, clean, skipped }
    LoopReport { verdict, recovery, calls, waste, total, spans, near, params, peers }
    Waste { steps, ratio, tokens, output_tokens, cost, seconds, known_fraction, cost_known, seconds_known, estimated }
    LoopSpan { detector, severity, start, end, period, times, first_step, last_step, counts_as_waste, wasted_steps, tokens, cost, seconds, known_fraction, tool, what, why, tries }
    Try { step, before, failed, failure, duration_ms, tokens, wasted }
    NearMiss { detector, first_step, last_step, have, need, why }
    DiagramOptions { range, fold_loops, arguments, thoughts, page, lang }
    DiagramPage { text, arrows, notes, list, page, pages, steps, shown, folded, elsewhere }
    DiagramItem { step, from, to, text, failed, kind }
    TextWindow { from, lines, total }
    Hit { document, run, row }
    Place { file, line, column, pointer }
    Finding { rule, severity, run, step, place, args, related }
    ImportReport { file, bytes, format, shape, wrapped, lines, records, understood, bad_lines, bad, unknown, skipped, repairs, notes, refused }
    BadLine { line, column, head }
    Repair { kind, count, line }
    Note { id, args }
    Refusal { looks_like, stopped, head, answers }
    FormatAnswer { format, reason, key, expected, pointer, near }
    ContractReport { calls, kept, broken, unchecked, reasons, whole, skills, unused, verdicts, cut }
    SkillUse { id, name, version, protocol, capability, access, source, file, calls, broken, unchecked, failed, inputs, output, unusable }
    StepVerdict { step, tool, state, skill, matched, faults, unchecked }
    FaultLine { rule, pointer, keyword, wanted, near }
    LoopParam { id, detectors, value, default, min, max, step }
    PeerReport { id, label, fired, steps }
    CheckOptions { profile, supports }
    SkillsSummary { kind, title, id, documents, failing, findings, verdict, line, sites, descriptors, url }
    FindingRow { member, file, rule, property, severity, strict_only, pointer, field, reason, message, remedy, line, column, insert_after, sample }
    MemberRow { member, file, kind, title, id, capability, access, served, source, neighbour, findings, status }
    SkillView { member, file, kind, title, id, capability, version, protocol, line, core, strict, card, findings, lines, used_in, notes, can_try }
    NoteRow { kind, code, pointer, message }
    CardRow { label, parts }
    CardPart { text, tone, line }
    UsedIn { document, name, run, title, calls, errors, first_step }
    ConformanceView { verdict, line, profile, supports, documents, counts, expected, run, properties }
    PropertyRow { property, status, expected, run, documents, findings, more, unmade }
    IndexView { site, url, sites, pages, has_full_set, from, rows, total, capabilities, listed, missing, withheld, leaked, findings, refused }
    IndexRow { id, name, capability, anonymous, full, state, url, link, entry, descriptor, findings }
    PublishView { file, listed, withheld, blocked }
    NeighbourView { neighbour, label, version, made, notes }
    NeighbourNote { kind, member, pointer, message }
    DifferencesView { weight, differences, cut }
    DifferenceRow { pointer, change, weight, before, after }
    TriedView { state, findings }
    WantedRequest { id, url, max_bytes, timeout_ms }
    TraceRow { section, sentence, checks, note }
    PriceRow { model, input, output, cache_read, cache_write }
    PriceList { date, rows }
    RunRef { document, run }
    CompareOptions { same, threshold }
    CompareReport { actions, thoughts, note, withheld, divergence, other_action, other_thought, path, rows, shape_alike }
    TrackReport { left, right, pairs, same, ratio, coverage_left, coverage_right, bag_ratio, bag_exact, order_loss, order_kept, move_ratio, kendall_tau, anchored, moves }
    MoveReport { left, right, length, left_step, right_step }
    DivergenceReport { cause, what, unit, left, right, left_step, right_step, thoughts, left_after, right_after, sentence, row }
    After { actions, tokens, cost, cost_estimated, seconds }
    CrossReport { thoughts, actions }
    PathPiece { relation, left, right }
    PairDetail { relation, likeness, left_step, right_step, parts }
    PairPart { kind, name, differs, pieces, cut }
    CompareView { show, folded, open }
    CompareRows { from, rows, total, differences }
    CompareRow { row, relation, likeness, left, right, cross, divergence, fold }
    CompareCell { step, action, actor, label, mono, text, result, failed }
    Piece { differs, text }
    CompareFold { rows, actions, open, tools }
    MatchOptions { references, mode, classes, rules, optional, forbidden, answers }
    MatchReport { mode, from, verdicts, summary, modes, tools, unknown }
    MatchSummary { mode, n, passed, known, true_pass, false_pass, false_fail, true_fail, accuracy, kappa }
    JudgeApi { id, label, base, key_header, key_prefix }
    JudgeForm { apis, rubric, kinds, judged, judgements }
    JudgeSetup { api, base, model, mode, rubric, samples, max_output, context, price_in, price_out, cap, patience_s, nonce, kinds, names }
    JudgeCoverage { steps, shown, folded, cut, share }
    JudgeHit { run, step, text }
    JudgePlan { judge, host, requests, bytes, kept, parts, input, output, cost, cap, over_cap, replaced, kinds, coverage, hits, lines }
    JudgePreview { request, requests, url, headers, from, total, lines }
    JudgeSend { request, method, url, headers, body, after_ms, timeout_ms, opaque, key_header, key_prefix }
    JudgeProgress { done, of, requests, retries, bytes }
    JudgeDiagnosis { good, what, fix, paste, detail, models }
    JudgeQuote { run, step, quote, found, planted, what, elsewhere }
    JudgeRow { criterion, title, state, value, share, points, same, of, unstable, sensitive, order_dependent, reasoning, quotes, agent, error, label }
    JudgeView { at, mode, host, model, rubric, rubric_text, samples, score, spread, counted, left_out, rows, notes, failures, summary, requests, bytes, input, output, cost }
    JudgeFailure { what, fix, detail, times }
    JudgeStatistic { value, low, high }
    JudgeLabels { labels, criteria, n, runs, same, fewest, kappa, alpha, ac1 }
    ToolClass { tool, class, calls, others, by_hand }
    VerdictReport { run, document, title, reference, pass, score, precision, recall, f1, lcs_ratio, edit_distance, matched, looked_at, missing, extra, wrong_args, reordered, forbidden, answers, unclassified, reward, truth }
    CallLine { tool, args, step, reference }
    WrongLine { call, in_common, keys }
    ShareChoices { kinds_off, names, keep, parts_switched }
    ShareSurvey { groups, values, times, parts, runs, steps, bytes }
    SecretGroup { kind, value, placeholder, count, places, held }
    SecretPlace { run, step }
    PartLine { id, on, pieces }
    NotesView { file, all, here, lost }
    NoteLine { id, from, to, label, text }
    NoteEdit { id, from, to, label, text, gone }
    SharedPage { name, html, receipt }
    Receipt { removed, left_out, bytes, data_bytes, plain_bytes }
    Sheet { name, columns, rows, from, total }
    Plot { id, rows, agents, top, parts, ticks, columns, bars }
    PlotPart { look, path }
    PlotBar { x, width, row, first, last, cells }
    UsageView { notes, plots, money, tools, models, prices }
    PriceEntry { model, price, own, date }
    MetricsView { version, sections, among }
    TopologyView { variants, canonical, canonical_length, graphs, edges, nearest }
    GraphView { id, nodes, down, back, of, exact }
    ManyView { filter, sort, turned, group, open }
    ManyRows { from, rows, total, runs, groups, of, largest, most_calls, unknown_terms }
    GroupLine { key, glyph, name, runs, passed, failed, unknown, open, first, dots }
    RunLine { document, run, nested, title, file, passed, outcome, steps, calls, errors, tokens, cost, cost_estimated, duration_ms, loops, loop_verdict, waste_ratio, findings, hash, glyph }
    KnownSum { sum, known, estimated }
    ManyReport { runs, topologies, passed, failed, unknown, interval, calls, errors, loop_runs, stuck_runs, tokens, cost, duration_ms, best, worst, bins, trials, mixed_tasks, mixed_pair, groups }
    CallBin { first, last, passed, failed, unknown }
    TrialLine { passed, of, tasks }
    NearLine { line, similarity }
    ManyMatrix { lines, cells, of }
    ConsensusReport { runs, looked_at, passed, failed, unknown, middle, middle_title, agreement, steps, cut, common, branches }
    ConsensusLine { step, tool, preview, have, passed, failed, splits }
    BranchLine { tool, preview, runs, passed, failed, unknown, example, step }
}

variants! { Cell or Cell::Run(0);
    "text" => Text(String),
    "code" => Code(String),
    "say" => Say(Sentence),
    "steps" => Steps(Vec<(u32, u32)>),
    "tool" => Tool(String),
    "run" => Run(u32),
    "copy" => Copy(String),
    "share" => Share(f64),
}

variants! { CompareSeek or CompareSeek::Divergence;
    "row" => Row { row },
    "left" => Left { step },
    "right" => Right { step },
    "difference" => Difference { from, back },
    "divergence" => Divergence,
    "left_action" => LeftAction { action },
    "right_action" => RightAction { action },
}

/// Its names are short, since a step may have thousands.
impl Read for Run {
    fn read(value: Val<'_>, fits: &mut bool) -> Self {
        let mut fields = Fields::of(value);
        Run {
            text: fields.take("t", fits),
            colour: fields.take("f", fits),
            bold: fields.take("b", fits),
            dim: fields.take("d", fits),
            italic: fields.take("i", fits),
            underline: fields.take("u", fits),
        }
    }

    fn absent(fits: &mut bool) -> Self {
        or_any(None, fits)
    }
}

/// Bytes travel as base64.
impl Read for Blob {
    fn read(value: Val<'_>, fits: &mut bool) -> Self {
        let mut fields = Fields::of(value);
        let (name, mime) = (fields.take("name", fits), fields.take("mime", fits));
        let bytes = from_base64(&fields.take::<String>("bytes", fits));
        *fits &= bytes.is_some();
        Blob { name, mime, bytes: bytes.unwrap_or_default() }
    }

    fn absent(fits: &mut bool) -> Self {
        *fits = false;
        Blob::default()
    }
}

variants! { Job or Job::Chunk { file: 0 };
    "open" => Open { file, name, size, format },
    "chunk" => Chunk { file },
    "finish" => Finish { file },
    "cancel" => Cancel { file },
    "assemble" => Assemble { files },
    "close" => Close { document },
    "runs" => Runs { document, filter, from, count },
    "beginning" => Beginning { name, format },
    "rows" => Rows { document, run, view, from, count },
    "find" => Find { document, run, view, seek },
    "strip" => Strip { document, run, buckets },
    "detail" => Detail { document, run, step },
    "raw" => Raw { document, run, step },
    "findings" => Findings { document, run },
    "loops" => Loops { document, run },
    "loops_with" => LoopsWith { document, run, params },
    "usage" => Usage { document, run, prices, buckets, sums },
    "turns" => Turns { document, run, prices, from, count },
    "waterfall" => Waterfall { document, run, range, idle_ms, bars },
    "metrics" => Metrics { document, run },
    "topology" => Topology { document, run },
    "diagram" => Diagram { document, run, options },
    "contract" => Contract { document, run },
    "compare" => Compare { left, right, options },
    "compare_rows" => CompareRows { left, right, options, view, from, count },
    "compare_find" => CompareFind { left, right, options, view, seek },
    "compare_pair" => ComparePair { left, right, options, row },
    "compare_export" => CompareExport { left, right, options, kind },
    "match" => Match { document, runs, options, from, count },
    "text" => Text { document, report, from, count },
    "search" => Search { words, limit },
    "members" => Members { document, options, from, count },
    "skill" => Skill { document, member, options },
    "conformance" => Conformance { document, options },
    "index" => Index { document, site, filter, from, count, options },
    "publish" => Publish { document },
    "neighbour" => Neighbour { document },
    "export_skills" => ExportSkills { document, format },
    "invocations" => Invocations { document, run },
    "draft_skill" => DraftSkill { document, run, tool },
    "skill_differences" => SkillDifferences { before, after },
    "export_report" => ExportReport { document, options, format, now },
    "try_inputs" => TryInputs { document, member, text },
    "traceability" => Traceability,
    "visit" => Visit { text, page, document, options },
    "fetched" => Fetched { visit, request, result },
    "end_visit" => EndVisit { visit },
    "many" => Many { documents, view, from, count },
    "many_report" => ManyReport { documents, filter },
    "many_near" => ManyNear { documents, at, limit },
    "many_matrix" => ManyMatrix { documents, filter, limit },
    "many_consensus" => ManyConsensus { documents, filter, group, key, same },
    "judge_form" => JudgeForm { document, run },
    "judge_plan" => JudgePlan { run, other, setup },
    "judge_preview" => JudgePreview { judge, request, from, count },
    "judge_start" => JudgeStart { judge, now },
    "judge_answer" => JudgeAnswer { judge, request, got, now },
    "judge_stop" => JudgeStop { judge, now },
    "judge_doctor" => JudgeDoctor { setup, origin, permission, off },
    "judge_label" => JudgeLabel { document, run, rubric, criterion, label },
    "judge_export" => JudgeExport { document, run },
    "share_survey" => ShareSurvey { runs, choices },
    "share_page" => SharePage { runs, choices, view, lang },
    "share_link" => ShareLink { runs, choices, view },
    "share_text" => ShareText { runs, choices, range, tokens },
    "notes" => Notes { run, file },
    "set_note" => SetNote { run, edit, now },
    "step_name" => StepName { run, step, name },
}

variants! { Seek or Seek::Step { step: 0 };
    "step" => Step { step },
    "error" => Error { step, back },
    "finding" => Finding { step, back },
    "loop" => Loop { step, back },
}

variants! { Outcome or Outcome::Done;
    "done" => Done,
    "ready" => Ready { protocol, build },
    "imported" => Imported { file },
    "documents" => Documents { documents, removed },
    "runs" => Runs { from, runs, total },
    "beginning" => Beginning { rows },
    "rows" => Rows { rows },
    "found" => Found { step, row, fold },
    "strip" => Strip { strip },
    "detail" => Detail { detail },
    "raw" => Raw { raw },
    "findings" => Findings { findings },
    "loops" => Loops { loops },
    "usage" => Usage { usage },
    "turns" => Turns { turns },
    "waterfall" => Waterfall { waterfall },
    "metrics" => Metrics { metrics },
    "topology" => Topology { topology },
    "diagram" => Diagram { diagram },
    "contract" => Contract { contract },
    "compare" => Compare { compare },
    "compare_rows" => CompareRows { rows },
    "compare_pair" => ComparePair { pair },
    "exported" => Exported { text },
    "match" => Match { matching },
    "text" => Text { text },
    "hits" => Hits { hits },
    "members" => Members { from, members, total },
    "skill" => Skill { skill },
    "conformance" => Conformance { conformance },
    "index" => Index { index },
    "publish" => Publish { publish },
    "neighbour" => Neighbour { neighbour },
    "exported_skills" => ExportedSkills { file, notes },
    "skill_differences" => SkillDifferences { differences },
    "file" => File { file },
    "tried" => Tried { tried },
    "traceability" => Traceability { rows },
    "fetch" => Fetch { visit, wanted, done, of },
    "visit_refused" => VisitRefused { message, remedy },
    "judge_form" => JudgeForm { form },
    "judge_plan" => JudgePlan { plan },
    "judge_refused" => JudgeRefused { what, fix },
    "judge_preview" => JudgePreview { preview },
    "judge_send" => JudgeSend { judge, sends, progress },
    "judged" => Judged { judged, judgements },
    "judge_diagnosis" => JudgeDiagnosis { diagnosis },
    "judge_labels" => JudgeLabels { labels },
    "share_survey" => ShareSurvey { survey },
    "shared_page" => SharedPage { page },
    "shared_link" => SharedLink { data },
    "shared_text" => SharedText { text, tokens },
    "notes" => Notes { notes },
    "step_name" => StepName { step, name },
    "progress" => Progress { progress },
    "many" => Many { many },
    "many_report" => ManyReport { report },
    "many_near" => ManyNear { near },
    "many_matrix" => ManyMatrix { matrix },
    "many_consensus" => ManyConsensus { consensus },
    "fault" => Fault { id, args },
}

variants! { Row or Row::Fold(FoldRow::default());
    "step" => Step(StepRow),
    "fold" => Fold(FoldRow),
    "spawn" => Spawn(SpawnRow),
}

variants! { ManyRow or ManyRow::Group(GroupLine::default());
    "group" => Group(GroupLine),
    "run" => Run(RunLine),
}

variants! { Block or Block::Markdown { nodes: Vec::new() };
    "markdown" => Markdown { nodes },
    "json" => Json { rows, cut },
    "lines" => Lines { lines, cut },
    "diff" => Diff(Diff),
    "picture" => Picture { mime, data },
    "reference" => Reference { mime, name },
}

variants! { Md or Md::Rule;
    "heading" => Heading { level, inline },
    "para" => Para { inline },
    "code" => Code { lang, text },
    "list" => List { start, items },
    "quote" => Quote { nodes },
    "table" => Table { head, rows },
    "rule" => Rule,
}

variants! { Inline or Inline::Break;
    "text" => Text { text },
    "code" => Code { text },
    "strong" => Strong { inline },
    "emph" => Emph { inline },
    "strike" => Strike { inline },
    "link" => Link { href, inline },
    "break" => Break,
}

variants! { RawText or RawText::Nowhere;
    "text" => Text { text },
    "range" => Range { file, start, end },
    "nowhere" => Nowhere,
}

variants! { CardText or CardText::File(String::new());
    "file" => File(String),
    "sentence" => Sentence(Sentence),
}

variants! { RequestResult or RequestResult::Network;
    "answer" => Answer { status, url, headers },
    "network" => Network,
    "timeout" => Timeout,
    "too_large" => TooLarge,
}

variants! { JudgeGot or JudgeGot::Network;
    "answer" => Answer { status, body, retry_after },
    "network" => Network,
    "timeout" => Timeout,
    "too_large" => TooLarge,
    "stopped" => Stopped,
    "off" => Off,
}

variants! { Severity or Severity::Info;
    "error" => Error,
    "warning" => Warning,
    "info" => Info,
}
