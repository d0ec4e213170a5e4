//! The StarFinder reader on small files: what comes out, and what is reported.

mod smtlib_support;

use std::fmt::Write;

use heapwright_logic::{Class, ClassId, Definitions, Field, IntType, Printer, Sort};
use heapwright_logic::{Formula, display_sort};
use heapwright_spec::diagnostic::render_all;
use heapwright_spec::starfinder::{self, PredicateFile};
use heapwright_spec::{
    ConstantValue, Environment, Signature, Source, Specification, StaticAccess, StaticField,
    no_imports, read_specification,
};
use smtlib_support::{check_folder, show_definitions};

fn show(file: &PredicateFile) -> String {
    let mut printer = Printer::new(&file.terms, &file.definitions);
    let mut out = show_definitions(&file.definitions, &mut printer);
    for precondition in &file.preconditions {
        let names: Vec<_> = (precondition.names.iter())
            .map(|(name, variable)| {
                let sort = file.terms.variable(*variable).sort;
                format!("{name}: {}", display_sort(&file.definitions, sort))
            })
            .collect();
        let _ = writeln!(out, "pre {}({})", precondition.method, names.join(", "));
        let formula = printer.formula(&precondition.formula);
        let _ = writeln!(out, "  {}", formula.replace('\n', "\n  "));
    }
    if !file.warnings.is_empty() {
        let _ = write!(
            out,
            "{}",
            render_all(&file.sources, &file.warnings, Default::default())
        );
    }
    out
}

#[test]
fn files_become_predicates() {
    check_folder(
        "starfinder/ok",
        "pred",
        |name, text| match starfinder::read(name, text) {
            Ok(file) => show(&file),
            Err(error) => panic!("{}", error.render(Default::default())),
        },
    );
}

#[test]
fn errors_say_where_and_what() {
    check_folder(
        "starfinder/err",
        "pred",
        |name, text| match starfinder::read(name, text) {
            Ok(_) => panic!("{name} was accepted"),
            Err(error) => error.render(Default::default()),
        },
    );
}

/// `java.util.TreeMap$Entry { int key; TreeMap$Entry left; TreeMap$Entry right; boolean color }`
fn entry_class() -> (Definitions, ClassId) {
    let mut definitions = Definitions::new();
    let class = definitions.add_class(Class {
        name: "java.util.TreeMap$Entry".to_owned(),
        fields: Vec::new(),
        superclass: None,
    });
    definitions.class_mut(class).fields = vec![
        field("key", Sort::Machine(IntType::I32)),
        field("left", Sort::Ref(class)),
        field("right", Sort::Ref(class)),
        field("color", Sort::Bool),
    ];
    (definitions, class)
}

#[test]
fn classes_and_signatures_from_elsewhere_are_used() {
    let (definitions, class) = entry_class();
    let mut environment = Environment {
        definitions,
        ..Environment::default()
    };
    let map = environment.definitions.add_class(Class {
        name: "java.util.TreeMap".to_owned(),
        fields: vec![
            field("root", Sort::Ref(class)),
            field("size", Sort::Machine(IntType::I32)),
        ],
        superclass: None,
    });
    environment.tested = vec![map];
    environment.signatures.push(Signature {
        class: Some(map),
        has_receiver: true,
        method: "put".to_owned(),
        params: vec![Sort::Machine(IntType::I64)],
        names: vec!["key".to_owned()],
        result: None,
    });
    let text = "pred t(x,n) == x=null & n=0
        || x::java_util_TreeMap__Entry<k,l,r,c> * t(l,a) * t(r,b) & c=1 & n=a+b+1;
        pre put == t(this_root,n) & key>0 & n=this_size";
    let read = starfinder::read_for(vec![source("tree.pred", text)], environment);
    let specification = read.expect("a valid file");
    assert_eq!(
        show_code(&specification),
        "data java.util.TreeMap$Entry { int key; java.util.TreeMap$Entry left; \
         java.util.TreeMap$Entry right; bool color; }
data java.util.TreeMap { java.util.TreeMap$Entry root; int size; }
pred t(x, n)
  | emp & x = null & n = 0
  | exists k, l, r, c, a, b. x -> java.util.TreeMap$Entry(k, l, r, c) * t(l, a) * t(r, b) & c & n = a + b + 1
pre java.util.TreeMap#put(key: long)
  exists n1, this_root, this_size. this -> java.util.TreeMap(this_root, this_size) * t(this_root, n1) & 1 <= key & n1 = this_size
"
    );
}

/// The code that the files of `code_ok` and `code_err` are about.
fn environment() -> Environment {
    let mut definitions = Definitions::new();
    let mut class = |name: &str| {
        definitions.add_class(Class {
            name: name.to_owned(),
            fields: Vec::new(),
            superclass: None,
        })
    };
    let [base, node, shape, other, list] =
        ["Base", "Node", "Shape", "Other", "List"].map(|name| class(&format!("demo.{name}")));
    class("left.Twin");
    class("right.Twin");
    let int = Sort::Machine(IntType::I32);
    let inherited = vec![field("kind", int), field("link", Sort::Ref(base))];
    definitions.class_mut(base).fields = inherited.clone();
    definitions.class_mut(node).superclass = Some(base);
    let own = [field("value", int), field("next", Sort::Ref(node))];
    definitions.class_mut(node).fields = inherited.into_iter().chain(own).collect();
    definitions.class_mut(other).fields = vec![field("value", int)];
    definitions.class_mut(list).fields = vec![
        field("head", Sort::Ref(node)),
        field("size", int),
        field("frozen", Sort::Bool),
    ];
    definitions.add_interface(node, shape);
    let method = |name: &str, has_receiver: bool, params: &[(&str, Sort)]| Signature {
        class: Some(list),
        has_receiver,
        method: name.to_owned(),
        params: params.iter().map(|&(_, sort)| sort).collect(),
        names: params.iter().map(|&(name, _)| name.to_owned()).collect(),
        result: None,
    };
    let constant = |field: &str, sort, access| StaticField {
        class: list,
        name: field.to_owned(),
        sort,
        access,
    };
    Environment {
        definitions,
        signatures: vec![
            method("add", true, &[("x", int)]),
            method("add", true, &[("node", Sort::Ref(node))]),
            method("clear", true, &[]),
            method("draw", true, &[("shape", Sort::Ref(shape))]),
            method("count", false, &[("first", Sort::Ref(node))]),
        ],
        packages: vec!["demo.List".to_owned(), "demo".to_owned()],
        tested: vec![list],
        aliases: Vec::new(),
        statics: vec![
            constant("total", int, StaticAccess::Input),
            constant("MAX", int, StaticAccess::Constant(ConstantValue::Int(10))),
            constant(
                "DEBUG",
                Sort::Bool,
                StaticAccess::Constant(ConstantValue::Bool(true)),
            ),
            constant(
                "LOG",
                Sort::Ref(other),
                StaticAccess::Unsupported("is final".to_owned()),
            ),
            StaticField {
                class: base,
                name: "shared".to_owned(),
                sort: Sort::Ref(node),
                access: StaticAccess::Input,
            },
        ],
        ..Environment::default()
    }
}

fn field(name: &str, sort: Sort) -> Field {
    Field {
        name: name.to_owned(),
        sort,
    }
}

fn source(name: &str, text: &str) -> Source {
    Source {
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

fn show_code(specification: &Specification) -> String {
    let definitions = &specification.definitions;
    let mut printer = Printer::new(&specification.terms, definitions);
    let mut out = show_definitions(definitions, &mut printer);
    for contract in &specification.contracts {
        let params: Vec<String> = (contract.params.iter())
            .map(|&variable| {
                let known = specification.terms.variable(variable);
                format!("{}: {}", known.name, display_sort(definitions, known.sort))
            })
            .collect();
        let class = contract
            .class
            .map_or("", |class| &definitions.class(class).name);
        let _ = write!(
            out,
            "pre {class}#{}({})",
            contract.method,
            params.join(", ")
        );
        for value in &contract.statics {
            let name = &specification.terms.variable(value.variable).name;
            let _ = write!(out, " static {} is {name}", value.field);
        }
        let formula = printer.formula(&contract.formula);
        let _ = writeln!(out, "\n  {}", formula.replace('\n', "\n  "));
    }
    let warnings = &specification.warnings;
    if !warnings.is_empty() {
        out += &render_all(&specification.sources, warnings, Default::default());
    }
    out
}

#[test]
fn files_are_read_for_code() {
    check_folder(
        "starfinder/code_ok",
        "pred",
        |name, text| match starfinder::read_for(vec![source(name, text)], environment()) {
            Ok(specification) => show_code(&specification),
            Err(error) => panic!("{}", error.render(Default::default())),
        },
    );
}

#[test]
fn what_the_code_does_not_have_is_an_error() {
    check_folder(
        "starfinder/code_err",
        "pred",
        |name, text| match starfinder::read_for(vec![source(name, text)], environment()) {
            Ok(specification) => panic!("{name} was accepted:\n{}", show_code(&specification)),
            Err(error) => error.render(Default::default()),
        },
    );
}

#[test]
fn preconditions_given_beside_come_before_those_of_the_file() {
    let file = source(
        "list.pred",
        "pre clear == this_size=1; pre count == first=null",
    );
    let given = source("--pre", "pre clear == this_size=2");
    let read = starfinder::read_for(vec![file.clone(), given.clone()], environment());
    let specification = read.expect("valid texts");
    let shown = show_code(&specification);
    assert!(shown.contains("this_size = 2"), "{shown}");
    assert!(!shown.contains("this_size = 1"), "{shown}");
    assert_eq!(specification.contracts.len(), 2);
    let twice = starfinder::read_for(vec![file, given.clone(), given], environment());
    let error = twice
        .expect_err("two for one method")
        .render(Default::default());
    assert!(
        error.contains("precondition of `clear` is defined twice"),
        "{error}"
    );
}

#[test]
fn errors_that_are_not_shown_are_counted() {
    let wrong: Vec<String> = (0..112).map(|n| format!("pre clear{n} == emp")).collect();
    let read = starfinder::read_for(vec![source("many.pred", &wrong.join(";\n"))], environment());
    let error = read
        .expect_err("unknown methods")
        .render(Default::default());
    assert!(error.ends_with("\nand 12 more errors\n"), "{error}");
    assert_eq!(error.matches("error: ").count(), 100);
    let characters = starfinder::read("odd.pred", &"@ ".repeat(101)).expect_err("no characters");
    assert!(
        characters
            .render(Default::default())
            .ends_with("\nand 1 more error\n")
    );
    let names: Vec<String> = (0..103)
        .map(|n| format!("pred p{n}(x) := q{n}(x);"))
        .collect();
    let sl = source("many.sl", &names.join("\n"));
    let read = read_specification(sl, Environment::default(), &mut no_imports);
    let error = read
        .expect_err("unknown predicates")
        .render(Default::default());
    assert!(error.ends_with("\nand 3 more errors\n"), "{error}");
}

#[test]
fn names_can_be_quantified_when_the_signature_comes_later() {
    let text = "pred p(x,n) == x=null & n=0; pre m == p(a,n) & n>0 || p(b,n)";
    let mut file = starfinder::read("m.pred", text).expect("a valid file");
    let precondition = &mut file.preconditions[0];
    precondition.keep_free(&mut file.terms, |name| name == "a");
    let [first, second] = &precondition.formula.disjuncts[..] else {
        panic!("two disjuncts");
    };
    assert_eq!(precondition.names.len(), 1);
    assert_eq!((first.exists.len(), second.exists.len()), (1, 2));
    assert!(
        first
            .exists
            .iter()
            .all(|variable| !second.exists.contains(variable))
    );
    let whole = Formula {
        disjuncts: vec![second.clone()],
    };
    assert!(whole.disjuncts[0].free_variables(&file.terms).is_empty());
}

#[test]
fn preconditions_become_questions() {
    let text = "pred p(x) == x=null; pre first == p(a); pre second == p(b) & b=c";
    let file = starfinder::read("two.pred", text).expect("a valid file");
    let specification = file.into_specification();
    let shown: Vec<_> = (specification.queries.iter())
        .map(|query| (query.name.as_deref(), query.variables.len()))
        .collect();
    assert_eq!(shown, [(Some("first"), 1), (Some("second"), 2)]);
}
