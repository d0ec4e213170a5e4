//! Pure conditions in words.

use heapwright_logic::{Printer, Term, TermId, Terms};

/// `lo is less than root.value`, `either a is 0, or b is not null`.
///
/// Conditions inside of alternatives inside of conditions stay in the notation of
/// specifications, which is easier to read there.
pub fn tell(terms: &Terms, printer: &mut Printer<'_>, condition: TermId) -> String {
    match terms.get(condition) {
        Term::Or(alternatives) => {
            let told: Vec<String> = (alternatives.iter())
                .map(|&alternative| all_of(terms, printer, alternative))
                .collect();
            format!("either {}", told.join(", or "))
        }
        _ => all_of(terms, printer, condition),
    }
}

/// A conjunction of comparisons, or one of them.
fn all_of(terms: &Terms, printer: &mut Printer<'_>, condition: TermId) -> String {
    match terms.get(condition) {
        Term::And(conjuncts) => {
            let told: Vec<String> = (conjuncts.iter())
                .map(|&conjunct| one(terms, printer, conjunct))
                .collect();
            told.join(" and ")
        }
        _ => one(terms, printer, condition),
    }
}

fn one(terms: &Terms, printer: &mut Printer<'_>, condition: TermId) -> String {
    let text = printer.term(condition);
    match terms.get(condition) {
        Term::Bool(true) => "nothing more is asked".to_owned(),
        Term::Bool(false) => "false, which never holds".to_owned(),
        Term::Var(_) => format!("{text} is true"),
        Term::AtMostZero(_) => comparison(&text),
        Term::IsZero(_) | Term::Eq(..) => comparison(&text),
        Term::Not(inner) => match terms.get(*inner) {
            Term::Var(_) => format!("{} is false", printer.term(*inner)),
            Term::IsZero(_) | Term::Eq(..) => comparison(&text),
            _ => text,
        },
        _ => text,
    }
}

/// Puts the operator of a comparison into words. The simpler side comes first.
fn comparison(text: &str) -> String {
    const OPERATORS: [(&str, &str, &str); 4] = [
        (" <= ", "is at most", "is at least"),
        (" < ", "is less than", "is more than"),
        (" != ", "is not", "is not"),
        (" = ", "is", "is"),
    ];
    // A comparison inside of a condition has others in it, which would be taken for its own.
    for (operator, word, mirrored) in OPERATORS {
        let Some((left, right)) = text.split_once(operator) else {
            continue;
        };
        let nested = OPERATORS
            .iter()
            .any(|(other, ..)| left.contains(other) || right.contains(other));
        if nested || text.contains("ite(") {
            return text.to_owned();
        }
        let (left, right) = (arithmetic(left), arithmetic(right));
        return match weight(&right) < weight(&left) {
            true => format!("{right} {mirrored} {left}"),
            false => format!("{left} {word} {right}"),
        };
    }
    text.to_owned()
}

/// Sums of things with long names are easier to read with words between them.
fn arithmetic(text: &str) -> String {
    match text.contains("the ") {
        true => text.replace(" + ", " plus ").replace(" - ", " minus "),
        false => text.to_owned(),
    }
}

/// Names come before sums, and sums before numbers and null.
fn weight(text: &str) -> (bool, bool, bool) {
    let is_constant = text == "null" || text.parse::<i128>().is_ok();
    let is_sum = [" + ", " - ", " * ", " plus ", " minus "]
        .iter()
        .any(|operator| text.contains(operator));
    (is_constant, is_sum, text.starts_with("the "))
}

#[cfg(test)]
mod tests {
    use super::comparison;

    #[test]
    fn the_simpler_side_comes_first() {
        let check = |text, expected| assert_eq!(comparison(text), expected);
        check("lo < v", "lo is less than v");
        check("1 <= n", "n is at least 1");
        check("m + k + 1 = n", "n is m + k + 1");
        check("the n of x.left + 1 = n", "n is the n of x.left plus 1");
        check("x != null", "x is not null");
        check("null = x", "x is null");
        check("a < b = c", "a < b = c");
    }
}
