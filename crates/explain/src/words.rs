//! What happened in runs and searches, in words.

use heapwright_engine::{
    Choice, Decision, Extent, Fate, Limit, Outcome, Proof, Run, StopReason, Verification,
};
use heapwright_ir::machine::{Edge, Question, Successor};
use heapwright_ir::{BlockId, Function, Position, Program, SharedPlace, Terminator};

use heapwright_logic::{Value, display_sort};

use crate::meaning::Cases;
use crate::{condition, source};

/// How a run ended, without the place.
pub fn outcome(program: &Program, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned => "returned".to_owned(),
        Outcome::Threw { class, .. } if program.exit == Some(*class) => "exits".to_owned(),
        Outcome::Threw { class, .. } => {
            let name = &program.definitions.class(*class).name;
            format!("threw {}", simple_class(name))
        }
        Outcome::Fault { kind, .. } => kind.name().to_owned(),
        Outcome::AssumptionFailed { .. } => "an assumption does not hold".to_owned(),
        Outcome::OutOfBudget { budget, .. } => {
            format!("out of budget ({})", budget.name())
        }
    }
}

/// Where a run ended, unless it returned.
pub fn outcome_position(outcome: &Outcome) -> Option<Position> {
    match outcome {
        Outcome::Returned => None,
        Outcome::Threw { position, .. }
        | Outcome::Fault { position, .. }
        | Outcome::AssumptionFailed { position }
        | Outcome::OutOfBudget { position, .. } => Some(*position),
    }
}

/// How a run ended, with the place.
pub fn outcome_at(program: &Program, ended: &Outcome) -> String {
    let place = outcome_position(ended).map_or(String::new(), |at| source::at(program, at));
    format!("{}{place}", outcome(program, ended))
}

/// How a run ended, with the place, and with the status if the program ended itself.
pub fn ending(program: &Program, run: &Run) -> String {
    let words = outcome_at(program, &run.outcome);
    match exit_status(program, run) {
        Some(status) => words.replacen("exits", &format!("exits with status {status}"), 1),
        None => words,
    }
}

/// The status with which a program ended itself; `None` if a run ended in another way.
pub fn exit_status(program: &Program, run: &Run) -> Option<i128> {
    let Outcome::Threw { class, .. } = run.outcome else {
        return None;
    };
    let Some(Value::Ref(loc)) = run.exception.filter(|_| program.exit == Some(class)) else {
        return None;
    };
    match run.heap.cells.get(&loc)?.fields.first() {
        Some(Value::Int(status)) => Some(*status),
        _ => None,
    }
}

/// What was found out about a postcondition, as one word.
pub fn verification(verification: &Verification) -> &'static str {
    match verification {
        Verification::Holds => "holds",
        Verification::Violated(_) => "violated",
        Verification::Undecided(_) => "undecided",
    }
}

/// The name of a class without its package and the classes around it.
pub fn simple_class(name: &str) -> &str {
    let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
    // Anonymous classes have numbers only.
    match simple.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.rsplit('.').next().unwrap_or(name),
        false => simple,
    }
}

/// What is known about the condition of an edge when it is taken: `` `t == nil` is true ``, or
/// `` `t == null` `` alone where the condition is not that of the source but of the jump.
pub fn edge(program: &Program, edge: Edge, position: Position) -> String {
    if let Some(fact) = fact_of(program, edge, position) {
        return format!("`{fact}`");
    }
    let condition = condition_of(program, edge, position);
    let shown = condition.map_or("the condition".to_owned(), |text| format!("`{text}`"));
    match edge.successor {
        Successor::Handler(_) => "an exception is caught".to_owned(),
        Successor::Jump(number) => match switch_cases(program, edge) {
            None => format!("{shown} is {}", number == 0),
            Some(cases) => match cases.get(number as usize) {
                Some((case, _)) => format!("{shown} is {case}"),
                None => format!("{shown} is none of the cases"),
            },
        },
    }
}

/// What holds when an edge is taken, rebuilt from the code where there is no source of it.
pub fn fact_of(program: &Program, edge: Edge, position: Position) -> Option<String> {
    match source::condition(program, position) {
        Some(_) => None,
        None => condition::fact(program, edge),
    }
}

/// The condition of an edge, as the source has it or as it follows from the code.
pub fn condition_of(program: &Program, edge: Edge, position: Position) -> Option<String> {
    let source = source::condition(program, position).map(str::to_owned);
    source.or_else(|| condition::of_edge(program, edge))
}

/// Whether an edge belongs to a switch.
pub fn is_switch(program: &Program, edge: Edge) -> bool {
    switch_cases(program, edge).is_some()
}

/// The values of the cases, if the edge belongs to a switch.
fn switch_cases(program: &Program, edge: Edge) -> Option<&[(i128, BlockId)]> {
    let function = program.functions.get(edge.function.index())?;
    match &function.blocks.get(edge.block.index())?.terminator {
        Terminator::Switch { cases, .. } => Some(cases),
        _ => None,
    }
}

/// What a run decided about its input; `cases` are those of the specification.
pub fn decision(program: &Program, cases: &Cases, decision: &Decision) -> String {
    let site = decision.site;
    if let (Some(edge), Some(site)) = (decision.edge, site) {
        return self::edge(program, edge, site.point.position(program));
    }
    // Only the question which object it is is about what the instruction looks into.
    let reference = site
        .filter(|site| matches!(site.question, Question::Object | Question::Receiver))
        .and_then(|site| condition::of_reference(program, site.point));
    let reference = reference.map_or("the reference".to_owned(), |text| format!("`{text}`"));
    let holds = |holds: bool| if holds { "holds" } else { "does not hold" };
    match decision.choice {
        Choice::Disjunct(disjunct) => {
            let told = cases.of_precondition(disjunct);
            format!("the precondition holds by its {told}")
        }
        Choice::Condition(truth) => match site.map(|site| site.question) {
            Some(Question::Assertion) => format!("the assertion {}", holds(truth)),
            Some(Question::Assumption) => format!("the assumption {}", holds(truth)),
            Some(Question::Divisor) if truth => "the divisor is zero".to_owned(),
            Some(Question::Divisor) => "the divisor is not zero".to_owned(),
            Some(Question::NegativeLength) if truth => "the length is negative".to_owned(),
            Some(Question::NegativeLength) => "the length is not negative".to_owned(),
            _ => format!("the condition is {truth}"),
        },
        Choice::Case(Some(case)) => format!("case {} is taken", case + 1),
        Choice::Case(None) => "none of the cases is taken".to_owned(),
        Choice::Null => format!("{reference} is null"),
        Choice::Alias(object) => {
            format!("{reference} is object {} of the path", object.index() + 1)
        }
        Choice::Fresh(class) => {
            let class = &program.definitions.class(class).name;
            format!("{reference} is another object, of class {class}")
        }
        Choice::FreshArray { class, length } => {
            let class = &program.definitions.class(class).name;
            format!("{reference} is another array, of class {class} and length {length}")
        }
        Choice::Within { object, offset } => {
            let object = object.index() + 1;
            format!("{reference} leads into object {object} of the path, to byte {offset}")
        }
        Choice::WithinFresh { class, offset } => {
            let class = &program.definitions.class(class).name;
            format!("{reference} leads into another object, of class {class}, to byte {offset}")
        }
        Choice::WithinFreshArray { class, offset, .. } => {
            let class = &program.definitions.class(class).name;
            format!("{reference} leads into another array, of class {class}, to byte {offset}")
        }
        Choice::FirstElement { class, length } => {
            let class = &program.definitions.class(class).name;
            format!("{reference} is the first of {length} elements, of class {class}")
        }
        Choice::Member { class, length, .. } => {
            let class = &program.definitions.class(class).name;
            format!("{reference} is an array of {length} elements inside of another {class}")
        }
        Choice::KnownArray { class, .. } => {
            let class = &program.definitions.class(class).name;
            format!(
                "{reference} is another array, of class {class}, with the contents of a literal"
            )
        }
        Choice::Unfold { disjunct, .. } => {
            let told = cases.of_predicate(decision.predicate, disjunct);
            format!("{reference} is inside of {told}")
        }
        Choice::Element(Some(index)) => format!("element {index} is selected"),
        Choice::Element(None) => "no element is selected".to_owned(),
        Choice::Number(number) => format!("the number is {number}"),
        Choice::Except(number) => format!("the number is not {number}"),
    }
}

/// Why no test takes an alternative of the constraint tree.
pub fn fate(fate: Fate) -> String {
    match fate {
        Fate::Infeasible => "unreachable: it contradicts what was decided before".to_owned(),
        Fate::Open(Limit::Goal) => "not explored: the goal was reached before".to_owned(),
        Fate::Open(Limit::Solver) => "unknown: the solver could not answer".to_owned(),
        Fate::Open(Limit::Environment(part)) => format!("depends on {part}"),
        Fate::Open(limit) => format!("not explored: {}", self::limit(limit)),
    }
}

/// What ended a search or left a part of it out, with the option that changes it.
pub fn limit(limit: Limit) -> String {
    let words = match limit {
        Limit::Environment(part) => return format!("code that depends on {part}"),
        Limit::Objects => "the limit on objects of an input (--max-objects)",
        Limit::Scope => "the limit on objects of each class (--scope)",
        Limit::Elements => "the limit on array elements (--max-elements)",
        Limit::Classes => "classes that no input can be built of",
        Limit::StaticState => "static state that other code may change",
        Limit::Subclasses => "subclasses that other programs may add",
        Limit::Depth => "the limit on decisions of a path (--max-depth)",
        Limit::Loops => "the limit on loop iterations (--max-loops)",
        Limit::Paths => "the limit on paths (--max-paths)",
        Limit::Patience => "many paths in a row without new coverage (--patience)",
        Limit::SolverCalls => "the limit on solver questions (--max-solver-calls)",
        Limit::Time => "the time limit (--time); another run may find more or less",
        Limit::Memory => "the memory limit (--memory)",
        Limit::Run => "the limits of a single run (--steps, --memory)",
        Limit::Solver => "a question that the solver could not answer",
        Limit::Numbers => "lengths that were not tried",
        Limit::Unsupported => "code that cannot be followed symbolically",
        Limit::Divergence => "a run that left its path, which is a bug; please report it",
        Limit::Panic => "an internal error, which is a bug; please report it",
        Limit::Filter => "the filter, which tries one input per path (--filter)",
        Limit::Specification => "the mode, which looks at the specification only (--mode spec)",
        Limit::Goal => "reaching its goal",
        Limit::States => "the limit on states (--max-states)",
        Limit::Sequences => "the limit on values and lengths of sequences (--scope)",
        Limit::OtherTests => "the tests of other methods, which take what is left",
        Limit::Interrupted => "an interruption; another run may find more",
    };
    words.to_owned()
}

/// A static field, `Class.field`, if a variable of the program is one.
pub fn shared_variable(program: &Program, place: SharedPlace) -> Option<String> {
    let global = program.globals.get(place.global.index())?;
    let class = program.definitions.class(global.class);
    let field = class.fields.get(place.field as usize)?;
    let owner = class.name.strip_prefix("static ").unwrap_or(&class.name);
    Some(format!("{}.{}", simple_class(owner), field.name))
}

/// The same with the number at which the search ended.
pub fn limit_at(limit: Limit, extent: &Extent) -> String {
    let number = extent.of(limit).filter(|&number| number > 0);
    match (limit, number) {
        (Limit::Objects, Some(number)) => {
            let objects = count(number, "object", "objects");
            format!("the limit of {objects} per input (--max-objects)")
        }
        (Limit::Elements, Some(number)) => {
            let elements = count(number, "element", "elements");
            format!("the limit of {elements} per array (--max-elements)")
        }
        (Limit::Depth, Some(number)) => {
            let decisions = count(number, "decision", "decisions");
            format!("the limit of {decisions} per path (--max-depth)")
        }
        (Limit::Loops, Some(number)) => {
            let iterations = count(number, "iteration", "iterations");
            format!("the limit of {iterations} per loop (--max-loops)")
        }
        _ => self::limit(limit).to_owned(),
    }
}

/// The limit as JSON has it.
pub fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Objects => "objects",
        Limit::Scope => "scope",
        Limit::Elements => "elements",
        Limit::Classes => "classes",
        Limit::StaticState => "static_state",
        Limit::Subclasses => "subclasses",
        Limit::Environment(_) => "environment",
        Limit::Depth => "depth",
        Limit::Loops => "loops",
        Limit::Paths => "paths",
        Limit::Patience => "patience",
        Limit::SolverCalls => "solver_calls",
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Run => "run",
        Limit::Solver => "solver",
        Limit::Numbers => "numbers",
        Limit::Unsupported => "unsupported",
        Limit::Divergence => "divergence",
        Limit::Panic => "internal_error",
        Limit::Filter => "filter",
        Limit::Specification => "specification",
        Limit::Goal => "goal",
        Limit::States => "states",
        Limit::Sequences => "sequences",
        Limit::OtherTests => "other_tests",
        Limit::Interrupted => "interrupted",
    }
}

/// Why a branch is infeasible, as JSON has it.
pub fn proof_name(proof: Proof) -> &'static str {
    match proof {
        Proof::ClosedTree => "closed_tree",
        Proof::Nullness => "nullness",
    }
}

/// What ended a search, in one word.
pub fn stop_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Exhausted => "exhausted",
        StopReason::Covered => "covered",
        StopReason::Reached => "reached",
        StopReason::Unsatisfiable => "unsatisfiable",
        StopReason::Limit(limit) => limit_name(limit),
    }
}

/// `1 test`, `2 tests`.
pub fn count(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// `remove(t: TreeNode, x: int): TreeNode`.
pub fn signature(program: &Program, function: &Function) -> String {
    let params = function.registers.iter().take(function.params as usize);
    let params: Vec<String> = (params.enumerate())
        .map(|(index, register)| {
            let sort = display_sort(&program.definitions, register.sort);
            match &register.name {
                Some(name) => format!("{name}: {sort}"),
                None => format!("argument{index}: {sort}"),
            }
        })
        .collect();
    let result = (function.result).map_or(String::new(), |sort| {
        format!(": {}", display_sort(&program.definitions, sort))
    });
    format!("{}({}){result}", function.name, params.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_impl::read_program;
    use heapwright_ir::machine::ProgramPoint;
    use heapwright_ir::{BlockId, FunctionId};

    #[test]
    fn decisions_about_branches_show_their_condition() {
        let text = "proc f(cons x) returns int { if (x == nil) then return 0; return 1 }";
        let program = read_program("p.impl", text).expect("a program").program;
        let function = FunctionId(0);
        let block = BlockId(0);
        let point = ProgramPoint {
            function,
            block,
            instruction: u32::MAX,
        };
        let shown = |number, truth| {
            let successor = Successor::Jump(number);
            let edge = Some(Edge {
                function,
                block,
                successor,
            });
            decision(
                &program,
                &Cases::default(),
                &Decision {
                    site: Some(point.ask(Question::Branch)),
                    choice: Choice::Condition(truth),
                    forced: false,
                    edge,
                    block: None,
                    fault: false,
                    about: heapwright_engine::About::default(),
                    predicate: None,
                },
            )
        };
        assert_eq!(shown(0, true), "`x == nil` is true");
        assert_eq!(shown(1, false), "`x == nil` is false");
    }
}
