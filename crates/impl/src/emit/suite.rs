//! Several tests of procedures in one file, each a procedure of its own.

use super::case::{Ending, Target, TestCase};
use super::error::EmitError;
use super::expectation::Expectation;
use super::names::Names;
use super::parts::TestParts;
use super::under_test::UnderTest;
use crate::program::read_program;
use crate::syntax::parse;
use heapwright_spec::diagnostic::FileId;

/// One program that runs several tests of the procedures of a program.
///
/// Runs that end in a fault would end the whole suite, and the statements of a program cannot be
/// called: such tests need files of their own.
pub fn emit_suite(cases: &[TestCase<'_>]) -> Result<String, EmitError> {
    let Some(first) = cases.first() else {
        return Ok(String::new());
    };
    let (file, program) = first.source()?;
    let expectation = Expectation::Returned;
    let mut out = format!("//! suite: {file}\n//! expect: {expectation}\n\n");
    let (tree, _) = parse(FileId(0), program);
    let under_test = UnderTest::new(program, &tree, &Default::default());
    under_test.write(&under_test.declarations, &mut out, None);
    let mut names = Names::avoiding(program);
    let mut calls = String::new();
    for case in cases {
        let unfit = |why| Err(EmitError::NotForSuites(case.name.clone(), why));
        if case.target == Target::Main {
            return unfit("it is one of the program's statements");
        }
        if !matches!(case.ending, Ending::Returned { .. }) {
            return unfit("it does not return");
        }
        if case.source()?.1 != program {
            return unfit("it is one of another program");
        }
        let parts = TestParts::of(case)?;
        let name = names.plain(&identifier(&parts.name));
        out.push('\n');
        for comment in &parts.comments {
            out.push_str(format!("// {comment}").trim_end());
            out.push('\n');
        }
        out.push_str(&format!("proc {name}() {{\n"));
        let call = format!("{}\n", parts.call);
        for line in [&parts.setup, &call, &parts.check]
            .into_iter()
            .flat_map(|part| part.lines())
        {
            out.push_str(&format!("    {line}\n"));
        }
        out.push_str("}\n");
        calls.push_str(&format!("{name}();\n"));
    }
    out.push('\n');
    out.push_str(&calls);
    read_program(file, &out)?;
    Ok(out)
}

/// A name made of letters, digits and `_` that says that this is a test.
fn identifier(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter.is_alphanumeric() {
        true => letter,
        false => '_',
    });
    let name: String = letters.collect();
    match name.starts_with("test") {
        true => name,
        false => format!("test_{name}"),
    }
}
