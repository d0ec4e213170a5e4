//! Open texts, and what is known about them.

use std::ops::Range;
use std::path::{Path, PathBuf};

use heapwright_logic::Definitions;
use heapwright_spec::questions::QuestionFile;
use heapwright_spec::syntax::ast::ImportTarget;
use heapwright_spec::{ImportRequest, Source};

use crate::names::{self, Kind, Occurrence};
use crate::world::World;

/// So many files are looked through for a name.
const MOST_IMPORTS: usize = 100;

/// A text in an editor.
pub struct Document {
    /// Its address.
    pub uri: String,
    /// Where it is.
    pub path: PathBuf,
    /// What it says now.
    pub text: String,
    /// What it meant when it last had no errors.
    pub meaning: Option<QuestionFile>,
}

/// A class with its fields, or a predicate with its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// The names of its fields or parameters.
    pub parts: Vec<String>,
}

/// A declaration that was found.
pub struct Declared {
    /// The name of the text: a path, or a module of the library.
    pub name: String,
    /// The text.
    pub text: String,
    /// Where in it.
    pub range: Range<usize>,
}

impl Document {
    /// The name under which the text is read.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The classes that the text can speak of.
    pub fn classes(&self, world: &dyn World) -> Vec<Known> {
        let of_meaning = self.definitions().into_iter().flat_map(|definitions| {
            let classes = definitions.classes().skip(1);
            classes.map(|(_, class)| Known {
                name: class.name.clone(),
                parts: class
                    .fields
                    .iter()
                    .map(|field| field.name.clone())
                    .collect(),
            })
        });
        let mut known: Vec<Known> = of_meaning.collect();
        for source in self.sources(world) {
            add_classes(&names::of(&source.text), &mut known);
        }
        known
    }

    /// The predicates that the text can use.
    pub fn predicates(&self, world: &dyn World) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::new();
        for source in self.sources(world) {
            let names = names::of(&source.text);
            for (at, name) in names.iter().enumerate() {
                if name.kind == Kind::Predicate && name.declares {
                    let behind = names[at + 1..].iter();
                    let params = behind
                        .take_while(|name| name.declares && matches!(name.kind, Kind::Variable(_)));
                    add(
                        &mut known,
                        &name.text,
                        params.map(|name| name.text.clone()).collect(),
                    );
                }
            }
        }
        // Those that an import has given other names are known to the meaning only.
        if let (Some(meaning), Some(definitions)) = (&self.meaning, self.definitions()) {
            for (_, predicate) in definitions.predicates() {
                let params = predicate.params.iter();
                let params = params.map(|&id| meaning.terms.variable(id).name.clone());
                add(&mut known, &predicate.name, params.collect());
            }
        }
        known
    }

    fn definitions(&self) -> Option<&Definitions> {
        self.meaning.as_ref().map(|meaning| &meaning.definitions)
    }

    /// This text, and then those that it imports, each once.
    fn sources(&self, world: &dyn World) -> Vec<Source> {
        let mut sources = vec![Source {
            name: self.name(),
            text: self.text.clone(),
        }];
        let mut next = 0;
        while next < sources.len() && sources.len() < MOST_IMPORTS {
            let from = sources[next].clone();
            next += 1;
            for target in imports(&from.text) {
                let request = ImportRequest {
                    target: &target,
                    from: &from.name,
                };
                if let Ok(source) = world.import(request)
                    && !sources.iter().any(|known| known.name == source.name)
                {
                    sources.push(source);
                }
            }
        }
        sources
    }

    /// Where a predicate, class or field is declared.
    pub fn declaration(&self, world: &dyn World, wanted: &Occurrence) -> Option<Declared> {
        let fits = |name: &Occurrence| {
            let kind = match (&wanted.kind, &name.kind) {
                (Kind::Field(None), Kind::Field(_)) => true,
                (Kind::Field(Some(wanted)), Kind::Field(Some(class))) => is_class(wanted, class),
                (wanted, kind) => wanted == kind,
            };
            let same = match wanted.kind {
                Kind::Class => is_class(&wanted.text, &name.text),
                _ => name.text == wanted.text,
            };
            name.declares && kind && same
        };
        for source in self.sources(world) {
            let mut names = names::of(&source.text).into_iter();
            if let Some(name) = names.find(fits) {
                return Some(Declared {
                    name: source.name,
                    range: name.range,
                    text: source.text,
                });
            }
        }
        None
    }

    /// The text that an import names.
    pub fn imported(&self, world: &dyn World, target: &ImportTarget) -> Option<Source> {
        world
            .import(ImportRequest {
                target,
                from: &self.name(),
            })
            .ok()
    }
}

/// Whether a name, which may be without its package, is that of a class.
fn is_class(name: &str, class: &str) -> bool {
    name == class
        || class
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with(['.', '$']))
}

fn imports(text: &str) -> Vec<ImportTarget> {
    let names = names::of(text).into_iter();
    names
        .filter_map(|name| match name.kind {
            Kind::Import(target) => Some(target),
            _ => None,
        })
        .collect()
}

fn add(known: &mut Vec<Known>, name: &str, parts: Vec<String>) {
    if !known.iter().any(|known| known.name == name) {
        known.push(Known {
            name: name.to_owned(),
            parts,
        });
    }
}

fn add_classes(names: &[Occurrence], known: &mut Vec<Known>) {
    let mut found: Vec<Known> = Vec::new();
    for name in names.iter().filter(|name| name.declares) {
        match &name.kind {
            Kind::Class => found.push(Known {
                name: name.text.clone(),
                parts: Vec::new(),
            }),
            Kind::Field(_) => {
                if let Some(class) = found.last_mut() {
                    class.parts.push(name.text.clone());
                }
            }
            _ => {}
        }
    }
    for class in found {
        add(known, &class.name, class.parts);
    }
}

/// Whether a path is one of a file that an editor can open.
pub fn is_file(name: &str) -> bool {
    Path::new(name).is_absolute()
}
