//! Syntax trees as text, in plain ASCII.
//!
//! Parsing what is printed gives the same tree. That holds for every tree that the parser can
//! make; a `*` between heaps whose left side is a bare number or name is not one of them.

use std::fmt::Write;

use crate::syntax::ast::{
    Binder, Check, Comparison, Contract, ContractKind, Data, Declaration, Expr, ExprKind,
    FieldArgument, File, Float, FloatSuffix, Import, ImportTarget, Name, Operator, Predicate,
};
use crate::syntax::print_character;

/// Binding strength, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    Implication,
    Disjunction,
    Quantifier,
    Conjunction,
    Separation,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// A whole file, one declaration after the other.
pub fn print_file(file: &File) -> String {
    let declarations: Vec<_> = file.declarations.iter().map(print_declaration).collect();
    declarations.join("\n")
}

/// A declaration, ending in a newline.
pub fn print_declaration(declaration: &Declaration) -> String {
    match declaration {
        Declaration::Import(import) => print_import(import),
        Declaration::Data(data) => print_data(data),
        Declaration::Predicate(Predicate { name, params, body }) => {
            let head = format!("pred {}({})", name.text, binders(params));
            definition(&head, body)
        }
        Declaration::Contract(contract) => print_contract(contract),
        Declaration::Check(Check { name, body, .. }) => match name {
            Some(name) => definition(&format!("check {}", name.text), body),
            None => format!("check {};\n", print_formula(body)),
        },
    }
}

fn print_import(import: &Import) -> String {
    let target = match &import.target {
        ImportTarget::File(path) => format!("\"{path}\""),
        ImportTarget::Module(module) => module.clone(),
    };
    let name = import.name.as_ref();
    let name = name.map_or(String::new(), |name| format!(" as {}", name.text));
    let classes = import.classes.iter().map(|renaming| {
        let fields = renaming.fields.iter().map(|field| {
            let to = field.to.iter().map(|name| name.text.as_str());
            let to = to.collect::<Vec<_>>().join(".");
            let values = field.values.as_ref().map_or(String::new(), |values| {
                let (holds, fails) = (print_formula(&values.0), print_formula(&values.1));
                format!("(true: {holds}, false: {fails})")
            });
            format!("{}: {to}{values}", field.field.text)
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        format!("{} = {}({fields})", renaming.class.text, renaming.to.text)
    });
    let classes = classes.collect::<Vec<_>>().join(", ");
    let classes = match classes.is_empty() {
        true => classes,
        false => format!(" with {classes}"),
    };
    format!("import {target}{name}{classes};\n")
}

/// A formula or term.
pub fn print_formula(formula: &Expr) -> String {
    let mut out = String::new();
    expr(&mut out, formula, Level::Conditional);
    out
}

fn print_data(data: &Data) -> String {
    let mut out = format!("data {}", data.name.text);
    if let Some(superclass) = &data.superclass {
        let _ = write!(out, " extends {}", superclass.text);
    }
    out.push_str(" {\n");
    for field in &data.fields {
        let _ = writeln!(out, "  {} {};", field.ty.text, field.name.text);
    }
    out.push_str("}\n");
    out
}

fn print_contract(contract: &Contract) -> String {
    let mut head = match contract.kind {
        ContractKind::Pre => "pre ".to_owned(),
        ContractKind::Post => "post ".to_owned(),
    };
    if let Some(class) = &contract.class {
        let _ = write!(head, "{}#", class.text);
    }
    let params = binders(&contract.params);
    let _ = write!(head, "{}({params})", contract.method.text);
    if let Some(exception) = &contract.throws {
        let _ = write!(head, " throws {}", exception.text);
    }
    definition(&head, &contract.body)
}

/// Alternatives stand on lines of their own.
fn definition(head: &str, body: &Expr) -> String {
    let mut out = format!("{head} :=\n    ");
    match &body.kind {
        ExprKind::Or(list) => separated(&mut out, list, "\n  | ", Level::Quantifier),
        _ => expr(&mut out, body, Level::Conditional),
    }
    out.push_str(";\n");
    out
}

fn binders(binders: &[Binder]) -> String {
    let list: Vec<_> = (binders.iter())
        .map(|binder| match &binder.ty {
            Some(ty) => format!("{}: {}", binder.name.text, ty.text),
            None => binder.name.text.clone(),
        })
        .collect();
    list.join(", ")
}

/// Prints an expression, in parentheses if it binds weaker than its context wants.
fn expr(out: &mut String, expression: &Expr, context: Level) {
    let parentheses = level(expression) < context;
    if parentheses {
        out.push('(');
    }
    bare(out, expression);
    if parentheses {
        out.push(')');
    }
}

fn level(expression: &Expr) -> Level {
    match &expression.kind {
        ExprKind::Conditional(..) => Level::Conditional,
        ExprKind::Implies(..) => Level::Implication,
        ExprKind::Or(_) => Level::Disjunction,
        ExprKind::Exists(..) => Level::Quantifier,
        ExprKind::And(_) => Level::Conjunction,
        ExprKind::Star(_) => Level::Separation,
        ExprKind::Compare(..) | ExprKind::PointsTo(..) => Level::Comparison,
        ExprKind::Arithmetic(_, rest) => match rest.first() {
            Some((Operator::Add | Operator::Subtract, _)) => Level::Sum,
            _ => Level::Product,
        },
        ExprKind::Not(_) | ExprKind::Negate(_) | ExprKind::Address(_) => Level::Unary,
        _ => Level::Atom,
    }
}

fn bare(out: &mut String, expression: &Expr) {
    match &expression.kind {
        ExprKind::Emp => out.push_str("emp"),
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Null => out.push_str("null"),
        ExprKind::Int(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Char(unit) => out.push_str(&print_character(*unit)),
        ExprKind::Float(value) => float(out, *value),
        ExprKind::Wildcard => out.push('_'),
        ExprKind::Path(path) => {
            let names: Vec<_> = path.iter().map(|name| name.text.as_str()).collect();
            out.push_str(&names.join("."));
        }
        ExprKind::Old(inner) => {
            out.push_str("old(");
            expr(out, inner, Level::Conditional);
            out.push(')');
        }
        ExprKind::Call(name, args) => {
            out.push_str(&name.text);
            out.push('(');
            separated(out, args, ", ", Level::Conditional);
            out.push(')');
        }
        ExprKind::PointsTo(source, class, arguments) => points_to(out, source, class, arguments),
        ExprKind::Part(arguments) => fields(out, arguments),
        ExprKind::Address(a) => {
            out.push('&');
            expr(out, a, Level::Unary);
        }
        ExprKind::Exists(names, body) => {
            let _ = write!(out, "exists {}. ", binders(names));
            expr(out, body, Level::Quantifier);
        }
        ExprKind::Not(a) => {
            out.push('!');
            expr(out, a, Level::Unary);
        }
        ExprKind::Negate(a) => {
            out.push('-');
            expr(out, a, Level::Unary);
        }
        ExprKind::Compare(first, rest) => {
            expr(out, first, Level::Sum);
            for (comparison, operand) in rest {
                let _ = write!(out, " {} ", comparison_sign(*comparison));
                expr(out, operand, Level::Sum);
            }
        }
        ExprKind::Arithmetic(first, rest) => arithmetic(out, level(expression), first, rest),
        ExprKind::Conditional(condition, then, otherwise) => {
            expr(out, condition, Level::Implication);
            out.push_str(" ? ");
            expr(out, then, Level::Conditional);
            out.push_str(" : ");
            expr(out, otherwise, Level::Conditional);
        }
        ExprKind::Implies(a, b) => {
            expr(out, a, Level::Disjunction);
            out.push_str(" => ");
            expr(out, b, Level::Implication);
        }
        ExprKind::Or(list) => separated(out, list, " | ", Level::Quantifier),
        ExprKind::And(list) => separated(out, list, " & ", Level::Separation),
        ExprKind::Star(list) => star(out, list),
        ExprKind::Error => out.push_str("/* error */ false"),
    }
}

fn separated(out: &mut String, list: &[Expr], separator: &str, context: Level) {
    for (index, operand) in list.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        expr(out, operand, context);
    }
}

/// A comparison before a `*` would take the `*` for a multiplication.
fn star(out: &mut String, list: &[Expr]) {
    for (index, operand) in list.iter().enumerate() {
        if index > 0 {
            out.push_str(" * ");
        }
        let context = match operand.kind {
            ExprKind::Compare(..) | ExprKind::Arithmetic(..) => Level::Atom,
            _ => Level::Comparison,
        };
        expr(out, operand, context);
    }
}

fn arithmetic(out: &mut String, own: Level, first: &Expr, rest: &[(Operator, Expr)]) {
    let operand = if own == Level::Sum {
        Level::Product
    } else {
        Level::Unary
    };
    expr(out, first, operand);
    for (operator, right) in rest {
        let sign = match operator {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
        };
        let _ = write!(out, " {sign} ");
        expr(out, right, operand);
    }
}

fn points_to(out: &mut String, source: &Expr, class: &Name, arguments: &[FieldArgument]) {
    expr(out, source, Level::Sum);
    let _ = write!(out, " -> {}", class.text);
    fields(out, arguments);
}

/// The contents of a cell.
fn fields(out: &mut String, arguments: &[FieldArgument]) {
    out.push('(');
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if let Some(field) = &argument.field {
            let _ = write!(out, "{}: ", field.text);
        }
        expr(out, &argument.value, Level::Conditional);
    }
    out.push(')');
}

fn comparison_sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

fn float(out: &mut String, literal: Float) {
    let _ = match literal.suffix {
        FloatSuffix::None => write!(out, "{:?}", literal.value),
        // The shortest form that gives this single is not that of the same double.
        FloatSuffix::Single => write!(out, "{:?}f", literal.value as f32),
        FloatSuffix::Double => write!(out, "{:?}d", literal.value),
    };
}
