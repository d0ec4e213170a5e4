//! How far a search is, in one line.

use std::time::Duration;

use heapwright_engine::Progress;

/// The line about a search with a title, which may take so long.
pub fn line(title: &str, budget: Option<Duration>, progress: &Progress) -> String {
    let Progress {
        tests,
        covered,
        branches,
        elapsed,
        ..
    } = progress;
    let seconds = elapsed.as_secs_f64();
    let budget = budget.map_or(String::new(), |budget| {
        format!(" of {}", budget.as_secs_f64())
    });
    format!("{title}: {covered} of {branches} branches, {tests} tests, {seconds:.1}{budget} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_search_is() {
        let progress = Progress {
            tests: 3,
            covered: 5,
            branches: 8,
            frontier: 2,
            solver_calls: 40,
            solving: Duration::from_millis(310),
            elapsed: Duration::from_millis(1250),
        };
        let expected = "remove: 5 of 8 branches, 3 tests, 1.2";
        let budget = Some(Duration::from_secs(60));
        let shown = line("remove", budget, &progress);
        assert_eq!(shown, format!("{expected} of 60 s"));
        assert_eq!(line("remove", None, &progress), format!("{expected} s"));
    }
}
