//! Tests that are written out compile without a warning and pass on every JDK that is found.
//!
//! Inputs are made, and expectations found, by running methods of `tests/data/emit/Tree.java` in
//! the interpreter; so the emitted tests also compare it with the virtual machine.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use expect_test::expect_file;
use heapwright_ir::machine::concrete::{Concrete, export_value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome};
use heapwright_java::classpath::{ClassPath, Jdk};
use heapwright_java::emit::{
    Defect, EmitError, Ending, Framework, GlobalObject, StaticValue, TestCase, TestClass, emit,
    file_path, test_package,
};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;
use heapwright_logic::{Heap, Loc, Value};

const BUDGETS: Budgets = Budgets {
    steps: 2_000_000,
    depth: 500,
    objects: 100_000,
    array_length: 100_000,
    elements: 1_000_000,
};

const SOURCE: &str = include_str!("data/emit/Tree.java");

/// The methods under test, with what makes their arguments.
const CASES: [(&str, &str, &[&str]); 15] = [
    ("add", "add_empty", &["makeEmpty", "makeSeven"]),
    ("add", "add_right", &["makeTree", "makeSeven"]),
    ("first", "first_empty", &["makeEmpty"]),
    ("first", "first_found", &["makeTree"]),
    ("twins", "twins", &["makeTree"]),
    ("secret", "secret", &["makeTree", "makeNumbers", "makeText"]),
    ("deepen", "deepen", &["makeTree"]),
    ("count", "count", &["makeBox"]),
    ("swap", "swap", &["makePair"]),
    ("half", "half", &["makeSealed"]),
    ("pick", "pick", &["makeLetters", "makeOne"]),
    ("fill", "fill", &["makeFull"]),
    ("triple", "triple", &["makeBoxes"]),
    ("narrow", "narrow", &["makeHolder"]),
    ("<init>", "created", &[]),
];

struct Run {
    value: Option<Value>,
    threw: Option<heapwright_logic::ClassId>,
    heap: Heap,
    globals: BTreeMap<Loc, GlobalObject>,
    calls: Value,
}

fn target(world: &World, class: &str, method: &str) -> TargetMethod {
    let class = world.class_path().load(class).unwrap();
    let found = class.methods.iter().find(|one| *one.name == *method);
    let method = found.unwrap_or_else(|| panic!("{method}")).clone();
    let declared = DeclaredMethod {
        class: class.clone(),
        method,
    };
    TargetMethod { class, declared }
}

/// Runs a method until everything is loaded.
fn run(world: &mut World, target: &TargetMethod, heap: &Heap, arguments: &[Value]) -> Run {
    let function = world.entry(target).unwrap();
    loop {
        let program = world.program();
        let mut domain = Concrete::new(program);
        let mut names = domain.import(heap).unwrap();
        let values = (arguments.iter())
            .map(|&value| domain.import_value(&mut names, value).unwrap())
            .collect();
        let mut machine = Machine::new(program, domain, BUDGETS);
        let outcome = machine.run(function, values);
        let memory = &machine.domain.memory;
        let (value, threw) = match outcome {
            Ok(MachineOutcome::Returned(value)) => (value, None),
            Ok(MachineOutcome::Threw { class, .. }) => (None, Some(class)),
            Ok(other) => panic!("{other:?}"),
            Err(MachineError::Missing(missing)) => {
                assert!(world.supply_missing(&missing), "{missing}");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let (heap, names) = memory.export().unwrap();
        let mut globals = BTreeMap::new();
        let mut calls = Value::Null;
        for (id, loc) in memory.export_globals(&names).unwrap() {
            if let Some(text) = world.literal_text(id) {
                globals.insert(loc, GlobalObject::Literal(text.clone()));
            }
            if program.globals[id.index()].name == "static shapes.Tree" {
                calls = heap.cells[&loc].fields[1];
            }
        }
        let value = value.map(|value| export_value(&names, value).unwrap());
        return Run {
            value,
            threw,
            heap,
            globals,
            calls,
        };
    }
}

/// What is reachable, moved to locations of its own.
fn moved(heap: &Heap, root: Value, by: u32) -> (Heap, Value) {
    let moved = |value: Value| match value {
        Value::Ref(loc) => Value::Ref(Loc(loc.0 + by)),
        other => other,
    };
    let mut cells = BTreeMap::new();
    let mut waiting = vec![root];
    while let Some(value) = waiting.pop() {
        let Value::Ref(loc) = value else { continue };
        let mut cell = heap.cells[&loc].clone();
        waiting.extend(cell.fields.iter().copied());
        cell.fields = cell.fields.into_iter().map(moved).collect();
        if cells.insert(Loc(loc.0 + by), cell).is_some() {
            waiting.truncate(waiting.len() - heap.cells[&loc].fields.len());
        }
    }
    (Heap { cells }, moved(root))
}

fn case(world: &mut World, class: &str, method: &str, name: &str, makers: &[&str]) -> TestCase {
    let mut before = Heap::default();
    let mut arguments = Vec::new();
    for (index, maker) in makers.iter().enumerate() {
        let maker = target(world, "shapes.Tree", maker);
        let made = run(world, &maker, &Heap::default(), &[]);
        let (heap, value) = moved(&made.heap, made.value.unwrap(), (index as u32 + 1) * 10_000);
        before.cells.extend(heap.cells);
        arguments.push(value);
    }
    let method = target(world, class, method);
    let is_constructor = method.declared.method.is_constructor();
    let mut given = arguments.clone();
    let mut input = before.clone();
    if is_constructor {
        let id = world.complete(&method.class.ty()).unwrap();
        let fields = world.program().definitions.class(id).fields.clone();
        let fields = fields
            .iter()
            .map(|field| Value::default_of(field.sort))
            .collect();
        let created = Loc(90_000);
        input
            .cells
            .insert(created, heapwright_logic::Cell { class: id, fields });
        given.insert(0, Value::Ref(created));
    }
    let ran = run(world, &method, &input, &given);
    let statics = match ran.calls {
        Value::Int(_) => vec![StaticValue {
            class: "shapes.Tree".into(),
            field: "calls".into(),
            path: vec![],
            value: ran.calls,
        }],
        _ => vec![],
    };
    let result = match is_constructor {
        true => given.first().copied(),
        false => ran.value,
    };
    let ending = match ran.threw {
        Some(class) => Ending::Threw {
            class,
            after: ran.heap,
            statics,
        },
        None => Ending::Returned {
            result,
            after: ran.heap,
            statics,
        },
    };
    TestCase {
        method,
        name: name.to_owned(),
        comments: vec![],
        picture: None,
        arguments,
        statics: vec![StaticValue {
            class: "shapes.Tree".into(),
            field: "calls".into(),
            path: vec![],
            value: Value::Int(0),
        }],
        shared: vec![],
        before,
        ending,
        defect: None,
        vague: BTreeMap::new(),
        invariant: None,
        globals: ran.globals,
        sequence: None,
        script: None,
    }
}

/// The jar with JUnit 5, JUnit 4 and what runs both.
fn junit() -> PathBuf {
    let home = PathBuf::from(std::env::var_os("HOME").expect("HOME is set"));
    let mut folders = vec![
        home.join(".cache/heapwright/jvm"),
        home.join(".m2/repository/org/junit/platform/junit-platform-console-standalone"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with("junit-platform-console-standalone")
                && name.ends_with(".jar")
            {
                return path;
            }
        }
    }
    panic!("JUnit is not there; `make fetch-jvm` fetches it");
}

/// Compiles test classes without a warning, and runs them.
fn compile_and_run(jdk: &Jdk, classes: &Path, tests: &[TestClass], texts: &[String]) -> String {
    let folder = common::Folder::new();
    let junit = junit().display().to_string();
    let out = folder.path().join("tests").display().to_string();
    let path = format!("{}:{junit}", classes.display());
    let mut javac = Command::new(jdk.home().join("bin/javac"));
    javac.args([
        "-Xlint:all",
        "-Xlint:-path",
        "-Xlint:-classfile",
        "-Werror",
        "-proc:none",
        "-d",
        &out,
        "-cp",
        &path,
    ]);
    for (class, text) in tests.iter().zip(texts) {
        javac.arg(folder.write(&format!("src/{}", file_path(class)), text));
    }
    let done = javac.output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}\n{}", texts.join("\n"));
    let done = Command::new(jdk.home().join("bin/java"))
        .args([
            "--add-opens",
            "java.base/java.util=ALL-UNNAMED",
            "-jar",
            &junit,
            "execute",
        ])
        .args([
            "-cp",
            &format!("{out}:{}", classes.display()),
            "--scan-class-path",
            &out,
        ])
        .args([
            "--details",
            "tree",
            "--disable-banner",
            "--disable-ansi-colors",
        ])
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{report}\n{}", texts.join("\n"));
    report
}

#[test]
fn emitted_tests_pass_on_the_virtual_machine() {
    for jdk in common::all_jdks() {
        let compiled = common::compile(&jdk, &["-g"], &[("shapes/Tree.java", SOURCE)]);
        let classes = compiled.path().join("classes");
        let home = jdk.home().to_path_buf();
        let path = Arc::new(ClassPath::open(Jdk::open(&home).unwrap(), [&classes]).unwrap());
        let mut world = World::new(path).unwrap();
        let mut cases = Vec::new();
        for (method, name, makers) in CASES {
            cases.push(case(&mut world, "shapes.Tree", method, name, makers));
        }
        let map = case(
            &mut world,
            "java.util.TreeMap",
            "firstKey",
            "firstKey",
            &["makeMap"],
        );
        let map_package = test_package(&world, &map.method.class);
        let mut tests = Vec::new();
        for framework in [Framework::JUnit5, Framework::JUnit4] {
            tests.push(TestClass {
                package: "shapes".to_owned(),
                name: format!("Tree{framework:?}Test"),
                framework,
                cases: cases.clone(),
            });
        }
        tests.push(TestClass {
            package: map_package,
            name: "TreeMapTest".to_owned(),
            framework: Framework::JUnit5,
            cases: vec![map],
        });
        let texts: Vec<String> = tests
            .iter()
            .map(|test| emit(&world, test).unwrap().text)
            .collect();
        if jdk.version() == 17 {
            for (test, text) in tests.iter().zip(&texts) {
                check_file(&format!("{}.java.expected", test.name), text);
            }
        }
        let report = compile_and_run(&jdk, &classes, &tests, &texts);
        let expected = 2 * CASES.len() + 1;
        assert!(
            report.contains(&format!("{expected} tests successful")),
            "{report}"
        );
    }
}

/// Compares a text with the expected one; `UPDATE_EXPECT=1` rewrites that.
fn check_file(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/emit")
        .join(name);
    expect_file![path].assert_eq(text);
}

/// A case that does not fit is an error, and changed expectations make tests fail.
#[test]
fn wrong_cases_are_refused_and_wrong_expectations_fail() {
    let jdk = common::jdk();
    let compiled = common::compile(&jdk, &["-g"], &[("shapes/Tree.java", SOURCE)]);
    let classes = compiled.path().join("classes");
    let path = Arc::new(common::class_path(&compiled));
    let mut world = World::new(path).unwrap();
    let good = case(
        &mut world,
        "shapes.Tree",
        "add",
        "add",
        &["makeTree", "makeSeven"],
    );
    let class = |case: TestCase| TestClass {
        package: "shapes".to_owned(),
        name: "AddTest".to_owned(),
        framework: Framework::JUnit5,
        cases: vec![case],
    };
    let mut few = good.clone();
    few.arguments.pop();
    assert!(matches!(
        emit(&world, &class(few)),
        Err(EmitError::WrongCount { .. })
    ));
    let mut wrong = good.clone();
    wrong.arguments[1] = Value::Bool(true);
    assert!(matches!(
        emit(&world, &class(wrong)),
        Err(EmitError::WrongValue(_))
    ));
    let mut dangling = good.clone();
    dangling.before.cells.clear();
    assert!(matches!(
        emit(&world, &class(dangling)),
        Err(EmitError::Dangling(_))
    ));
    let mut endless = good.clone();
    endless.ending = Ending::OutOfBudget;
    assert!(matches!(
        emit(&world, &class(endless)),
        Err(EmitError::OutOfBudget(_))
    ));
    let mut short = good.clone();
    for cell in short.before.cells.values_mut() {
        cell.fields.pop();
    }
    assert!(matches!(
        emit(&world, &class(short)),
        Err(EmitError::WrongCell(_))
    ));

    // A test that expects the heap not to change must fail.
    let mut unchanged = good.clone();
    if let Ending::Returned { after, .. } = &mut unchanged.ending {
        *after = good.before.clone();
    }
    let test = class(unchanged);
    let text = emit(&world, &test).unwrap().text;
    let failed = std::panic::catch_unwind(|| {
        compile_and_run(
            &jdk,
            &classes,
            std::slice::from_ref(&test),
            std::slice::from_ref(&text),
        )
    });
    let report = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(report.contains("1 tests failed"), "{report}");
}

/// A test of a defect lets the exception escape, or says what is wrong with the result.
#[test]
fn tests_of_defects_fail_as_predicted() {
    let jdk = common::jdk();
    let compiled = common::compile(&jdk, &["-g"], &[("shapes/Tree.java", SOURCE)]);
    let classes = compiled.path().join("classes");
    let mut world = World::new(Arc::new(common::class_path(&compiled))).unwrap();
    let mut escaping = case(
        &mut world,
        "shapes.Tree",
        "first",
        "escaping",
        &["makeEmpty"],
    );
    escaping.defect = Some(Defect::Exception);
    let mut wrong = case(&mut world, "shapes.Tree", "first", "wrong", &["makeTree"]);
    let reason = "the postcondition does not hold: \"no\" tree of that kind, whatever the kind may \
                  be, is left where there was one before";
    wrong.defect = Some(Defect::Postcondition(reason.to_owned()));
    for framework in [Framework::JUnit5, Framework::JUnit4] {
        let test = TestClass {
            package: "shapes".to_owned(),
            name: "TreeFindingsTest".to_owned(),
            framework,
            cases: vec![escaping.clone(), wrong.clone()],
        };
        let text = emit(&world, &test).unwrap().text;
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
        let failed = std::panic::catch_unwind(|| {
            compile_and_run(
                &jdk,
                &classes,
                std::slice::from_ref(&test),
                std::slice::from_ref(&text),
            )
        });
        let report = *failed.unwrap_err().downcast::<String>().unwrap();
        assert!(report.contains("2 tests failed"), "{report}");
        assert!(
            report.contains("java.util.NoSuchElementException"),
            "{report}"
        );
        assert!(report.contains(reason), "{report}");
    }
}

/// Packages of the JDK that tests look into are named.
#[test]
fn packages_to_be_opened_are_named() {
    let jdk = common::jdk();
    let compiled = common::compile(&jdk, &["-g"], &[("shapes/Tree.java", SOURCE)]);
    let mut world = World::new(Arc::new(common::class_path(&compiled))).unwrap();
    let opens = |world: &World, case: TestCase| {
        let test = TestClass {
            package: test_package(world, &case.method.class),
            name: "OpensTest".to_owned(),
            framework: Framework::JUnit5,
            cases: vec![case],
        };
        emit(world, &test).unwrap().opens
    };
    let map = case(
        &mut world,
        "java.util.TreeMap",
        "firstKey",
        "map",
        &["makeMap"],
    );
    let opened = opens(&world, map);
    assert!(
        opened.contains(&"java.base/java.util".to_owned()),
        "{opened:?}"
    );
    let tree = case(&mut world, "shapes.Tree", "first", "tree", &["makeTree"]);
    assert_eq!(opens(&world, tree), Vec::<String>::new());
}
