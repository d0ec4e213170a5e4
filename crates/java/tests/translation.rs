//! Translation on a large scale: every method of a package of the JDK becomes a function that the
//! verifier accepts, and code that makes no sense becomes an error, never a panic.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_ir::Terminator;
use heapwright_java::classfile::{Class, Condition, Instruction, Method};
use heapwright_java::classpath::ClassPath;
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::world::{Trouble, World};

/// The classes of a package, without those below it.
fn package(path: &ClassPath, package: &str) -> Vec<Arc<Class>> {
    let names = path.jdk().classes().unwrap();
    let names = names.iter().map(|name| name.replace('/', "."));
    let names = names.filter(|name| name.rsplit_once('.').is_some_and(|(p, _)| p == package));
    names.map(|name| path.load(&name).unwrap()).collect()
}

fn methods(class: &Arc<Class>) -> impl Iterator<Item = DeclaredMethod> {
    let methods = class.methods.iter().filter(|method| method.code.is_some());
    methods.map(|method| DeclaredMethod {
        class: class.clone(),
        method: method.clone(),
    })
}

#[test]
fn the_methods_of_java_util_are_translated_and_verified() {
    let path = Arc::new(ClassPath::open(common::jdk(), [""; 0]).unwrap());
    let classes = package(&path, "java.util");
    assert!(classes.len() > 300);
    let mut world = World::new(path).unwrap();
    for class in &classes {
        for declared in methods(class) {
            let function = world.function(&declared);
            world.load(function);
        }
    }
    let mut reasons = BTreeMap::<String, usize>::new();
    for error in world.failures().values() {
        let reason = match &*error.problem {
            Trouble::Unsupported(what) => what.clone(),
            _ => error.to_string(),
        };
        *reasons.entry(reason).or_default() += 1;
    }
    if let Err(errors) = heapwright_ir::verify(world.program()) {
        let shown: Vec<_> = errors.iter().take(20).map(ToString::to_string).collect();
        panic!("{} errors:\n{}", errors.len(), shown.join("\n"));
    }
    // Only what is known to be missing.
    let known = |reason: &String| reason.starts_with("calls of java.lang.invoke.");
    let unknown: Vec<_> = reasons.keys().filter(|reason| !known(reason)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// The branches and switches of a function are the conditional jumps and switches of the bytecode
/// that can be reached, in the order of the code.
#[test]
fn branches_are_those_of_the_bytecode() {
    let path = Arc::new(ClassPath::open(common::jdk(), [""; 0]).unwrap());
    let mut world = World::new(path.clone()).unwrap();
    let mut seen = 0;
    for name in [
        "java.util.TreeMap",
        "java.util.ArrayList",
        "java.lang.String",
    ] {
        let class = path.load(name).unwrap();
        for declared in methods(&class) {
            let function = world.function(&declared);
            world.load(function);
            if world.failures().contains_key(&function) {
                continue;
            }
            let code = declared.method.body().unwrap();
            let jumps = code.instructions.iter().filter(|(_, instruction)| {
                matches!(instruction, Instruction::If(..) | Instruction::Switch(_))
            });
            let translated = world.program().function(function);
            if translated.synthetic {
                continue;
            }
            let branches = translated.blocks.iter().filter(|block| {
                matches!(
                    block.terminator,
                    Terminator::Branch { .. } | Terminator::Switch { .. }
                )
            });
            let branches = branches.count();
            assert_eq!(branches, jumps.count(), "{declared}");
            let range = (function, heapwright_ir::BlockId(0))
                ..(
                    heapwright_ir::FunctionId(function.0 + 1),
                    heapwright_ir::BlockId(0),
                );
            assert_eq!(world.jumps().range(range).count(), branches, "{declared}");
            seen += branches;
        }
    }
    assert!(seen > 500);
}

/// Each instruction of some methods is left out, doubled, or exchanged with another one.
#[test]
fn odd_bytecode_is_an_error_or_a_function() {
    let path = Arc::new(ClassPath::open(common::jdk(), [""; 0]).unwrap());
    let mut world = World::new(path.clone()).unwrap();
    let class = path.load("java.util.TreeMap").unwrap();
    let (mut errors, mut functions) = (0, 0);
    for declared in methods(&class) {
        let code = declared.method.code.as_ref().unwrap();
        for at in 0..code.instructions.len() {
            for change in 0..4 {
                let mut method: Method = (*declared.method).clone();
                let Some(code) = &mut method.code else {
                    continue;
                };
                let other = (at * 7 + change) % code.instructions.len();
                let replacement = match change {
                    0 => Instruction::Nop,
                    1 => code.instructions[other].1.clone(),
                    2 => Instruction::Return(None),
                    _ => Instruction::If(Condition::Null(true), code.instructions[other].0),
                };
                code.instructions[at].1 = replacement;
                let declared = DeclaredMethod {
                    class: declared.class.clone(),
                    method: Arc::new(method),
                };
                let name = "odd".to_owned();
                match heapwright_java::translate::translate(&mut world, &declared, name) {
                    Ok(_) => functions += 1,
                    Err(error) => {
                        assert!(error.to_string().starts_with("java.util.TreeMap#"));
                        errors += 1;
                    }
                }
            }
        }
    }
    assert!(errors > 100 && functions > 100, "{errors} {functions}");
}
