//! Properties of the reader and the printer.

use heapwright_impl::printer::print_file;
use heapwright_impl::syntax::ast::{
    BinaryOp, Expr, ExprKind, File, Name, Parameter, Procedure, Statement, StatementKind, Struct,
    UnaryOp, nowhere,
};
use heapwright_impl::syntax::parse;
use heapwright_impl::{environment_of, read_program};
use heapwright_spec::diagnostic::{FileId, Style};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        Just("tail".to_owned()),
        Just("head".to_owned()),
        Just("cons".to_owned()),
        Just("long".to_owned()),
        Just("größe_2".to_owned()),
    ]
}

fn operator() -> impl Strategy<Value = BinaryOp> {
    prop::sample::select(vec![
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterEqual,
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Remainder,
    ])
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        name().prop_map(Expr::variable),
        (-20i128..20).prop_map(|number| Expr::new(ExprKind::Number(number))),
        any::<bool>().prop_map(|value| Expr::new(ExprKind::Bool(value))),
        Just(Expr::new(ExprKind::Nil)),
        name().prop_map(|class| Expr::new(ExprKind::New(Name::new(class), None))),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let arguments = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            (inner.clone(), name()).prop_map(|(object, field)| Expr::field(object, field)),
            (operator(), inner.clone(), inner.clone())
                .prop_map(|(op, left, right)| Expr::binary(op, left, right)),
            (any::<bool>(), inner).prop_map(|(negate, operand)| {
                let op = if negate {
                    UnaryOp::Negate
                } else {
                    UnaryOp::Not
                };
                Expr::new(ExprKind::Unary(op, Box::new(operand)))
            }),
            (name(), arguments.clone()).prop_map(|(name, arguments)| {
                Expr::new(ExprKind::Call(Name::new(name), arguments))
            }),
            (name(), arguments).prop_map(|(name, arguments)| {
                Expr::new(ExprKind::New(Name::new(name), Some(arguments)))
            }),
        ]
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    let place = prop_oneof![
        name().prop_map(Expr::variable),
        (expr(), name()).prop_map(|(object, field)| Expr::field(object, field)),
    ];
    let leaf = prop_oneof![
        Just(StatementKind::Skip),
        (place, expr()).prop_map(|(place, value)| StatementKind::Assign(place, value)),
        (prop::option::of(name()), name(), prop::option::of(expr())).prop_map(
            |(ty, name, value)| StatementKind::Declare {
                ty: ty.map(Name::new),
                name: Name::new(name),
                value,
            }
        ),
        prop::option::of(expr()).prop_map(StatementKind::Return),
        expr().prop_map(StatementKind::Assert),
        expr().prop_map(StatementKind::Assume),
        expr().prop_map(StatementKind::Free),
        (name(), prop::collection::vec(expr(), 0..3)).prop_map(|(name, arguments)| {
            StatementKind::Call(Expr::new(ExprKind::Call(Name::new(name), arguments)))
        }),
    ];
    let leaf = leaf.prop_map(Statement::new);
    leaf.prop_recursive(4, 30, 4, |inner| {
        let block = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            (expr(), inner.clone(), prop::option::of(inner)).prop_map(
                |(condition, then, otherwise)| Statement::new(StatementKind::If {
                    condition,
                    then: Box::new(closed(then, otherwise.is_some())),
                    otherwise: otherwise.map(Box::new),
                })
            ),
            (expr(), block.clone()).prop_map(|(condition, body)| {
                Statement::new(StatementKind::While(condition, body))
            }),
            block.prop_map(|body| Statement::new(StatementKind::Block(body))),
        ]
    })
}

/// A branch in front of an `else` in the form in which it can be written: the printer puts
/// braces around a conditional that would take the `else` for its own.
fn closed(then: Statement, before_else: bool) -> Statement {
    let is_conditional = matches!(then.kind, StatementKind::If { .. });
    if before_else && is_conditional {
        return Statement::new(StatementKind::Block(vec![then]));
    }
    then
}

fn file() -> impl Strategy<Value = File> {
    let parameter = || {
        (name(), name()).prop_map(|(ty, name)| Parameter {
            ty: Name::new(ty),
            name: Name::new(name),
        })
    };
    let structure =
        (name(), prop::collection::vec(parameter(), 0..3)).prop_map(|(name, fields)| Struct {
            name: Name::new(name),
            fields,
        });
    let procedure = (
        name(),
        prop::collection::vec(parameter(), 0..3),
        prop::option::of(name()),
        prop::collection::vec(statement(), 0..3),
    )
        .prop_map(|(name, params, result, body)| Procedure {
            name: Name::new(name),
            params,
            result: result.map(Name::new),
            body,
            end: nowhere(),
        });
    (
        prop::collection::vec(structure, 0..2),
        prop::collection::vec(procedure, 0..2),
        prop::collection::vec(statement(), 0..4),
    )
        .prop_map(|(structs, procedures, statements)| File {
            structs,
            procedures,
            statements,
        })
}

/// Reads a text; whatever is accepted is well-formed, and whatever is not has a reason.
fn read(text: &str) {
    match read_program("input.impl", text) {
        Ok(read) => {
            if let Err(errors) = heapwright_ir::verify(&read.program) {
                panic!("{errors:?}\n{text}");
            }
            let signatures = environment_of(&read.program).signatures;
            assert_eq!(signatures.len(), read.program.functions.len());
        }
        Err(error) => {
            assert!(error.diagnostics().iter().any(|d| d.is_error()));
            assert!(error.render(Style::Plain).contains("error"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn printed_trees_are_read_back(tree in file()) {
        let text = print_file(&tree);
        let (again, diagnostics) = parse(FileId(0), &text);
        prop_assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
        prop_assert_eq!(&again, &tree, "{}", text);
        prop_assert_eq!(print_file(&again), text);
    }

    #[test]
    fn trees_are_accepted_or_rejected(tree in file()) {
        read(&print_file(&tree));
    }

    #[test]
    fn any_text_is_accepted_or_rejected(text in "\\PC{0,80}") {
        read(&text);
    }

    #[test]
    fn any_sequence_of_words_is_accepted_or_rejected(words in prop::collection::vec(
        prop::sample::select(vec![
            "x", "y", "z", ".", "tail", "head", "cons", ":=", "==", "/=", "+", "-", "*", "<", "&&",
            "||", "!", "(", ")", "{", "}", ";", ",", "if", "then", "else", "while", "new", "nil",
            "skip", "proc", "struct", "returns", "return", "int", "bool", "var", "1", "128",
            "assert", "free", "true", "/*", "//\n", "=", "&",
        ]),
        0..60,
    )) {
        read(&words.join(" "));
    }

    #[test]
    fn sensible_programs_are_accepted_or_rejected(statements in prop::collection::vec(
        prop::sample::select(vec![
            "x := y", "x := x.tail", "y.tail := x", "n := x.head + n", "n := (x == y)",
            "b := n < 3 && x /= nil", "assert b || n", "if b then n := 1 else skip",
            "while (n > 0) { n := n - 1; int k := n; m := k }", "x := new cons(n, x)", "free x",
            "assume !(n == m)", "m := int(b) + n", "l := long(n)", "{ var t := x; y := t }",
            "return", "x.head := l", "b := x",
        ]),
        1..12,
    )) {
        read(&statements.join(";\n"));
    }
}

#[test]
fn deep_and_long_programs_are_no_problem() {
    let deep = [
        format!("x := {}1{};", "(".repeat(10_000), ")".repeat(10_000)),
        format!("x := {}y;", "!".repeat(10_000)),
        format!("x := {}y;", "-".repeat(10_000)),
        format!("x := 1{};", " + 1".repeat(100_000)),
        format!("x := {}1{};", "(1 + ".repeat(390), ")".repeat(390)),
        format!("x := {}1{};", "(".repeat(150), " + 1 + 1)".repeat(150)),
        format!("x := y{};", ".tail".repeat(100_000)),
        format!("{}skip{}", "{".repeat(10_000), "}".repeat(10_000)),
        format!("{}skip", "if x then skip else ".repeat(10_000)),
        format!("{}skip", "if x then ".repeat(395)),
        format!("x := {}1{};", "f(".repeat(10_000), ")".repeat(10_000)),
        "x := y + 1; ".repeat(100_000),
    ];
    for text in deep {
        read(&text);
    }
}
