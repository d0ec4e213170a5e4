//! Methods that are tested apart from each other: front ends that have seen nothing, and what they have
//! seen in the end.

use std::fmt::Write;
use std::sync::Arc;

use heapwright_java::classpath::Looks;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;
use heapwright_spec::diagnostic::FileId;
use heapwright_store::{decode, encode};
use heapwright_testgen::host::{Host, Muted};
use heapwright_testgen::{Error, Search, search};
use serde::{Deserialize, Serialize};

use crate::frontend::JavaTests;
use crate::program::JavaProgram;
use crate::sources::Sources;

/// What a search has looked at.
#[derive(Serialize, Deserialize)]
struct Seen {
    classes: Looks,
    sources: Vec<(String, [u8; 32])>,
}

impl JavaTests {
    /// A search with a front end for the same program that has seen nothing of it. That one warns of
    /// nothing: what it reads this one reads as well.
    pub(crate) fn unseen(&self, targets: &[TargetMethod]) -> Option<Search> {
        let program = &self.program;
        let path = Arc::new(program.world.class_path().view());
        let host: Arc<dyn Host> = Arc::new(Muted(Arc::clone(&program.host)));
        let specifications = program.specifications.unread();
        let class_path = program.class_path.clone();
        let mut sources = Sources::new(program.sources.folders.clone(), Arc::clone(&host));
        sources.are_hidden = program.sources.are_hidden;
        let predicate = program.predicate.clone();
        let is_received = program.is_received;
        let options = self.options.clone();
        let (infix, names_class) = (self.infix.clone(), self.names_class);
        let tests_library = self.tests_library;
        let targets = targets.to_vec();
        Some(Box::new(move |request| {
            let program = JavaProgram {
                world: World::new(path).map_err(Error::code)?,
                specifications,
                class_path,
                sources,
                host,
                predicate,
                is_received,
            };
            let mut java = JavaTests::new(program, options);
            java.infix = infix;
            java.names_class = names_class;
            java.tests_library = tests_library;
            search(java, targets, request)
        }))
    }

    /// Whether nobody has begun with the class that the class of some methods is nested in: what is
    /// nested in a class is tested with it.
    pub(crate) fn begins(&mut self, targets: &[TargetMethod]) -> bool {
        let Some(first) = targets.first() else {
            return false;
        };
        let family = self.program.world.family(&first.class);
        let outermost = family.ok().and_then(|family| family.into_iter().next());
        let outermost = outermost.unwrap_or_else(|| Arc::clone(&first.class));
        self.begun.insert(outermost.name.to_string()) || !self.names_class
    }

    /// What the results for some methods depend on besides the classes that are looked at: the JDK,
    /// the specifications, and everything that is quoted in what is told.
    pub(crate) fn put_together(&mut self, targets: &[TargetMethod]) -> Result<String, Error> {
        let mut text = format!(
            "{:?} {:?}\n",
            self.options.junit, self.options.only_specified
        );
        let program = &mut self.program;
        // Writing into a text never fails.
        let _ = writeln!(text, "{}", program.world.class_path().jdk().identity());
        let _ = writeln!(text, "{:?} {:?}", program.class_path, program.predicate);
        let _ = writeln!(
            text,
            "{} {} {}",
            self.names_class, self.tests_library, self.infix
        );
        for target in targets {
            let declared = &target.declared;
            let _ = writeln!(text, "{} {declared:}", target.class.name);
            let Some((specified, file)) = program.specified_by(target)? else {
                continue;
            };
            // Names of parameters mean something or not, depending on what is tested with them.
            for class in program.specifications.tested_with(target) {
                let _ = writeln!(text, "{}", class.name);
            }
            let sources = &specified.specification.sources;
            let _ = writeln!(text, "{}", file.display());
            let files = (0..).map(FileId);
            for file in files.take_while(|file| !sources.name(*file).is_empty()) {
                let _ = writeln!(text, "{}\n{}", sources.name(file), sources.text(file));
            }
        }
        Ok(text)
    }

    /// What was looked at.
    pub(crate) fn seen(&self) -> Option<Vec<u8>> {
        let seen = Seen {
            classes: self.program.world.class_path().looks(),
            sources: self.program.sources.fingerprints(),
        };
        Some(encode(&seen).ok()?.0)
    }

    /// Whether whoever looks again sees the same.
    pub(crate) fn is_unchanged(&self, seen: &[u8]) -> bool {
        let Ok(seen) = decode::<Seen>(seen, &|_, id| Some(id)) else {
            return false;
        };
        let mut sources = seen.sources.iter();
        self.program.world.class_path().is_as_seen(&seen.classes)
            && sources.all(|(name, known)| self.program.sources.fingerprint(name) == *known)
    }
}
