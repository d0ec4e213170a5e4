//! The solver: questions about formulas in, answers out.

use heapwright_logic::{Deadline, Definitions, Formula, Model, PredId, Terms, Value, verify};

use crate::answer::{Answer, Reason, Verdict};
use crate::arith::{ArithAnswer, ArithConfig, Arithmetic, Assignment, chain};
use crate::candidate::Found;
use crate::model::VariablePool;
use crate::numeric::Summaries;
use crate::numeric::completion::{Completions, TableLimits};
use crate::rules::{Grammar, Rule};
use crate::search::{Goal, Search};
use crate::shape::{BasePairs, Detail, Limits};

/// Facts that are combined in the time of one conjunct of arithmetic.
const FACTS: u64 = 10;

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
    /// Facts of small derivations that are combined per question. Default: no limit.
    pub facts: u64,
    /// Limits of the tables of small derivations.
    pub tables: TableLimits,
    /// Steps of a derivation that is turned into a model. Default: 1,000,000.
    pub steps: usize,
    /// Whether every model is checked by the satisfaction checker before it is returned.
    /// Default: yes.
    pub validate: bool,
    /// When to give up, with the answer `Unknown`. Default: never.
    pub deadline: Deadline,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            base_pairs: Limits::default(),
            arith: ArithConfig::default(),
            cells: 40,
            attempts: 4_000,
            facts: u64::MAX,
            tables: TableLimits::default(),
            steps: 1_000_000,
            validate: true,
            deadline: Deadline::NEVER,
        }
    }
}

/// How much work one question may be. All of it is counted, none of it timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuestionLimits {
    /// Z3's own measure.
    pub resources: u32,
    /// Derivations whose arithmetic is tried.
    pub attempts: u64,
    /// Facts of small derivations that are combined.
    pub facts: u64,
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
    /// Facts that were combined since the last restart.
    pub(crate) facts: u64,
    /// Numbers that satisfy much of the questions to come.
    pub(crate) suggested: Assignment,
    pub(crate) config: Config,
}

impl Solver {
    /// A solver for formulas over `definitions`.
    pub fn new(terms: &mut Terms, definitions: &Definitions, config: Config) -> Solver {
        let mut grammar = Grammar::new(terms, definitions);
        drop_contradictory_rules(terms, &mut grammar, chain(&config.arith).as_mut());
        Solver {
            definitions: definitions.clone(),
            decisions: BasePairs::new(&grammar, Detail::Decision, config.base_pairs),
            derivations: BasePairs::new(&grammar, Detail::Derivations, config.base_pairs),
            completions: Completions::new(terms, &grammar, config.tables),
            summaries: Summaries::new(&grammar),
            pool: VariablePool::default(),
            has_subclasses: definitions.has_subclasses(),
            grammar,
            arith: chain(&config.arith),
            facts: 0,
            suggested: Assignment::default(),
            config,
        }
    }

    /// Changes when to give up.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.config.deadline = deadline;
    }

    /// Changes how much work a question may be. It counts from the next restart on.
    pub fn set_limits(&mut self, limits: QuestionLimits) {
        self.config.arith.resource_limit = limits.resources;
        self.config.attempts = limits.attempts;
        self.config.facts = limits.facts;
    }

    /// Numbers that satisfy much of the questions to come, such as those of an input whose path
    /// is to be left at its last decision. Searches for floats begin there; objects that are not
    /// in that input are taken to resemble those that are. They hold until others are suggested
    /// or the solver is restarted.
    pub fn suggest(&mut self, values: &Assignment) {
        self.suggested.clone_from(values);
        self.arith.suggest(values);
    }

    /// Whether it is time to give up.
    pub(crate) fn is_late(&self) -> bool {
        self.config.deadline.is_over()
    }

    /// Forgets everything that was learned from questions but what follows from the definitions
    /// alone, which costs most.
    ///
    /// Afterwards the solver answers as it did right after [`Solver::new`], in the same words:
    /// equal questions get equal answers and models, whatever was asked in between. The terms of
    /// the next questions must be in the store that [`Solver::new`] was given, or in a copy of
    /// it as it was right afterwards.
    pub fn restart(&mut self) {
        self.arith = chain(&self.config.arith);
        self.facts = 0;
        self.suggested.clear();
        self.pool = VariablePool::default();
    }

    /// The work of all questions since the last restart, in conjuncts that the arithmetic was asked
    /// about. It depends on these questions alone, and a conjunct takes about 20 µs.
    pub fn work(&self) -> u64 {
        self.arith.statistics().conjuncts + self.facts / FACTS
    }

    /// Whether some heap satisfies the formula.
    ///
    /// A model that was found on the way is built and checked; one that is only known to exist
    /// is not built, so huge ones cost nothing.
    pub fn verdict(&mut self, terms: &mut Terms, formula: &Formula) -> Verdict {
        let settle = |solver: &mut Solver, terms: &mut Terms, found| match found {
            // The classes of references are not part of the rules.
            Found::Derivable(..) if !solver.has_subclasses => Ok(()),
            found => solver.realise(terms, formula, found).map(drop),
        };
        match self.search(terms, formula, Goal::Any, settle) {
            Ok(Some(())) => Verdict::Sat,
            Ok(None) => Verdict::Unsat,
            Err(reason) => Verdict::Unknown(reason),
        }
    }

    /// Finds a heap that satisfies the formula, with as few cells as its disjuncts allow.
    pub fn check(&mut self, terms: &mut Terms, formula: &Formula) -> Answer {
        let settle =
            |solver: &mut Solver, terms: &mut Terms, found| solver.realise(terms, formula, found);
        match self.search(terms, formula, Goal::Smallest, settle) {
            Ok(Some(model)) => Answer::Sat(Box::new(model)),
            Ok(None) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// Searches the branches of a formula until `settle` accepts what is found; nothing if
    /// there is no model. A branch whose model is not accepted is left out from then on.
    fn search<T>(
        &mut self,
        terms: &mut Terms,
        formula: &Formula,
        goal: Goal,
        settle: impl Fn(&mut Solver, &mut Terms, Found) -> Result<T, Reason>,
    ) -> Result<Option<T>, Reason> {
        let mut rules = Vec::new();
        for (index, heap) in formula.disjuncts.iter().enumerate() {
            rules.extend(Rule::compile_question(
                terms,
                &self.definitions,
                index,
                heap,
            ));
        }
        let mut unknown = None;
        loop {
            let (branch, found) = Search::run(self, terms, &rules, goal);
            let reason = match found {
                Found::Nothing => return unknown.map_or(Ok(None), Err),
                Found::Unknown(reason) => return Err(unknown.unwrap_or(reason)),
                found => match settle(self, terms, found) {
                    Ok(settled) => return Ok(Some(settled)),
                    Err(reason @ Reason::InvalidModel(_)) => return Err(reason),
                    Err(reason) => reason,
                },
            };
            unknown.get_or_insert(reason);
            rules.remove(branch);
        }
    }

    /// Builds and checks the model of what was found.
    fn realise(
        &mut self,
        terms: &mut Terms,
        formula: &Formula,
        found: Found,
    ) -> Result<Model, Reason> {
        let (mut model, exact) = match found {
            Found::Model(rule, candidate) => {
                let heap = &formula.disjuncts[rule.disjunct];
                let exact = candidate.is_exact(self, &rule);
                (candidate.model(self, terms, heap, &rule)?, exact)
            }
            Found::Derivable(rule, derivation) => {
                let heap = &formula.disjuncts[rule.disjunct];
                (self.build(terms, heap, &rule, &derivation)?, true)
            }
            Found::Nothing => return Err(Reason::TooManyCases),
            Found::Unknown(reason) => return Err(reason),
        };
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
                || !matches!(arith.check(terms, &rule.scalars), ArithAnswer::Unsat(_))
        });
    }
}
