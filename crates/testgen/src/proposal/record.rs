//! Classes and structs with their functions, as far as a proposal looks at them.

use std::sync::Arc;

/// A class or struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What it is called among all of the program.
    pub name: String,
    /// How specifications write it.
    pub written: String,
    /// The last word of its name.
    pub simple: String,
    /// Whether its objects are described.
    pub nearness: Nearness,
    /// Its fields, inherited ones too.
    pub fields: Vec<Field>,
    /// The records that are created when one of its objects is set up.
    pub creates: Vec<String>,
    /// The fields of records, its own or others, that are set then.
    pub sets: Vec<(String, String)>,
    /// Its fields that the code makes lead to the object itself.
    pub self_links: Vec<String>,
    /// The structs that the code takes its objects to be inside of.
    pub containers: Vec<Container>,
    /// The integer that the code orders a tree of its objects by.
    pub ordered_by: Option<String>,
    /// Integers that say something about the shape of a tree: colours, heights.
    pub measures: Vec<String>,
}

/// Whether a proposal describes the objects of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// It belongs to what is proposed for.
    Near,
    /// It lies further away: only if its objects are linked to each other.
    IfNode,
    /// Never.
    Far,
}

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name. Dotted for a field of something that is inside of the object.
    pub name: String,
    /// Whether specifications can name it.
    pub is_writable: bool,
    /// What it holds.
    pub content: Content,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// An integer that may count or order something.
    Integer,
    /// Something else that leads nowhere.
    Plain,
    /// A reference to an object of the record of this name.
    Reference(String),
    /// An object of the record of this name, inside of this one.
    Inside(String),
    /// Something that proposals do not speak of.
    Other,
}

/// A place of a record inside of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// How specifications write the outer one.
    pub written: String,
    /// The field that the inner one is.
    pub field: String,
}

/// A function that preconditions are proposed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How a specification writes it; none if that cannot be done.
    pub signature: Option<String>,
    /// Whether it works on an object that is called `this`.
    pub has_receiver: bool,
    /// What may lead to records: parameters, and variables that it uses.
    pub parameters: Vec<Parameter>,
    /// Whether it makes storage valid.
    pub is_initialiser: bool,
    /// Whether it takes nodes out of what they are in.
    pub is_removal: bool,
    /// Whether it ends the life of what it is given.
    pub is_destructor: bool,
}

/// A parameter of a function that leads to a record, or to something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The name of the record; another name where it leads to something else.
    pub record: String,
    /// Whether the function takes it for granted that there is something.
    pub is_present: bool,
    /// Whether the function asks whether there is something.
    pub may_be_absent: bool,
    /// Whether it is a variable outside of the function.
    pub is_variable: bool,
    /// What the function does first with each link of the object, as far as that is known.
    pub links: Vec<(String, LinkUse)>,
}

/// What a function does first with a link of a node that it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkUse {
    /// It follows it, so the node is linked already.
    Follows,
    /// It sets it, so the node need not be linked to anything.
    Sets,
}

/// The records of a program.
pub trait Records {
    /// A record by its name; none if nothing can be said about it.
    fn record(&self, name: &str) -> Option<Arc<Record>>;
}
