//! Code with what was covered of it.

use std::fmt::Write;

use super::data::{Branch, Line, Listing, Method, Status, Totals};
use super::escape::{escape, prose};

/// Tests that are named for a covered branch.
const MOST_TESTS: usize = 3;

/// Writes the code of a function: that of the method itself in full, that of others to unfold.
pub fn write(listing: &Listing, method: &Method, own: bool, first_test: usize, out: &mut String) {
    let writer = Writer { method, first_test };
    let origin = match listing.origin.as_str() {
        "" => String::new(),
        origin => format!(" · {}", escape(origin)),
    };
    if own {
        let _ = write!(
            out,
            "<figure class=code><figcaption>{}{origin}</figcaption>",
            escape(&listing.title)
        );
        writer.lines(listing, out);
        out.push_str("</figure>\n");
        return;
    }
    let branches = listing
        .branches
        .iter()
        .filter_map(|&index| method.branches.get(index));
    let totals = Totals::of(branches);
    let _ = write!(
        out,
        "<details class=more><summary>also runs {}{origin} · {} of {} covered</summary>",
        escape(&listing.title),
        totals.covered,
        totals.all()
    );
    match &listing.shown_by {
        Some((other, name)) => {
            let open = listing.branches.iter().copied().filter(|&index| {
                let branch = method.branches.get(index);
                branch.is_some_and(|branch| branch.status != Status::Covered)
            });
            let open: Vec<usize> = open.collect();
            let name = escape(name);
            let _ = write!(
                out,
                "<p>Its code is shown with <a href=\"#m{other}\">{name}</a>."
            );
            if !open.is_empty() {
                out.push_str(" Not covered from here:</p>");
                writer.branches(&open, true, out);
            }
        }
        None => writer.lines(listing, out),
    }
    out.push_str("</details>\n");
}

struct Writer<'m> {
    method: &'m Method,
    first_test: usize,
}

impl Writer<'_> {
    fn lines(&self, listing: &Listing, out: &mut String) {
        let first = listing.lines.first().map_or(1, |line| line.number);
        let class = if listing.core {
            "\"lines core\""
        } else {
            "lines"
        };
        let _ = write!(
            out,
            "<ol class={class} start={first} tabindex=0 aria-label=\"Code\">"
        );
        let mut expected = first;
        for line in &listing.lines {
            let value = match line.number == expected {
                true => String::new(),
                false => format!(" value={}", line.number),
            };
            expected = line.number.saturating_add(1);
            self.line(line, &value, out);
        }
        out.push_str("</ol>");
    }

    fn line(&self, line: &Line, value: &str, out: &mut String) {
        let executed = match line.executed {
            Some(true) => "x",
            Some(false) => "m",
            None => "",
        };
        // A line without a character in it would have no height.
        let text = match line.text.is_empty() {
            true => " ".to_owned(),
            false => escape(&line.text),
        };
        if line.branches.is_empty() {
            let class = match executed {
                "" => String::new(),
                class => format!(" class={class}"),
            };
            let _ = writeln!(out, "<li{class}{value}>{text}");
            return;
        }
        let known = line
            .branches
            .iter()
            .filter_map(|&index| self.method.branches.get(index));
        let totals = Totals::of(known);
        let kind = match totals {
            Totals {
                covered: 0,
                uncovered,
                ..
            } if uncovered > 0 => "n",
            Totals { uncovered, .. } if uncovered > 0 => "p",
            Totals { infeasible, .. } if infeasible > 0 => "i",
            _ => "c",
        };
        // What is missing is explained without asking for it.
        let open = if kind == "c" { "" } else { " open" };
        let _ = write!(
            out,
            "<li class=\"{executed} {kind}\"{value}><details{open}><summary>{text}\
             <small>{} of {}</small></summary>",
            totals.covered,
            totals.all()
        );
        self.branches(&line.branches, false, out);
        out.push_str("</details>");
    }

    fn branches(&self, indices: &[usize], places: bool, out: &mut String) {
        out.push_str("<ul class=why>");
        for branch in indices
            .iter()
            .filter_map(|&index| self.method.branches.get(index))
        {
            let place = match places && !branch.place.is_empty() {
                true => format!("{}: ", escape(&branch.place)),
                false => String::new(),
            };
            let words = prose(&branch.words);
            let (class, rest) = match branch.status {
                Status::Covered => ("", self.takers(branch)),
                Status::Infeasible => (" class=inf", escape(&branch.verdict)),
                Status::Uncovered => (" class=un", escape(&branch.verdict)),
            };
            let _ = write!(out, "<li{class}>{place}{words} <em>— {rest}</em>");
        }
        out.push_str("</ul>");
    }

    /// The tests that take a branch, as links.
    fn takers(&self, branch: &Branch) -> String {
        let named = branch.tests.iter().filter_map(|&index| {
            let test = self.method.tests.get(index)?;
            let number = self.first_test + index;
            Some(format!("<a href=\"#t{number}\">{}</a>", escape(&test.name)))
        });
        let named: Vec<String> = named.take(MOST_TESTS).collect();
        let more = branch.tests.len().saturating_sub(MOST_TESTS);
        match (named.is_empty(), more) {
            (true, _) => "covered by a test that is not kept".to_owned(),
            (false, 0) => named.join(", "),
            (false, more) => format!("{} and {more} more", named.join(", ")),
        }
    }
}
