//! Reading C: small files with the trees that come out, and a larger one with everything.
//!
//! `UPDATE_EXPECT=1` writes the expected files anew.

mod print;

use std::path::{Path, PathBuf};

use heapwright_c::CError;
use heapwright_c::ast::{ExprKind, StmtKind, Unit};
use heapwright_c::clang::Flags;
use heapwright_c::read::read;

/// The small files. The path is relative because `assert` writes it into the program.
fn data() -> &'static Path {
    Path::new("tests/data/reading")
}

fn unit_of(file: &Path, flags: &[&str]) -> Result<Unit, CError> {
    let words: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    read(file, &Flags::from_words(&words)?)
}

#[test]
fn files_become_the_expected_trees() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(data())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 30);
    let mut wrong = Vec::new();
    for file in files {
        let text = match unit_of(&file, &[]) {
            Ok(unit) => print::unit(&unit),
            Err(error) => format!("error: {error}\n"),
        };
        let expected = file.with_extension("tree");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &text).unwrap();
        }
        if std::fs::read_to_string(&expected).ok().as_ref() != Some(&text) {
            wrong.push(format!("{}:\n{text}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file in a folder of its own, which is removed at the end.
struct Source(PathBuf);

impl Source {
    fn new(name: &str, text: &str) -> Source {
        let folder = format!("heapwright-read-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.c"), text).unwrap();
        Source(folder)
    }

    fn read(&self, flags: &[&str]) -> Result<Unit, CError> {
        unit_of(&self.0.join("a.c"), flags)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn clangs_errors_are_shown() {
    let source = Source::new("error", "int f(void) {\n    return undeclared;\n}\n");
    let Err(CError::Rejected { messages, .. }) = source.read(&[]) else {
        panic!("a wrong file was accepted");
    };
    assert!(
        messages.contains("a.c:2:12: error: use of undeclared identifier"),
        "{messages}"
    );
}

#[test]
fn flags_change_what_is_read() {
    let source = Source::new(
        "flags",
        "long x = VALUE;\nvoid *p;\nint s = sizeof(long);\n",
    );
    let unit = source.read(&["-DVALUE=3"]).unwrap();
    let text = print::unit(&unit);
    assert!(text.contains("Global x: i64 = (i64)3"), "{text}");
    let unit = source.read(&["-m32", "-DVALUE=4"]).unwrap();
    let text = print::unit(&unit);
    assert!(
        text.contains("Global x: i32 = (i32)4") || text.contains("Global x: i32 = 4"),
        "{text}"
    );
    assert!(text.contains("Global s: i32 = (i32)4:u32"), "{text}");
}

#[test]
fn bodies_of_headers_are_read_if_they_are_called() {
    let unit = unit_of(&data().join("header_bodies.c"), &[]).unwrap();
    let has_body = |name: &str| {
        let function = unit.functions.iter().find(|function| function.name == name);
        function.map(|function| function.body.is_some())
    };
    assert_eq!(has_body("f"), Some(true));
    assert_eq!(has_body("helper"), Some(true));
    assert_eq!(has_body("deeper"), Some(true));
    assert_eq!(has_body("unused"), Some(false));
    assert_eq!(has_body("abs"), Some(false));
}

#[test]
fn operators_have_their_own_places() {
    let source = Source::new(
        "places",
        "int f(int a, int b) {\n  return a /* + */\n    + b++;\n}\n",
    );
    let unit = source.read(&[]).unwrap();
    let function = unit.functions.iter().find(|known| known.name == "f");
    let body = function.unwrap().body.as_ref().unwrap();
    let StmtKind::Block(statements) = &body.kind else {
        panic!("no block");
    };
    let StmtKind::Return(Some(sum)) = &statements[0].kind else {
        panic!("no return");
    };
    assert_eq!(
        (statements[0].place.line, statements[0].place.column),
        (2, 3)
    );
    assert_eq!((sum.place.line, sum.place.column), (3, 5));
    let ExprKind::Binary(_, _, step) = &sum.kind else {
        panic!("no sum");
    };
    assert_eq!((step.place.line, step.place.column), (3, 8));
}

#[test]
fn what_macros_of_the_system_write_is_marked() {
    let text = "#include <assert.h>\nvoid f(int *p) {\n  assert(p);\n}\n";
    let unit = Source::new("macros", text).read(&[]).unwrap();
    let function = unit
        .functions
        .iter()
        .find(|function| function.name == "f")
        .unwrap();
    let StmtKind::Block(statements) = &function.body.as_ref().unwrap().kind else {
        panic!("no block");
    };
    let StmtKind::Expr(value) = &statements[0].kind else {
        panic!("no expression");
    };
    assert!(value.in_system_macro);
    assert_eq!((value.place.file, value.place.line), (0, 3));
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let chain = |length: usize| format!("int f(int a) {{ return a{}; }}", " + a".repeat(length));
    assert!(Source::new("deep", &chain(500)).read(&[]).is_ok());
    let error = Source::new("deeper", &chain(1010)).read(&[]).unwrap_err();
    assert!(error.to_string().contains("nests too deeply"), "{error}");
}

#[test]
fn a_larger_file_is_read_as_a_whole() {
    let unit = unit_of(Path::new("tests/data/large/everything.c"), &[]).unwrap();
    let text = print::unit(&unit);
    assert!(!text.contains("unsupported"), "{text}");
    let own = |place: heapwright_c::ast::Place| place.file == 0;
    let functions = unit.functions.iter().filter(|function| own(function.place));
    let with_body = functions.filter(|function| function.body.is_some());
    assert_eq!(with_body.count(), 23);
    let sizes: Vec<(&str, u64)> = unit
        .records
        .iter()
        .filter(|record| own(record.place) && record.is_named)
        .map(|record| (record.name.as_str(), record.size))
        .collect();
    let expected = [
        ("struct list_head", 16),
        ("struct item", 32),
        ("struct expression", 24),
        ("struct node", 32),
        ("struct flags", 4),
        ("struct message", 7),
        ("struct buffer", 16),
        ("struct point", 16),
        ("struct local", 16),
    ];
    assert_eq!(sizes, expected);
    // What cannot be represented is only what C has no other word for here.
    let others = text.matches('<').count() - text.matches("<va_list>").count();
    let comparisons = text.matches(" < ").count() + text.matches(" <= ").count();
    let shifts = text.matches("<<").count();
    assert_eq!(others, comparisons + 2 * shifts, "{text}");
}
