//! What must hold of every picture, whatever the heap.

mod scenes;

use std::collections::BTreeSet;

use heapwright_logic::{Cell, ClassId, Definitions, Heap, Loc, Sort, Value};
use heapwright_report::{Labels, Limits, Scene, dot, svg, svg_fragment};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use scenes::{NULL, at, int};

#[derive(Clone, Copy, Debug)]
struct Box {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Box {
    fn of(node: Node) -> Box {
        let number = |name| {
            node.attribute(name)
                .map_or(0.0, |text| text.parse().unwrap())
        };
        let (left, top): (f64, f64) = (number("x"), number("y"));
        Box {
            left,
            top,
            right: left + number("width"),
            bottom: top + number("height"),
        }
    }

    fn overlaps(self, other: Box) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn contains(self, other: Box) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }

    /// Whether a point lies on the border, give or take the rounding of coordinates.
    fn has_on_border(self, (x, y): (f64, f64)) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 0.3;
        let within = |low: f64, at: f64, high: f64| low - 0.3 < at && at < high + 0.3;
        (near(x, self.left) || near(x, self.right)) && within(self.top, y, self.bottom)
            || (near(y, self.top) || near(y, self.bottom)) && within(self.left, x, self.right)
    }
}

fn with_class<'a>(document: &'a Document, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| {
        let classes = node.attribute("class").unwrap_or("");
        classes.split(' ').any(|other| other == class)
    };
    document.descendants().filter(has).collect()
}

/// The first and last points of a path.
fn ends(path: Node) -> [(f64, f64); 2] {
    let data = path.attribute("d").unwrap();
    let numbers: Vec<f64> = (data.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-'))
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().unwrap())
        .collect();
    let last = numbers.len() - 2;
    [(numbers[0], numbers[1]), (numbers[last], numbers[last + 1])]
}

/// Checks everything that can be read off the SVG itself; returns its parsed form to `more`.
fn check(scene: &Scene, more: impl Fn(&Document)) {
    let text = svg(scene);
    assert_eq!(text, svg(scene), "same scene, same bytes");
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let page = Box::of(with_class(&document, "hw-page")[0]);
    let frames: Vec<Box> = with_class(&document, "hw-box")
        .into_iter()
        .map(Box::of)
        .collect();
    let tags: Vec<Box> = with_class(&document, "hw-tag")
        .into_iter()
        .map(Box::of)
        .collect();
    let all: Vec<Box> = frames.iter().chain(&tags).copied().collect();
    for (index, one) in all.iter().enumerate() {
        assert!(page.contains(*one), "{one:?} leaves the page\n{text}");
        for other in &all[index + 1..] {
            assert!(
                !one.overlaps(*other),
                "{one:?} and {other:?} overlap\n{text}"
            );
        }
    }
    for edge in with_class(&document, "hw-edge") {
        let path = edge.children().find(|child| child.has_tag_name("path"));
        for end in ends(path.unwrap()) {
            let touches = frames.iter().any(|frame| frame.has_on_border(end));
            assert!(touches, "{end:?} is on no border\n{text}");
        }
    }
    assert!(with_class(&document, "hw-root").len() == tags.len());
    let forbidden = ["script", "foreignObject", "image", "use", "a", "iframe"];
    assert!(
        document
            .descendants()
            .all(|node| !forbidden.contains(&node.tag_name().name()))
    );
    more(&document);
}

fn titles<'a>(document: &'a Document, class: &str) -> BTreeSet<&'a str> {
    (with_class(document, class).into_iter())
        .filter_map(|node| node.children().find(|child| child.has_tag_name("title")))
        .filter_map(|title| title.text())
        .collect()
}

#[test]
fn every_object_reference_and_root_is_drawn_once() {
    for example in scenes::all() {
        let drawn = example.heap.cells.len().min(60);
        check(&example.scene(), |document| {
            if example.before.is_none() {
                let objects = with_class(document, "hw-object");
                assert_eq!(objects.len(), drawn, "{}", example.name);
                assert_eq!(
                    titles(document, "hw-object").len(),
                    drawn,
                    "{}",
                    example.name
                );
                let references = (example.heap.cells.values())
                    .flat_map(|cell| &cell.fields)
                    .filter(|value| matches!(value, Value::Ref(loc) if example.heap.cells.contains_key(loc)))
                    .count();
                if drawn == example.heap.cells.len() {
                    assert_eq!(
                        with_class(document, "hw-edge").len(),
                        references,
                        "{}",
                        example.name
                    );
                }
            }
            let text = dot(&example.scene());
            let nodes = text
                .lines()
                .filter(|line| line.starts_with("  n") && line.contains("label=\""));
            assert_eq!(nodes.count(), with_class(document, "hw-object").len());
        });
    }
}

/// The boxes by number.
fn frames(document: &Document) -> Vec<Box> {
    let mut frames: Vec<(usize, Box)> = (with_class(document, "hw-object").into_iter())
        .map(|object| {
            let mut children = object.children();
            let title = children.find_map(|child| child.text()).unwrap();
            let number = title.split('#').nth(1).unwrap();
            let number = number.split(' ').next().unwrap();
            let frame = children.find(|child| child.attribute("class") == Some("hw-box"));
            (number.parse().unwrap(), Box::of(frame.unwrap()))
        })
        .collect();
    frames.sort_by_key(|(number, _)| *number);
    frames.into_iter().map(|(_, frame)| frame).collect()
}

#[test]
fn lists_are_rows_and_trees_have_levels() {
    let all = scenes::all();
    let named = |name: &str| all.iter().find(|example| example.name == name).unwrap();
    let rows = [
        "list of five",
        "circular list",
        "doubly linked list",
        "circular doubly linked list",
        "list with header",
    ];
    for name in rows {
        check(&named(name).scene(), |document| {
            let frames = frames(document);
            for pair in frames.windows(2) {
                assert!(pair[0].right < pair[1].left, "{name}: {frames:?}");
                assert_eq!(pair[0].top, pair[1].top, "{name}: {frames:?}");
            }
        });
    }
    check(&named("search tree").scene(), |document| {
        let frames = frames(document);
        let tops: Vec<f64> = frames.iter().map(|frame| frame.top).collect();
        // Numbers follow a walk from the root, left before right.
        let level = |of: &[usize]| of.iter().all(|n| tops[n - 1] == tops[of[0] - 1]);
        assert!(
            level(&[2, 7]) && level(&[3, 4, 8]) && level(&[5, 6, 9]),
            "{tops:?}"
        );
        let middle = |number: usize| (frames[number - 1].left + frames[number - 1].right) / 2.0;
        assert!((middle(1) - (middle(2) + middle(7)) / 2.0).abs() < 0.2);
        assert!((middle(4) - (middle(5) + middle(6)) / 2.0).abs() < 0.2);
        assert!(middle(9) < middle(8) && middle(8) > middle(7));
    });
    check(&named("degenerate tree").scene(), |document| {
        for pair in frames(document).windows(2) {
            assert!(pair[0].bottom < pair[1].top && pair[0].left < pair[1].left);
        }
    });
    let leaves = ["#3.next → #4", "#4.next → #6", "#6.next → #7"];
    check(&named("tree with linked leaves").scene(), |document| {
        let drawn = titles(document, "hw-edge");
        assert!(
            leaves.iter().all(|title| drawn.contains(title)),
            "{drawn:?}"
        );
        let back = titles(document, "hw-back");
        assert_eq!(
            back.iter()
                .filter(|title| title.contains(".parent "))
                .count(),
            6
        );
        let frames = frames(document);
        assert!(frames[4].top == frames[2].top && frames[3].top == frames[5].top);
    });
}

#[test]
fn references_are_named_by_field_and_numbers() {
    let example = scenes::search_tree();
    check(&example.scene(), |document| {
        let expected = [
            "#1.left → #2",
            "#1.right → #7",
            "#2.left → #3",
            "#2.right → #4",
        ];
        let drawn = titles(document, "hw-edge");
        assert!(
            expected.iter().all(|title| drawn.contains(title)),
            "{drawn:?}"
        );
    });
}

#[test]
fn a_large_heap_is_cut_with_a_note() {
    let example = scenes::list("list", 5000);
    check(&example.scene(), |document| {
        let notes: Vec<&str> = (with_class(document, "hw-note").iter())
            .filter_map(|note| note.text())
            .collect();
        assert_eq!(notes, ["and 4940 more objects"]);
    });
    let mut scene = example.scene();
    scene.limits = Limits {
        objects: 3,
        ..Limits::default()
    };
    assert!(dot(&scene).contains("and 4997 more objects"));
    assert!(svg(&scene).contains("#4…"));
}

#[test]
fn the_densest_graph_stays_within_bounds() {
    let mut example = scenes::example("dense", "Node", &[], &[]);
    let class = example.definitions.class_named("Node").unwrap();
    for address in 0..150 {
        let fields: Vec<Value> = (0..40)
            .map(|step| scenes::at((address * 7 + step * 11) % 150))
            .collect();
        scenes::fill(&mut example.heap, class, &[(address, &fields)]);
    }
    let mut scene = example.scene();
    scene.limits = Limits {
        objects: usize::MAX,
        fields: usize::MAX,
        roots: usize::MAX,
    };
    check(&scene, |document| {
        assert_eq!(with_class(document, "hw-object").len(), 120);
        assert_eq!(with_class(document, "hw-edge").len(), 1000);
    });
}

#[test]
fn changes_are_said_in_words() {
    let all = scenes::all();
    let named = |name: &str| {
        all.iter()
            .find(|example| example.name.contains(name))
            .unwrap()
    };
    check(&named("root freed").scene(), |document| {
        assert!(titles(document, "hw-object").contains("Node #1 freed"));
        assert!(titles(document, "hw-object").contains("Node #10 new"));
        let description = document
            .descendants()
            .find(|node| node.has_tag_name("desc"));
        let description = description.and_then(|node| node.text()).unwrap();
        assert!(
            description.contains("1 new, 1 freed, 2 fields changed"),
            "{description}"
        );
        assert!(
            description.contains("root (was #1) points to #7"),
            "{description}"
        );
        assert!(description.contains("n = 9 (was 8)"), "{description}");
    });
    check(&named("remove(3)").scene(), |document| {
        assert!(titles(document, "hw-object").contains("Node #5 unreachable"));
        assert!(titles(document, "hw-edge").contains("#4.left → #5 (before)"));
        assert_eq!(with_class(document, "hw-fill").len(), 2);
    });
}

/// The places of objects on a page, relative to the first one.
fn places(document: &Document) -> Vec<(f64, f64, f64, f64)> {
    let frames = frames(document);
    let (x, y) = (frames[0].left, frames[0].top);
    let place = |frame: &Box| {
        let round = |number: f64| (number * 10.0).round() / 10.0;
        let (width, height) = (frame.right - frame.left, frame.bottom - frame.top);
        (
            round(frame.left - x),
            round(frame.top - y),
            round(width),
            round(height),
        )
    };
    frames.iter().map(place).collect()
}

#[test]
fn objects_keep_their_places() {
    let mut compared = 0;
    for example in scenes::all() {
        let Some((roots, heap)) = &example.before else {
            continue;
        };
        let before = Scene::new(&example.definitions, roots, heap);
        let before = before.followed_by(&example.roots, &example.heap, None);
        check(&before, |before| {
            let before = places(before);
            check(&example.scene(), |after| {
                let after = places(after);
                assert_eq!(before, after[..before.len()], "{}", example.name);
            });
        });
        compared += 1;
    }
    assert!(compared > 1);
}

#[test]
fn names_cannot_break_out_of_the_text() {
    let all = scenes::all();
    let hostile = all
        .iter()
        .find(|example| example.name.contains("<title>"))
        .unwrap();
    check(&hostile.scene(), |document| {
        assert_eq!(
            document.root_element().attribute("aria-label"),
            Some("<title> & \"more\"")
        );
        let whole = titles(document, "hw-object");
        assert!(
            whole
                .iter()
                .any(|title| title.contains("<script>alert('x')</script>&\"]]>"))
        );
    });
    let text = dot(&hostile.scene());
    assert!(text.contains(r#"\{\|\}\<\>\\\"&amp;amp;"#), "{text}");
}

#[test]
fn a_fragment_leaves_the_style_to_the_page() {
    let example = scenes::search_tree();
    let fragment = svg_fragment(&example.scene());
    assert!(!fragment.contains("<style"));
    assert!(svg(&example.scene()).contains("prefers-color-scheme:dark"));
    assert!(fragment.len() < 8_000, "{}", fragment.len());
}

#[test]
fn dot_of_a_list() {
    let expected = r##"digraph heap {
  label="list";
  rankdir=LR;
  node [shape=record, fontname="monospace", fontsize=10];
  edge [fontname="monospace", fontsize=10];
  n0 [label="Node #1|value 3|<f1> next"];
  n1 [label="Node #2|value 6|<f1> next /"];
  n0:f1 -> n1;
  r0 [shape=plaintext, label="head"];
  r0 -> n0;
}
"##;
    assert_eq!(dot(&scenes::list("list", 2).scene()), expected);
}

#[test]
fn dot_of_a_change() {
    let mut example = scenes::search_tree();
    let before = example.heap.clone();
    example
        .heap
        .cells
        .retain(|loc, _| loc.0 != 2 && loc.0 != 4 && loc.0 != 5 && loc.0 < 7);
    if let Some(root) = example.heap.cells.get_mut(&Loc(1)) {
        root.fields = vec![scenes::int(9), scenes::NULL, scenes::at(3)];
    }
    let before_cells = before
        .cells
        .into_iter()
        .filter(|(loc, _)| loc.0 < 4 || loc.0 == 6);
    let before = Heap {
        cells: before_cells.collect(),
    };
    let roots = example.roots.clone();
    let scene = Scene::new(&example.definitions, &example.roots, &example.heap)
        .titled("after")
        .compared_with(&roots, &before);
    let expected = r##"digraph heap {
  label="after";
  rankdir=TB;
  node [shape=record, fontname="monospace", fontsize=10];
  edge [fontname="monospace", fontsize=10];
  n0 [label="{Node #1|key 9 was 8|{<f1> left / was #2|<f2> right}}"];
  n1 [label="{Node #5|key 10|{<f1> left /|<f2> right}}"];
  n2 [label="{Node #6|key 14|{<f1> left ?7|<f2> right /}}"];
  n3 [label="{Node #2 freed|key 3|{<f1> left ?3|<f2> right ?4}}", color="#b91c1c", style=dashed];
  n0:f1 -> n3 [color="#b45309", style=dotted];
  n0:f2 -> n1;
  n1:f2 -> n2;
  r0 [shape=plaintext, label="root"];
  r0 -> n0;
}
"##;
    assert_eq!(dot(&scene), expected);
}

/// Objects of two classes with references anywhere, also out of the heap.
fn heaps() -> impl Strategy<Value = Heap> {
    let value = prop_oneof![
        3 => (0u32..40).prop_map(|address| Value::Ref(Loc(address))),
        1 => Just(Value::Null),
        1 => any::<i128>().prop_map(Value::Int),
    ];
    // The third class does not exist, and objects may have more or fewer fields than declared.
    let cell = (1u32..4, prop::collection::vec(value, 0..5));
    prop::collection::btree_map(0u32..30, cell, 0..30).prop_map(|cells| Heap {
        cells: (cells.into_iter())
            .map(|(address, (class, fields))| {
                let class = heapwright_logic::ClassId(class);
                (Loc(address), heapwright_logic::Cell { class, fields })
            })
            .collect(),
    })
}

fn definitions() -> Definitions {
    let mut definitions = Definitions::new();
    scenes::class(&mut definitions, "pkg.A", &["next*", "prev*", "value"]);
    scenes::class(&mut definitions, "pkg.B", &["key", "left*", "right*"]);
    definitions
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_two_heaps_give_a_sound_picture_of_bounded_size(
        now in heaps(),
        before in prop::option::of(heaps()),
        names in prop::collection::vec(("[a-z<&]{0,40}", 0u32..40), 0..5),
        objects in 1usize..40,
    ) {
        let definitions = definitions();
        let roots: Vec<(String, Value)> = (names.into_iter())
            .map(|(name, address)| (name, scenes::at(address)))
            .collect();
        let mut scene = Scene::new(&definitions, &roots, &now);
        scene.limits.objects = objects;
        if let Some(before) = &before {
            scene = scene.compared_with(&roots, before);
        }
        check(&scene, |document| {
            let drawn = with_class(document, "hw-object").len();
            let gone = before.iter().flat_map(|heap| heap.cells.keys());
            let gone = gone.filter(|loc| !now.cells.contains_key(loc)).count();
            assert_eq!(drawn, (now.cells.len() + gone).min(objects));
            let page = Box::of(with_class(document, "hw-page")[0]);
            assert!(page.right < 8_000.0 && page.bottom < 8_000.0, "{page:?}");
        });
        prop_assert!(svg(&scene).len() < 120_000);
        if let Some(before) = &before {
            let first = Scene::new(&definitions, &roots, before);
            check(&first.followed_by(&roots, &now, None), |_| {});
        }
    }
}

/// An array of two strings and a number of its own; the characters are objects too.
fn strings() -> (Definitions, Heap, Labels) {
    let mut definitions = Definitions::new();
    let array = scenes::class(&mut definitions, "java.lang.Object[]", &[]);
    definitions.set_element_sort(array, Sort::Ref(ClassId::ANY));
    let bytes = scenes::class(&mut definitions, "byte[]", &[]);
    definitions.set_element_sort(bytes, Sort::Int);
    let string = scenes::class(&mut definitions, "java.lang.String", &["value*"]);
    let mut heap = Heap::default();
    let mut add = |loc, class, fields: &[Value]| {
        let fields = fields.to_vec();
        heap.cells.insert(Loc(loc), Cell { class, fields });
    };
    add(1, array, &[at(2), NULL, at(3), at(2)]);
    add(2, string, &[at(12)]);
    add(12, bytes, &[int(97), int(98)]);
    add(3, string, &[at(13)]);
    add(13, bytes, &[int(60)]);
    // Garbage: a string, and an array of bytes that it shares with nobody.
    add(4, string, &[at(14)]);
    add(14, bytes, &[]);
    let labels = [
        (2, "\"ab\""),
        (3, "\"<script>&\u{1b}\u{202e}|{\""),
        (4, "\"\""),
    ];
    let labels = labels.map(|(loc, text)| (Loc(loc), text.to_owned()));
    (definitions, heap, labels.into())
}

#[test]
fn strings_are_one_node_each() {
    let (definitions, heap, labels) = strings();
    let roots = [("a".to_owned(), at(1))];
    let scene = Scene::new(&definitions, &roots, &heap).labelled(&labels, &labels);
    check(&scene, |document| {
        assert_eq!(with_class(document, "hw-object").len(), 4);
    });
    let graph = dot(&scene);
    let nodes: Vec<&str> = (graph.lines().skip(5))
        .take_while(|line| line.contains("label"))
        .collect();
    assert_eq!(
        nodes,
        [
            r##"  n0 [label="{Object[] #1|{<f0> [0]|<f1> [1] /|<f2> [2]|<f3> [3]}}"];"##,
            r##"  n1 [label="{\"ab\" #2}"];"##,
            "  n2 [label=\"{\\\"\\<script\\>&amp;\u{fffd}\u{fffd}\\|\\{\\\" #3}\"];",
            r##"  n3 [label="{\"\" #4 unreachable}", color=gray, style=dotted];"##,
        ],
        "{graph}"
    );
}

#[test]
fn characters_that_something_else_leads_to_are_shown() {
    let (definitions, heap, labels) = strings();
    let roots = [("a".to_owned(), at(1)), ("b".to_owned(), at(12))];
    let scene = Scene::new(&definitions, &roots, &heap).labelled(&labels, &labels);
    check(&scene, |document| {
        assert_eq!(with_class(document, "hw-object").len(), 5);
    });
    assert!(
        dot(&scene).contains("byte[] #3|[0] 97|[1] 98"),
        "{}",
        dot(&scene)
    );
}

#[test]
fn a_text_that_changed_says_what_it_was() {
    let (definitions, heap, before) = strings();
    let mut after = before.clone();
    after.insert(Loc(2), "\"cd\"".to_owned());
    let roots = [("a".to_owned(), at(1))];
    let scene = Scene::new(&definitions, &roots, &heap)
        .compared_with(&roots, &heap)
        .labelled(&after, &before);
    assert!(
        dot(&scene).contains(r#"\"cd\" (was \"ab\") #2"#),
        "{}",
        dot(&scene)
    );
}
