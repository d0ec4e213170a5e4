#!/usr/bin/env python3
"""Builds all tests of the workspace and runs them, as `cargo test --workspace --locked` does, but
with a test program for each core side by side: cargo runs one after the other, and most of them end
with one long test beside which the other cores have nothing to do.

The program that took longest the last time is started first; how long each one took is kept with the
build products. What a program prints is printed when it has ended, so nothing is mixed. The exit code
is 1 if a test failed. Arguments go to every test program, such as a part of the names of tests.
"""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

TEST = ["cargo", "test", "--workspace", "--locked"]


def programs():
    """The test programs, each with the folder that cargo would run it in."""
    build = [*TEST, "--no-run", "--message-format=json-render-diagnostics"]
    built = subprocess.run(build, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        sys.exit(built.returncode)
    found = []
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["profile"]["test"]:
            folder = os.path.dirname(message["manifest_path"])
            name = f"{os.path.basename(folder)}/{message['target']['name']}"
            found.append((name, message["executable"], folder))
    return found


def run(program):
    """Runs a test program; returns its name, its output, its exit code and the seconds."""
    name, executable, folder = program
    begin = time.monotonic()
    ended = subprocess.run(
        [executable, *sys.argv[1:]],
        cwd=folder,
        env={**os.environ, "CARGO_MANIFEST_DIR": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return name, ended.stdout, ended.returncode, time.monotonic() - begin


def main():
    tests = programs()
    kept = os.path.join(os.path.dirname(os.path.dirname(tests[0][1])), "test-seconds.json")
    try:
        with open(kept) as file:
            known = json.load(file)
    except (OSError, ValueError):
        known = {}
    # One that is new may be long.
    tests.sort(key=lambda program: known.get(program[0], float("inf")), reverse=True)
    seconds, failed = {}, []
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        running = [pool.submit(run, program) for program in tests]
        for ended in as_completed(running):
            name, output, code, took = ended.result()
            seconds[name] = took
            print(f"\n     Running {name} ({took:.1f} s)", flush=True)
            sys.stdout.buffer.write(output)
            sys.stdout.buffer.flush()
            if code != 0:
                failed.append(name)
    with open(kept, "w") as file:
        json.dump(seconds, file, indent=1, sort_keys=True)
    if not sys.argv[1:] and subprocess.run([*TEST, "--doc"]).returncode != 0:
        failed.append("the examples in the documentation")
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
