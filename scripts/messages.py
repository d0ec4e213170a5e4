#!/usr/bin/env python3
"""Lists every message that the tool can print, so that they can be read as a whole.

These are the string literals of two words or more in the code of the crates (tests left out), the
help texts of the command line, and the texts of the page and of the drivers. One per line with its
place; `--texts` prints the texts alone, sorted, each once. A word that is given as an argument
selects the messages that contain it.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Crates that only developers of Heapwright run.
LEFT_OUT = {"fuzz"}
LITERAL = re.compile(r'b?"((?:[^"\\]|\\.)*)"', re.S)
RAW = re.compile(r'r(#+)"(.*?)"\1', re.S)
# A doc comment of an option or command: what clap shows as help.
HELP = re.compile(r"((?:^[ \t]*///[^\n]*\n)+)(?:^[ \t]*#\[(?:arg|command|derive\(clap)[^\n]*\n)", re.M)
WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? +\{?[A-Za-z`]")


def without_tests(text):
    """The code in front of the tests, which stand at the end, with comments emptied."""
    at = text.find("#[cfg(test)]")
    text = text if at < 0 else text[:at]
    return re.sub(r"^(\s*)//[^\n]*", r"\1", text, flags=re.M)


def without_quotes_as_characters(text):
    """The code with `'"'` as another character, since it opens no string."""
    return re.sub(r"""b?'(?:"|\\")'""", "'_'", text)


def unescaped(text):
    text = re.sub(r"\\\n\s*", "", text)
    return text.replace('\\"', '"').replace("\\n", "⏎").replace("\\\\", "\\")


def messages():
    for crate in sorted((ROOT / "crates").iterdir()):
        if crate.name in LEFT_OUT or not (crate / "src").is_dir():
            continue
        for file in sorted((crate / "src").rglob("*")):
            if file.suffix not in (".rs", ".java", ".js", ".html") or file.stem.endswith("tests"):
                continue
            text = file.read_text(encoding="utf-8")
            if file.suffix == ".rs":
                for match in HELP.finditer(text.split("#[cfg(test)]")[0]):
                    lines = [line.strip()[3:].strip() for line in match[1].strip().split("\n")]
                    yield file, text.count("\n", 0, match.start()) + 1, " ".join(lines)
                text = without_quotes_as_characters(without_tests(text))
            for pattern, group in ((RAW, 2), (LITERAL, 1)):
                for match in pattern.finditer(text):
                    message = unescaped(match[group])
                    if WORDS.search(message):
                        yield file, text.count("\n", 0, match.start()) + 1, message


def main():
    arguments = sys.argv[1:]
    only_texts = "--texts" in arguments
    wanted = [word.lower() for word in arguments if not word.startswith("--")]
    shown = set()
    for file, line, message in messages():
        if not all(word in message.lower() for word in wanted):
            continue
        if only_texts:
            shown.add(message)
        else:
            print(f"{file.relative_to(ROOT)}:{line}: {message}")
    for message in sorted(shown):
        print(message)


main()
