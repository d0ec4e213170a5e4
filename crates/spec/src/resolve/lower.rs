//! From resolved formulas with known sorts to the formulas of `logic`.

use heapwright_logic::{
    ClassId, Formula, Instance, IntType, PointsTo, Sort, SymbolicHeap, Term as LogicTerm, TermId,
    Terms, VarId,
};
use rustc_hash::FxHashMap;

use super::Resolver;
use super::hir::{Body, Disjunct, LocalId, Owner, Range, Role, Term};
use super::kind::Kind;
use crate::specification::{Contract, OldValue, Query, StaticValue};

/// The variables of locals.
pub(super) type Variables = FxHashMap<LocalId, VarId>;

impl Resolver {
    /// Builds all formulas. Precondition: there are no errors.
    pub(super) fn lower(&mut self, contracts: &mut Vec<Contract>, queries: &mut Vec<Query>) {
        self.close_open_classes();
        let bodies = std::mem::take(&mut self.bodies);
        // Parameters first: arguments are compared with the sorts of parameters.
        let mut parameters = Vec::with_capacity(bodies.len());
        for body in &bodies {
            let mut variables = Variables::default();
            for &param in &body.params {
                self.declare_variable(param, &mut variables);
            }
            if let Some(id) = body.predicate() {
                let params = body.params.iter().map(|param| variables[param]).collect();
                self.definitions.predicate_mut(id).params = params;
            }
            parameters.push(variables);
        }
        for (body, variables) in bodies.iter().zip(parameters) {
            self.lower_body(body, variables, contracts, queries);
        }
    }

    fn lower_body(
        &mut self,
        body: &Body,
        mut variables: Variables,
        contracts: &mut Vec<Contract>,
        queries: &mut Vec<Query>,
    ) {
        let used = |local: &Option<LocalId>, resolver: &Self| {
            local.filter(|&local| resolver.local(local).used)
        };
        let this = used(&body.this, self).map(|local| self.declare_variable(local, &mut variables));
        let result =
            used(&body.result, self).map(|local| self.declare_variable(local, &mut variables));
        let free: Vec<_> = (body.free.iter())
            .map(|&local| self.declare_variable(local, &mut variables))
            .collect();
        let old: Vec<_> = (body.old.iter())
            .map(|old| OldValue {
                variable: self.declare_variable(old.value, &mut variables),
                base: self.declare_variable(old.base, &mut variables),
                path: old.steps.clone(),
            })
            .collect();
        let statics = (body.statics.iter())
            .map(|&(field, after, local)| StaticValue {
                field,
                variable: self.declare_variable(local, &mut variables),
                after,
            })
            .collect();
        let disjuncts = (body.disjuncts.iter())
            .map(|disjunct| self.lower_disjunct(disjunct, &mut variables))
            .collect();
        match &body.owner {
            Owner::Predicate(id) => self.definitions.predicate_mut(*id).disjuncts = disjuncts,
            Owner::Contract(header) => contracts.push(Contract {
                kind: header.kind,
                class: header.class,
                method: header.method.clone(),
                signature: header.signature,
                has_receiver: body.this.is_some(),
                this,
                params: body.params.iter().map(|param| variables[param]).collect(),
                result,
                throws: header.throws.clone(),
                old,
                statics,
                formula: Formula { disjuncts },
                span: header.span,
            }),
            Owner::Query { name, span } => queries.push(Query {
                name: name.clone(),
                variables: free,
                formula: Formula { disjuncts },
                span: *span,
            }),
        }
    }

    fn lower_disjunct(&mut self, disjunct: &Disjunct, variables: &mut Variables) -> SymbolicHeap {
        let mut heap = SymbolicHeap::emp();
        for &local in &disjunct.owned {
            let own = self.local(local).alias.is_none() && self.local(local).used;
            if own {
                heap.exists.push(self.declare_variable(local, variables));
            }
        }
        for cell in &disjunct.cells {
            let source = self.reference(&cell.source, variables, &mut heap);
            let sorts: Vec<_> = (self.definitions.class(cell.class).fields.iter())
                .map(|field| field.sort)
                .collect();
            let fields = (cell.fields.iter().zip(sorts))
                .map(|(value, sort)| match sort {
                    Sort::Ref(_) => self.reference(value, variables, &mut heap),
                    _ => self.lower_term(value, variables),
                })
                .collect();
            heap.points_to.push(PointsTo {
                source,
                class: cell.class,
                fields,
            });
        }
        for instance in &disjunct.instances {
            let params = self
                .definitions
                .predicate(instance.predicate)
                .params
                .clone();
            let mut args = Vec::with_capacity(params.len());
            for (value, param) in instance.args.iter().zip(params) {
                let argument = match self.terms.variable(param).sort {
                    Sort::Ref(_) => self.reference(value, variables, &mut heap),
                    Sort::Machine(ty) => {
                        let argument = self.lower_term(value, variables);
                        self.within(argument, ty, &mut heap);
                        argument
                    }
                    _ => self.lower_term(value, variables),
                };
                args.push(argument);
            }
            heap.instances.push(Instance {
                predicate: instance.predicate,
                args,
            });
        }
        for condition in &disjunct.pure {
            let condition = self.lower_term(condition, variables);
            match self.terms.get(condition) {
                LogicTerm::Bool(true) => {}
                // A chained comparison is several conjuncts.
                LogicTerm::And(list) => heap.pure.extend_from_slice(list),
                _ => heap.pure.push(condition),
            }
        }
        for (name, definition) in std::mem::take(&mut self.named_conditions) {
            heap.exists.push(name);
            heap.pure.push(definition);
        }
        heap
    }

    /// A reference as a variable or null; anything else gets a variable that is equal to it.
    fn reference(
        &mut self,
        value: &Term,
        variables: &mut Variables,
        heap: &mut SymbolicHeap,
    ) -> TermId {
        let term = self.lower_term(value, variables);
        if term == Terms::NULL || self.terms.as_var(term).is_some() {
            return term;
        }
        let sort = self.terms.sort(term);
        let name = self.terms.declare("ref", sort);
        let variable = self.terms.var(name);
        heap.exists.push(name);
        let equal = self.terms.eq(variable, term);
        heap.pure.push(equal);
        variable
    }

    /// Unfolding forgets the range of a parameter, so the caller states it where the argument
    /// does not have it anyway.
    fn within(&mut self, argument: TermId, ty: IntType, heap: &mut SymbolicHeap) {
        if let Sort::Machine(own) = self.terms.sort(argument)
            && ty.min() <= own.min()
            && own.max() <= ty.max()
        {
            return;
        }
        let (low, high) = (self.terms.int(ty.min()), self.terms.int(ty.max()));
        let bounds = [self.terms.le(low, argument), self.terms.le(argument, high)];
        heap.pure
            .extend(bounds.into_iter().filter(|&bound| bound != Terms::TRUE));
    }

    /// The variable of a local, with its final sort.
    pub(super) fn declare_variable(&mut self, local: LocalId, variables: &mut Variables) -> VarId {
        let local = self.representative(local);
        if let Some(&variable) = variables.get(&local) {
            return variable;
        }
        let sort = self.final_sort(local);
        let variable = self.terms.declare(self.local(local).name.clone(), sort);
        variables.insert(local, variable);
        variable
    }

    /// The sort of a local, all constraints being known.
    pub(super) fn final_sort(&mut self, local: LocalId) -> Sort {
        let local = self.local(local).clone();
        if let Some(sort) = local.declared {
            return sort;
        }
        match (self.kinds.get(local.kind), local.range) {
            (Kind::Integer | Kind::Numeric, Range::Machine(ty))
                if local.role != Role::PredicateParameter =>
            {
                Sort::Machine(ty)
            }
            (kind, _) => default_sort(kind),
        }
    }

    /// Gives the fields of classes that only contracts mention their sorts.
    fn close_open_classes(&mut self) {
        for (class, fields) in std::mem::take(&mut self.open_classes) {
            for (index, (_, kind)) in fields.into_iter().enumerate() {
                let sort = default_sort(self.kinds.get(kind));
                self.definitions.class_mut(class).fields[index].sort = sort;
            }
        }
    }
}

/// The sort of something that only its kind is known of.
pub(super) fn default_sort(kind: Kind) -> Sort {
    match kind {
        Kind::Integer | Kind::Numeric => Sort::Int,
        Kind::Floating => Sort::Float(heapwright_logic::FloatType::Double),
        Kind::Float(ty) => Sort::Float(ty),
        Kind::Bool => Sort::Bool,
        Kind::Ref(class) => Sort::Ref(class.unwrap_or(ClassId::ANY)),
        Kind::Unknown | Kind::Conflict => Sort::Ref(ClassId::ANY),
    }
}
