//! Specifications of a class: one that is proposed, and one that is asked questions about.

mod functions;
mod records;

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_java::classfile::Class;
use heapwright_java::contracts::{read_for, read_predicates_for};
use heapwright_java::descriptor::package_of;
use heapwright_java::hierarchy::Hierarchy;
use heapwright_spec::questions::{Notation, QuestionFile, predicates_of};
use heapwright_spec::{ImportRequest, Source};
use heapwright_testgen::Error;
use heapwright_testgen::proposal::{self, Commands, Target, Words};

use crate::program::JavaProgram;

use records::{ClassNames, JavaRecords};

/// A first specification for a class, from its fields.
pub fn propose(program: &mut JavaProgram, class: &str, file: &str) -> Result<String, Error> {
    let class = program.class(class)?;
    let predicate = program.predicate(&class)?;
    let predicate = predicate.map(|predicate| predicate.declared.method.name.to_string());
    let host = Arc::clone(&program.host);
    let mut propose_with = |names| -> Result<_, Error> {
        let text = text(program, &class, predicate.as_deref(), file, names)?;
        let source = Source {
            name: "the proposal".to_owned(),
            text: text.clone(),
        };
        let tested = [Arc::clone(&class)];
        let mut import = |request: ImportRequest<'_>| host.import(request);
        let read = read_for(&mut program.world, &class, &tested, source, &mut import);
        Ok(read.map(|_| text))
    };
    // Names without packages read better, but may mean several classes.
    match propose_with(ClassNames::Short)? {
        Ok(text) => Ok(text),
        Err(_) => Ok(propose_with(ClassNames::Full)??),
    }
}

fn text(
    program: &JavaProgram,
    class: &Arc<Class>,
    predicate: Option<&str>,
    file: &str,
    names: ClassNames,
) -> Result<String, Error> {
    let records = JavaRecords {
        hierarchy: Hierarchy::new(program.world.class_path()),
        package: package_of(&class.name),
        names,
    };
    let name = &class.name;
    let generate = format!("heapwright generate {name} -c CLASSPATH --spec {file}");
    let target = Target {
        record: Arc::new(records.of(class).map_err(Error::code)?),
        title: name.to_string(),
        functions: functions::functions(class, predicate, names),
        words: Words {
            object: "an object x of the class C",
            record: "class",
            place: "class",
            made_from: "its fields",
            function: "method",
            left_out: ", or leave them out (--specified)",
            is_procedural: false,
        },
        commands: Commands {
            explain: format!("heapwright explain {file} --class {name} -c CLASSPATH"),
            generate_specified: format!("{generate} --specified"),
            generate,
            compare: format!("heapwright check --repok {name} -c CLASSPATH --spec {file}"),
            by_predicate: format!("heapwright generate {name} -c CLASSPATH --mode repok"),
        },
        predicate: predicate.map(str::to_owned),
    };
    Ok(proposal::propose(&records, &target))
}

/// A specification of a class, read with the classes of the code.
pub fn questions(
    program: &mut JavaProgram,
    class: &str,
    notation: Notation,
    source: Source,
) -> Result<QuestionFile, Error> {
    let class = program.class(class)?;
    let host = Arc::clone(&program.host);
    let mut imported = BTreeSet::new();
    let mut loader = |request: ImportRequest<'_>| {
        let source = host.import(request)?;
        imported.extend(predicates_of(&source.text));
        Ok(source)
    };
    let tested = [Arc::clone(&class)];
    let world = &mut program.world;
    let read = match notation {
        Notation::StarFinder => read_predicates_for(world, &class, &tested, vec![source])?,
        _ => read_for(world, &class, &tested, source, &mut loader)?,
    };
    let mut file = QuestionFile::from_specification(read.specification, imported);
    file.package = Some(class.package().to_owned());
    Ok(file)
}
