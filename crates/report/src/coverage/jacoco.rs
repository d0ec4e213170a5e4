//! The XML report of JaCoCo, after its document type `report.dtd`, version 1.1.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::counter::{self, Counter};
use super::{Coverage, Line, Method, base, folder, merged};
use crate::page::escape::escape;

/// Writes the report.
pub fn jacoco(coverage: &Coverage) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n",
    );
    let _ = writeln!(out, "<report name=\"{}\">", escape(&coverage.name));
    let mut packages: BTreeMap<&str, Vec<&Method>> = BTreeMap::new();
    for method in &coverage.methods {
        packages
            .entry(folder(&method.class))
            .or_default()
            .push(method);
    }
    let mut all = Counters::default();
    for (name, methods) in packages {
        let _ = writeln!(out, "<package name=\"{}\">", escape(name));
        let counters = package(&methods, &mut out);
        counters.write(&mut out);
        all.add(&counters);
        out.push_str("</package>\n");
    }
    all.write(&mut out);
    out.push_str("</report>\n");
    out
}

fn package(methods: &[&Method], out: &mut String) -> Counters {
    let mut classes: BTreeMap<&str, Vec<&Method>> = BTreeMap::new();
    let mut files: BTreeMap<&str, Vec<&Method>> = BTreeMap::new();
    for method in methods {
        classes.entry(&method.class).or_default().push(method);
        files.entry(base(&method.file)).or_default().push(method);
    }
    let mut all = Counters::default();
    for (name, methods) in classes {
        let file = methods.first().map_or("", |method| base(&method.file));
        let _ = writeln!(
            out,
            "<class name=\"{}\" sourcefilename=\"{}\">",
            escape(name),
            escape(file)
        );
        let mut counters = Counters::default();
        for method in &methods {
            let own = of_method(method);
            let _ = writeln!(
                out,
                "<method name=\"{}\" desc=\"{}\" line=\"{}\">",
                escape(&method.name),
                escape(&method.descriptor),
                method.line
            );
            own.write(out);
            out.push_str("</method>\n");
            counters.add(&own);
        }
        counters.classes.add(counters.methods.covered > 0);
        counters.write(out);
        out.push_str("</class>\n");
        all.add(&counters);
    }
    for (name, methods) in files {
        let lines = merged(&methods);
        let _ = writeln!(out, "<sourcefile name=\"{}\">", escape(name));
        for known in &lines {
            line(known, out);
        }
        counters_of_file(&methods, &lines).write(out);
        out.push_str("</sourcefile>\n");
    }
    all
}

/// A line with its missed and covered instructions and branches. It counts as one instruction.
fn line(line: &Line, out: &mut String) {
    let executed = u8::from(line.hits > 0);
    let branches = line.branches();
    let _ = writeln!(
        out,
        "<line nr=\"{}\" mi=\"{}\" ci=\"{executed}\" mb=\"{}\" cb=\"{}\"/>",
        line.number,
        1 - executed,
        branches.missed,
        branches.covered
    );
}

/// The six counters, in the order of the document type.
#[derive(Clone, Copy, Default)]
struct Counters {
    lines: Counter,
    branches: Counter,
    complexity: Counter,
    methods: Counter,
    classes: Counter,
}

impl Counters {
    fn add(&mut self, other: &Counters) {
        let sum = |a: &mut Counter, b: Counter| *a = [*a, b].into_iter().sum();
        sum(&mut self.lines, other.lines);
        sum(&mut self.branches, other.branches);
        sum(&mut self.complexity, other.complexity);
        sum(&mut self.methods, other.methods);
        sum(&mut self.classes, other.classes);
    }

    /// Counters of which there is nothing are left out, as JaCoCo does.
    fn write(&self, out: &mut String) {
        let counters = [
            ("INSTRUCTION", self.lines),
            ("BRANCH", self.branches),
            ("LINE", self.lines),
            ("COMPLEXITY", self.complexity),
            ("METHOD", self.methods),
            ("CLASS", self.classes),
        ];
        for (name, counter) in counters.iter().filter(|(_, counter)| counter.total() > 0) {
            let Counter { covered, missed } = counter;
            let _ = writeln!(
                out,
                "<counter type=\"{name}\" missed=\"{missed}\" covered=\"{covered}\"/>"
            );
        }
    }
}

fn of_method(method: &Method) -> Counters {
    let mut counters = Counters {
        lines: counter::lines(&method.lines),
        branches: counter::branches(&method.lines),
        complexity: counter::complexity(method),
        ..Counters::default()
    };
    counters.methods.add(method.calls > 0);
    counters
}

fn counters_of_file(methods: &[&Method], lines: &[Line]) -> Counters {
    let mut counters = Counters::default();
    let mut classes: BTreeMap<&str, bool> = BTreeMap::new();
    for method in methods {
        counters.add(&of_method(method));
        *classes.entry(&method.class).or_default() |= method.calls > 0;
    }
    classes
        .into_values()
        .for_each(|called| counters.classes.add(called));
    // Methods may share lines.
    counters.lines = counter::lines(lines);
    counters
}
