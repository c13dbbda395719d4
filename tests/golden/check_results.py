#!/usr/bin/env python3
"""Checks the tables of tests/bench/results: the README names each of them, and the scripts that write one have its columns.

    check_results.py ROOT

A script names its tables in its text as results/NAME.csv and its columns in the call of Rows(). A table may have more columns:
times of other programs, which are added by hand.
"""
import ast
import csv
import re
import sys
from pathlib import Path


def columns_written(tree):
    """The strings in the calls of Rows(path, column, …)."""
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "Rows"]
    return [[a.value for a in call.args[1:] if isinstance(a, ast.Constant)] for call in calls]


def wrong_columns(script, results):
    text = script.read_text(encoding="utf-8")
    for written in columns_written(ast.parse(text)):
        for name in set(re.findall(r"results/(\w+\.csv)", text)):
            header = next(csv.reader((results / name).open(encoding="utf-8")))
            if missing := [c for c in written if c not in header]:
                yield f"{script.name}: {name} has no column {', '.join(missing)}"


def uneven_rows(table):
    with table.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    if any(len(row) != len(header) for row in rows):
        yield f"{table.name}: rows of different lengths"


def main(root):
    results = root / "tests/bench/results"
    named = set(re.findall(r"^\| `(\w+\.csv)`", (results / "README.md").read_text(encoding="utf-8"), re.M))
    present = {path.name for path in results.glob("*.csv")}
    wrong = [f"README.md or the folder lacks {name}" for name in named ^ present]
    for script in [*(root / "tests/bench").glob("*.py"), root / "tests/stan_math/time_models.py"]:
        wrong += wrong_columns(script, results)
    for table in results.glob("*.csv"):
        wrong += uneven_rows(table)
    print("\n".join([*wrong, f"{len(present)} tables, {len(wrong)} findings"]))
    return 1 if wrong or not present else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
