//! Which skill a call means: the call's name against ids and names of skills, by the first rule that finds one.
//!
//! | rule | the call says | the skill is |
//! |---|---|---|
//! | `id` | `com.example/translate` | its id |
//! | `name` | `translate` | its name |
//! | `tail` | `translate` | `com.example/translate`: what follows the first or the last `/` of its id |
//! | `prefix` | `mcp__files__read`, `files/read`, `functions.read` | `read`, by one of the rules above |
//! | `written` | `com_example_translate` | an id or name with `_` where providers allow no other sign |
//!
//! Of several skills by the same rule those come first whose namespace is the server that the call names; the caller
//! decides between the rest. A look-up is O(log skills); the nearest name costs O(skills) and is asked for rarely.

use std::collections::BTreeMap;

use crate::fuzzy;
use crate::model::Skill;

/// The rule by which a skill was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    Id,
    Name,
    Tail,
    Prefix,
    Written,
}

impl Match {
    /// Every rule, in the order in which they are tried.
    pub const ALL: [Match; 5] = [Match::Id, Match::Name, Match::Tail, Match::Prefix, Match::Written];

    /// The stable word for exports.
    pub fn id(self) -> &'static str {
        match self {
            Match::Id => "id",
            Match::Name => "name",
            Match::Tail => "tail",
            Match::Prefix => "prefix",
            Match::Written => "written",
        }
    }
}

/// Skills by every name that a call may use.
pub struct Directory<'a> {
    skills: &'a [Skill],
    ids: BTreeMap<&'a str, Vec<u32>>,
    names: BTreeMap<&'a str, Vec<u32>>,
    tails: BTreeMap<&'a str, Vec<u32>>,
    written: BTreeMap<String, Vec<u32>>,
}

/// A longer list of skills of one name is cut.
const MAX_SAME: usize = 8;

impl<'a> Directory<'a> {
    pub fn new(skills: &'a [Skill]) -> Self {
        let mut out = Self {
            skills,
            ids: BTreeMap::new(),
            names: BTreeMap::new(),
            tails: BTreeMap::new(),
            written: BTreeMap::new(),
        };
        for (at, skill) in skills.iter().enumerate() {
            let at = at as u32;
            put(&mut out.ids, skill.id.as_str(), at);
            put(&mut out.names, skill.name.as_str(), at);
            for tail in tails(&skill.id) {
                put(&mut out.tails, tail, at);
            }
            for name in [&skill.id, &skill.name] {
                put(&mut out.written, written(name), at);
            }
        }
        out
    }

    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// The skills that a call of this name means, and the rule; none when no rule finds one.
    pub fn find(&self, tool: &str) -> Option<(Match, Vec<u32>)> {
        // Of many runs few have skills, and cutting names costs as much without.
        if self.is_empty() {
            return None;
        }
        let found = self.plain(tool).or_else(|| {
            // The longest rest first: `a.b.c` is rather `b.c` than `c`.
            prefixes(tool).into_iter().find_map(|(server, rest)| {
                let (_, found) = self.plain(rest)?;
                Some((Match::Prefix, self.of_server(server, found)))
            })
        });
        let (rule, mut found) = found.or_else(|| Some((Match::Written, self.written.get(&written(tool))?.clone())))?;
        found.truncate(MAX_SAME);
        Some((rule, found))
    }

    fn plain(&self, tool: &str) -> Option<(Match, Vec<u32>)> {
        [(Match::Id, &self.ids), (Match::Name, &self.names), (Match::Tail, &self.tails)]
            .into_iter()
            .find_map(|(rule, table)| Some((rule, table.get(tool)?.clone())))
    }

    /// Those of a server, when there are any.
    fn of_server(&self, server: &str, found: Vec<u32>) -> Vec<u32> {
        let server = fuzzy::bare(server);
        let of = |at: &u32| {
            let id = self.skills.get(*at as usize).map_or("", |s| s.id.as_str());
            let space = fuzzy::bare(id.rsplit_once('/').map_or("", |(space, _)| space));
            !space.is_empty() && !server.is_empty() && (space.contains(&server) || server.contains(&space))
        };
        let own: Vec<u32> = found.iter().copied().filter(of).collect();
        if own.is_empty() { found } else { own }
    }

    /// Whether the call names a server that one of the skills belongs to: then the skill should be here.
    pub fn knows_server(&self, tool: &str) -> bool {
        let Some(server) = tool.strip_prefix("mcp__").and_then(|t| t.split_once("__")).map(|(s, _)| fuzzy::bare(s))
        else {
            return false;
        };
        !server.is_empty()
            && self.skills.iter().any(|s| {
                let space = s.id.split_once('/').map_or("", |(space, _)| space);
                // The last word of `io.github.owner.server`, or of `owner/server`.
                fuzzy::bare(space.rsplit(['.', '/']).next().unwrap_or_default()) == server
            })
    }

    /// The name that was probably meant, as the call should have written it.
    pub fn nearest(&self, tool: &str) -> Option<&'a str> {
        if self.is_empty() {
            return None;
        }
        let bare = prefixes(tool).last().map_or(tool, |(_, rest)| *rest);
        let names = || self.names.keys().chain(self.tails.keys()).copied();
        fuzzy::nearest(tool, names()).or_else(|| fuzzy::nearest(bare, names()))
    }

    /// A name that is the same but for case and separators, or one letter away and long enough to be no chance.
    pub fn surely_meant(&self, tool: &str) -> Option<&'a str> {
        let near = self.nearest(tool)?;
        let bare = prefixes(tool).last().map_or(tool, |(_, rest)| *rest);
        let near_folded = fuzzy::bare(near);
        let sure = [tool, bare].iter().any(|t| {
            let t = fuzzy::bare(t);
            t == near_folded || (near_folded.chars().count() >= 8 && fuzzy::distance(&t, &near_folded, 1).is_some())
        });
        sure.then_some(near)
    }
}

fn put<K: Ord>(table: &mut BTreeMap<K, Vec<u32>>, key: K, at: u32) {
    let list = table.entry(key).or_default();
    if list.last() != Some(&at) {
        list.push(at);
    }
}

/// What follows the first and the last `/` of an id.
fn tails(id: &str) -> impl Iterator<Item = &str> {
    let first = id.split_once('/').map(|(_, tail)| tail);
    let last = id.rsplit_once('/').map(|(_, tail)| tail);
    [first, last.filter(|l| Some(*l) != first)].into_iter().flatten().filter(|t| !t.is_empty())
}

/// The server or namespace of a call's name with what follows, for every way to cut it; the longest rest first.
fn prefixes(tool: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let name = tool.strip_prefix("mcp__").unwrap_or(tool);
    if name.len() < tool.len() && !name.contains("__") {
        out.push(("", name));
    }
    for separator in ["__", "/", ":", "."] {
        let mut from = 0;
        while let Some(at) = name.get(from..).and_then(|rest| rest.find(separator)) {
            let cut = from + at;
            let rest = name.get(cut + separator.len()..).unwrap_or_default();
            if cut > 0 && !rest.is_empty() && out.len() < 16 {
                out.push((name.get(..cut).unwrap_or_default(), rest));
            }
            from = cut + separator.len();
        }
    }
    out
}

/// The name as providers write it that allow letters, digits, `_` and `-` alone.
fn written(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skills(ids: &[&str]) -> Vec<Skill> {
        ids.iter().map(|id| Skill::of_run(id)).collect()
    }

    #[track_caller]
    fn check(ids: &[&str], tool: &str, expected: Option<(Match, &str)>) {
        let skills = skills(ids);
        let directory = Directory::new(&skills);
        let found = directory.find(tool).map(|(rule, at)| (rule, skills[at[0] as usize].id.as_str()));
        assert_eq!(found, expected, "{tool} in {ids:?}");
    }

    #[test]
    fn the_rules_in_their_order() {
        check(&["com.example/translate"], "com.example/translate", Some((Match::Id, "com.example/translate")));
        check(&["com.example/translate"], "translate", Some((Match::Tail, "com.example/translate")));
        check(&["a/b/c"], "b/c", Some((Match::Tail, "a/b/c")));
        check(&["a/b/c"], "c", Some((Match::Tail, "a/b/c")));
        check(&["read"], "mcp__files__read", Some((Match::Prefix, "read")));
        check(&["read"], "files/read", Some((Match::Prefix, "read")));
        check(&["bash"], "functions.bash", Some((Match::Prefix, "bash")));
        check(&["files/read"], "mcp__files__read", Some((Match::Prefix, "files/read")));
        check(&["com.example/translate"], "com_example_translate", Some((Match::Written, "com.example/translate")));
        check(&["read"], "Read", None);
        check(&["read"], "mcp__files__write", None);
        check(&[], "read", None);
        check(&["b.c", "c"], "a.b.c", Some((Match::Prefix, "b.c")));
    }

    #[test]
    fn the_server_decides_between_equals() {
        let ids = ["io.github.docs/search", "io.github.code/search"];
        check(&ids, "mcp__code__search", Some((Match::Prefix, "io.github.code/search")));
        check(&ids, "mcp__docs__search", Some((Match::Prefix, "io.github.docs/search")));
        check(&ids, "mcp__else__search", Some((Match::Prefix, "io.github.docs/search")));
    }

    #[test]
    fn a_server_that_is_here() {
        let skills = skills(&["io.github.code/search"]);
        let directory = Directory::new(&skills);
        assert!(directory.knows_server("mcp__code__find"));
        assert!(!directory.knows_server("mcp__other__find"));
        assert!(!directory.knows_server("find"));
    }

    #[test]
    fn what_was_meant() {
        let skills = skills(&["read_file", "io.x/list_directory", "Edit"]);
        let directory = Directory::new(&skills);
        assert_eq!(directory.nearest("readFile"), Some("read_file"));
        assert_eq!(directory.nearest("mcp__x__list_directroy"), Some("list_directory"));
        assert_eq!(directory.nearest("weather"), None);
        assert_eq!(directory.surely_meant("readFile"), Some("read_file"));
        assert_eq!(directory.surely_meant("list_directoy"), Some("list_directory"));
        // One letter of four may well be another tool.
        assert_eq!(directory.surely_meant("Exit"), None);
    }
}
