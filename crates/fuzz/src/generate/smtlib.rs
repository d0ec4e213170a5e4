//! SMT-LIB scripts of the separation-logic competition, `.smt2`.

use std::fmt::Write;

use super::{INTEGERS, PREDICATES, REFERENCES, SLIP, number, parameters, repeated};
use crate::random::Random;

/// Name of a predicate and the sorts of its parameters.
type Signature = (&'static str, &'static [bool]);

pub fn generate(random: &mut Random) -> String {
    let logic = random.pick(&["QF_SHLS", "QF_SHID", "QF_SHLID", "QF_SHIDLIA"]);
    let status = random.pick(&["sat", "unsat", "unknown"]);
    let mut text = format!("(set-logic {logic})\n(set-info :status {status})\n");
    text.push_str("(declare-sort RefNode 0)\n");
    text.push_str("(declare-datatypes ((Node 0)) (((c_Node (next RefNode) (data Int)))))\n");
    text.push_str("(declare-heap (RefNode Node))\n");
    define_predicates(random, &mut text);
    for name in REFERENCES {
        let _ = writeln!(text, "(declare-const {name} RefNode)");
    }
    for name in INTEGERS {
        let _ = writeln!(text, "(declare-fun {name} () Int)");
    }
    if random.one_in(2) {
        text.push_str("(check-sat)\n");
    }
    let _ = writeln!(text, "(assert {})", heap(random, &PREDICATES, 2));
    if random.one_in(4) {
        let _ = writeln!(
            text,
            "(push 1)\n(assert {})\n(check-sat)\n(pop 1)",
            pure(random, 2)
        );
    }
    text.push_str("(check-sat)\n");
    text
}

/// All predicates, either each for itself or mutually recursive.
fn define_predicates(random: &mut Random, text: &mut String) {
    let signatures: Vec<String> = (PREDICATES.iter())
        .map(|(name, sorts)| {
            let params = parameters(sorts).into_iter().zip(*sorts);
            let params: String = params
                .map(|(name, &is_reference)| format!("({name} {})", sort(is_reference)))
                .collect();
            format!("{name} ({params}) Bool")
        })
        .collect();
    // Defined together, each may use all of them; otherwise only itself and those before it.
    let together = random.one_in(4);
    let mut bodies = Vec::new();
    for (position, (_, sorts)) in PREDICATES.iter().enumerate() {
        let known = if together || random.one_in(SLIP) {
            &PREDICATES[..]
        } else {
            &PREDICATES[..=position]
        };
        bodies.push(definition(random, sorts, known));
    }
    if together {
        let signatures: String = signatures.iter().map(|s| format!("({s})")).collect();
        let _ = writeln!(
            text,
            "(define-funs-rec ({signatures}) ({}))",
            bodies.join(" ")
        );
        return;
    }
    for (signature, body) in signatures.iter().zip(&bodies) {
        let _ = writeln!(text, "(define-fun-rec {signature} {body})");
    }
}

fn definition(random: &mut Random, sorts: &[bool], known: &[Signature]) -> String {
    let params = parameters(sorts);
    let hidden: String = (REFERENCES.iter().map(|name| (name, true)))
        .chain(INTEGERS.iter().map(|name| (name, false)))
        .filter(|(name, _)| !params.contains(name))
        .map(|(name, is_reference)| format!("({name} {})", sort(is_reference)))
        .collect();
    let body = heap(random, known, 2);
    format!("(or (and (= x (as nil RefNode)) (_ emp RefNode Node)) (exists ({hidden}) {body}))")
}

fn sort(is_reference: bool) -> &'static str {
    if is_reference { "RefNode" } else { "Int" }
}

fn heap(random: &mut Random, known: &[Signature], depth: usize) -> String {
    let count = 1 + random.below(3);
    let mut text = repeated(random, count, " ", |random| spatial(random, known));
    if count > 1 {
        text = format!("(sep {text})");
    }
    if random.one_in(2) {
        let count = 1 + random.below(2);
        let pures = repeated(random, count, " ", |random| pure(random, depth));
        text = format!("(and {pures} {text})");
    }
    if depth > 0 && random.one_in(8) {
        text = format!("(or {text} {})", heap(random, known, depth - 1));
    }
    text
}

fn spatial(random: &mut Random, known: &[Signature]) -> String {
    match random.below(8) {
        0 => "(_ emp RefNode Node)".to_owned(),
        1..4 => {
            let source = random.pick(&REFERENCES);
            let (next, data) = (argument(random, true), argument(random, false));
            format!("(pto {source} (c_Node {next} {data}))")
        }
        _ => {
            let (name, sorts) = known[random.below(known.len())];
            let args: Vec<_> = (sorts.iter())
                .map(|&is_reference| argument(random, is_reference))
                .collect();
            format!("({name} {})", args.join(" "))
        }
    }
}

fn argument(random: &mut Random, is_reference: bool) -> String {
    if is_reference != random.one_in(SLIP) {
        match random.below(6) {
            0 => "(as nil RefNode)".to_owned(),
            _ => random.pick(&REFERENCES).to_owned(),
        }
    } else {
        integer(random, 2)
    }
}

fn pure(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.one_in(4) {
        let (left, right) = (pure(random, depth - 1), pure(random, depth - 1));
        return match random.below(4) {
            0 => format!("(not {left})"),
            1 => format!("(=> {left} {right})"),
            2 => format!("(let ((b {left})) (or b {right}))"),
            _ => format!("({} {left} {right})", random.pick(&["and", "or"])),
        };
    }
    if random.one_in(2) {
        let relation = random.pick(&["=", "distinct"]);
        return format!(
            "({relation} {} {})",
            argument(random, true),
            argument(random, true)
        );
    }
    let relation = random.pick(&["=", "distinct", "<", "<=", ">", ">="]);
    format!(
        "({relation} {} {})",
        argument(random, false),
        integer(random, 2)
    )
}

fn integer(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.one_in(2) {
        return match random.below(4) {
            0 => number(random).to_owned(),
            _ => random.pick(&INTEGERS).to_owned(),
        };
    }
    let (left, right) = (integer(random, depth - 1), integer(random, depth - 1));
    match random.below(6) {
        0 => format!("(- {left})"),
        1 => format!("(* {} {right})", number(random)),
        2 => format!("(ite {} {left} {right})", pure(random, 0)),
        3 => format!("(- {left} {right})"),
        _ => format!("(+ {left} {right})"),
    }
}
