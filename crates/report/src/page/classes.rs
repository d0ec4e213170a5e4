//! A table of the classes or files of a large run, by package or folder.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::data::{Method, Page, Totals};
use super::document::{counted, meter};
use super::escape::escape;

/// What is known about a class.
#[derive(Default)]
struct Class<'p> {
    name: &'p str,
    /// The number of its first method on the page.
    first: usize,
    methods: usize,
    /// The branches of its methods, those of what they call left out.
    totals: Totals,
    tests: usize,
    findings: usize,
}

/// Writes the table, unless everything is in one class.
pub fn write(page: &Page, out: &mut String) {
    let mut packages: BTreeMap<&str, Vec<Class<'_>>> = BTreeMap::new();
    for (index, method) in page.methods.iter().enumerate() {
        let (package, name) = split(&method.group);
        let classes = packages.entry(package).or_default();
        if classes.last().is_none_or(|class| class.name != name) {
            classes.push(Class {
                name,
                first: index,
                ..Class::default()
            });
        }
        if let Some(class) = classes.last_mut() {
            class.add(method);
        }
    }
    let number: usize = packages.values().map(Vec::len).sum();
    if number < 2 {
        return;
    }
    let noun = escape(&page.noun);
    let _ = write!(
        out,
        "<div class=classes tabindex=0><table><thead><tr><th>{number} classes or files<th>{noun}s\
         <th>branches<th><th>tests<th>findings<tbody>"
    );
    for (package, classes) in &packages {
        if !package.is_empty() {
            let _ = write!(out, "<tr class=package><th colspan=6>{}", escape(package));
        }
        for class in classes {
            class.write(out);
        }
    }
    out.push_str("</table></div>\n");
}

impl Class<'_> {
    fn add(&mut self, method: &Method) {
        self.methods += 1;
        let own = method.listings.first().map(|listing| &listing.branches);
        let own = own.into_iter().flatten();
        let own = Totals::of(own.filter_map(|&branch| method.branches.get(branch)));
        self.totals.covered += own.covered;
        self.totals.infeasible += own.infeasible;
        self.totals.uncovered += own.uncovered;
        self.tests += method.tests.len();
        let findings = method.tests.iter().map(|test| test.findings.len());
        self.findings += findings.sum::<usize>();
    }

    fn write(&self, out: &mut String) {
        let Class { first, methods, .. } = self;
        let branches = match self.totals.all() {
            0 => "none".to_owned(),
            all => format!("{} of {all}", self.totals.covered),
        };
        let findings = match self.findings {
            0 => String::new(),
            number => format!("<b class=bad>{}</b>", counted(number, "finding")),
        };
        let _ = write!(
            out,
            "<tr><td><a href=\"#m{first}\">{}</a><td>{methods}<td>{branches}<td>{}<td>{}<td>{findings}",
            escape(self.name),
            meter(&self.totals),
            self.tests
        );
    }
}

/// `java.util.LinkedList` and `src/list.c`, split behind the package or folder.
fn split(group: &str) -> (&str, &str) {
    let at = group
        .rfind('/')
        .or_else(|| group.rfind('.').filter(|at| !is_file(&group[*at..])));
    match at {
        Some(at) => (&group[..at], &group[at + 1..]),
        None => ("", group),
    }
}

fn is_file(ending: &str) -> bool {
    [".c", ".impl"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::super::data::{Branch, Listing, Status};
    use super::*;

    fn method(group: &str, statuses: &[Status]) -> Method {
        let branch = |status: &Status| Branch {
            words: String::new(),
            place: String::new(),
            status: *status,
            verdict: String::new(),
            tests: Vec::new(),
        };
        Method {
            group: group.to_owned(),
            branches: statuses.iter().map(branch).collect(),
            // The last one is in called code.
            listings: vec![Listing {
                title: String::new(),
                origin: String::new(),
                shown_by: None,
                core: false,
                branches: (0..statuses.len() - 1).collect(),
                lines: Vec::new(),
            }],
            ..Method::default()
        }
    }

    fn table(methods: Vec<Method>) -> String {
        let page = Page {
            noun: "method".to_owned(),
            methods,
            ..Page::default()
        };
        let mut out = String::new();
        write(&page, &mut out);
        out
    }

    #[test]
    fn classes_stand_below_their_packages_with_the_branches_of_their_own() {
        use Status::{Covered, Uncovered};
        let text = table(vec![
            method("shop.Cart", &[Covered, Uncovered, Covered]),
            method("shop.Cart", &[Covered, Covered]),
            method("shop.db.Orders", &[Uncovered, Covered]),
        ]);
        assert!(text.contains("<th colspan=6>shop<tr>"), "{text}");
        let cart = "<a href=\"#m0\">Cart</a><td>2<td>2 of 3<td>";
        assert!(text.contains(cart), "{text}");
        let orders = "<th colspan=6>shop.db<tr><td><a href=\"#m2\">Orders</a><td>1<td>0 of 1";
        assert!(text.contains(orders), "{text}");
    }

    #[test]
    fn one_class_has_no_table() {
        assert_eq!(table(vec![method("A", &[Status::Covered])]), "");
        assert_eq!(table(Vec::new()), "");
    }

    #[test]
    fn files_have_folders() {
        assert_eq!(split("src/list.c"), ("src", "list.c"));
        assert_eq!(split("list.c"), ("", "list.c"));
        assert_eq!(split("a.b.C"), ("a.b", "C"));
        assert_eq!(split("C"), ("", "C"));
    }
}
