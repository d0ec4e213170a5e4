//! Methods that depend on static fields, run with values for them.

mod common;

use std::sync::Arc;

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome};
use heapwright_java::classpath::ClassPath;
use heapwright_java::target::{Target, TargetMethod};
use heapwright_java::world::{TestEntry, World};

const COUNTER: &str = "package p;
public class Counter {
    static final int STEP = Integer.parseInt(\"3\");
    static int count = 10;
    static boolean frozen;
    static Runnable hook = () -> { };
    static java.util.function.IntSupplier supplier = () -> Other.offset;
    enum Mode { ON, OFF }
    static Mode mode = Mode.ON;
    static int next(int by) {
        if (frozen) return -1;
        if (mode == Mode.ON && hook != null) count += by * STEP + helper();
        return count;
    }
    static int helper() { return Other.offset; }
    static int pure(int x) { return x + STEP; }
    int through(int x) { java.util.function.IntUnaryOperator f = y -> y + count; return f.applyAsInt(x); }
}
class Other { static byte offset; static long unused; }";

fn world(target: &str) -> (common::Folder, World, TargetMethod) {
    let jdk = common::jdk();
    let folder = common::compile(&jdk, &["-g"], &[("p/Counter.java", COUNTER)]);
    let path = Arc::new(ClassPath::open(jdk, [folder.path().join("classes")]).unwrap());
    let target: Target = target.parse().unwrap();
    let target = target.resolve(&path).unwrap().remove(0);
    (folder, World::new(path).unwrap(), target)
}

/// Runs an entry; gives the result, and the last values of the static fields.
fn run(world: &mut World, entry: &TestEntry, arguments: &[Value]) -> (Option<Value>, Vec<Value>) {
    loop {
        let program = world.program();
        heapwright_ir::verify(program).unwrap();
        let domain = Concrete::new(program);
        let mut machine = Machine::new(program, domain, Budgets::default());
        let missing = match machine.run(entry.function, arguments.to_vec()) {
            Ok(MachineOutcome::Returned(value)) => {
                let memory = &machine.domain.memory;
                let last = entry.statics.iter().map(|input| {
                    let global = memory.global(input.global).unwrap();
                    let object = memory.object(global).unwrap();
                    object.contents[input.position as usize]
                });
                return (value, last.collect());
            }
            Err(MachineError::Missing(missing)) => missing,
            other => panic!("{other:?}"),
        };
        assert!(world.supply_missing(&missing), "{missing}");
    }
}

#[test]
fn static_fields_are_parameters() {
    let (_folder, mut world, target) = world("p.Counter#next");
    let entry = world.test_entry(&target).unwrap();
    assert_ne!(entry.function, entry.method);
    let names: Vec<_> = (world.program().function(entry.function).registers.iter())
        .filter_map(|register| register.name.clone())
        .collect();
    assert_eq!(
        names,
        [
            "by",
            "Counter.count",
            "Counter.frozen",
            "Counter.mode",
            "Other.offset"
        ]
    );
    assert!(world.program().function(entry.function).synthetic);
    let arguments = [
        Value::Int(2),
        Value::Int(100),
        Value::Bool(false),
        Value::Int(0),
        Value::Int(-7),
    ];
    let (value, last) = run(&mut world, &entry, &arguments);
    assert_eq!(value, Some(Value::Int(99)));
    let numbers = [last[0], last[1], last[3]];
    assert_eq!(
        numbers,
        [Value::Int(99), Value::Bool(false), Value::Int(-7)]
    );
    let again = world.test_entry(&target).unwrap();
    assert_eq!(again.function, entry.function);
}

#[test]
fn methods_without_static_state_are_their_own_entry() {
    let (_folder, mut world, target) = world("p.Counter#pure");
    let entry = world.test_entry(&target).unwrap();
    assert_eq!(entry.function, entry.method);
    let (value, _) = run(&mut world, &entry, &[Value::Int(4)]);
    assert_eq!(value, Some(Value::Int(7)));
}

#[test]
fn lambda_bodies_depend_on_static_fields_too() {
    let (_folder, mut world, target) = world("p.Counter#through");
    let entry = world.test_entry(&target).unwrap();
    let fields: Vec<_> = (entry.statics.iter())
        .map(|input| format!("{}.{} {}", input.class, input.field, input.parameter))
        .collect();
    assert_eq!(fields, ["p.Counter.count 2"]);
}

const COLOURS: &str = "package p;
public enum Colour {
    RED, GREEN { int weight() { return 20; } }, BLUE;
    int weight() { return ordinal() + 1; }
    Colour next() { return values()[(ordinal() + 1) % 3]; }
    static int score(int factor, Colour colour) {
        if (colour == null) return -1;
        switch (colour) {
            case RED: return factor;
            case BLUE: return 2 * factor;
            default: return colour.weight() * factor;
        }
    }
}";

fn colours(target: &str) -> (common::Folder, World, TestEntry) {
    let jdk = common::jdk();
    let folder = common::compile(&jdk, &["-g"], &[("p/Colour.java", COLOURS)]);
    let path = Arc::new(ClassPath::open(jdk, [folder.path().join("classes")]).unwrap());
    let target: Target = target.parse().unwrap();
    let target = target.resolve(&path).unwrap().remove(0);
    let mut world = World::new(path).unwrap();
    let entry = world.test_entry(&target).unwrap();
    (folder, world, entry)
}

#[test]
fn constants_of_enums_are_numbers() {
    let (_folder, mut world, entry) = colours("p.Colour#score");
    let [input] = entry.enums.as_slice() else {
        panic!("{:?}", entry.enums);
    };
    assert_eq!((input.parameter, &*input.class), (1, "p.Colour"));
    assert_eq!(input.constants, ["RED", "GREEN", "BLUE"]);
    for (ordinal, result) in [(0, 7), (1, 140), (2, 14), (3, -1), (-1, -1)] {
        let arguments = [Value::Int(7), Value::Int(ordinal)];
        let (value, _) = run(&mut world, &entry, &arguments);
        assert_eq!(value, Some(Value::Int(result)), "{ordinal}");
    }
}

/// A constant may have a method of its own.
#[test]
fn enums_are_receivers() {
    let (_folder, mut world, entry) = colours("p.Colour#weight");
    assert_eq!(entry.enums.len(), 1);
    for (ordinal, result) in [(0, 1), (1, 20), (2, 3)] {
        let (value, _) = run(&mut world, &entry, &[Value::Int(ordinal)]);
        assert_eq!(value, Some(Value::Int(result)), "{ordinal}");
    }
    let program = world.program();
    let mut machine = Machine::new(program, Concrete::new(program), Budgets::default());
    let outcome = machine.run(entry.function, vec![Value::Int(3)]);
    assert!(
        matches!(outcome, Ok(MachineOutcome::AssumptionFailed { .. })),
        "{outcome:?}"
    );
}
