#!/usr/bin/env python3
"""Prints the licences of everything that the binary is made of, with their texts.

These are the crates that the binary is built from (not those of tests), Rust's standard library, and
the Z3 library, whose file is the argument. It is an error if a crate brings no text.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

PACKAGE = "heapwright-cli"
APACHE = pathlib.Path(__file__).resolve().parent.parent / "LICENSE-APACHE"


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates():
    """Name, version, licence and folder of each crate of others in the binary."""
    host = next(line[6:] for line in output("rustc", "-vV").splitlines() if line.startswith("host: "))
    metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked",
                                 "--filter-platform", host))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] == PACKAGE]
    seen = set()
    while waiting:
        id = waiting.pop()
        if id in seen:
            continue
        seen.add(id)
        for dependency in nodes[id]["deps"]:
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    foreign = [packages[id] for id in seen if packages[id]["source"]]
    return sorted(foreign, key=lambda package: (package["name"], package["version"]))


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    names = ("licen", "copying", "notice", "unlicense")
    files = [file for file in sorted(folder.iterdir())
             if file.is_file() and file.name.lower().startswith(names)]
    return [(file.name, file.read_text(encoding="utf-8", errors="replace").strip()) for file in files]


def main():
    library = pathlib.Path(sys.argv[1])
    known = {}
    parts, missing = [], []

    def add(title, licence, found):
        lines = [title, f"  licence: {licence}"]
        for name, text in found:
            number = known.setdefault(hashlib.sha256(text.encode()).hexdigest(), (len(known) + 1, text))[0]
            lines.append(f"  {name}: text {number} below")
        parts.append("\n".join(lines))

    for package in crates():
        title = f"{package['name']} {package['version']}"
        found = texts(package)
        if not found:
            missing.append(title)
        add(title, package["license"], found)
    add("Rust's standard library", "MIT OR Apache-2.0",
        [("LICENSE-APACHE", APACHE.read_text().strip())])
    copyright = pathlib.Path("/usr/share/doc/libz3-4/copyright")
    if copyright.is_file():
        add(f"Z3 ({library.name})", "MIT", [("copyright", copyright.read_text().strip())])
    else:
        missing.append("Z3 (/usr/share/doc/libz3-4/copyright)")
    if missing:
        sys.exit(f"licences.py: no text of a licence for: {', '.join(missing)}")
    print("Heapwright is made with the work of others, under these licences.\n")
    print("\n\n".join(parts))
    for number, text in known.values():
        print(f"\n\n======== text {number} ========\n\n{text}")


main()
