//! Configuration files made from scratch: keys with values that fit them, or do not.

use super::repeated;
use crate::random::Random;

const KEYS: [&str; 36] = [
    "targets",
    "classpath",
    "sources",
    "specs",
    "spec",
    "no-spec",
    "out",
    "json",
    "report",
    "svg",
    "jacoco",
    "junit",
    "verify",
    "quiet",
    "verbose",
    "mode",
    "strategy",
    "values",
    "keep",
    "domain",
    "calls",
    "reach",
    "seed",
    "jobs",
    "time",
    "memory",
    "steps",
    "scope",
    "max-objects",
    "max-paths",
    "budgets",
    "budgets.time",
    "budgets.memory",
    "config",
    "help",
    "\"\"",
];

const VALUES: [&str; 40] = [
    "true",
    "false",
    "0",
    "1",
    "-1",
    "4",
    "5",
    "60",
    "1.5",
    "0x7f",
    "inf",
    "nan",
    "1e400",
    "9223372036854775807",
    "99999999999999999999999",
    "18446744073709551615",
    "'a.B'",
    "\"a.B#m\"",
    "'../../x'",
    "'/etc/x'",
    "'x\\y'",
    "\"\\u0000\"",
    "\"\\n\"",
    "''",
    "'-'",
    "'--out=x'",
    "'symbolic'",
    "'sequences'",
    "'bounded:7'",
    "'shapes:3'",
    "'coverage'",
    "'key=0..5'",
    "'key=5..0'",
    "'key=-9223372036854775808..9223372036854775807'",
    "'list.impl#reverse'",
    "['a', 'b:c', '']",
    "[1, [2, [3]]]",
    "{ time = 1 }",
    "1979-05-27T07:32:00Z",
    "'''\nlines\n'''",
];

/// A configuration file.
pub fn generate(random: &mut Random) -> String {
    let count = random.below(6);
    let top = repeated(random, count, "\n", line);
    let count = random.below(3);
    let budgets = repeated(random, count, "\n", line);
    match random.below(6) {
        0 => format!("{top}\n[budgets]\n{budgets}\n"),
        1 if random.one_in(10) => format!("{top}\nx = {}", "[".repeat(random.below(20_000))),
        2 if random.one_in(10) => {
            let keys = "a.".repeat(random.below(5_000));
            format!("{top}\n{keys}b = 1\n[{keys}c]\n")
        }
        3 if random.one_in(5) => format!("{top}\n[[budgets]]\n{budgets}\n[budgets]\n"),
        _ => top,
    }
}

fn line(random: &mut Random) -> String {
    let key = KEYS[random.below(KEYS.len())];
    format!("{key} = {}", VALUES[random.below(VALUES.len())])
}
