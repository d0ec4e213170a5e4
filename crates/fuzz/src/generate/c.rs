//! Small C files from scratch: a struct or two, and functions that walk, write and compute.

use std::fmt::Write;

use crate::random::Random;

const TYPES: [&str; 8] = [
    "int",
    "unsigned",
    "char",
    "unsigned char",
    "short",
    "long",
    "_Bool",
    "double",
];

const HEADER: &str = "#include <stdlib.h>\n#include <string.h>\n\
    struct link { struct link *next; };\n\
    struct node { int value; struct node *next; };\n";

/// A source.
pub fn generate(random: &mut Random) -> String {
    let mut text = HEADER.to_owned();
    let _ = writeln!(
        text,
        "struct box {{ {} a; struct link link; {} b[{}]; union {{ {} x; {} y; }} u; struct node *n; }};",
        random.pick(&TYPES),
        random.pick(&TYPES),
        1 + random.below(4),
        random.pick(&TYPES),
        random.pick(&TYPES),
    );
    if random.one_in(2) {
        let _ = writeln!(
            text,
            "static {} state = {};",
            random.pick(&TYPES),
            random.below(9)
        );
    } else {
        text.push_str("static int state;\n");
    }
    for number in 0..=random.below(2) {
        let _ = writeln!(
            text,
            "int f{number}(struct node *p, struct box *q, {} n) {{\n  int r = 0;",
            random.pick(&TYPES)
        );
        for _ in 0..1 + random.below(4) {
            let line = statement(random, 2);
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("  return r;\n}\n");
    }
    text
}

fn statement(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.one_in(2) {
        let inner = statement(random, depth - 1);
        let condition = condition(random);
        return match random.below(4) {
            0 => format!("for (int i = 0; i < n && i < 5; i++) {{ {inner} }}"),
            1 => format!("while (p) {{ {inner} p = p->next; }}"),
            2 => format!("switch (n) {{ case 1: {inner} case 3: r++; break; default: r--; }}"),
            _ => format!("if ({condition}) {{ {inner} }}"),
        };
    }
    let value = value(random);
    match random.below(9) {
        0 => format!("r += {value};"),
        1 => format!("if (p) p->value = {value};"),
        2 => format!("q->a = {value};"),
        3 => format!("q->b[{}] = {value};", random.below(4)),
        4 => format!("q->u.x = {value};"),
        5 => "q->link.next = &q->link;".to_owned(),
        6 => "{ struct node *t = malloc(sizeof *t); if (t) { t->next = p; p = t; free(t); } }"
            .to_owned(),
        7 => format!("state = {value};"),
        _ => "memcpy(&r, &q->u, sizeof r);".to_owned(),
    }
}

fn condition(random: &mut Random) -> String {
    let (left, right) = (value(random), value(random));
    match random.below(5) {
        0 => "p && p->next".to_owned(),
        1 => "q->n == p".to_owned(),
        2 => "q->link.next".to_owned(),
        3 => format!("{left} == {right}"),
        _ => format!("{left} < {right} || n"),
    }
}

fn value(random: &mut Random) -> String {
    let number = random.below(300);
    match random.below(8) {
        0 => "n".to_owned(),
        1 => "q->a".to_owned(),
        2 => format!("q->b[n & {}]", random.below(4)),
        3 => "(int) q->u.y".to_owned(),
        4 => format!("(r << {})", random.below(40)),
        5 => "state".to_owned(),
        6 => "(unsigned char) (n * 3)".to_owned(),
        _ => number.to_string(),
    }
}
