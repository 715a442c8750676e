//! Checking a provider by its address: the page makes the requests, the workbench keeps what came and says what is next.

use super::super::{Workbench, fault};
use super::SkillDocument;
use crate::protocol::Outcome;
use crate::report::skill::{CheckOptions, RequestResult, Sentence, WantedRequest};
use crate::skill::publish;
use crate::skill::visit::{Got, Here, Visit};
use crate::skill::wellknown::{self, Remark};

impl Workbench {
    /// Begins to check a provider by its address.
    pub(in crate::engine) fn visit(
        &mut self,
        text: &str,
        page: &str,
        document: Option<u32>,
        asked: &CheckOptions,
    ) -> Outcome {
        let full = document.and_then(|d| self.skill_documents.get(&d));
        let full = full.map(|d| publish::members(&d.provider)).unwrap_or_default();
        match Visit::start(text, Here::of(page), asked.profile == "strict", full) {
            Err(remark) => {
                let (message, remedy) = said(&remark, text);
                Outcome::VisitRefused { message, remedy }
            }
            Ok(visit) => {
                self.next += 1;
                self.visits.insert(self.next, visit);
                self.go_on(self.next)
            }
        }
    }

    /// Takes what came of a request.
    pub(in crate::engine) fn fetched(
        &mut self,
        visit: u32,
        request: u32,
        result: RequestResult,
        bytes: Option<&[u8]>,
    ) -> Outcome {
        let got = match result {
            RequestResult::Answer { status, url, headers } => {
                Got::Answer { status, url, headers, bytes: bytes.unwrap_or_default().to_vec() }
            }
            RequestResult::Network => Got::Network,
            RequestResult::Timeout => Got::Timeout,
            RequestResult::TooLarge => Got::TooLarge,
        };
        match self.visits.get_mut(&visit) {
            Some(open) => open.answer(request, got),
            None => return fault("fault.no-visit", &[]),
        }
        self.go_on(visit)
    }

    /// The next requests, or the document when everything came.
    fn go_on(&mut self, visit: u32) -> Outcome {
        let Some(open) = self.visits.get_mut(&visit) else { return fault("fault.no-visit", &[]) };
        let wanted: Vec<WantedRequest> = open
            .wanted()
            .into_iter()
            .map(|w| WantedRequest { id: w.id, url: w.url, max_bytes: w.max_bytes, timeout_ms: w.timeout_ms })
            .collect();
        if !open.is_done() {
            let (done, of) = open.progress();
            return Outcome::Fetch { visit, wanted, done: done as u32, of: of as u32 };
        }
        let Some(done) = self.visits.remove(&visit) else { return fault("fault.no-visit", &[]) };
        let url = done.url.clone();
        let host = wellknown::origin(&url).unwrap_or_else(|| url.clone());
        let name = host.split_once("://").map_or(host.clone(), |(_, rest)| rest.to_owned());
        let document = SkillDocument::new(visit, name, Vec::new(), done.finish(), Some(url));
        let summary = document.summary();
        self.skill_documents.insert(visit, document);
        self.hold_runs_to_skills(vec![summary], Vec::new())
    }
}

/// A remark about an address as two sentences.
fn said(remark: &Remark, typed: &str) -> (Sentence, Sentence) {
    let args = vec![("url".to_owned(), typed.trim().to_owned()), ("detail".to_owned(), remark.detail.clone())];
    let message = crate::message::provider::id_of(remark.reason).to_owned();
    ((message, args.clone()), (format!("skill.remedy.{}", remark.reason), args))
}
