//! Two descriptors of a skill: what was added, removed and changed, and whether a caller of the first breaks on the second.
//!
//! What a skill takes may only become wider, what it gives only narrower: a new required input breaks, a new optional one
//! does not; for outputs the other way round. Where a schema changes in a way that is not understood, the weight is
//! `unsure`, never `compatible`. Texts for people, tags and the like weigh nothing. O(size of both); depth is bounded.

use std::collections::BTreeSet;

use crate::json::{Kind, Val, pointer_token};
use crate::skill::canon::equals;
use crate::skill::version;

/// What happened to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Added,
    Removed,
    Changed,
}

impl Change {
    /// The stable word.
    pub fn id(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
        }
    }
}

/// What it means for a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Calls that worked will fail, or results will not be understood.
    Breaking,
    /// Nobody can tell from the descriptors.
    Unsure,
    /// Calls that worked will work.
    Compatible,
    /// Of no meaning for calls.
    Note,
}

impl Weight {
    /// The stable word.
    pub fn id(self) -> &'static str {
        match self {
            Weight::Breaking => "breaking",
            Weight::Unsure => "unsure",
            Weight::Compatible => "compatible",
            Weight::Note => "note",
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub pointer: String,
    pub change: Change,
    pub weight: Weight,
    /// The values as they stand, shortened.
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Two descriptors, compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// In the order of the documents.
    pub differences: Vec<Difference>,
    /// Differences beyond [`MAX_DIFFERENCES`].
    pub cut: u32,
}

impl Compared {
    /// The gravest weight; `None` when nothing differs.
    pub fn weight(&self) -> Option<Weight> {
        self.differences.iter().map(|d| d.weight).min()
    }
}

/// More differences are counted and not listed.
pub const MAX_DIFFERENCES: usize = 1000;

/// Deeper schemas are compared as a whole.
const MAX_DEPTH: usize = 40;

/// Characters of a value that are shown.
const MAX_SHOWN: usize = 120;

/// Compares two descriptors, the first being the older one.
pub fn compare(before: Val<'_>, after: Val<'_>) -> Compared {
    let mut out = Walk::default();
    for (key, a, b) in members(before, after) {
        let pointer = format!("/{}", pointer_token(&key));
        match key.as_str() {
            "inputs" => out.schema(a, b, &pointer, Way::In, 0),
            "output" => out.output(a, b, &pointer),
            "protocol" => out.protocol(a, b),
            "endpoint" => {
                out.each(a, b, &pointer, |key| if key == "timeout_ms" { Weight::Note } else { Weight::Breaking })
            }
            "auth" => out.auth(a, b, &pointer),
            "access" => out.access(a, b, &pointer),
            "id" => out.value(a, b, &pointer, Weight::Breaking),
            "annotations" => out.each(a, b, &pointer, |_| Weight::Unsure),
            "provider" => out.each(a, b, &pointer, |_| Weight::Note),
            _ => out.value(a, b, &pointer, Weight::Note),
        }
    }
    out.compared
}

/// The members of two objects by name: the first's in its order, then those that only the second has.
fn members<'a>(a: Val<'a>, b: Val<'a>) -> Vec<(String, Option<Val<'a>>, Option<Val<'a>>)> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for (key, _) in a.entries().chain(b.entries()) {
        let key = key.into_owned();
        if seen.insert(key.clone()) {
            out.push((key.clone(), a.get(&key), b.get(&key)));
        }
    }
    out
}

/// Which way values go: into the skill, or out of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Way {
    /// The weight of taking fewer values than before.
    fn narrower(self) -> Weight {
        if self == Way::In { Weight::Breaking } else { Weight::Compatible }
    }

    fn wider(self) -> Weight {
        if self == Way::In { Weight::Compatible } else { Weight::Breaking }
    }
}

#[derive(Default)]
struct Walk {
    compared: Compared,
}

impl Walk {
    fn add(&mut self, pointer: &str, a: Option<Val<'_>>, b: Option<Val<'_>>, weight: Weight) {
        let change = match (a, b) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        if self.compared.differences.len() >= MAX_DIFFERENCES {
            self.compared.cut += 1;
            return;
        }
        let shown = |v: Option<Val<'_>>| v.map(|v| shown(v.raw()));
        self.compared.differences.push(Difference {
            pointer: pointer.to_owned(),
            change,
            weight,
            before: shown(a),
            after: shown(b),
        });
    }

    fn value(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str, weight: Weight) {
        if !same(a, b) {
            self.add(pointer, a, b, weight);
        }
    }

    /// Member by member, where both are objects.
    fn each(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str, weigh: impl Fn(&str) -> Weight) {
        match (a, b) {
            (Some(x), Some(y)) if x.is_object() && y.is_object() => {
                for (key, a, b) in members(x, y) {
                    self.value(a, b, &format!("{pointer}/{}", pointer_token(&key)), weigh(&key));
                }
            }
            _ => self.value(a, b, pointer, weigh("")),
        }
    }

    fn protocol(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>) {
        let text = |v: Option<Val<'_>>| v.and_then(|v| v.str("version")).map(|s| s.into_owned()).unwrap_or_default();
        let (old, new) = (text(a), text(b));
        let major = |v: &str| version::parts(v).map(|[major, ..]| major.to_owned());
        let weight = match (major(&old), major(&new)) {
            (Some(old), Some(new)) if version::compare_number(&old, &new).is_eq() => Weight::Note,
            (Some(old), Some(new)) if version::compare_number(&old, &new).is_gt() => Weight::Unsure,
            _ => Weight::Breaking,
        };
        self.each(a, b, "/protocol", |key| if key == "version" { weight } else { Weight::Note });
    }

    fn auth(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str) {
        let kind = |v: Option<Val<'_>>| v.and_then(|v| v.str("type")).map(|s| s.into_owned()).unwrap_or_default();
        if kind(a) != kind(b) {
            let weight = if kind(b) == "none" { Weight::Compatible } else { Weight::Breaking };
            self.add(pointer, a, b, weight);
            return;
        }
        self.each(a, b, pointer, |key| match key {
            "description" => Weight::Note,
            "grant_types" | "scopes" | "metadata_url" => Weight::Unsure,
            key if key.starts_with("x-") => Weight::Unsure,
            _ => Weight::Breaking,
        });
    }

    fn access(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str) {
        let rank = |v: Option<Val<'_>>| {
            let word = v.and_then(Val::as_str)?;
            ["public", "restricted", "private"].iter().position(|w| *w == word)
        };
        let weight = match (rank(a), rank(b)) {
            (Some(old), Some(new)) if new < old => Weight::Compatible,
            _ => Weight::Breaking,
        };
        self.value(a, b, pointer, weight);
    }

    /// An output that was undeclared promised nothing.
    fn output(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str) {
        let empty = |v: Option<Val<'_>>| v.is_none_or(|v| v.is_object() && v.is_empty());
        match (empty(a), empty(b)) {
            (true, true) => {}
            (true, false) => self.value(a, b, pointer, Weight::Compatible),
            (false, true) => self.value(a, b, pointer, Weight::Breaking),
            (false, false) => self.schema(a, b, pointer, Way::Out, 0),
        }
    }

    fn schema(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str, way: Way, depth: usize) {
        if same(a, b) {
            return;
        }
        let (Some(x), Some(y)) = (a, b) else {
            // A schema where none was says more than before.
            return self.add(pointer, a, b, if a.is_none() { way.narrower() } else { way.wider() });
        };
        if !x.is_object() || !y.is_object() || depth >= MAX_DEPTH {
            return self.add(pointer, a, b, Weight::Unsure);
        }
        for (key, a, b) in members(x, y) {
            if same(a, b) {
                continue;
            }
            let at = format!("{pointer}/{}", pointer_token(&key));
            match key.as_str() {
                "properties" => self.properties(x, y, &at, way, depth),
                "required" => self.words(a, b, &at, |added| if added { way.narrower() } else { way.wider() }),
                "enum" => self.words(a, b, &at, |added| if added { way.wider() } else { way.narrower() }),
                "type" => self.kinds(a, b, &at, way),
                "items" | "additionalProperties" if is_schema(a) && is_schema(b) => {
                    self.schema(a, b, &at, way, depth + 1);
                }
                "additionalProperties" => {
                    let closes = |v: Option<Val<'_>>| v.is_some_and(|v| v.kind() == Kind::False);
                    let weight = match (closes(a), closes(b)) {
                        (false, true) => way.narrower(),
                        (true, false) => way.wider(),
                        _ => Weight::Unsure,
                    };
                    self.add(&at, a, b, weight);
                }
                "minimum" | "minLength" | "minItems" | "minProperties" | "exclusiveMinimum" => {
                    self.bound(a, b, &at, way, 1.0);
                }
                "maximum" | "maxLength" | "maxItems" | "maxProperties" | "exclusiveMaximum" => {
                    self.bound(a, b, &at, way, -1.0);
                }
                "title" | "description" | "examples" | "$comment" | "default" | "deprecated" | "$id" | "example" => {
                    self.add(&at, a, b, Weight::Note);
                }
                _ => self.add(&at, a, b, Weight::Unsure),
            }
        }
    }

    fn properties(&mut self, x: Val<'_>, y: Val<'_>, pointer: &str, way: Way, depth: usize) {
        let needed =
            |schema: Val<'_>, name: &str| schema.get("required").is_some_and(|r| r.items().any(|n| n.is(name)));
        let closed = |schema: Val<'_>| schema.get("additionalProperties").is_some_and(|v| v.kind() == Kind::False);
        fn list(schema: Val<'_>) -> Option<Val<'_>> {
            schema.get("properties").filter(|p| p.is_object())
        }
        let (Some(old), Some(new)) = (list(x), list(y)) else {
            let (a, b) = (x.get("properties"), y.get("properties"));
            return self.add(pointer, a, b, Weight::Unsure);
        };
        for (name, a, b) in members(old, new) {
            let at = format!("{pointer}/{}", pointer_token(&name));
            match (a, b, way) {
                (Some(_), Some(_), _) => self.schema(a, b, &at, way, depth + 1),
                // A new input: that it is required is told at `required`.
                (None, _, Way::In) => {
                    let weight = if needed(y, &name) { Weight::Breaking } else { Weight::Compatible };
                    self.add(&at, a, b, weight);
                }
                // An input that is no longer known is refused, or passed over.
                (_, None, Way::In) => {
                    let weight = if closed(y) { Weight::Breaking } else { Weight::Unsure };
                    self.add(&at, a, b, weight);
                }
                (None, _, Way::Out) => {
                    let weight = if closed(x) { Weight::Unsure } else { Weight::Compatible };
                    self.add(&at, a, b, weight);
                }
                (_, None, Way::Out) => {
                    let weight = if needed(x, &name) { Weight::Breaking } else { Weight::Unsure };
                    self.add(&at, a, b, weight);
                }
            }
        }
    }

    /// Two lists of values as sets, value by value.
    fn words(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str, weigh: impl Fn(bool) -> Weight) {
        fn items(v: Option<Val<'_>>) -> Option<Vec<Val<'_>>> {
            v.filter(|v| v.is_array()).map(|v| v.items().collect())
        }
        // No `required` is an empty one; no `enum` is every value there is.
        let is_enum = pointer.ends_with("/enum");
        if (is_enum && (a.is_none() || b.is_none())) || items(a.or(b)).is_none() {
            let weight = if is_enum { weigh(b.is_none()) } else { Weight::Unsure };
            return self.add(pointer, a, b, weight);
        }
        let (old, new) = (items(a).unwrap_or_default(), items(b).unwrap_or_default());
        let has = |list: &[Val<'_>], one: Val<'_>| list.iter().any(|v| equals(*v, one));
        for one in old.iter().filter(|v| !has(&new, **v)) {
            self.add(pointer, Some(*one), None, weigh(false));
        }
        for one in new.iter().filter(|v| !has(&old, **v)) {
            self.add(pointer, None, Some(*one), weigh(true));
        }
    }

    fn kinds(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str, way: Way) {
        fn all(v: Option<Val<'_>>) -> Option<BTreeSet<String>> {
            let v = v?;
            let mut out: BTreeSet<String> = match v.as_str() {
                Some(one) => BTreeSet::from([one.into_owned()]),
                None => v.items().filter_map(Val::as_str).map(|s| s.into_owned()).collect(),
            };
            // Every integer is a number.
            if out.contains("number") {
                out.insert("integer".to_owned());
            }
            Some(out)
        }
        let weight = match (all(a), all(b)) {
            (Some(old), Some(new)) if old == new => return,
            (Some(old), Some(new)) if old.is_subset(&new) => way.wider(),
            (Some(old), Some(new)) if new.is_subset(&old) => way.narrower(),
            (Some(_), Some(_)) => Weight::Breaking,
            (None, _) => way.narrower(),
            (_, None) => way.wider(),
        };
        self.add(pointer, a, b, weight);
    }

    /// `sign` is 1 when more is narrower.
    fn bound(&mut self, a: Option<Val<'_>>, b: Option<Val<'_>>, pointer: &str, way: Way, sign: f64) {
        let number = |v: Option<Val<'_>>| v.and_then(Val::as_f64);
        let weight = match (a, b, number(a), number(b)) {
            (None, Some(_), _, Some(_)) => way.narrower(),
            (Some(_), None, Some(_), _) => way.wider(),
            (_, _, Some(old), Some(new)) => {
                if (new - old) * sign > 0.0 {
                    way.narrower()
                } else {
                    way.wider()
                }
            }
            _ => Weight::Unsure,
        };
        self.add(pointer, a, b, weight);
    }
}

fn is_schema(v: Option<Val<'_>>) -> bool {
    v.is_some_and(Val::is_object)
}

fn same(a: Option<Val<'_>>, b: Option<Val<'_>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => equals(a, b),
        (None, None) => true,
        _ => false,
    }
}

fn shown(raw: &str) -> String {
    match raw.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}…", raw.get(..at).unwrap_or_default()),
        None => raw.to_owned(),
    }
}
