//! Code with what was covered of it.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::data::{Branch, Line, Listing, Method, Status, Totals};
use super::document::meter;
use super::escape::{escape, prose};

/// Tests that are named for a covered branch.
const MOST_TESTS: usize = 3;

/// Writes the code of a method, and to unfold that of the functions that it runs.
pub fn write(method: &Method, index: usize, first_test: usize, out: &mut String) {
    let writer = Writer {
        method,
        index,
        first_test,
    };
    let Some((own, others)) = method.listings.split_first() else {
        return;
    };
    let origin = match own.origin.as_str() {
        "" => String::new(),
        origin => format!(" · {}", escape(origin)),
    };
    let title = escape(&own.title);
    let _ = write!(
        out,
        "<figure class=code><figcaption>{title}{origin}</figcaption>"
    );
    writer.lines(own, true, out);
    out.push_str("</figure>\n");
    if !others.is_empty() {
        out.push_str("<div class=more>");
        for other in others {
            writer.other(other, own, out);
        }
        out.push_str("</div>\n");
    }
}

struct Writer<'m> {
    method: &'m Method,
    index: usize,
    first_test: usize,
}

/// The lines of the method's own source, which have places to go to on the page.
pub fn own_lines(method: &Method) -> BTreeSet<u32> {
    let own = method.listings.first().filter(|own| !own.core);
    own.into_iter()
        .flat_map(|own| own.lines.iter().map(|line| line.number))
        .collect()
}

/// A link to a line of the method's own source, if it is there; otherwise its number.
pub fn line_link(index: usize, lines: &BTreeSet<u32>, line: u32) -> String {
    match lines.contains(&line) {
        true => format!("<a href=\"#m{index}l{line}\">{line}</a>"),
        false => line.to_string(),
    }
}

impl Writer<'_> {
    /// A function that the method runs.
    fn other(&self, listing: &Listing, own: &Listing, out: &mut String) {
        let branch = |index: &usize| self.method.branches.get(*index);
        let totals = Totals::of(listing.branches.iter().filter_map(branch));
        let origin = match listing.origin == own.origin {
            true => String::new(),
            false => format!(" · {}", escape(&listing.origin)),
        };
        let _ = write!(
            out,
            "<details><summary>{}{origin}<small>{} of {}</small>{}</summary>",
            escape(&listing.title),
            totals.covered,
            totals.all(),
            meter(&totals)
        );
        match &listing.shown_by {
            Some((other, name)) => {
                let is_open =
                    |index: &usize| branch(index).is_some_and(|b| b.status != Status::Covered);
                let open = listing.branches.iter().copied().filter(is_open);
                let open: Vec<usize> = open.collect();
                let name = escape(name);
                let _ = write!(
                    out,
                    "<p>Its code is shown with <a href=\"#m{other}\">{name}</a>."
                );
                if !open.is_empty() {
                    out.push_str(" Not covered from here:</p>");
                    self.branches(&open, true, out);
                }
            }
            None => self.lines(listing, false, out),
        }
        out.push_str("</details>");
    }

    fn lines(&self, listing: &Listing, is_own: bool, out: &mut String) {
        let class = if listing.core {
            "\"lines core\""
        } else {
            "lines"
        };
        let _ = write!(out, "<ol class={class} tabindex=0 aria-label=\"Code\">");
        let indentation = indentation(&listing.lines);
        for line in &listing.lines {
            // Every line has its number: the list is a container of its own in the style sheet,
            // in which counters begin anew.
            let number = line.number;
            let value = match is_own && !listing.core {
                true => format!(" id=m{}l{number} value={number}", self.index),
                false => format!(" value={number}"),
            };
            self.line(line, indentation, &value, out);
        }
        out.push_str("</ol>");
    }

    fn line(&self, line: &Line, indentation: usize, value: &str, out: &mut String) {
        let executed = match line.executed {
            Some(true) => "x",
            Some(false) => "m",
            None => "",
        };
        // A line without a character in it would have no height.
        let text = match line.text.get(indentation..) {
            None | Some("") => " ".to_owned(),
            Some(text) => escape(text),
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

/// What all lines begin with that have anything in them.
fn indentation(lines: &[Line]) -> usize {
    let of_line = |line: &Line| line.text.len() - line.text.trim_start_matches(' ').len();
    let filled = lines.iter().filter(|line| !line.text.trim().is_empty());
    filled.map(of_line).min().unwrap_or(0)
}
