//! The solver: questions about formulas in, answers out.

use heapwright_logic::{Definitions, Formula, Model, PredId, SymbolicHeap, Terms, Value, verify};

use crate::answer::{Answer, Reason, Verdict};
use crate::arith::{ArithConfig, Arithmetic, Outcome, chain};
use crate::candidate::Found;
use crate::model::VariablePool;
use crate::numeric::Summaries;
use crate::numeric::completion::{Completions, TableLimits};
use crate::rules::{Grammar, Rule};
use crate::search::Search;
use crate::shape::{BasePairs, Detail, Limits};

/// Settings of the solver.
#[derive(Clone, Debug)]
pub struct Config {
    /// Limits of the base-pair computation.
    pub base_pairs: Limits,
    /// The arithmetic layers.
    pub arith: ArithConfig,
    /// The largest number of cells with which small models are looked for. Default: 40.
    pub cells: u32,
    /// Derivations whose arithmetic is tried per question. Default: 4,000.
    pub attempts: u64,
    /// Limits of the tables of small derivations.
    pub tables: TableLimits,
    /// Steps of a derivation that is turned into a model. Default: 1,000,000.
    pub steps: usize,
    /// Whether every model is checked by the satisfaction checker before it is returned.
    /// Default: yes.
    pub validate: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            base_pairs: Limits::default(),
            arith: ArithConfig::default(),
            cells: 40,
            attempts: 4_000,
            tables: TableLimits::default(),
            steps: 1_000_000,
            validate: true,
        }
    }
}

/// Decides formulas over one set of definitions. What is found out about the predicates is
/// kept, so later questions are cheaper than the first.
pub struct Solver {
    pub(crate) definitions: Definitions,
    pub(crate) grammar: Grammar,
    /// Base pairs for questions without numbers.
    pub(crate) decisions: BasePairs,
    /// Base pairs with all their derivations, for questions with numbers.
    pub(crate) derivations: BasePairs,
    pub(crate) completions: Completions,
    pub(crate) summaries: Summaries,
    pub(crate) pool: VariablePool,
    /// Whether references of different classes can be the same object.
    has_subclasses: bool,
    pub(crate) arith: Box<dyn Arithmetic>,
    pub(crate) config: Config,
}

impl Solver {
    /// A solver for formulas over `definitions`.
    pub fn new(terms: &mut Terms, definitions: &Definitions, config: Config) -> Solver {
        let mut grammar = Grammar::new(terms, definitions);
        let mut arith = chain(&config.arith);
        drop_contradictory_rules(terms, &mut grammar, arith.as_mut());
        Solver {
            definitions: definitions.clone(),
            decisions: BasePairs::new(&grammar, Detail::Decision, config.base_pairs),
            derivations: BasePairs::new(&grammar, Detail::Derivations, config.base_pairs),
            completions: Completions::new(terms, &grammar, config.tables),
            summaries: Summaries::new(&grammar),
            pool: VariablePool::default(),
            has_subclasses: definitions
                .classes()
                .any(|(_, class)| class.superclass.is_some()),
            grammar,
            arith,
            config,
        }
    }

    /// Whether some heap satisfies the formula.
    ///
    /// A model that was found on the way is built and checked; one that is only known to exist
    /// is not built, so huge ones cost nothing.
    pub fn verdict(&mut self, terms: &mut Terms, formula: &Formula) -> Verdict {
        let mut unknown = None;
        for (index, heap) in formula.disjuncts.iter().enumerate() {
            for rule in Rule::compile(terms, &self.definitions, 0, heap, &[]) {
                let found = Search::new(self, terms, rule, None).run();
                let outcome = match &found {
                    Found::Nothing => continue,
                    // The classes of references are not part of the rules.
                    Found::Derivable(..) if !self.has_subclasses => Ok(()),
                    _ => self.realise(terms, formula, index, found).map(drop),
                };
                match outcome {
                    Ok(()) => return Verdict::Sat,
                    Err(reason) => unknown = unknown.or(Some(reason)),
                }
            }
        }
        unknown.map_or(Verdict::Unsat, Verdict::Unknown)
    }

    /// Finds a heap that satisfies the formula, with as few cells as its disjuncts allow.
    pub fn check(&mut self, terms: &mut Terms, formula: &Formula) -> Answer {
        let mut unknown = None;
        let mut smallest: Option<(usize, Found)> = None;
        for (index, heap) in formula.disjuncts.iter().enumerate() {
            let below = smallest.as_ref().map(|(_, found)| found.cells(self));
            match self.find(terms, heap, below) {
                Found::Nothing => {}
                Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
                found => smallest = Some((index, found)),
            }
        }
        let Some((index, found)) = smallest else {
            return unknown.map_or(Answer::Unsat, Answer::Unknown);
        };
        match self.realise(terms, formula, index, found) {
            Ok(model) => Answer::Sat(Box::new(model)),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// Builds and checks the model of what was found for a disjunct.
    fn realise(
        &mut self,
        terms: &mut Terms,
        formula: &Formula,
        disjunct: usize,
        found: Found,
    ) -> Result<Model, Reason> {
        let heap = &formula.disjuncts[disjunct];
        let (mut model, exact) = match found {
            Found::Model(rule, candidate) => {
                let exact = candidate.is_exact(self, &rule);
                (candidate.model(self, terms, heap, &rule)?, exact)
            }
            Found::Derivable(rule, derivation) => {
                (self.build(terms, heap, &rule, &derivation)?, true)
            }
            Found::Nothing => return Err(Reason::TooManyCases),
            Found::Unknown(reason) => return Err(reason),
        };
        model.derivation.steps[0].disjunct = disjunct as u32;
        complete_stack(terms, formula, &mut model);
        match self.validated(terms, formula, &model) {
            // Rules that say less than their disjuncts may lead to heaps that do not satisfy
            // them, and so may references of classes that do not go together.
            Err(_) if !exact => Err(Reason::TooManyCases),
            Err(_) if self.has_subclasses => Err(Reason::Classes),
            Err(reason) => Err(reason),
            Ok(()) => Ok(model),
        }
    }

    /// Searches the branches of a symbolic heap for a smallest model. If `below` is given, a
    /// model with that many cells is known already, and only smaller ones are of interest.
    fn find(&mut self, terms: &mut Terms, heap: &SymbolicHeap, mut below: Option<u32>) -> Found {
        let mut best = Found::Nothing;
        for rule in Rule::compile(terms, &self.definitions, 0, heap, &[]) {
            match Search::new(self, terms, rule, below).run() {
                Found::Nothing => {}
                unknown @ Found::Unknown(_) if matches!(best, Found::Nothing) => best = unknown,
                Found::Unknown(_) => {}
                found => {
                    below = Some(found.cells(self));
                    best = found;
                }
            }
        }
        best
    }

    fn validated(&self, terms: &Terms, formula: &Formula, model: &Model) -> Result<(), Reason> {
        if !self.config.validate && !self.has_subclasses {
            return Ok(());
        }
        verify(terms, &self.definitions, formula, model)
            .map_err(|violation| Reason::InvalidModel(violation.to_string()))
    }
}

/// Variables that only other disjuncts mention can be anything.
fn complete_stack(terms: &Terms, formula: &Formula, model: &mut Model) {
    for heap in &formula.disjuncts {
        for variable in heap.free_variables(terms) {
            let default = Value::default_of(terms.variable(variable).sort);
            model.stack.entry(variable).or_insert(default);
        }
    }
}

/// Removes rules whose own arithmetic has no solution: no derivation can use them.
fn drop_contradictory_rules(terms: &mut Terms, grammar: &mut Grammar, arith: &mut dyn Arithmetic) {
    for predicate in (0..grammar.len() as u32).map(PredId) {
        grammar.rules_mut(predicate).retain(|rule| {
            rule.scalars.is_empty()
                || !matches!(arith.check(terms, &rule.scalars), Outcome::Unsat(_))
        });
    }
}
