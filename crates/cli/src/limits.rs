//! Limits that every command with a search understands.

use std::time::Duration;

/// Budgets of a question.
#[derive(clap::Args, Clone, Debug)]
pub struct Limits {
    /// Seconds for each question; past them the answer is `unknown`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
}

/// A number of seconds, for options.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| "a number of seconds is needed, such as 10 or 0.5".to_owned())
}
