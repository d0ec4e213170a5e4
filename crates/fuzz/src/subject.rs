//! What is done with an input: a text is read and resolved, and a sample is solved; heaps are
//! checked against a specification; class files and jars are those of a
//! [project](crate::java::project).

use std::path::Path;

use heapwright_logic::{
    Budget, Class, Definitions, Failure, Field, Formula, IntType, Sort, Terms, find_derivation,
    heap_to_json, read_heap,
};
use heapwright_solver::arith::ArithConfig;
use heapwright_solver::{Answer, Config, Reason, Solver, TableLimits};
use heapwright_spec::diagnostic::Style;
use heapwright_spec::{
    ConstantValue, Environment, Signature, Source, SpecError, Specification, StaticAccess,
    StaticField, no_imports, read_specification, smtlib, starfinder,
};

use crate::Language;
use crate::java::project::Project;
use crate::run::Fate;

/// One text in this many is also solved: solving takes much longer than reading.
const SAMPLE: u64 = 16;

/// Longer texts are not solved.
const LONGEST_SOLVED: usize = 3000;

/// Reads input number `index` in its language, and does more with it if it belongs to a sample.
///
/// Precondition: there is a project if the language is one of a project.
pub fn subject(project: Option<&Project>, language: Language, index: u64, input: &[u8]) -> Fate {
    match (language, project) {
        (Language::ClassFile, Some(project)) => return project.class_file(index, input),
        (Language::Jar, Some(project)) => return project.jar(index, input),
        (Language::ClassFile | Language::Jar | Language::C, None) => {
            panic!("there is no project")
        }
        _ => {}
    }
    let text: &str = &String::from_utf8_lossy(input);
    let read = match language {
        Language::Specification => specification(text),
        Language::Pred => pred(text),
        Language::Smtlib => script(text),
        Language::HeapJson => return heap(text),
        Language::Configuration | Language::ClassFile | Language::Jar | Language::C => {
            let read = heapwright_cli::check_configuration(text, Path::new("project"));
            return match read {
                Ok(()) => Fate::Accepted,
                Err(_) => Fate::Rejected,
            };
        }
    };
    let problem = match read {
        Ok(problem) => problem,
        Err(error) => {
            // Showing an error is where places outside of the text would be noticed.
            error.render(Style::Coloured);
            return Fate::Rejected;
        }
    };
    if index.is_multiple_of(SAMPLE) && text.len() <= LONGEST_SOLVED {
        solve(problem)
    } else {
        Fate::Accepted
    }
}

/// Formulas with what they stand on.
struct Problem {
    terms: Terms,
    definitions: Definitions,
    formulas: Vec<Formula>,
}

fn specification(text: &str) -> Result<Problem, SpecError> {
    let specification = read(text)?;
    let contracts = specification.contracts.into_iter().map(|c| c.formula);
    let queries = specification.queries.into_iter().map(|q| q.formula);
    Ok(Problem {
        terms: specification.terms,
        definitions: specification.definitions,
        formulas: queries.chain(contracts).collect(),
    })
}

fn read(text: &str) -> Result<Specification, SpecError> {
    let source = Source {
        name: "fuzz.sl".to_owned(),
        text: text.to_owned(),
    };
    read_specification(source, Environment::default(), &mut no_imports)
}

/// The text for code that has most of its names, and alone.
fn pred(text: &str) -> Result<Problem, SpecError> {
    let source = Source {
        name: "fuzz.pred".to_owned(),
        text: text.to_owned(),
    };
    if let Ok(read) = starfinder::read_for(vec![source], code()) {
        let contracts = read.contracts.into_iter();
        return Ok(Problem {
            terms: read.terms,
            definitions: read.definitions,
            formulas: contracts.map(|contract| contract.formula).collect(),
        });
    }
    let file = starfinder::read("fuzz.pred", text)?;
    Ok(Problem {
        terms: file.terms,
        definitions: file.definitions,
        formulas: file.preconditions.into_iter().map(|p| p.formula).collect(),
    })
}

/// Code that the generated files in the StarFinder notation may be about.
fn code() -> Environment {
    let mut environment = Environment::default();
    let definitions = &mut environment.definitions;
    let mut class = |name: &str| {
        definitions.add_class(Class {
            name: name.to_owned(),
            fields: Vec::new(),
            superclass: None,
        })
    };
    let [node, inner, list] = ["pkg.Node", "pkg.Tree$Node", "pkg.List"].map(&mut class);
    let field = |name: &str, sort| Field {
        name: name.to_owned(),
        sort,
    };
    let int = Sort::Machine(IntType::I32);
    let fields = vec![field("value", int), field("next", Sort::Ref(node))];
    definitions.class_mut(inner).superclass = Some(node);
    definitions.class_mut(inner).fields = fields.clone();
    definitions.class_mut(node).fields = fields;
    definitions.class_mut(list).fields = vec![field("root", Sort::Ref(node))];
    environment.packages = vec!["pkg".to_owned()];
    environment.tested = vec![list];
    environment.signatures = vec![Signature {
        class: Some(list),
        has_receiver: true,
        method: "remove".to_owned(),
        params: vec![Sort::Ref(node)],
        names: vec!["x".to_owned()],
        result: None,
    }];
    let total = |name: &str, access| StaticField {
        class: list,
        name: name.to_owned(),
        sort: int,
        access,
    };
    environment.statics = vec![
        total("total", StaticAccess::Input),
        total("MAX", StaticAccess::Constant(ConstantValue::Int(3))),
    ];
    environment
}

fn script(text: &str) -> Result<Problem, SpecError> {
    let script = smtlib::read("fuzz.smt2", text)?;
    Ok(Problem {
        terms: script.terms,
        definitions: script.definitions,
        formulas: script.queries.into_iter().map(|q| q.formula).collect(),
    })
}

/// Solves the first few questions with a small budget. The solver validates its models; one that
/// the satisfaction checker rejects is a defect, and reported as such.
fn solve(mut problem: Problem) -> Fate {
    let config = Config {
        cells: 6,
        attempts: 50,
        tables: TableLimits {
            facts: 2_000,
            combinations: 50_000,
        },
        steps: 2_000,
        arith: ArithConfig {
            resource_limit: 30_000,
            ..ArithConfig::default()
        },
        ..Config::default()
    };
    let mut solver = Solver::new(&mut problem.terms, &problem.definitions, config);
    let mut fate = Fate::Decided;
    for formula in problem.formulas.iter().take(3) {
        match solver.check(&mut problem.terms, formula) {
            Answer::Unknown(Reason::InvalidModel(reason)) => {
                panic!("a model was rejected: {reason}");
            }
            Answer::Unknown(_) => fate = Fate::Undecided,
            Answer::Sat(_) | Answer::Unsat => {}
        }
    }
    fate
}

/// What heaps are checked against.
const SHAPES: &str = "
    data Node { int value; Node next; }
    pred segment(x, y, n, lo) :=
        emp & x = y & n = 0
      | exists v, next. x -> Node(v, next) * segment(next, y, n - 1, v) & x != y & lo <= v;
    check question := segment(x, y, n, lo) * segment(y, z, w, hi) & v < n;
";

/// Reads a heap and looks for a derivation. One that is found was verified; written and read
/// again, the heap must be the same.
fn heap(text: &str) -> Fate {
    let Ok(specification) = read(SHAPES) else {
        panic!("the specification for heaps has errors");
    };
    let (terms, definitions) = (&specification.terms, &specification.definitions);
    let question = &specification.queries[0];
    let variable = |name: &str| {
        let mut variables = question.variables.iter().copied();
        variables.find(|&id| terms.variable(id).name == name)
    };
    let (stack, heap) = match read_heap(terms, definitions, text, variable) {
        Ok(read) => read,
        Err(error) => {
            let _ = error.to_string();
            return Fate::Rejected;
        }
    };
    let written = heap_to_json(terms, definitions, &stack, &heap).to_string();
    let again = read_heap(terms, definitions, &written, variable);
    assert_eq!(
        again,
        Ok((stack.clone(), heap.clone())),
        "a heap changed in writing: {written}"
    );
    let budget = Budget { steps: 20_000 };
    match find_derivation(terms, definitions, &question.formula, &stack, &heap, budget) {
        Ok(_) | Err(Failure::Unsatisfied { .. }) => Fate::Decided,
        Err(Failure::Undecided { .. } | Failure::Budget { .. }) => Fate::Undecided,
        Err(Failure::FreeReference { .. } | Failure::IllFormed { .. }) => Fate::Rejected,
    }
}
