//! The screen of an index: what an anonymous caller sees beside the full set, row by row, and the filter.

use std::collections::BTreeSet;

use super::super::fault;
use super::SkillDocument;
use crate::model::{Access, Capability};
use crate::protocol::Outcome;
use crate::report::skill::{CheckOptions, IndexRow, IndexView, MAX_ROWS, Sentence};
use crate::skill::filter;
use crate::skill::suite::Fault;

impl SkillDocument {
    pub(super) fn index(&self, site: u32, words: &str, from: u32, count: u32, asked: &CheckOptions) -> Outcome {
        let known = self.known(asked);
        let Some(seen) = known.sites.get(site as usize) else { return fault("fault.no-index", &[]) };
        let mut view = IndexView {
            site,
            url: seen.url.clone(),
            sites: known.sites.iter().map(|s| s.url.clone()).collect(),
            pages: seen.pages.len() as u32,
            has_full_set: seen.has_full_set,
            from,
            ..IndexView::default()
        };
        let faults = self.faults(&known, None);
        let pages: Vec<usize> = seen.pages.iter().map(|p| p.file).collect();
        let is_here = |f: &&&Fault| (5..=7).contains(&f.finding.property);
        view.findings = faults.iter().filter(is_here).take(MAX_ROWS).map(|f| self.row(f)).collect();
        let mut rows: Vec<IndexRow> = Vec::new();
        for (entry, lead) in seen.entries.iter().zip(&seen.links) {
            let member = self.provider.full.iter().find(|m| m.id == entry.id);
            let inside = |f: &&&Fault| {
                f.file == entry.file
                    && f.finding
                        .pointer
                        .strip_prefix(&entry.pointer)
                        .is_some_and(|r| r.is_empty() || r.starts_with('/'))
            };
            let found: Vec<_> = faults.iter().filter(inside).collect();
            let leaked = found.iter().any(|f| f.finding.check == "SSP-P6-PRIVATE-LISTED");
            let state = if leaked {
                "leaked"
            } else if member.is_none() && seen.has_full_set {
                "extra"
            } else {
                "listed"
            };
            rows.push(IndexRow {
                id: entry.id.clone(),
                name: entry.name.clone(),
                capability: entry.capability_type.clone(),
                anonymous: Some(entry.access_word.clone()),
                full: member.and_then(|m| m.access).map(|a| a.word().into()),
                state: state.into(),
                url: lead.url.clone().or_else(|| entry.descriptor_url.clone()),
                link: lead.state.into(),
                entry: Some((entry.file as u32, entry.pointer.clone())),
                descriptor: lead.file.map(|f| f as u32),
                findings: found.len() as u32,
            });
        }
        let listed: BTreeSet<&str> = seen.entries.iter().map(|e| e.id.as_str()).collect();
        for m in self.provider.full.iter().filter(|m| !listed.contains(m.id.as_str())) {
            let private = m.access == Some(Access::Private);
            rows.push(IndexRow {
                id: m.id.clone(),
                name: m.name.clone(),
                capability: m.capability.map_or("", Capability::word).into(),
                anonymous: None,
                full: m.access.map(|a| a.word().into()),
                state: if private { "withheld" } else { "missing" }.into(),
                descriptor: self.provider.files.get(m.file).map(|_| m.file as u32),
                findings: faults.iter().filter(|f| f.file == m.file && !pages.contains(&f.file)).count() as u32,
                ..IndexRow::default()
            });
        }
        let n = |state: &str| rows.iter().filter(|r| r.state == state).count() as u32;
        (view.missing, view.withheld, view.leaked) = (n("missing"), n("withheld"), n("leaked"));
        view.listed = seen.entries.len() as u32;
        view.capabilities = Capability::ALL
            .iter()
            .map(|c| (c.word().to_owned(), rows.iter().filter(|r| r.capability == c.word()).count() as u32))
            .collect();
        let kept = match sift(&rows, words) {
            Ok(kept) => kept,
            Err(refused) => {
                view.refused = Some(refused);
                return Outcome::Index { index: Box::new(view) };
            }
        };
        view.total = kept.len() as u32;
        view.rows = kept.into_iter().skip(from as usize).take(count.min(500) as usize).cloned().collect();
        Outcome::Index { index: Box::new(view) }
    }
}

/// Rows that satisfy a filter: words of id and name, `capability:` and `state:` terms.
fn sift<'r>(rows: &'r [IndexRow], words: &str) -> Result<Vec<&'r IndexRow>, Sentence> {
    let mut kept: Vec<&IndexRow> = rows.iter().collect();
    for word in words.split_whitespace() {
        if let Some(capability) = word.strip_prefix("capability:") {
            let of_type = filter::by_capability(rows, capability, |r| &r.capability).map_err(|unknown| {
                let (id, args) = unknown.sentence();
                (id.to_owned(), args)
            })?;
            kept.retain(|row| of_type.iter().any(|r| std::ptr::eq(*r, *row)));
        } else if let Some(state) = word.strip_prefix("state:") {
            kept.retain(|row| row.state == state);
        } else {
            let word = word.to_lowercase();
            kept.retain(|row| row.id.to_lowercase().contains(&word) || row.name.to_lowercase().contains(&word));
        }
    }
    Ok(kept)
}
