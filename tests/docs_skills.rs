//! The tables of docs/neighbours.md and docs/contract.md are those of the code; `UPDATE_DOCS=1` writes them instead.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use skillscope::contract::{Match, Unchecked};
use skillscope::message::{findings, pieces};
use skillscope::skill::from::CODES;

/// Compares the block `name` of a page with what it should be, or writes it.
#[track_caller]
fn block(page: &str, name: &str, rows: &[Vec<String>]) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let whole = std::fs::read_to_string(&path).unwrap();
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = whole.find(&open).unwrap_or_else(|| panic!("{page} has no {open}")) + open.len();
    let to = from + whole[from..].find(&close).unwrap_or_else(|| panic!("{page} has no {close}"));
    let mut expected = String::new();
    for (i, row) in rows.iter().enumerate() {
        expected
            .push_str(&format!("| {} |\n", row.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | ")));
        if i == 0 {
            expected.push_str(&format!("|{}\n", "---|".repeat(row.len())));
        }
    }
    if whole[from..to] == expected {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{}{expected}{}", &whole[..from], &whole[to..])).unwrap();
        return;
    }
    panic!("{page}: the block `{name}` is not in step with the code: UPDATE_DOCS=1 cargo test --test docs_skills");
}

/// A sentence as its pattern: `{n|step|steps}` reads `steps`, other placeholders are in italics.
fn pattern(id: &str) -> String {
    let (en, _) = findings::both(id).unwrap_or_else(|| panic!("no sentence {id}"));
    let part = |p: Result<&str, &str>| match p {
        Ok(text) => text.to_owned(),
        Err(name) => name.rsplit_once('|').map_or_else(|| format!("*{name}*"), |(_, many)| many.to_owned()),
    };
    pieces(en).into_iter().map(part).collect()
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|c| (*c).to_owned()).collect()
}

#[test]
fn codes_of_guesses_and_losses() {
    let mut rows = vec![row(&["Code", "Kind", "Says"])];
    for code in CODES {
        let says = pattern(&format!("neighbour.note.{}", code.id));
        rows.push(row(&[&format!("`{}`", code.id), code.kind.id(), &says]));
    }
    block("docs/neighbours.md", "codes", &rows);
}

#[test]
fn rules_of_names_and_reasons() {
    let mut rows = vec![row(&["Rule", "Finds"])];
    for rule in Match::ALL {
        rows.push(row(&[&format!("`{}`", rule.id()), &pattern(&format!("contract.match.{}", rule.id()))]));
    }
    block("docs/contract.md", "matches", &rows);
    let mut rows = vec![row(&["Reason", "Says"])];
    for why in Unchecked::ALL {
        rows.push(row(&[&format!("`{}`", why.id()), &pattern(&format!("contract.unchecked.{}", why.id()))]));
    }
    block("docs/contract.md", "unchecked", &rows);
}
