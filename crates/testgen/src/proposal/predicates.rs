//! Predicates for linked nodes: lists in one or both directions, and trees.

use super::names::{parameter, variable};
use super::nodes::Node;
use super::structure::Structures;

/// How wide lines may be.
const WIDTH: usize = 100;

/// What a predicate speaks of, besides the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The number of nodes.
    pub counted: bool,
    /// The order of a tree.
    pub ordered: bool,
    /// The node that stands behind the last one, instead of null.
    pub to_end: bool,
    /// The last node of a list.
    pub both_ends: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    DoublyLinked,
    Tree { parent: bool },
}

/// A predicate that was defined.
#[derive(Debug, Clone)]
pub struct Shape {
    name: String,
    kind: Kind,
    form: Form,
}

impl Shape {
    /// The structure from a first node (or root), with its last node where that is known, up to
    /// an end.
    pub fn instance(&self, first: &str, last: Option<&str>, end: &str) -> String {
        self.apply(first, "null", last.unwrap_or("null"), end)
    }

    /// A list that a node stands in front of.
    pub fn instance_behind(&self, first: &str, before: &str, end: &str) -> String {
        self.apply(first, before, "null", end)
    }

    /// A list from a first to a last node, both linked to the node that stands between them.
    pub fn circle(&self, first: &str, last: &str, header: &str) -> String {
        self.apply(first, header, last, header)
    }

    /// The same where that node is one of the list.
    pub fn ring(&self, first: &str, last: &str, node: &str) -> String {
        self.apply_counted(first, node, last, node, "n - 1")
    }

    fn apply(&self, first: &str, before: &str, last: &str, end: &str) -> String {
        self.apply_counted(first, before, last, end, "n")
    }

    fn apply_counted(
        &self,
        first: &str,
        before: &str,
        last: &str,
        end: &str,
        count: &str,
    ) -> String {
        let mut arguments = vec![first];
        match self.kind {
            Kind::List if self.form.both_ends => arguments.push(last),
            Kind::List if self.form.to_end => arguments.push(end),
            Kind::List => {}
            Kind::DoublyLinked if self.form.both_ends || self.form.to_end => {
                arguments.extend([before, last, end]);
            }
            Kind::DoublyLinked => arguments.push(before),
            Kind::Tree { parent } => {
                if parent {
                    arguments.push(before);
                }
                if self.form.to_end {
                    arguments.push(end);
                }
            }
        }
        let extra = self.extra().into_iter();
        arguments.extend(extra.map(|extra| if extra == "n" { count } else { extra }));
        format!("{}({})", self.name, arguments.join(", "))
    }

    /// The numbers that every instance has.
    pub fn extra(&self) -> Vec<&'static str> {
        let mut extra = Vec::new();
        if self.form.ordered {
            extra.extend(["lo", "hi"]);
        }
        if self.form.counted {
            extra.push("n");
        }
        extra
    }

    /// `exists lo, hi. `, if there is anything to be quantified.
    pub fn quantifier(&self) -> String {
        let extra = self.extra();
        match extra.is_empty() {
            true => String::new(),
            false => format!("exists {}. ", extra.join(", ")),
        }
    }
}

/// The predicate for nodes in a form, which is defined unless it is there already.
pub fn shape(structures: &mut Structures<'_>, node: &Node, form: Form) -> Shape {
    let kind = match (node.is_tree(), &node.backward) {
        (true, _) => Kind::Tree {
            parent: node.parent.is_some(),
        },
        (false, Some(_)) => Kind::DoublyLinked,
        (false, None) => Kind::List,
    };
    let key = (node.record.name.clone(), form);
    if let Some((_, known)) = structures.shapes.iter().find(|(known, _)| *known == key) {
        return known.clone();
    }
    let wanted = match kind {
        Kind::Tree { .. } if form.ordered => "search_tree",
        Kind::Tree { .. } => "tree",
        Kind::List if form.both_ends => "queue",
        _ if form.to_end || form.both_ends => "segment",
        _ => "list",
    };
    let name = structures.name(wanted);
    let shape = Shape { name, kind, form };
    let text = match kind {
        Kind::List if form.both_ends => queue(structures, node, &shape),
        Kind::List => list(node, &shape),
        Kind::DoublyLinked => doubly_linked(node, &shape),
        Kind::Tree { .. } => tree(node, &shape),
    };
    structures.predicates.push(text);
    structures.shapes.push((key, shape.clone()));
    shape
}

/// A text if a number is counted.
fn when(counted: bool, text: &str) -> &str {
    match counted {
        true => text,
        false => "",
    }
}

/// The beginning of a disjunct, in one line or two.
pub fn disjunct(mark: &str, quantified: &[String], cell: &str) -> String {
    let quantifier = format!("{mark}exists {}.", quantified.join(", "));
    let separator = match quantifier.chars().count() + cell.chars().count() < WIDTH {
        true => " ",
        false => "\n        ",
    };
    format!("{quantifier}{separator}{cell}")
}

/// The disjuncts for a node and what follows it: one, or as many as there are structs around nodes.
fn node_disjuncts(
    node: &Node,
    (x, fields): (&str, &str),
    quantified: &str,
    taken: &[&str],
    rest: &str,
) -> String {
    let cells = node.cells(x, fields, taken).into_iter();
    let disjuncts = cells.map(|(around, cell)| match around {
        None => format!("  | exists {quantified}. {cell}{rest}"),
        Some(around) => format!("  | exists {quantified}, {around}.\n        {cell}{rest}"),
    });
    disjuncts.collect::<Vec<String>>().join("\n")
}

fn list(node: &Node, shape: &Shape) -> String {
    let (name, counted) = (&shape.name, shape.form.counted);
    let Some(field) = node.forward.first() else {
        return String::new();
    };
    let next = variable(field, &["x", "n", "end"]);
    let (n, zero, less, more) = (
        when(counted, ", n"),
        when(counted, " & n = 0"),
        when(counted, ", n - 1"),
        when(counted, " & n > 0"),
    );
    let nodes = when(counted, "n ");
    let rest = match shape.form.to_end {
        false => format!(" * {name}({next}{less}){more}"),
        true => format!(" * {name}({next}, end{less})\n        & x != end{more}"),
    };
    let fields = format!("{field}: {next}");
    let taken = ["end", "n", &next];
    let step = node_disjuncts(node, ("x", &fields), &next, &taken, &rest);
    match shape.form.to_end {
        false => format!(
            "// A list of {nodes}nodes that ends with null: following `{field}` never comes back \
             to a node.\n\
             pred {name}(x{n}) :=\n    emp & x = null{zero}\n{step};\n"
        ),
        true => format!(
            "// The {nodes}nodes from x up to `end`, which is not one of them.\n\
             pred {name}(x, end{n}) :=\n    emp & x = end{zero}\n{step};\n"
        ),
    }
}

fn queue(structures: &mut Structures<'_>, node: &Node, shape: &Shape) -> String {
    let (name, counted) = (&shape.name, shape.form.counted);
    let nodes_name = structures.name("nodes");
    let Some(field) = node.forward.first() else {
        return String::new();
    };
    let next = variable(field, &["first", "last", "n"]);
    let (n, zero, one, less, more) = (
        when(counted, ", n"),
        when(counted, " & n = 0"),
        when(counted, " & n = 1"),
        when(counted, ", n - 1"),
        when(counted, " & n > 1"),
    );
    let nodes = when(counted, "n ");
    let taken = ["last", "n", &next];
    let only = node.cells("first", &format!("{field}: null"), &taken);
    let only = only.into_iter().map(|(around, cell)| {
        let quantifier = around.map_or(String::new(), |around| format!("exists {around}. "));
        format!("{quantifier}{cell} & last = first{one}")
    });
    let only = only.collect::<Vec<String>>().join("\n  | ");
    let rest = format!(" * {nodes_name}({next}, last{less}){more}");
    let fields = format!("{field}: {next}");
    let step = node_disjuncts(node, ("first", &fields), &next, &taken, &rest);
    format!(
        "// The {nodes}nodes from `first` to `last`, both included; `{field}` of the last one is \
         null.\n\
         pred {nodes_name}(first, last{n}) :=\n    {only}\n{step};\n\n\
         // The same, or no nodes: then both ends are null.\n\
         pred {name}(first, last{n}) :=\n    emp & first = null & last = null{zero}\n  \
         | {nodes_name}(first, last{n});\n"
    )
}

fn doubly_linked(node: &Node, shape: &Shape) -> String {
    let (name, counted) = (&shape.name, shape.form.counted);
    let (Some(field), Some(back)) = (node.forward.first(), &node.backward) else {
        return String::new();
    };
    let fields = [field.as_str(), back];
    let x = parameter("x", "node", &fields);
    let first = parameter("first", "begin", &fields);
    let before = parameter("before", "from", &fields);
    let last = parameter("last", "end", &fields);
    let after = parameter("after", "to", &fields);
    let next = variable(field, &[&x, &first, &before, &last, &after, "n"]);
    let (n, zero, less, more) = (
        when(counted, ", n"),
        when(counted, " & n = 0"),
        when(counted, ", n - 1"),
        when(counted, " & n > 0"),
    );
    let nodes = when(counted, "n ");
    let has_end = shape.form.to_end || shape.form.both_ends;
    let (node_variable, rest) = match has_end {
        false => (&x, format!(" * {name}({next}, {x}{less}){more}")),
        true => {
            let rest = format!("{name}({next}, {first}, {last}, {after}{less})");
            (
                &first,
                format!("\n        * {rest} & {first} != {after}{more}"),
            )
        }
    };
    let fields = format!("{field}: {next}, {back}: {before}");
    let taken = [&*before, &last, &after, "n", &next];
    let step = node_disjuncts(node, (node_variable, &fields), &next, &taken, &rest);
    match has_end {
        false => format!(
            "// A list of {nodes}nodes that ends with null, in which `{back}` leads to the node \
             before. The first\n// node's `{back}` is `{before}`: null for a whole list.\n\
             pred {name}({x}, {before}{n}) :=\n    emp & {x} = null{zero}\n{step};\n"
        ),
        true => format!(
            "// The {nodes}nodes from `{first}` to `{last}`, both included, in which `{back}` \
             leads to the node before.\n// `{before}` is what the first node's `{back}` holds, \
             `{after}` what the last node's `{field}` holds.\n\
             // Without nodes, {first} = {after} and {last} = {before}.\n\
             pred {name}({first}, {before}, {last}, {after}{n}) :=\n    \
             emp & {first} = {after} & {last} = {before}{zero}\n{step};\n"
        ),
    }
}

fn tree(node: &Node, shape: &Shape) -> String {
    let Form {
        counted,
        ordered,
        to_end,
        ..
    } = shape.form;
    let name = &shape.name;
    let end = if to_end { "end" } else { "null" };
    let fields = node.forward.iter().chain(&node.parent);
    let fields: Vec<&str> = fields.map(String::as_str).collect();
    let above = parameter("above", "parent", &fields);
    let taken = ["x", "n", &above, "end", "lo", "hi", "k"];
    let mut quantified = Vec::new();
    let mut cells = Vec::new();
    let mut subtrees = Vec::new();
    let mut sizes = Vec::new();
    let key = node.key.as_ref().filter(|_| ordered);
    if let Some(key) = key {
        quantified.push("k".to_owned());
        cells.push(format!("{key}: k"));
    }
    for (index, field) in node.forward.iter().enumerate() {
        let child = variable(field, &taken);
        cells.push(format!("{field}: {child}"));
        let mut arguments = vec![child.clone()];
        arguments.extend(node.parent.as_ref().map(|_| "x".to_owned()));
        arguments.extend(to_end.then(|| "end".to_owned()));
        if key.is_some() {
            let bounds = if index == 0 { ["lo", "k"] } else { ["k", "hi"] };
            arguments.extend(bounds.map(str::to_owned));
        }
        quantified.push(child);
        if counted {
            let size = format!("n{}", index + 1);
            arguments.push(size.clone());
            sizes.push(size);
        }
        subtrees.push(format!("{name}({})", arguments.join(", ")));
    }
    quantified.extend(sizes.iter().cloned());
    cells.extend(node.parent.iter().map(|field| format!("{field}: {above}")));
    let mut conditions = Vec::new();
    conditions.extend(to_end.then(|| "x != end".to_owned()));
    conditions.extend(key.map(|_| "lo < k & k < hi".to_owned()));
    conditions.extend(counted.then(|| format!("n = {} + 1", sizes.join(" + "))));
    let conditions = match conditions.is_empty() {
        true => String::new(),
        false => format!("\n        & {}", conditions.join(" & ")),
    };
    let mut comment = format!(
        "// A tree of {}nodes; {end} stands for an empty one.",
        when(counted, "n ")
    );
    if let Some(parent) = &node.parent {
        comment.push_str(&format!(
            "\n// `{parent}` leads to the node above; that of the root is `{above}`: null for a \
             whole tree."
        ));
    }
    match (key, &node.key) {
        (Some(key), _) => comment.push_str(&format!(
            "\n// It is ordered: `{key}` grows from left to right and lies between lo and hi, \
             both excluded."
        )),
        (None, Some(key)) => comment.push_str(&format!(
            "\n// Nothing is said about `{key}`. If it orders the tree, take bounds as further \
             parameters, as\n// `heapwright explain search_tree` shows."
        )),
        (None, None) => {}
    }
    for measure in &node.record.measures {
        comment.push_str(&format!(
            "\n// Nothing is said about `{measure}`. If it keeps the tree balanced, trees that are not \
             valid are\n// inputs until you say how: `heapwright explain red_black_tree` and \
             `avl_tree` are examples."
        ));
    }
    let parameters = shape.apply("x", &above, "", "end");
    let zero = when(counted, " & n = 0");
    let taken: Vec<&str> = taken
        .into_iter()
        .chain(quantified.iter().map(String::as_str))
        .collect();
    let cells = node.cells("x", &cells.join(", "), &taken).into_iter();
    let rest = format!("\n        * {}{conditions}", subtrees.join(" * "));
    let disjuncts = cells.map(|(around, cell)| {
        let mut quantified = quantified.clone();
        quantified.extend(around);
        format!("{}{rest}", disjunct("  | ", &quantified, &cell))
    });
    let disjuncts = disjuncts.collect::<Vec<String>>().join("\n");
    format!("{comment}\npred {parameters} :=\n    emp & x = {end}{zero}\n{disjuncts};\n")
}
