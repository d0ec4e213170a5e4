//! The layout of a test: its parts put around a program, and taken out of a text again.
//!
//! A test has a header, the declarations of the program under test, and three phases, each behind
//! a line that says so.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::Position;
use heapwright_spec::diagnostic::FileId;

use super::case::Target;
use super::error::EmitError;
use super::expectation::Expectation;
use super::names::{Names, mentioned};
use super::parts::TestParts;
use super::property::Property;
use super::returns::{may_return, without_returns};
use super::text::tokens;
use super::under_test::{UnderTest, byte_at};
use crate::program::{ImplProgram, read_program};
use crate::syntax::ast::StatementKind;
use crate::syntax::{Sign, TokenKind, parse};

const SETUP: &str = "//! setup phase";
const UNDER_TEST: &str = "//! program under test";
const CHECK: &str = "//! check phase";
/// What the target is called that has no name. No procedure can be called like that.
const STATEMENTS: &str = "the statements";

impl TestParts {
    /// Takes a test out of its text.
    pub fn read(text: &str) -> Result<TestParts, EmitError> {
        let header_of = |name: &'static str, line: &str| {
            let entry = line.strip_prefix("//!")?.trim_start().strip_prefix(name)?;
            Some(entry.strip_prefix(':')?.trim().to_owned())
        };
        let header: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("//"))
            .collect();
        let entry = |name| header.iter().find_map(|line| header_of(name, line));
        let name = entry("test").ok_or(EmitError::NotATest("`//! test:`"))?;
        let target = entry("target").ok_or(EmitError::NotATest("`//! target:`"))?;
        let expectation = Expectation::read(text).ok().flatten();
        let expectation = expectation.ok_or(EmitError::NotATest("`//! expect:`"))?;
        let (before, rest) = split_at_line(text, SETUP).ok_or(EmitError::NotATest(SETUP))?;
        let (setup, rest) =
            split_at_line(rest, UNDER_TEST).ok_or(EmitError::NotATest(UNDER_TEST))?;
        let (tested, check) = split_at_line(rest, CHECK).unwrap_or((rest, ""));
        let target = match target.as_str() {
            STATEMENTS => Target::Main,
            name => Target::Procedure(name.to_owned()),
        };
        // The test has avoided all names of the program that it was written for.
        let mut own = declared(setup);
        own.extend(declared(check));
        let foreign = [mentioned(before), mentioned(tested)];
        own.retain(|name| !foreign.iter().any(|names| names.contains(name)));
        Ok(TestParts {
            name,
            expectation: match expectation {
                Expectation::Fault { kind, .. } => Expectation::Fault { kind, line: None },
                other => other,
            },
            comments: (header.iter().filter(|line| !line.starts_with("//!")))
                .map(|line| line.trim_start_matches('/').trim().to_owned())
                .collect(),
            setup: setup.trim().to_owned() + "\n",
            call: match target {
                Target::Main => String::new(),
                Target::Procedure(_) => tested.trim().to_owned(),
            },
            check: check.trim().to_owned() + "\n",
            property: entry("postcondition")
                .zip(entry("input"))
                .map(|(specification, input)| Property {
                    specification,
                    input,
                }),
            own,
            target,
        })
    }

    /// The program under test alone, with its lines where they are in the text of a test.
    pub fn program_of(text: &str) -> Result<String, EmitError> {
        let target = TestParts::read(text)?.target;
        let mut out = String::new();
        let mut is_program = true;
        for line in text.lines() {
            match line.trim_end() {
                SETUP | CHECK => is_program = false,
                UNDER_TEST => is_program = target == Target::Main,
                _ => {}
            }
            out.push_str(if is_program { line } else { "" });
            out.push('\n');
        }
        Ok(out)
    }

    /// The test with another version of the program under test, which needs the same structs, and
    /// the same procedure or variables. `name` is that of its file.
    ///
    /// The result is a correct program without inputs.
    pub fn with_program(&self, name: &str, program: &str) -> Result<String, EmitError> {
        let read = read_program(name, program)?;
        self.around(&read, program, None)
    }

    /// The same with a program that was read, and the place where it is expected to go wrong.
    pub(super) fn around(
        &self,
        read: &ImplProgram,
        program: &str,
        fault: Option<Position>,
    ) -> Result<String, EmitError> {
        let (tree, _) = parse(FileId(0), program);
        let fault = fault.and_then(|at| byte_at(program, at.line, at.column));
        let parts = self.apart_from(program);
        let set = declared(&parts.setup);
        let under_test = UnderTest::new(program, &tree, &set);
        let header = parts.header(None);
        let mut out = header.clone();
        let mut line = under_test.write(&under_test.declarations, &mut out, fault);
        out.push_str(if under_test.declarations.is_empty() {
            ""
        } else {
            "\n"
        });
        section(&mut out, SETUP, &parts.setup);
        out.push_str(&format!("\n{UNDER_TEST}\n"));
        match &parts.target {
            Target::Procedure(name) => {
                let mut procedures = tree.procedures.iter();
                if !procedures.any(|procedure| procedure.name.text == *name) {
                    return Err(EmitError::NoProcedure(name.clone()));
                }
                out.push_str(&parts.call);
                out.push('\n');
            }
            Target::Main if tree.statements.is_empty() => return Err(EmitError::NoStatements),
            Target::Main if may_return(&tree.statements) => {
                let mut names = Names::avoiding(program);
                let used = [mentioned(&parts.setup), mentioned(&parts.check)];
                used.iter().flatten().for_each(|name| names.take(name));
                out.push_str(&without_returns(read, &tree.statements, &set, &mut names)?);
            }
            Target::Main => {
                let found = under_test.write(&under_test.statements, &mut out, fault);
                line = line.or(found);
            }
        }
        let checks = !parts.check.trim().is_empty();
        if parts.expectation == Expectation::Returned || checks {
            out.push('\n');
            section(&mut out, CHECK, &parts.check);
        }
        // The header has as many lines with the place of the fault as without.
        let out = parts.header(line) + out.get(header.len()..).unwrap_or_default();
        self.verified(out)
    }

    /// A test that is a correct program and needs no inputs.
    fn verified(&self, text: String) -> Result<String, EmitError> {
        let read = read_program(&format!("{}.impl", self.name), &text)?;
        let inputs = read.entry.map(|entry| entry.inputs).unwrap_or_default();
        if inputs.is_empty() {
            return Ok(text);
        }
        let names = inputs.into_iter().map(|variable| variable.name);
        Err(EmitError::NoValue(names.collect()))
    }

    fn header(&self, line: Option<u32>) -> String {
        let target = match &self.target {
            Target::Main => STATEMENTS,
            Target::Procedure(name) => name,
        };
        let expectation = match self.expectation {
            Expectation::Fault { kind, .. } => Expectation::Fault { kind, line },
            other => other,
        };
        let mut header = format!(
            "//! test: {}\n//! target: {target}\n//! expect: {expectation}\n",
            self.name
        );
        if let Some(property) = &self.property {
            header.push_str(&property.to_string());
        }
        for comment in &self.comments {
            header.push_str(format!("// {comment}").trim_end());
            header.push('\n');
        }
        header.push('\n');
        header
    }

    /// The same parts, none of their own variables being mentioned in a program.
    fn apart_from(&self, program: &str) -> TestParts {
        let mut parts = self.clone();
        if self.target != Target::Main {
            // Procedures do not see the variables of the test.
            return parts;
        }
        let taken = mentioned(program);
        let mut names = Names::avoiding(program);
        let used = [mentioned(&self.setup), mentioned(&self.check)];
        used.iter().flatten().for_each(|name| names.take(name));
        let clashes = self.own.iter().filter(|name| taken.contains(*name));
        let renaming: BTreeMap<String, String> = clashes
            .map(|name| {
                let word = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
                (name.clone(), names.next(word))
            })
            .collect();
        if !renaming.is_empty() {
            parts.setup = renamed(&self.setup, &renaming);
            parts.check = renamed(&self.check, &renaming);
        }
        parts
    }
}

fn section(out: &mut String, title: &str, text: &str) {
    out.push_str(title);
    out.push('\n');
    if !text.trim().is_empty() {
        out.push_str(text);
    }
}

/// What stands before and behind a line.
fn split_at_line<'a>(text: &'a str, wanted: &str) -> Option<(&'a str, &'a str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == wanted {
            return Some((text.get(..start)?, text.get(start + line.len()..)?));
        }
        start += line.len();
    }
    None
}

/// The variables that statements declare outside of blocks.
fn declared(statements: &str) -> BTreeSet<String> {
    let (tree, _) = parse(FileId(0), statements);
    let names = tree.statements.into_iter().filter_map(|statement| {
        let StatementKind::Declare { name, .. } = statement.kind else {
            return None;
        };
        Some(name.text)
    });
    names.collect()
}

/// The text with other names for some variables. Fields of these names stay.
fn renamed(text: &str, renaming: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut copied = 0;
    let mut after_dot = false;
    for token in tokens(text) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        if let TokenKind::Name(name) = &token.kind
            && let Some(other) = renaming.get(name)
            && !after_dot
        {
            out.push_str(text.get(copied..start).unwrap_or_default());
            out.push_str(other);
            copied = end;
        }
        after_dot = token.kind == TokenKind::Sign(Sign::Dot);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}
