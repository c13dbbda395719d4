#!/usr/bin/env python3
"""Runs the transcripts of a Markdown page and compares what they print.

    check_transcripts.py --fermiac PATH [--stanc PATH] [--files FOLDER] PAGE.md [--update]

A block ```LANGUAGE FILE``` (```stan schools.stan```) is a file; a block ```console``` is a transcript: lines that begin with `$ `
are commands, which run one after the other in one folder with those files; what follows up to the next command is what they
print, standard output and standard error together. A line `…` stands for any lines, `…` within a line for any characters.
Files of FOLDER are there too; a block that has the name of one must have its text. --update writes what is printed now, and
the text of those files.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def like(wanted, found):
    """A line against a line, where `…` stands for any characters."""
    return re.fullmatch(".*".join(map(re.escape, wanted.rstrip().split("…"))), found.rstrip()) is not None


def matches(wanted, found):
    """Lines against lines, where `…` stands for any."""
    if not wanted:
        return not found
    if wanted[0] == "…":
        return any(matches(wanted[1:], found[k:]) for k in range(len(found) + 1))
    return bool(found) and like(wanted[0], found[0]) and matches(wanted[1:], found[1:])


def fresh_lines(wanted, found):
    """What is printed now, where a line of the page that leaves something open stays as it is."""
    is_open = [line for line in wanted if "…" in line and line != "…"]
    return [next((line for line in is_open if like(line, now)), now.rstrip()) for now in found]


def run(command, folder, programs):
    path = os.pathsep.join([os.path.dirname(os.path.abspath(p)) for p in programs] + [os.environ["PATH"]])
    environment = dict(os.environ, PATH=path, STAN_NUM_THREADS="1", TERM="dumb")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=300, check=False)
    return done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n") if done.stdout.strip() else []


def transcript(text, folder, programs, page):
    """The block as it should be, and the number of commands that print something else."""
    parts = re.split(r"^\$ ", text, flags=re.M)
    out, wrong = parts[0], 0
    for part in parts[1:]:
        command, _, rest = part.partition("\n")
        wanted = rest.rstrip("\n").split("\n") if rest.strip() else []
        found = run(command, folder, programs)
        if matches(wanted, found):
            out += "$ " + part
            continue
        wrong += 1
        print(f"{page}: $ {command}\n--- the page\n" + "\n".join(wanted) + "\n--- now\n" + "\n".join(found))
        out += "$ " + command + "\n" + "".join(line + "\n" for line in fresh_lines(wanted, found))
    return out, wrong


def file_block(path, body, page):
    """The text of a block that is a file, and the number of files that have another."""
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(body)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text != body:
        print(f"{page}: the block {os.path.basename(path)} differs from the file of that name")
    return text, int(text != body)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fermiac", required=True)
    parser.add_argument("--stanc")
    parser.add_argument("--files", metavar="FOLDER")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("page")
    arguments = parser.parse_args()
    with open(arguments.page, encoding="utf-8") as file:
        text = file.read()
    wrong, commands = 0, 0
    page = os.path.basename(arguments.page)
    programs = [program for program in (arguments.fermiac, arguments.stanc) if program]
    with tempfile.TemporaryDirectory() as folder:
        if arguments.files:
            shutil.copytree(arguments.files, folder, dirs_exist_ok=True)

        def block(match):
            nonlocal wrong, commands
            language, name, body = match.groups()
            if name:
                body, bad = file_block(os.path.join(folder, name), body, page)
                wrong += bad
                return f"```{language} {name}\n{body}```"
            if language != "console":
                return match.group(0)
            commands += len(re.findall(r"^\$ ", body, re.M))
            fresh, bad = transcript(body, folder, programs, page)
            wrong += bad
            return f"```console\n{fresh.rstrip()}\n```"

        fresh = BLOCK.sub(block, text)
    if arguments.update:
        with open(arguments.page, "w", encoding="utf-8") as file:
            file.write(fresh)
        return 0
    print(f"{commands} commands, {wrong} wrong")
    return 1 if wrong or commands == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
