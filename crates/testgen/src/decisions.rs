//! The decisions of all tests of a procedure, each told once.
//!
//! Tests of one procedure decide mostly alike: fifty tests of fifty decisions have a hundred
//! different ones. Said in full in every test, they would be most of a report.

use std::collections::HashMap;

use heapwright_engine::Decision;
use heapwright_explain::words;
use serde_json::{Value as Json, json};

use crate::json::add_place;
use crate::suite::Suite;

/// Decisions by their positions in a list.
pub struct Decisions<'s> {
    suite: &'s Suite,
    told: Vec<Json>,
    /// The positions of those that were asked for.
    positions: HashMap<Decision, usize>,
    /// Decisions that differ in what is not told have one position.
    by_text: HashMap<String, usize>,
}

impl<'s> Decisions<'s> {
    /// None so far, of the tests of a procedure.
    pub fn of(suite: &'s Suite) -> Decisions<'s> {
        Decisions {
            suite,
            told: Vec::new(),
            positions: HashMap::new(),
            by_text: HashMap::new(),
        }
    }

    /// The position of a decision in the list.
    pub fn position(&mut self, decision: &Decision) -> usize {
        if let Some(&known) = self.positions.get(decision) {
            return known;
        }
        let json = self.tell(decision);
        let position = *(self.by_text.entry(json.to_string())).or_insert(self.told.len());
        if position == self.told.len() {
            self.told.push(json);
        }
        self.positions.insert(*decision, position);
        position
    }

    /// The list, in the order in which decisions were asked for first.
    pub fn into_told(self) -> Vec<Json> {
        self.told
    }

    fn tell(&self, decision: &Decision) -> Json {
        let program = &self.suite.subject.program;
        let mut json = json!({
            "words": words::decision(program, self.suite.cases(), decision),
            "forced": decision.forced,
        });
        if let Some(site) = decision.site {
            add_place(&mut json, program, site.point.position(program));
        }
        json
    }
}
