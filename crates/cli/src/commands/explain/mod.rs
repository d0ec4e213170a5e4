//! `explain`: what a specification means.

pub mod disjuncts;

use std::io::Write;
use std::path::PathBuf;

use heapwright_explain::{contexts, contracts};
use heapwright_logic::{Class, Definitions, PredId, Printer, display_sort};
use heapwright_solver::rules::Grammar;
use heapwright_solver::shape::{BasePair, BasePairs, Detail, Limits as PairLimits};

use super::generate::ClassPathArguments;
use crate::failure::{CommandStatus, Failure};
use crate::limits::Limits;
use heapwright_spec::questions::QuestionFile;

/// Sentences are broken here.
const WIDTH: usize = 94;

/// Explain a specification: its definitions, type-checked, with the smallest models drawn
///
/// For each predicate: which of its reference arguments can be null or allocated; for each of its
/// disjuncts what it says, in words, and a smallest model. Then what the preconditions and
/// postconditions of the file say. With -v also the contexts that the least fixed point of each
/// definition computes, iteration by iteration.
#[derive(clap::Args)]
pub struct Arguments {
    /// A .sl, .pred or .smt2 file, or the name of a library module
    file: PathBuf,
    /// Explain only this predicate, which may be an imported one
    #[arg(long, value_name = "NAME")]
    pred: Option<String>,
    /// Print the contexts of each predicate as well, iteration by iteration
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    limits: Limits,
    /// The Java class whose specification this is, or the C file, from which the fields are taken
    /// [default: classes are those that the file declares; for X.sl beside X.c, its structs]
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    #[command(flatten)]
    class_path: ClassPathArguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let mut input = crate::input::load_for(
        &arguments.file,
        arguments.class.as_deref(),
        &arguments.class_path.classes(),
    )?;
    let chosen = match &arguments.pred {
        Some(name) => vec![input.predicate(name)?],
        None => input.own_predicates(),
    };
    let classes = input.definitions.classes().skip(1);
    for (_, class) in classes.filter(|(_, class)| input.is_own(class)) {
        writeln!(out, "{}", data(&input.definitions, class))?;
    }
    let shapes = Shapes::of(&mut input);
    for predicate in chosen {
        writeln!(out)?;
        definition(&input, predicate, out)?;
        if shapes.is_empty(predicate) {
            writeln!(
                out,
                "  no heap satisfies it: no disjunct has a shape that is possible"
            )?;
            disjuncts::describe(&mut input, predicate, &arguments.limits, out)?;
            continue;
        }
        shapes.describe(&input, predicate, out)?;
        disjuncts::describe(&mut input, predicate, &arguments.limits, out)?;
        if arguments.verbose {
            contexts::describe(&mut input, predicate, out)?;
        }
    }
    if arguments.pred.is_none() {
        contracts::describe(&mut input, WIDTH, out)?;
    }
    Ok(CommandStatus::Decided)
}

/// `data Node { int value; Node next; }`
fn data(definitions: &Definitions, class: &Class) -> String {
    let fields: String = (class.fields.iter())
        .map(|field| format!("{} {}; ", display_sort(definitions, field.sort), field.name))
        .collect();
    let superclass = (class.superclass).map_or(String::new(), |id| {
        match definitions.class(id).name.as_str() {
            // That is true of every class.
            "java.lang.Object" => String::new(),
            name => format!(" extends {name}"),
        }
    });
    format!("data {}{superclass} {{ {fields}}}", class.name)
}

/// The predicate with the sorts of its parameters and its disjuncts in normal form.
fn definition(input: &QuestionFile, predicate: PredId, out: &mut dyn Write) -> Result<(), Failure> {
    let (terms, definitions) = (&input.terms, &input.definitions);
    let definition = definitions.predicate(predicate);
    let mut printer = Printer::new(terms, definitions);
    let params: Vec<String> = (definition.params.iter())
        .map(|&param| {
            let sort = display_sort(definitions, terms.variable(param).sort);
            format!("{sort} {}", printer.variable(param))
        })
        .collect();
    writeln!(out, "pred {}({}) :=", definition.name, params.join(", "))?;
    for (position, disjunct) in definition.disjuncts.iter().enumerate() {
        let bar = if position == 0 { ' ' } else { '|' };
        // Quantified variables of one disjunct do not hinder those of the next.
        let mut printer = Printer::new(terms, definitions);
        for &param in &definition.params {
            printer.variable(param);
        }
        writeln!(out, "  {bar} {}", printer.symbolic_heap(disjunct))?;
    }
    Ok(())
}

/// What the base pairs say of every predicate.
struct Shapes {
    grammar: Grammar,
    pairs: BasePairs,
    /// Whether the pairs of a predicate are all there.
    complete: Vec<bool>,
}

impl Shapes {
    fn of(input: &mut QuestionFile) -> Shapes {
        let grammar = Grammar::new(&mut input.terms, &input.definitions);
        let mut pairs = BasePairs::new(&grammar, Detail::Derivations, PairLimits::default());
        let complete = (input.definitions.predicates())
            .map(|(predicate, _)| pairs.ensure(&grammar, predicate))
            .collect();
        Shapes {
            grammar,
            pairs,
            complete,
        }
    }

    /// Whether no heap can have the shape of a predicate.
    fn is_empty(&self, predicate: PredId) -> bool {
        let relation = &self.pairs.of(predicate).relation;
        self.complete[predicate.index()] && relation.active().is_empty()
    }

    /// For each reference parameter: what it can be in some model, as far as shape is concerned.
    fn describe(
        &self,
        input: &QuestionFile,
        predicate: PredId,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if !self.complete[predicate.index()] {
            writeln!(out, "  too many shapes to list what its arguments can be")?;
            return Ok(());
        }
        let relation = &self.pairs.of(predicate).relation;
        let pairs: Vec<&BasePair> = (relation.active().iter())
            .map(|&id| relation.pair(id))
            .collect();
        for (param, &variable) in (1..).zip(self.grammar.reference_params(predicate)) {
            let name = &input.terms.variable(variable).name;
            let some = |holds: &dyn Fn(&BasePair) -> bool| pairs.iter().any(|pair| holds(pair));
            let mut can = Vec::new();
            if some(&|pair| pair.is_nil(param)) {
                can.push("null");
            }
            if some(&|pair| pair.is_allocated(param)) {
                can.push("allocated");
            }
            if some(&|pair| !pair.is_nil(param) && !pair.is_allocated(param)) {
                can.push("left to the context");
            }
            let is = if can.len() == 1 { "is" } else { "can be" };
            writeln!(out, "  {name} {is} {}", can.join(" or "))?;
        }
        Ok(())
    }
}
