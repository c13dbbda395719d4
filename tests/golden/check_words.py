#!/usr/bin/env python3
"""Counts words that fermiac does not use in identifiers and comments (docs/glossary.md has the terms in their place).

Usage: check_words.py ROOT words.txt [--update] [--show WORD]

A row of words.txt: WORD, what to write in its place, largest numbers of uses in identifiers and in comments, separated by `|`; `-`: not
looked at. A word without letters before and after it is matched as a part of an identifier (`law` in `kGammaLaw` and `law_of`), or as a
word or phrase of a comment. The numbers may only become smaller; a use too many is an error.
--update writes the present numbers where they are smaller. --show prints the places of one word.
Exit status 1 if a number is exceeded.
"""

import re
import sys
from collections import Counter
from pathlib import Path

FOLDERS = "autodiff bindings cli codegen compiler frontend inference interp jit mir plugins repl support".split()
ENDINGS = {".cpp", ".h", ".inc", ".def", ".cl"}
TOKEN = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*(?:.|\n)*?\*/')
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def split(text):
    """The code without texts, and the comments, each with newlines where they were."""
    code, comments, at = [], [], 0
    for match in TOKEN.finditer(text):
        code.append(text[at:match.start()])
        lines = "\n" * match.group().count("\n")
        is_comment = match.group().startswith("/")
        code.append(lines)
        comments.append("\n" * text.count("\n", at, match.start()) + (match.group() if is_comment else lines))
        at = match.end()
    return "".join(code) + text[at:], "".join(comments)


def uses(root, rows):
    """Yields word, kind (0: identifier, 1: comment), file, line."""
    single = {row[0] for row in rows if row[0].isalpha()}
    patterns = [(row[0], re.compile(rf"(?<![\w`'-]){row[0]}(?![\w`'-])", re.IGNORECASE)) for row in rows]
    paths = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in ENDINGS and "tests" not in p.parts]
    for path in paths:
        code, comments = split(path.read_text())
        for number, line in enumerate(code.split("\n"), 1):
            if line.lstrip().startswith("#include"):
                continue
            for identifier in re.findall(r"[A-Za-z_]\w*", line):
                for word in {part.lower() for part in PART.findall(identifier)} & single:
                    yield word, 0, path, number
        for number, line in enumerate(comments.split("\n"), 1):
            if line:
                for word, pattern in patterns:
                    for _ in pattern.findall(line):
                        yield word, 1, path, number


def main(root, table, *options):
    lines = Path(table).read_text().split("\n")
    rows = [[field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")]
    found = Counter()
    shown = options[-1] if "--show" in options else None
    for word, kind, path, number in uses(Path(root), rows):
        found[word, kind] += 1
        if word == shown:
            print(f"{path}:{number}: {word} in {'an identifier' if kind == 0 else 'a comment'}")
    wrong = 0
    for row in rows:
        for kind in (0, 1):
            if row[2 + kind] == "-":
                continue
            allowed, there = int(row[2 + kind]), found[row[0], kind]
            if "--update" in options:
                row[2 + kind] = str(min(allowed, there))
            elif there > allowed:
                wrong += 1
                where = "identifiers" if kind == 0 else "comments"
                print(f"'{row[0]}' is used {there} times in {where}, {table} has {allowed}; write {row[1]}")
    if "--update" in options:
        fresh = iter(rows)
        Path(table).write_text("\n".join(" | ".join(next(fresh)) if line and not line.startswith("#") else line for line in lines))
    print(f"{len(rows)} words, {wrong} wrong; {sum(found.values())} uses")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
