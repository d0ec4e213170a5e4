//! A candidate: a shape, what references are, and constraints; and which heaps it accepts.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{ClassId, Value};

use crate::constraints::{Constraint, Measured};
use crate::observed::{Observed, State};
use crate::references::{Outer, Rule, candidates};
use crate::shape::{Division, FieldKey, Kind, Shape, Tree};

/// What is known of the states of a class.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The fields that lead to objects.
    pub links: BTreeMap<FieldKey, ClassId>,
    /// The owning fields.
    pub shape: Shape,
    /// The classes of the objects at the places of each kind.
    pub classes: BTreeMap<Kind, BTreeSet<ClassId>>,
    /// What empty places of a kind hold, if there are any.
    pub empty: BTreeMap<Kind, Outer>,
    /// What references are that own nothing.
    pub rules: BTreeMap<(Kind, ClassId, usize), Rule>,
    /// The kinds of what fields own.
    pub owned: BTreeMap<(Kind, ClassId, usize), Kind>,
    /// What else holds.
    pub constraints: Vec<Constraint>,
}

impl Candidate {
    /// The candidate of a set of owning fields and a division, without constraints. `None` if they do
    /// not fit the states.
    pub fn new(
        observed: &Observed,
        links: &BTreeMap<FieldKey, ClassId>,
        owning: &[FieldKey],
        division: Division,
    ) -> Option<Candidate> {
        let mut shape = Shape::new(owning.to_vec(), division);
        if division == Division::Singles && !shape.find_singles(&observed.states, links) {
            return None;
        }
        let mut trees = Vec::new();
        for state in &observed.states {
            trees.push(shape.parse_new(state, links)?);
        }
        let mut candidate = Candidate {
            links: links.clone(),
            shape,
            classes: BTreeMap::new(),
            empty: BTreeMap::new(),
            rules: BTreeMap::new(),
            owned: BTreeMap::new(),
            constraints: Vec::new(),
        };
        let mut callers: BTreeMap<Kind, BTreeSet<ClassId>> = BTreeMap::new();
        for tree in &trees {
            for (place, node) in tree.nodes.iter().enumerate() {
                let known = candidate.classes.entry(node.kind).or_default();
                known.extend(node.class);
                let caller = tree.caller(place).and_then(|caller| tree.nodes.get(caller));
                let caller = caller.and_then(|caller| caller.class);
                callers.entry(node.kind).or_default().extend(caller);
                for (field, child) in &node.children {
                    if let (Some(class), Some(child)) = (node.class, tree.nodes.get(*child)) {
                        let owned = candidate.owned.entry((node.kind, class, *field));
                        owned.or_insert(child.kind);
                    }
                }
            }
        }
        for kind in 0..candidate.shape.kinds() {
            let callers: Vec<ClassId> = (callers.get(&kind).into_iter().flatten())
                .copied()
                .collect();
            candidate.explain_empty(observed, &trees, kind, &callers)?;
            candidate.explain_references(observed, &trees, kind, &callers);
        }
        Some(candidate)
    }

    fn explain_empty(
        &mut self,
        observed: &Observed,
        trees: &[Tree<'_>],
        kind: Kind,
        callers: &[ClassId],
    ) -> Option<()> {
        let empty = |tree: &Tree<'_>| -> Vec<usize> {
            let places = tree.nodes.iter().enumerate();
            let empty = places.filter(|(_, node)| node.kind == kind && node.class.is_none());
            empty.map(|(place, _)| place).collect()
        };
        if trees.iter().all(|tree| empty(tree).is_empty()) {
            return Some(());
        }
        let references = candidates(&self.shape, ClassId::ANY, observed.class, callers, kind);
        let mut outers = vec![Outer::Null];
        outers.extend(
            references
                .into_iter()
                .filter_map(|reference| match reference {
                    crate::references::Reference::Outer(outer) => Some(outer),
                    _ => None,
                }),
        );
        let fits = |outer: &Outer| {
            trees.iter().all(|tree| {
                let holds = |place: usize| {
                    let value = tree.nodes.get(place).map(|node| node.value);
                    value.is_some() && outer.value(tree, place) == value
                };
                empty(tree).into_iter().all(holds)
            })
        };
        let found = outers.into_iter().find(fits)?;
        self.empty.insert(kind, found);
        Some(())
    }

    fn explain_references(
        &mut self,
        observed: &Observed,
        trees: &[Tree<'_>],
        kind: Kind,
        callers: &[ClassId],
    ) {
        let classes = self.classes.get(&kind).cloned().unwrap_or_default();
        for class in classes {
            let fields: Vec<usize> = (self.links.keys())
                .filter(|field| field.0 == class && !self.shape.owns(**field))
                .map(|field| field.1)
                .collect();
            let references = candidates(&self.shape, class, observed.class, callers, kind);
            let mut cells: BTreeMap<Vec<bool>, Vec<(&Tree<'_>, usize)>> = BTreeMap::new();
            for tree in trees {
                for (place, node) in tree.nodes.iter().enumerate() {
                    if node.kind == kind && node.class == Some(class) {
                        let pattern = cells.entry(tree.pattern(place)).or_default();
                        pattern.push((tree, place));
                    }
                }
            }
            for field in fields {
                let fits = |reference: &crate::references::Reference,
                            cells: &[(&Tree<'_>, usize)]| {
                    cells.iter().all(|(tree, place)| {
                        let value = tree.field(*place, field);
                        reference.value(tree, *place) == value
                    })
                };
                let always = references
                    .iter()
                    .find(|reference| cells.values().all(|cells| fits(reference, cells)));
                let by_pattern = || -> Option<BTreeMap<_, _>> {
                    let found = cells.iter().map(|(pattern, cells)| {
                        let found = references.iter().find(|reference| fits(reference, cells));
                        Some((pattern.clone(), found?.clone()))
                    });
                    found.collect()
                };
                let rule = match always {
                    Some(reference) => Rule::Always(reference.clone()),
                    None => by_pattern().map_or(Rule::Anything, Rule::ByPattern),
                };
                self.rules.insert((kind, class, field), rule);
            }
        }
    }

    /// References that nothing is said about.
    pub fn unexplained(&self) -> usize {
        let rules = self.rules.values();
        rules.filter(|rule| **rule == Rule::Anything).count()
    }

    /// A state as a tree, if it has the shape and its references are what they should be.
    pub fn parse<'s>(&self, observed: &Observed, state: &'s State) -> Option<Tree<'s>> {
        let root = state.heap.cells.get(&state.root)?;
        if root.class != observed.class {
            return None;
        }
        let tree = self.shape.parse(state, &self.links)?;
        for (place, node) in tree.nodes.iter().enumerate() {
            match node.class {
                None => {
                    let outer = self.empty.get(&node.kind)?;
                    if outer.value(&tree, place) != Some(node.value) {
                        return None;
                    }
                }
                Some(class) if !self.classes.get(&node.kind)?.contains(&class) => return None,
                Some(class) => {
                    let fields = observed.definitions.fields_of(class);
                    for (field, declared) in fields.iter().enumerate() {
                        let value = tree.field(place, field)?;
                        if !value.has_sort(declared.sort) {
                            return None;
                        }
                        self.check_reference(&tree, place, (node.kind, class, field), value)?;
                    }
                }
            }
        }
        Some(tree)
    }

    fn check_reference(
        &self,
        tree: &Tree<'_>,
        place: usize,
        key: (Kind, ClassId, usize),
        value: Value,
    ) -> Option<()> {
        let expected = match self.rules.get(&key) {
            None | Some(Rule::Anything) => return Some(()),
            Some(Rule::Always(reference)) => reference,
            Some(Rule::ByPattern(rules)) => rules.get(&tree.pattern(place))?,
        };
        (expected.value(tree, place) == Some(value)).then_some(())
    }

    /// Whether a state is one of those that the candidate describes.
    pub fn accepts(&self, observed: &Observed, state: &State) -> bool {
        let Some(tree) = self.parse(observed, state) else {
            return false;
        };
        let mut measured = Measured::new(&tree);
        let mut constraints = self.constraints.iter();
        constraints.all(|constraint| measured.holds(constraint))
    }
}
