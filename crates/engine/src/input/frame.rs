//! From the heap of a model to a complete one.
//!
//! A model may have dangling references: the free end of a list segment, say, that must not be
//! null. In an input every reference leads somewhere, so each of them gets an object of its own,
//! with default contents as far as the rules of the language allow; an array has no elements.
//! These objects are outside of what the precondition describes.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::{Constant, Content, InputRules, Program};
use heapwright_logic::{Cell, ClassId, FloatType, Heap, Loc, Sort, Value};

use crate::input::candidates::{candidates, element_sort, has_objects};

/// Objects that are added for the sake of objects that were added. Beyond that they are shared,
/// so that classes that need many others do not fill the memory.
const ADDED: usize = 1_000;

/// Elements of all new arrays of an input together.
const MOST_ELEMENTS: u32 = 1 << 20;

/// A heap in which nothing dangles.
pub struct Completed {
    /// The heap.
    pub heap: Heap,
    /// The objects that were added.
    pub frame: BTreeSet<Loc>,
}

/// Completes a heap, as it is seen from values with their declared sorts. Nothing if there is no
/// class for some object, or if arrays of a fixed length take too much memory.
pub fn complete_heap(
    program: &Program,
    rules: &InputRules,
    values: Vec<(Value, Sort)>,
    heap: Heap,
) -> Option<Completed> {
    let mut completion = Completion {
        program,
        rules,
        next: next_free(&values, &heap),
        heap,
        pending: BTreeMap::new(),
        frame: BTreeSet::new(),
        owned: BTreeSet::new(),
    };
    completion.specialise()?;
    completion.find_dangling(values);
    completion.fill()?;
    Some(Completed {
        heap: completion.heap,
        frame: completion.frame,
    })
}

/// The sorts of the fields or elements of a cell.
pub fn content_sorts(program: &Program, cell: &Cell) -> Vec<Sort> {
    match element_sort(program, cell.class) {
        // Bytes without a type may hold a pointer or a floating-point number.
        Some(element) if program.class(cell.class).inside.raw => {
            let sort = |value: &Value| match value {
                Value::Null | Value::Ref(_) => Sort::Ref(ClassId::ANY),
                Value::Single(_) => Sort::Float(FloatType::Single),
                Value::Double(_) => Sort::Float(FloatType::Double),
                _ => element,
            };
            cell.fields.iter().map(sort).collect()
        }
        Some(element) => vec![element; cell.fields.len()],
        None => {
            let fields = &program.definitions.class(cell.class).fields;
            fields.iter().map(|field| field.sort).collect()
        }
    }
}

/// A constant as formulas have it. Constants are no references to objects.
pub fn constant(constant: Constant) -> Value {
    match Concrete::from(constant) {
        Concrete::Bool(value) => Value::Bool(value),
        Concrete::Int(value) => Value::Int(value),
        Concrete::Single(bits) => Value::Single(bits),
        Concrete::Double(bits) => Value::Double(bits),
        _ => Value::Null,
    }
}

struct Completion<'p> {
    program: &'p Program,
    rules: &'p InputRules,
    heap: Heap,
    /// Addresses that need an object.
    pending: BTreeMap<Loc, Missing>,
    frame: BTreeSet<Loc>,
    /// Objects that were added and must not be shared.
    owned: BTreeSet<Loc>,
    next: u32,
}

/// An object that is still to be made.
#[derive(Default)]
struct Missing {
    /// The classes that references to it are declared with.
    declared: Vec<ClassId>,
    /// The objects that it is made for, each for the one before.
    chain: Vec<Loc>,
    /// The length of an array.
    length: u32,
    /// The field that leads to its partner, and that.
    partner: Option<(u32, Loc)>,
}

impl Completion<'_> {
    /// Makes cells of classes that have no objects of their own cells of a subclass.
    fn specialise(&mut self) -> Option<()> {
        let abstracted = self.heap.cells.iter();
        let abstracted = abstracted.filter(|(_, cell)| {
            !has_objects(self.program, cell.class)
                && !self.program.class(cell.class).inside.interior
        });
        for loc in abstracted.map(|(&loc, _)| loc).collect::<Vec<_>>() {
            let (class, inherited) = {
                let cell = self.heap.cells.get(&loc)?;
                (self.class_for(&[cell.class])?, cell.fields.len())
            };
            let added = self.contents(class, inherited, &[loc], None);
            let cell = self.heap.cells.get_mut(&loc)?;
            cell.class = class;
            cell.fields.extend(added);
        }
        Some(())
    }

    /// Notes the dangling references of the values and of all cells.
    fn find_dangling(&mut self, mut values: Vec<(Value, Sort)>) {
        for cell in self.heap.cells.values() {
            let sorts = content_sorts(self.program, cell);
            values.extend(cell.fields.iter().copied().zip(sorts));
            for rule in self.rules.of_fields(cell.class) {
                if let (Content::Array(length), Some(&Value::Ref(loc))) =
                    (rule.content, cell.fields.get(rule.field as usize))
                    && !self.heap.cells.contains_key(&loc)
                {
                    self.pending.entry(loc).or_default().length = length;
                }
            }
        }
        for (value, sort) in values {
            if let (Value::Ref(loc), Sort::Ref(class)) = (value, sort)
                && !self.heap.cells.contains_key(&loc)
            {
                let declared = &mut self.pending.entry(loc).or_default().declared;
                if !declared.contains(&class) {
                    declared.push(class);
                }
            }
        }
    }

    /// Makes objects until nothing is missing.
    fn fill(&mut self) -> Option<()> {
        let mut left = MOST_ELEMENTS;
        while let Some((loc, missing)) = self.pending.pop_first() {
            let class = self.class_for(&missing.declared)?;
            let mut chain = missing.chain;
            chain.push(loc);
            // The cell is there before its contents, which may refer to it.
            let fields = Vec::new();
            self.heap.cells.insert(loc, Cell { class, fields });
            self.frame.insert(loc);
            let fields = match element_sort(self.program, class) {
                Some(sort) => {
                    let of_class = self.program.class(class).inside.length;
                    let length = of_class.unwrap_or(missing.length);
                    left = left.checked_sub(length)?;
                    self.elements(class, sort, length, &chain)
                }
                None => self.contents(class, 0, &chain, missing.partner),
            };
            self.heap.cells.insert(loc, Cell { class, fields });
        }
        Some(())
    }

    /// The elements of a new array. Those that lie in it are objects of their own.
    fn elements(&mut self, class: ClassId, sort: Sort, length: u32, chain: &[Loc]) -> Vec<Value> {
        let (Some(stride), Sort::Ref(of)) = (self.program.class(class).inside.stride, sort) else {
            return vec![Value::default_of(sort); length as usize];
        };
        let elements = (0..length).map(|_| {
            let loc = self.add(of, chain);
            if element_sort(self.program, of).is_some() {
                self.pending.entry(loc).or_default().length = stride;
            }
            self.owned.insert(loc);
            Value::Ref(loc)
        });
        elements.collect()
    }

    /// The contents of a new object from a field on, with what is known of one of them; none for an
    /// array.
    fn contents(
        &mut self,
        class: ClassId,
        from: usize,
        chain: &[Loc],
        partner: Option<(u32, Loc)>,
    ) -> Vec<Value> {
        let fields = &self.program.definitions.class(class).fields;
        let rules = self.rules.of_fields(class);
        let mut contents = Vec::new();
        for (index, field) in fields.iter().enumerate().skip(from) {
            let rule = rules.iter().find(|rule| rule.field as usize == index);
            if let Some((_, loc)) = partner.filter(|&(known, _)| known as usize == index) {
                contents.push(Value::Ref(loc));
                continue;
            }
            contents.push(match (rule.map(|rule| rule.content), field.sort) {
                (Some(Content::Partner(back)), Sort::Ref(class)) => {
                    let loc = self.add(class, chain);
                    let partner = chain.last().map(|&whole| (back, whole));
                    self.pending.entry(loc).or_default().partner = partner;
                    Value::Ref(loc)
                }
                (Some(Content::Constant(value)), _) => constant(value),
                (Some(Content::Itself), Sort::Ref(_)) => match chain.last() {
                    Some(&loc) => Value::Ref(loc),
                    None => Value::Null,
                },
                (Some(Content::Present), Sort::Ref(class)) => self.present(class, chain),
                (Some(Content::Owned), Sort::Ref(class)) => self.owned(class, chain),
                (Some(Content::Array(length)), Sort::Ref(class)) => {
                    let loc = self.add(class, chain);
                    self.owned.insert(loc);
                    self.pending.entry(loc).or_default().length = length;
                    Value::Ref(loc)
                }
                _ => Value::default_of(field.sort),
            });
        }
        contents
    }

    /// A reference that is not null: to a new object, unless that would go on forever.
    fn present(&mut self, class: ClassId, chain: &[Loc]) -> Value {
        let shared = match self.frame.len() < ADDED {
            true => self.of_class(class, chain),
            false => self.of_class(class, &self.frame),
        };
        match shared {
            Some(shared) => Value::Ref(shared),
            None => Value::Ref(self.add(class, chain)),
        }
    }

    /// A reference to a new object that nothing else refers to. One that would need infinitely
    /// many is not to be had, so it is shared.
    fn owned(&mut self, class: ClassId, chain: &[Loc]) -> Value {
        if let Some(shared) = self.of_class(class, chain) {
            return Value::Ref(shared);
        }
        let loc = self.add(class, chain);
        self.owned.insert(loc);
        Value::Ref(loc)
    }

    /// The first of some objects that a reference of a class would be to, if it may be shared.
    fn of_class<'l>(
        &self,
        class: ClassId,
        objects: impl IntoIterator<Item = &'l Loc>,
    ) -> Option<Loc> {
        let wanted = self.class_for(&[class]);
        let fits = |loc: &&Loc| {
            let known = self.heap.cells.get(loc);
            !self.owned.contains(loc) && known.is_some_and(|cell| Some(cell.class) == wanted)
        };
        objects.into_iter().find(fits).copied()
    }

    fn add(&mut self, class: ClassId, chain: &[Loc]) -> Loc {
        let loc = Loc(self.next);
        self.next = self.next.saturating_add(1);
        let missing = Missing {
            declared: vec![class],
            chain: chain.to_vec(),
            length: 0,
            partner: None,
        };
        self.pending.insert(loc, missing);
        loc
    }

    fn class_for(&self, declared: &[ClassId]) -> Option<ClassId> {
        let fitting = candidates(self.program, self.rules, declared);
        // The only object of a class is there already, or it is not.
        let is_taken = |class: &ClassId| {
            self.rules.singletons.contains_key(class)
                && self.heap.cells.values().any(|cell| cell.class == *class)
        };
        (fitting.classes.into_iter()).find(|class| !is_taken(class))
    }
}

/// The first address that nothing refers to.
fn next_free(values: &[(Value, Sort)], heap: &Heap) -> u32 {
    let contents = heap.cells.values().flat_map(|cell| &cell.fields);
    let referred =
        (values.iter().map(|(value, _)| value).chain(contents)).filter_map(|value| match value {
            Value::Ref(loc) => Some(loc.0),
            _ => None,
        });
    let used = referred.chain(heap.cells.keys().map(|loc| loc.0));
    used.max().unwrap_or(0).saturating_add(1)
}
