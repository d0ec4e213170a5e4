//! A program that grows function by function is not analysed as a whole after each of them.

use super::program_growth::ANALYSES;
use super::*;
use heapwright_ir::parse;

/// Functions that the first one calls, one after the other.
const FUNCTIONS: usize = 24;

/// Knows one function more each time it is asked.
struct OneByOne {
    known: usize,
}

impl OneByOne {
    fn subject(&self) -> Arc<Subject> {
        let calls: String = (0..FUNCTIONS)
            .map(|number| format!("  call f{number}(x)\n"))
            .collect();
        let mut text =
            format!("file \"test\"\nfunction main(x: int) {{\nb0:\n{calls}  return\n}}\n");
        for number in 0..FUNCTIONS {
            let body = match number < self.known {
                true => format!(
                    "  var less: bool\nb0:\n  less := lt x, {number}\n  if less goto b1 else b1 @{}\n\
                     b1:\n  return\n",
                    number + 1
                ),
                false => "b0:\n  absent\n".to_owned(),
            };
            text += &format!("function f{number}(x: int) {{\n{body}}}\n");
        }
        let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let main = program.function_named("main").expect("a function");
        Arc::new(Subject::new(&program, main, None).expect("a subject"))
    }
}

impl Supplier for OneByOne {
    fn supply(&mut self, _: &BTreeSet<FunctionId>) -> Option<Arc<Subject>> {
        self.known += 1;
        (self.known <= FUNCTIONS).then(|| self.subject())
    }
}

#[test]
fn a_program_that_grows_is_analysed_when_it_has_grown() {
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let mut supplier = OneByOne { known: 0 };
        let options = Options {
            mode,
            ..Options::default()
        };
        let before = ANALYSES.get();
        let subject = supplier.subject();
        let found = explore_growing(subject, &mut supplier, &options, &mut |_| {});
        let (report, _) = found.expect("a report");
        assert_eq!(supplier.known, FUNCTIONS, "{mode:?}");
        assert_eq!(report.branches.len(), 2 * FUNCTIONS, "{mode:?}");
        assert_eq!(report.stop, StopReason::Covered, "{mode:?}");
        // Once in the beginning, and once when a run has got to its end.
        assert_eq!(ANALYSES.get() - before, 2, "{mode:?}");
    }
}
