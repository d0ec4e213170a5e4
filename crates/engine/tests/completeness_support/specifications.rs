//! Preconditions, each with the parameters that it speaks of, and the inputs that they allow.

use heapwright_impl::environment_of;
use heapwright_ir::Program;
use heapwright_logic::{Budget, Failure, Formula, Heap, Loc, find_derivation};
use heapwright_spec::diagnostic::Style;
use heapwright_spec::{Source, Specification, no_imports, read_specification};

use super::heaps::{Bounds, FULL, Input, Reads, Space};
use super::program::{Record, Signature};

/// A precondition of `target`.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    pub signature: Signature,
    /// What the precondition says of references alone. It must be implied by the precondition,
    /// and spares trying all numbers with all wrong shapes.
    pub shape: &'static str,
    /// The precondition, if it says more than that.
    pub formula: Option<&'static str>,
    /// How large inputs may be: those of the completeness bar, except where it is said.
    pub bounds: Bounds,
}

/// Singly linked nodes.
pub const LIST: &[Record] = &[Record {
    name: "Node",
    fields: &[("int", "value"), ("Node", "next")],
}];
/// Doubly linked nodes.
pub const DOUBLY: &[Record] = &[Record {
    name: "Node",
    fields: &[("int", "value"), ("Node", "prev"), ("Node", "next")],
}];
/// Nodes of binary trees.
pub const TREE: &[Record] = &[Record {
    name: "Node",
    fields: &[("int", "value"), ("Node", "left"), ("Node", "right")],
}];
/// Singly linked nodes with a truth value.
pub const MARKED: &[Record] = &[Record {
    name: "Node",
    fields: &[("int", "value"), ("bool", "marked"), ("Node", "next")],
}];
/// A list with an object in front of it.
pub const HOLDER: &[Record] = &[
    Record {
        name: "Holder",
        fields: &[("Node", "first"), ("int", "size")],
    },
    LIST[0],
];
/// A list with an object that knows both ends.
pub const QUEUE: &[Record] = &[
    Record {
        name: "Queue",
        fields: &[("Node", "first"), ("Node", "last")],
    },
    LIST[0],
];

/// The predicates for each kind of node; a file has those whose fields its `Node` has.
const LIST_PREDICATES: &str = "
pred list(x) := emp & x = null | exists n. x -> Node(next: n) * list(n);
pred list_of_length(x, k) :=
    emp & x = null & k = 0
  | exists n. x -> Node(next: n) * list_of_length(n, k - 1) & k > 0;
pred segment(x, y) :=
    emp & x = y
  | exists n. x -> Node(next: n) * segment(n, y) & x != y;
pred sorted(x, lo) :=
    emp & x = null
  | exists v, n. x -> Node(value: v, next: n) * sorted(n, v) & lo <= v;
";
const MARKED_PREDICATES: &str = "
pred list(x) := emp & x = null | exists n. x -> Node(next: n) * list(n);
pred marked_list(x) :=
    emp & x = null
  | exists v, m, n. x -> Node(v, m, n) * marked_list(n) & (m => v > 0);
";
const DOUBLY_PREDICATES: &str = "
pred doubly(x, before) :=
    emp & x = null
  | exists n. x -> Node(_, before, n) * doubly(n, x);
pred doubly_segment(first, before, last, after) :=
    emp & first = after & last = before
  | exists n. first -> Node(_, before, n) * doubly_segment(n, first, last, after) & first != after;
";
const TREE_PREDICATES: &str = "
pred tree(x) :=
    emp & x = null
  | exists l, r. x -> Node(_, l, r) * tree(l) * tree(r);
pred search_tree(x, lo, hi) :=
    emp & x = null
  | exists v, l, r. x -> Node(v, l, r) * search_tree(l, lo, v) * search_tree(r, v, hi)
        & lo < v & v < hi;
";

/// One reference.
pub const ONE: &[(&str, &str)] = &[("Node", "p")];
/// One reference and a number.
pub const ONE_AND_NUMBER: &[(&str, &str)] = &[("Node", "p"), ("int", "n")];
/// Two references.
pub const TWO: &[(&str, &str)] = &[("Node", "p"), ("Node", "q")];
/// Two references and a number.
pub const TWO_AND_NUMBER: &[(&str, &str)] = &[("Node", "p"), ("Node", "q"), ("int", "n")];

const fn case(
    name: &'static str,
    records: &'static [Record],
    params: &'static [(&'static str, &'static str)],
    shape: &'static str,
) -> Case {
    let signature = Signature { records, params };
    Case {
        name,
        signature,
        shape,
        formula: None,
        bounds: FULL,
    }
}

const fn valued(case: Case, formula: &'static str) -> Case {
    Case {
        formula: Some(formula),
        ..case
    }
}

/// With numbers in -1..1 only, where there would be a hundred thousand inputs.
const fn fewer_numbers(case: Case) -> Case {
    let bounds = Bounds {
        lowest: -1,
        highest: 1,
        ..case.bounds
    };
    Case { bounds, ..case }
}

/// All preconditions.
pub const CASES: &[Case] = &[
    case("list", LIST, ONE_AND_NUMBER, "list(p)"),
    case("list and anything", LIST, TWO, "list(p)"),
    case("segment", LIST, TWO, "segment(p, q)"),
    case("two lists", LIST, TWO, "list(p) * list(q)"),
    case(
        "list of at least one node",
        LIST,
        ONE_AND_NUMBER,
        "p -> Node(_, t) * list(t)",
    ),
    case("cell with anything in it", LIST, TWO, "p -> Node(_, _)"),
    case(
        "circle",
        LIST,
        ONE_AND_NUMBER,
        "p -> Node(_, t) * segment(t, p)",
    ),
    case(
        "lasso",
        LIST,
        ONE,
        "segment(p, t) * t -> Node(_, u) * segment(u, t)",
    ),
    case(
        "shared tail",
        LIST,
        TWO,
        "segment(p, t) * segment(q, t) * list(t)",
    ),
    case(
        "one list or two",
        LIST,
        TWO_AND_NUMBER,
        "emp & p = null | p -> Node(_, t) * list(t) * list(q)",
    ),
    valued(
        case("sorted list", LIST, ONE_AND_NUMBER, "list(p)"),
        "sorted(p, lo)",
    ),
    valued(
        case(
            "sorted list from a number on",
            LIST,
            ONE_AND_NUMBER,
            "list(p)",
        ),
        "sorted(p, n)",
    ),
    valued(
        case("equally long lists", LIST, TWO, "list(p) * list(q)"),
        "list_of_length(p, k) * list_of_length(q, k)",
    ),
    valued(
        case("list of a given length", LIST, ONE_AND_NUMBER, "list(p)"),
        "list_of_length(p, n)",
    ),
    valued(
        case(
            "number in the first node",
            LIST,
            ONE_AND_NUMBER,
            "p -> Node(_, t) * list(t)",
        ),
        "p -> Node(v, t) * list(t) & v = n + 1",
    ),
    case("marks", MARKED, ONE, "list(p)"),
    valued(
        case("marked list", MARKED, ONE, "list(p)"),
        "marked_list(p)",
    ),
    case(
        "doubly linked list",
        DOUBLY,
        ONE_AND_NUMBER,
        "doubly(p, null)",
    ),
    case(
        "doubly linked list from its middle",
        DOUBLY,
        ONE,
        "doubly(p, before)",
    ),
    case("deque", DOUBLY, TWO, "doubly_segment(p, null, q, null)"),
    case(
        "doubly linked circle",
        DOUBLY,
        ONE,
        "p -> Node(_, b, a) * doubly_segment(a, p, b, p)",
    ),
    case("tree", TREE, ONE_AND_NUMBER, "tree(p)"),
    case("two trees", TREE, TWO, "tree(p) * tree(q)"),
    valued(
        case("search tree", TREE, ONE_AND_NUMBER, "tree(p)"),
        "search_tree(p, lo, hi)",
    ),
    fewer_numbers(valued(
        case("search tree and node", TREE, TWO, "tree(p)"),
        "search_tree(p, lo, hi)",
    )),
    case(
        "holder of a list",
        HOLDER,
        &[("Holder", "p"), ("int", "n")],
        "p -> Holder(f, _) * list(f)",
    ),
    valued(
        case(
            "holder that counts",
            HOLDER,
            &[("Holder", "p"), ("Node", "q")],
            "p -> Holder(f, _) * list(f)",
        ),
        "p -> Holder(f, s) * list_of_length(f, s)",
    ),
    case(
        "queue",
        QUEUE,
        &[("Queue", "p"), ("Node", "q")],
        "p -> Queue(null, null) | p -> Queue(f, l) * segment(f, l) * l -> Node(_, null)",
    ),
];

impl Case {
    /// The specification as text.
    pub fn text(&self) -> String {
        self.text_of(self.formula.unwrap_or(self.shape))
    }

    /// The precondition of a name.
    pub fn named(name: &str) -> &'static Case {
        let mut cases = CASES.iter();
        let found = cases.find(|case| case.name == name);
        found.unwrap_or_else(|| panic!("no precondition `{name}`"))
    }

    fn text_of(&self, formula: &str) -> String {
        let records = self.signature.records;
        let predicates = match () {
            _ if records == MARKED => MARKED_PREDICATES,
            _ if records == DOUBLY => DOUBLY_PREDICATES,
            _ if records == TREE => TREE_PREDICATES,
            _ => LIST_PREDICATES,
        };
        let params: Vec<_> = self
            .signature
            .params
            .iter()
            .map(|(_, name)| *name)
            .collect();
        let params = params.join(", ");
        format!("{predicates}\npre target({params}) := {formula};\n")
    }

    /// The precondition, for a program with this signature.
    pub fn specification(&self, program: &Program) -> Specification {
        self.read(program, self.formula.unwrap_or(self.shape))
    }

    fn read(&self, program: &Program, formula: &str) -> Specification {
        let source = Source {
            name: format!("{}.sl", self.name),
            text: self.text_of(formula),
        };
        read_specification(source, environment_of(program), &mut no_imports)
            .unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)))
    }

    /// The inputs that the precondition allows, of a space.
    pub fn inputs(&self, space: &Space<'_>) -> Vec<Input> {
        let shape = Precondition(self.read(space.program, self.shape));
        let formula = (self.formula).map(|text| Precondition(self.read(space.program, text)));
        let mut inputs = Vec::new();
        space.each_shape(&mut |input| {
            let footprints = shape.footprints(input, all_footprints(input));
            if footprints.is_empty() {
                return Reads::ALL;
            }
            space.each_value(input, &mut |input| {
                let allowed = match &formula {
                    None => true,
                    Some(formula) => !formula.footprints(input, footprints.clone()).is_empty(),
                };
                if allowed {
                    inputs.push(input.clone());
                }
                Reads::ALL
            })
        });
        inputs
    }

    /// The same without looking at the shape first.
    pub fn inputs_by_formula(&self, space: &Space<'_>) -> Vec<Input> {
        let formula = Precondition(self.specification(space.program));
        let mut inputs = Vec::new();
        space.each(&mut |input| {
            if formula.allows(input) {
                inputs.push(input.clone());
            }
            Reads::ALL
        });
        inputs
    }
}

/// A precondition as a test on inputs.
pub struct Precondition(pub Specification);

/// Cells, as bits.
type Footprint = u32;

impl Precondition {
    /// Whether a part of the input satisfies the precondition. The rest is the frame, about
    /// which the precondition says nothing.
    pub fn allows(&self, input: &Input) -> bool {
        !self.footprints(input, all_footprints(input)).is_empty()
    }

    /// Those of the footprints that satisfy the precondition.
    fn footprints(&self, input: &Input, mut candidates: Vec<Footprint>) -> Vec<Footprint> {
        candidates.retain(|&footprint| self.holds(input, footprint));
        candidates
    }

    fn holds(&self, input: &Input, footprint: Footprint) -> bool {
        let Specification {
            terms,
            definitions,
            contracts,
            ..
        } = &self.0;
        let Heap { mut cells } = input.heap();
        cells.retain(|&Loc(number), _| footprint & (1 << (number - 1)) != 0);
        let contract = &contracts[0];
        let arguments = input.arguments.iter().copied();
        let stack = contract.params.iter().copied().zip(arguments).collect();
        let formula: &Formula = &contract.formula;
        let budget = Budget::default();
        match find_derivation(terms, definitions, formula, &stack, &Heap { cells }, budget) {
            Ok(_) => true,
            Err(Failure::Unsatisfied { .. }) => false,
            Err(other) => panic!("{other}: {input:?}"),
        }
    }
}

fn all_footprints(input: &Input) -> Vec<Footprint> {
    (0..1 << input.cells.len()).collect()
}
