//! The constraint tree, to unfold: decisions that all paths below a point share are said once.

use std::fmt::Write;

use super::data::{Alternative, Method, Path};
use super::document::counted;
use super::escape::{escape, prose};

/// Paths that are shown of one method.
const MOST_PATHS: usize = 60;

/// Alternatives without a path that are shown of one method.
const MOST_ALTERNATIVES: usize = 60;

/// Points where paths part that may be nested.
const DEEPEST: usize = 24;

/// Decisions that are shown between two such points.
const MOST_STEPS: usize = 24;

/// Writes the tree of all paths of a method.
pub fn write(method: &Method, first_test: usize, out: &mut String) {
    let plain = method.paths.iter().all(|path| path.steps.is_empty());
    if plain && method.alternatives.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<details class=tree><summary>Constraint tree · {}{}</summary><div><ul>",
        counted(method.paths.len(), "path"),
        alternatives(method.alternative_counts)
    );
    let mut shown: Vec<&Path> = method.paths.iter().collect();
    // The paths of tests that are kept are of interest more than others.
    shown.sort_by_key(|path| path.test.is_none());
    shown.truncate(MOST_PATHS);
    let mut writer = Writer {
        method,
        first_test,
        cut: false,
        alternatives: 0,
        out,
    };
    let ends: Vec<&Alternative> = method.alternatives.iter().collect();
    writer.branch(&shown, &ends, 0, 0);
    let (cut, told) = (writer.cut, writer.alternatives as u64);
    out.push_str("</ul>");
    let left = method.paths.len().saturating_sub(MOST_PATHS);
    if left > 0 {
        let _ = write!(
            out,
            "<p>{} left out here.</p>",
            more(left, "path is", "paths are")
        );
    }
    let (infeasible, open) = method.alternative_counts;
    let left = infeasible.saturating_add(open).saturating_sub(told);
    if left > 0 {
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let _ = write!(
            out,
            "<p>{} left out here.</p>",
            more(left, "alternative is", "alternatives are")
        );
    }
    if cut {
        out.push_str("<p>Long paths are shortened.</p>");
    }
    out.push_str(
        "<p>Grey decisions had no other possible answer. What is struck out is unreachable: no \
         valid input decides so. What is in italics was not explored.</p>",
    );
    if !method.statistics.is_empty() {
        let _ = write!(out, "<p>The search: {}.</p>", escape(&method.statistics));
    }
    out.push_str("</div></details>\n");
}

/// ` · 3 infeasible · 1 not explored`
fn alternatives((infeasible, open): (u64, u64)) -> String {
    let mut text = String::new();
    if infeasible > 0 {
        let _ = write!(text, " · {infeasible} unreachable");
    }
    if open > 0 {
        let _ = write!(text, " · {open} not explored");
    }
    text
}

fn more(number: usize, one: &str, many: &str) -> String {
    format!("{number} more {}", if number == 1 { one } else { many })
}

struct Writer<'m, 'o> {
    method: &'m Method,
    first_test: usize,
    /// Whether something was left out.
    cut: bool,
    /// Alternatives that were written.
    alternatives: usize,
    out: &'o mut String,
}

impl Writer<'_, '_> {
    /// Writes what some paths have in common from a position on, and then the ways in which they
    /// go on. The depth of the recursion is bounded.
    /// The alternatives share the decisions before the position.
    fn branch(&mut self, paths: &[&Path], ends: &[&Alternative], from: usize, depth: usize) {
        let end = common(paths, from);
        let mut ends = ends.to_vec();
        let Some(first) = paths.first() else {
            self.ends(&mut ends, from);
            return;
        };
        for (at, step) in first.steps.iter().enumerate().take(end).skip(from) {
            if at - from < MOST_STEPS {
                self.ends(&mut ends, at);
                let class = if step.forced { " class=f" } else { "" };
                let _ = write!(self.out, "<li{class}>{}", prose(&step.words));
            }
            ends.retain(|end| end.steps.get(at) == Some(step) && end.steps.len() > at + 1);
        }
        if end.saturating_sub(from) > MOST_STEPS {
            self.cut = true;
            let _ = write!(self.out, "<li class=f>and {} more", end - from - MOST_STEPS);
        }
        let (ended, going): (Vec<&Path>, Vec<&Path>) =
            (paths.iter().copied()).partition(|path| path.steps.len() <= end);
        for path in ended {
            self.end(path);
        }
        self.ends(&mut ends, end);
        if going.is_empty() {
            return;
        }
        if depth >= DEEPEST {
            self.cut = true;
            for path in going {
                self.end(path);
            }
            return;
        }
        for group in groups(&going, end) {
            let step = group.first().and_then(|path| path.steps.get(end));
            let words = step.map_or("", |step| step.words.as_str());
            let class = if step.is_some_and(|step| step.forced) {
                " class=f"
            } else {
                ""
            };
            let open = if depth < 2 { " open" } else { "" };
            let _ = write!(
                self.out,
                "<li><details{open}><summary{class}>{}</summary><ul>",
                prose(words)
            );
            let below: Vec<&Alternative> = (ends.iter().copied())
                .filter(|end_of| end_of.steps.get(end) == step)
                .collect();
            self.branch(&group, &below, end + 1, depth + 1);
            self.out.push_str("</ul></details>");
        }
    }

    /// Writes the alternatives whose last decision is at a position, and takes them out.
    fn ends(&mut self, ends: &mut Vec<&Alternative>, at: usize) {
        let here = |end: &&Alternative| end.steps.len() == at + 1;
        let last: Vec<&Alternative> = ends.iter().copied().filter(here).collect();
        ends.retain(|end| !here(end));
        for end in last {
            if self.alternatives == MOST_ALTERNATIVES {
                return;
            }
            self.alternatives += 1;
            let class = if end.infeasible { "no" } else { "open" };
            let words = end.steps.last().map_or("", |step| step.words.as_str());
            let _ = write!(
                self.out,
                "<li class={class}><span>{}</span> — {}",
                prose(words),
                escape(&end.reason)
            );
        }
    }

    fn end(&mut self, path: &Path) {
        let _ = write!(self.out, "<li class=end>{}", escape(&path.end));
        let test = path
            .test
            .and_then(|index| Some((index, self.method.tests.get(index)?)));
        if let Some((index, test)) = test {
            let number = self.first_test + index;
            let _ = write!(
                self.out,
                " — <a href=\"#t{number}\">{}</a>",
                escape(&test.name)
            );
        }
    }
}

/// How far some paths agree.
fn common(paths: &[&Path], from: usize) -> usize {
    let Some((first, others)) = paths.split_first() else {
        return from;
    };
    let mut end = from;
    while let Some(step) = first.steps.get(end) {
        if others.iter().any(|path| path.steps.get(end) != Some(step)) {
            break;
        }
        end += 1;
    }
    end
}

/// Paths that decide alike at a position, in the order of the first of each group.
fn groups<'p>(paths: &[&'p Path], at: usize) -> Vec<Vec<&'p Path>> {
    let mut groups: Vec<Vec<&Path>> = Vec::new();
    for path in paths {
        let known = groups.iter_mut().find(|group| {
            let first = group.first().and_then(|first| first.steps.get(at));
            first == path.steps.get(at)
        });
        match known {
            Some(group) => group.push(path),
            None => groups.push(vec![path]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::data::Step;
    use super::*;

    fn path(words: &str) -> Path {
        let step = |words: &str| Step {
            words: words.to_owned(),
            line: None,
            forced: false,
            which: 0,
        };
        Path {
            steps: words.split_whitespace().map(step).collect(),
            end: "end".to_owned(),
            test: None,
        }
    }

    fn tree(paths: Vec<Path>) -> String {
        let method = Method {
            paths,
            ..Method::default()
        };
        let mut out = String::new();
        write(&method, 0, &mut out);
        out
    }

    #[test]
    fn shared_decisions_are_said_once() {
        let text = tree(vec![path("a b c"), path("a b d"), path("a b")]);
        for (words, times) in [(">a<", 1), (">b<", 1), (">c<", 1), (">d<", 1), (">end", 3)] {
            assert_eq!(text.matches(words).count(), times, "{words}: {text}");
        }
    }

    #[test]
    fn alternatives_stand_beside_the_decision_that_was_taken() {
        let end = |words: &str, infeasible| Alternative {
            steps: path(words).steps,
            infeasible,
            reason: "why".to_owned(),
        };
        let method = Method {
            paths: vec![path("a b c"), path("a d")],
            alternatives: vec![
                end("x", true),
                end("a b y", false),
                end("elsewhere z", true),
            ],
            alternative_counts: (2, 5),
            ..Method::default()
        };
        let mut out = String::new();
        write(&method, 0, &mut out);
        let at = |words: &str| out.find(words).unwrap_or_else(|| panic!("{words}: {out}"));
        assert!(at("<li class=no><span>x</span> — why") < at("<li>a"));
        assert!(at("<summary>b") < at("<li class=open><span>y</span> — why"));
        assert!(at("<span>y</span>") < at("<li>c"));
        assert!(!out.contains('z'), "{out}");
        assert!(
            out.contains("5 more alternatives are left out here."),
            "{out}"
        );
        assert!(out.contains("2 unreachable · 5 not explored"), "{out}");
    }

    #[test]
    fn what_is_left_out_is_said() {
        let many: Vec<Path> = (0..MOST_PATHS + 3)
            .map(|n| path(&format!("a n{n}")))
            .collect();
        assert!(tree(many).contains("3 more paths are left out here."));
        let long = "a ".repeat(MOST_STEPS + 5);
        let text = tree(vec![path(&long)]);
        assert!(text.contains("and 5 more") && text.contains("Long paths are shortened."));
    }

    #[test]
    fn deep_trees_are_cut() {
        let comb = (0..500).map(|depth| path(&format!("{}stop", "go ".repeat(depth))));
        let text = tree(comb.collect());
        assert!(text.matches("<details").count() <= DEEPEST * 2 + 3);
        assert_eq!(
            text.matches("<details").count(),
            text.matches("</details>").count()
        );
    }
}
