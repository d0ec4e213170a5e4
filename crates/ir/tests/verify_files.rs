//! The verifier on the files of `tests/data/verify/err`: each is a program that can be written
//! down, and the file beside it says everything that is wrong with it.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites the expected files; review the difference.

mod text_support;

use std::collections::BTreeSet;

use heapwright_ir::{Program, ProgramPart, Violation, parse, print, verify};
use heapwright_logic::{Class, Sort};
use text_support::{data_files, expect, read};

fn parse_file(path: &std::path::Path) -> Program {
    parse(&read(path)).unwrap_or_else(|error| panic!("{}:{error}", path.display()))
}

#[test]
fn rejected_files_have_the_expected_errors() {
    for path in data_files("verify/err") {
        match verify(&parse_file(&path)) {
            Ok(()) => panic!("{} was accepted", path.display()),
            Err(errors) => {
                let lines: String = errors.iter().map(|error| format!("{error}\n")).collect();
                expect(&path, &lines);
            }
        }
    }
}

/// What is wrong with a program can be shown too.
#[test]
fn rejected_files_print_back() {
    for path in data_files("verify/err") {
        assert_eq!(print(&parse_file(&path)), read(&path), "{}", path.display());
    }
}

/// A program whose tables do not go together, which no text can say.
fn inconsistent_tables() -> Program {
    let mut program = parse("function f() {\nb0:\n  return\n}\n").unwrap();
    program.definitions.add_class(Class {
        name: "A".to_owned(),
        fields: Vec::new(),
        superclass: None,
    });
    program
}

/// A program with more parameters than registers, which no text can say.
fn missing_parameters() -> Program {
    let text = "function f(x: int) {\nb0:\n  call f(1)\n  return\n}\n";
    let mut program = parse(text).unwrap();
    program.functions[0].params = 2;
    program
}

#[test]
fn what_no_text_can_say_is_reported() {
    let errors = verify(&inconsistent_tables()).unwrap_err();
    let violation = Violation::ClassCount {
        classes: 2,
        known: 1,
    };
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].place, ProgramPart::Program);
    assert_eq!(errors[0].violation, violation);

    let errors = verify(&missing_parameters()).unwrap_err();
    let violation = Violation::ParameterCount {
        params: 2,
        registers: 1,
    };
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].violation, violation);
}

#[test]
fn errors_say_where_they_are() {
    let text = "function f(x: int) {\nb0:\n  goto b1\nb1:\n  x := 1\n  x := true\n  return\n}\n";
    let errors = verify(&parse(text).unwrap()).unwrap_err();
    let place = ProgramPart::Function {
        function: heapwright_ir::FunctionId(0),
        name: "f".to_owned(),
        block: Some(heapwright_ir::BlockId(1)),
        instruction: Some(1),
    };
    assert_eq!(errors[0].place, place);
}

/// A new kind of violation does not compile before it has a name here, and the next test fails
/// before it has a case.
fn kind(violation: &Violation) -> usize {
    match violation {
        Violation::ClassCount { .. } => 0,
        Violation::DuplicateClass => 1,
        Violation::DuplicateFunction => 2,
        Violation::NoSuchClass(_) => 3,
        Violation::NoSuchFunction(_) => 4,
        Violation::NoSuchRegister(_) => 5,
        Violation::NoSuchBlock(_) => 6,
        Violation::NoSuchField { .. } => 7,
        Violation::NoSuchFile(_) => 8,
        Violation::CyclicHierarchy => 9,
        Violation::RootClass => 10,
        Violation::InheritedFields => 11,
        Violation::LayoutCount { .. } => 12,
        Violation::LayoutBounds(_) => 13,
        Violation::ArrayFields => 14,
        Violation::MethodReceiver(_) => 15,
        Violation::NotInstantiable(_) => 16,
        Violation::ArrayClass(_) => 17,
        Violation::NotAnArray(_) => 18,
        Violation::MathematicalInteger => 19,
        Violation::NoBlocks => 20,
        Violation::ParameterCount { .. } => 21,
        Violation::Sort { .. } => 22,
        Violation::Incomparable(..) => 23,
        Violation::NoOrder(_) => 24,
        Violation::NoOperation(_) => 25,
        Violation::Range { .. } => 26,
        Violation::ArgumentCount { .. } => 27,
        Violation::NoResult => 28,
        Violation::NoReceiver => 29,
        Violation::DuplicateCase(_) => 30,
        Violation::ReturnsValue => 31,
        Violation::ReturnsNothing => 32,
        Violation::Unassigned(_) => 33,
        Violation::DuplicateGlobal => 34,
        Violation::NoSuchGlobal(_) => 35,
        Violation::NoLength => 36,
    }
}

#[test]
fn every_kind_of_violation_occurs() {
    let mut programs = vec![inconsistent_tables(), missing_parameters()];
    programs.extend(data_files("verify/err").iter().map(|path| parse_file(path)));
    let errors = programs.iter().filter_map(|program| verify(program).err());
    let found: BTreeSet<usize> = errors
        .flatten()
        .map(|error| kind(&error.violation))
        .collect();
    assert_eq!(found, (0..37).collect());
}

/// Ids that lead nowhere are reported wherever they are, and nothing looks at what is behind.
#[test]
fn broken_ids_do_no_harm() {
    for path in data_files("text/ok") {
        let program = parse_file(&path);
        for (function, register) in (program.functions.iter().enumerate())
            .flat_map(|(index, f)| (0..f.registers.len()).map(move |r| (index, r)))
        {
            let mut broken = program.clone();
            broken.functions[function].registers[register].sort =
                Sort::Ref(heapwright_logic::ClassId(u32::MAX));
            let errors = verify(&broken).unwrap_err();
            assert!(
                errors
                    .iter()
                    .any(|error| kind(&error.violation) == 3 || kind(&error.violation) == 15),
                "{errors:?}"
            );
        }
    }
}
