//! Limits that every command with a search understands.

use std::time::Duration;

use heapwright_testgen::vocabulary::seconds;

/// Budgets of a question.
#[derive(clap::Args, Clone, Debug)]
pub struct Limits {
    /// Seconds for each question; past them the answer is `unknown`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
}
