//! A first specification for a class or struct, proposed from what its fields look like.
//!
//! The fields of a class say much about its structure: a class with a field of its own type is a
//! node, two of them are a list in both directions or a tree, and a class with a field of such a
//! type holds the structure. What fields cannot say (that a tree is ordered, that a number counts
//! the nodes, that there is a header) is taken from names and from what constructors create.
//! A proposal is a guess in the notation of specifications, with comments that say what was
//! guessed; whoever asked for it reads and corrects it.

mod contracts;
pub mod names;
mod nodes;
mod predicates;
mod record;
mod structure;

use std::sync::Arc;

pub use record::{
    Container, Content, Field, Function, LinkUse, Nearness, Parameter, Record, Records,
};

use structure::Structures;

/// What a specification is proposed for.
#[derive(Debug, Clone)]
pub struct Target {
    /// The class.
    pub record: Arc<Record>,
    /// What it is called in the heading.
    pub title: String,
    /// The functions that work on it.
    pub functions: Vec<Function>,
    /// How the language calls things.
    pub words: Words,
    /// The commands that come next.
    pub commands: Commands,
    /// The function such as `repOk` that says which objects are valid, if there is one.
    pub predicate: Option<String>,
}

/// How a language calls things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// `an object x of the class C`.
    pub object: &'static str,
    /// `class`, which has fields.
    pub record: &'static str,
    /// What the predicate is found in.
    pub place: &'static str,
    /// What it is made from.
    pub made_from: &'static str,
    /// `method`.
    pub function: &'static str,
    /// How functions without a precondition are left out, where that can be said.
    pub left_out: &'static str,
    /// Whether functions are given what they work on as arguments.
    pub is_procedural: bool,
}

/// The commands that come next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commands {
    /// Shows what the specification means.
    pub explain: String,
    /// Generates tests with it.
    pub generate: String,
    /// The same where it has contracts for some functions.
    pub generate_specified: String,
    /// Compares it with the predicate.
    pub compare: String,
    /// Generates tests for what the predicate accepts.
    pub by_predicate: String,
}

/// Proposes a specification, to be kept in a file.
pub fn propose(records: &dyn Records, target: &Target) -> String {
    let mut structures = Structures::new(records, &target.record);
    structures.describe(&target.record, 0);
    let contracts = contracts::write(&mut structures, target);
    let mut text = heading(&structures, target, !contracts.is_empty());
    let predicates = structures.predicates.join("\n");
    if predicates.is_empty() {
        text.push_str(&format!(
            "\n// No field of the {} or of the parameters leads to nodes that are linked to \
             each other,\n// so there is nothing to say about shapes: every object is a valid \
             input.\n",
            target.words.record
        ));
    }
    for part in [&predicates, &contracts] {
        if !part.is_empty() {
            text.push('\n');
            text.push_str(part);
        }
    }
    text
}

/// What the file is, and how it is read.
fn heading(structures: &Structures<'_>, target: &Target, has_contracts: bool) -> String {
    let Target {
        title,
        words,
        commands,
        predicate,
        ..
    } = target;
    let generate = match has_contracts {
        true => &commands.generate_specified,
        false => &commands.generate,
    };
    let mut text = format!(
        "// Which heaps are valid for {title}: a proposal, made from {}.\n\
         // Read it, correct it, and go on with\n\
         //   {}\n\
         //   {generate}\n\
         //\n\
         // x -> C(f: v)   {}, whose field f holds v; other fields are free\n\
         // a * b          a and b describe different objects\n\
         // emp            no object\n\
         // a | b          a or b\n\
         // exists v. a    a, for some value v\n",
        words.made_from, commands.explain, words.object
    );
    if let Some(predicate) = predicate {
        // Without a precondition there is nothing to compare.
        let agreement = match has_contracts {
            true => format!(
                " See whether it and this file agree:\n\
                 //   {}",
                commands.compare
            ),
            false => String::new(),
        };
        text.push_str(&format!(
            "//\n// The {} has {predicate}().{agreement}\n\
             // Tests for structures that it accepts need no specification:\n\
             //   {}\n",
            words.place, commands.by_predicate
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
