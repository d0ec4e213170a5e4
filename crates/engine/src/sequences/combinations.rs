//! The combinations of arguments that an operation is called with.

use super::{Argument, Operation};

/// How many combinations of arguments of one operation are tried.
const MOST_COMBINATIONS: usize = 10_000;

/// The combinations of arguments, and whether sequences go on behind them.
pub(super) fn combinations(operation: &Operation, is_cut: &mut bool) -> Vec<(Vec<Argument>, bool)> {
    let mut found: Vec<Vec<Argument>> = vec![Vec::new()];
    for domain in &operation.domains {
        let longer = found.iter().flat_map(|arguments| {
            domain.iter().map(|argument| {
                let mut arguments = arguments.clone();
                arguments.push(argument.clone());
                arguments
            })
        });
        let mut longer: Vec<Vec<Argument>> = longer.take(MOST_COMBINATIONS + 1).collect();
        if longer.len() > MOST_COMBINATIONS {
            longer.truncate(MOST_COMBINATIONS);
            *is_cut = true;
        }
        found = longer;
    }
    let first: Option<Vec<Argument>> = (operation.domains.iter())
        .map(|domain| domain.first().cloned())
        .collect();
    let mut combined: Vec<(Vec<Argument>, bool)> = (found.into_iter())
        .map(|arguments| (arguments, operation.builds))
        .collect();
    for (index, probes) in operation.probes.iter().enumerate() {
        for probe in probes {
            let others = (operation.domains.iter()).map(|domain| domain.first().cloned());
            let mut arguments: Vec<Option<Argument>> = others.collect();
            if let Some(place) = arguments.get_mut(index) {
                *place = Some(probe.clone());
            }
            let arguments: Option<Vec<Argument>> = arguments.into_iter().collect();
            combined.extend(arguments.map(|arguments| (arguments, false)));
        }
    }
    // Without a value for some parameter there is no combination, but there may be a probe.
    if first.is_none() {
        combined.retain(|(_, builds)| !builds);
    }
    combined
}
