#!/usr/bin/env python3
"""How soon a search ends that is interrupted: `interrupt.py BINARY [MOMENTS]`.

Five methods whose search takes for ever are interrupted at MOMENTS random moments each (twenty if not
given; always the same ones). Printed are the longest and the median time until the process has ended;
afterwards the tests, the JSON and the web page have to be there and whole. The exit code is 1 if one
took more than two seconds, or something is missing.
"""

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

# What an earlier run has found is not looked up.
os.environ["HEAPWRIGHT_CACHE"] = "none"

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
METHODS = ["hash", "recursion", "loop", "floats", "strings"]
LIMITS = (
    "--max-paths 1000000000 --patience 1000000000 --max-solver-calls 1000000000 --time 0 "
    "--all-paths --max-objects 40 --max-elements 40"
).split()
MOST = 2.0


def interrupted(binary, classes, method, moment):
    """The seconds that it took, and what is missing."""
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "generate", f"nasty.Nasty#{method}", "-c", classes, *LIMITS]
        command += ["--out", "out", "--json", "a.json", "--report", "page"]
        devnull = subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=folder, stdout=devnull, stderr=devnull)
        time.sleep(moment)
        if process.poll() is not None:
            return 0.0, [f"it ended by itself with {process.returncode}"]
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        took = time.monotonic() - begin
        wrong = []
        try:
            with open(os.path.join(folder, "a.json")) as file:
                document = json.load(file)
            found = sum(len(known["tests"]) for known in document["procedures"])
            if found and not os.path.isdir(os.path.join(folder, "out")):
                wrong.append("no tests were written")
            with open(os.path.join(folder, "page/index.html")) as file:
                if not file.read().rstrip().endswith("</html>"):
                    wrong.append("the page is not whole")
        except (OSError, ValueError) as error:
            wrong.append(str(error))
        return took, wrong


def main():
    binary = os.path.abspath(sys.argv[1])
    moments = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    source = os.path.join(ROOT, "crates/cli/tests/data/Nasty.java")
    chance = random.Random(14)
    failed = False
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(["javac", "-g", "-d", classes, source], check=True)
        for method in METHODS:
            times, wrong = [], []
            for _ in range(moments):
                moment = chance.uniform(0.2, 8.0)
                took, missing = interrupted(binary, classes, method, moment)
                times.append(took)
                wrong += missing
                if took > MOST:
                    wrong.append(f"{took:.1f} s after {moment:.1f} s")
            failed |= bool(wrong)
            worst, median = max(times), statistics.median(times)
            print(f"{method:12} at most {worst:.2f} s, median {median:.2f} s {'; '.join(wrong)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
