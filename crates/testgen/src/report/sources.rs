//! The text of one test, out of that of its file.

use std::collections::BTreeMap;

/// The methods of a test class, by name.
pub struct Methods<'t> {
    lines: Vec<&'t str>,
    /// The lines of their headings.
    headings: BTreeMap<&'t str, usize>,
}

impl<'t> Methods<'t> {
    /// Of the text of a class.
    pub fn of(class: &'t str) -> Methods<'t> {
        let lines: Vec<&str> = class.lines().collect();
        let mut headings = BTreeMap::new();
        for (number, line) in lines.iter().enumerate() {
            let heading = line
                .split_once("void ")
                .and_then(|(_, rest)| rest.split_once("()"));
            if let Some((name, _)) = heading {
                headings.entry(name).or_insert(number);
            }
        }
        Methods { lines, headings }
    }

    /// The method with a name, with the comments and annotations above it, without the
    /// indentation.
    pub fn method(&self, name: &str) -> Option<String> {
        test_method(&self.lines, *self.headings.get(name)?)
    }
}

/// The method whose heading is at a line.
fn test_method(lines: &[&str], at: usize) -> Option<String> {
    // Members are separated by empty lines, and only they begin or end at their indentation.
    let before = lines.get(..at)?;
    let outside = before.iter().rposition(|line| !line.starts_with("    "));
    let first = outside.map_or(0, |outside| outside + 1);
    let after = lines.get(at..)?;
    let last = at + after.iter().position(|line| *line == "    }")?;
    let text = lines.get(first..=last)?.iter();
    let plain = text.map(|line| line.strip_prefix("    ").unwrap_or(line));
    Some(plain.collect::<Vec<_>>().join("\n"))
}

/// The comments and statements of a test in ImpL, without the program under test in between.
pub fn test_statements(program: &str) -> String {
    let is_phase = |line: &&str| line.starts_with("//! ") && !line.contains(": ");
    let mut lines = program.lines();
    let comments: Vec<&str> = (lines.by_ref().take_while(|line| !line.is_empty()))
        .filter(|line| !line.starts_with("//!"))
        .collect();
    let statements: Vec<&str> = lines.skip_while(|line| !is_phase(line)).collect();
    let gap = if comments.is_empty() { "" } else { "\n\n" };
    format!("{}{gap}{}", comments.join("\n"), statements.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_taken_with_what_stands_above_it() {
        let class = "class A {\n    @Test\n    void a() {\n    }\n\n    // Covers b.\n    @Test\n    \
                     void b() {\n        if (x) {\n        }\n\n        y();\n    }\n\n    int z;\n}\n";
        let expected = "// Covers b.\n@Test\nvoid b() {\n    if (x) {\n    }\n\n    y();\n}";
        let methods = Methods::of(class);
        assert_eq!(methods.method("b").as_deref(), Some(expected));
        let expected = "@Test\nvoid a() {\n}";
        assert_eq!(methods.method("a").as_deref(), Some(expected));
        assert_eq!(methods.method("c"), None);
    }

    #[test]
    fn statements_of_a_test_are_shown_without_the_program() {
        let program = "//! test: t\n//! expect: returned\n// covers line 2\n\nproc f() { skip }\n\n\
                       //! setup phase\nint x := 1;\n\n//! program under test\nf();\n";
        let expected =
            "// covers line 2\n\n//! setup phase\nint x := 1;\n\n//! program under test\nf();";
        assert_eq!(test_statements(program), expected);
    }
}
