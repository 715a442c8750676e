//! Reads the messages of [`super`] back from JSON: what `serde` writes, without what `serde` compiles to read it.
//!
//! Derived reading was a fifth of the page, since it is made anew for every shape, for sequences as well as for maps.
//! Here a shape is a line that names its fields in the order in which they are written; the compiler says when one is
//! missing, `tests/protocol.rs` that what is written is read. The text is read on our own tape ([`crate::json`]); what
//! does not fit is `None`, since the other side is of the same build or not to be trusted.

use crate::json::{Entries, Tape, Val};
use crate::model::{BadLine, Finding, FormatAnswer, ImportReport, Note, Place, Refusal, Repair, Severity};
use crate::protocol::{CompareSeek, Example, Job, Outcome, Progress, Request, Response, Seek};
// Every shape there is, so that a new one is one line below.
use crate::report::skill::*;
use crate::report::*;

/// What can be read back.
pub trait Read: Sized {
    fn read(value: Val<'_>) -> Option<Self>;

    /// What stands for a field that is not there.
    fn absent() -> Option<Self> {
        None
    }
}

/// Reads a message.
pub fn from_json<T: Read>(text: &str) -> Option<T> {
    let mut tape = Tape::new();
    tape.load(text);
    // The tape repairs what it can, for files; a message needs no repair.
    if tape.faults().is_empty() { T::read(tape.doc(text).root()) } else { None }
}

impl Read for String {
    fn read(value: Val<'_>) -> Option<Self> {
        Some(value.as_str()?.into_owned())
    }
}

impl Read for bool {
    fn read(value: Val<'_>) -> Option<Self> {
        value.as_bool()
    }

    fn absent() -> Option<Self> {
        Some(false)
    }
}

impl Read for f64 {
    fn read(value: Val<'_>) -> Option<Self> {
        value.as_f64()
    }
}

impl Read for i64 {
    fn read(value: Val<'_>) -> Option<Self> {
        value.as_i64()
    }
}

impl Read for u64 {
    fn read(value: Val<'_>) -> Option<Self> {
        value.as_u64()
    }
}

macro_rules! small_numbers {
    ($($number:ty)*) => {
        $(impl Read for $number {
            fn read(value: Val<'_>) -> Option<Self> {
                value.as_u64()?.try_into().ok()
            }
        })*
    };
}
small_numbers! { u8 u16 u32 }

impl<T: Read> Read for Option<T> {
    fn read(value: Val<'_>) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value).map(Some) }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: Val<'_>) -> Option<Self> {
        T::read(value).map(Box::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Val<'_>) -> Option<Self> {
        if value.is_array() { value.items().map(T::read).collect() } else { None }
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(value: Val<'_>) -> Option<Self> {
        let mut items = value.items();
        Some((A::read(items.next()?)?, B::read(items.next()?)?))
    }
}

impl<A: Read, B: Read, C: Read> Read for (A, B, C) {
    fn read(value: Val<'_>) -> Option<Self> {
        let mut items = value.items();
        Some((A::read(items.next()?)?, B::read(items.next()?)?, C::read(items.next()?)?))
    }
}

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

    fn take<T: Read>(&mut self, name: &str) -> Option<T> {
        match self.find(name) {
            Some(value) => T::read(value),
            None => T::absent(),
        }
    }
}

/// The variant's name and what it holds: `"done"` or `{"rows": …}`.
fn variant(value: Val<'_>) -> Option<(std::borrow::Cow<'_, str>, Val<'_>)> {
    if value.is_object() { value.entries().next() } else { Some((value.as_str()?, value)) }
}

/// Structs: `Name { field, … }`.
macro_rules! shapes {
    ($($shape:ident { $($field:ident),* })*) => {
        $(impl Read for $shape {
            fn read(value: Val<'_>) -> Option<Self> {
                let mut fields = Fields::of(value);
                Some($shape { $($field: fields.take(stringify!($field))?),* })
            }
        })*
    };
}

/// Enums: `Name: "as written" => Variant, …`.
macro_rules! variants {
    ($enum:ident: $($name:literal => $variant:ident $({ $($field:ident),* })? $(($inner:ty))?,)*) => {
        impl Read for $enum {
            #[allow(unused_mut, unused_variables, reason = "a variant without fields reads none")]
            fn read(value: Val<'_>) -> Option<Self> {
                // Says at compile time when a variant is missing here.
                fn _all(of: &$enum) {
                    match of { $($enum::$variant { .. } => {})* }
                }
                let (name, inner) = variant(value)?;
                let mut fields = Fields::of(inner);
                Some(match &*name {
                    $($name => $enum::$variant $({ $($field: fields.take(stringify!($field))?),* })?
                        $((<$inner>::read(inner)?))?,)*
                    _ => return None,
                })
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
    Rows { from, rows, total, hits, unknown_terms }
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
    MemberRow { member, file, kind, title, id, capability, access, served, findings, status }
    SkillView { member, file, kind, title, id, capability, version, protocol, line, core, strict, card, findings, lines, used_in, can_try }
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
    MoneyReport { reported, by_file, estimated, reported_turns, by_file_turns, estimated_turns, unknown_turns }
    PriceRow { model, input, output, cache_read, cache_write }
    PriceList { date, rows }
    UsageReport { input, output, cached, cache_write, reasoning, money, turns, known_turns, from_totals, peak, model_ms, tool_ms, waiting_ms, duration_ms, models, tools, buckets, prices }
    ModelRow { model, turns, known_turns, input, output, cached, cache_write, money, price }
    ToolRow { tool, calls, errors, input, output, known_calls, money, ms, timed_calls, longest_ms, result_bytes, longest_result, first }
    UsageBucket { first, last, turns, context, cached, cache_write, input, output, money, model_ms, tool_ms, waiting_ms, all_input, all_output, all_money, all_ms, errors, compactions }
    TurnRows { from, total, rows }
    TurnRow { turn, lane, first, last, calls, model, input, output, cached, cache_write, reasoning, cost, cost_kind, model_ms, tool_ms, all_tokens, all_money }
    WaterfallReport { start, local_time, ms, shown_ms, idle_ms, lanes, bars, gaps, untimed }
    WaterfallBar { kind, lane, first, last, steps, tool, failed, x, width, at_ms, ms }
    WaterfallGap { x, ms, step, person }
    MetricsReport { version, metrics, among }
    Metric { id, section, value, unit, n, known_fraction, capped, estimated, steps, percentile }
    TopologyReport { variants, canonical, canonical_length, edges, edge_count, node_count, nearest }
    GraphEdge { from, to, times }
    RunRef { document, run }
    CompareOptions { same, threshold }
    CompareReport { actions, thoughts, note, withheld, divergence, other_action, other_thought, path, rows }
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
    ToolClass { tool, class, calls, others, by_hand }
    VerdictReport { run, document, title, reference, pass, score, precision, recall, f1, lcs_ratio, edit_distance, matched, looked_at, missing, extra, wrong_args, reordered, forbidden, answers, unclassified, reward, truth }
    CallLine { tool, args, step, reference }
    WrongLine { call, in_common, keys }
}

variants! { CompareSeek:
    "row" => Row { row },
    "left" => Left { step },
    "right" => Right { step },
    "difference" => Difference { from, back },
    "divergence" => Divergence,
}

/// Its names are short, since a step may have thousands.
impl Read for Run {
    fn read(value: Val<'_>) -> Option<Self> {
        let mut fields = Fields::of(value);
        Some(Run {
            text: fields.take("t")?,
            colour: fields.take("f")?,
            bold: fields.take("b")?,
            dim: fields.take("d")?,
            italic: fields.take("i")?,
            underline: fields.take("u")?,
        })
    }
}

/// Bytes travel as base64.
impl Read for Blob {
    fn read(value: Val<'_>) -> Option<Self> {
        let mut fields = Fields::of(value);
        let (name, mime) = (fields.take("name")?, fields.take("mime")?);
        let bytes = from_base64(&fields.take::<String>("bytes")?)?;
        Some(Blob { name, mime, bytes })
    }
}

variants! { Job:
    "open" => Open { file, name, size, format },
    "chunk" => Chunk { file },
    "finish" => Finish { file },
    "cancel" => Cancel { file },
    "assemble" => Assemble { files },
    "close" => Close { document },
    "runs" => Runs { document, filter, from, count },
    "rows" => Rows { document, run, view, from, count },
    "find" => Find { document, run, view, seek },
    "strip" => Strip { document, run, buckets },
    "detail" => Detail { document, run, step },
    "raw" => Raw { document, run, step },
    "findings" => Findings { document, run },
    "loops" => Loops { document, run },
    "loops_with" => LoopsWith { document, run, params },
    "usage" => Usage { document, run, prices, buckets },
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
}

variants! { Seek:
    "step" => Step { step },
    "error" => Error { step, back },
    "finding" => Finding { step, back },
    "loop" => Loop { step, back },
}

variants! { Outcome:
    "done" => Done,
    "ready" => Ready { protocol, build },
    "imported" => Imported { file },
    "documents" => Documents { documents, removed },
    "runs" => Runs { from, runs, total },
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
    "progress" => Progress { progress },
    "fault" => Fault { id, args },
}

variants! { Row:
    "step" => Step(StepRow),
    "fold" => Fold(FoldRow),
    "spawn" => Spawn(SpawnRow),
}

variants! { Block:
    "markdown" => Markdown { nodes },
    "json" => Json { rows, cut },
    "lines" => Lines { lines, cut },
    "diff" => Diff(Diff),
    "picture" => Picture { mime, data },
    "reference" => Reference { mime, name },
}

variants! { Md:
    "heading" => Heading { level, inline },
    "para" => Para { inline },
    "code" => Code { lang, text },
    "list" => List { start, items },
    "quote" => Quote { nodes },
    "table" => Table { head, rows },
    "rule" => Rule,
}

variants! { Inline:
    "text" => Text { text },
    "code" => Code { text },
    "strong" => Strong { inline },
    "emph" => Emph { inline },
    "strike" => Strike { inline },
    "link" => Link { href, inline },
    "break" => Break,
}

variants! { RawText:
    "text" => Text { text },
    "range" => Range { file, start, end },
    "nowhere" => Nowhere,
}

variants! { CardText:
    "file" => File(String),
    "sentence" => Sentence(Sentence),
}

variants! { RequestResult:
    "answer" => Answer { status, url, headers },
    "network" => Network,
    "timeout" => Timeout,
    "too_large" => TooLarge,
}

variants! { Severity:
    "error" => Error,
    "warning" => Warning,
    "info" => Info,
}
