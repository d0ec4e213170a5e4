//! Enumeration of the shape library against counts that were found in another way: by the
//! literature, or by brute force over all trees with the definitions written as plain code.

use crate::common::heapwright;

/// How many models of exactly `size` objects the command counts.
fn count(target: &str, size: usize) -> usize {
    let size = size.to_string();
    let run = heapwright(&["enumerate", target, "--size", &size, "--count"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout.trim().parse().expect("a count")
}

fn check(target: &str, expected: &[usize]) {
    let sizes = 1..=expected.len();
    let found: Vec<usize> = sizes.map(|size| count(target, size)).collect();
    assert_eq!(found, expected, "{target}");
}

/// A binary tree; inner nodes are numbered in preorder.
#[derive(Clone)]
enum Tree {
    Empty,
    Node(usize, Box<Tree>, Box<Tree>),
}

/// All binary trees of `size` nodes, whose numbers start with `first`.
fn trees(size: usize, first: usize) -> Vec<Tree> {
    if size == 0 {
        return vec![Tree::Empty];
    }
    let mut all = Vec::new();
    for left_size in 0..size {
        for left in trees(left_size, first + 1) {
            for right in trees(size - 1 - left_size, first + 1 + left_size) {
                all.push(Tree::Node(first, Box::new(left.clone()), Box::new(right)));
            }
        }
    }
    all
}

/// How many trees of `size` nodes there are whose nodes can be labelled with 0 to `labels - 1` so
/// that the property holds, counting every labelling.
fn brute_force(size: usize, labels: usize, holds: fn(&Tree, &[usize]) -> bool) -> usize {
    let trees = trees(size, 0);
    let labellings = labels.pow(size as u32);
    let mut count = 0;
    for code in 0..labellings {
        let digit = |node: usize| code / labels.pow(node as u32) % labels;
        let labelling: Vec<usize> = (0..size).map(digit).collect();
        count += trees.iter().filter(|tree| holds(tree, &labelling)).count();
    }
    count
}

fn height(tree: &Tree) -> usize {
    match tree {
        Tree::Empty => 0,
        Tree::Node(_, left, right) => 1 + height(left).max(height(right)),
    }
}

fn is_balanced(tree: &Tree) -> bool {
    match tree {
        Tree::Empty => true,
        Tree::Node(_, left, right) => {
            let difference = height(left).abs_diff(height(right));
            difference <= 1 && is_balanced(left) && is_balanced(right)
        }
    }
}

/// Label 0 is black, 1 is red.
fn is_red_black(tree: &Tree, colours: &[usize]) -> bool {
    fn is_red(tree: &Tree, colours: &[usize]) -> bool {
        matches!(tree, Tree::Node(node, ..) if colours[*node] == 1)
    }
    /// The black height, if all ways down agree on it and no red node has a red child.
    fn black_height(tree: &Tree, colours: &[usize]) -> Option<usize> {
        let Tree::Node(node, left, right) = tree else {
            return Some(0);
        };
        let red = colours[*node] == 1;
        if red && (is_red(left, colours) || is_red(right, colours)) {
            return None;
        }
        let below = black_height(left, colours)?;
        (black_height(right, colours)? == below).then_some(below + usize::from(!red))
    }
    black_height(tree, colours).is_some()
}

fn is_red_black_with_black_root(tree: &Tree, colours: &[usize]) -> bool {
    colours[0] == 0 && is_red_black(tree, colours)
}

/// The five rules of Andersson's trees as textbooks list them; label `k` is level `k + 1`.
fn is_aa(tree: &Tree, levels: &[usize]) -> bool {
    let level = |tree: &Tree| match tree {
        Tree::Empty => 0,
        Tree::Node(node, ..) => levels[*node] + 1,
    };
    let Tree::Node(_, left, right) = tree else {
        return true;
    };
    let here = level(tree);
    let is_leaf = matches!((&**left, &**right), (Tree::Empty, Tree::Empty));
    let has_both = !matches!(**left, Tree::Empty) && !matches!(**right, Tree::Empty);
    let right_grandchild = match &**right {
        Tree::Empty => 0,
        Tree::Node(_, _, grandchild) => level(grandchild),
    };
    (!is_leaf || here == 1)
        && level(left) + 1 == here
        && (level(right) == here || level(right) + 1 == here)
        && right_grandchild < here
        && (here == 1 || has_both)
        && is_aa(left, levels)
        && is_aa(right, levels)
}

/// Every level but the last is full, and the last one is filled from the left: the numbers that
/// an array-based heap would give to the nodes have no gap.
fn is_complete(tree: &Tree) -> bool {
    fn positions(tree: &Tree, position: usize, found: &mut Vec<usize>) {
        if let Tree::Node(_, left, right) = tree {
            found.push(position);
            positions(left, 2 * position, found);
            positions(right, 2 * position + 1, found);
        }
    }
    let mut found = Vec::new();
    positions(tree, 1, &mut found);
    found.iter().all(|&position| position <= found.len())
}

fn is_heap_ordered(tree: &Tree, values: &[usize]) -> bool {
    let Tree::Node(node, left, right) = tree else {
        return true;
    };
    let below = |child: &Tree| match child {
        Tree::Empty => true,
        Tree::Node(child, ..) => values[*child] <= values[*node],
    };
    below(left) && below(right) && is_heap_ordered(left, values) && is_heap_ordered(right, values)
}

/// Values that stand for their order: each rank from 0 on occurs.
fn are_ranks(values: &[usize]) -> bool {
    let highest = values.iter().max().copied().unwrap_or(0);
    (0..highest).all(|rank| values.contains(&rank))
}

fn is_ranked_heap(tree: &Tree, values: &[usize]) -> bool {
    are_ranks(values) && is_heap_ordered(tree, values)
}

fn is_ranked_complete_heap(tree: &Tree, values: &[usize]) -> bool {
    is_complete(tree) && is_ranked_heap(tree, values)
}

fn check_brute_force(target: &str, most: usize, labels: usize, holds: fn(&Tree, &[usize]) -> bool) {
    let expected: Vec<usize> = (1..=most)
        .map(|size| brute_force(size, labels, holds))
        .collect();
    check(target, &expected);
}

#[test]
fn sizes_as_parameters_agree_with_the_number_of_objects() {
    for (target, fitting) in [
        ("singly_linked_list#list_of_length(x, 4)", 1),
        ("doubly_linked_list#deque_of_length(x, y, 4)", 1),
        ("circular_list#circular_dll_of_length(x, 4)", 1),
        ("binary_tree#binary_tree_of_size(x, 4)", 14),
        ("search_tree#search_tree_of_size(x, lo, hi, 4)", 14),
        ("avl_tree#avl_tree_of_size(x, lo, hi, h, 4)", 4),
        ("red_black_tree#red_black_tree_of_size(x, lo, hi, bh, 4)", 4),
        ("aa_tree#aa_tree_of_size(x, lo, hi, k, 4)", 2),
    ] {
        assert_eq!(count(target, 4), fitting, "{target}");
        assert_eq!(count(target, 3), 0, "{target}");
        assert_eq!(count(target, 5), 0, "{target}");
    }
}

#[test]
fn lists_have_one_shape_for_each_length() {
    check("singly_linked_list#list", &[1; 6]);
    check("doubly_linked_list#deque", &[1; 6]);
    check("circular_list#circular_list", &[1; 6]);
    check("circular_list#circular_dll", &[1; 6]);
    check("sorted_list#strictly_sorted_list", &[1; 6]);
}

#[test]
fn a_sorted_list_may_repeat_values_anywhere() {
    // Each of the gaps between neighbours is either a step or a repetition.
    check("sorted_list#sorted_list", &[1, 2, 4, 8, 16, 32]);
}

#[test]
fn binary_trees_are_counted_by_catalan_numbers() {
    let catalan = [1, 2, 5, 14, 42, 132, 429, 1430];
    check("binary_tree#binary_tree", &catalan);
    check("search_tree#search_tree", &catalan);
    check("parent_tree#parent_tree(x, null)", &catalan[..6]);
    check(
        "parent_tree#parent_search_tree(x, null, lo, hi)",
        &catalan[..6],
    );
}

#[test]
fn a_tree_of_n_linked_leaves_is_a_binary_tree_of_n_minus_1_inner_nodes() {
    let target = "linked_leaves#linked_leaves(x, null, first, null)";
    check(target, &[1, 0, 1, 0, 2, 0, 5, 0, 14]);
}

#[test]
fn avl_trees() {
    check("avl_tree#avl_tree", &[1, 2, 1, 4, 6, 4, 17, 32, 44, 60]);
    check("avl_tree#stored_avl_tree", &[1, 2, 1, 4, 6, 4, 17]);
    check_brute_force("avl_tree#avl_tree", 8, 1, |tree, _| is_balanced(tree));
}

#[test]
fn red_black_trees() {
    let any_root = [2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586];
    check("red_black_tree#red_black", &any_root);
    check("red_black_tree#red_black_tree", &[1, 2, 2, 4, 8, 16]);
    check_brute_force("red_black_tree#red_black", 7, 2, is_red_black);
    let target = "red_black_tree#parent_red_black_tree";
    check_brute_force(target, 6, 2, is_red_black_with_black_root);
}

#[test]
fn aa_trees() {
    // No tree of up to seven nodes has more than three levels.
    check_brute_force("aa_tree#aa_tree", 7, 3, is_aa);
}

#[test]
fn perfect_trees_have_a_power_of_two_less_one_nodes() {
    check("binary_tree#perfect_tree", &[1, 0, 1, 0, 0, 0, 1]);
}

#[test]
fn heaps_are_counted_with_the_orders_of_their_values() {
    for size in 1..=5 {
        let all = brute_force(size, size, is_ranked_heap);
        assert_eq!(count("binary_heap#max_heap", size), all);
        assert_eq!(count("binary_heap#min_heap", size), all);
        let complete = brute_force(size, size, is_ranked_complete_heap);
        assert_eq!(count("binary_heap#complete_max_heap", size), complete);
        assert_eq!(count("binary_heap#complete_min_heap", size), complete);
    }
}
