#!/usr/bin/env python3
"""Makes the site of the documentation, or checks the pages that it is made from.

    docs.py --check                 links of all pages, and whether docs/SUMMARY.md has every page
    docs.py HEAPWRIGHT MDBOOK OUT   the site, in the folder OUT

The site has the pages of the repository at the places where they are there, so that links between
them are the same; a page for each command, from its help text; and a gallery, from the classes and
specifications in examples/gallery. Nothing of it is kept in the repository.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# What a folder that a page links to shows of itself.
SHOWN = {".sl", ".pred", ".java", ".c", ".h", ".impl", ".toml", ".xml", ".md", ".json"}


def pages():
    """The pages that people read: README.md, those in docs, and what they link to."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def without_code(text):
    """A page without its blocks of code and its quoted words, in which nothing is a link."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "`x`", text)


def links(page):
    """The links of a page to other pages and files: the path and the anchor, as they are written."""
    for _, _, target in LINK.findall(without_code(page.read_text())):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield unquote(path), anchor


def anchors(page):
    """The anchors of a page, by the rule that GitHub and mdBook share."""
    found, text = set(), re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.*)$", text, flags=re.M):
        heading = LINK.sub(r"\2", heading).replace("`", "").strip().lower()
        name = "".join(
            "-" if letter.isspace() else letter
            for letter in heading
            if letter.isalnum() or letter.isspace() or letter in "-_"
        )
        number, unique = 0, name
        while unique in found:
            number += 1
            unique = f"{name}-{number}"
        found.add(unique)
    return found


def check():
    """What is wrong with the pages."""
    wrong = []
    checked = pages()
    for page in checked:
        for path, anchor in links(page):
            target = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(ROOT)}: {path}{'#' if anchor else ''}{anchor}"
            if not target.exists():
                # These are made with the site.
                if target.relative_to(ROOT).parts[:2] not in {("docs", "commands"), ("docs", "gallery")}:
                    wrong.append(f"{where}: no such file")
            elif ROOT not in [target, *target.parents]:
                wrong.append(f"{where}: not in the repository")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                wrong.append(f"{where}: no such heading")
            elif target.suffix == ".md" and target not in checked:
                checked.append(target)
    listed = {path for path, _ in links(ROOT / "docs/SUMMARY.md")}
    for page in (ROOT / "docs").glob("*.md"):
        if page.name != "SUMMARY.md" and page.name not in listed:
            wrong.append(f"docs/SUMMARY.md does not have {page.name}")
    return wrong


def run(command, **more):
    """The output of a command, which has to succeed."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if ended.returncode != 0:
        sys.exit(f"docs: {' '.join(map(str, command))}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def as_page(path):
    """A page under the name that mdBook wants: it makes index.html of README.md, but links to it as
    README.html."""
    return path.with_name("index.md") if path.name == "README.md" else path


class Site:
    """The sources of the site, in a folder for mdBook."""

    def __init__(self, heapwright, out):
        self.heapwright = heapwright
        self.work = Path(out).with_name(Path(out).name + "-sources")
        shutil.rmtree(self.work, ignore_errors=True)
        self.pages = self.work / "src"
        self.more = []

    def put(self, path, text):
        """Writes a page or another file of the sources."""
        file = self.pages / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def copy(self):
        """The pages of the repository, and what they link to."""
        waiting, known = pages(), set()
        while waiting:
            page = waiting.pop()
            relative = page.relative_to(ROOT)
            if relative in known or relative.name == "SUMMARY.md":
                continue
            known.add(relative)
            if page.is_dir():
                self.put(relative / "index.md", self.folder(page))
                self.more.append((str(relative), relative / "index.md"))
                continue
            if page.suffix != ".md":
                self.put(relative, page.read_text(errors="replace"))
                continue
            if page.parent not in (ROOT, ROOT / "docs"):
                self.more.append((str(relative.parent), as_page(relative)))
            for path, _ in links(page):
                target = (page.parent / path).resolve()
                if path and target.exists():
                    waiting.append(target)
            self.put(
                as_page(relative),
                LINK.sub(lambda link: self.to_page(page, link), page.read_text()),
            )

    def to_page(self, page, link):
        """A link to a folder leads to the page about it."""
        mark, words, target = link.groups()
        path, separator, anchor = target.partition("#")
        if path and not re.match(r"[a-z]+:", target):
            if (page.parent / unquote(path)).is_dir():
                path = f"{path.rstrip('/')}/index.md"
            target = f"{as_page(Path(path))}{separator}{anchor}"
        return f"{mark}[{words}]({target})"

    def folder(self, folder):
        """A page with the files of a folder."""
        own = folder / "README.md"
        if own.exists():
            return LINK.sub(lambda link: self.to_page(own, link), own.read_text())
        parts = [f"# {folder.relative_to(ROOT)}\n"]
        for file in sorted(folder.rglob("*")):
            if file.suffix in SHOWN and not any(part.startswith(".") for part in file.parts):
                parts += [f"## {file.relative_to(folder)}\n", fenced(file)]
        return "\n".join(parts)

    def commands(self):
        """A page for each command, from what `--help` says."""
        for name in listed_commands(run([self.heapwright, "--help"])):
            text = [f"# heapwright {name}\n"]
            said = run([self.heapwright, name, "--help"])
            text.append(help_page(said))
            for below in listed_commands(said):
                text.append(f"\n## heapwright {name} {below}\n")
                text.append(help_page(run([self.heapwright, name, below, "--help"])))
            self.put(f"docs/commands/{name}.md", "\n".join(text))

    def summary(self, gallery):
        """The table of contents: that of the repository, commands and gallery in it."""
        text = (ROOT / "docs/SUMMARY.md").read_text()
        text = re.sub(r"\]\((?!\.\./)", "](docs/", text)
        text = text.replace("](../README.md", "](index.md").replace("](../", "](")
        names = sorted(file.stem for file in (self.pages / "docs/commands").glob("*.md"))
        commands = "".join(f"  - [{name}](docs/commands/{name}.md)\n" for name in names)
        line = "- [Commands](docs/COMMANDS.md)\n"
        assert line in text
        text = text.replace(line, line + commands)
        shown = "\n- [Gallery](docs/gallery/index.md)\n"
        shown += "".join(f"  - [{title}](docs/gallery/{name}.md)\n" for title, name in gallery)
        line = "# In use\n"
        assert line in text
        text = text.replace(line, f"{shown.strip()}\n\n{line}")
        text += "\n# Files\n\n" + "".join(
            f"- [{title}]({path})\n" for title, path in sorted(self.more)
        )
        self.put("SUMMARY.md", text)

    def gallery(self):
        """A page for each structure of the gallery; returns their titles and names."""
        structures = tomllib.loads((ROOT / "examples/gallery/gallery.toml").read_text())["structure"]
        rows, found = [], []
        for structure in structures:
            name = structure["folder"].replace("_", "-")
            text, line, picture = self.structure(structure, name)
            self.put(f"docs/gallery/{name}.md", text)
            found.append((structure["title"], name))
            rows.append(f"| [{structure['title']}]({name}.md) | {line} | ![]({picture}) |")
        page = [
            "# Gallery\n",
            "Ten structures, each with its code, its specification in formulas and in words, and what",
            "Heapwright makes of them: tests, and the heaps before and after as pictures.",
            "Everything here was generated with this site; the sources are in `examples/gallery`.\n",
            "| structure | result | an input |",
            "| --- | --- | --- |",
            *rows,
        ]
        self.put("docs/gallery/index.md", "\n".join(page) + "\n")
        return found

    def structure(self, structure, name):
        """The page about a structure, its result in a line, and a picture for the list."""
        folder = ROOT / "examples/gallery" / structure["folder"]
        work = self.work / "gallery" / name
        work.mkdir(parents=True)
        is_java = "class" in structure
        source = folder / (f"{structure['class']}.java" if is_java else structure["file"])
        target = structure["class"] if is_java else source.name
        where = ["-c", str(work / "classes")] if is_java else []
        if is_java:
            run(["javac", "-g", "-d", work / "classes", source])
        specification = source.with_suffix(".sl")
        options = structure.get("options", [])
        if specification.exists():
            options = [*options, "--spec", specification.name]
        command = [self.heapwright, "generate", target, *where, *options]
        said = run([*command, "--out", work / "tests", "--svg", work / "svg"], cwd=folder)
        shown = f"heapwright generate {' '.join([target, *(['-c', 'classes'] if is_java else []), *options])}"
        text = [f"# {structure['title']}\n", structure["text"] + "\n", "## The code\n", fenced(source)]
        if specification.exists():
            text += ["## The specification\n", fenced(specification)]
            of = ["--class", target, *where]
            words = run([self.heapwright, "explain", specification.name, *of], cwd=folder)
            # What it says about predicates of the library is in the library.
            said = specification.read_text()
            used = sorted(set(re.findall(r"^(?:pre|post)[^;]*?:=\s*(\w+)\(", said, flags=re.M)))
            for predicate in used:
                if not re.search(rf"^pred {predicate}\(", said, flags=re.M):
                    one = [specification.name, "--pred", predicate, *of]
                    more = run([self.heapwright, "explain", *one], cwd=folder)
                    words += re.sub(r"^data .*\n", "", more, flags=re.M)
            text += ["In words, with the smallest heaps (`heapwright explain`):\n", f"```text\n{words}```\n"]
        else:
            text += ["## The specification\n", "`repOk`, in the code above.\n"]
        said = "\n".join(line for line in said.splitlines() if not line.startswith("wrote "))
        text += ["## What is generated\n", f"```text\n$ {shown} --out tests\n{said.strip()}\n```\n"]
        text += [f"The tests of `{structure['shown']}`, with the heaps before and after:\n"]
        picture = None
        for test, body in tests(work / "tests", structure["shown"]):
            before, after = (work / "svg" / f"{test}.{when}.svg" for when in ("before", "after"))
            if not before.exists():
                continue
            text += [f"### {test}\n", f"```{'java' if is_java else 'c'}\n{body}\n```\n"]
            for file, when in ((before, "before"), (after, "after")):
                if file.exists():
                    self.put(f"docs/gallery/{name}/{file.name}", file.read_text())
                    text.append(f"![{test}: {when}]({name}/{file.name})\n")
            size = len(before.read_text())
            if picture is None or size > picture[0]:
                picture = (size, f"{name}/{before.name}")
        if picture is None:
            sys.exit(f"docs: {source}: no picture for {structure['shown']}")
        return "\n".join(text), html.escape(result(said)), picture[1]


def result(said):
    """What a run says about all methods: its last line about them, or the sum of what it says about
    each of them."""
    whole = re.findall(r"^\d+ (?:methods|functions): .*$", said, flags=re.M)
    if whole:
        return whole[-1]
    found = re.findall(r"(\d+) of (\d+) branch(?:es)? covered.*?, (\d+) tests? kept", said)
    covered, branches, kept = (sum(map(int, column)) for column in zip(*found))
    return f"{covered} of {branches} branches covered, {kept} tests"


def tests(folder, shown):
    """The tests of a method in generated files, each with its name and its text."""
    for file in sorted(folder.rglob("*")):
        if file.suffix not in {".java", ".c"}:
            continue
        lines = file.read_text().splitlines()
        for at, line in enumerate(lines):
            heading = re.match(rf"( *)(?:static )?void ((?:test_)?{shown}_\w+)\((?:void)?\) \{{", line)
            if heading is None:
                continue
            indent, name = heading.groups()
            first = at
            while first > 0 and lines[first - 1].strip().startswith(("@", "//", "/*", "*")):
                first -= 1
            last = lines.index(indent + "}", at)
            body = "\n".join(line.removeprefix(indent) for line in lines[first : last + 1])
            yield name.removeprefix("test_"), body


def fenced(file):
    """A file as a block of code."""
    language = {".java": "java", ".c": "c", ".h": "c", ".toml": "toml", ".xml": "xml"}
    return f"```{language.get(file.suffix, 'text')}\n{file.read_text().rstrip()}\n```\n"


def listed_commands(said):
    """The commands in a help text."""
    part = re.search(r"^Commands:\n((?:  .*\n|\n)*)", said, flags=re.M)
    names = re.findall(r"^  (\w[\w-]*) ", part.group(1) if part else "", flags=re.M)
    return [name for name in names if name != "help"]


def help_page(said):
    """A help text as Markdown: options become a list."""
    out, paragraph, in_list = [], [], False

    def plain(text):
        return re.sub(r"([<>*_|\[\]])", r"\\\1", html.escape(text, quote=False).replace("&lt;", "<").replace("&gt;", ">"))

    def flush():
        nonlocal paragraph
        if paragraph:
            words = plain(" ".join(paragraph))
            out.append(f"  {words}\n" if in_list else f"{words}\n")
            paragraph = []

    for line in said.splitlines():
        usage = re.match(r"Usage: (.*)", line)
        heading = re.match(r"([A-Z][\w ]*):$", line)
        # An option, or a command or argument with its words behind it.
        item = re.match(r" {2,6}(-.*|<.*|\[.*)$", line)
        short = re.match(r" {2}([a-z][\w-]*) {2,}(.*)$", line)
        if usage:
            flush()
            out.append(f"```text\n{usage.group(1)}\n```\n")
        elif heading:
            flush()
            in_list = False
            out.append(f"### {heading.group(1)}\n")
        elif item and not line.startswith(" " * 8):
            flush()
            option, _, words = item.group(1).partition("  ")
            in_list = True
            out.append(f"- `{option}`\n")
            paragraph = [words.strip()] if words.strip() else []
        elif short:
            flush()
            in_list = False
            out.append(f"- `{short.group(1)}`: {plain(short.group(2))}")
        elif not line.strip():
            flush()
        else:
            paragraph.append(line.strip())
    flush()
    return "\n".join(out)


BOOK = """[book]
title = "Heapwright"
language = "en"
src = "src"

[output.html]
smart-punctuation = false
no-section-label = true
additional-css = ["site.css"]
"""

# Pictures have a background of their own in neither theme; wide ones scroll.
STYLE = """.content img { max-width: 100%; }
.content table img { max-height: 11rem; }
.content main table { width: 100%; }
"""


class Page(HTMLParser):
    """The anchors and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def dead_links(out):
    """Links of the built site that lead nowhere."""
    known = {}

    def page(file):
        if file not in known:
            known[file] = Page(file.read_text())
        return known[file]

    dead = set()
    for file in sorted(out.rglob("*.html")):
        # The page for what is not found is shown anywhere, so its links are those of a server.
        if file.name in ("404.html", "print.html", "toc.html"):
            continue
        for link in page(file).links:
            if re.match(r"[a-z]+:|//", link):
                continue
            path, _, anchor = link.partition("#")
            target = (file.parent / unquote(path)).resolve() if path else file
            if not target.is_file():
                dead.add(f"{file.relative_to(out)}: {link}")
            elif anchor and target.suffix == ".html" and unquote(anchor) not in page(target).anchors:
                dead.add(f"{file.relative_to(out)}: {link}")
    return sorted(dead)


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = check()
        print("\n".join(wrong) or f"{len(pages())} pages, no dead links")
        sys.exit(1 if wrong else 0)
    heapwright, mdbook, out = os.path.abspath(sys.argv[1]), sys.argv[2], Path(sys.argv[3]).resolve()
    site = Site(heapwright, out)
    site.copy()
    site.commands()
    site.summary(site.gallery())
    (site.work / "book.toml").write_text(BOOK)
    (site.work / "site.css").write_text(STYLE)
    shutil.rmtree(out, ignore_errors=True)
    run([mdbook, "build", site.work, "--dest-dir", out])
    dead = dead_links(out)
    if dead:
        sys.exit("docs: dead links\n" + "\n".join(dead))
    print(f"wrote {out / 'index.html'}: {len(list(out.rglob('*.html')))} pages, no dead links")


if __name__ == "__main__":
    main()
