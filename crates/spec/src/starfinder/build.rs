//! Formulas: the second of two walks over the tree, when all types are known.

use heapwright_logic::{
    ClassId, FloatType, Formula, FpOp, Instance, IntOp, PointsTo, Sort, SymbolicHeap, TermId,
    Terms, VarId,
};

use super::Precondition;
use super::ast::{self, Comparison, Disjunct, Factor, File, HeapTerm, PureTerm, Term, TermKind};
use super::infer::Kinds;
use super::resolve::Resolver;
use super::symbol_table::SymbolTable;
use crate::ConstantValue;

impl Resolver {
    /// Fills in the parameters and disjuncts of all predicates.
    pub fn build_predicates(&mut self, file: &File, scopes: Vec<Vec<SymbolTable>>) {
        // The parameters of all, before any body needs the sort of an argument.
        for predicate in &file.predicates {
            let Some(types) = self.predicates.get(&predicate.name.text).cloned() else {
                continue;
            };
            let params = (predicate.params.iter().zip(types.params))
                .map(|(name, ty)| {
                    let sort = self.types.sort(ty);
                    self.terms.declare(&name.text[..], sort)
                })
                .collect();
            self.definitions.predicate_mut(types.id).params = params;
        }
        for (predicate, scopes) in file.predicates.iter().zip(scopes) {
            let Some(types) = self.predicates.get(&predicate.name.text) else {
                continue;
            };
            let id = types.id;
            let params = self.definitions.predicate(id).params.clone();
            let disjuncts = self.build_all(&predicate.disjuncts, scopes, &params);
            self.definitions.predicate_mut(id).disjuncts = disjuncts;
        }
    }

    pub fn build_preconditions(
        &mut self,
        file: &File,
        scopes: Vec<Vec<SymbolTable>>,
    ) -> Vec<Precondition> {
        let mut built = Vec::with_capacity(file.preconditions.len());
        for (precondition, scopes) in file.preconditions.iter().zip(scopes) {
            let mut names = Vec::new();
            if let Some(scope) = scopes.first() {
                for entry in &scope.entries[..scope.outer] {
                    let sort = entry.sort(&mut self.types);
                    let variable = self.terms.declare(&entry.name[..], sort);
                    names.push((entry.name.clone(), variable));
                }
            }
            let variables: Vec<_> = names.iter().map(|&(_, variable)| variable).collect();
            let disjuncts = self.build_all(&precondition.disjuncts, scopes, &variables);
            built.push(Precondition {
                method: precondition.method.text.clone(),
                span: precondition.method.span,
                formula: Formula { disjuncts },
                names,
                statics: Vec::new(),
            });
        }
        built
    }

    /// The precondition of one method.
    pub fn build_precondition(
        &mut self,
        precondition: &ast::Precondition,
        scopes: Vec<SymbolTable>,
    ) -> Precondition {
        let (mut names, mut statics) = (Vec::new(), Vec::new());
        let mut variables = Vec::new();
        if let Some(scope) = scopes.first() {
            for entry in &scope.entries[..scope.outer] {
                let sort = entry.sort(&mut self.types);
                let variable = self.terms.declare(&entry.name[..], sort);
                variables.push(variable);
                match entry.static_field {
                    Some(field) => statics.push((field, variable)),
                    None => names.push((entry.name.clone(), variable)),
                }
            }
        }
        let disjuncts = self.build_all(&precondition.disjuncts, scopes, &variables);
        Precondition {
            method: precondition.method.text.clone(),
            span: precondition.method.span,
            formula: Formula { disjuncts },
            names,
            statics,
        }
    }

    fn build_all(
        &mut self,
        disjuncts: &[Disjunct],
        scopes: Vec<SymbolTable>,
        outer: &[VarId],
    ) -> Vec<SymbolicHeap> {
        (disjuncts.iter().zip(scopes))
            .filter_map(|(disjunct, scope)| self.build(disjunct, scope, outer))
            .collect()
    }

    fn build(
        &mut self,
        disjunct: &Disjunct,
        mut scope: SymbolTable,
        outer: &[VarId],
    ) -> Option<SymbolicHeap> {
        let mut heap = SymbolicHeap::emp();
        for (position, entry) in scope.entries.iter_mut().enumerate() {
            entry.variable = Some(match outer.get(position) {
                Some(&variable) if position < scope.outer => variable,
                _ => {
                    let sort = entry.sort(&mut self.types);
                    let variable = self.terms.declare(&entry.name[..], sort);
                    heap.exists.push(variable);
                    variable
                }
            });
        }
        for term in &disjunct.heap {
            match term {
                HeapTerm::PointsTo(source, name, args) => {
                    let source = self.term(source, Sort::Ref(ClassId::ANY), &scope)?;
                    let class = self.class(name)?;
                    let declared = self.definitions.class(class).fields.clone();
                    let listed = self.listed(class, args.len());
                    let mut fields = Vec::with_capacity(declared.len());
                    for (position, field) in declared.iter().enumerate() {
                        let at = listed.iter().position(|&listed| listed == position);
                        let term = match at.and_then(|at| args.get(at)) {
                            Some(arg) => {
                                self.argument(arg, field.sort, &field.name, &scope, &mut heap)?
                            }
                            None => self.anything(field.sort, &field.name, &mut heap),
                        };
                        fields.push(term);
                    }
                    heap.points_to.push(PointsTo {
                        source,
                        class,
                        fields,
                    });
                }
                HeapTerm::Instance(name, actual) => {
                    let predicate = self.predicates.get(&name.text)?.id;
                    let params = self.definitions.predicate(predicate).params.clone();
                    let mut args = Vec::with_capacity(actual.len());
                    for (arg, param) in actual.iter().zip(params) {
                        let param = self.terms.variable(param).clone();
                        args.push(self.argument(
                            arg,
                            param.sort,
                            &param.name,
                            &scope,
                            &mut heap,
                        )?);
                    }
                    heap.instances.push(Instance { predicate, args });
                }
            }
        }
        for term in &disjunct.pure {
            let conjunct = match term {
                PureTerm::Truth(value) => self.terms.bool(*value),
                PureTerm::Compare(comparison, left, right) => {
                    self.comparison(*comparison, left, right, &scope)?
                }
            };
            // A conjunct that is false stays, so that the contradiction is found and told.
            if conjunct != Terms::TRUE {
                heap.pure.push(conjunct);
            }
        }
        Some(heap)
    }

    /// A field or argument; for `_` a quantified variable of its own.
    fn argument(
        &mut self,
        arg: &Term,
        sort: Sort,
        name: &str,
        scope: &SymbolTable,
        heap: &mut SymbolicHeap,
    ) -> Option<TermId> {
        if !matches!(arg.kind, TermKind::Wildcard) {
            return self.term(arg, sort, scope);
        }
        Some(self.anything(sort, name, heap))
    }

    /// A quantified variable that nothing is said about.
    fn anything(&mut self, sort: Sort, name: &str, heap: &mut SymbolicHeap) -> TermId {
        let variable = self.terms.declare(name, sort);
        heap.exists.push(variable);
        self.terms.var(variable)
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        left: &Term,
        right: &Term,
        scope: &SymbolTable,
    ) -> Option<TermId> {
        let sort = self
            .evident_sort(left, scope)
            .or(self.evident_sort(right, scope));
        let sort = sort.unwrap_or(Sort::Int);
        let (a, b) = (
            self.term(left, sort, scope)?,
            self.term(right, sort, scope)?,
        );
        let (a, b, comparison) = match comparison {
            Comparison::Gt => (b, a, Comparison::Lt),
            Comparison::Ge => (b, a, Comparison::Le),
            _ => (a, b, comparison),
        };
        let terms = &mut self.terms;
        Some(match (sort, comparison) {
            (Sort::Float(ty), Comparison::Eq) => terms.fp(FpOp::Eq, ty, vec![a, b]),
            (Sort::Float(ty), Comparison::Ne) => {
                let equal = terms.fp(FpOp::Eq, ty, vec![a, b]);
                terms.not(equal)
            }
            (Sort::Float(ty), Comparison::Lt) => terms.fp(FpOp::Lt, ty, vec![a, b]),
            (Sort::Float(ty), _) => terms.fp(FpOp::Le, ty, vec![a, b]),
            (_, Comparison::Eq) => terms.eq(a, b),
            (_, Comparison::Ne) => terms.ne(a, b),
            (_, Comparison::Lt) => terms.lt(a, b),
            _ => terms.le(a, b),
        })
    }

    /// The sort of a term, where it does not depend on what the term is compared with.
    fn evident_sort(&mut self, term: &Term, scope: &SymbolTable) -> Option<Sort> {
        match &term.kind {
            TermKind::Name(name) => Some(scope.get(name)?.sort(&mut self.types)),
            TermKind::Null => Some(Sort::Ref(ClassId::ANY)),
            TermKind::Wildcard | TermKind::Int(_) | TermKind::Decimal(_) => None,
            TermKind::Sum(summands) => {
                (summands.iter()).find_map(|(_, summand)| self.evident_sort(summand, scope))
            }
            TermKind::Product(first, factors) => (self.evident_sort(first, scope)).or_else(|| {
                (factors.iter()).find_map(|(_, factor)| self.evident_sort(factor, scope))
            }),
        }
    }

    /// A term of a sort. Recursion is as deep as parentheses nest.
    fn term(&mut self, term: &Term, sort: Sort, scope: &SymbolTable) -> Option<TermId> {
        match (&term.kind, sort) {
            (TermKind::Name(name), _) => {
                let entry = scope.get(name)?;
                if let Some(value) = entry.constant {
                    return self.constant(term, value, sort);
                }
                let variable = entry.variable?;
                if Kinds::of(self.terms.variable(variable).sort) != Kinds::of(sort) {
                    return self.not_a(term.span, Kinds::of(sort));
                }
                Some(self.terms.var(variable))
            }
            (TermKind::Null, Sort::Ref(_)) => Some(Terms::NULL),
            (TermKind::Int(value @ (0 | 1)), Sort::Bool) => Some(self.terms.bool(*value == 1)),
            (TermKind::Int(value), Sort::Int | Sort::Machine(_)) => Some(self.terms.int(*value)),
            (TermKind::Int(value), Sort::Float(ty)) => Some(self.float(*value as f64, ty)),
            (TermKind::Decimal(value), Sort::Float(ty)) => Some(self.float(*value, ty)),
            (TermKind::Sum(summands), Sort::Int | Sort::Machine(_)) => {
                let mut parts = Vec::with_capacity(summands.len());
                for (negative, summand) in summands {
                    let part = self.term(summand, sort, scope)?;
                    parts.push(if *negative {
                        self.terms.neg(part)
                    } else {
                        part
                    });
                }
                Some(crate::smtlib::sum(&mut self.terms, &parts))
            }
            (TermKind::Sum(summands), Sort::Float(ty)) => {
                let mut sum = None;
                for (negative, summand) in summands {
                    let part = self.term(summand, sort, scope)?;
                    sum = Some(match (sum, *negative) {
                        (None, false) => part,
                        (None, true) => self.terms.fp(FpOp::Neg, ty, vec![part]),
                        (Some(sum), false) => self.terms.fp(FpOp::Add, ty, vec![sum, part]),
                        (Some(sum), true) => self.terms.fp(FpOp::Sub, ty, vec![sum, part]),
                    });
                }
                sum
            }
            (TermKind::Product(first, factors), Sort::Int | Sort::Machine(_) | Sort::Float(_)) => {
                let mut result = self.term(first, sort, scope)?;
                for (factor, operand) in factors {
                    let operand = self.term(operand, sort, scope)?;
                    result = match (sort, factor) {
                        (Sort::Float(ty), Factor::Times) => {
                            self.terms.fp(FpOp::Mul, ty, vec![result, operand])
                        }
                        (Sort::Float(ty), Factor::Divided) => {
                            self.terms.fp(FpOp::Div, ty, vec![result, operand])
                        }
                        (_, Factor::Times) => self.terms.int_op(IntOp::Mul, result, operand),
                        (_, Factor::Divided) => self.terms.int_op(IntOp::Div, result, operand),
                    };
                }
                Some(result)
            }
            _ => self.not_a(term.span, Kinds::of(sort)),
        }
    }

    /// The value of a constant of the code.
    fn constant(&mut self, term: &Term, value: ConstantValue, sort: Sort) -> Option<TermId> {
        match (value, sort) {
            (ConstantValue::Bool(value), Sort::Bool) => Some(self.terms.bool(value)),
            (ConstantValue::Int(value), Sort::Int | Sort::Machine(_)) => {
                Some(self.terms.int(value))
            }
            (ConstantValue::Float(value), Sort::Float(ty)) => Some(self.float(value, ty)),
            _ => self.not_a(term.span, Kinds::of(sort)),
        }
    }

    fn float(&mut self, value: f64, ty: FloatType) -> TermId {
        match ty {
            FloatType::Single => self.terms.single(value as f32),
            FloatType::Double => self.terms.double(value),
        }
    }
}
