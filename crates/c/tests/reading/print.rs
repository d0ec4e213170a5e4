//! The tree of a unit as text that is close to C, with all conversions written out.

use std::fmt::Write;

use heapwright_c::ast::{
    BinaryOperator, CType, Expr, ExprKind, Init, Record, Stmt, StmtKind, UnaryOperator, Unit,
    VariableId,
};

/// What the main file declares.
pub fn unit(unit: &Unit) -> String {
    let mut out = String::new();
    for record in unit.records.iter().filter(|record| record.place.file == 0) {
        print_record(unit, record, &mut out);
    }
    for &global in &unit.globals {
        let variable = &unit.variables[global.0 as usize];
        if variable.place.file == 0 {
            let _ = write!(out, "{:?} {}", variable.storage, declared(unit, global));
            out.push('\n');
        }
    }
    for function in unit
        .functions
        .iter()
        .filter(|function| function.place.file == 0)
    {
        let is_static = if function.is_static { "static " } else { "" };
        let params: Vec<String> = function
            .params
            .iter()
            .map(|&param| declared(unit, param))
            .collect();
        let more = if function.signature.variadic {
            ", ..."
        } else {
            ""
        };
        let _ = write!(
            out,
            "{is_static}{} {}({}{more})",
            ty(unit, &function.signature.result),
            function.name,
            params.join(", ")
        );
        match &function.body {
            Some(body) => {
                out.push('\n');
                statement(unit, body, 1, &mut out);
            }
            None => out.push_str(";\n"),
        }
    }
    for (place, text) in &unit.annotations {
        let _ = writeln!(out, "@{}:{} {}", place.line, place.column, text.trim());
    }
    out
}

fn print_record(unit: &Unit, record: &Record, out: &mut String) {
    let kind = if record.is_union { " union" } else { "" };
    let named = if record.is_named { "" } else { " unnamed" };
    let _ = writeln!(
        out,
        "{}{kind}{named}: size {}, align {}",
        record.name, record.size, record.align
    );
    for field in &record.fields {
        let bits = field
            .bits
            .map(|(start, length)| format!(" bits {start}+{length}"));
        let _ = writeln!(
            out,
            "  {}{} {}: {}",
            field.offset,
            bits.unwrap_or_default(),
            if field.name.is_empty() {
                "-"
            } else {
                &field.name
            },
            ty(unit, &field.ty)
        );
    }
}

fn declared(unit: &Unit, id: VariableId) -> String {
    let variable = &unit.variables[id.0 as usize];
    let constant = if variable.is_const { "const " } else { "" };
    let value = variable
        .init
        .as_ref()
        .map(|value| format!(" = {}", init(unit, value)));
    let name = &variable.name;
    format!(
        "{name}: {constant}{}{}",
        ty(unit, &variable.ty),
        value.unwrap_or_default()
    )
}

fn init(unit: &Unit, value: &Init) -> String {
    match value {
        Init::Value(value) => expr(unit, value),
        Init::List(parts) => {
            let parts: Vec<String> = parts
                .iter()
                .map(|(index, part)| format!("{index}: {}", init(unit, part)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

/// A type, read from left to right.
pub fn ty(unit: &Unit, of: &CType) -> String {
    match of {
        CType::Void => "void".to_owned(),
        CType::Bool => "bool".to_owned(),
        CType::Int(int) => format!("{int:?}").to_lowercase(),
        CType::Float(float) => format!("{float:?}").to_lowercase(),
        CType::Pointer(to) => format!("*{}", ty(unit, to)),
        CType::Unaligned(of) => format!("unaligned {}", ty(unit, of)),
        CType::Array(element, Some(length)) => format!("[{length}]{}", ty(unit, element)),
        CType::Array(element, None) => format!("[]{}", ty(unit, element)),
        CType::Record(id) => unit.records[id.0 as usize].name.clone(),
        CType::Function(signature) => {
            let params: Vec<String> = signature
                .params
                .iter()
                .map(|param| ty(unit, param))
                .collect();
            let more = if signature.variadic { ", ..." } else { "" };
            format!(
                "fn({}{more}) {}",
                params.join(", "),
                ty(unit, &signature.result)
            )
        }
        CType::Other(name) => format!("<{name}>"),
    }
}

fn statement(unit: &Unit, stmt: &Stmt, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let mut line = |text: String| {
        let _ = writeln!(out, "{indent}{text}");
    };
    match &stmt.kind {
        StmtKind::Empty => line(";".to_owned()),
        StmtKind::Expr(value) => line(expr(unit, value)),
        StmtKind::Declare(variables) => {
            for &variable in variables {
                line(declared(unit, variable));
            }
        }
        StmtKind::Block(body) => {
            for inner in body {
                statement(unit, inner, depth, out);
            }
        }
        StmtKind::If(condition, yes, no) => {
            line(format!("if {}", expr(unit, condition)));
            statement(unit, yes, depth + 1, out);
            if let Some(no) = no {
                let _ = writeln!(out, "{indent}else");
                statement(unit, no, depth + 1, out);
            }
        }
        StmtKind::While(condition, body) => {
            line(format!("while {}", expr(unit, condition)));
            statement(unit, body, depth + 1, out);
        }
        StmtKind::DoWhile(body, condition) => {
            line("do".to_owned());
            statement(unit, body, depth + 1, out);
            let _ = writeln!(out, "{indent}while {}", expr(unit, condition));
        }
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            let part = |part: &Option<Expr>| part.as_ref().map(|part| expr(unit, part));
            let condition = part(condition).unwrap_or_default();
            line(format!(
                "for {condition}; {}",
                part(step).unwrap_or_default()
            ));
            if let Some(init) = init {
                statement(unit, init, depth + 2, out);
            }
            statement(unit, body, depth + 1, out);
        }
        StmtKind::Switch(value, body) => {
            line(format!("switch {}", expr(unit, value)));
            statement(unit, body, depth + 1, out);
        }
        StmtKind::Case(first, last, body) => {
            line(format!("case {first}..{last}:"));
            statement(unit, body, depth, out);
        }
        StmtKind::Default(body) => {
            line("default:".to_owned());
            statement(unit, body, depth, out);
        }
        StmtKind::Break => line("break".to_owned()),
        StmtKind::Continue => line("continue".to_owned()),
        StmtKind::Return(None) => line("return".to_owned()),
        StmtKind::Return(Some(value)) => line(format!("return {}", expr(unit, value))),
        StmtKind::Goto(label) => line(format!("goto L{}", label.0)),
        StmtKind::Label(label, body) => {
            line(format!("L{}:", label.0));
            statement(unit, body, depth, out);
        }
        StmtKind::Unsupported(what) => line(format!("unsupported: {what}")),
    }
}

/// An expression; `load x` is the value of `x`, and `(T)x` any conversion.
pub fn expr(unit: &Unit, value: &Expr) -> String {
    let of = |value: &Expr| expr(unit, value);
    match &value.kind {
        ExprKind::Int(number) => match value.ty {
            CType::Int(heapwright_logic::IntType::I32) => number.to_string(),
            _ => format!("{number}:{}", ty(unit, &value.ty)),
        },
        ExprKind::Float(bits) => format!("{:?}:{}", f64::from_bits(*bits), ty(unit, &value.ty)),
        ExprKind::String(elements) => format!("string{elements:?}"),
        ExprKind::Variable(id) => unit.variables[id.0 as usize].name.clone(),
        ExprKind::Function(id) => unit.functions[id.0 as usize].name.clone(),
        ExprKind::Deref(pointer) => format!("*{}", of(pointer)),
        ExprKind::Member(inner, record, field) => {
            let field = &unit.records[record.0 as usize].fields[*field as usize];
            let name = if field.name.is_empty() {
                "-"
            } else {
                &field.name
            };
            format!("({}).{name}", of(inner))
        }
        ExprKind::CompoundLiteral(id) => format!("new {}", declared(unit, *id)),
        ExprKind::Load(inner) => format!("load {}", of(inner)),
        ExprKind::Decay(inner) => format!("decay {}", of(inner)),
        ExprKind::Address(inner) => format!("&{}", of(inner)),
        ExprKind::Unary(operator, inner) => {
            let sign = match operator {
                UnaryOperator::Neg => "-",
                UnaryOperator::Complement => "~",
                UnaryOperator::Not => "!",
            };
            format!("{sign}{}", of(inner))
        }
        ExprKind::Binary(operator, a, b) => format!("({} {} {})", of(a), sign(*operator), of(b)),
        ExprKind::LogicalAnd(a, b) => format!("({} && {})", of(a), of(b)),
        ExprKind::LogicalOr(a, b) => format!("({} || {})", of(a), of(b)),
        ExprKind::Conditional(condition, yes, no) => {
            let yes = yes.as_ref().map(|yes| of(yes)).unwrap_or_default();
            format!("({} ? {yes} : {})", of(condition), of(no))
        }
        ExprKind::Comma(a, b) => format!("({}, {})", of(a), of(b)),
        ExprKind::Assign(a, b) => format!("{} = {}", of(a), of(b)),
        ExprKind::AssignOp(operator, a, b, computed) => {
            format!(
                "{} {}= {} in {}",
                of(a),
                sign(*operator),
                of(b),
                ty(unit, computed)
            )
        }
        ExprKind::Step {
            target,
            by,
            is_postfix,
        } => {
            let when = if *is_postfix { "after" } else { "before" };
            format!("step {when} {by} {}", of(target))
        }
        ExprKind::Cast(inner) => format!("({}){}", ty(unit, &value.ty), of(inner)),
        ExprKind::Call(callee, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(of).collect();
            format!("{}({})", of(callee), arguments.join(", "))
        }
        ExprKind::Statements(statements) => {
            let mut text = String::new();
            for inner in statements {
                statement(unit, inner, 0, &mut text);
            }
            format!("({{{}}})", text.trim().replace('\n', "; "))
        }
        ExprKind::Zero => "zero".to_owned(),
        ExprKind::VaArg(list) => format!("va_arg({}, {})", of(list), ty(unit, &value.ty)),
        ExprKind::Unsupported(what) => format!("unsupported[{what}]"),
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Sub => "-",
        BinaryOperator::Mul => "*",
        BinaryOperator::Div => "/",
        BinaryOperator::Rem => "%",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::Shl => "<<",
        BinaryOperator::Shr => ">>",
        BinaryOperator::Lt => "<",
        BinaryOperator::Le => "<=",
        BinaryOperator::Gt => ">",
        BinaryOperator::Ge => ">=",
        BinaryOperator::Eq => "==",
        BinaryOperator::Ne => "!=",
    }
}
