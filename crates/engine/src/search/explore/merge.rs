//! Results of jobs, merged into the tree, the coverage and the list of tests.

use std::sync::Arc;

use super::Search;
use crate::check::verdict::leave_open;
use crate::input::Input;
use crate::path::decision::Decision;
use crate::report::{Limit, Origin, Outcome, Run, Test};
use crate::search::job::JobResult;
use crate::search::strategy::Path;

impl Search<'_> {
    pub(super) fn merge(&mut self, result: JobResult, origin: Origin) {
        let JobResult {
            decisions,
            forks,
            mut misses,
            tests,
            infeasible,
            open,
            short,
            mut extended_by_none,
            mut tried_in_part,
            unknown: _,
            effort,
        } = result;
        self.report.extended_by_none.append(&mut extended_by_none);
        self.report.tried_in_part.append(&mut tried_in_part);
        let statistics = &mut self.report.statistics;
        statistics.paths += u64::from(!tests.is_empty());
        statistics.infeasible += u64::from(infeasible) + effort.infeasible;
        statistics.unknown += effort.unknown;
        statistics.divergences += effort.divergences;
        statistics.panics += effort.panics;
        statistics.invalid += effort.invalid;
        statistics.undecided += effort.undecided;
        statistics.accepted += effort.accepted;
        statistics.rejected += effort.rejected;
        statistics.rejection = statistics.rejection.take().or(effort.rejection);
        statistics.solver_calls += effort.calls;
        statistics.solver_work += effort.work;
        statistics.cache_hits += effort.hits;
        statistics.solving += effort.solving;
        statistics.execution += effort.total.saturating_sub(effort.solving);
        for (limit, count) in effort.cut {
            *statistics.cut.entry(limit).or_insert(0) += count;
        }
        for (limit, objects) in open {
            leave_open(&mut self.open, limit, objects);
        }
        if !infeasible {
            let nodes = self.tree.len();
            misses.retain(|miss| self.coverage.distance_of_edge(miss.edge) == Some(0));
            let input = tests.first().map(|(input, _)| Arc::new(input.clone()));
            let forks = self.within_reach(forks);
            for candidate in self.tree.insert(&decisions, &forks, input.as_ref()) {
                let decision = self.tree.decision(candidate.node);
                self.frontier.add(candidate, decision);
            }
            if let (false, Some(input)) = (misses.is_empty(), &input) {
                let path = Path {
                    decisions: &decisions,
                    misses: &misses,
                };
                let beside = self.tree.beside(&decisions);
                for node in self.frontier.passed(&path, &beside) {
                    self.tree.set_neighbour(node, input);
                }
            }
            self.bytes += 160 * (self.tree.len() - nodes) as u64;
            if let Some((limit, objects)) = short {
                match self.may_grow(limit) {
                    true => self.tree.park_end(&decisions, limit, objects),
                    false => self.cut(limit, objects),
                }
            }
        }
        let covered = self.coverage.covered_count();
        for (input, run) in tests {
            self.add_test(input, run, origin, &decisions);
        }
        let new = self.coverage.covered_count() > covered;
        // What no question was needed for is no path, and costs next to nothing.
        let is_cheap = infeasible && effort.calls == 0 && self.has_grown();
        if !is_cheap {
            self.frontier.explored(&decisions, new);
        }
        for miss in misses {
            let nearest = self.nearest.entry(miss.edge).or_insert(u64::MAX);
            if miss.distance < *nearest {
                *nearest = miss.distance;
                self.frontier.came_nearer();
            }
        }
    }

    pub(super) fn add_test(
        &mut self,
        input: Input,
        mut run: Run,
        origin: Origin,
        decisions: &[Decision],
    ) {
        // What is in static fields decided about the run, and may be something else.
        if !run.shared.read.is_empty() {
            leave_open(&mut self.open, Limit::StaticState, 0);
            self.report.statics.extend(&run.shared.read);
        }
        if matches!(run.outcome, Outcome::AssumptionFailed { .. }) {
            return;
        }
        if !self.inputs.insert(input.key()) {
            self.report.statistics.isomorphic += 1;
            return;
        }
        self.report.checked.add(&input, &run);
        if self.only_news && !self.is_news(&run) {
            return;
        }
        if let Some(place) = &self.context.options.reach {
            let mut lines = run.lines.iter();
            self.reached |= lines.any(|line| (line.file, line.line) == (place.file, place.line));
        }
        let index = self.report.tests.len();
        let coverage = Arc::make_mut(&mut self.coverage);
        for edge in run.edges() {
            let new = coverage.cover(edge, index);
            // Somebody called the branch infeasible: a bug as bad as a run that leaves its path.
            if new && coverage.get(edge).is_some_and(|known| known.infeasible) {
                self.report.statistics.divergences += 1;
            }
        }
        run.shorten();
        let cells = input.heap.cells.len() + run.heap.cells.len();
        self.bytes += 200 * cells as u64
            + size_of_val(&run.trail[..]) as u64
            + size_of_val(&run.lines[..]) as u64
            + size_of_val(decisions) as u64;
        self.report.tests.push(Test {
            input,
            origin,
            decisions: decisions.to_vec(),
            run,
        });
    }
}
