//! The setup phase: statements that build the input (Fig. 8 of the paper).
//!
//! What is referred to once is written inside of what refers to it, so that lists and trees are
//! nested `new`s. Shared objects get variables and are made before what refers to them; the
//! references that close a cycle are set as soon as both of their ends exist.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_logic::{Definitions, Heap, Loc, Value};

use super::case::{Binding, object};
use super::drawing::draw;
use super::error::EmitError;
use super::names::{Names, word_for};
use super::text::{WIDTH, literal, type_name};

/// The statements, and what the inputs are called behind them.
pub(super) struct Setup {
    pub lines: Vec<String>,
    /// One expression per input: a variable, or a literal.
    pub inputs: Vec<String>,
}

/// Builds the inputs. If they are `variables` of the program under test, each of them is set; if
/// not, they are arguments, and need variables only where they refer to objects.
pub(super) fn set_up(
    definitions: &Definitions,
    inputs: &[Binding],
    heap: &Heap,
    variables: bool,
    names: &mut Names,
) -> Result<Setup, EmitError> {
    let mut builder = Builder {
        definitions,
        heap,
        variables: BTreeMap::new(),
        visited: BTreeSet::new(),
        made: BTreeSet::new(),
        nested: BTreeMap::new(),
        open: BTreeMap::new(),
        lines: Vec::new(),
        names,
    };
    builder.name_objects(inputs)?;
    for input in inputs {
        if let Some(drawing) = draw(definitions, heap, input.value, &builder.variables) {
            builder.lines.push(format!("// {}: {drawing}", input.name));
        }
    }
    let mut expressions = Vec::new();
    for input in inputs {
        let value = match input.value {
            Value::Ref(loc) => {
                builder.make(loc);
                builder.variables.get(&loc).cloned()
            }
            scalar => literal(scalar),
        };
        let value = value.ok_or_else(|| EmitError::WrongValue(input.name.clone()))?;
        if variables && value != input.name {
            let ty = type_name(definitions, input.sort);
            builder
                .lines
                .push(format!("{ty} {} := {value};", input.name));
        }
        expressions.push(if variables { input.name.clone() } else { value });
    }
    Ok(Setup {
        lines: builder.lines,
        inputs: expressions,
    })
}

/// A `new` that stands in no statement yet.
struct Nested {
    text: String,
    /// References out of it that could not be written: fields on the way, and the object.
    open: Vec<(String, Loc)>,
}

struct Builder<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
    /// The objects that have variables.
    variables: BTreeMap<Loc, String>,
    visited: BTreeSet<Loc>,
    /// The objects whose variables are set.
    made: BTreeSet<Loc>,
    nested: BTreeMap<Loc, Nested>,
    /// Places that wait for the object that they will refer to.
    open: BTreeMap<Loc, Vec<String>>,
    lines: Vec<String>,
    names: &'a mut Names,
}

impl Builder<'_> {
    /// Inputs name the objects that they refer to; other objects need a variable only if they are
    /// referred to more than once.
    fn name_objects(&mut self, inputs: &[Binding]) -> Result<(), EmitError> {
        let mut references: BTreeMap<Loc, usize> = BTreeMap::new();
        let mut order = Vec::new();
        let mut queue: VecDeque<Value> = inputs.iter().map(|input| input.value).collect();
        while let Some(value) = queue.pop_front() {
            let Value::Ref(loc) = value else { continue };
            let count = references.entry(loc).or_default();
            *count += 1;
            if *count == 1 {
                let cell = self.heap.cells.get(&loc);
                queue.extend(&cell.ok_or(EmitError::Dangling(loc))?.fields);
                order.push(loc);
            }
        }
        for input in inputs {
            if let Value::Ref(loc) = input.value {
                let variable = self.variables.entry(loc);
                variable.or_insert_with(|| input.name.clone());
            }
        }
        for loc in order {
            if references.get(&loc).is_some_and(|&count| count > 1) {
                self.variable(loc);
            }
        }
        Ok(())
    }

    /// The variable of an object; a new one if it has none.
    fn variable(&mut self, loc: Loc) -> String {
        if let Some(name) = self.variables.get(&loc) {
            return name.clone();
        }
        let class =
            object(self.definitions, self.heap, loc).map_or("object", |(class, _)| &class.name);
        let name = self.names.next(&word_for(class));
        self.variables.insert(loc, name.clone());
        name
    }

    /// Makes an object and what it reaches, the latter first. Without recursion, because lists
    /// may be longer than the stack is deep.
    fn make(&mut self, root: Loc) {
        enum Step {
            Enter(Loc),
            Leave(Loc),
        }
        let mut pending = vec![Step::Enter(root)];
        while let Some(step) = pending.pop() {
            match step {
                Step::Enter(loc) => {
                    if !self.visited.insert(loc) {
                        continue;
                    }
                    pending.push(Step::Leave(loc));
                    let fields = self
                        .heap
                        .cells
                        .get(&loc)
                        .map_or(&[][..], |cell| &cell.fields);
                    pending.extend(fields.iter().rev().filter_map(|field| match field {
                        Value::Ref(next) => Some(Step::Enter(*next)),
                        _ => None,
                    }));
                }
                Step::Leave(loc) => {
                    let nested = self.instantiate(loc);
                    if self.variables.contains_key(&loc) {
                        self.state(loc, nested);
                    } else {
                        self.nested.insert(loc, nested);
                    }
                }
            }
        }
    }

    /// The `new` of an object. Its longest parts become statements of their own if it would be
    /// too long otherwise.
    fn instantiate(&mut self, loc: Loc) -> Nested {
        loop {
            let (nested, longest) = self.try_instantiate(loc);
            match longest {
                Some(part) if nested.text.len() > WIDTH * 3 / 4 => {
                    if let Some(part_nested) = self.nested.remove(&part) {
                        self.variable(part);
                        self.state(part, part_nested);
                    }
                }
                _ => {
                    let cell = self.heap.cells.get(&loc);
                    for field in cell.iter().flat_map(|cell| &cell.fields) {
                        if let Value::Ref(part) = field {
                            self.nested.remove(part);
                        }
                    }
                    return nested;
                }
            }
        }
    }

    /// The `new` of an object with all nested parts, and the longest of them.
    fn try_instantiate(&self, loc: Loc) -> (Nested, Option<Loc>) {
        let Some((class, cell)) = object(self.definitions, self.heap, loc) else {
            let (text, open) = ("nil".to_owned(), Vec::new());
            return (Nested { text, open }, None);
        };
        let mut arguments = Vec::new();
        let mut open = Vec::new();
        let mut longest: Option<(usize, Loc)> = None;
        for (field, &value) in class.fields.iter().zip(&cell.fields) {
            let Value::Ref(target) = value else {
                arguments.push(literal(value).unwrap_or_default());
                continue;
            };
            if let Some(part) = self.nested.get(&target) {
                arguments.push(part.text.clone());
                let inner = part.open.iter();
                open.extend(inner.map(|(path, to)| (format!(".{}{path}", field.name), *to)));
                if longest.is_none_or(|(length, _)| part.text.len() > length) {
                    longest = Some((part.text.len(), target));
                }
                continue;
            }
            match self.variables.get(&target) {
                Some(name) if self.made.contains(&target) => arguments.push(name.clone()),
                _ => {
                    arguments.push("nil".to_owned());
                    open.push((format!(".{}", field.name), target));
                }
            }
        }
        let text = format!("new {}({})", class.name, arguments.join(", "));
        (Nested { text, open }, longest.map(|(_, part)| part))
    }

    /// Sets the variable of an object, and the references for which that was the last end.
    fn state(&mut self, loc: Loc, nested: Nested) {
        let name = self.variable(loc);
        let class =
            object(self.definitions, self.heap, loc).map_or("var", |(class, _)| &class.name);
        self.lines
            .push(format!("{class} {name} := {};", nested.text));
        self.made.insert(loc);
        for (path, target) in nested.open {
            self.open
                .entry(target)
                .or_default()
                .push(format!("{name}{path}"));
        }
        let targets: Vec<Loc> = self.open.keys().copied().collect();
        for target in targets {
            if !self.made.contains(&target) {
                continue;
            }
            let places = self.open.remove(&target).unwrap_or_default();
            let to = self.variable(target);
            self.lines
                .extend(places.iter().map(|place| format!("{place} := {to};")));
        }
    }
}
