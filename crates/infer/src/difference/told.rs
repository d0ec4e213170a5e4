//! Differences for people: the smallest heaps, with calls.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_explain::{Labels, picture, words};
use heapwright_logic::{Heap, Value};
use heapwright_testgen::observation::State;

use super::{Broken, Differences};

impl Differences {
    /// All of it for people.
    pub fn told(&self, labels: &dyn Labels) -> String {
        let mut text = String::new();
        let count = |number: usize, one: &str, many: &str| words::count(number as u64, one, many);
        let states = count(self.states, "state", "states");
        let drawn = |state: &State, text: &mut String| {
            let roots = [("this".to_owned(), Value::Ref(state.root))];
            let drawn = picture::draw(labels, &self.definitions, &roots, &shown(state));
            for line in drawn.lines() {
                let _ = writeln!(text, "  {line}");
            }
        };
        // Writing into a text never fails.
        match &self.smallest_rejected {
            None => {
                let _ = writeln!(
                    text,
                    "reached by calls: {states}, {} accepted by the specification",
                    if self.undecided == 0 {
                        "all"
                    } else {
                        "none rejected, not all"
                    }
                );
            }
            Some(rejected) => {
                let _ = writeln!(
                    text,
                    "reached by calls, but not accepted: {} of {states}; the smallest",
                    self.rejected
                );
                drawn(&rejected.state, &mut text);
                let _ = writeln!(text, "  {}", rejected.reason);
                let calls = match &rejected.calls {
                    Some(calls) => format!("built by: {}", calls.join("; ")),
                    None => "calls led there, and a search for the shortest found none".to_owned(),
                };
                let _ = writeln!(text, "  {calls}");
            }
        }
        let models = count(self.models, "model", "models");
        let objects = count(self.objects, "object", "objects");
        let models = format!("{models} of up to {objects}");
        match &self.smallest_unreached {
            None => {
                let _ = writeln!(text, "accepted: {models}, all reached by calls");
            }
            Some((state, broken)) => {
                let what = match broken {
                    Some(_) => "one that a call breaks",
                    None => "the smallest",
                };
                let _ = writeln!(
                    text,
                    "accepted, but not seen to be reached by calls: {} of {models}; {what}",
                    self.unreached
                );
                drawn(state, &mut text);
                match broken {
                    None => {
                        let _ = writeln!(text, "  no call that was tried breaks it");
                    }
                    Some(Broken::Fails { call, why }) => {
                        let _ = writeln!(text, "  {call} fails on it: {why}");
                    }
                    Some(Broken::Leaves { call, state }) => {
                        let _ = writeln!(text, "  {call} leaves an object that is not accepted");
                        drawn(state, &mut text);
                    }
                }
            }
        }
        if self.is_cut {
            let _ = writeln!(
                text,
                "not everything was compared: calls were followed in states of up to {}",
                count(self.closed_to, "object", "objects")
            );
        }
        text
    }
}

/// A state without references to values.
fn shown(state: &State) -> Heap {
    let mut heap = state.heap.clone();
    let objects: BTreeSet<_> = heap.cells.keys().copied().collect();
    for value in heap.cells.values_mut().flat_map(|cell| &mut cell.fields) {
        if matches!(value, Value::Ref(loc) if !objects.contains(loc)) {
            *value = Value::Null;
        }
    }
    heap
}
