//! First specifications for the classes of a program.

use std::path::Path;
use std::sync::Arc;

use heapwright_impl::environment_of;
use heapwright_ir::Program;
use heapwright_logic::{Class, ClassId, Sort, display_sort};
use heapwright_spec::{ImportRequest, Source, read_specification};
use heapwright_testgen::host::Host;
use heapwright_testgen::proposal::names::is_writable;
use heapwright_testgen::proposal::{
    self, Commands, Content, Field, Function, Nearness, Parameter, Record, Records, Target, Words,
};
use heapwright_testgen::{Error, RequestError};

/// The classes of a program.
struct ImplRecords<'p> {
    program: &'p Program,
}

impl ImplRecords<'_> {
    fn of(&self, class: &Class) -> Arc<Record> {
        let fields = class.fields.iter().map(|field| Field {
            name: field.name.clone(),
            is_writable: is_writable(&field.name),
            content: match field.sort {
                Sort::Int | Sort::Machine(_) => Content::Integer,
                Sort::Ref(to) => Content::Reference(self.name(to)),
                Sort::Bool | Sort::Float(_) => Content::Plain,
            },
        });
        Arc::new(Record {
            name: class.name.clone(),
            written: class.name.clone(),
            simple: class.name.clone(),
            nearness: match is_writable(&class.name) {
                true => Nearness::Near,
                false => Nearness::Far,
            },
            fields: fields.collect(),
            creates: Vec::new(),
            sets: Vec::new(),
            self_links: Vec::new(),
            containers: Vec::new(),
            ordered_by: None,
            measures: Vec::new(),
        })
    }

    fn name(&self, class: ClassId) -> String {
        self.program.definitions.class(class).name.clone()
    }

    /// The procedures that contracts can name.
    fn functions(&self) -> Vec<Function> {
        let written = self.program.functions.iter();
        let written = written.filter(|function| !function.synthetic);
        let function = |function: &heapwright_ir::Function| {
            let registers = function.registers.iter().take(function.params as usize);
            let named = registers.enumerate().map(|(index, register)| {
                let name = register.name.as_deref().unwrap_or_default();
                let name = match is_writable(name) {
                    true => name.to_owned(),
                    false => format!("argument{index}"),
                };
                (name, register.sort)
            });
            let named: Vec<(String, Sort)> = named.collect();
            let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
            let signature = format!("{}({})", function.name, names.join(", "));
            let parameters = named.iter().filter_map(|(name, sort)| match sort {
                Sort::Ref(class) => Some(Parameter {
                    name: name.clone(),
                    record: self.name(*class),
                    is_present: false,
                    may_be_absent: false,
                    is_variable: false,
                    links: Vec::new(),
                }),
                _ => None,
            });
            Function {
                signature: is_writable(&function.name).then_some(signature),
                has_receiver: false,
                parameters: parameters.collect(),
                is_initialiser: false,
                is_removal: false,
                is_destructor: false,
                name: function.name.clone(),
            }
        };
        written.map(function).collect()
    }
}

impl Records for ImplRecords<'_> {
    fn record(&self, name: &str) -> Option<Arc<Record>> {
        let definitions = &self.program.definitions;
        let class = definitions
            .class_named(name)
            .filter(|&class| class != ClassId::ANY)?;
        Some(self.of(definitions.class(class)))
    }
}

/// The classes of a program, so that its specification can be read without it.
fn declarations(program: &Program) -> String {
    let definitions = &program.definitions;
    let mut text = String::from("\n// The classes of the program.\n");
    for (_, class) in definitions.classes().skip(1) {
        let fields = class.fields.iter();
        let fields = fields.map(|field| {
            let sort = display_sort(definitions, field.sort);
            format!("{sort} {};", field.name)
        });
        let fields = fields.collect::<Vec<String>>().join(" ");
        text.push_str(&format!("data {} {{ {fields} }}\n", class.name));
    }
    text
}

/// A first specification for the classes of a program, or for one of them, to be kept in a file. It
/// is read before anybody sees it.
pub fn propose(
    program: &Program,
    source: &Path,
    wanted: Option<&str>,
    file: &str,
    host: &dyn Host,
) -> Result<String, Error> {
    let records = ImplRecords { program };
    let functions = records.functions();
    let classes = || program.definitions.classes().skip(1);
    let record = match wanted {
        Some(name) => records.record(name).ok_or_else(|| {
            Error::Request(RequestError::NoRecord {
                kind: "class",
                name: name.to_owned(),
                known: classes().map(|(_, class)| class.name.clone()).collect(),
            })
        })?,
        // The class that most procedures work on, the first of several.
        None => {
            let uses = |class: &Class| {
                let given = functions.iter().flat_map(|function| &function.parameters);
                given.filter(|given| given.record == class.name).count()
            };
            let most = classes().map(|(_, class)| uses(class)).max().unwrap_or(0);
            let usual = classes().find(|(_, class)| uses(class) == most);
            let nothing = Class {
                name: String::new(),
                fields: Vec::new(),
                superclass: None,
            };
            records.of(usual.map_or(&nothing, |(_, class)| class))
        }
    };
    let name = source.display();
    let generate = format!("heapwright generate {name} --spec {file}");
    let target = Target {
        title: match wanted {
            Some(wanted) => format!("{wanted} of {name}"),
            None => name.to_string(),
        },
        record,
        functions,
        words: Words {
            object: "an object x of the class C",
            record: "classes",
            place: "program",
            made_from: "its classes",
            function: "procedure",
            left_out: "",
            is_procedural: true,
        },
        commands: Commands {
            explain: format!("heapwright explain {file}"),
            generate_specified: generate.clone(),
            generate,
            compare: String::new(),
            by_predicate: String::new(),
        },
        predicate: None,
    };
    let mut text = proposal::propose(&records, &target);
    text.push_str(&declarations(program));
    let read = Source {
        name: "the proposal".to_owned(),
        text: text.clone(),
    };
    let mut import = |request: ImportRequest<'_>| host.import(request);
    read_specification(read, environment_of(program), &mut import)?;
    Ok(text)
}
