//! The StarFinder notation, `.pred`.

use std::fmt::Write;

use super::{INTEGERS, PREDICATES, REFERENCES, SLIP, number, parameters, repeated};
use crate::random::Random;

pub fn generate(random: &mut Random) -> String {
    let mut text = String::new();
    for (name, sorts) in PREDICATES {
        let params = parameters(sorts).join(",");
        let count = random.below(3);
        let others = repeated(random, count, "", |random| {
            format!(" || {}", disjunct(random))
        });
        let _ = writeln!(text, "pred {name}({params}) == x=null{others};");
    }
    if random.one_in(3) {
        let fields = random.pick(&[
            "int value; pkg_Node next",
            "Node next; int value",
            "int value",
            "int valu; Node next",
            "Node value; int next",
        ]);
        let class = random.pick(&["pkg_Node", "Node", "pkg_Nod"]);
        let _ = writeln!(text, "data {class} {{{fields}}};");
    }
    if random.one_in(2) {
        let root = random.pick(&["this_root", "x", "this", "this_rot", "List_total"]);
        let bound = random.pick(&["List_total", "List_MAX", "this_total", "pkg_List_totl", "n"]);
        let _ = writeln!(text, "pre remove == list({root}) & {bound}>1;");
    }
    text
}

fn disjunct(random: &mut Random) -> String {
    let count = 1 + random.below(2);
    let mut text = repeated(random, count, " * ", spatial);
    for _ in 0..random.below(3) {
        let relation = random.pick(&["=", "!=", "<", ">=", ">", "<="]);
        let (left, right) = (integer(random), integer(random));
        let _ = write!(text, " & {left}{relation}{right}");
    }
    text
}

fn spatial(random: &mut Random) -> String {
    if random.one_in(2) {
        let (name, sorts) = PREDICATES[random.below(PREDICATES.len())];
        let args: Vec<_> = (sorts.iter())
            .map(|&is_reference| match is_reference != random.one_in(SLIP) {
                true => random.pick(&REFERENCES).to_owned(),
                false => integer(random),
            })
            .collect();
        return format!("{name}({})", args.join(","));
    }
    let class = random.pick(&["pkg_Node", "pkg_Node", "pkg_Tree__Node", "Node"]);
    let source = random.pick(&REFERENCES);
    format!(
        "{source}::{class}<{},{}>",
        integer(random),
        random.pick(&REFERENCES)
    )
}

fn integer(random: &mut Random) -> String {
    match random.below(6) {
        0 => number(random).to_owned(),
        1 => format!("{}+{}", random.pick(&INTEGERS), number(random)),
        2 => format!("{}-{}", random.pick(&INTEGERS), random.pick(&INTEGERS)),
        _ => random.pick(&INTEGERS).to_owned(),
    }
}
