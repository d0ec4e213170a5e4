//! Heaps drawn as text.
//!
//! An object is drawn where the first path from a root reaches it and has a number by which
//! every later reference names it, so that sharing and cycles stay readable:
//!
//! ```text
//! root ─► #1 Node(value: 1)
//!         ├─left──► #2 Node(value: 0, left: null, right: null)
//!         └─right─► #3 Node(value: 2, left: null, right: null)
//! ```
//!
//! An object with a single successor goes on in the same line, so lists are rows. The elements of
//! an array are in braces, `#1 int[] {3, 4}`; strings and boxed numbers are shown as their values,
//! `#2 "abc"`, without the objects inside of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_logic::{Cell, Definitions, Heap, IntType, Loc, Sort, Value};

/// A row is continued in the next line when it would become wider than this.
const WIDTH: usize = 100;

/// An object nested deeper than this many columns is drawn further down, as a root of its own.
const DEEPEST: usize = 60;

/// Elements of an array beyond this many are only counted.
const ELEMENTS: usize = 32;

/// The text of a string is cut here.
const LABEL: usize = 60;

/// Places of a heap that something is said about.
#[derive(Clone, Default, Debug)]
pub struct Marks {
    /// What is said about objects.
    pub objects: BTreeMap<Loc, String>,
    /// What is said about roots.
    pub roots: Vec<(String, String)>,
    /// Whether objects have their addresses as numbers, because a text beside the picture does.
    pub addresses: bool,
}

/// Draws the objects that the named roots reach, then the roots that are no references, then
/// whatever was not reached.
pub fn draw(definitions: &Definitions, roots: &[(String, Value)], heap: &Heap) -> String {
    draw_marked(definitions, roots, heap, &Marks::default())
}

/// The same with marks below the places:
///
/// ```text
/// root ─► #1 Node(value: 1, left: null, right: null)
///         ^^ root is null?
/// ```
pub fn draw_marked(
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
    marks: &Marks,
) -> String {
    let mut picture = Picture {
        definitions,
        heap,
        marks,
        pending_marks: Vec::new(),
        labels: labels(definitions, heap),
        numbers: BTreeMap::new(),
        drawn: BTreeSet::new(),
        text: String::new(),
        line_start: 0,
        column: 0,
    };
    for (name, value) in roots {
        if let Value::Ref(loc) = value {
            for (_, said) in marks.roots.iter().filter(|(marked, _)| marked == name) {
                let mark = (0, width(name), said.clone());
                picture.pending_marks.push(mark);
            }
            picture.root(&format!("{name} ─► "), *loc);
        }
    }
    picture.scalars(roots);
    let inside = picture.inside();
    for &loc in heap.cells.keys() {
        if !picture.drawn.contains(&loc) && !inside.contains(&loc) {
            picture.root("", loc);
        }
    }
    if picture.text.is_empty() {
        picture.line("the empty heap");
    }
    picture.text
}

/// A value that is not a reference, as specifications write it.
pub fn show_value(value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Ref(Loc(address)) => format!("@{address}"),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Single(bits) => format!("{:?}", f32::from_bits(bits)),
        Value::Double(bits) => format!("{:?}", f64::from_bits(bits)),
    }
}

/// The objects that are shown as a text, which is made fit for a line.
pub fn labels(definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
    let labels = heapwright_java::display::labels(definitions, heap).into_iter();
    let fit = |label: String| {
        let cut = label.chars().count() > LABEL;
        let mut text: String = label.chars().take(LABEL).collect();
        if cut {
            text.push('…');
        }
        text
    };
    labels.map(|(loc, label)| (loc, fit(label))).collect()
}

/// One element of an array, or one field, which is no reference.
pub fn show_scalar(value: Value, sort: Sort) -> String {
    match (value, sort) {
        (Value::Int(code), Sort::Machine(IntType::Char)) => show_char(code),
        (scalar, _) => show_value(scalar),
    }
}

struct Picture<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
    marks: &'a Marks,
    /// Marks for the line that is being written: column, width and what is said.
    pending_marks: Vec<(usize, usize, String)>,
    /// The objects that are drawn as a text.
    labels: BTreeMap<Loc, String>,
    /// Numbers of objects and of dangling addresses, by order of first mention.
    numbers: BTreeMap<Loc, usize>,
    drawn: BTreeSet<Loc>,
    text: String,
    /// Where the line begins in the text.
    line_start: usize,
    /// Width of the line so far.
    column: usize,
}

/// An object still to be drawn: what comes before it, and how the lines below it begin.
struct Pending {
    lead: String,
    margin: String,
    loc: Loc,
}

impl Picture<'_> {
    /// `lo = 0, hi = 4, left = null`: whatever is not drawn as an arrow.
    fn scalars(&mut self, roots: &[(String, Value)]) {
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
                        self.pending_marks
                            .push((column, width(scalar), said.clone()));
                    }
                    column += width(scalar) + 2;
                }
            }
            self.line(&line);
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
        let mut postponed = std::collections::VecDeque::new();
        loop {
            while let Some(next) = queue.pop() {
                self.put(&next.lead);
                if width(&next.margin) > DEEPEST && !self.is_drawn(next.loc) {
                    let reference = self.reference(next.loc);
                    self.put(&format!("{reference} (below)"));
                    postponed.push_back(next.loc);
                } else {
                    self.row(next.loc, &next.margin, &mut queue);
                }
                self.end_line();
            }
            match postponed.pop_front() {
                None => return,
                Some(loc) if self.drawn.contains(&loc) => {}
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
                self.put(&reference);
                return;
            };
            self.drawn.insert(loc);
            if let Some(said) = self.marks.objects.get(&loc) {
                let mark = (self.column, width(&reference), said.clone());
                self.pending_marks.push(mark);
            }
            if let Some(label) = self.labels.get(&loc) {
                let label = format!("{reference} {label}");
                self.put(&label);
                return;
            }
            let mut successors = self.successors(cell);
            let object = self.object(&reference, cell, &successors);
            self.put(&object);
            match successors.len() {
                0 => return,
                1 => {
                    let (name, next) = successors.remove(0);
                    let arrow = format!(" ─{name}─► ");
                    if self.column + width(&arrow) + 24 > WIDTH {
                        self.end_line();
                        self.put(margin);
                        self.put(arrow.trim_start());
                    } else {
                        self.put(&arrow);
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

    /// The names, sorts and values of the fields or elements of an object.
    fn contents(&self, cell: &Cell) -> Vec<(String, Sort, Value)> {
        if let Some(element) = self.definitions.element_sort(cell.class) {
            let elements = cell.fields.iter().enumerate();
            return elements
                .map(|(index, &value)| (format!("[{index}]"), element, value))
                .collect();
        }
        let fields = self.definitions.class(cell.class).fields.iter();
        (fields.zip(&cell.fields))
            .map(|(field, &value)| (field.name.clone(), field.sort, value))
            .collect()
    }

    /// The fields that lead to objects not drawn yet, one field for each object.
    fn successors(&self, cell: &Cell) -> Vec<(String, Loc)> {
        let mut found = BTreeSet::new();
        let mut successors: Vec<(String, Loc)> = Vec::new();
        for (name, _, value) in self.contents(cell) {
            if let Value::Ref(loc) = value
                && self.heap.cells.contains_key(&loc)
                && !self.drawn.contains(&loc)
                && found.insert(loc)
            {
                successors.push((name, loc));
            }
        }
        successors
    }

    /// `#1 Node(value: 3, left: null)` or `#1 int[] {3, 4}`, without what is drawn as arrows.
    fn object(&mut self, reference: &str, cell: &Cell, arrows: &[(String, Loc)]) -> String {
        let is_array = self.definitions.element_sort(cell.class).is_some();
        let arrows: BTreeSet<&str> = arrows.iter().map(|(name, _)| name.as_str()).collect();
        let mut contents = self.contents(cell);
        contents.retain(|(name, ..)| !arrows.contains(name.as_str()));
        let left_out = match is_array {
            true => contents.len().saturating_sub(ELEMENTS),
            false => 0,
        };
        contents.truncate(contents.len() - left_out);
        let mut shown = Vec::with_capacity(contents.len());
        for (name, sort, value) in contents {
            let value = match value {
                Value::Ref(loc) => self.reference(loc),
                scalar => show_scalar(scalar, sort),
            };
            // Elements that are all there need no numbers.
            shown.push(match is_array && arrows.is_empty() {
                true => value,
                false => format!("{name}: {value}"),
            });
        }
        if left_out > 0 {
            shown.push(format!("… {left_out} more"));
        }
        let class = &self.definitions.class(cell.class).name;
        let mut text = format!("{reference} {class}");
        let _ = match (is_array, shown.is_empty()) {
            (true, false) => write!(text, " {{{}}}", shown.join(", ")),
            (true, true) if arrows.is_empty() => write!(text, " {{}}"),
            (false, false) => write!(text, "({})", shown.join(", ")),
            (_, true) => Ok(()),
        };
        text
    }

    /// `#n` for an object, `?n` for an address without a cell.
    fn reference(&mut self, loc: Loc) -> String {
        let count = match self.marks.addresses {
            true => loc.0 as usize,
            false => self.numbers.len() + 1,
        };
        let number = *self.numbers.entry(loc).or_insert(count);
        let mark = if self.heap.cells.contains_key(&loc) {
            '#'
        } else {
            '?'
        };
        format!("{mark}{number}")
    }

    fn is_drawn(&self, loc: Loc) -> bool {
        self.drawn.contains(&loc)
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += width(text);
    }

    fn line(&mut self, text: &str) {
        self.put(text);
        self.end_line();
    }

    fn end_line(&mut self) {
        let line = self.text.get(self.line_start..).unwrap_or("").to_owned();
        self.text.push('\n');
        for (column, width, said) in std::mem::take(&mut self.pending_marks) {
            // Arrows that go on below keep their line.
            let begin = line.chars().take(column).map(|c| match c {
                '│' | '├' => '│',
                _ => ' ',
            });
            self.text.extend(begin);
            self.text.push_str(&"^".repeat(width));
            let _ = writeln!(self.text, " {said}");
        }
        self.line_start = self.text.len();
        self.column = 0;
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

fn width(text: &str) -> usize {
    text.chars().count()
}

fn show_char(code: i128) -> String {
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    match character {
        Some(character) if !character.is_control() => format!("'{character}'"),
        _ => code.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use heapwright_logic::{Class, ClassId, Field};

    fn node() -> (Definitions, ClassId) {
        let mut definitions = Definitions::new();
        let class = definitions.add_class(Class {
            name: "Node".to_owned(),
            fields: Vec::new(),
            superclass: None,
        });
        let field = |name: &str, sort| Field {
            name: name.to_owned(),
            sort,
        };
        definitions.class_mut(class).fields = vec![
            field("value", Sort::Int),
            field("left", Sort::Ref(class)),
            field("right", Sort::Ref(class)),
        ];
        (definitions, class)
    }

    fn check(cells: &[(u32, i128, Option<u32>, Option<u32>)], root: u32, expected: &str) {
        let (definitions, class) = node();
        let reference = |target: Option<u32>| target.map_or(Value::Null, |t| Value::Ref(Loc(t)));
        let mut heap = Heap::default();
        for &(loc, value, left, right) in cells {
            let fields = vec![Value::Int(value), reference(left), reference(right)];
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        let roots = [("x".to_owned(), Value::Ref(Loc(root)))];
        let picture = draw(&definitions, &roots, &heap);
        assert_eq!(
            picture.trim_end(),
            expected.trim_matches('\n'),
            "\n{picture}"
        );
    }

    #[test]
    fn a_tree_branches() {
        check(
            &[
                (7, 1, Some(8), Some(9)),
                (8, 0, None, None),
                (9, 2, None, Some(4)),
                (4, 3, None, None),
            ],
            7,
            "
x ─► #1 Node(value: 1)
     ├─left──► #2 Node(value: 0, left: null, right: null)
     └─right─► #3 Node(value: 2, left: null) ─right─► #4 Node(value: 3, left: null, right: null)",
        );
    }

    #[test]
    fn a_cycle_ends_in_a_number() {
        check(
            &[(1, 0, None, Some(2)), (2, 5, None, Some(1))],
            1,
            "x ─► #1 Node(value: 0, left: null) ─right─► #2 Node(value: 5, left: null, right: #1)",
        );
    }

    #[test]
    fn sharing_dangling_and_unreached_objects_are_shown() {
        check(
            &[
                (1, 0, Some(2), Some(2)),
                (2, 5, Some(30), None),
                (9, 9, None, None),
            ],
            1,
            "
x ─► #1 Node(value: 0, right: #2) ─left─► #2 Node(value: 5, left: ?3, right: null)
#4 Node(value: 9, left: null, right: null)",
        );
    }

    #[test]
    fn a_deep_structure_neither_overflows_nor_outgrows_the_page() {
        let (definitions, class) = node();
        let mut heap = Heap::default();
        // Every node of the left spine also has a right child, so no part of it is a row.
        for level in 0..20_000 {
            let fields = vec![
                Value::Int(0),
                Value::Ref(Loc(2 * level + 2)),
                Value::Ref(Loc(2 * level + 1)),
            ];
            heap.cells.insert(Loc(2 * level), Cell { class, fields });
            let leaf = vec![Value::Int(0), Value::Null, Value::Null];
            heap.cells.insert(
                Loc(2 * level + 1),
                Cell {
                    class,
                    fields: leaf,
                },
            );
        }
        let roots = [("x".to_owned(), Value::Ref(Loc(0)))];
        let picture = draw(&definitions, &roots, &heap);
        assert!(picture.lines().all(|line| width(line) < 200));
        for number in [1, 2, 20_000, 40_000] {
            let object = format!("#{number} Node");
            assert_eq!(picture.matches(&object).count(), 1, "{object}");
        }
    }

    /// Arrays of numbers, of arrays and of objects, strings and a boxed number.
    pub(crate) fn strings_and_arrays() -> (Definitions, Vec<(String, Value)>, Heap) {
        let mut definitions = Definitions::new();
        let mut class = |name: &str, fields: &[(&str, Sort)]| {
            let fields = fields.iter().map(|&(name, sort)| Field {
                name: name.to_owned(),
                sort,
            });
            definitions.add_class(Class {
                name: name.to_owned(),
                fields: fields.collect(),
                superclass: None,
            })
        };
        let machine = Sort::Machine;
        let (ints, grid) = (class("int[]", &[]), class("int[][]", &[]));
        let (chars, bytes) = (class("char[]", &[]), class("byte[]", &[]));
        let objects = class("java.lang.Object[]", &[]);
        let fields = [("value", Sort::Ref(bytes)), ("coder", machine(IntType::I8))];
        let string = class("java.lang.String", &fields);
        let integer = class("java.lang.Integer", &[("value", machine(IntType::I32))]);
        for (array, element) in [
            (ints, machine(IntType::I32)),
            (grid, Sort::Ref(ints)),
            (chars, machine(IntType::Char)),
            (bytes, machine(IntType::I8)),
            (objects, Sort::Ref(ClassId::ANY)),
        ] {
            definitions.set_element_sort(array, element);
        }
        let numbers = |values: &[i128]| values.iter().map(|&n| Value::Int(n)).collect::<Vec<_>>();
        let at = |loc| Value::Ref(Loc(loc));
        let cells = [
            (1, ints, numbers(&[3, -4])),
            (2, grid, vec![at(1), Value::Null, at(3)]),
            (3, ints, Vec::new()),
            (4, chars, numbers(&[0x78, 0xe9, 10])),
            (10, string, vec![at(11), Value::Int(0)]),
            (11, bytes, numbers(&[0x61, 0x22, 0x62, 10])),
            (12, integer, numbers(&[5])),
            (13, objects, vec![at(10), at(12), at(14), at(15)]),
            (14, bytes, numbers(&[1])),
            (15, bytes, Vec::new()),
        ];
        let mut heap = Heap::default();
        for (loc, class, fields) in cells {
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        let roots = [
            ("a", 1),
            ("grid", 2),
            ("letters", 4),
            ("s", 10),
            ("n", 13),
            ("bytes", 14),
        ];
        let roots = roots.map(|(name, loc)| (name.to_owned(), at(loc))).to_vec();
        (definitions, roots, heap)
    }

    #[test]
    fn arrays_are_in_braces_and_strings_in_quotes() {
        let (definitions, roots, heap) = strings_and_arrays();
        let picture = draw(&definitions, &roots, &heap);
        let expected = r#"
a ─► #1 int[] {3, -4}
grid ─► #2 int[][] {[0]: #1, [1]: null} ─[2]─► #3 int[] {}
letters ─► #4 char[] {'x', 'é', 10}
s ─► #5 "a\"b\n"
n ─► #6 java.lang.Object[] {[0]: #5}
     ├─[1]─► #7 Integer 5
     ├─[2]─► #8 byte[] {1}
     └─[3]─► #9 byte[] {}
bytes ─► #8"#;
        assert_eq!(picture.trim_end(), expected.trim_start(), "\n{picture}");
    }

    #[test]
    fn hostile_strings_and_long_arrays_stay_in_their_line() {
        let (definitions, roots, mut heap) = strings_and_arrays();
        let hostile =
            (0..256).map(|byte: i128| Value::Int(if byte < 128 { byte } else { byte - 256 }));
        if let Some(cell) = heap.cells.get_mut(&Loc(11)) {
            cell.fields = hostile.collect();
        }
        if let Some(cell) = heap.cells.get_mut(&Loc(1)) {
            cell.fields = vec![Value::Int(1); 1_000_000];
        }
        let picture = draw(&definitions, &roots, &heap);
        assert_eq!(picture.lines().count(), 9, "{picture}");
        assert!(picture.contains("… 999968 more}"), "{picture}");
        assert!(
            picture.chars().all(|c| c == '\n' || !c.is_control()),
            "{picture:?}"
        );
        assert!(picture.lines().all(|line| width(line) < 150), "{picture}");
    }
}
