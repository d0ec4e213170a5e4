//! Trace files of LCOV, as `geninfo` describes them.

use std::fmt::Write;

use super::counter::{self, Counter};
use super::{Coverage, Method, merged};

/// Writes the trace file.
pub fn lcov(coverage: &Coverage) -> String {
    let mut out = format!("TN:{}\n", test_name(&coverage.name));
    for (file, methods) in coverage.files() {
        let _ = writeln!(out, "SF:{}", one_line(file));
        functions(&methods, &mut out);
        let lines = merged(&methods);
        for line in &lines {
            for (block, jump) in line.jumps.iter().enumerate() {
                for (branch, taken) in jump.iter().enumerate() {
                    // A dash says that the jump itself was never reached.
                    let taken = match line.hits {
                        0 => "-".to_owned(),
                        _ => taken.to_string(),
                    };
                    let _ = writeln!(out, "BRDA:{},{block},{branch},{taken}", line.number);
                }
            }
        }
        let Counter { covered, missed } = counter::branches(&lines);
        let _ = writeln!(out, "BRF:{}\nBRH:{covered}", covered + missed);
        for line in &lines {
            let _ = writeln!(out, "DA:{},{}", line.number, line.hits);
        }
        let Counter { covered, missed } = counter::lines(&lines);
        let _ = writeln!(out, "LF:{}\nLH:{covered}", covered + missed);
        out.push_str("end_of_record\n");
    }
    out
}

fn functions(methods: &[&Method], out: &mut String) {
    let name = |method: &Method| one_line(&format!("{}{}", method.name, method.descriptor));
    for method in methods {
        let _ = writeln!(out, "FN:{},{}", method.line, name(method));
    }
    for method in methods {
        let _ = writeln!(out, "FNDA:{},{}", method.calls, name(method));
    }
    let called = methods.iter().filter(|method| method.calls > 0).count();
    let _ = writeln!(out, "FNF:{}\nFNH:{called}", methods.len());
}

/// Names of tests have letters, digits and underscores only.
fn test_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

/// A record is one line.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
