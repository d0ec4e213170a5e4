#!/bin/sh
# Shows the tool at work: tests for a class of this repository and for one of the JDK, run on the
# virtual machine, tests for C with sanitizers, and a few questions about heaps. The one argument is
# the binary.
set -eu
cd "$(dirname "$0")/.."
heapwright=$1
out=${XDG_CACHE_HOME:-$HOME/.cache}/heapwright/demo
rm -rf "$out"
mkdir -p "$out"

bold='' plain=''
if [ -t 1 ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

# say TEXT...: a heading of one or more lines.
say() {
    printf '\n'
    for line in "$@"; do
        printf '%s# %s%s\n' "$bold" "$line" "$plain"
    done
}

# show CODE ARGUMENTS...: prints a command, runs it, and insists on its exit code.
# Long commands are broken before an option, and the output folder is shown as $out.
show() {
    expected=$1
    shift
    printf '\n$ heapwright'
    column=12
    for word in "$@"; do
        text=$word
        case $word in
            "$out"*) text="\$out${word#"$out"}" ;;
            *[\ \(\$]*) text="'$word'" ;;
        esac
        case $word in
            -?*) if [ "$column" -gt 72 ]; then
                printf ' \\\n   '
                column=3
            fi ;;
        esac
        printf ' %s' "$text"
        column=$((column + 1 + ${#text}))
    done
    printf '\n'
    code=0
    "$heapwright" "$@" || code=$?
    if [ "$code" -ne "$expected" ]; then
        printf 'demo: exit code %s, expected %s\n' "$code" "$expected" >&2
        exit 1
    fi
}

# one_test NAME: prints one test of the files that were written.
one_test() {
    find "$out" -name '*Test.java' -exec sed -n "/void $1()/,/^    }/p" {} +
}

printf 'Everything goes to out=%s\n' "$out"

say 'A search tree. Its class files and a specification of valid trees go in, JUnit tests come out,' \
    'which are compiled, run, and measured by JaCoCo.'
javac -g -d "$out/classes" subjects/java/src/subjects/bst/*.java
show 0 generate -q subjects.bst.BinarySearchTree --specified -c "$out/classes" \
    --sources subjects/java/src --spec subjects/java/specs/BinarySearchTree.sl \
    --out "$out/tests" --report "$out/report" --verify

say 'One of the tests: the root of a tree of four nodes is removed.'
one_test remove_tLeftIsNull

say "The JDK's own TreeMap: a red-black tree with parent pointers, as it is in the installed JDK."
show 0 generate -q 'java.util.TreeMap#put(Object,Object)' --spec subjects/jdk/TreeMap.sl \
    --max-objects 6 --out "$out/tests" --report "$out/report-treemap" --verify

say 'A doubly linked list with a method repOk that says which lists are valid, and with a bug: remove' \
    'forgets to count. The smallest list that shows it is found (! marks what is wrong).'
mkdir "$out/bug"
sed '/size--;/d' examples/tutorial/Playlist.java >"$out/bug/Playlist.java"
javac -g -d "$out/bug/classes" "$out/bug/Playlist.java"
show 4 generate -q Playlist#remove -c "$out/bug/classes" --sources "$out/bug" --mode repok

say 'C: a circular list whose links are inside of its items. The tests are built and run with gcc,' \
    'with the sanitizers of gcc and clang, and llvm-cov counts the branches.'
show 0 generate -q examples/c/intrusive_list.c --out "$out/tests-c" --report "$out/report-c" --verify

say 'A function that looks at what it has freed: the sanitizers confirm the finding.'
show 4 generate -q examples/c/tutorial/stock.c#discard --out "$out/tests-c" --verify

say 'The solver behind it finds heaps, or proves that there are none.'
show 0 solve --model examples/questions.sl

say 'It says where a heap stops being valid,'
show 4 check examples/broken_tree.json --spec examples/tree.sl --formula 'bst(root, lo, hi)'

say 'and lists or counts all valid heaps of a size.'
show 0 enumerate search_tree#search_tree --size 2
show 0 enumerate red_black_tree#red_black --size 11 --count

tests=$(find "$out/tests" -name '*Test.java' -exec grep -h '@Test' {} + | wc -l | tr -d ' ')
printf '\n%sDone.%s %s tests passed on the virtual machine:\n' "$bold" "$plain" "$tests"
find "$out/tests" "$out/tests-c" -name '*.java' -o -name '*.c' | sort | sed 's/^/  tests   /'
printf '  report  %s\n' "$out/report/index.html" "$out/report-treemap/index.html" \
    "$out/report-c/index.html"
printf 'Next: docs/TUTORIAL.md takes a class of yours from no specification to a full one, and\n'
printf 'docs/C-TUTORIAL.md a C file.\n'
