//! A small notation for tests: classes, predicates, formulas and heaps as text.
//!
//! It is not the specification language; it has just enough for the tests of this crate, whose
//! inputs are all written here, so mistakes in them panic.

use std::collections::BTreeMap;

use crate::*;

/// Everything a test needs.
#[derive(Default, Clone)]
pub struct World {
    pub terms: Terms,
    pub definitions: Definitions,
    /// The variables that formulas may mention freely.
    pub free: BTreeMap<String, VarId>,
}

impl World {
    fn sort(&self, name: &str) -> Sort {
        match name {
            "bool" => Sort::Bool,
            "integer" => Sort::Int,
            "double" => Sort::Float(FloatType::Double),
            _ => match IntType::ALL.into_iter().find(|ty| ty.name() == name) {
                Some(ty) => Sort::Machine(ty),
                None => Sort::Ref(self.definitions.class_named(name).expect(name)),
            },
        }
    }

    /// `Node { value: int, next: Node }`
    pub fn class(&mut self, text: &str) -> ClassId {
        let (head, body) = text.split_once('{').expect("{");
        let (name, superclass) = match head.split_once(':') {
            Some((name, parent)) => (name.trim(), self.definitions.class_named(parent.trim())),
            None => (head.trim(), None),
        };
        let id = self.definitions.add_class(Class {
            name: name.to_owned(),
            fields: Vec::new(),
            superclass,
        });
        let mut fields = superclass.map_or(Vec::new(), |parent| {
            self.definitions.class(parent).fields.clone()
        });
        let own = body.trim_end().trim_end_matches('}');
        fields.extend(
            own.split(',')
                .filter(|f| !f.trim().is_empty())
                .map(|field| {
                    let (name, sort) = field.split_once(':').expect(field);
                    Field {
                        name: name.trim().to_owned(),
                        sort: self.sort(sort.trim()),
                    }
                }),
        );
        self.definitions.class_mut(id).fields = fields;
        id
    }

    /// Declares free variables: `x: Node, n: integer`.
    pub fn declare(&mut self, text: &str) {
        for (name, sort) in typed(text) {
            let sort = self.sort(&sort);
            let variable = self.terms.declare(name.clone(), sort);
            self.free.insert(name, variable);
        }
    }

    pub fn variable(&self, name: &str) -> VarId {
        self.free[name]
    }

    /// A predicate: its head `ls(x: Node, y: Node)` and its disjuncts.
    pub fn predicate(&mut self, head: &str, disjuncts: &[&str]) -> PredId {
        let (name, params) = head.split_once('(').expect(head);
        let mut scope = BTreeMap::new();
        let mut list = Vec::new();
        for (name, sort) in typed(params.trim_end_matches(')')) {
            let sort = self.sort(&sort);
            let variable = self.terms.declare(name.clone(), sort);
            scope.insert(name, variable);
            list.push(variable);
        }
        let id = self.definitions.add_predicate(Predicate {
            name: name.trim().to_owned(),
            params: list,
            disjuncts: Vec::new(),
        });
        let disjuncts = (disjuncts.iter())
            .map(|text| self.heap_in(text, &scope))
            .collect();
        self.definitions.predicate_mut(id).disjuncts = disjuncts;
        id
    }

    pub fn formula(&mut self, disjuncts: &[&str]) -> Formula {
        Formula {
            disjuncts: disjuncts
                .iter()
                .map(|text| self.symbolic_heap(text))
                .collect(),
        }
    }

    /// `exists v, n. x -> Node(v, n) * ls(n, y) & x != y`
    pub fn symbolic_heap(&mut self, text: &str) -> SymbolicHeap {
        let scope = self.free.clone();
        self.heap_in(text, &scope)
    }

    fn heap_in(&mut self, text: &str, scope: &BTreeMap<String, VarId>) -> SymbolicHeap {
        let mut scope = scope.clone();
        let mut heap = SymbolicHeap::emp();
        let text = text.trim();
        let (quantified, body) = match text.strip_prefix("exists ") {
            Some(rest) => rest.split_once('.').expect(text),
            None => ("", text),
        };
        let mut conjuncts = body.split('&').map(str::trim);
        let spatial: Vec<&str> = conjuncts.next().expect(text).split(" * ").collect();
        for name in quantified
            .split(',')
            .map(str::trim)
            .filter(|n| !n.is_empty())
        {
            let (name, sort) = match name.split_once(':') {
                Some((name, sort)) => (name.trim(), self.sort(sort.trim())),
                None => (name, self.inferred_sort(name, &spatial)),
            };
            let variable = self.terms.declare(name, sort);
            scope.insert(name.to_owned(), variable);
            heap.exists.push(variable);
        }
        for atom in spatial
            .into_iter()
            .map(str::trim)
            .filter(|atom| *atom != "emp")
        {
            let (head, args) = atom.split_once('(').expect(atom);
            let args = arguments(args.strip_suffix(')').expect(atom));
            let args: Vec<_> = args.iter().map(|arg| self.term(arg, &scope)).collect();
            match head.split_once("->") {
                Some((source, class)) => heap.points_to.push(PointsTo {
                    source: self.term(source, &scope),
                    class: self.definitions.class_named(class.trim()).expect(class),
                    fields: args,
                }),
                None => heap.instances.push(Instance {
                    predicate: self.definitions.predicate_named(head.trim()).expect(head),
                    args,
                }),
            }
        }
        heap.pure = conjuncts.map(|text| self.condition(text, &scope)).collect();
        heap
    }

    /// The sort of the first place where a quantified variable occurs on its own.
    fn inferred_sort(&self, name: &str, spatial: &[&str]) -> Sort {
        for atom in spatial.iter().filter(|atom| atom.contains('(')) {
            let (head, args) = atom.trim().split_once('(').expect(atom);
            let args = arguments(args.strip_suffix(')').expect(atom));
            let Some(position) = args.iter().position(|arg| arg.trim() == name) else {
                continue;
            };
            return match head.split_once("->") {
                Some((_, class)) => {
                    let class = self.definitions.class_named(class.trim()).expect(class);
                    self.definitions.class(class).fields[position].sort
                }
                None => {
                    let id = self.definitions.predicate_named(head.trim()).expect(head);
                    let param = self.definitions.predicate(id).params[position];
                    self.terms.variable(param).sort
                }
            };
        }
        Sort::Int
    }

    fn condition(&mut self, text: &str, scope: &BTreeMap<String, VarId>) -> TermId {
        let parts: Vec<_> = (text.split("||"))
            .map(|part| self.comparison(part.trim(), scope))
            .collect();
        self.terms.or(parts)
    }

    fn comparison(&mut self, text: &str, scope: &BTreeMap<String, VarId>) -> TermId {
        for operator in ["!=", "<=", "<", "="] {
            if let Some((left, right)) = text.split_once(operator) {
                let (a, b) = (self.term(left, scope), self.term(right, scope));
                return match operator {
                    "!=" => self.terms.ne(a, b),
                    "<=" => self.terms.le(a, b),
                    "<" => self.terms.lt(a, b),
                    _ => self.terms.eq(a, b),
                };
            }
        }
        match text.strip_prefix('!') {
            Some(text) => {
                let term = self.term(text, scope);
                self.terms.not(term)
            }
            None => self.term(text, scope),
        }
    }

    /// A sum of variables, numbers, `max(a, b)`, `mul(a, b)`, truth values and `null`.
    fn term(&mut self, text: &str, scope: &BTreeMap<String, VarId>) -> TermId {
        let text = text.trim();
        let mut depth = 0;
        let operator = text.char_indices().rev().find(|&(at, c)| {
            depth += i32::from(c == ')') - i32::from(c == '(');
            depth == 0 && at > 0 && (c == '+' || c == '-')
        });
        if let Some((at, operator)) = operator {
            let (a, b) = (
                self.term(&text[..at], scope),
                self.term(&text[at + 1..], scope),
            );
            return self
                .terms
                .add_scaled(a, b, if operator == '+' { 1 } else { -1 });
        }
        if let Some((function, args)) = text.split_once('(') {
            let args = arguments(args.strip_suffix(')').expect(text));
            let (a, b) = (self.term(&args[0], scope), self.term(&args[1], scope));
            return match function {
                "max" => {
                    let above = self.terms.le(b, a);
                    self.terms.ite(above, a, b)
                }
                "mul" => self.terms.int_op(IntOp::Mul, a, b),
                _ => panic!("{text}"),
            };
        }
        match (text, text.parse::<i128>()) {
            ("null", _) => Terms::NULL,
            ("true", _) => Terms::TRUE,
            ("false", _) => Terms::FALSE,
            (_, Ok(number)) => self.terms.int(number),
            _ => {
                let variable = *scope.get(text).unwrap_or_else(|| panic!("{text}"));
                self.terms.var(variable)
            }
        }
    }

    /// `1: Node(5, #2, null); 2: Node(..)`
    pub fn heap(&self, text: &str) -> Heap {
        let mut heap = Heap::default();
        for cell in text
            .split(';')
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
        {
            let (loc, rest) = cell.split_once(':').expect(cell);
            let (class, fields) = rest.trim().split_once('(').expect(cell);
            let class = self.definitions.class_named(class).expect(class);
            let fields = fields.strip_suffix(')').expect(cell);
            let fields = fields.split(',').filter(|field| !field.trim().is_empty());
            let cell = Cell {
                class,
                fields: fields.map(|field| value(field.trim())).collect(),
            };
            heap.cells.insert(Loc(loc.parse().expect(loc)), cell);
        }
        heap
    }

    /// `x = #1, n = 3`
    pub fn stack(&self, text: &str) -> Stack {
        (text.split(',').filter(|part| !part.trim().is_empty()))
            .map(|part| {
                let (name, text) = part.split_once('=').expect(part);
                (self.free[name.trim()], value(text.trim()))
            })
            .collect()
    }

    pub fn find(&self, formula: &Formula, stack: &str, heap: &Heap) -> Result<Witness, Failure> {
        let (terms, definitions) = (&self.terms, &self.definitions);
        let stack = self.stack(stack);
        find_derivation(terms, definitions, formula, &stack, heap, Budget::default())
    }

    /// A list, search tree and others that many tests use.
    pub fn with_nodes() -> World {
        let mut world = World::default();
        world.class("Node { value: int, left: Node, right: Node }");
        world.class("Cell { item: int, next: Cell }");
        world.predicate(
            "bst(root: Node, lo: integer, hi: integer)",
            &[
                "emp & root = null",
                "exists v, l, r. root -> Node(v, l, r) * bst(l, lo, v) * bst(r, v, hi) \
                 & lo < v & v < hi",
            ],
        );
        world.predicate(
            "ls(x: Cell, y: Cell)",
            &["emp & x = y", "exists d, n. x -> Cell(d, n) * ls(n, y)"],
        );
        world.predicate(
            "sized(x: Cell, n: integer)",
            &[
                "emp & x = null & n = 0",
                "exists d, y, m. x -> Cell(d, y) * sized(y, m) & n = m + 1 & 0 < n",
            ],
        );
        world.predicate(
            "avl(x: Node, h: integer)",
            &[
                "emp & x = null & h = 0",
                "exists v, l, r, a, b. x -> Node(v, l, r) * avl(l, a) * avl(r, b) \
                 & h = max(a, b) + 1 & a - b <= 1 & b - a <= 1",
            ],
        );
        world
    }
}

fn typed(text: &str) -> Vec<(String, String)> {
    (text.split(',').filter(|part| !part.trim().is_empty()))
        .map(|part| {
            let (name, sort) = part.split_once(':').expect(part);
            (name.trim().to_owned(), sort.trim().to_owned())
        })
        .collect()
}

/// Splits at the commas that are not inside parentheses.
fn arguments(text: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 {
            list.push(String::new());
        } else if let Some(last) = list.last_mut() {
            last.push(c);
        }
    }
    list.retain(|part| !part.trim().is_empty());
    list
}

pub fn value(text: &str) -> Value {
    match text {
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match text.strip_prefix('#') {
            Some(loc) => Value::Ref(Loc(loc.parse().expect(loc))),
            None => Value::Int(text.parse().expect(text)),
        },
    }
}
