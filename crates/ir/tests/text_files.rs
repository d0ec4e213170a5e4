//! The text form on the files of `tests/data/text`: those in `ok` are verified programs that
//! print back as they are, those in `err` are rejected as the file beside them says.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites the expected files; review the difference.

mod text_support;

use std::collections::BTreeSet;

use heapwright_ir::{Program, parse, print, verify};
use text_support::{assert_same, data_files, expect, operations_and_jumps, read, variant};

fn ok_programs() -> Vec<Program> {
    let parse_file = |path: &std::path::PathBuf| {
        parse(&read(path)).unwrap_or_else(|error| panic!("{}:{error}", path.display()))
    };
    data_files("text/ok").iter().map(parse_file).collect()
}

#[test]
fn accepted_files_print_back() {
    for path in data_files("text/ok") {
        let text = read(&path);
        let program = parse(&text).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
        assert_eq!(print(&program), text, "{}", path.display());
        assert_eq!(verify(&program), Ok(()), "{}", path.display());
    }
}

#[test]
fn rejected_files_get_the_expected_error() {
    for path in data_files("text/err") {
        match parse(&read(&path)) {
            Ok(_) => panic!("{} was accepted", path.display()),
            Err(error) => expect(&path, &format!("{error}\n")),
        }
    }
}

#[test]
fn every_operation_and_jump_occurs() {
    let found = operations_and_jumps(&ok_programs());
    assert_eq!(found.iter().collect::<Vec<_>>(), text_support::ALL);
}

#[test]
fn every_syntax_error_occurs() {
    let mut found = BTreeSet::new();
    for path in data_files("text/err") {
        found.insert(variant(&parse(&read(&path)).unwrap_err().error));
    }
    let expected = [
        "AmbiguousRegister",
        "BlockOrder",
        "Character",
        "Escape",
        "Expected",
        "LateClass",
        "Number",
        "OpenBlock",
        "OpenString",
        "OtherRegister",
        "RegisterOrder",
        "Twice",
        "UnknownClass",
        "UnknownField",
        "UnknownFunction",
        "UnknownGlobal",
        "UnknownRegister",
    ];
    assert_eq!(found.iter().collect::<Vec<_>>(), expected);
}

#[test]
fn spaces_comments_and_other_spellings_do_not_matter() {
    let free = "// A comment.\r\n\n  class   \"A\"{ // another\n\
                x :int\n\n}\nfunction f (%0:A,n:int)->int{\nb0 :\n\
                %1:=%0 -> #1 :: #0\nn := 0x10\nn%1 := add . int n , 1\nreturn n\n}";
    let free = free.replace("add . int", "add.int");
    let tidy = "class A {\n  x: int\n}\n\nfunction f(%0: A, n: int) -> int {\nb0:\n  \
                n := %0->A::x\n  n := 16\n  n := add.int n, 1\n  return n\n}\n";
    let (free, tidy) = (parse(&free).unwrap(), parse(tidy).unwrap());
    assert_same(&free, &tidy);
}

#[test]
fn nothing_is_a_program() {
    let program = parse("").unwrap();
    assert_eq!(program.classes.len(), 1);
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(print(&program), "");
}

#[test]
fn long_programs_are_read() {
    let mut text = "function f(x: int) {\nb0:\n".to_owned();
    text.push_str(&"  x := add.int x, 1\n".repeat(100_000));
    text.push_str("  return\n}\n");
    let program = parse(&text).unwrap();
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(print(&program), text);
}
