//! What was found for methods, as bytes that mean the same in another world.
//!
//! What the engine says speaks of ids. With the bytes goes a table of what each id is called, and the
//! list of functions whose code was there: another world translates these, looks the names up, and has
//! all that is needed to show results, without running anything. Programs are not written down: class
//! files are the program, and whoever reads results has them.

use std::sync::Arc;

use heapwright_engine::Subject;
use heapwright_ir::{FunctionId, GlobalId};
use heapwright_java::descriptor::Name;
use heapwright_java::emit::{ScriptCall, TestCase};
use heapwright_java::stored::with_classes;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{ClassName, FunctionName, GlobalName, KnownNames, World};
use heapwright_logic::ClassId;
use heapwright_store::{IdKind, Ids, decode, encode};
use heapwright_testgen::{Language, Suite, SuiteParts, Tested};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::frontend::{JavaMethodTests, JavaTests};
use crate::program::JavaProgram;

/// Everything that was found.
#[derive(Serialize, Deserialize)]
struct Everything {
    names: Names,
    /// The functions whose code was there.
    loaded: Vec<FunctionName>,
    /// The interfaces that tests implement: the classes for that are made up.
    stubs: Vec<String>,
    /// The methods that were explored: their static fields and enums are part of the program.
    explored: Vec<u8>,
    /// The methods.
    methods: Vec<u8>,
}

/// What ids are called.
#[derive(Default, Serialize, Deserialize)]
struct Names {
    /// Functions, with the number of their blocks.
    functions: Vec<(u32, FunctionName, u32)>,
    classes: Vec<(u32, ClassName)>,
    globals: Vec<(u32, GlobalName)>,
    files: Vec<(u32, String)>,
}

/// What was found for a method.
#[derive(Serialize, Deserialize)]
struct Method {
    target: TargetMethod,
    suite: SuiteParts,
    tests: JavaMethodTests,
}

/// What was found, as bytes. `None` if something in it has no name.
pub fn written(world: &World, tested: Vec<Tested<JavaTests>>) -> Option<Vec<u8>> {
    let explored: Vec<TargetMethod> = (tested.iter())
        .filter(|tested| !tested.tests.is_called)
        .map(|tested| tested.target.clone())
        .collect();
    let methods: Vec<Method> = (tested.into_iter())
        .map(|tested| Method {
            target: tested.target,
            suite: tested.suite.into_parts(),
            tests: tested.tests,
        })
        .collect();
    let cases = methods.iter().flat_map(|method| &method.tests.cases);
    let stubs = cases
        .flat_map(|(_, case)| stubs(case))
        .map(|name| name.to_string());
    let loaded = world.loaded_functions();
    let loaded: Vec<FunctionName> = loaded.filter_map(|id| world.function_name(id)).collect();
    let mut stubs: Vec<String> = stubs.collect();
    stubs.sort_unstable();
    stubs.dedup();
    let (methods, ids) = encode(&methods).ok()?;
    let everything = Everything {
        names: names(world, &ids)?,
        loaded,
        stubs,
        explored: encode(&explored).ok()?.0,
        methods,
    };
    Some(encode(&everything).ok()?.0)
}

/// The interfaces that a test implements.
fn stubs(case: &TestCase) -> impl Iterator<Item = &Name> {
    let statements = case.script.iter().flat_map(|script| &script.statements);
    statements.filter_map(|statement| match &statement.call {
        ScriptCall::Stub(interface, _) => Some(interface),
        _ => None,
    })
}

fn names(world: &World, ids: &Ids) -> Option<Names> {
    let mut names = Names::default();
    for &(kind, id) in &ids.used {
        match kind {
            IdKind::Class => names.classes.push((id, world.class_name(ClassId(id))?)),
            IdKind::Global => names.globals.push((id, world.global_name(GlobalId(id))?)),
            IdKind::Function => {
                let function = FunctionId(id);
                let name = world.function_name(function)?;
                names.functions.push((id, name, world.size_of(function)));
            }
            // The place that is none is in a file that need not be there.
            IdKind::File => {
                if let Some(file) = world.program().files.get(id as usize) {
                    names.files.push((id, file.name.clone()));
                }
            }
        }
    }
    Some(names)
}

/// What bytes stand for in a program. `None` if it is not the one that they are about.
pub fn read(
    language: &'static dyn Language,
    program: &mut JavaProgram,
    stored: &[u8],
) -> Option<Vec<Tested<JavaTests>>> {
    let same = |_, id| Some(id);
    let everything: Everything = decode(stored, &same).ok()?;
    let classes = Arc::clone(program.world.class_path());
    let explored: Vec<TargetMethod> =
        with_classes(&classes, || decode(&everything.explored, &same)).ok()?;
    for target in &explored {
        program.test_subject(target).ok()?;
    }
    for interface in &everything.stubs {
        program.world.stubs(&interface.as_str().into());
    }
    load(&mut program.world, &everything.loaded);
    let ids = ids(&mut program.world, &everything.names)?;
    let methods: Vec<Method> = with_classes(&classes, || {
        decode(&everything.methods, &|kind, id| match kind {
            // See above.
            IdKind::File => Some(ids.get(&(kind, id)).copied().unwrap_or(id)),
            _ => ids.get(&(kind, id)).copied(),
        })
    })
    .ok()?;
    let targets: Vec<(&TargetMethod, bool)> = (methods.iter())
        .map(|method| (&method.target, method.tests.is_called))
        .collect();
    let subjects = program.subjects(&targets).ok()?;
    (methods.into_iter().zip(subjects))
        .map(|(method, subject)| tested(language, &program.world, method, subject))
        .collect()
}

/// Translates functions: first the methods, in the order in which they became known, since some
/// are those of classes that others bring with them.
fn load(world: &mut World, functions: &[FunctionName]) {
    let nothing = KnownNames::default();
    for name in functions {
        if let Some(function) = world.named_function(name, &nothing) {
            world.load(function);
        }
    }
    let known = world.known_names();
    let others = functions
        .iter()
        .filter(|name| matches!(name, FunctionName::Other(_)));
    for name in others {
        if let Some(function) = world.named_function(name, &known) {
            world.load(function);
        }
    }
}

/// Which ids stand for those that were written.
fn ids(world: &mut World, names: &Names) -> Option<FxHashMap<(IdKind, u32), u32>> {
    let known = world.known_names();
    let mut ids = FxHashMap::default();
    for (id, name, size) in &names.functions {
        let function = world.named_function(name, &known)?;
        if world.size_of(function) != *size {
            return None;
        }
        ids.insert((IdKind::Function, *id), function.0);
    }
    for (id, name) in &names.classes {
        let class = world.named_class(name, &known)?;
        ids.insert((IdKind::Class, *id), class.0);
    }
    for (id, name) in &names.globals {
        let global = world.named_global(name, &known)?;
        ids.insert((IdKind::Global, *id), global.0);
    }
    for (id, name) in &names.files {
        ids.insert((IdKind::File, *id), known.file(name)?);
    }
    Some(ids)
}

fn tested(
    language: &'static dyn Language,
    world: &World,
    method: Method,
    subject: Arc<Subject>,
) -> Option<Tested<JavaTests>> {
    let Method {
        target,
        suite,
        mut tests,
    } = method;
    for (_, case) in &mut tests.cases {
        with_stubs(world, case)?;
    }
    Some(Tested {
        suite: Suite::of_parts(language, subject, suite)?,
        target,
        tests,
    })
}

/// Gives the classes that a test makes up their methods.
fn with_stubs(world: &World, case: &mut TestCase) -> Option<()> {
    let statements = case
        .script
        .iter_mut()
        .flat_map(|script| &mut script.statements);
    for statement in statements {
        if let ScriptCall::Stub(interface, stub) = &mut statement.call {
            let mut known = world.stubs(interface).into_iter();
            *stub = known.find(|known| known.throws == stub.throws)?;
        }
    }
    Some(())
}
