//! A first specification for a class, proposed from what its fields look like.
//!
//! The fields of a class say much about its structure: a class with a field of its own type is a
//! node, two of them are a list in both directions or a tree, and a class with a field of such a
//! type holds the structure. What fields cannot say (that a tree is ordered, that a number counts
//! the nodes, that there is a header) is taken from names and from what constructors create.
//! A proposal is a guess in the notation of specifications, with comments that say what was
//! guessed; whoever asked for it reads and corrects it.

mod contracts;
mod names;
mod nodes;
mod predicates;
mod structure;

use std::sync::Arc;

use crate::classfile::Class;
use crate::classpath::ClassPath;
use crate::hierarchy::{Hierarchy, LinkError};

pub use names::ClassNames;

use structure::Structures;

/// Proposes a specification for the methods of a class, to be kept in a file. `predicate` is the
/// name of a method such as `repOk`, if the class has one.
pub fn propose(
    path: &ClassPath,
    class: &Arc<Class>,
    predicate: Option<&str>,
    file: &str,
    names: ClassNames,
) -> Result<String, LinkError> {
    let mut structures = Structures::new(Hierarchy::new(path), names, class);
    structures.describe(class, 0)?;
    let contracts = contracts::write(&mut structures, class, predicate)?;
    let mut text = heading(&structures, class, predicate, file, !contracts.is_empty());
    let predicates = structures.predicates.join("\n");
    if predicates.is_empty() {
        text.push_str(
            "\n// No field of the class or of the parameters leads to nodes that are linked to \
             each other,\n// so there is nothing to say about shapes: every object is a valid \
             input.\n",
        );
    }
    for part in [&predicates, &contracts] {
        if !part.is_empty() {
            text.push('\n');
            text.push_str(part);
        }
    }
    Ok(text)
}

/// What the file is, and how it is read.
fn heading(
    structures: &Structures<'_>,
    class: &Class,
    predicate: Option<&str>,
    file: &str,
    has_contracts: bool,
) -> String {
    let name = &class.name;
    let specified = if has_contracts { " --specified" } else { "" };
    let mut text = format!(
        "// Which heaps are valid for {name}: a proposal, made from its fields.\n\
         // Read it, correct it, and go on with\n\
         //   heapwright explain {file} --class {name} -c CLASSPATH\n\
         //   heapwright generate {name} -c CLASSPATH --spec {file}{specified}\n\
         //\n\
         // x -> C(f: v)   an object x of the class C, whose field f holds v; other fields are free\n\
         // a * b          a and b describe different objects\n\
         // emp            no object\n\
         // a | b          a or b\n\
         // exists v. a    a, for some value v\n"
    );
    if let Some(predicate) = predicate {
        // Without a precondition there is nothing to compare.
        let agreement = match has_contracts {
            true => format!(
                " See whether it and this file agree:\n\
                 //   heapwright check --repok {name} -c CLASSPATH --spec {file}"
            ),
            false => String::new(),
        };
        text.push_str(&format!(
            "//\n// The class has {predicate}().{agreement}\n\
             // Tests for structures that it accepts need no specification:\n\
             //   heapwright generate {name} -c CLASSPATH --mode repok\n"
        ));
    }
    if !structures.unsaid.is_empty() {
        text.push_str("//\n// Nothing is said about\n");
        for field in &structures.unsaid {
            text.push_str(&format!("//   {field}\n"));
        }
        text.push_str("// These can lead to any objects.\n");
    }
    text
}
