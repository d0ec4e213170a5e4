//! Properties of the reader that hold for all texts and trees.

mod common;

use heapwright_spec::diagnostic::{FileId, SourceMap, Span, Style};
use heapwright_spec::printer::{print_file, print_formula};
use heapwright_spec::syntax::ast::{
    Binder, Check, ClassRenaming, Comparison, Contract, ContractKind, Data, Declaration, Expr,
    ExprKind, FieldArgument, FieldDeclaration, FieldRenaming, File, Float, FloatSuffix, Import,
    ImportTarget, Location, Name, Operator, Predicate,
};
use heapwright_spec::syntax::{parse_file, parse_formula};
use heapwright_spec::{Environment, Source, no_imports, read_formula, read_specification};
use proptest::prelude::*;

fn span() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn name(text: String) -> Name {
    let span = span();
    Name { text, span }
}

fn expr(kind: ExprKind) -> Expr {
    let span = span();
    Expr { kind, span }
}

fn any_name() -> impl Strategy<Value = Name> {
    let word = "[a-z$][A-Za-z0-9_$']{0,3}".prop_filter("reserved", |text| {
        !heapwright_spec::syntax::is_reserved(text)
            && heapwright_spec::syntax::ast::function_arity(text).is_none()
    });
    word.prop_map(name)
}

fn class_name() -> impl Strategy<Value = Name> {
    prop_oneof!["[A-Z][a-z]{0,2}", "[a-z]\\.[A-Z]\\$[A-Z]"].prop_map(name)
}

fn binder() -> impl Strategy<Value = Binder> {
    let ty = prop_oneof![class_name(), Just(name("int".to_owned()))];
    (any_name(), prop::option::of(ty)).prop_map(|(name, ty)| Binder { name, ty })
}

fn float() -> impl Strategy<Value = ExprKind> {
    (0.0f64..1e300, 0..3).prop_map(|(value, suffix)| {
        ExprKind::Float(match suffix {
            0 => Float {
                value,
                suffix: FloatSuffix::None,
            },
            1 => Float {
                value,
                suffix: FloatSuffix::Double,
            },
            _ => {
                let value = f64::from((value % 1e6) as f32);
                Float {
                    value,
                    suffix: FloatSuffix::Single,
                }
            }
        })
    })
}

/// Numbers, references and truth values.
fn term() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        Just(ExprKind::Null),
        (0i128..=i128::MAX).prop_map(ExprKind::Int),
        any::<u16>().prop_map(ExprKind::Char),
        float(),
        Just(ExprKind::Wildcard),
        prop::collection::vec(any_name(), 1..4).prop_map(ExprKind::Path),
    ];
    let operator = |product: bool| match product {
        true => prop_oneof![
            Just(Operator::Multiply),
            Just(Operator::Divide),
            Just(Operator::Remainder)
        ]
        .boxed(),
        false => prop_oneof![Just(Operator::Add), Just(Operator::Subtract)].boxed(),
    };
    leaf.prop_map(expr)
        .prop_recursive(4, 24, 4, move |inner| {
            let chain = |product| {
                let rest = prop::collection::vec((operator(product), inner.clone()), 1..3);
                (inner.clone(), rest)
                    .prop_map(|(first, rest)| ExprKind::Arithmetic(Box::new(first), rest))
            };
            let three = (inner.clone(), inner.clone(), inner.clone());
            prop_oneof![
                chain(true),
                chain(false),
                inner.clone().prop_map(|a| ExprKind::Negate(Box::new(a))),
                inner.clone().prop_map(|a| ExprKind::Old(Box::new(a))),
                (inner.clone(), inner.clone())
                    .prop_map(|(a, b)| ExprKind::Call(name("min".to_owned()), vec![a, b])),
                three.prop_map(|(c, a, b)| {
                    ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b))
                }),
            ]
            .prop_map(expr)
        })
        .boxed()
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![
        Just(Comparison::Equal),
        Just(Comparison::NotEqual),
        Just(Comparison::Less),
        Just(Comparison::LessEqual),
        Just(Comparison::Greater),
        Just(Comparison::GreaterEqual),
    ]
}

fn formula() -> BoxedStrategy<Expr> {
    let argument = (prop::option::of(any_name()), term())
        .prop_map(|(field, value)| FieldArgument { field, value });
    let compare = (term(), prop::collection::vec((comparison(), term()), 1..3))
        .prop_map(|(first, rest)| ExprKind::Compare(Box::new(first), rest));
    let points_to = (term(), class_name(), prop::collection::vec(argument, 0..4))
        .prop_map(|(source, class, fields)| ExprKind::PointsTo(Box::new(source), class, fields));
    let call = (any_name(), prop::collection::vec(term(), 0..4))
        .prop_map(|(predicate, args)| ExprKind::Call(predicate, args));
    let leaf = prop_oneof![
        Just(ExprKind::Emp),
        any::<bool>().prop_map(ExprKind::Bool),
        compare,
        points_to,
        call
    ];
    leaf.prop_map(expr)
        .prop_recursive(4, 24, 4, |inner| {
            let list = || prop::collection::vec(inner.clone(), 2..4);
            let pair = (inner.clone(), inner.clone());
            prop_oneof![
                list().prop_map(ExprKind::And),
                list().prop_map(ExprKind::Or),
                list().prop_map(ExprKind::Star),
                inner.clone().prop_map(|a| ExprKind::Not(Box::new(a))),
                pair.prop_map(|(a, b)| ExprKind::Implies(Box::new(a), Box::new(b))),
                (prop::collection::vec(binder(), 1..3), inner.clone())
                    .prop_map(|(binders, body)| ExprKind::Exists(binders, Box::new(body))),
            ]
            .prop_map(expr)
        })
        .boxed()
}

fn declaration() -> impl Strategy<Value = Declaration> {
    let params = || prop::collection::vec(binder(), 0..3);
    let target = prop_oneof![
        "[a-z./]{1,8}".prop_map(ImportTarget::File),
        "[a-z]{1,3}\\.[a-z]{1,3}".prop_map(ImportTarget::Module)
    ];
    let renaming = (
        any_name(),
        prop::collection::vec(any_name(), 1..3),
        prop::option::of((formula(), formula())),
    )
        .prop_map(|(field, to, values)| FieldRenaming {
            field,
            to,
            values: values.map(Box::new),
        });
    let classes = (
        class_name(),
        class_name(),
        prop::collection::vec(renaming, 0..3),
    )
        .prop_map(|(class, to, fields)| ClassRenaming { class, to, fields });
    let import = (
        target,
        prop::option::of(any_name()),
        prop::collection::vec(classes, 0..3),
    )
        .prop_map(|(target, name, classes)| {
            Declaration::Import(Import {
                target,
                name,
                classes,
                span: Location(span()),
            })
        });
    let field = (class_name(), any_name()).prop_map(|(ty, name)| FieldDeclaration { ty, name });
    let data = (
        class_name(),
        prop::option::of(class_name()),
        prop::collection::vec(field, 0..4),
    )
        .prop_map(|(name, superclass, fields)| {
            Declaration::Data(Data {
                name,
                superclass,
                fields,
            })
        });
    let predicate = (any_name(), params(), formula())
        .prop_map(|(name, params, body)| Declaration::Predicate(Predicate { name, params, body }));
    let head = (prop::option::of(class_name()), any_name(), params());
    let contract = (
        any::<bool>(),
        head,
        prop::option::of(class_name()),
        formula(),
    )
        .prop_map(|(before, (class, method, params), throws, body)| {
            let kind = if before {
                ContractKind::Pre
            } else {
                ContractKind::Post
            };
            let throws = throws.filter(|_| !before);
            Declaration::Contract(Contract {
                kind,
                class,
                method,
                params,
                throws,
                body,
            })
        });
    let check = (prop::option::of(any_name()), formula()).prop_map(|(name, body)| {
        let span = Location(span());
        Declaration::Check(Check { name, body, span })
    });
    prop_oneof![import, data, predicate, contract, check]
}

/// Words and signs, glued together in any order.
fn token_soup() -> impl Strategy<Value = String> {
    let pieces = [
        "data", "pred", "pre", "post", "import", "check", "exists", "emp", "true", "null", "old",
        "result", "this", "extends", "throws", "Node", "value", "next", "x", "y", "list", "int",
        "min", "ite", "_", "0", "17", "1.5f", "'a'", "\"f.sl\"", ";", ";", ",", ".", "#", "(", "(",
        ")", ")", "{", "}", "->", "*", "&", "|", "!", "=>", "=", ":=", ":=", "!=", "<", "<=", "+",
        "-", "/", "%", "?", ":", "∃", "↦", "\\", "'", "\"", "/*", "*/", "\n", "é", "\u{0}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60)
        .prop_map(|list| list.join(" "))
}

fn check_total(text: &str) -> Result<(), TestCaseError> {
    let prelude = "data Node { int value; Node next; }\n\
                   pred list(x) := emp & x = null | exists n. x -> Node(_, n) * list(n);\n";
    for text in [text.to_owned(), format!("{prelude}{text}")] {
        let source = Source {
            name: "soup.sl".to_owned(),
            text,
        };
        let read = read_specification(source, Environment::default(), &mut no_imports);
        if let Err(error) = read {
            prop_assert!(error.diagnostics().iter().any(|d| d.is_error()));
            prop_assert!(!error.render(Style::Coloured).is_empty());
        }
    }
    if let Err(error) = read_formula(text, Environment::default(), &[]) {
        prop_assert!(error.diagnostics().iter().any(|d| d.is_error()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn printed_files_parse_back(declarations in prop::collection::vec(declaration(), 0..4)) {
        let file = File { declarations };
        let text = print_file(&file);
        let parsed = parse_file(FileId(0), &text);
        prop_assert!(parsed.diagnostics.is_empty(), "{text}\n{:?}", parsed.diagnostics);
        prop_assert_eq!(parsed.file, file, "{}", text);
    }

    #[test]
    fn printed_formulas_parse_back(formula in formula()) {
        let text = print_formula(&formula);
        let (parsed, diagnostics) = parse_formula(FileId(0), &text);
        prop_assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
        prop_assert_eq!(parsed, formula, "{}", text);
    }

    #[test]
    fn token_soup_gives_a_specification_or_a_diagnostic(text in token_soup()) {
        check_total(&text)?;
    }

    #[test]
    fn random_trees_give_a_specification_or_a_diagnostic(
        declarations in prop::collection::vec(declaration(), 0..4)
    ) {
        check_total(&print_file(&File { declarations }))?;
    }

    #[test]
    fn any_text_gives_a_specification_or_a_diagnostic(text in any::<String>()) {
        check_total(&text)?;
    }
}

#[test]
fn data_files_print_and_parse_back() {
    for folder in ["ok", "err"] {
        for path in common::data_files(folder) {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut sources = SourceMap::new();
            let file = sources.add("original", text);
            let parsed = parse_file(file, sources.text(file));
            if !parsed.diagnostics.is_empty() {
                continue;
            }
            let printed = print_file(&parsed.file);
            let again = parse_file(FileId(1), &printed);
            assert!(again.diagnostics.is_empty(), "{printed}");
            assert_eq!(again.file, parsed.file, "{}", path.display());
        }
    }
}
