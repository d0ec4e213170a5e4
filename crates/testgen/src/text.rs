//! What `generate` prints for people.

use std::io::{self, Write};

use heapwright_engine::{Outcome, Test};

use crate::findings::objection;
use crate::suite::{Kept, Suite};
use crate::summary;
use heapwright_explain::{compact, picture, words};

/// A test goes into one line if it is not wider than this.
const WIDTH: usize = 100;
/// Names are aligned up to this width.
const NAME_WIDTH: usize = 40;

/// How much is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Findings, and one line of coverage.
    Quiet,
    /// Every test in a line or three, and every branch that is not covered.
    Normal,
    /// Heaps are drawn, and the search is described.
    Verbose,
}

/// Prints the tests of one procedure.
pub fn print(suite: &Suite, amount: Amount, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", suite.title)?;
    if amount != Amount::Quiet {
        if suite.any_heap {
            writeln!(out, "  {}", summary::ANY_HEAP)?;
        }
        if let Some(inputs) = &suite.inputs {
            writeln!(out, "  {inputs}")?;
        }
        writeln!(out)?;
    }
    // The test that reaches a place is what was asked for.
    let all = amount != Amount::Quiet || suite.reach.is_some();
    print_tests(suite, all, amount, out)?;
    summary::print(suite, amount, out)?;
    if amount == Amount::Verbose {
        writeln!(out, "  {}", summary::statistics(suite))?;
    }
    Ok(())
}

fn print_tests(suite: &Suite, all: bool, amount: Amount, out: &mut dyn Write) -> io::Result<()> {
    let shown = |kept: &&Kept| all || kept.is_finding();
    let tests: Vec<&Kept> = suite.tests.iter().filter(shown).collect();
    let widths = tests.iter().map(|kept| kept.name.len());
    let width = widths.max().unwrap_or(0).min(NAME_WIDTH);
    for kept in &tests {
        match amount {
            Amount::Verbose => draw_test(suite, kept, out)?,
            _ => print_test(suite, kept, width, out)?,
        }
    }
    if !tests.is_empty() && amount == Amount::Normal {
        writeln!(out)?;
    }
    Ok(())
}

/// One line if there is room for it, otherwise one for the name, the input and the result each.
fn print_test(suite: &Suite, kept: &Kept, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let definitions = &suite.subject.definitions;
    let test = suite.test(kept);
    let arguments = suite.arguments(test);
    let before = match compact::terms(suite.language, definitions, &arguments, &test.input.heap) {
        empty if empty.is_empty() => "no input".to_owned(),
        before => before,
    };
    let after = result(suite, kept, test);
    let name = &kept.name;
    let mark = mark(kept, test);
    let line = format!("{mark} {name:<width$}  {before}  =>  {after}");
    if line.chars().count() <= WIDTH {
        return writeln!(out, "{line}");
    }
    writeln!(out, "{mark} {name}")?;
    print_wrapped("      ", &before, out)?;
    print_wrapped("   => ", &after, out)
}

/// Prints a text behind a margin; lines that are too long are broken behind commas and semicolons.
fn print_wrapped(margin: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut line = margin.to_owned();
    let mut column = margin.chars().count();
    for piece in text
        .split_inclusive(", ")
        .flat_map(|piece| piece.split_inclusive("; "))
    {
        let width = piece.trim_end().chars().count();
        if column > margin.len() && column + width > WIDTH {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(margin.len() + 2);
            column = line.len();
        }
        line.push_str(piece);
        column += piece.chars().count();
    }
    writeln!(out, "{}", line.trim_end())
}

/// What a run led to: the findings, or what is different afterwards.
pub fn result(suite: &Suite, kept: &Kept, test: &Test) -> String {
    let program = &suite.subject.program;
    let run = &test.run;
    let mut parts: Vec<String> = kept
        .findings
        .iter()
        .map(|finding| finding.words())
        .collect();
    if run.outcome == Outcome::Returned {
        let arguments = suite.arguments(test);
        let before = (arguments.as_slice(), &test.input.heap);
        let definitions = &suite.subject.definitions;
        let changed = compact::changed(
            suite.language,
            definitions,
            before,
            (&run.roots(), &run.heap),
        );
        let after = compact::terms(suite.language, definitions, &changed, &run.heap);
        parts.push(match after.as_str() {
            "" => "nothing changed".to_owned(),
            _ => after.clone(),
        });
        let freed = run.freed.len() as u64;
        if freed > 0 && !after.contains("freed") {
            parts.push(format!(
                "{} freed",
                words::count(freed, "object", "objects")
            ));
        }
    } else if kept.findings.is_empty() {
        parts.push(words::ending(program, run));
    }
    parts.extend(objection(&suite.subject, test).map(str::to_owned));
    parts.join("; ")
}

/// The heaps before and after as pictures.
fn draw_test(suite: &Suite, kept: &Kept, out: &mut dyn Write) -> io::Result<()> {
    let program = &suite.subject.program;
    let definitions = &suite.subject.definitions;
    let test = suite.test(kept);
    writeln!(out, "{} {}", mark(kept, test), kept.name)?;
    let before = picture::draw(
        suite.language,
        definitions,
        &suite.arguments(test),
        &test.input.heap,
    );
    indented(&before, out)?;
    let outcome = words::ending(program, &test.run);
    writeln!(out, "   => {outcome}")?;
    for finding in &kept.findings {
        if finding.words() != outcome {
            writeln!(out, "      {}", finding.words())?;
        }
    }
    if let Some(objection) = objection(&suite.subject, test) {
        writeln!(out, "      {objection}")?;
    }
    let after = picture::draw(
        suite.language,
        definitions,
        &test.run.roots(),
        &test.run.heap,
    );
    indented(&after, out)?;
    writeln!(out)
}

fn indented(text: &str, out: &mut dyn Write) -> io::Result<()> {
    for line in text.lines() {
        writeln!(out, "      {line}")?;
    }
    Ok(())
}

/// `!` for findings, `~` for faults that come from an arbitrary input, `?` for runs that did not
/// end.
fn mark(kept: &Kept, test: &Test) -> char {
    match test.run.outcome {
        _ if kept.is_finding() => '!',
        _ if kept.apart => '~',
        Outcome::OutOfBudget { .. } => '?',
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{Example, printed};
    use heapwright_engine::Verification;
    use heapwright_engine::Violation;

    fn check(text: &str, expected: &str) {
        assert_eq!(text.trim_end(), expected.trim(), "\n{text}");
    }

    #[test]
    fn tests_are_lines() {
        let example = Example::new();
        let text = printed(&example, example.report(), None, Amount::Normal);
        check(
            &text,
            "
first.impl#first(x: cons): int

  first_x_is_nil      x = null  =>  result = 0
  first_x_is_not_nil  x = cons(5, (6, null))  =>  result = 5, x = cons(5, null)

  2 of 2 branches covered, 2 tests
  done: every branch is covered",
        );
    }

    #[test]
    fn findings_are_marked_and_are_all_that_a_quiet_run_shows() {
        let example = Example::new();
        let mut report = example.report();
        let reason = "no disjunct of `list` fits\nand more".to_owned();
        report.tests[1].run.postcondition =
            Some(Verification::Violated(Violation::IllFormed(reason)));
        let text = printed(&example, report, None, Amount::Quiet);
        check(
            &text,
            "
first.impl#first(x: cons): int
! first_postcondition_violated
      x = cons(5, (6, null))
   => the postcondition does not hold: no disjunct of `list` fits; result = 5, x = cons(5, null)
  2 of 2 branches covered, 2 tests",
        );
    }

    #[test]
    fn long_lines_are_broken_behind_commas() {
        let text = vec!["(12345, null"; 20].join(", ");
        let mut out = Vec::new();
        print_wrapped("   => ", &text, &mut out).expect("memory can be written");
        let out = String::from_utf8(out).expect("text");
        assert!(out.lines().count() > 2, "{out}");
        assert!(out.lines().all(|line| line.len() <= WIDTH), "{out}");
        let joined: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(joined.join(" "), format!("=> {text}"));
    }

    #[test]
    fn a_verbose_run_draws_heaps() {
        let example = Example::new();
        let text = printed(&example, example.report(), None, Amount::Verbose);
        let drawn =
            "      x ─► #1 cons(head: 5) ─tail─► #2 cons(head: 6, tail: null)\n   => returned\n";
        assert!(text.contains(drawn), "{text}");
        assert!(
            text.contains("0 paths, 0 unreachable, 0 solver calls"),
            "{text}"
        );
    }
}
