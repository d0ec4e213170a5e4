//! Changes to C sources that mostly keep to the grammar: other operators, numbers, names and types,
//! statements twice or not at all.

use crate::random::Random;

/// Words that may stand for each other.
const GROUPS: [&[&str]; 6] = [
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
    &["==", "!=", "<", ">", "<=", ">="],
    &["&&", "||"],
    &["++", "--"],
    &["=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>="],
    &[
        "int",
        "char",
        "short",
        "long",
        "unsigned",
        "float",
        "double",
        "_Bool",
        "unsigned char",
        "unsigned long",
        "long long",
    ],
];

/// Numbers at the borders of types.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "2",
    "7",
    "31",
    "32",
    "63",
    "64",
    "255",
    "2147483647",
    "0x80000000u",
    "0x7fffffffffffffffL",
];

/// A few changes; `other` is a second source, from which statements come.
pub fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let mut pieces = tokens(text);
    let foreign = tokens(other);
    for _ in 0..=random.below(4) {
        if pieces.is_empty() {
            break;
        }
        change(&mut pieces, &foreign, random);
    }
    pieces.concat()
}

fn change(pieces: &mut Vec<String>, foreign: &[String], random: &mut Random) {
    let at = random.below(pieces.len());
    // From a random place on, the next one to which the change applies.
    let from = |fits: &dyn Fn(&str) -> bool| {
        (at..pieces.len())
            .chain(0..at)
            .find(|&index| fits(&pieces[index]))
    };
    match random.below(7) {
        0 | 1 => {
            let group = GROUPS[random.below(GROUPS.len())];
            if let Some(index) = from(&|piece| group.contains(&piece)) {
                pieces[index] = random.pick(group).to_owned();
            }
        }
        2 => {
            let is_number = |piece: &str| piece.starts_with(|first: char| first.is_ascii_digit());
            if let Some(index) = from(&is_number) {
                pieces[index] = random.pick(&NUMBERS).to_owned();
            }
        }
        3 => {
            let names: Vec<usize> = (0..pieces.len())
                .filter(|&index| is_name(&pieces[index]))
                .collect();
            if let (Some(index), false) = (from(&is_name), names.is_empty()) {
                pieces[index] = pieces[names[random.below(names.len())]].clone();
            }
        }
        4 | 5 => {
            let ends = |piece: &str| piece == ";";
            let Some(start) = from(&ends) else { return };
            let Some(end) = (start + 1..pieces.len()).find(|&index| ends(&pieces[index])) else {
                return;
            };
            let statement: Vec<String> = pieces[start + 1..=end].to_vec();
            match random.below(2) {
                0 => drop(pieces.drain(start + 1..=end)),
                _ => drop(pieces.splice(start + 1..start + 1, statement)),
            }
        }
        _ => {
            let begin = random.below(foreign.len() + 1);
            let piece: Vec<String> = (foreign[begin..].iter())
                .skip_while(|piece| *piece != ";")
                .skip(1)
                .take(30)
                .take_while(|piece| !matches!(piece.as_str(), "{" | "}" | ";"))
                .cloned()
                .collect();
            if let Some(index) = from(&|piece| piece == ";") {
                pieces.splice(
                    index + 1..index + 1,
                    piece.into_iter().chain([";".to_owned()]),
                );
            }
        }
    }
}

/// Words, numbers, operators and what is between them, which together are the text.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let kind = kind(characters[at]);
        let mut end = at + 1;
        while end < characters.len() && kind != Kind::Single && kind_of(&characters, end) == kind {
            end += 1;
        }
        tokens.push(characters[at..end].iter().collect());
        at = end;
    }
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Space,
    Operator,
    Single,
}

fn kind_of(characters: &[char], at: usize) -> Kind {
    kind(characters[at])
}

fn kind(character: char) -> Kind {
    match character {
        c if c.is_alphanumeric() || c == '_' => Kind::Word,
        c if c.is_whitespace() => Kind::Space,
        '+' | '-' | '<' | '>' | '=' | '!' | '&' | '|' | '^' | '%' => Kind::Operator,
        _ => Kind::Single,
    }
}

fn is_name(piece: &str) -> bool {
    let first = piece.chars().next();
    first.is_some_and(|first| first.is_alphabetic() || first == '_')
        && !GROUPS[5].contains(&piece)
        && ![
            "if", "while", "for", "return", "struct", "union", "static", "else", "do",
        ]
        .contains(&piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        let text = "int f(struct node *p) { return p->next != 0 && p->value <= 0x7f; }\n/* é */";
        assert_eq!(tokens(text).concat(), text);
        assert!(tokens(text).contains(&"->".to_owned()));
    }

    #[test]
    fn something_changes_and_stays_text() {
        let text = "int f(int a) { a = a + 1; a--; return a < 2 && a; }";
        let changed = (0..50).filter(|&index| {
            let random = &mut Random::for_text(3, index);
            mutate(text, "void g(int *p) { *p = 4; }", random) != text
        });
        assert!(changed.count() > 30);
        assert_eq!(mutate("", "", &mut Random::for_text(1, 1)), "");
    }
}
