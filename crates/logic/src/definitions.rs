//! Classes and inductive predicates: the tables that formulas refer to.

use rustc_hash::FxHashMap;

use crate::embedding::Embedding;
use crate::sort::{ClassId, Sort};
use crate::symbolic_heap::SymbolicHeap;
use crate::term::VarId;

/// Identifies a predicate in [`Definitions`].
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct PredId(pub u32);

impl PredId {
    /// Position in the table of predicates.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One field of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Name as declared.
    pub name: String,
    /// Declared sort.
    pub sort: Sort,
}

/// A class or struct: the shape of a heap cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Fully qualified name.
    pub name: String,
    /// All instance fields, those of the superclass first.
    pub fields: Vec<Field>,
    /// The direct superclass, if there is one with declared fields.
    pub superclass: Option<ClassId>,
}

/// An inductive predicate `P(params) := disjunct | ... | disjunct`.
///
/// Invariant: every free variable of a disjunct is a parameter, and everything that a
/// disjunct quantifies belongs to that disjunct alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Name as declared.
    pub name: String,
    /// Formal parameters.
    pub params: Vec<VarId>,
    /// The alternatives of its definition.
    pub disjuncts: Vec<SymbolicHeap>,
}

/// All classes and predicates that a formula may mention.
#[derive(Clone, Debug)]
pub struct Definitions {
    classes: Vec<Class>,
    predicates: Vec<Predicate>,
    class_names: FxHashMap<String, ClassId>,
    predicate_names: FxHashMap<String, PredId>,
    /// The interfaces that classes implement directly.
    interfaces: FxHashMap<ClassId, Vec<ClassId>>,
    /// The sorts of the elements of array classes.
    elements: FxHashMap<ClassId, Sort>,
    /// What lies inside of the objects of classes.
    embeddings: FxHashMap<ClassId, Embedding>,
}

impl Default for Definitions {
    fn default() -> Self {
        let mut definitions = Definitions {
            classes: Vec::new(),
            predicates: Vec::new(),
            class_names: FxHashMap::default(),
            predicate_names: FxHashMap::default(),
            interfaces: FxHashMap::default(),
            elements: FxHashMap::default(),
            embeddings: FxHashMap::default(),
        };
        definitions.add_class(Class {
            name: "Object".to_owned(),
            fields: Vec::new(),
            superclass: None,
        });
        definitions
    }
}

impl Definitions {
    /// An empty table (but for [`ClassId::ANY`]).
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class. A later class of the same name hides the earlier one.
    pub fn add_class(&mut self, class: Class) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        self.class_names.insert(class.name.clone(), id);
        self.classes.push(class);
        id
    }

    /// Says that objects of a class can stand where another one is expected that is not its
    /// superclass: an interface, or an array of a superclass.
    pub fn add_interface(&mut self, class: ClassId, interface: ClassId) {
        let known = self.interfaces.entry(class).or_default();
        if !known.contains(&interface) {
            known.push(interface);
        }
    }

    /// Says that the objects of a class are arrays: they have no fields, but any number of elements
    /// of a sort.
    pub fn set_element_sort(&mut self, class: ClassId, element: Sort) {
        self.elements.insert(class, element);
    }

    /// The sort of the elements of an array class; none for other classes.
    pub fn element_sort(&self, class: ClassId) -> Option<Sort> {
        self.elements.get(&class).copied()
    }

    /// Says what lies inside of the objects of a class, or around them.
    pub fn set_embedding(&mut self, class: ClassId, embedding: Embedding) {
        self.embeddings.insert(class, embedding);
    }

    /// What lies inside of the objects of a class, or around them, if anything does.
    pub fn embedding(&self, class: ClassId) -> Option<&Embedding> {
        self.embeddings.get(&class)
    }

    /// Whether there are classes below others than [`ClassId::ANY`].
    pub fn has_subclasses(&self) -> bool {
        let mut classes = self.classes.iter();
        !self.interfaces.is_empty() || classes.any(|class| class.superclass.is_some())
    }

    /// Adds a predicate. A later predicate of the same name hides the earlier one.
    pub fn add_predicate(&mut self, predicate: Predicate) -> PredId {
        let id = PredId(self.predicates.len() as u32);
        self.predicate_names.insert(predicate.name.clone(), id);
        self.predicates.push(predicate);
        id
    }

    /// Takes over the predicates of another table, whose classes are those of this one. Predicates
    /// keep their ids if this table has none.
    pub fn take_predicates(&mut self, other: &Definitions) {
        for predicate in &other.predicates {
            self.add_predicate(predicate.clone());
        }
    }

    /// The class behind an id.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The fields of a class; none if there is no such class.
    pub fn fields_of(&self, id: ClassId) -> &[Field] {
        (self.classes.get(id.index())).map_or(&[], |class| &class.fields)
    }

    /// The class behind an id, for filling in fields after mutually dependent classes were declared.
    pub fn class_mut(&mut self, id: ClassId) -> &mut Class {
        &mut self.classes[id.index()]
    }

    /// The predicate behind an id.
    pub fn predicate(&self, id: PredId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// The predicate behind an id, for filling in the body after mutually recursive ones were declared.
    pub fn predicate_mut(&mut self, id: PredId) -> &mut Predicate {
        &mut self.predicates[id.index()]
    }

    /// Looks a class up by its full name.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.class_names.get(name).copied()
    }

    /// Looks a predicate up by name.
    pub fn predicate_named(&self, name: &str) -> Option<PredId> {
        self.predicate_names.get(name).copied()
    }

    /// All classes with their ids, [`ClassId::ANY`] first.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &Class)> {
        (0u32..).map(ClassId).zip(&self.classes)
    }

    /// All predicates with their ids.
    pub fn predicates(&self) -> impl Iterator<Item = (PredId, &Predicate)> {
        (0u32..).map(PredId).zip(&self.predicates)
    }

    /// Position of a field in its class.
    pub fn field_index(&self, class: ClassId, field: &str) -> Option<usize> {
        let mut fields = self.class(class).fields.iter();
        fields.position(|candidate| candidate.name == field)
    }

    /// Whether `class` is `ancestor` or one of its subclasses, or implements it.
    /// Every class is a subclass of [`ClassId::ANY`].
    pub fn is_subclass(&self, class: ClassId, ancestor: ClassId) -> bool {
        if ancestor == ClassId::ANY {
            return true;
        }
        if !self.interfaces.is_empty() {
            return self.implements(class, ancestor);
        }
        let mut current = Some(class);
        // Bounded by the number of classes, so that a cyclic hierarchy cannot hang us.
        for _ in 0..self.classes.len() {
            match current {
                None => return false,
                Some(id) if id == ancestor => return true,
                Some(id) => current = self.class(id).superclass,
            }
        }
        false
    }

    /// Whether a class or one of its superclasses or interfaces implements another one.
    fn implements(&self, class: ClassId, interface: ClassId) -> bool {
        let mut pending = vec![class];
        let mut seen = Vec::new();
        while let Some(next) = pending.pop() {
            if next == interface {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                pending.extend(self.class(next).superclass);
                pending.extend(self.interfaces.get(&next).into_iter().flatten());
            }
        }
        false
    }
}
