//! What a symbolic heap says, in plain sentences.
//!
//! The objects come first, then what the references lead to, then the conditions. Quantified
//! variables are called by what they are: `root.left` instead of `l` (see [`roles`]).

mod cases;
mod conditions;
mod phrases;
mod roles;

use std::collections::BTreeMap;

use heapwright_logic::{
    Definitions, Instance, PointsTo, Printer, Sort, SymbolicHeap, Term, TermId, Terms, VarId,
};

use crate::words::simple_class;
pub use cases::Cases;
pub use phrases::wrapped;
use phrases::{article, capitalised, conjunction, is_noun};
use roles::Roles;

/// So many objects, predicates or conditions of one symbolic heap are told; the others are counted.
const MOST_TOLD: usize = 12;

/// The sentences for a disjunct whose free variables are the given ones.
///
/// Adds variables with the names of the roles to `terms`.
pub fn sentences(
    terms: &mut Terms,
    definitions: &Definitions,
    params: &[VarId],
    heap: &SymbolicHeap,
) -> String {
    let roles = Roles::of(terms, definitions, params, heap);
    let named = roles.rename(terms, heap);
    Teller::new(terms, definitions, params, &named, &roles).tell(&named, &roles)
}

/// The facts of a symbolic heap one by one: its objects, its predicates, its conditions, in this
/// order.
pub fn facts(
    terms: &mut Terms,
    definitions: &Definitions,
    params: &[VarId],
    heap: &SymbolicHeap,
) -> Vec<String> {
    let roles = Roles::of(terms, definitions, params, heap);
    let named = roles.rename(terms, heap);
    let mut teller = Teller::new(terms, definitions, params, &named, &roles);
    let mut facts = Vec::new();
    for cell in &named.points_to {
        let (object, mut contents, _) = teller.object(cell, &named.exists);
        if !contents.is_empty() {
            contents.insert(0, String::new());
        }
        facts.push(format!("{object}{}", contents.join(", ")));
    }
    for instance in &named.instances {
        facts.push(teller.instance(instance, &named.exists));
    }
    for &condition in &named.pure {
        facts.push(conditions::tell(terms, &mut teller.printer, condition));
    }
    facts
}

/// How often each variable occurs; one that occurs once is not restricted by anything else.
pub fn uses(terms: &Terms, heap: &SymbolicHeap) -> BTreeMap<VarId, usize> {
    let in_cells =
        (heap.points_to.iter()).flat_map(|cell| std::iter::once(&cell.source).chain(&cell.fields));
    let in_instances = heap.instances.iter().flat_map(|instance| &instance.args);
    let mut uses = BTreeMap::new();
    for &term in in_cells.chain(in_instances).chain(&heap.pure) {
        for variable in terms
            .subterms([term])
            .filter_map(|inner| terms.as_var(inner))
        {
            *uses.entry(variable).or_insert(0) += 1;
        }
    }
    uses
}

struct Teller<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    printer: Printer<'a>,
    uses: BTreeMap<VarId, usize>,
    /// Variables that are called after the argument of an instance.
    defined: Vec<VarId>,
}

impl<'a> Teller<'a> {
    fn new(
        terms: &'a Terms,
        definitions: &'a Definitions,
        params: &[VarId],
        heap: &SymbolicHeap,
        roles: &Roles,
    ) -> Self {
        let mut printer = Printer::new(terms, definitions);
        for &param in params {
            printer.variable(param);
        }
        Teller {
            terms,
            definitions,
            printer,
            uses: uses(terms, heap),
            defined: roles.defined_by_instances(),
        }
    }

    fn tell(&mut self, heap: &SymbolicHeap, roles: &Roles) -> String {
        let mut sentences = Vec::new();
        let cells = heap.points_to.iter().enumerate().take(MOST_TOLD);
        for (position, cell) in cells {
            sentences.push(capitalised(&self.cell(position, cell, &heap.exists)));
        }
        more(heap.points_to.len(), "object", "objects", &mut sentences);
        for instance in heap.instances.iter().take(MOST_TOLD) {
            sentences.push(self.instance(instance, &heap.exists));
        }
        let instances = heap.instances.len();
        more(instances, "predicate", "predicates", &mut sentences);
        let (plain, alternatives) = self.conditions(heap);
        let is_empty = heap.points_to.is_empty() && heap.instances.is_empty();
        match (is_empty, plain.is_empty()) {
            (true, true) => sentences.push("Empty".to_owned()),
            (true, false) => sentences.push(format!("Empty: {plain}")),
            (false, true) => {}
            (false, false) => sentences.push(plain),
        }
        sentences.extend(alternatives.iter().map(|text| capitalised(text)));
        let others = self.others(roles);
        if !others.is_empty() {
            sentences.push(format!("All this for some {}", conjunction(&others)));
        }
        format!("{}.", sentences.join(". "))
    }

    /// The conditions in one sentence, and one sentence for each of those with alternatives.
    fn conditions(&mut self, heap: &SymbolicHeap) -> (String, Vec<String>) {
        let mut plain = Vec::new();
        let mut alternatives = Vec::new();
        for &condition in heap.pure.iter().take(MOST_TOLD) {
            let told = conditions::tell(self.terms, &mut self.printer, condition);
            match self.terms.get(condition) {
                Term::Or(_) => alternatives.push(told),
                _ => plain.push(told),
            }
        }
        more(heap.pure.len(), "condition", "conditions", &mut plain);
        (conjunction(&plain), alternatives)
    }

    /// `a Node at root, with prev = before and any value`
    fn cell(&mut self, position: usize, cell: &PointsTo, exists: &[VarId]) -> String {
        let (object, mut contents, free) = self.object(cell, exists);
        contents.extend(free);
        let with = match contents.is_empty() {
            true => String::new(),
            false => format!(", with {}", conjunction(&contents)),
        };
        let apart = if position == 0 {
            ""
        } else {
            "apart from that "
        };
        format!("{apart}{object}{with}")
    }

    /// `a Node at root`, what is known about its fields, and what is free in them.
    fn object(&mut self, cell: &PointsTo, exists: &[VarId]) -> (String, Vec<String>, Vec<String>) {
        let class = self.definitions.class(cell.class);
        let source = self.printer.term(cell.source);
        let mut known = Vec::new();
        let (mut any, mut anywhere) = (Vec::new(), Vec::new());
        for (field, &value) in class.fields.iter().zip(&cell.fields) {
            let shown = self.printer.term(value);
            let variable = (self.terms.as_var(value)).filter(|known| exists.contains(known));
            let once = variable.is_some_and(|variable| self.uses.get(&variable) == Some(&1));
            match field.sort {
                Sort::Ref(_) if once => anywhere.push(field.name.clone()),
                _ if once => any.push(field.name.clone()),
                // The content is called after the field: nothing is said by that.
                _ if shown == format!("{source}.{}", field.name) => {}
                _ => known.push(format!("{} = {shown}", field.name)),
            }
        }
        let mut free = Vec::new();
        if !any.is_empty() {
            free.push(format!("any {}", conjunction(&any)));
        }
        if !anywhere.is_empty() {
            free.push(format!("{} leading anywhere", conjunction(&anywhere)));
        }
        let name = simple_class(&class.name);
        let object = format!("{} {name} at {source}", article(name));
        (object, known, free)
    }

    /// `root.left is a bst with the same lo and hi = root.value`, `nodes holds of first.next`
    fn instance(&mut self, instance: &Instance, exists: &[VarId]) -> String {
        let predicate = self.definitions.predicate(instance.predicate);
        let subject = subject(self.terms, instance);
        let mut with = Vec::new();
        for (position, (&param, &arg)) in (predicate.params.iter().zip(&instance.args)).enumerate()
        {
            if Some(position) == subject {
                continue;
            }
            let param = &self.terms.variable(param).name;
            if let Some(variable) = self.terms.as_var(arg) {
                let once = self.uses.get(&variable) == Some(&1);
                if exists.contains(&variable) && (once || self.defined.contains(&variable)) {
                    continue;
                }
                if !exists.contains(&variable) && self.printer.variable(variable) == *param {
                    with.push(format!("the same {param}"));
                    continue;
                }
            }
            with.push(match self.shifted(param, arg) {
                Some(text) => text,
                None => format!("{param} = {}", self.printer.term(arg)),
            });
        }
        let with = match with.is_empty() {
            true => String::new(),
            false => format!(" with {}", conjunction(&with)),
        };
        let name = &predicate.name;
        match subject.and_then(|position| instance.args.get(position)) {
            Some(&subject) => {
                let subject = self.printer.term(subject);
                match is_noun(name) {
                    true => format!("{subject} is {} {name}{with}", article(name)),
                    false => format!("{name} holds of {subject}{with}"),
                }
            }
            None => format!("{name} holds{with}"),
        }
    }

    /// `n one less`, where the argument is a parameter of the same name plus or minus a number.
    fn shifted(&mut self, param: &str, arg: TermId) -> Option<String> {
        let Term::Linear(linear) = self.terms.get(arg) else {
            return None;
        };
        let (&[(term, 1)], constant) = (linear.summands.as_slice(), linear.constant) else {
            return None;
        };
        let variable = self.terms.as_var(term)?;
        if self.printer.variable(variable) != param {
            return None;
        }
        let (amount, direction) = match constant {
            negative if negative < 0 => (negative.unsigned_abs(), "less"),
            positive => (positive.unsigned_abs(), "more"),
        };
        Some(match amount {
            1 => format!("{param} one {direction}"),
            amount => format!("{param} {direction} by {amount}"),
        })
    }

    /// The quantified variables that have no role, with their sorts.
    fn others(&mut self, roles: &Roles) -> Vec<String> {
        let mut others = Vec::new();
        for &variable in roles.others.iter().take(MOST_TOLD) {
            // What occurs once is told as "any", and what does not occur says nothing.
            if self.uses.get(&variable).is_none_or(|&uses| uses < 2) {
                continue;
            }
            let name = self.printer.variable(variable);
            others.push(match self.terms.variable(variable).sort {
                Sort::Ref(class) => {
                    let class = &self.definitions.class(class).name;
                    format!("{} {name}", simple_class(class))
                }
                Sort::Bool => format!("truth value {name}"),
                _ => format!("number {name}"),
            });
        }
        more(roles.others.len(), "variable", "variables", &mut others);
        others
    }
}

/// The argument that an instance is said of: the first reference that is no null.
fn subject(terms: &Terms, instance: &Instance) -> Option<usize> {
    let is_reference = |&arg: &TermId| matches!(terms.sort(arg), Sort::Ref(_));
    let mut args = instance.args.iter();
    args.position(is_reference)
}

/// Says how many were left out.
fn more(count: usize, one: &str, many: &str, told: &mut Vec<String>) {
    if let Some(left @ 1..) = count.checked_sub(MOST_TOLD) {
        told.push(crate::words::count(
            left as u64,
            &format!("more {one}"),
            &format!("more {many}"),
        ));
    }
}
