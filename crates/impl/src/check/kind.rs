//! Types that are not known yet, and how they become known: unification of a small lattice.

use heapwright_logic::{ClassId, Definitions, IntType, Sort};

/// Identifies a type that may still be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KindId(u32);

/// What is known about a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing; `int` if nothing more comes.
    Unknown,
    /// A condition: an integer or a truth value; `int` if nothing more comes, as in the paper.
    Condition,
    /// What a comparison yields: a truth value, or 0 and 1 where an integer is needed.
    Truth,
    /// What a literal is: an integer of some type; `int` if nothing more comes.
    Number,
    Bool,
    Int(IntType),
    /// A reference to a struct that is not known yet.
    Reference,
    Class(ClassId),
    /// Something that was reported already fits everywhere.
    Error,
}

/// Two types that cannot be the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mismatch {
    pub found: Kind,
    pub expected: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Link(KindId),
    /// A representative, with an upper bound of the length of the paths to it.
    Root(Kind, u32),
}

/// All types of a program, as a union-find structure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds {
    nodes: Vec<Node>,
}

impl Kind {
    pub fn of(sort: Sort) -> Kind {
        match sort {
            Sort::Bool => Kind::Bool,
            Sort::Machine(ty) => Kind::Int(ty),
            Sort::Ref(class) => Kind::Class(class),
            // No type of ImpL has these sorts.
            Sort::Int | Sort::Float(_) => Kind::Error,
        }
    }

    /// How a message names it.
    pub fn describe(self, definitions: &Definitions) -> String {
        match self {
            Kind::Unknown | Kind::Error => "a value".to_owned(),
            Kind::Condition => "a truth value or an integer".to_owned(),
            Kind::Truth => "a truth value".to_owned(),
            Kind::Number => "an integer".to_owned(),
            Kind::Bool => "`bool`".to_owned(),
            Kind::Int(ty) => format!("`{ty}`"),
            Kind::Reference => "a reference".to_owned(),
            Kind::Class(class) => format!("`{}`", definitions.class(class).name),
        }
    }

    /// What is known when both are.
    fn meet(self, other: Kind) -> Option<Kind> {
        use Kind::{Bool, Class, Condition, Error, Int, Number, Reference, Truth, Unknown};
        Some(match (self, other) {
            (a, b) if a == b => a,
            (Error, _) | (_, Error) => Error,
            (Unknown, known) | (known, Unknown) => known,
            (Condition, scalar @ (Truth | Number | Bool | Int(_)))
            | (scalar @ (Truth | Number | Bool | Int(_)), Condition) => scalar,
            (Truth, scalar @ (Number | Bool | Int(_)))
            | (scalar @ (Number | Bool | Int(_)), Truth) => scalar,
            (Number, Int(ty)) | (Int(ty), Number) => Int(ty),
            (Reference, Class(class)) | (Class(class), Reference) => Class(class),
            _ => return None,
        })
    }
}

impl Kinds {
    pub fn fresh(&mut self, kind: Kind) -> KindId {
        let id = KindId(self.nodes.len() as u32);
        self.nodes.push(Node::Root(kind, 0));
        id
    }

    /// The representative. Paths are short, because unions go by rank.
    pub fn find(&self, id: KindId) -> KindId {
        self.root(id).0
    }

    pub fn kind(&self, id: KindId) -> Kind {
        self.root(id).1
    }

    fn root(&self, mut id: KindId) -> (KindId, Kind, u32) {
        loop {
            match self.nodes[id.0 as usize] {
                Node::Link(next) => id = next,
                Node::Root(kind, rank) => return (id, kind, rank),
            }
        }
    }

    /// Makes two types the same.
    pub fn unify(&mut self, found: KindId, expected: KindId) -> Result<(), Mismatch> {
        let (a, kind_a, rank_a) = self.root(found);
        let (b, kind_b, rank_b) = self.root(expected);
        let Some(kind) = kind_a.meet(kind_b) else {
            let (found, expected) = (kind_a, kind_b);
            return Err(Mismatch { found, expected });
        };
        // An error explains nothing about its neighbours: it is not spread.
        if a == b || kind == Kind::Error {
            return Ok(());
        }
        let (above, below) = if rank_a > rank_b { (a, b) } else { (b, a) };
        let rank = rank_a.max(rank_b) + u32::from(rank_a == rank_b);
        self.nodes[above.0 as usize] = Node::Root(kind, rank);
        self.nodes[below.0 as usize] = Node::Link(above);
        Ok(())
    }

    /// Says more about a type; the caller knows that it fits.
    pub fn refine(&mut self, id: KindId, kind: Kind) {
        let (root, _, rank) = self.root(id);
        self.nodes[root.0 as usize] = Node::Root(kind, rank);
    }

    /// Whether something is a reference to a struct.
    pub fn mention(&self, class: ClassId) -> bool {
        (self.nodes.iter())
            .any(|node| matches!(node, Node::Root(Kind::Class(found), _) if *found == class))
    }

    /// The sort of a type when everything has been said.
    pub fn sort(&self, id: KindId) -> Sort {
        match self.kind(id) {
            Kind::Bool | Kind::Truth => Sort::Bool,
            Kind::Int(ty) => Sort::Machine(ty),
            Kind::Class(class) => Sort::Ref(class),
            Kind::Reference => Sort::Ref(ClassId::ANY),
            Kind::Unknown | Kind::Condition | Kind::Number | Kind::Error => {
                Sort::Machine(IntType::I32)
            }
        }
    }
}
