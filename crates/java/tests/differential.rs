//! The same methods on a real Java virtual machine and, translated, in our interpreter.
//!
//! Every class under `tests/data/differential` (and in `differential_21`, for newer compilers) has static methods `test_*` without parameters that
//! return a primitive value or a string. One process of the virtual machine runs them all and
//! prints what they return or throw; here they run in the concrete domain, and the two lists are
//! compared line by line.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use heapwright_ir::machine::concrete::{Concrete, Memory, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome};
use heapwright_ir::{FunctionId, Program};
use heapwright_java::classfile::Class;
use heapwright_java::classpath::{ClassPath, Jdk};
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;
use heapwright_logic::Sort;

/// Enough for every test; a method that needs more is reported.
const BUDGETS: Budgets = Budgets {
    steps: 20_000_000,
    depth: 1_500,
    objects: 2_000_000,
    array_length: 1_000_000,
    elements: 50_000_000,
};

#[test]
fn translated_methods_do_what_the_virtual_machine_does() {
    let sources = sources("differential");
    let newer = sources_of_newer_java();
    for jdk in common::all_jdks() {
        let mut sources = sources.clone();
        for (version, more) in &newer {
            if jdk.version() >= *version {
                sources.extend(more.iter().cloned());
            }
        }
        compare(jdk, &sources);
    }
}

/// What only newer compilers understand, by version.
fn sources_of_newer_java() -> Vec<(u16, Vec<(String, String)>)> {
    vec![(21, sources("differential_21"))]
}

/// The sources in a folder, sorted.
fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        sources.push((name, fs::read_to_string(&path).unwrap()));
    }
    sources.sort();
    sources
}

/// Compiles the sources with a JDK, and compares its virtual machine with ours.
fn compare(jdk: Jdk, sources: &[(String, String)]) {
    let version = jdk.version();
    let named: Vec<_> = (sources.iter())
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let compiled = common::compile(&jdk, &["-g"], &named);
    let classes: Vec<&str> = (named.iter())
        .filter_map(|(name, _)| name.strip_suffix(".java"))
        .filter(|name| *name != "Driver")
        .collect();
    let class_folder = compiled.path().join("classes").display().to_string();
    let mut arguments = vec!["-ea", "-cp", &class_folder, "Driver"];
    arguments.extend(&classes);
    let expected = results(&common::run(&jdk, "java", &arguments));

    let path = Arc::new(ClassPath::open(jdk, [&class_folder]).unwrap());
    let mut found = BTreeMap::new();
    let mut errors = String::new();
    for class in classes {
        let mut world = World::new(path.clone()).unwrap();
        run_class(&path, &mut world, class, &mut found);
        if let Err(violations) = heapwright_ir::verify(world.program()) {
            for violation in violations.iter().take(10) {
                writeln!(errors, "{class}: {violation}").unwrap();
            }
        }
    }
    let mut agree = 0;
    for (method, expected) in &expected {
        match found.get(method) {
            Some(found) if agrees(method, found, expected) => agree += 1,
            other => {
                let other = other.map_or("nothing", String::as_str);
                writeln!(errors, "{method}: {other}, expected {expected}").unwrap();
            }
        }
    }
    let summary = format!(
        "{agree} of {} methods agree on Java {version}",
        expected.len()
    );
    println!("{summary}");
    assert!(errors.is_empty(), "{summary}, but:\n{errors}");
    assert_eq!(found.len(), expected.len());
}

/// Whether two results are the same. Java allows its transcendental functions to be off by a unit
/// in the last place or two, and uses that freedom.
fn agrees(method: &str, found: &str, expected: &str) -> bool {
    let is_transcendental = method.starts_with("Transcendental.");
    match (ordinal(found), ordinal(expected)) {
        (Some(found), Some(expected)) if is_transcendental => found.abs_diff(expected) <= 2,
        _ => found == expected,
    }
}

/// The number of a double in the order of all of them; both zeros are number 0.
fn ordinal(shown: &str) -> Option<i64> {
    let bits = u64::from_str_radix(shown.strip_prefix("double ")?, 16).ok()?;
    let magnitude = (bits & (u64::MAX >> 1)) as i64;
    Some(if bits >> 63 == 1 {
        -magnitude
    } else {
        magnitude
    })
}

/// What the driver printed, by method.
fn results(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.split_once(" = "));
    lines
        .map(|(method, result)| (method.to_owned(), result.to_owned()))
        .collect()
}

/// Runs the test methods of a class.
fn run_class(
    path: &ClassPath,
    world: &mut World,
    class: &str,
    found: &mut BTreeMap<String, String>,
) {
    let class: Arc<Class> = path.load(class).unwrap();
    for method in class.methods.iter().filter(|m| m.name.starts_with("test_")) {
        let target = TargetMethod {
            class: class.clone(),
            declared: DeclaredMethod {
                class: class.clone(),
                method: method.clone(),
            },
        };
        let result = match world.entry(&target) {
            Ok(function) => run(world, function, method.descriptor.result.as_ref()),
            Err(error) => format!("error: {error}"),
        };
        found.insert(format!("{}.{}", class.name, method.name), result);
    }
}

/// Runs a function again and again, until everything that it needs is loaded.
fn run(world: &mut World, function: FunctionId, result: Option<&Type>) -> String {
    loop {
        let program = world.program();
        let domain = Concrete::new(program);
        let mut machine = Machine::new(program, domain, BUDGETS);
        let outcome = machine.run(function, Vec::new());
        let needed = match outcome {
            Ok(MachineOutcome::Returned(value)) => {
                return match value {
                    Some(value) => show(program, &machine.domain.memory, value, result),
                    None => "void".to_owned(),
                };
            }
            Ok(MachineOutcome::Threw { class, .. }) => {
                return format!("throws {}", program.definitions.class(class).name);
            }
            Ok(other) => return format!("{other:?}"),
            Err(MachineError::Missing(missing)) => missing,
            Err(error) => return format!("error: {error}"),
        };
        if !world.supply_missing(&needed) {
            return format!("missing: {needed}");
        }
    }
}

/// A result as the driver prints it.
fn show(program: &Program, memory: &Memory, value: Value, ty: Option<&Type>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => match ty {
            Some(Type::Primitive(Primitive::Char)) => format!("char {value}"),
            _ => value.to_string(),
        },
        // All values that are no numbers are shown alike, as Java's `floatToIntBits` does.
        Value::Single(bits) if f32::from_bits(bits).is_nan() => "float 7fc00000".to_owned(),
        Value::Single(bits) => format!("float {bits:x}"),
        Value::Double(bits) if f64::from_bits(bits).is_nan() => {
            "double 7ff8000000000000".to_owned()
        }
        Value::Double(bits) => format!("double {bits:x}"),
        Value::Undefined | Value::Tail | Value::Fragment(..) | Value::Wild(_) => {
            panic!("{value} in Java")
        }
        Value::Pointer(address) => {
            let object = memory.object(address.object).unwrap();
            let class = program.definitions.class(object.class);
            let field = |name: &str| {
                let place = class.fields.iter().position(|field| field.name == name);
                object.contents[place.unwrap()]
            };
            assert_eq!(class.name, "java.lang.String");
            let Value::Pointer(bytes) = field("value") else {
                return "a string without contents".to_owned();
            };
            let bytes: Vec<u8> = (memory.object(bytes.object).unwrap().contents.iter())
                .map(|value| match value {
                    Value::Int(byte) => *byte as u8,
                    other => panic!("{other} in a string"),
                })
                .collect();
            let units: Vec<u16> = match field("coder") {
                Value::Int(0) => bytes.iter().map(|&byte| byte.into()).collect(),
                _ => (bytes
                    .chunks(2)
                    .map(|pair| u16::from_le_bytes([pair[0], pair[1]])))
                .collect(),
            };
            let mut text = String::from("string");
            for unit in units {
                match char::from_u32(unit.into()) {
                    Some(c) if c.is_ascii_graphic() || c == ' ' => {
                        write!(text, "{}{c}", if text == "string" { " " } else { "" }).unwrap();
                    }
                    _ => {
                        let space = if text == "string" { " " } else { "" };
                        write!(text, "{space}\\u{unit:04x}").unwrap();
                    }
                }
            }
            text
        }
    }
}

/// The sorts of declared types arrive in the program, not those of the operand stack.
#[test]
fn functions_have_the_sorts_of_declared_types() {
    let source =
        "class Sorts { static boolean m(byte b, char c, Sorts s, int[] a) { return true; } }";
    let folder = common::compile(&common::jdk(), &["-g"], &[("Sorts.java", source)]);
    let path = Arc::new(common::class_path(&folder));
    let mut world = World::new(path.clone()).unwrap();
    let class = path.load("Sorts").unwrap();
    let method = class.methods.iter().find(|m| &*m.name == "m").unwrap();
    let declared = DeclaredMethod {
        class: class.clone(),
        method: method.clone(),
    };
    let target = TargetMethod { class, declared };
    let function = world.entry(&target).unwrap();
    let function = world.program().function(function).clone();
    assert_eq!(function.result, Some(Sort::Bool));
    let names: Vec<_> = (function.registers.iter().take(4))
        .map(|register| {
            let sort = heapwright_logic::display_sort(&world.program().definitions, register.sort);
            format!("{}: {sort}", register.name.as_deref().unwrap_or("?"))
        })
        .collect();
    assert_eq!(names, ["b: byte", "c: char", "s: Sorts", "a: int[]"]);
    assert_eq!(function.name, "Sorts#m(byte,char,Sorts,int[])");
}
