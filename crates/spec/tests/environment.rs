//! Specifications read against classes, predicates and methods that are known before.

use heapwright_logic::{Class, Field, IntType, Printer, Sort};
use heapwright_spec::diagnostic::Style;
use heapwright_spec::{
    Environment, Signature, Source, SpecError, Specification, no_imports, read_formula,
    read_specification,
};

/// `class java.util.Box { int value; Box next; } ` with `long get(short)`.
fn environment() -> Environment {
    let mut environment = Environment::default();
    let definitions = &mut environment.definitions;
    let class = definitions.add_class(Class {
        name: "java.util.Box".to_owned(),
        fields: Vec::new(),
        superclass: None,
    });
    definitions.class_mut(class).fields = vec![
        Field {
            name: "value".to_owned(),
            sort: Sort::Machine(IntType::I32),
        },
        Field {
            name: "next".to_owned(),
            sort: Sort::Ref(class),
        },
    ];
    environment.signatures.push(Signature {
        class: Some(class),
        has_receiver: true,
        method: "get".to_owned(),
        params: vec![Sort::Machine(IntType::I16)],
        names: vec!["index".to_owned()],
        result: Some(Sort::Machine(IntType::I64)),
    });
    environment
}

fn read(text: &str) -> Result<Specification, SpecError> {
    let source = Source {
        name: "test.sl".to_owned(),
        text: text.to_owned(),
    };
    read_specification(source, environment(), &mut no_imports)
}

fn message(text: &str) -> String {
    read(text).expect_err(text).diagnostics()[0].message.clone()
}

#[test]
fn classes_of_the_code_need_no_declaration() {
    let specification = read("pred p(x) := x -> Box(1, null) | x -> java.util.Box();").unwrap();
    assert!(specification.warnings.is_empty());
}

#[test]
fn a_short_name_in_a_data_declaration_means_the_class_of_the_package() {
    let read = |text: &str| {
        let mut environment = environment();
        environment.packages.push("java.util".to_owned());
        let source = Source {
            name: "test.sl".to_owned(),
            text: text.to_owned(),
        };
        read_specification(source, environment, &mut no_imports)
    };
    let specification = read("data Box { int value; Box next; } pre Box#get(n) := emp;").unwrap();
    let class = specification.contracts[0].class.unwrap();
    assert_eq!(specification.definitions.class(class).name, "java.util.Box");
    let error = read("data Box { int value; }").unwrap_err();
    let message = &error.diagnostics()[0].message;
    assert_eq!(message, "class `java.util.Box` is different in the code");
}

#[test]
fn a_repeated_class_must_agree_with_the_code() {
    assert!(read("data java.util.Box { int value; java.util.Box next; }").is_ok());
    let different = message("data java.util.Box { long value; java.util.Box next; }");
    assert_eq!(different, "class `java.util.Box` is different in the code");
}

#[test]
fn signatures_give_parameters_and_results_their_sorts() {
    let text = "post Box#get(i) := this -> Box(i, null) & result = old(value);";
    let specification = read(text).unwrap();
    let contract = &specification.contracts[0];
    let sort = |variable| specification.terms.variable(variable).sort;
    assert_eq!(sort(contract.params[0]), Sort::Machine(IntType::I16));
    assert_eq!(sort(contract.result.unwrap()), Sort::Machine(IntType::I64));
    assert_eq!(sort(contract.old[0].variable), Sort::Machine(IntType::I32));
    assert_eq!(contract.old[0].path.len(), 1);
}

#[test]
fn a_contract_must_fit_the_method() {
    let wrong = message("pre Box#get(i, j) := emp;");
    assert_eq!(wrong, "no method `get` has 2 parameters");
    let wrong = message("pre Box#get(int i) := emp;");
    assert_eq!(wrong, "no method `get` has 1 parameter of these types");
    assert!(read("pre Box#get(short i) := emp;").is_ok());
}

#[test]
fn formulas_are_read_against_definitions() {
    let text = "pred list(x, n) := emp & x = null & n = 0 \
                | exists y, m. x -> Box(_, y) * list(y, m) & n = m + 1;";
    let specification = read(text).unwrap();
    let environment = Environment {
        terms: specification.terms,
        definitions: specification.definitions,
        signatures: Vec::new(),
        packages: Vec::new(),
        tested: Vec::new(),
        statics: Vec::new(),
        aliases: Vec::new(),
    };
    let variables = [("len".to_owned(), Sort::Machine(IntType::I8))];
    let formula = "list(a, len) * b -> Box(v, c) & len > v";
    let (environment, query) = read_formula(formula, environment, &variables).unwrap();
    let sorts: Vec<_> = (query.variables.iter())
        .map(|&variable| environment.terms.variable(variable).clone())
        .map(|variable| (variable.name, variable.sort))
        .collect();
    let class = environment
        .definitions
        .class_named("java.util.Box")
        .unwrap();
    let expected = [
        ("len", Sort::Machine(IntType::I8)),
        ("a", Sort::Ref(class)),
        ("b", Sort::Ref(class)),
        ("v", Sort::Machine(IntType::I32)),
        ("c", Sort::Ref(class)),
    ];
    assert_eq!(sorts, expected.map(|(name, sort)| (name.to_owned(), sort)));
    // What logic prints is read back as the same formula.
    let mut printer = Printer::new(&environment.terms, &environment.definitions);
    let printed = printer.formula(&query.formula);
    let (again, reread) = read_formula(&printed, environment, &variables).unwrap();
    let mut printer = Printer::new(&again.terms, &again.definitions);
    assert_eq!(printer.formula(&reread.formula), printed);

    let error = read_formula("list(a)", again, &[]).unwrap_err();
    assert!(error.render(Style::Plain).contains("<formula>:1:1"));
}
