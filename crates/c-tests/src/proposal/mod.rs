//! First specifications for the structs of a C file.

mod functions;
mod links;
mod records;
mod uses;

use std::path::Path;
use std::sync::Arc;

use heapwright_c::ast::CType;
use heapwright_c::{CUnit, environment_of};
use heapwright_ir::FunctionId;
use heapwright_spec::{ImportRequest, Source, read_specification};
use heapwright_testgen::host::Host;
use heapwright_testgen::proposal::{
    self, Commands, Function, Nearness, Record, Records, Target, Words,
};
use heapwright_testgen::{Error, RequestError};

use crate::predicate;
use records::{CRecords, name_of};

/// A first specification for the structs of a file, or for one of them, to be kept in a file. It is
/// read before anybody sees it.
pub fn propose(
    unit: &CUnit,
    source: &Path,
    wanted: Option<&str>,
    file: &str,
    host: &dyn Host,
) -> Result<String, Error> {
    let text = text(unit, source, wanted, file)?;
    let read = Source {
        name: "the proposal".to_owned(),
        text: text.clone(),
    };
    let mut import = |request: ImportRequest<'_>| host.import(request);
    read_specification(read, environment_of(unit), &mut import)?;
    Ok(text)
}

fn text(unit: &CUnit, source: &Path, wanted: Option<&str>, file: &str) -> Result<String, Error> {
    let links = links::links(&unit.source);
    let records = CRecords::of(unit, &links);
    let predicates = predicate::usual(unit, true);
    let helpers = predicate::helpers(unit, &predicates);
    let can_be_tested = unit.functions.iter().filter(|(_, error)| error.is_none());
    let tested = can_be_tested.map(|(id, _)| *id);
    let tested: Vec<FunctionId> = tested.filter(|id| !helpers.contains(id)).collect();
    let functions = tested
        .iter()
        .filter_map(|&id| functions::function(unit, id));
    let mut functions: Vec<Function> = functions.collect();
    let name = source.display();
    let stem = source.file_name().unwrap_or_default().to_string_lossy();
    let (record, title) = match wanted {
        Some(wanted) => {
            let record = record_named(unit, &records, wanted)?;
            let about = |function: &Function| {
                let mut given = function.parameters.iter();
                given.any(|parameter| records.leads_to(&record.name, &parameter.record))
            };
            functions.retain(about);
            let title = format!("struct {} of {stem}", record.written);
            (record, title)
        }
        None => {
            let is_near = |id| {
                let record = records.record(&name_of(&unit.source, id));
                record.is_some_and(|record| record.nearness == Nearness::Near)
            };
            let usual = functions::usual_record(unit, is_near);
            let usual = usual.and_then(|id| records.record(&name_of(&unit.source, id)));
            (usual.unwrap_or_else(nothing), stem.to_string())
        }
    };
    let is_beside = source.with_extension("sl") == Path::new(file);
    let class = match is_beside {
        true => String::new(),
        false => format!(" --class {name}"),
    };
    let spec = match is_beside {
        true => String::new(),
        false => format!(" --spec {file}"),
    };
    let generate = format!("heapwright generate {name}{spec}");
    let compared = functions.first().map_or("FUNCTION", |first| &first.name);
    let target = Target {
        record,
        title,
        words: Words {
            object: "a struct C that x points to",
            record: "structs",
            place: "file",
            made_from: "its structs and functions",
            function: "function",
            left_out: "",
            is_procedural: true,
        },
        commands: Commands {
            explain: format!("heapwright explain {file}{class}"),
            generate_specified: generate.clone(),
            generate,
            compare: format!("heapwright check --repok {name}#{compared}{spec}"),
            by_predicate: format!("heapwright generate {name} --mode repok"),
        },
        predicate: (predicates.first()).map(|&id| unit.program.function(id).name.clone()),
        functions,
    };
    Ok(proposal::propose(&records, &target))
}

/// The struct of a tag, with or without `struct` in front, or of a name that `typedef` gives it.
fn record_named(unit: &CUnit, records: &CRecords, wanted: &str) -> Result<Arc<Record>, Error> {
    let name = wanted.strip_prefix("struct ").unwrap_or(wanted).trim();
    let alias = unit.source.typedefs.iter().find(|(known, _)| known == name);
    let alias = alias.and_then(|(_, ty)| match ty {
        CType::Record(record) => Some(name_of(&unit.source, *record)),
        _ => None,
    });
    let found = records.record(name);
    let found = found.or_else(|| alias.and_then(|name| records.record(&name)));
    found.ok_or_else(|| {
        Error::Request(RequestError::NoRecord {
            kind: "struct",
            name: name.to_owned(),
            known: records.own_names().map(str::to_owned).collect(),
        })
    })
}

/// What a file without structs works on.
fn nothing() -> Arc<Record> {
    Arc::new(Record {
        name: String::new(),
        written: String::new(),
        simple: String::new(),
        nearness: Nearness::Far,
        fields: Vec::new(),
        creates: Vec::new(),
        sets: Vec::new(),
        self_links: Vec::new(),
        containers: Vec::new(),
        ordered_by: None,
        measures: Vec::new(),
    })
}
