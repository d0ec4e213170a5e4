//! The preconditions and postconditions of a file, in words.

use std::io::{self, Write};

use heapwright_logic::VarId;

use crate::meaning;
use heapwright_spec::questions::QuestionFile;

/// Tells what each contract says. Methods that come one after the other and have the same
/// contract share the sentences, which are broken at a width.
pub fn describe(input: &mut QuestionFile, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut before: Option<Vec<String>> = None;
    let mut names: Vec<String> = Vec::new();
    let contracts = std::mem::take(&mut input.contracts);
    for contract in &contracts {
        let variables: Vec<VarId> = contract.variables.iter().map(|(_, id)| *id).collect();
        let mut told = Vec::new();
        for heap in &contract.formula.disjuncts {
            let (terms, definitions) = (&mut input.terms, &input.definitions);
            told.push(meaning::sentences(terms, definitions, &variables, heap));
        }
        if before.as_ref().is_some_and(|known| *known != told) {
            print(&names, before.as_deref().unwrap_or_default(), width, out)?;
            names.clear();
        }
        names.extend(contract.name.clone());
        before = Some(told);
    }
    input.contracts = contracts;
    print(&names, before.as_deref().unwrap_or_default(), width, out)
}

/// The names of contracts, and the sentences for each disjunct of what they have in common.
fn print(names: &[String], told: &[String], width: usize, out: &mut dyn Write) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for name in names {
        writeln!(out, "{name}")?;
    }
    if told.is_empty() {
        writeln!(out, "  false, which never holds")?;
    }
    for (position, sentences) in told.iter().enumerate() {
        if position > 0 {
            writeln!(out, "  or")?;
        }
        for line in meaning::wrapped(sentences, width) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}
