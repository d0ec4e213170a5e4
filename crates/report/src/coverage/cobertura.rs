//! The XML report of Cobertura, after its document type `coverage-04.dtd`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::counter::{self, Counter};
use super::{Coverage, Line, Method, folder, merged};
use crate::page::escape::escape;

/// Writes the report.
///
/// The time is that of no clock, so that the same run gives the same file.
pub fn cobertura(coverage: &Coverage) -> String {
    let files = coverage.files();
    let lines: Vec<Line> = files.values().flat_map(|methods| merged(methods)).collect();
    let (line_counter, branch_counter) = (counter::lines(&lines), counter::branches(&lines));
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n",
    );
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" \
         branches-valid=\"{}\" version=\"{}\" timestamp=\"0\">",
        rates(line_counter, branch_counter, coverage.methods.iter()),
        line_counter.covered,
        line_counter.total(),
        branch_counter.covered,
        branch_counter.total(),
        escape(&coverage.name)
    );
    out.push_str("<sources>");
    for folder in &coverage.sources {
        let _ = write!(out, "<source>{}</source>", escape(folder));
    }
    out.push_str("</sources>\n<packages>\n");
    let mut packages: BTreeMap<String, Vec<&Method>> = BTreeMap::new();
    for method in &coverage.methods {
        let name = folder(&method.class).replace('/', ".");
        packages.entry(name).or_default().push(method);
    }
    for (name, methods) in packages {
        let _ = writeln!(
            out,
            "<package name=\"{}\" {}>\n<classes>",
            escape(&name),
            rates_of(&methods)
        );
        classes(&methods, &mut out);
        out.push_str("</classes>\n</package>\n");
    }
    out.push_str("</packages>\n</coverage>\n");
    out
}

fn classes(methods: &[&Method], out: &mut String) {
    let mut classes: BTreeMap<(&str, &str), Vec<&Method>> = BTreeMap::new();
    for method in methods {
        let key = (method.class.as_str(), method.file.as_str());
        classes.entry(key).or_default().push(method);
    }
    for ((name, file), methods) in classes {
        let _ = writeln!(
            out,
            "<class name=\"{}\" filename=\"{}\" {}>\n<methods>",
            escape(&name.replace('/', ".")),
            escape(file),
            rates_of(&methods)
        );
        for method in &methods {
            let _ = writeln!(
                out,
                "<method name=\"{}\" signature=\"{}\" {}>",
                escape(&method.name),
                escape(&method.descriptor),
                rates_of(&[method])
            );
            lines(&method.lines, out);
            out.push_str("</method>\n");
        }
        out.push_str("</methods>\n");
        lines(&merged(&methods), out);
        out.push_str("</class>\n");
    }
}

fn lines(lines: &[Line], out: &mut String) {
    out.push_str("<lines>\n");
    for line in lines {
        let Line { number, hits, .. } = line;
        if line.jumps.is_empty() {
            let _ = writeln!(
                out,
                "<line number=\"{number}\" hits=\"{hits}\" branch=\"false\"/>"
            );
            continue;
        }
        let _ = writeln!(
            out,
            "<line number=\"{number}\" hits=\"{hits}\" branch=\"true\" \
             condition-coverage=\"{}\">\n<conditions>",
            share(line.branches())
        );
        for (index, jump) in line.jumps.iter().enumerate() {
            let mut counter = Counter::default();
            jump.iter().for_each(|&taken| counter.add(taken > 0));
            let kind = if jump.len() == 2 { "jump" } else { "switch" };
            let _ = writeln!(
                out,
                "<condition number=\"{index}\" type=\"{kind}\" coverage=\"{}%\"/>",
                percent(counter)
            );
        }
        out.push_str("</conditions>\n</line>\n");
    }
    out.push_str("</lines>\n");
}

/// `50% (1/2)`.
fn share(counter: Counter) -> String {
    format!(
        "{}% ({}/{})",
        percent(counter),
        counter.covered,
        counter.total()
    )
}

fn percent(counter: Counter) -> u64 {
    (counter.covered * 100)
        .checked_div(counter.total())
        .unwrap_or(100)
}

fn rates_of(methods: &[&Method]) -> String {
    let lines = merged(methods);
    let methods = methods.iter().copied();
    rates(counter::lines(&lines), counter::branches(&lines), methods)
}

/// Shares of lines and branches, and the complexity in the mean.
fn rates<'m>(
    lines: Counter,
    branches: Counter,
    methods: impl ExactSizeIterator<Item = &'m Method>,
) -> String {
    let number = methods.len().max(1) as f64;
    let complexity: Counter = methods.map(counter::complexity).sum();
    format!(
        "line-rate=\"{:.4}\" branch-rate=\"{:.4}\" complexity=\"{:.1}\"",
        lines.rate(),
        branches.rate(),
        complexity.total() as f64 / number
    )
}
