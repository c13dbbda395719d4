#!/usr/bin/env python3
"""Checks that source files and folders which comments and pages name exist.

Usage: check_paths.py ROOT

Names that are looked at: in pages, what stands between backquotes; in comments of sources, every word with a slash. A file may be named by
the end of its path (`rewrite/passes.h`, `passes.h`); a folder by its path from the root, or from a folder of the root.
Exit status 1 if a name has no file, with one line per name.
"""

import os
import re
import sys
from pathlib import Path

SOURCE = r"(?:h|cpp|inc|inl|def|cl|cmake|py)"
FILE = re.compile(rf"(?<![\w/.<$}}~-])((?:[\w.-]+/)*[\w.-]+\.{SOURCE})(?![\w/*])")
QUOTED = re.compile(r"`([^`]+)`")
FOLDER = re.compile(r"[a-z_]+(?:/[a-z_]+)+/?")
# Files that are made by builds and users, or that belong to others.
FOREIGN = re.compile(r"^(?:build|share|lib|include|usr|tmp)/|NAME|^(?:X|MODEL|F|FILE|model|bernoulli|user_header|netcdf|zmq|mpi|test_stanmodel)\.")


def sources(root):
    """Paths of all files, from the root, without build folders."""
    for folder, inner, names in os.walk(root):
        inner[:] = [d for d in inner if not d.startswith((".", "build", "__pycache__")) and d != "node_modules"]
        for name in names:
            yield (Path(folder) / name).relative_to(root).as_posix()


def comment(line):
    """What a line of C++ says after `//`, or inside of a block comment."""
    if line.lstrip().startswith("#include"):
        return ""
    at = line.find("//")
    return line[at + 2:] if at >= 0 and not line[:at].rstrip().endswith(":") else ""


def named(path, text):
    """(line, name of a file) and (line, name of a folder) of a page or source."""
    page = path.endswith(".md")
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= page and line.startswith("```")
        if fenced:
            continue
        spans = QUOTED.findall(line) if page else [comment(line)]
        for span in spans:
            for name in FILE.findall(span):
                if page or "/" in name:
                    yield number, name, "file"
            if page and FOLDER.fullmatch(span):
                yield number, span.rstrip("/"), "folder"


def main(root):
    files = list(sources(root))
    ends = {"/".join(parts[k:]) for parts in (f.split("/") for f in files) for k in range(len(parts))}
    ends |= {re.sub(r"(?:\.isa)?\.\w+$", "", end) for end in ends}  # names without their extension
    folders = {"/".join(f.split("/")[:k]) for f in files for k in range(1, f.count("/") + 1)}
    tops = {f.split("/")[0] for f in folders}
    inner = {"/".join(f.split("/")[1:]) for f in folders}
    wrong = 0
    for path in files:
        if not path.endswith((".md", ".h", ".cpp")) or path == "CHANGELOG.md" or path.startswith(("tests/golden/cpp", "tests/clients")):
            continue
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        for line, name, kind in named(path, text):
            if FOREIGN.search(name):
                continue
            if kind == "file" and name.startswith(("_", ".")) and any(end.endswith(name) for end in ends):
                continue  # the rest of a name, as in "scalars_x86.h and _a64.h"
            if kind == "file" and name.lstrip("./") not in ends:
                print(f"{path}:{line}: there is no file {name}")
            elif kind == "folder" and name.split("/")[0] in tops and name not in folders and name not in inner and name not in ends:
                print(f"{path}:{line}: there is no folder {name}")
            else:
                continue
            wrong += 1
    print(f"{wrong} names without a file")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
