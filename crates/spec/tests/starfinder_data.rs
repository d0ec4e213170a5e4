//! The StarFinder reader on small files: what comes out, and what is reported.

mod smtlib_support;

use std::fmt::Write;

use heapwright_logic::{Class, ClassId, Definitions, Field, IntType, Printer, Sort, Terms};
use heapwright_logic::{Formula, display_sort};
use heapwright_spec::diagnostic::render_all;
use heapwright_spec::starfinder::{self, PredicateFile};
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
    let field = |name: &str, sort| Field {
        name: name.to_owned(),
        sort,
    };
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
    let text = "pred t(x,n) == x=null & n=0
        || x::java_util_TreeMap__Entry<k,l,r,c> * t(l,a) * t(r,b) & c=1 & n=a+b+1;
        pre put == t(this_root,n) & key>0 & n=this_size";
    let signature = vec![
        ("this_root".to_owned(), Sort::Ref(class)),
        ("this_size".to_owned(), Sort::Machine(IntType::I32)),
        ("key".to_owned(), Sort::Machine(IntType::I64)),
    ];
    let file = starfinder::read_with("tree.pred", text, Terms::new(), definitions, &|method| {
        (method == "put").then(|| signature.clone())
    })
    .expect("a valid file");
    assert_eq!(
        show(&file),
        "data java.util.TreeMap$Entry { int key; java.util.TreeMap$Entry left; \
         java.util.TreeMap$Entry right; bool color; }
pred t(x, n)
  | emp & x = null & n = 0
  | exists k, l, r, c, a, b. x -> java.util.TreeMap$Entry(k, l, r, c) * t(l, a) * t(r, b) & c & n = a + b + 1
pre put(this_root: java.util.TreeMap$Entry, this_size: int, key: long)
  exists n1. t(this_root, n1) & 1 <= key & n1 = this_size
"
    );
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
