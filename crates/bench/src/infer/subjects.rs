//! The classes of the benchmark, each with what its objects are by a specification written by hand.

/// A class.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its short name.
    pub name: &'static str,
    /// The class.
    pub class: &'static str,
    /// The file with the specification.
    pub specification: &'static str,
    /// What it says about an object o.
    pub formula: &'static str,
}

const fn subject(
    name: &'static str,
    class: &'static str,
    specification: &'static str,
    formula: &'static str,
) -> Subject {
    Subject {
        name,
        class,
        specification,
        formula,
    }
}

/// The specification of the classes in `subjects/infer`.
const OWN: &str = "subjects/infer/specs/structures.sl";

/// All of them.
pub const SUBJECTS: [Subject; 25] = [
    subject(
        "SLL",
        "subjects.sll.SinglyLinkedList",
        "subjects/java/specs/SinglyLinkedList.sl",
        "exists h, n. o -> SinglyLinkedList(h, n) * list(h, n)",
    ),
    subject(
        "Stack",
        "subjects.stack.LinkedStack",
        "subjects/java/specs/LinkedStack.sl",
        "exists t, n. o -> LinkedStack(t) * stack(t, n)",
    ),
    subject(
        "DLL",
        "subjects.dll.DoublyLinkedList",
        "subjects/java/specs/DoublyLinkedList.sl",
        "exists h, n. o -> DoublyLinkedList(h, n) * circle(h, n)",
    ),
    subject(
        "BST",
        "subjects.bst.BinarySearchTree",
        "subjects/java/specs/BinarySearchTree.sl",
        "exists r, lo, hi. o -> BinarySearchTree(r) * bst(r, lo, hi)",
    ),
    subject(
        "AVL",
        "subjects.avl.AvlTree",
        "subjects/java/specs/AvlTree.sl",
        "exists r, lo, hi, h. o -> AvlTree(r) * avl(r, lo, hi, h)",
    ),
    subject(
        "RBT",
        "subjects.rbt.RedBlackTree",
        "subjects/java/specs/RedBlackTree.sl",
        "exists r, n, lo, hi, bh. o -> RedBlackTree(r, n) * rb(r, null, lo, hi, false, bh, n)",
    ),
    subject(
        "AAT",
        "subjects.aa.AaTree",
        "subjects/java/specs/AaTree.sl",
        "exists r, s, lo, hi, k. o -> AaTree(root: r, sentinel: s) * sentinel(s) * aa(r, s, lo, hi, k)",
    ),
    subject(
        "Gantt",
        "subjects.gantt.GraphTransaction",
        "subjects/java/specs/GraphTransaction.sl",
        "transaction(o)",
    ),
    subject(
        "Tll",
        "subjects.tll.LinkedLeafTree",
        "subjects/java/specs/LinkedLeafTree.sl",
        "exists r, f. o -> LinkedLeafTree(r) * linked(r, null, f, null) | o -> LinkedLeafTree(null)",
    ),
    subject(
        "SUSHI",
        "subjects.sushi.IntList",
        "subjects/java/specs/TwoLists.sl",
        "exists n. int_list(o, n)",
    ),
    subject(
        "TSAFE",
        "subjects.tsafe.Route",
        "subjects/java/specs/TrajectorySynthesizer.sl",
        "route(o)",
    ),
    subject(
        "JDK LinkedList",
        "java.util.LinkedList",
        "subjects/jdk/LinkedList.sl",
        "exists n. list(o, n)",
    ),
    subject(
        "sorted list",
        "structures.SortedList",
        OWN,
        "sorted_list(o)",
    ),
    subject(
        "priority list",
        "structures.PriorityList",
        OWN,
        "priority_list(o)",
    ),
    subject("deque", "structures.Deque", OWN, "deque(o)"),
    subject("queue", "structures.Queue", OWN, "queue(o)"),
    subject("ring", "structures.Ring", OWN, "ring(o)"),
    subject(
        "header list",
        "structures.HeaderList",
        OWN,
        "header_list(o)",
    ),
    subject(
        "parent tree",
        "structures.ParentTree",
        OWN,
        "parent_tree(o)",
    ),
    subject("sized tree", "structures.SizedTree", OWN, "sized_tree(o)"),
    subject(
        "leftist heap",
        "structures.LeftistHeap",
        OWN,
        "leftist_heap(o)",
    ),
    subject(
        "binomial heap",
        "structures.BinomialHeap",
        OWN,
        "binomial_heap(o)",
    ),
    subject(
        "list of lists",
        "structures.ListOfLists",
        OWN,
        "list_of_lists(o)",
    ),
    subject(
        "linked leaves",
        "structures.LinkedLeaves",
        OWN,
        "linked_leaves(o)",
    ),
    subject("skew heap", "structures.SkewHeap", OWN, "skew_heap(o)"),
];

/// A change of the red-black tree that makes it something else.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// What is changed.
    pub name: &'static str,
    /// What stands in the source, every occurrence of which is replaced.
    pub old: &'static str,
    /// What stands there afterwards.
    pub new: &'static str,
}

/// The mutants, and where the tree is.
pub const MUTANTS: [Mutant; 5] = [
    Mutant {
        name: "the root stays red",
        old: "        root.red = false;\n",
        new: "",
    },
    Mutant {
        name: "a rotation is left out",
        old: "                    rotateRight(above);\n",
        new: "",
    },
    Mutant {
        name: "no repair after removals",
        old: "while (x != root && !isRed(x)) {",
        new: "while (x != root && !isRed(x) && root == null) {",
    },
    Mutant {
        name: "the entry above stays black",
        old: "                    above.red = true;\n                    x = above;\n",
        new: "                    x = above;\n",
    },
    Mutant {
        name: "new entries are black",
        old: "this.red = true;",
        new: "this.red = false;",
    },
];
