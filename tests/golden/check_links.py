#!/usr/bin/env python3
"""Checks the links within Markdown pages: the file is there, and so is the heading behind #.

    check_links.py PAGE.md…
"""
import os
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)


def anchors(path):
    """Of its headings, as GitHub makes them."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def wrong_links(page):
    with open(page, encoding="utf-8") as file:
        text = CODE.sub("", file.read())
    for target in LINK.findall(text):
        name, _, anchor = target.partition("#")
        path = os.path.join(os.path.dirname(page), name) if name else page
        if re.match(r"\w+:", target):
            continue
        if not os.path.exists(path):
            yield f"{page}: there is no {target}"
        elif anchor and anchor not in anchors(path):
            yield f"{page}: no heading for {target}"


def main():
    wrong = [w for page in sys.argv[1:] for w in wrong_links(page)]
    print("\n".join(wrong + [f"{len(sys.argv) - 1} pages, {len(wrong)} wrong links"]))
    return 1 if wrong or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
