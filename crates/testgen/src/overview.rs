//! What `generate` prints for many methods: a line for each, what is wrong, what to do next.
//!
//! It fits on a screen for a class of thirty methods; larger runs have a line for each class.

use std::collections::BTreeMap;
use std::io::{self, Write};

use heapwright_engine::Status;
use heapwright_explain::words;
use heapwright_ir::machine::Edge;

use crate::language::Noun;
use crate::listing::{self, Listed};
use crate::suite::{Counted, Suite};
use crate::summary;

/// So many lines are on a screen.
pub const SCREEN: usize = 45;

/// So many lines are printed for a build.
pub const BRIEF: usize = 10;

/// So many methods or classes have a line.
const MOST_ROWS: usize = 30;

/// So many findings are shown.
const MOST_FINDINGS: usize = 3;

/// So many warnings about the run itself are shown.
const MOST_WARNINGS: usize = 2;

/// Names are aligned up to this width.
const NAME_WIDTH: usize = 44;

/// An input is cut here.
const INPUT_WIDTH: usize = 90;

/// How the summary looks, and what is known about the rest of the run.
#[derive(Clone, Copy, Default, Debug)]
pub struct Look {
    /// Ten lines at most: no line for each method.
    pub is_brief: bool,
    /// Whether times are shown, which differ from run to run.
    pub times: bool,
    /// Whether a terminal shows colours.
    pub colours: bool,
    /// Whether the tests are written into a folder.
    pub writes: bool,
    /// Whether they are run.
    pub verifies: bool,
    /// Whether all findings are listed below.
    pub lists: bool,
}

/// A colour of a terminal.
#[derive(Clone, Copy)]
enum Colour {
    Red,
    Green,
    Yellow,
}

impl Look {
    fn paint(&self, colour: Colour, text: &str) -> String {
        let code = match colour {
            Colour::Red => 31,
            Colour::Green => 32,
            Colour::Yellow => 33,
        };
        match self.colours {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

/// A line of the table: a method, or a class with its methods.
struct Row {
    name: String,
    /// How many methods a class has.
    methods: Option<u64>,
    branches: Counted,
    /// Whether the branches are those of called code.
    is_elsewhere: bool,
    tests: u64,
    has_findings: bool,
    /// Whether tests fail that show nothing to be wrong.
    has_apart: bool,
    seconds: f64,
}

impl Row {
    fn of(suite: &Suite, name: &str) -> Row {
        let (own, others) = suite.counted();
        let is_elsewhere = own.all == 0 && others.all > 0;
        Row {
            name: name.to_owned(),
            methods: None,
            branches: if is_elsewhere { others } else { own },
            is_elsewhere,
            tests: suite.tests.len() as u64,
            has_findings: suite.has_findings(),
            has_apart: suite.tests.iter().any(|kept| kept.apart),
            seconds: suite.report.statistics.total.as_secs_f64(),
        }
    }

    fn is_whole(&self) -> bool {
        self.branches.covered == self.branches.all && !self.has_findings
    }

    fn print(&self, width: usize, look: &Look, out: &mut dyn Write) -> io::Result<()> {
        let mark = match self.has_findings {
            true => look.paint(Colour::Red, "!"),
            false if self.has_apart => "~".to_owned(),
            false => " ".to_owned(),
        };
        let branches = match self.branches.all {
            0 => "no branches".to_owned(),
            all => {
                let noun = if all == 1 { "branch" } else { "branches" };
                format!("{:>3} of {all:<3} {noun:<8}", self.branches.covered)
            }
        };
        let branches = format!("{branches:<19}");
        let branches = match self.is_whole() {
            true => branches,
            false => look.paint(Colour::Yellow, &branches),
        };
        let noun = if self.tests == 1 { "test" } else { "tests" };
        let mut line = format!(
            "{mark} {:<width$}  {branches}  {:>3} {noun:<5}",
            self.name, self.tests
        );
        if let Some(methods) = self.methods {
            line.push_str(&format!("  {}", words::count(methods, "method", "methods")));
        }
        if look.times {
            line.push_str(&format!("  {:>6.1} s", self.seconds));
        }
        if self.is_elsewhere {
            line.push_str("  (in called code)");
        }
        writeln!(out, "{}", line.trim_end())
    }
}

/// Prints the summary of several suites.
pub fn print(suites: &[&Suite], noun: Noun, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    if !look.is_brief {
        if let Some(inputs) = suites.iter().find_map(|suite| suite.inputs.as_ref()) {
            writeln!(out, "{inputs}")?;
        }
        table(suites, look, out)?;
        writeln!(out)?;
    }
    let Counted { covered, all } = covered_by_any(suites);
    let tests: usize = suites.iter().map(|suite| suite.tests.len()).sum();
    let branches = match all {
        0 => "no branches".to_owned(),
        _ => format!("{covered} of {all} branches covered"),
    };
    writeln!(
        out,
        "{}: {branches}, {}",
        noun.count(suites.len() as u64),
        words::count(tests as u64, "test", "tests")
    )?;
    for line in warnings(suites) {
        writeln!(out, "{line}")?;
    }
    let listed = Listed::of(suites.iter().copied());
    if !look.lists {
        findings(&listed, noun, look, out)?;
    }
    if !look.is_brief {
        next(suites, (covered, all), &listed, look, out)?;
    }
    Ok(())
}

/// The branches of all methods and of what they call, each once: covered if some test covers it.
fn covered_by_any(suites: &[&Suite]) -> Counted {
    let mut branches: BTreeMap<Edge, bool> = BTreeMap::new();
    for branch in suites.iter().flat_map(|suite| &suite.report.branches) {
        *branches.entry(branch.edge).or_default() |=
            matches!(branch.status, Status::Covered { .. });
    }
    Counted {
        covered: branches.values().filter(|covered| **covered).count(),
        all: branches.len(),
    }
}

/// A line for each method, or, for many methods of several classes, for each class.
fn table(suites: &[&Suite], look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut groups: Vec<(&str, Vec<Row>)> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for suite in suites {
        let (group, name) = suite.title.split_once('#').unwrap_or(("", &suite.title));
        let at = *known.entry(group).or_insert_with(|| {
            groups.push((group, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, rows)) = groups.get_mut(at) {
            rows.push(Row::of(suite, &as_written(group, name)));
        }
    }
    if suites.len() + groups.len() > MOST_ROWS + 2 && groups.len() > 1 {
        let rows = groups.into_iter().map(|(group, rows)| class(group, &rows));
        return print_rows(rows.collect(), ("class", "classes"), look, out);
    }
    for (group, rows) in groups {
        if !group.is_empty() {
            writeln!(out, "{group}")?;
        }
        print_rows(rows, ("method", "methods"), look, out)?;
    }
    Ok(())
}

/// The rows of a class as one.
fn class(name: &str, rows: &[Row]) -> Row {
    let own = || rows.iter().filter(|row| !row.is_elsewhere);
    Row {
        name: name.to_owned(),
        methods: Some(rows.len() as u64),
        branches: Counted {
            covered: own().map(|row| row.branches.covered).sum(),
            all: own().map(|row| row.branches.all).sum(),
        },
        is_elsewhere: false,
        tests: rows.iter().map(|row| row.tests).sum(),
        has_findings: rows.iter().any(|row| row.has_findings),
        has_apart: rows.iter().any(|row| row.has_apart),
        seconds: rows.iter().map(|row| row.seconds).sum(),
    }
}

/// Rows, as many as there is room for: what is wrong or not covered comes before what is.
fn print_rows(
    mut rows: Vec<Row>,
    (one, many): (&str, &str),
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut left_out = 0;
    if rows.len() > MOST_ROWS {
        rows.sort_by_key(|row| (!row.has_findings, row.is_whole()));
        left_out = rows.len() - MOST_ROWS + 1;
    }
    let shown = &rows[..rows.len() - left_out];
    let widths = shown.iter().map(|row| row.name.chars().count());
    let width = widths.max().unwrap_or(0).min(NAME_WIDTH);
    for row in shown {
        row.print(width, look, out)?;
    }
    if left_out > 0 {
        let noun = if left_out == 1 { one } else { many };
        let rest = &rows[shown.len()..];
        let whole = match rest.iter().all(Row::is_whole) {
            true => ", all branches covered",
            false => "",
        };
        writeln!(out, "  and {left_out} more {noun}{whole}")?;
    }
    Ok(())
}

/// What nobody should miss about the run itself.
fn warnings(suites: &[&Suite]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for suite in suites {
        for line in summary::warnings(suite) {
            lines.push(format!("{}: {line}", suite.title));
        }
    }
    let more = lines.len().saturating_sub(MOST_WARNINGS);
    lines.truncate(MOST_WARNINGS);
    if more > 0 {
        let more = words::count(more as u64, "more warning", "more warnings");
        lines.push(format!("{more} (-v)"));
    }
    lines
}

fn findings(listed: &Listed, noun: Noun, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let count = listed.findings.len();
    let headline = match count {
        0 => look.paint(Colour::Green, "no failures found"),
        _ => {
            let count = words::count(count as u64, "finding", "findings");
            look.paint(Colour::Red, &count)
        }
    };
    let exceptions = listed.exceptions.len() as u64;
    let exceptions = (exceptions > 0).then(|| listing::exceptions(exceptions));
    let arbitrary = listed.arbitrary.len() as u64;
    let arbitrary = (arbitrary > 0).then(|| listing::arbitrary(arbitrary));
    let unconfirmed = listed.unconfirmed.len() as u64;
    let unconfirmed = (unconfirmed > 0).then(|| listing::unconfirmed(unconfirmed));
    let parts = [Some(headline), exceptions, arbitrary, unconfirmed]
        .into_iter()
        .flatten();
    writeln!(out, "{}", parts.collect::<Vec<_>>().join("; "))?;
    for bug in listed.findings.iter().take(MOST_FINDINGS) {
        let mark = look.paint(Colour::Red, "!");
        writeln!(out, "{mark} {}: {}", short(&bug.procedure, noun), bug.words)?;
        if !look.is_brief {
            writeln!(out, "      input: {}", cut(&bug.input))?;
        }
    }
    let more = count.saturating_sub(MOST_FINDINGS);
    if more > 0 {
        let more = words::count(more as u64, "more finding", "more findings");
        writeln!(out, "  {more}: --findings lists all of them")?;
    }
    Ok(())
}

/// A procedure without the package or the folder of its class or file.
fn short(title: &str, noun: Noun) -> String {
    let Some((owner, name)) = title.split_once('#') else {
        return title.to_owned();
    };
    let separator = match noun {
        Noun::Method => '.',
        Noun::Procedure | Noun::Function => '/',
    };
    let simple = owner.rsplit(separator).next().unwrap_or(owner);
    format!("{simple}#{}", as_written(owner, name))
}

/// A method as Java writes it: a constructor has the name of its class.
pub(crate) fn as_written(class: &str, name: &str) -> String {
    match name.strip_prefix("<init>") {
        Some(parameters) => {
            let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
            format!("new {simple}{parameters}")
        }
        None => name.to_owned(),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(INPUT_WIDTH) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

/// What to do next.
fn next(
    suites: &[&Suite],
    (covered, all): (usize, usize),
    listed: &Listed,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    let uncovered = (all - covered) as u64;
    let reasons = match uncovered {
        0 => String::new(),
        1 => ", and why 1 branch is not covered".to_owned(),
        number => format!(", and why {number} branches are not covered"),
    };
    lines.push((
        "-v",
        format!("shows the input and the result of each test{reasons}"),
    ));
    if !look.writes {
        lines.push((
            "--out DIR",
            "writes the tests; with --verify they are compiled and run".to_owned(),
        ));
    } else if !look.verifies && listed.findings.is_empty() {
        lines.push((
            "--verify",
            "compiles and runs the tests, and measures their coverage".to_owned(),
        ));
    }
    if suites.iter().any(|suite| suite.any_heap) {
        let told = "proposes a specification, which keeps invalid objects out".to_owned();
        lines.push(("heapwright init", told));
    }
    let width = lines
        .iter()
        .map(|(option, _)| option.len())
        .max()
        .unwrap_or(0);
    for (at, (option, told)) in lines.iter().enumerate() {
        let margin = if at == 0 { "next:" } else { "" };
        writeln!(out, "{margin:<6}{option:<width$}  {told}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Procedural;
    use crate::names::Taken;
    use crate::suite::Selection;
    use crate::test_support::Example;
    use heapwright_engine::{Keep, Limit, Report, Verification, Violation};
    use heapwright_ir::machine::Budgets;

    fn suite(example: &Example, report: Report, title: &str) -> Suite {
        let selection = Selection {
            title: Some(title.to_owned()),
            ..Selection::new(&Procedural, Keep::All, None, Budgets::default())
        };
        Suite::new(example.subject(), report, &selection, &mut Taken::default())
    }

    fn printed(suites: &[Suite], look: Look) -> String {
        let suites: Vec<&Suite> = suites.iter().collect();
        let mut out = Vec::new();
        print(&suites, Noun::Method, &look, &mut out).expect("memory can be written");
        String::from_utf8(out).expect("text")
    }

    /// A class with so many methods; the third breaks its postcondition, the fourth has a branch
    /// that nothing takes.
    fn class_of(number: usize) -> Vec<Suite> {
        let example = Example::new();
        let suites = (1..=number).map(|number| {
            let mut report = example.report();
            if number == 3 {
                let reason = "no disjunct of `list` fits".to_owned();
                let violated = Verification::Violated(Violation::IllFormed(reason));
                report.tests[1].run.postcondition = Some(violated);
            }
            if number == 4 {
                report.branches[1].status = Status::Open(Limit::Paths);
            }
            suite(&example, report, &format!("demo.List#m{number}(int x)"))
        });
        suites.collect()
    }

    #[test]
    fn a_class_has_a_line_for_each_method_then_findings_then_what_to_do() {
        let text = printed(&class_of(4), Look::default());
        let expected = "\
demo.List
  m1(int x)    2 of 2   branches    2 tests
  m2(int x)    2 of 2   branches    2 tests
! m3(int x)    2 of 2   branches    2 tests
  m4(int x)    1 of 2   branches    2 tests

4 methods: 2 of 2 branches covered, 8 tests
1 finding
! List#m3(int x): the postcondition does not hold: no disjunct of `list` fits
      input: x = cons(5, (6, null))
next: -v         shows the input and the result of each test
      --out DIR  writes the tests; with --verify they are compiled and run
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn thirty_methods_fit_on_a_screen_and_builds_have_ten_lines() {
        let lines = |number: usize, look: Look| printed(&class_of(number), look).lines().count();
        assert!(lines(30, Look::default()) <= SCREEN);
        assert_eq!(lines(300, Look::default()), lines(30, Look::default()));
        let brief = Look {
            is_brief: true,
            ..Look::default()
        };
        assert!(lines(300, brief) <= BRIEF);
        let text = printed(&class_of(31), Look::default());
        assert!(
            text.contains("  and 2 more methods, all branches covered"),
            "{text}"
        );
        let first: Vec<&str> = text.lines().skip(1).take(2).collect();
        assert!(
            first[0].starts_with("! m3") && first[1].starts_with("  m4"),
            "{text}"
        );
    }

    #[test]
    fn names_are_those_that_people_write() {
        assert_eq!(short("a.b.List#m(int x)", Noun::Method), "List#m(int x)");
        assert_eq!(
            short("list.c#f(x: int)", Noun::Function),
            "list.c#f(x: int)"
        );
        assert_eq!(short("src/list.c#f()", Noun::Function), "list.c#f()");
        assert_eq!(short("main", Noun::Procedure), "main");
        assert_eq!(as_written("a.B$C", "<init>(int x)"), "new C(int x)");
    }

    #[test]
    fn many_classes_have_a_line_each() {
        let mut suites = class_of(20);
        for (number, mut suite) in class_of(20).into_iter().enumerate() {
            suite.title = format!("demo.Tree#m{number}()");
            suites.push(suite);
        }
        let text = printed(
            &suites,
            Look {
                colours: true,
                ..Look::default()
            },
        );
        let rows: Vec<&str> = text.lines().take(2).collect();
        assert!(
            rows[0].contains("demo.List") && rows[0].contains("20 methods"),
            "{text}"
        );
        assert!(rows[1].starts_with("\x1b[31m!\x1b[0m demo.Tree"), "{text}");
    }
}
