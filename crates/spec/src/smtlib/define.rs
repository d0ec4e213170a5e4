//! Definitions: recursive predicates, and functions that are replaced by their bodies.

use heapwright_logic::{PredId, Predicate, SymbolicHeap, VarId};

use super::branch::Branch;
use super::problem::ProblemKind;
use super::reader::{Function, Meaning, Reader, Symbol};
use super::sexpr::Expr;
use super::sort::SmtSort;
use crate::diagnostic::Span;

/// A recursive predicate whose body is still to be read.
struct Signature<'a> {
    name: &'a str,
    predicate: PredId,
    params: Vec<(&'a str, VarId, SmtSort)>,
}

impl<'a> Reader<'a> {
    /// `(define-fun-rec name ((x Sort) ...) Bool body)`
    pub fn define_fun_rec(&mut self, args: &[Expr<'a>], span: Span) -> Option<()> {
        let [name, params, sort, body] = args else {
            let expected = "a name, parameters, a sort and a body".to_owned();
            return self.arity(span, "define-fun-rec", expected, args.len());
        };
        let signature = self.signature(name, params, sort);
        let Some(signature) = signature else {
            return self.broken(name);
        };
        self.body(&signature, body)
    }

    /// Remembers a name whose definition was rejected.
    pub fn broken<T>(&mut self, name: &Expr<'a>) -> Option<T> {
        if let Some(name) = name.symbol()
            && self.symbols.get(name).is_none()
        {
            self.symbols.bind(name, Symbol::Broken);
        }
        None
    }

    /// `(define-funs-rec ((name ((x Sort) ...) Bool) ...) (body ...))`
    pub fn define_funs_rec(&mut self, args: &[Expr<'a>], span: Span) -> Option<()> {
        let [signatures, bodies] = args else {
            let expected = "signatures and bodies".to_owned();
            return self.arity(span, "define-funs-rec", expected, args.len());
        };
        let (Some(signature_list), Some(body_list)) = (signatures.list(), bodies.list()) else {
            let wrong = if signatures.list().is_none() {
                signatures
            } else {
                bodies
            };
            return self.expected(wrong, "a list");
        };
        if signature_list.len() != body_list.len() {
            let expected = format!("{} bodies for its signatures", signature_list.len());
            return self.arity(bodies.span, "define-funs-rec", expected, body_list.len());
        }
        // All names first: the predicates may refer to each other.
        let mut resolved = Vec::with_capacity(signature_list.len());
        for signature in signature_list {
            resolved.push(match signature.list() {
                Some([name, params, sort]) => match self.signature(name, params, sort) {
                    None => self.broken(name),
                    signature => signature,
                },
                _ => self.expected(signature, "`(name ((parameter Sort) ...) Sort)`"),
            });
        }
        for (signature, body) in resolved.iter().zip(body_list) {
            if let Some(signature) = signature {
                self.body(signature, body);
            }
        }
        Some(())
    }

    fn signature(
        &mut self,
        name: &Expr<'a>,
        params: &Expr<'a>,
        sort: &Expr<'a>,
    ) -> Option<Signature<'a>> {
        let Some(symbol) = name.symbol() else {
            return self.expected(name, "the name of a predicate");
        };
        let mark = self.symbols.mark();
        let variables = self.bind_parameters(params);
        self.symbols.undo(mark);
        let result = self.sort(sort)?;
        if result != SmtSort::Bool {
            let what = format!(
                "a recursive function whose value is {}",
                self.term_of(result)
            );
            let help = "only predicates may be recursive";
            return self.unsupported(sort.span, what, Some(help));
        }
        let variables = variables?;
        let predicate = self.add_predicate(symbol, &variables, Vec::new());
        let sorts = variables.iter().map(|&(_, sort)| sort).collect();
        self.bind_symbol(symbol, Symbol::Predicate(predicate, sorts), name.span)?;
        let names = (params.list()?.iter()).filter_map(|param| param.list()?.first()?.symbol());
        let params = (names.zip(variables))
            .map(|(name, (variable, sort))| (name, variable, sort))
            .collect();
        Some(Signature {
            name: symbol,
            predicate,
            params,
        })
    }

    fn body(&mut self, signature: &Signature<'a>, body: &Expr<'a>) -> Option<()> {
        let mark = self.symbols.mark();
        for &(name, variable, sort) in &signature.params {
            self.symbols.bind(name, Symbol::Variable(variable, sort));
        }
        let branches = self.formula(body);
        self.symbols.undo(mark);
        let params: Vec<_> = signature.params.iter().map(|&(_, id, _)| id).collect();
        let disjuncts = self.closed(signature.name, &params, branches?, body.span)?;
        self.definitions
            .predicate_mut(signature.predicate)
            .disjuncts = disjuncts;
        Some(())
    }

    /// `(define-fun name ((x Sort) ...) Sort body)`: a predicate if it speaks about the heap,
    /// otherwise a function that is replaced by its body.
    pub fn define_fun(&mut self, args: &[Expr<'a>], span: Span) -> Option<()> {
        let [name, params, sort, body] = args else {
            let expected = "a name, parameters, a sort and a body".to_owned();
            return self.arity(span, "define-fun", expected, args.len());
        };
        match self.function(name, params, sort, body) {
            None => self.broken(name),
            defined => defined,
        }
    }

    fn function(
        &mut self,
        name: &Expr<'a>,
        params: &Expr<'a>,
        sort: &Expr<'a>,
        body: &Expr<'a>,
    ) -> Option<()> {
        let Some(symbol) = name.symbol() else {
            return self.expected(name, "the name of a function");
        };
        let mark = self.symbols.mark();
        let variables = self.bind_parameters(params);
        let meaning = variables.is_some().then(|| self.meaning(body)).flatten();
        self.symbols.undo(mark);
        let expected = self.sort(sort)?;
        let (variables, meaning) = (variables?, meaning?);
        let defined = match meaning {
            Meaning::Term(term, found) if found.fits(expected) => Symbol::Function(Function {
                params: variables,
                body: term,
                sort: expected,
            }),
            Meaning::Formula(branches) if expected == SmtSort::Bool => {
                let params: Vec<_> = variables.iter().map(|&(id, _)| id).collect();
                let disjuncts = self.closed(symbol, &params, branches, body.span)?;
                let predicate = self.add_predicate(symbol, &variables, disjuncts);
                let sorts = variables.into_iter().map(|(_, sort)| sort).collect();
                Symbol::Predicate(predicate, sorts)
            }
            Meaning::Term(_, found) => return self.wrong_sort(body.span, expected, found),
            Meaning::Formula(_) => return self.wrong_sort(body.span, expected, SmtSort::Bool),
            Meaning::Contents(id, _) => {
                return self.wrong_sort(body.span, expected, SmtSort::Data(id));
            }
        };
        self.bind_symbol(symbol, defined, name.span)
    }

    fn add_predicate(
        &mut self,
        name: &str,
        params: &[(VarId, SmtSort)],
        disjuncts: Vec<SymbolicHeap>,
    ) -> PredId {
        self.definitions.add_predicate(Predicate {
            name: name.to_owned(),
            params: params.iter().map(|&(id, _)| id).collect(),
            disjuncts,
        })
    }

    /// The disjuncts of a predicate, which may mention its parameters only.
    fn closed(
        &mut self,
        predicate: &str,
        params: &[VarId],
        branches: Vec<Branch>,
        span: Span,
    ) -> Option<Vec<SymbolicHeap>> {
        for branch in &branches {
            let free = branch.heap.free_variables(&self.terms);
            if let Some(&variable) = free.iter().find(|variable| !params.contains(variable)) {
                return self.fail(
                    span,
                    ProblemKind::NotClosed {
                        predicate: predicate.to_owned(),
                        constant: self.terms.variable(variable).name.clone(),
                    },
                );
            }
        }
        Some(branches.into_iter().map(|branch| branch.heap).collect())
    }
}
