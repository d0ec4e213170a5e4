//! The way through a heap in which its objects are drawn: rows, and branches where they fork.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_logic::{Definitions, Embedded, Heap, Loc, Value};

use super::marks::{Marks, Page, width};
use super::values::show_value;

/// A row is continued in the next line when it would become wider than this.
const WIDTH: usize = 100;

/// An object nested deeper than this many columns is drawn further down, as a root of its own.
const DEEPEST: usize = 60;

/// A picture that is being drawn.
pub struct Drawing<'a> {
    pub definitions: &'a Definitions,
    pub heap: &'a Heap,
    pub marks: &'a Marks,
    /// The objects that are drawn as a text.
    labels: BTreeMap<Loc, String>,
    /// What lies inside of other objects, and is drawn there.
    pub embedded: Embedded,
    /// Numbers of objects and of dangling addresses, by order of first mention.
    pub numbers: BTreeMap<Loc, usize>,
    drawn: BTreeSet<Loc>,
    page: Page,
}

/// An object still to be drawn: what comes before it, and how the lines below it begin.
struct Pending {
    lead: String,
    margin: String,
    loc: Loc,
}

impl<'a> Drawing<'a> {
    /// An empty page.
    pub fn new(
        definitions: &'a Definitions,
        heap: &'a Heap,
        marks: &'a Marks,
        labels: BTreeMap<Loc, String>,
    ) -> Drawing<'a> {
        Drawing {
            definitions,
            heap,
            marks,
            labels,
            embedded: Embedded::of(definitions, heap),
            numbers: BTreeMap::new(),
            drawn: BTreeSet::new(),
            page: Page::default(),
        }
    }

    /// Everything that was drawn.
    pub fn finish(mut self) -> String {
        if self.page.is_empty() {
            self.page.line("the empty heap");
        }
        self.page.into_text()
    }

    /// `root ─► #1 Node(...)`: what the roots reach that are references.
    pub fn references(&mut self, roots: &[(String, Value)]) {
        for (name, value) in roots {
            if let Value::Ref(loc) = value {
                let marks = self.marks.roots.iter();
                for (_, said) in marks.filter(|(marked, _)| marked == name) {
                    self.page.mark(0, name, said);
                }
                let (outermost, path) = self.embedded.outermost(*loc);
                let lead = match path.is_empty() {
                    true => format!("{name} ─► "),
                    false => {
                        let path = self.embedded.path(self.definitions, self.heap, *loc);
                        format!("{name} = &{path} ─► ")
                    }
                };
                self.root(&lead, outermost);
            }
        }
    }

    /// `lo = 0, hi = 4, left = null`: whatever is not drawn as an arrow.
    pub fn scalars(&mut self, roots: &[(String, Value)]) {
        let scalars: Vec<String> = (roots.iter())
            .filter(|(_, value)| !matches!(value, Value::Ref(_)))
            .map(|(name, value)| format!("{name} = {}", show_value(*value)))
            .collect();
        if !scalars.is_empty() {
            let line = scalars.join(", ");
            for (name, said) in &self.marks.roots {
                let begin = format!("{name} = ");
                let mut column = 0;
                for scalar in &scalars {
                    if scalar.starts_with(&begin) {
                        self.page.mark(column, scalar, said);
                    }
                    column += width(scalar) + 2;
                }
            }
            self.page.line(&line);
        }
    }

    /// Whatever was not reached.
    pub fn others(&mut self) {
        let inside = self.inside();
        for &loc in self.heap.cells.keys() {
            if !self.is_drawn(loc) && !inside.contains(&loc) && !self.embedded.contains(loc) {
                self.root("", loc);
            }
        }
    }

    /// Draws everything that `loc` reaches and that is not drawn yet. Works with a stack of its
    /// own, because structures can be deeper than the call stack.
    fn root(&mut self, label: &str, loc: Loc) {
        let mut queue = vec![Pending {
            lead: label.to_owned(),
            margin: " ".repeat(width(label)),
            loc,
        }];
        // Objects too deep for the page wait here until what is above them is finished.
        let mut postponed = VecDeque::new();
        loop {
            while let Some(next) = queue.pop() {
                self.page.put(&next.lead);
                if width(&next.margin) > DEEPEST && !self.is_drawn(next.loc) {
                    let reference = self.reference(next.loc);
                    self.page.put(&format!("{reference} (below)"));
                    postponed.push_back(next.loc);
                } else {
                    self.row(next.loc, &next.margin, &mut queue);
                }
                self.page.end_line();
            }
            match postponed.pop_front() {
                None => return,
                Some(loc) if self.is_drawn(loc) => {}
                Some(loc) => queue.push(Pending {
                    lead: String::new(),
                    margin: String::new(),
                    loc,
                }),
            }
        }
    }

    /// Draws an object, and its successor behind it as long as there is exactly one. Where the
    /// row forks, the branches are left to the caller.
    fn row(&mut self, start: Loc, margin: &str, queue: &mut Vec<Pending>) {
        let mut loc = start;
        loop {
            let reference = self.reference(loc);
            let Some(cell) = self.heap.cells.get(&loc).filter(|_| !self.is_drawn(loc)) else {
                self.page.put(&reference);
                return;
            };
            self.drawn.insert(loc);
            if let Some(said) = self.marks.objects.get(&loc) {
                self.page.mark(self.page.column(), &reference, said);
            }
            if let Some(label) = self.labels.get(&loc) {
                let label = format!("{reference} {label}");
                self.page.put(&label);
                return;
            }
            let mut successors = self.successors(cell);
            let object = self.object(&reference, cell, &successors);
            self.page.put(&object);
            match successors.len() {
                0 => return,
                1 => {
                    let (name, next) = successors.remove(0);
                    let arrow = format!(" ─{name}─► ");
                    if self.page.column() + width(&arrow) + 24 > WIDTH {
                        self.page.end_line();
                        self.page.put(margin);
                        self.page.put(arrow.trim_start());
                    } else {
                        self.page.put(&arrow);
                    }
                    loc = next;
                }
                _ => {
                    let branches = branches(margin, &successors);
                    queue.extend(branches.into_iter().rev());
                    return;
                }
            }
        }
    }

    /// What is inside of the objects that are drawn as a text.
    fn inside(&self) -> BTreeSet<Loc> {
        let mut inside = BTreeSet::new();
        let mut pending: Vec<Loc> = self.labels.keys().copied().collect();
        while let Some(loc) = pending.pop() {
            let contents = self.heap.cells.get(&loc).map(|cell| &cell.fields);
            for value in contents.into_iter().flatten() {
                if let Value::Ref(loc) = *value
                    && inside.insert(loc)
                {
                    pending.push(loc);
                }
            }
        }
        inside
    }

    /// Whether an object is drawn already.
    pub fn is_drawn(&self, loc: Loc) -> bool {
        self.drawn.contains(&loc)
    }
}

/// The lines for several successors of one object, their arrows made equally long.
fn branches(margin: &str, successors: &[(String, Loc)]) -> Vec<Pending> {
    let longest = successors.iter().map(|(name, _)| width(name)).max();
    let longest = longest.unwrap_or(0);
    let last = successors.len().saturating_sub(1);
    (successors.iter().enumerate())
        .map(|(position, (name, loc))| {
            let (corner, below) = if position == last {
                ('└', ' ')
            } else {
                ('├', '│')
            };
            let dashes = "─".repeat(longest - width(name) + 1);
            let lead = format!("{margin}{corner}─{name}{dashes}► ");
            let indent = " ".repeat(width(&lead) - width(margin) - 1);
            Pending {
                margin: format!("{margin}{below}{indent}"),
                lead,
                loc: *loc,
            }
        })
        .collect()
}
