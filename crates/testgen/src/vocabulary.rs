//! The words for options of a search, read and written alike on command lines, in configuration files
//! and in reports.

use std::time::Duration;

use heapwright_engine::{Keep, Mode, StrategyKind, ValueChoice};

/// The word for a mode.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Specification => "spec",
        Mode::Concolic => "concolic",
        Mode::Symbolic => "symbolic",
        Mode::Lazy { .. } => "lazy",
        Mode::Blackbox => "repok",
        Mode::Whitebox => "whitebox",
        Mode::Sequences => "sequences",
    }
}

/// The word for a strategy.
pub fn strategy_name(strategy: StrategyKind) -> String {
    match strategy {
        StrategyKind::DepthFirst => "dfs".to_owned(),
        StrategyKind::BreadthFirst => "bfs".to_owned(),
        StrategyKind::IterativeDeepening => "deepening".to_owned(),
        StrategyKind::DepthBounded(depth) => format!("bounded:{depth}"),
        StrategyKind::Coverage => "coverage".to_owned(),
        StrategyKind::Random => "random".to_owned(),
    }
}

/// The word for a choice of values.
pub fn values_name(values: ValueChoice) -> String {
    match values {
        ValueChoice::Any => "any".to_owned(),
        ValueChoice::SmallestHeap => "smallest-heap".to_owned(),
        ValueChoice::SmallestValues => "smallest-values".to_owned(),
        ValueChoice::Shapes(count) => format!("shapes:{count}"),
    }
}

/// The word for what is kept.
pub fn keep_name(keep: Keep) -> &'static str {
    match keep {
        Keep::Mutants => "mutants",
        Keep::Coverage => "coverage",
        Keep::Paths => "paths",
        Keep::All => "all",
    }
}

/// The mode of a word.
pub fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "spec" => Ok(Mode::Specification),
        "concolic" => Ok(Mode::Concolic),
        "symbolic" => Ok(Mode::Symbolic),
        "lazy" => Ok(Mode::Lazy { filter: false }),
        "repok" => Ok(Mode::Blackbox),
        "whitebox" => Ok(Mode::Whitebox),
        "sequences" => Ok(Mode::Sequences),
        _ => Err(
            "there are concolic, symbolic, spec, lazy, repok, whitebox and sequences".to_owned(),
        ),
    }
}

/// The strategy of a word.
pub fn strategy(text: &str) -> Result<StrategyKind, String> {
    match text.split_once(':') {
        None => match text {
            "coverage" => Ok(StrategyKind::Coverage),
            "dfs" => Ok(StrategyKind::DepthFirst),
            "bfs" => Ok(StrategyKind::BreadthFirst),
            "deepening" => Ok(StrategyKind::IterativeDeepening),
            "random" => Ok(StrategyKind::Random),
            "bounded" => Err("a depth is needed, as in bounded:20".to_owned()),
            _ => {
                Err("there are coverage, dfs, bfs, deepening, bounded:DEPTH and random".to_owned())
            }
        },
        Some(("bounded", depth)) => match depth.parse() {
            Ok(depth) => Ok(StrategyKind::DepthBounded(depth)),
            Err(_) => Err("a depth is needed, as in bounded:20".to_owned()),
        },
        Some((name, _)) => Err(format!("only `bounded` takes a number, not `{name}`")),
    }
}

/// The choice of values of a word.
pub fn values(text: &str) -> Result<ValueChoice, String> {
    match text.split_once(':') {
        None => match text {
            "any" => Ok(ValueChoice::Any),
            "smallest-heap" => Ok(ValueChoice::SmallestHeap),
            "smallest-values" => Ok(ValueChoice::SmallestValues),
            "shapes" => Err("a number is needed, as in shapes:3".to_owned()),
            _ => Err("there are any, smallest-heap, smallest-values and shapes:K".to_owned()),
        },
        Some(("shapes", count)) => match count.parse() {
            Ok(count @ 1..) => Ok(ValueChoice::Shapes(count)),
            _ => Err("a number from 1 is needed, as in shapes:3".to_owned()),
        },
        Some((name, _)) => Err(format!("only `shapes` takes a number, not `{name}`")),
    }
}

/// What is kept, by a word.
pub fn keep(text: &str) -> Result<Keep, String> {
    match text {
        "mutants" => Ok(Keep::Mutants),
        "coverage" => Ok(Keep::Coverage),
        "paths" => Ok(Keep::Paths),
        "all" => Ok(Keep::All),
        _ => Err("there are mutants, coverage, paths and all".to_owned()),
    }
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| "a number of seconds is needed, such as 10 or 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_written_alike() {
        for name in [
            "spec",
            "concolic",
            "symbolic",
            "lazy",
            "repok",
            "whitebox",
            "sequences",
        ] {
            assert_eq!(mode(name).map(mode_name), Ok(name));
        }
        for name in [
            "coverage",
            "dfs",
            "bfs",
            "deepening",
            "bounded:12",
            "random",
        ] {
            assert_eq!(strategy(name).map(strategy_name), Ok(name.to_owned()));
        }
        for name in ["any", "smallest-heap", "smallest-values", "shapes:2"] {
            assert_eq!(values(name).map(values_name), Ok(name.to_owned()));
        }
        for name in ["mutants", "coverage", "paths", "all"] {
            assert_eq!(keep(name).map(keep_name), Ok(name));
        }
    }
}
