//! Kinds: sorts as far as they are known, unified over a whole specification.
//!
//! All integers are of one kind, since they have one meaning; which of them get the range of a
//! machine type is decided afterwards, variable by variable.

use heapwright_logic::{ClassId, Definitions, FloatType, Sort};

/// Identifies a node of [`Kinds`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KindId(u32);

/// What is known about the sort of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nothing.
    Unknown,
    /// An integer or floating-point number: `0` may be either.
    Numeric,
    Integer,
    /// A floating-point number of either format: `1.5` may be either.
    Floating,
    Float(FloatType),
    Bool,
    /// A reference, perhaps of known class.
    Ref(Option<ClassId>),
    /// Two that have nothing in common, which was reported: more would be said in vain.
    Conflict,
}

impl Kind {
    pub fn of(sort: Sort) -> Kind {
        match sort {
            Sort::Bool => Kind::Bool,
            Sort::Int | Sort::Machine(_) => Kind::Integer,
            Sort::Float(ty) => Kind::Float(ty),
            Sort::Ref(ClassId::ANY) => Kind::Ref(None),
            Sort::Ref(class) => Kind::Ref(Some(class)),
        }
    }

    pub fn describe(self, definitions: &Definitions) -> String {
        match self {
            Kind::Unknown | Kind::Conflict => "a value".to_owned(),
            Kind::Numeric => "a number".to_owned(),
            Kind::Integer => "an integer".to_owned(),
            Kind::Floating => "a floating-point number".to_owned(),
            Kind::Float(FloatType::Single) => "a float".to_owned(),
            Kind::Float(FloatType::Double) => "a double".to_owned(),
            Kind::Bool => "a truth value".to_owned(),
            Kind::Ref(None) => "a reference".to_owned(),
            Kind::Ref(Some(class)) => {
                format!("a reference to `{}`", definitions.class(class).name)
            }
        }
    }
}

/// Which class a reference gets that is used with two related ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variance {
    /// The subclass: both uses are of one object.
    Narrow,
    /// The common superclass: a parameter, whose uses are alternatives.
    Wide,
    /// Declared, so that uses change nothing.
    Fixed,
}

#[derive(Clone, Copy)]
struct Node {
    parent: KindId,
    kind: Kind,
    variance: Variance,
}

/// Two kinds that have nothing in common.
pub(super) struct Mismatch {
    pub left: Kind,
    pub right: Kind,
}

/// A union-find structure of kinds.
#[derive(Default)]
pub(super) struct Kinds {
    nodes: Vec<Node>,
}

impl Kinds {
    pub fn fresh(&mut self, kind: Kind, variance: Variance) -> KindId {
        let id = KindId(self.nodes.len() as u32);
        self.nodes.push(Node {
            parent: id,
            kind,
            variance,
        });
        id
    }

    pub fn get(&mut self, id: KindId) -> Kind {
        let root = self.find(id);
        self.node(root).kind
    }

    /// Makes two kinds agree. Fixed ones are only compared; what is not fixed learns from them.
    pub fn unify(
        &mut self,
        a: KindId,
        b: KindId,
        definitions: &Definitions,
    ) -> Result<(), Mismatch> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let (left, right) = (*self.node(a), *self.node(b));
        let fixed = |node: Node| node.variance == Variance::Fixed;
        let wide = (left.variance == Variance::Wide && !fixed(right))
            || (right.variance == Variance::Wide && !fixed(left))
            || (fixed(left) && right.variance == Variance::Wide)
            || (fixed(right) && left.variance == Variance::Wide);
        let Some(kind) = combine(left.kind, right.kind, wide, definitions) else {
            for (id, node) in [(a, left), (b, right)] {
                if !fixed(node) {
                    self.node_mut(id).kind = Kind::Conflict;
                }
            }
            let (left, right) = (left.kind, right.kind);
            return Err(Mismatch { left, right });
        };
        match (fixed(left), fixed(right)) {
            (true, true) => {}
            (true, false) => self.node_mut(b).kind = kind,
            (false, true) => self.node_mut(a).kind = kind,
            (false, false) => {
                let variance = if wide {
                    Variance::Wide
                } else {
                    Variance::Narrow
                };
                self.node_mut(b).parent = a;
                let root = self.node_mut(a);
                root.kind = kind;
                root.variance = variance;
            }
        }
        Ok(())
    }

    fn find(&mut self, mut id: KindId) -> KindId {
        // Path halving.
        while self.node(id).parent != id {
            let grandparent = self.node(self.node(id).parent).parent;
            self.node_mut(id).parent = grandparent;
            id = grandparent;
        }
        id
    }

    fn node(&self, id: KindId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: KindId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }
}

/// What is known if both are.
fn combine(a: Kind, b: Kind, wide: bool, definitions: &Definitions) -> Option<Kind> {
    use Kind::{Conflict, Float, Floating, Integer, Numeric, Ref, Unknown};
    Some(match (a, b) {
        (Conflict, _) | (_, Conflict) => Conflict,
        (a, b) if a == b => a,
        (Unknown, known) | (known, Unknown) => known,
        (Numeric, known @ (Integer | Floating | Float(_)))
        | (known @ (Integer | Floating | Float(_)), Numeric) => known,
        (Floating, known @ Float(_)) | (known @ Float(_), Floating) => known,
        (Ref(None), known @ Ref(_)) | (known @ Ref(_), Ref(None)) => known,
        (Ref(Some(a)), Ref(Some(b))) if wide => Ref(Some(common_superclass(definitions, a, b)?)),
        (Ref(Some(a)), Ref(Some(b))) if definitions.is_subclass(a, b) => Ref(Some(a)),
        (Ref(Some(a)), Ref(Some(b))) if definitions.is_subclass(b, a) => Ref(Some(b)),
        _ => return None,
    })
}

fn common_superclass(definitions: &Definitions, a: ClassId, b: ClassId) -> Option<ClassId> {
    let mut current = a;
    // Bounded, in case the hierarchy is cyclic (which is reported elsewhere).
    for _ in 0..definitions.classes().count() {
        if definitions.is_subclass(b, current) {
            return Some(current);
        }
        current = definitions.class(current).superclass?;
    }
    None
}
