//! Structures of which a certain object is a part: what a method is given that takes a node.
//!
//! For each predicate there is a second one with one more parameter, the object. Its disjuncts are those
//! of the first, each once for every place that the object can be in: the cell itself, or what one of
//! the predicates below describes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A predicate, taken apart. These are texts that the writer of specifications has made.
struct Declaration<'t> {
    name: &'t str,
    parameters: &'t str,
    disjuncts: Vec<&'t str>,
}

/// What stands between the parts of a disjunct.
const AND: &str = "\n        * ";

/// Predicates for structures that have an object of a class among them, to be added to `predicates`, and
/// the name of the one for `invariant`: it has the object as its last parameter. `None` if no object of
/// the class is part of a model.
pub fn within(predicates: &str, invariant: &str, class: &str) -> Option<(String, String)> {
    let declarations: Vec<Declaration<'_>> =
        predicates.split("\n\n").filter_map(declaration).collect();
    let cell = format!(" -> {class}(");
    let mut holding: BTreeSet<&str> = BTreeSet::new();
    loop {
        let holds = |disjunct: &str| {
            disjunct.contains(&cell) || calls(disjunct).any(|(_, name)| holding.contains(name))
        };
        let more: BTreeSet<&str> = (declarations.iter())
            .filter(|known| known.disjuncts.iter().any(|disjunct| holds(disjunct)))
            .map(|known| known.name)
            .collect();
        if more.len() == holding.len() {
            break;
        }
        holding = more;
    }
    if !holding.contains(invariant) {
        return None;
    }
    let mut part = "part".to_owned();
    while predicates.contains(&part) {
        part.push('_');
    }
    let mut text = String::new();
    for known in declarations
        .iter()
        .filter(|known| holding.contains(known.name))
    {
        let own = (known.parameters.split(", ").next()).unwrap_or(known.parameters);
        let mut disjuncts = Vec::new();
        for disjunct in &known.disjuncts {
            if disjunct.contains(&format!("{own}{cell}")) {
                disjuncts.push(format!("{disjunct}\n        & {own} = {part}"));
            }
            for (place, name) in calls(disjunct).filter(|(_, name)| holding.contains(name)) {
                let (before, call) = disjunct.split_at(place);
                // Arguments have no parentheses in lines that end with one.
                let line = call.find('\n').unwrap_or(call.len());
                let (call, behind) = call.split_at(line);
                let arguments = call.strip_prefix(name).and_then(|call| {
                    let call = call.strip_prefix('(')?;
                    call.strip_suffix(')')
                });
                let Some(arguments) = arguments else { continue };
                disjuncts.push(format!("{before}{name}_with({arguments}, {part}){behind}"));
            }
        }
        // Writing into a text never fails.
        let _ = writeln!(
            text,
            "pred {}_with({}, {part}) :=\n    {};\n",
            known.name,
            known.parameters,
            disjuncts.join("\n  | ")
        );
    }
    Some((text, format!("{invariant}_with")))
}

/// The cases of an invariant of `this`, each with what stands for some fields of the object.
pub fn cases(
    predicates: &str,
    invariant: &str,
    fields: &[usize],
    name: &dyn Fn(usize) -> String,
) -> Vec<(String, BTreeMap<usize, String>)> {
    let mut declarations = predicates.split("\n\n").filter_map(declaration);
    let Some(known) = declarations.find(|known| known.name == invariant) else {
        return Vec::new();
    };
    let cell = format!("{} -> ", known.parameters);
    let cases = known.disjuncts.iter().filter_map(|disjunct| {
        let (before, behind) = disjunct.split_once(&cell)?;
        let (head, rest) = behind.split_once(')')?;
        let (class, values) = head.split_once('(')?;
        let mut values: Vec<String> = values.split(", ").map(str::to_owned).collect();
        let mut new = Vec::new();
        let mut said = BTreeMap::new();
        for &field in fields {
            let value = values.get_mut(field)?;
            if value == "_" {
                *value = format!("{}_", name(field));
                new.push(value.clone());
            }
            said.insert(field, value.clone());
        }
        let exists = match (before.strip_prefix("exists "), new.is_empty()) {
            (_, true) => before.to_owned(),
            (None, false) => format!("exists {}. ", new.join(", ")),
            (Some(others), false) => format!("exists {}, {others}", new.join(", ")),
        };
        let values = values.join(", ");
        Some((format!("{exists}this -> {class}({values}){rest}"), said))
    });
    cases.collect()
}

fn declaration(text: &str) -> Option<Declaration<'_>> {
    let begin = text.find("pred ")?;
    let (head, body) = text.get(begin..)?.split_once(" :=\n    ")?;
    let (name, parameters) = head.strip_prefix("pred ")?.split_once('(')?;
    Some(Declaration {
        name,
        parameters: parameters.strip_suffix(')')?,
        disjuncts: body.trim_end().strip_suffix(';')?.split("\n  | ").collect(),
    })
}

/// The predicates that a disjunct consists of, with their places.
fn calls(disjunct: &str) -> impl Iterator<Item = (usize, &str)> {
    let places = disjunct.match_indices(AND);
    places.filter_map(|(index, _)| {
        let place = index + AND.len();
        let name = disjunct.get(place..)?.split('(').next()?;
        Some((place, name))
    })
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn the_object_is_in_one_of_all_places() {
        let list = "// Nodes.\npred node(x, n) :=
    emp & x = null & n = 0
  | exists next, m. x -> List$Node(_, next)
        * node(next, m)
        & n = m + 1;

pred list(object) :=
    exists head, size. object -> List(head, size)
        * node(head, size);

";
        let (text, name) = within(list, "list", "List$Node").unwrap();
        assert_eq!(name, "list_with");
        assert_eq!(
            text,
            "pred node_with(x, n, part) :=
    exists next, m. x -> List$Node(_, next)
        * node(next, m)
        & n = m + 1
        & x = part
  | exists next, m. x -> List$Node(_, next)
        * node_with(next, m, part)
        & n = m + 1;

pred list_with(object, part) :=
    exists head, size. object -> List(head, size)
        * node_with(head, size, part);

"
        );
        assert_eq!(within(list, "list", "Other"), None);
    }
}
