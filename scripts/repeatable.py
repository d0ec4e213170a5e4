#!/usr/bin/env python3
"""Whether runs are repeatable on the repository's own subjects: `repeatable.py BINARY [RUNS]`.

Every job of `compare.py` is run with `--jobs 1, 2, 4`, RUNS times each (three if not given), with all
outputs: what is printed, tests, JSON, the web page, pictures, coverage formats and SARIF. Everything
has to be the same bytes. A method that the clock ended is exempt, and is named; with default options
there should be none. The exit code is 1 if anything differs.
"""

import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

from compare import ROOT, jobs

OUTPUTS = (
    "--out out --json report.json --report page --svg svg --dot dot --jacoco jacoco.xml "
    "--cobertura cobertura.xml --lcov trace.info --sarif findings.sarif"
).split()


def absolute(argument):
    """Runs have folders of their own, so that files can have the same names."""
    path = os.path.join(ROOT, argument)
    return path if os.path.exists(path) else argument


def run(binary, arguments, threads):
    """A digest of each output by name, and the methods that the clock ended."""
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "generate", *map(absolute, arguments), *OUTPUTS, "--jobs", str(threads)]
        ended = subprocess.run(command, cwd=folder, capture_output=True)
        digests = {"stdout": hashlib.sha256(ended.stdout).hexdigest()}
        digests["stderr"] = hashlib.sha256(ended.stderr).hexdigest()
        for path in glob.glob("**/*", root_dir=folder, recursive=True):
            if os.path.isfile(os.path.join(folder, path)):
                with open(os.path.join(folder, path), "rb") as file:
                    digests[path] = hashlib.sha256(file.read()).hexdigest()
        if "report.json" not in digests:
            sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stderr.decode()}")
        with open(os.path.join(folder, "report.json")) as file:
            document = json.load(file)
    late = []
    for procedure in document["procedures"]:
        limits = [procedure["stop"].get("limit")]
        limits += [branch.get("limit") for branch in procedure["branches"]]
        if "time" in limits or procedure["checked"]["cut_short"]:
            late.append(procedure["procedure"])
    return digests, late


def main():
    binary = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    os.chdir(ROOT)
    different = 0
    with tempfile.TemporaryDirectory() as classes:
        sources = glob.glob("subjects/java/src/**/*.java", recursive=True)
        subprocess.run(["javac", "-g", "-d", classes, *sources], check=True)
        for name, arguments in jobs(classes):
            expected, late = run(binary, arguments, 1)
            wrong = set()
            for threads in (1, 2, 4):
                for _ in range(runs - (threads == 1)):
                    found, ended = run(binary, arguments, threads)
                    late = sorted(set(late) | set(ended))
                    files = expected.keys() | found.keys()
                    wrong |= {path for path in files if expected.get(path) != found.get(path)}
            told = f"{len(expected)} outputs"
            if late:
                told += f", ended by the clock: {', '.join(late)}"
            if wrong:
                told += f", differ: {', '.join(sorted(wrong))}"
            different += bool(wrong) and not late
            print(f"{name:32} {told}", flush=True)
    print(f"{different} jobs are not repeatable" if different else "everything is repeatable")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
