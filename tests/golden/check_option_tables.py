#!/usr/bin/env python3
"""Compares the tables of options in docs/user/from-cmdstan.md and from-stanc.md with the help of the programs.

    check_option_tables.py --fermiac PATH --stanc PATH --model M.stan PAGE.md [OTHER.md …]

A heading "## `METHOD`: `fermiac COMMAND`" begins the table of a method of CmdStan ("## All methods: …" that of what all have).
On any page, "## `stanc`…" begins a table of stanc's options. The first cell of a row is `argument=DEFAULT` as on CmdStan's command line, the
second has options of ours, `--option DEFAULT`. Every argument and every option of stanc must have one row, every name must exist,
and every default that is shown must be the one in the help. On all the pages, commands in the text, `fermiac sample --chains`,
must exist with their options, and so must the options in the second cells below other headings that end in ": `fermiac COMMAND`".
"""
import argparse
import re
import subprocess
import sys

CODE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^## (.*)$", re.M)
ROW = re.compile(r"^\| (`.*?) \|(.*?)\|", re.M)
TABLE = re.compile(r": `fermiac ([\w-]+)`$")
OTHERS_HELP = ("cmdstan-run",)  # has CmdStan's
OURS = re.compile(r"^  (?:-\w,)?(--[\w-]+)(?:\{\w+\})?(?: (\S+))?", re.M)


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, timeout=60).stdout.decode()


def same(one, other):
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


def cmdstan_arguments(help_all):
    """{method: {"adapt delta": "0.8", …}} with the method "" for arguments of all methods; defaults "" where there is none."""
    found, open_names, last = {}, [], None
    for line in help_all.split("\n\nUsage:")[0].split("\n"):
        indent, text = (len(line) - len(line.lstrip())) // 2 - 1, line.strip()
        name = re.fullmatch(r"(\w+)(=<.*>)?", text)
        if text.startswith("Defaults to ") and last:
            found[last[0]][last[1]] = text[len("Defaults to "):].strip('"')
        if not name:
            continue
        if last and indent > len(open_names):
            continue  # a description of one word
        open_names = open_names[:indent] + [(name[1], bool(name[2]))]
        names = open_names[1:] if open_names[0][0] == "method" else open_names
        if not name[2] or not names:
            last = None
            continue
        method, path = (names[0][0], names[1:]) if open_names[0][0] == "method" else ("", names)
        # A choice and what was chosen are one word: algorithm=hmc.
        words = ""
        for (word, is_value), (after, _) in zip(path, path[1:] + [(None, None)]):
            words += word + ("=" if is_value and after else " ")
        last = (method, words.strip())
        found.setdefault(method, {})[words.strip()] = ""
    return found


def our_options(help_text):
    return {name: (kind or "").rpartition("=")[2] if "=" in (kind or "") else "" for name, kind in OURS.findall(help_text)}


def sections(text):
    parts = HEADING.split(text)
    return list(zip(parts[1::2], parts[2::2]))


def rows(section):
    for first, second in ROW.findall(section):
        yield CODE.findall(first), CODE.findall(second)


def check_ours(items, options, where):
    wrong = []
    for item in items:
        name, _, default = item.partition(" ")
        if not name.startswith("--"):
            continue
        if name not in options:
            wrong.append(f"{where}: there is no {name}")
        elif default and not same(default, options[name]):
            wrong.append(f"{where}: {name} has the default '{options[name]}', not '{default}'")
    return wrong


def check_method(section, arguments, options, where):
    wrong, told = [], set()
    for first, second in rows(section):
        for item in first:
            head, _, default = item.rpartition("=")
            path = item if item in arguments else head
            if path not in arguments:
                wrong.append(f"{where}: CmdStan has no argument '{item}'")
            elif path != item and not same(default, arguments[path]):
                wrong.append(f"{where}: {path} has the default '{arguments[path]}', not '{default}'")
            else:
                told.add(path)
        wrong += check_ours(second, options, where)
    # bfgs has no arguments that lbfgs has not: one row is enough.
    return wrong + [f"{where}: no row for '{path}'" for path in arguments if path.replace("=bfgs ", "=lbfgs ") not in told]


def check_stanc(tables, help_text):
    options = set(re.findall(r"(?<![\w-])(--?[\w?-]+)", "\n".join(re.findall(r"^       (-.*)$", help_text, re.M))))
    told = {re.match(r"--?[\w?-]+", item)[0] for table in tables for first, _ in rows(table) for item in first}
    return ([f"stanc: no row for {o}" for o in sorted(options - told)] +
            [f"stanc: there is no {o}" for o in sorted(told - options)])


def check_commands(text, fermiac, page):
    """Commands within the text: fermiac has the command, and the command the options."""
    wrong = []
    for heading, section in sections(text):
        if command := TABLE.search(heading):
            options = our_options(output([fermiac, command[1], "--help"]))
            wrong += [w for _, second in rows(section) for w in check_ours(second, options, f"{page}: {heading}")]
    for words in (code.split() for code in CODE.findall(re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))):
        if len(words) < 2 or words[0] != "fermiac" or words[1].startswith("-") or words[1] in OTHERS_HELP:
            continue
        try:
            options = our_options(output([fermiac, words[1], "--help"]))
        except subprocess.CalledProcessError:
            wrong.append(f"{page}: there is no command 'fermiac {words[1]}'")
            continue
        wrong += check_ours([word for word in words[2:] if word.startswith("--")], options, f"{page}: fermiac {words[1]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("--fermiac", "--stanc", "--model"):
        parser.add_argument(name, required=True)
    parser.add_argument("page")
    parser.add_argument("others", nargs="*")
    arguments = parser.parse_args()
    with open(arguments.page, encoding="utf-8") as file:
        tables = sections(file.read())
    theirs = cmdstan_arguments(output([arguments.fermiac, "cmdstan-run", arguments.model, "help-all"]))
    wrong, stanc, seen = [], [], set()
    for page in [arguments.page] + arguments.others:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        wrong += check_commands(text, arguments.fermiac, page)
        stanc += [section for heading, section in sections(text) if heading.startswith("`stanc`")]
    for heading, section in tables:
        if command := TABLE.search(heading):
            method = heading.split("`")[1] if heading.startswith("`") else ""
            seen.add(method)
            wrong += check_method(section, theirs.get(method, {}), our_options(output([arguments.fermiac, command[1], "--help"])),
                                  method or heading)
    wrong += [f"no table for '{method}'" for method in theirs if method not in seen]
    wrong += check_stanc(stanc, output([arguments.stanc, "--help"]))
    print("\n".join(wrong + [f"{sum(map(len, theirs.values()))} arguments of CmdStan, {len(wrong)} wrong"]))
    return 1 if wrong or not theirs else 0


if __name__ == "__main__":
    sys.exit(main())
