#!/usr/bin/env python3
"""Compares two builds of heapwright on the repository's own subjects: `compare.py OLD NEW [RUNS]`.

Each job is run RUNS times (five if not given) with both binaries in turn, so that whatever else the
machine does hits both alike. Printed are the median processor times with their ratio, the counts of
branches by verdict, and every branch whose verdict differs: a proof that goes, or one that comes,
should have a reason that somebody can give. The exit code is 1 if a verdict differs.
"""

import glob
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

# What an earlier run has found is not looked up.
os.environ["HEAPWRIGHT_CACHE"] = "none"

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Specification, class.
SUBJECTS = [
    ("AaTree", "aa.AaTree"),
    ("AvlTree", "avl.AvlTree"),
    ("BinarySearchTree", "bst.BinarySearchTree"),
    ("DoublyLinkedList", "dll.DoublyLinkedList"),
    ("GraphTransaction", "gantt.GraphTransaction"),
    ("LinkedLeafTree", "tll.LinkedLeafTree"),
    ("LinkedStack", "stack.LinkedStack"),
    ("MathTraversals", "math.MathTraversals"),
    ("RedBlackTree", "rbt.RedBlackTree"),
    ("SinglyLinkedList", "sll.SinglyLinkedList"),
    ("TrajectorySynthesizer", "tsafe.TrajectorySynthesizer"),
    ("TwoLists", "sushi.TwoLists"),
]


def jobs(classes):
    """Name and arguments of every job."""
    for specification, name in SUBJECTS:
        target = ["subjects." + name, "-c", classes, "--sources", "subjects/java/src"]
        given = ["--spec", f"subjects/java/specs/{specification}.sl"]
        yield name, target + given
        yield name + " symbolic", target + given + ["--mode", "symbolic"]
        yield name + " without", target + ["--no-spec", "--any-heap"]
    for path in sorted(glob.glob("examples/impl/*.impl")):
        yield path, [path]
    yield "LinkedList", ["java.util.LinkedList", "--spec", "subjects/jdk/LinkedList.sl"]
    yield "TreeMap", ["java.util.TreeMap", "--spec", "subjects/jdk/TreeMap.sl", "--specified"]


def understood(binary, arguments):
    """The arguments without what an older build did by itself: every heap of the types."""
    helped = subprocess.run([binary, "generate", "--help"], capture_output=True, text=True)
    if "--any-heap" in helped.stdout:
        return arguments
    return [argument for argument in arguments if argument != "--any-heap"]


def run(binary, arguments):
    """Processor time, and the verdicts by branch. Tests are kept for branches: that is what all
    builds can do."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        command = [binary, "generate", "-q", "--keep", "coverage", *understood(binary, arguments)]
        command += ["--json", path]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if not os.path.exists(path):
            sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stderr}")
        with open(path) as file:
            document = json.load(file)
    verdicts = {}
    for procedure in document["procedures"]:
        for branch in procedure["branches"]:
            key = f"{procedure['procedure']}: {branch['procedure']}:{branch['line']} {branch['words']}"
            while key in verdicts:
                key += "'"
            verdicts[key] = branch["status"]
    return seconds, verdicts


def main():
    old, new = (os.path.abspath(path) for path in sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    os.chdir(ROOT)
    totals, different = [0.0, 0.0], 0
    with tempfile.TemporaryDirectory() as classes:
        sources = glob.glob("subjects/java/src/**/*.java", recursive=True)
        subprocess.run(["javac", "-g", "-d", classes, *sources], check=True)
        print(f"{'job':32} {'old s':>7} {'new s':>7} {'ratio':>6}  verdicts")
        for name, arguments in jobs(classes):
            times, verdicts = ([], []), [None, None]
            for _ in range(runs):
                for which, binary in enumerate((old, new)):
                    seconds, verdicts[which] = run(binary, arguments)
                    times[which].append(seconds)
            medians = [statistics.median(each) for each in times]
            totals = [total + median for total, median in zip(totals, medians)]
            counts = {}
            for verdict in verdicts[1].values():
                counts[verdict] = counts.get(verdict, 0) + 1
            told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
            ratio = medians[1] / max(medians[0], 0.001)
            print(f"{name:32} {medians[0]:7.2f} {medians[1]:7.2f} {ratio:6.2f}  {told}", flush=True)
            for key in sorted(verdicts[0].keys() | verdicts[1].keys()):
                before, after = (known.get(key, "absent") for known in verdicts)
                if before != after:
                    different += 1
                    print(f"    {before} -> {after}: {key}", flush=True)
    print(f"{'all':32} {totals[0]:7.2f} {totals[1]:7.2f} {totals[1] / totals[0]:6.2f}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
