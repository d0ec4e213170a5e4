//! Specifications, `.sl`.

use std::fmt::Write;

use super::{CLASSES, INTEGERS, PREDICATES, REFERENCES, SLIP, number, parameters, repeated};
use crate::random::Random;

pub fn generate(random: &mut Random) -> String {
    let mut text = String::new();
    if random.one_in(10) {
        let module = random.pick(&["binary_tree", "singly_linked_list", "unknown.module"]);
        let _ = writeln!(text, "import {module};");
    }
    text.push_str("data Node { int value; Node next; }\n");
    text.push_str("data Tree { int value; Node left; Node next; ");
    for position in 0..random.below(3) {
        let ty = random.pick(&[
            "int", "long", "short", "byte", "char", "bool", "float", "double", "Tree",
        ]);
        let _ = write!(text, "{ty} extra{position}; ");
    }
    text.push_str("}\n");
    for (name, sorts) in PREDICATES {
        let params = parameters(sorts).join(", ");
        let _ = writeln!(
            text,
            "pred {name}({params}) :=\n    {};",
            definition(sorts, random)
        );
    }
    for position in 0..random.below(3) {
        let _ = writeln!(
            text,
            "check question{position} := {};",
            symbolic_heap(random, 3)
        );
    }
    if random.one_in(4) {
        let word = random.pick(&["pre", "post"]);
        let _ = writeln!(
            text,
            "{word} Tree#remove(v) := {};",
            symbolic_heap(random, 2)
        );
    }
    text
}

/// Disjuncts that speak only of the parameters and of what they quantify.
fn definition(sorts: &[bool], random: &mut Random) -> String {
    let params = parameters(sorts);
    let hidden: Vec<&str> = (REFERENCES.iter().chain(&INTEGERS))
        .filter(|name| !params.contains(name))
        .copied()
        .collect();
    let base = if random.one_in(8) {
        "emp"
    } else {
        "emp & x = null"
    };
    let mut disjuncts = vec![base.to_owned()];
    for _ in 0..=random.below(2) {
        let body = symbolic_heap(random, 3);
        disjuncts.push(format!("exists {}. {body}", hidden.join(", ")));
    }
    disjuncts.join(random.pick(&["\n  | ", " ∨ ", " | "]))
}

fn symbolic_heap(random: &mut Random, most: usize) -> String {
    let count = 1 + random.below(most);
    let mut text = repeated(random, count, random_star(count), spatial);
    for _ in 0..random.below(4) {
        let _ = write!(text, " {} {}", random.pick(&["&", "∧"]), pure(random, 2));
    }
    text
}

fn random_star(count: usize) -> &'static str {
    if count == 2 { " ∗ " } else { " * " }
}

fn spatial(random: &mut Random) -> String {
    if random.one_in(8) {
        return "emp".to_owned();
    }
    if random.one_in(2) {
        let (name, sorts) = PREDICATES[random.below(PREDICATES.len())];
        let args: Vec<_> = (sorts.iter())
            .map(|&is_reference| argument(random, is_reference))
            .collect();
        return format!("{name}({})", args.join(", "));
    }
    let source = random.pick(&REFERENCES);
    let arrow = random.pick(&["->", "↦"]);
    let class = random.pick(&CLASSES);
    match random.below(3) {
        0 => format!(
            "{source} {arrow} Node({}, {})",
            integer(random, 1),
            reference(random)
        ),
        1 => format!("{source} {arrow} {class}(next: {})", reference(random)),
        _ => format!("{source} {arrow} Node(_, {})", reference(random)),
    }
}

fn argument(random: &mut Random, is_reference: bool) -> String {
    if is_reference != random.one_in(SLIP) {
        reference(random)
    } else {
        integer(random, 2)
    }
}

fn reference(random: &mut Random) -> String {
    match random.below(12) {
        0 => "null".to_owned(),
        1 if random.one_in(4) => "x.next".to_owned(),
        2 if random.one_in(8) => "this".to_owned(),
        _ => random.pick(&REFERENCES).to_owned(),
    }
}

fn pure(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.one_in(4) {
        let (left, right) = (pure(random, depth - 1), pure(random, depth - 1));
        return match random.below(4) {
            0 => format!("!({left})"),
            1 => format!("({left} => {right})"),
            2 => format!("({left} & {right})"),
            _ => format!("({left} || {right})"),
        };
    }
    if random.one_in(3) {
        let relation = random.pick(&["=", "!=", "≠", "=="]);
        return format!(
            "{} {relation} {}",
            reference(random),
            argument(random, true)
        );
    }
    let relation = random.pick(&["=", "!=", "<", "<=", ">", ">=", "≤", "≥"]);
    format!(
        "{} {relation} {}",
        integer(random, 2),
        argument(random, false)
    )
}

fn integer(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.one_in(2) {
        return match random.below(12) {
            0..3 => number(random).to_owned(),
            3 if random.one_in(10) => "x.value".to_owned(),
            4 if random.one_in(10) => "'a'".to_owned(),
            5 if random.one_in(SLIP) => "result".to_owned(),
            _ => random.pick(&INTEGERS).to_owned(),
        };
    }
    let (left, right) = (integer(random, depth - 1), integer(random, depth - 1));
    match random.below(12) {
        0 => format!("-({left})"),
        1 => format!("{} * {right}", number(random)),
        2 => format!("({left} {} {right})", random.pick(&["/", "%", "*"])),
        3 => {
            let function = random.pick(&["min", "max", "bitand", "bitor", "bitxor", "shl", "shr"]);
            format!("{function}({left}, {right})")
        }
        4 => format!(
            "{}({left})",
            random.pick(&["abs", "int", "byte", "char", "ulong"])
        ),
        5 => format!("ite({}, {left}, {right})", pure(random, 0)),
        6..9 => format!("({left} - {right})"),
        _ => format!("({left} + {right})"),
    }
}
