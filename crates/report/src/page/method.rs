//! The section of one method.

use std::fmt::Write;

use super::data::{Method, Totals};
use super::document::{counted, meter};
use super::escape::{escape, prose};
use super::pictures::Pictures;
use super::{listing, test, tree};

/// Writes the section. Tests are numbered through the whole page; `first_test` is the number of
/// the first one.
pub fn write(
    method: &Method,
    index: usize,
    first_test: usize,
    pictures: &Pictures<'_>,
    out: &mut String,
) {
    let _ = writeln!(
        out,
        "<section class=method id=m{index} data-state=\"{}\" aria-labelledby=h{index}>\
         <h2 id=h{index}>{}</h2>",
        state(method),
        escape(&method.title)
    );
    summary(method, out);
    if !method.listings.is_empty() {
        out.push_str("<h3>Code</h3>\n");
        listing::write(method, index, first_test, out);
    }
    if !method.tests.is_empty() {
        out.push_str("<h3>Tests</h3>\n");
    }
    let code = test::Code {
        method: index,
        lines: listing::own_lines(method),
        file: method
            .listings
            .first()
            .map_or("", |own| own.origin.as_str()),
    };
    for (position, known) in method.tests.iter().enumerate() {
        let opened = position == 0 || !known.findings.is_empty();
        let number = first_test + position;
        test::write(known, number, opened, &code, pictures, out);
    }
    tree::write(method, first_test, out);
    out.push_str("</section>\n");
}

/// What a method can be selected by: `bad` with findings, `open` with branches that are not covered.
fn state(method: &Method) -> &'static str {
    let has_findings = method.tests.iter().any(|test| !test.findings.is_empty());
    let is_open = Totals::of(&method.branches).uncovered > 0;
    match (has_findings, is_open) {
        (true, true) => "bad open",
        (true, false) => "bad",
        (false, true) => "open",
        (false, false) => "",
    }
}

fn summary(method: &Method, out: &mut String) {
    let totals = Totals::of(&method.branches);
    let branches = match totals.all() {
        0 => "no branches".to_owned(),
        all => {
            let noun = if all == 1 { "branch" } else { "branches" };
            let own = own_branches(method, all);
            format!("<b>{}</b> of {all} {noun} covered{own}", totals.covered)
        }
    };
    let tests = match method.found > method.tests.len() {
        true => format!(
            "{} of {} found",
            counted(method.tests.len(), "test"),
            method.found
        ),
        false => counted(method.tests.len(), "test"),
    };
    let _ = writeln!(
        out,
        "<p class=sum>{}<span>{branches}</span><span>{tests}</span></p>",
        meter(&totals)
    );
    let notes = method.notes.iter().chain([&method.stop]);
    for note in notes.filter(|note| !note.is_empty()) {
        let mut letters = note.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        let _ = writeln!(
            out,
            "<p class=note>{}.</p>",
            prose(&format!("{first}{}", letters.as_str()))
        );
    }
}

/// How many branches of the method itself are covered, where it calls others that have some. Its
/// own code is shown first.
fn own_branches(method: &Method, all: usize) -> String {
    let own = method.listings.first().map(|listing| &listing.branches);
    match own.filter(|own| own.len() < all) {
        None => String::new(),
        Some(own) if own.is_empty() => ", all in called code".to_owned(),
        Some(own) => {
            let own = own.iter().filter_map(|&index| method.branches.get(index));
            let own = Totals::of(own);
            format!(" ({} of {} its own)", own.covered, own.all())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::{Branch, Listing, Status};
    use super::*;

    #[test]
    fn branches_of_the_method_itself_are_told_apart() {
        let branch = |status| Branch {
            words: String::new(),
            place: String::new(),
            status,
            verdict: String::new(),
            tests: Vec::new(),
        };
        let listing = |branches| Listing {
            title: String::new(),
            origin: String::new(),
            shown_by: None,
            core: false,
            branches,
            lines: Vec::new(),
        };
        let summary_of = |own: Vec<usize>| {
            let method = Method {
                branches: vec![
                    branch(Status::Covered),
                    branch(Status::Uncovered),
                    branch(Status::Covered),
                ],
                listings: vec![listing(own)],
                ..Method::default()
            };
            let mut out = String::new();
            summary(&method, &mut out);
            out
        };
        let line = "<b>2</b> of 3 branches covered";
        let check = |own, rest: &str| {
            let text = summary_of(own);
            assert!(text.contains(&format!("{line}{rest}</span>")), "{text}");
        };
        check(vec![0, 1, 2], "");
        check(vec![0, 1], " (1 of 2 its own)");
        check(vec![], ", all in called code");
    }
}
