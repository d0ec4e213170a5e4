//! Terms: names resolved, kinds constrained.

use heapwright_logic::{FloatType, Sort};

use super::Resolver;
use super::classes::primitive;
use super::count;
use super::elaborate::Context;
use super::hir::{Node, Owner, Term};
use super::kind::{Kind, KindId, Variance};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{
    Comparison, ContractKind, Expr, ExprKind, Float, FloatSuffix, Name, function_arity,
};

impl Resolver {
    /// Resolves a term. Errors are reported; the result then has any kind.
    pub(super) fn term<'a>(&mut self, ctx: &mut Context<'_, 'a>, expr: &'a Expr) -> Term {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Null => self.leaf(Node::Null, Kind::Ref(None), span),
            ExprKind::Bool(value) => self.leaf(Node::Bool(*value), Kind::Bool, span),
            ExprKind::Int(value) => self.leaf(Node::Int(*value), Kind::Numeric, span),
            ExprKind::Char(unit) => self.leaf(Node::Int(i128::from(*unit)), Kind::Integer, span),
            ExprKind::Float(value) => self.float(*value, span),
            ExprKind::Wildcard => self.wildcard(ctx, "any", None, span),
            ExprKind::Path(path) => self.path_term(ctx, path, span),
            ExprKind::Old(inner) => self.old_term(ctx, inner, span),
            ExprKind::Call(name, args) if function_arity(&name.text).is_some() => {
                self.function(ctx, name, args, span)
            }
            ExprKind::Not(a) => {
                let a = self.condition(ctx, a);
                self.leaf(Node::Not(Box::new(a)), Kind::Bool, span)
            }
            ExprKind::Negate(a) => {
                let a = self.number(ctx, a);
                let kind = a.kind;
                let node = Node::Negate(Box::new(a));
                Term { node, kind, span }
            }
            ExprKind::Compare(first, rest) => self.compare(ctx, first, rest, span),
            ExprKind::Arithmetic(first, rest) => {
                let first = self.number(ctx, first);
                let kind = first.kind;
                let rest = (rest.iter())
                    .map(|(operator, operand)| {
                        let operand = self.number(ctx, operand);
                        self.demand(operand.span, operand.kind, kind);
                        (*operator, operand)
                    })
                    .collect();
                let node = Node::Arithmetic(Box::new(first), rest);
                Term { node, kind, span }
            }
            ExprKind::Conditional(c, a, b) => self.conditional(ctx, [c, a, b], span),
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.condition(ctx, a), self.condition(ctx, b));
                self.leaf(Node::Implies(Box::new(a), Box::new(b)), Kind::Bool, span)
            }
            ExprKind::And(list) => {
                let list = list.iter().map(|a| self.condition(ctx, a)).collect();
                self.leaf(Node::And(list), Kind::Bool, span)
            }
            ExprKind::Or(list) => {
                let list = list.iter().map(|a| self.condition(ctx, a)).collect();
                self.leaf(Node::Or(list), Kind::Bool, span)
            }
            ExprKind::Address(inner) => {
                let is_path = matches!(&inner.kind, ExprKind::Path(path) if path.len() > 1);
                let term = self.term(ctx, inner);
                match term.as_local().filter(|_| is_path) {
                    Some(local) => self.addresses.push((local, span)),
                    None => self.no_address(span),
                }
                term
            }
            ExprKind::Part(arguments) => {
                for argument in arguments {
                    self.term(ctx, &argument.value);
                }
                let message = "fields in parentheses can only be the value of a field";
                let diagnostic = Diagnostic::error(span, message)
                    .with_expected("`x -> item(link: (next: n, prev: p))`");
                self.sink.push(diagnostic);
                self.error(span)
            }
            ExprKind::Emp
            | ExprKind::Call(..)
            | ExprKind::PointsTo(..)
            | ExprKind::Exists(..)
            | ExprKind::Star(_) => {
                let message = "a part of the heap cannot be used as a value";
                let help = "put pure conditions behind the heap, after `&`: `p(x) * q(y) & n = m`";
                let diagnostic = Diagnostic::error(span, message)
                    .with_expected("a value")
                    .with_help(help);
                self.sink.push(diagnostic);
                self.error(span)
            }
            ExprKind::Error => self.error(span),
        }
    }

    fn leaf(&mut self, node: Node, kind: Kind, span: Span) -> Term {
        let kind = self.kinds.fresh(kind, Variance::Narrow);
        Term { node, kind, span }
    }

    fn error(&mut self, span: Span) -> Term {
        self.leaf(Node::Error, Kind::Unknown, span)
    }

    fn float(&mut self, value: Float, span: Span) -> Term {
        let kind = match value.suffix {
            FloatSuffix::None => Kind::Floating,
            FloatSuffix::Single => Kind::Float(FloatType::Single),
            FloatSuffix::Double => Kind::Float(FloatType::Double),
        };
        self.leaf(Node::Float(value), kind, span)
    }

    fn path_term(&mut self, ctx: &mut Context<'_, '_>, path: &[Name], span: Span) -> Term {
        if let [name] = path
            && let Some(value) = special_value(&name.text)
        {
            return self.float(value, span);
        }
        if let Some(constant) = self.constant(ctx, path, span) {
            return constant;
        }
        match self.path(ctx, path, span) {
            Some(local) => self.local_term(local, span),
            None => self.error(span),
        }
    }

    fn old_term<'a>(&mut self, ctx: &mut Context<'_, 'a>, inner: &'a Expr, span: Span) -> Term {
        let allowed = matches!(&ctx.body.owner,
            Owner::Contract(header) if header.kind == ContractKind::Post);
        if !allowed {
            let message = "`old` has a meaning in postconditions only";
            self.sink.push(Diagnostic::error(span, message));
        }
        let outside = std::mem::replace(&mut ctx.old, true);
        let term = self.term(ctx, inner);
        ctx.old = outside;
        term
    }

    fn condition<'a>(&mut self, ctx: &mut Context<'_, 'a>, expr: &'a Expr) -> Term {
        self.operand(ctx, expr, Kind::Bool)
    }

    fn number<'a>(&mut self, ctx: &mut Context<'_, 'a>, expr: &'a Expr) -> Term {
        self.operand(ctx, expr, Kind::Numeric)
    }

    /// A term that must be of a kind.
    fn operand<'a>(&mut self, ctx: &mut Context<'_, 'a>, expr: &'a Expr, kind: Kind) -> Term {
        let term = self.term(ctx, expr);
        let expected = self.kinds.fresh(kind, Variance::Narrow);
        self.demand(term.span, term.kind, expected);
        term
    }

    fn compare<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        first: &'a Expr,
        rest: &'a [(Comparison, Expr)],
        span: Span,
    ) -> Term {
        let first = self.term(ctx, first);
        let mut before = (first.span, first.kind);
        let mut operands = Vec::with_capacity(rest.len());
        for (comparison, operand) in rest {
            let operand = self.term(ctx, operand);
            let ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
            let mut fits = true;
            if ordered {
                for (span, kind) in [before, (operand.span, operand.kind)] {
                    let number = self.kinds.fresh(Kind::Numeric, Variance::Narrow);
                    fits &= self.demand(span, kind, number);
                }
            }
            if fits {
                self.demand(operand.span, operand.kind, before.1);
            }
            before = (operand.span, operand.kind);
            operands.push((*comparison, operand));
        }
        self.leaf(Node::Compare(Box::new(first), operands), Kind::Bool, span)
    }

    fn conditional<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        [condition, then, otherwise]: [&'a Expr; 3],
        span: Span,
    ) -> Term {
        let condition = self.condition(ctx, condition);
        let (then, otherwise) = (self.term(ctx, then), self.term(ctx, otherwise));
        self.demand(otherwise.span, otherwise.kind, then.kind);
        let kind = then.kind;
        let node = Node::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Term { node, kind, span }
    }

    fn function<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        name: &Name,
        args: &'a [Expr],
        span: Span,
    ) -> Term {
        let arity = function_arity(&name.text).unwrap_or(0);
        if args.len() != arity {
            let message = format!(
                "function `{}` takes {}, but {} given",
                name.text,
                count(arity, "argument"),
                if args.len() == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{} are", args.len())
                }
            );
            let expected = count(arity, "argument");
            let diagnostic = Diagnostic::error(span, message).with_expected(expected);
            self.sink.push(diagnostic);
            return self.error(span);
        }
        if let ("ite", [condition, then, otherwise]) = (name.text.as_str(), args) {
            return self.conditional(ctx, [condition, then, otherwise], span);
        }
        let terms: Vec<Term> = args.iter().map(|arg| self.term(ctx, arg)).collect();
        let kind = self.function_kind(&name.text, &terms);
        let node = Node::Function(name.text.clone(), terms);
        Term { node, kind, span }
    }

    /// Constrains the arguments of a function and says of what kind its result is.
    fn function_kind(&mut self, name: &str, args: &[Term]) -> KindId {
        let (argument, result) = match name {
            "min" | "max" | "abs" => (Kind::Numeric, None),
            "sqrt" => (Kind::Floating, None),
            "isnan" => (Kind::Floating, Some(Kind::Bool)),
            "same" => (Kind::Unknown, Some(Kind::Bool)),
            "bits" => (Kind::Floating, Some(Kind::Integer)),
            "frombits" => (Kind::Integer, Some(Kind::Floating)),
            "bitand" | "bitor" | "bitxor" | "shl" | "shr" => (Kind::Integer, Some(Kind::Integer)),
            _ => {
                let sort = primitive(name).unwrap_or(Sort::Int);
                (Kind::Numeric, Some(Kind::of(sort)))
            }
        };
        // All arguments are of one kind.
        let argument = self.kinds.fresh(argument, Variance::Narrow);
        for term in args {
            self.demand(term.span, term.kind, argument);
        }
        match result {
            Some(kind) => self.kinds.fresh(kind, Variance::Narrow),
            None => argument,
        }
    }
}

/// The floating-point values that no literal can spell.
fn special_value(name: &str) -> Option<Float> {
    let (value, suffix) = match name {
        "NaN" => (f64::NAN, FloatSuffix::None),
        "NaNf" => (f64::NAN, FloatSuffix::Single),
        "Infinity" => (f64::INFINITY, FloatSuffix::None),
        "Infinityf" => (f64::INFINITY, FloatSuffix::Single),
        _ => return None,
    };
    Some(Float { value, suffix })
}
