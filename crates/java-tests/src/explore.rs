//! Exploring a Java method: the engine asks for functions, the world translates them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use heapwright_engine::{
    CodeUnderTest, Contracts, Enumeration, ExploreError, GlobalField, Input, Options, Progress,
    Report, StructureBounds, Subject, Supplier, enumerate, explore_growing,
};
use heapwright_ir::machine::Edge;
use heapwright_ir::{FunctionId, GlobalId, InputRules, Library, Literal, Program};
use heapwright_java::contracts::Specified;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{TestEntry, World};
use heapwright_logic::{Deadline, Formula, SymbolicHeap, Terms};
use heapwright_spec::ContractKind;
use rustc_hash::FxHashSet;

use crate::program::JavaProgram;
use crate::sources::Sources;
use heapwright_testgen::Error;

/// What came of exploring a method.
pub struct ExploredMethod {
    /// What was explored in the end.
    pub subject: Arc<Subject>,
    /// What was found.
    pub report: Report,
    /// What was run: the method, or a wrapper around it.
    pub entry: TestEntry,
    /// The file with the contract, if there is one.
    pub specification: Option<PathBuf>,
}

impl JavaProgram {
    /// What is known about a method, with the file that says so.
    pub(crate) fn specified_by(
        &mut self,
        target: &TargetMethod,
    ) -> Result<Option<(Specified, PathBuf)>, Error> {
        (self.specifications).of(&mut self.world, target, &*self.host)
    }

    /// Whether there is a precondition for a method.
    pub fn is_specified(&mut self, target: &TargetMethod) -> Result<bool, Error> {
        let specified = self.specified_by(target)?;
        Ok(specified.is_some_and(|(specified, _)| {
            let before = specified.contract(&target.declared, ContractKind::Pre);
            before.is_some()
        }))
    }

    /// Those of some methods that there is a precondition for.
    pub fn specified(&mut self, targets: Vec<TargetMethod>) -> Result<Vec<TargetMethod>, Error> {
        let mut specified = Vec::new();
        for target in targets {
            if self.is_specified(&target)? {
                specified.push(target);
            }
        }
        Ok(specified)
    }

    /// A method under its contract, as the program is now, without a search. Its function is that
    /// of the method itself, whatever static fields it depends on.
    pub fn subject(&mut self, target: &TargetMethod) -> Result<ExploredMethod, Error> {
        let (mut growing, specification) = self.called(target)?;
        Ok(ExploredMethod {
            subject: growing.subject()?,
            report: Report::default(),
            entry: growing.entry,
            specification,
        })
    }

    /// A method that is called as it is, and the file with its contract.
    fn called(&mut self, target: &TargetMethod) -> Result<(Growing<'_>, Option<PathBuf>), Error> {
        let specified = self.specified_by(target)?;
        let (specified, specification) = specified.unzip();
        let function = self.world.loaded(&target.declared);
        let entry = TestEntry {
            function,
            method: function,
            statics: Vec::new(),
            enums: Vec::new(),
            narrowed: Vec::new(),
        };
        let growing = Growing {
            world: &mut self.world,
            target: target.clone(),
            entry,
            specified,
            invariant: None,
            driven: None,
            sources: &mut self.sources,
            common: None,
        };
        Ok((growing, specification))
    }

    /// Searches for tests of a method.
    pub fn explore(
        &mut self,
        target: &TargetMethod,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<ExploredMethod, ExploreError>, Error> {
        let (mut growing, specification) = self.growing(target)?;
        let subject = growing.subject()?;
        let explored = explore_growing(subject, &mut growing, options, observer);
        let entry = growing.entry;
        Ok(explored.map(|(report, subject)| ExploredMethod {
            subject,
            report,
            entry,
            specification,
        }))
    }

    /// Searches for arguments of a driver whose last call is one of a method, so that branches are
    /// covered that are not yet.
    pub fn explore_driver(
        &mut self,
        target: &TargetMethod,
        driver: FunctionId,
        covered: FxHashSet<Edge>,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<Report, ExploreError>, Error> {
        let mut growing = Growing {
            target: target.clone(),
            entry: TestEntry {
                function: driver,
                method: driver,
                statics: Vec::new(),
                enums: Vec::new(),
                narrowed: Vec::new(),
            },
            specified: None,
            invariant: None,
            driven: Some(covered),
            world: &mut self.world,
            sources: &mut self.sources,
            common: None,
        };
        let subject = growing.subject()?;
        let explored = explore_growing(subject, &mut growing, options, observer);
        Ok(explored.map(|(report, _)| report))
    }

    /// Searches for tests of a method on inputs that only a made-up contract describes, so that branches
    /// are covered that are not yet. Static fields are as classes leave them when they are initialised.
    /// With what was run, and whether a predicate of the class was asked about the inputs. `None` for
    /// methods that need constants of enums.
    pub fn explore_models(
        &mut self,
        target: &TargetMethod,
        specified: Option<Specified>,
        covered: &FxHashSet<Edge>,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Option<(Report, TestEntry, bool)>, Error> {
        let entry = (self.world.test_entry(target)).map_err(Error::code)?;
        if !entry.enums.is_empty() {
            return Ok(None);
        }
        let entry = TestEntry {
            function: entry.method,
            statics: Vec::new(),
            ..entry
        };
        let invariant = match self.predicate(&target.class)? {
            None => None,
            Some(predicate) => {
                (self.world.invariant(target, &entry, &predicate)).map_err(Error::code)?
            }
        };
        let has_predicate = invariant.is_some();
        let mut growing = Growing {
            target: target.clone(),
            entry,
            specified,
            invariant,
            driven: Some(covered.clone()),
            world: &mut self.world,
            sources: &mut self.sources,
            common: None,
        };
        let subject = growing.subject()?;
        let explored = explore_growing(subject, &mut growing, options, observer);
        let entry = growing.entry;
        Ok((explored.ok()).map(|(report, _)| (report, entry, has_predicate)))
    }

    /// What is explored for a method, before its program grows.
    pub fn test_subject(&mut self, target: &TargetMethod) -> Result<Arc<Subject>, Error> {
        let (mut growing, _) = self.growing(target)?;
        growing.subject()
    }

    /// What was explored for some methods, or called, where the program does not grow any more: they
    /// share what it is like.
    pub(crate) fn subjects(
        &mut self,
        methods: &[(&TargetMethod, bool)],
    ) -> Result<Vec<Arc<Subject>>, Error> {
        for (target, is_called) in methods {
            // Everything that they need is there before anybody looks at all of it.
            match is_called {
                true => drop(self.world.loaded(&target.declared)),
                false => drop(self.growing(target)?),
            }
        }
        let common = Common::of(&self.world, &mut self.sources);
        let mut subjects = Vec::new();
        for (target, is_called) in methods {
            let mut growing = match is_called {
                true => self.called(target)?.0,
                false => self.growing(target)?.0,
            };
            growing.common = Some(&common);
            subjects.push(growing.subject()?);
        }
        Ok(subjects)
    }

    /// Enumerates the objects of a class for which its predicate holds; the visitor gets each as
    /// the input of a method. `None` if there is no predicate.
    pub fn enumerate(
        &mut self,
        target: &TargetMethod,
        bounds: &StructureBounds,
        deadline: &Deadline,
        visitor: &mut dyn FnMut(&Subject, Input) -> bool,
    ) -> Result<Option<Enumeration>, Error> {
        let (mut growing, _) = self.growing(target)?;
        let subject = growing.subject()?;
        let Options {
            bounds: general,
            budgets,
            ..
        } = Options::default();
        let elements = general.elements.first;
        Ok(enumerate(
            subject,
            &mut growing,
            bounds,
            elements,
            budgets,
            deadline,
            visitor,
        ))
    }

    /// A method whose program grows, and the file with its contract.
    fn growing(&mut self, target: &TargetMethod) -> Result<(Growing<'_>, Option<PathBuf>), Error> {
        let specified = self.specified_by(target)?;
        let (specified, specification) = specified.unzip();
        let mentioned = (specified.as_ref())
            .map_or_else(Vec::new, |known| known.static_fields(&target.declared));
        let entry = (self.world.test_entry_with(target, &mentioned)).map_err(Error::code)?;
        let invariant = match self.predicate(&target.class)? {
            None => None,
            Some(predicate) => {
                (self.world.invariant(target, &entry, &predicate)).map_err(Error::code)?
            }
        };
        let growing = Growing {
            world: &mut self.world,
            target: target.clone(),
            entry,
            specified,
            invariant,
            driven: None,
            sources: &mut self.sources,
            common: None,
        };
        Ok((growing, specification))
    }
}

/// A method whose program grows.
struct Growing<'w> {
    world: &'w mut World,
    target: TargetMethod,
    entry: TestEntry,
    specified: Option<Specified>,
    invariant: Option<FunctionId>,
    /// Where the method is called by a driver, the branches that are covered already.
    driven: Option<FxHashSet<Edge>>,
    sources: &'w mut Sources,
    /// What the program is like, if it does not grow any more.
    common: Option<&'w Common>,
}

/// What a program is like.
struct Common {
    program: Arc<Program>,
    rules: InputRules,
    literals: BTreeMap<GlobalId, Literal>,
    library: Arc<Library>,
    internal: FxHashSet<FunctionId>,
    /// The functions under test, by the class under test.
    scopes: RefCell<BTreeMap<String, Arc<CodeUnderTest>>>,
}

impl Common {
    fn of(world: &World, sources: &mut Sources) -> Common {
        let mut program = world.program().clone();
        sources.fill(&mut program);
        Common {
            program: Arc::new(program),
            rules: world.input_rules(),
            literals: world.literal_contents(),
            library: Arc::new(world.library()),
            internal: world.internal_functions(),
            scopes: RefCell::default(),
        }
    }
}

impl Growing<'_> {
    /// The subject as the program is now.
    fn subject(&mut self) -> Result<Arc<Subject>, Error> {
        let contract = |kind| {
            let specified = self.specified.as_ref()?;
            specified.contract(&self.target.declared, kind)
        };
        let specified = self.specified.as_ref();
        let exceptional =
            specified.map_or_else(Vec::new, |known| known.exceptional(&self.target.declared));
        let statics: Vec<Option<usize>> = (specified.iter())
            .flat_map(|known| &known.statics)
            .map(|(class, field)| {
                let mut inputs = self.entry.statics.iter();
                let input = inputs.find(|input| input.class == *class && input.field == *field);
                input.map(|input| input.parameter)
            })
            .collect();
        let contracts = specified.map(|specified| Contracts {
            statics: &statics,
            terms: &specified.specification.terms,
            predicates: &specified.specification.definitions,
            before: contract(ContractKind::Pre),
            after: contract(ContractKind::Post),
            exceptional: &exceptional,
        });
        let own;
        let common = match self.common {
            Some(common) => common,
            None => {
                own = Common::of(self.world, self.sources);
                &own
            }
        };
        let program = Arc::clone(&common.program);
        let mut subject = Subject::with_contracts(program, self.entry.function, contracts)?;
        for &(parameter, class) in &self.entry.narrowed {
            subject.narrow(parameter, class);
        }
        let by_ordinal = self.entry.enums.iter().any(|known| known.parameter == 0);
        let access = self.target.declared.method.access;
        if !access.is_static() && !by_ordinal && self.driven.is_none() {
            assume_receiver(&mut subject);
        }
        let globals = self.entry.statics.iter().map(|known| GlobalField {
            name: known.name.clone(),
            global: known.global,
            field: known.position,
            path: known.slots.clone(),
        });
        let subject = (subject.with_rules(common.rules.clone()))
            .with_literals(common.literals.clone())
            .with_globals(globals.collect())
            .with_invariant(self.invariant, !access.is_private());
        Ok(Arc::new(Subject {
            scope: Some(self.scope(common)),
            library: Arc::clone(&common.library),
            ..subject
        }))
    }

    /// The functions under test, as far as they are known.
    fn scope(&self, common: &Common) -> Arc<CodeUnderTest> {
        let class = &*self.target.class.name;
        let known = common.scopes.borrow().get(class).cloned();
        if let Some(known) = known.filter(|_| self.driven.is_none()) {
            return known;
        }
        let mut scope = CodeUnderTest::default();
        for id in (0..common.program.functions.len() as u32).map(FunctionId) {
            if !self.world.in_scope(&self.target, id) {
                continue;
            }
            scope.functions.insert(id);
            if common.internal.contains(&id) {
                scope.internal.insert(id);
            }
            scope.ignored.extend(self.world.ignored_edges(id));
        }
        scope.ignored.extend(self.driven.iter().flatten());
        let scope = Arc::new(scope);
        let mut scopes = common.scopes.borrow_mut();
        scopes.insert(class.to_owned(), Arc::clone(&scope));
        scope
    }
}

impl Supplier for Growing<'_> {
    fn supply(&mut self, functions: &BTreeSet<FunctionId>) -> Option<Arc<Subject>> {
        let mut loaded = false;
        for &function in functions {
            loaded |= self.world.supply(function);
        }
        match loaded {
            true => self.subject().ok(),
            false => None,
        }
    }
}

/// A method is called on an object.
fn assume_receiver(subject: &mut Subject) {
    let Some(receiver) = subject.inputs.first() else {
        return;
    };
    let receiver = subject.terms.var(receiver.variable);
    let present = subject.terms.ne(receiver, Terms::NULL);
    let precondition = subject.precondition.get_or_insert_with(|| Formula {
        disjuncts: vec![SymbolicHeap::emp()],
    });
    for disjunct in &mut precondition.disjuncts {
        disjunct.pure.push(present);
    }
}
