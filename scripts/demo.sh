#!/bin/sh
# Shows the main commands at work on the examples. The one argument is the binary.
set -eu
cd "$(dirname "$0")/.."
heapwright=$1

# show CODE ARGUMENTS...: prints a command, runs it, and insists on its exit code.
show() {
    expected=$1
    shift
    printf '\n$ heapwright'
    for word in "$@"; do
        case $word in
            *[\ \(]*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    code=0
    "$heapwright" "$@" || code=$?
    if [ "$code" -ne "$expected" ]; then
        printf 'demo: exit code %s, expected %s\n' "$code" "$expected" >&2
        exit 1
    fi
}

printf '# JUnit tests for a Java class, from its class file and a specification; run on the virtual machine.\n'
java_out=$(mktemp -d)
javac -g -d "$java_out/classes" subjects/java/src/subjects/bst/*.java
show 0 generate -q 'subjects.bst.BinarySearchTree#remove(int)' -c "$java_out/classes" \
    --sources subjects/java/src --spec subjects/java/specs/BinarySearchTree.sl \
    --out "$java_out/tests" --verify
printf '\n# One of them:\n'
sed -n '/void remove_tLeftIsNotNull/,/^    }/p' "$java_out"/tests/subjects/bst/*Test.java
rm -rf "$java_out"
printf '\n# Tests for the removal from a search tree and from a red-black tree, from their specifications.\n'
show 0 generate examples/impl/tree_remove.impl#remove
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
show 0 generate -q examples/impl/red_black_tree.impl#remove --out "$out" --svg "$out"
printf '\n# One of the tests, as it was written, and run: a red-black tree set up, changed and checked.\n'
test=$(find "$out" -name 'remove*.impl' | sort | head -n 1)
sed -n '/setup phase/,$p' "$test"
show 0 run "$test"
printf '\n# The same without any specification: every heap is allowed, and findings come first.\n'
show 4 generate -q examples/impl/leaf_count.impl#leaf_count --no-spec
printf '\n# A specification, explained: its contexts and its smallest models.\n'
show 0 explain examples/tree.sl
printf '\n# Is there such a heap? A small one is found and drawn, or it is proved that there is none.\n'
show 0 solve --model examples/questions.sl
show 0 solve examples/segments.smt2
printf '\n# Does this heap satisfy the specification? If not, where does it stop?\n'
show 0 check examples/tree.json --spec examples/tree.sl --formula 'bst(root, lo, hi)'
show 4 check examples/broken_tree.json --spec examples/tree.sl --formula 'bst(root, lo, hi)'
printf '\n# All models of a size.\n'
show 0 enumerate search_tree#search_tree --size 3
show 0 enumerate red_black_tree#red_black --size 11 --count
printf '\n# The same enumerations beside published figures.\n'
show 0 bench korat
