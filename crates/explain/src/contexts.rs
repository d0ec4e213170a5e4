//! The contexts of a predicate, iteration by iteration.

use std::collections::BTreeSet;
use std::io::{self, Write};

use heapwright_logic::{
    Contexts, LfpBudget, LfpOutcome, PredId, Printer, SymbolicHeap, least_fixed_point,
};

use heapwright_spec::questions::QuestionFile;

/// So many contexts or abstractions of one iteration are written out.
const MOST_SHOWN: usize = 8;

/// Prints how the least fixed point of a predicate is reached, and what it is.
pub fn describe(
    input: &mut QuestionFile,
    predicate: PredId,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (terms, definitions) = (&mut input.terms, &input.definitions);
    let result = least_fixed_point(terms, definitions, &[predicate], LfpBudget::default());
    // Iteration 0 is the predicate itself.
    for (iteration, entries) in result.trace.iter().enumerate().skip(1) {
        for entry in entries {
            let count = entry.contexts.len();
            let noun = if count == 1 { "context" } else { "contexts" };
            writeln!(
                out,
                "  iteration {iteration}: {count} {noun}, abstracted to"
            )?;
            let abstraction = distinct(input, &entry.abstraction, entry);
            if abstraction.is_empty() {
                writeln!(out, "    nothing yet: all of them are open")?;
            }
            for heap in abstraction {
                writeln!(out, "    {heap}")?;
            }
        }
    }
    match result.outcome {
        LfpOutcome::FixedPoint => writeln!(out, "  fixed point, with these contexts:")?,
        LfpOutcome::Truncated => {
            writeln!(out, "  stopped before a fixed point, with these contexts:")?
        }
    }
    for entry in result.contexts() {
        let shown = distinct(input, &entry.contexts, entry);
        for context in shown {
            writeln!(out, "    {context}")?;
        }
    }
    Ok(())
}

/// The heaps as text, each once, in order, the first few of them.
fn distinct(input: &QuestionFile, heaps: &[SymbolicHeap], of: &Contexts) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut shown = Vec::new();
    for heap in heaps {
        let mut printer = Printer::new(&input.terms, &input.definitions);
        for &param in &input.definitions.predicate(of.predicate).params {
            printer.variable(param);
        }
        let text = printer.symbolic_heap(heap);
        if seen.insert(text.clone()) {
            shown.push(text);
        }
    }
    if shown.len() > MOST_SHOWN {
        let more = shown.len() - MOST_SHOWN;
        shown.truncate(MOST_SHOWN);
        shown.push(format!("and {more} more"));
    }
    shown
}
