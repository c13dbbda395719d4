#!/usr/bin/env python3
"""Runs the transcripts of a Markdown page and compares what they print.

    check_transcripts.py --fermiac PATH PAGE.md [--update]

A block ```LANGUAGE FILE``` (```stan schools.stan```) is a file; a block ```console``` is a transcript: lines that begin with `$ `
are commands, which run one after the other in one folder with those files; what follows up to the next command is what they
print, standard output and standard error together. A line `…` stands for any lines. --update writes what is printed now.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def matches(wanted, found):
    """Lines against lines, where `…` stands for any."""
    if not wanted:
        return not found
    if wanted[0] == "…":
        return any(matches(wanted[1:], found[k:]) for k in range(len(found) + 1))
    return bool(found) and wanted[0].rstrip() == found[0].rstrip() and matches(wanted[1:], found[1:])


def run(command, folder, program):
    environment = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"], STAN_NUM_THREADS="1", TERM="dumb")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=300, check=False)
    return done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n") if done.stdout.strip() else []


def transcript(text, folder, program, page):
    """The block as it should be, and the number of commands that print something else."""
    parts = re.split(r"^\$ ", text, flags=re.M)
    out, wrong = parts[0], 0
    for part in parts[1:]:
        command, _, rest = part.partition("\n")
        wanted = rest.rstrip("\n").split("\n") if rest.strip() else []
        found = run(command, folder, program)
        if matches(wanted, found):
            out += "$ " + part
            continue
        wrong += 1
        print(f"{page}: $ {command}\n--- the page\n" + "\n".join(wanted) + "\n--- now\n" + "\n".join(found))
        out += "$ " + command + "\n" + "".join(line + "\n" for line in found)
    return out, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fermiac", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("page")
    arguments = parser.parse_args()
    with open(arguments.page, encoding="utf-8") as file:
        text = file.read()
    wrong, commands = 0, 0
    with tempfile.TemporaryDirectory() as folder:

        def block(match):
            nonlocal wrong, commands
            language, name, body = match.groups()
            if name:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(body)
            if language != "console":
                return match.group(0)
            commands += body.count("$ ")
            fresh, bad = transcript(body, folder, os.path.abspath(arguments.fermiac), os.path.basename(arguments.page))
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
