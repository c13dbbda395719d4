#!/usr/bin/env python3
"""What writing a draw takes: nodes and tapes in turn, for all models of a list that have more than parameters.

The list has one model a line: name, program and data, between tabs.
    tests/bench/draws.py LIST.tsv [--fermiac build/bin/fermiac] [--rounds 3] [--seconds 0.3] [--only WORD] [--markdown] [--csv FILE]
"""

import argparse
import json
import math
import subprocess
import sys

from rows import Rows, listed_models


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("list")
    p.add_argument("--fermiac", default="build/bin/fermiac")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", default="0.3")
    p.add_argument("--only", default="")
    p.add_argument("--markdown", action="store_true")
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (results/draws.csv)")
    return p.parse_args()


def bench(a, model, data, engine):
    command = [a.fermiac, "bench", "--draws", model, "--data", data, "--seconds", a.seconds, "--evaluator", engine, "--timeout", "120"]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def best(a, model, data):
    """The fastest of the rounds, by engine; or the message of the first that fails."""
    found = {}
    for _ in range(a.rounds):
        for engine in ("interp", "replay"):
            got = bench(a, model, data, engine)
            if isinstance(got, str):
                return got
            if engine not in found or got["us_values"] < found[engine]["us_values"]:
                found[engine] = got
    return found


def has_more_than_parameters(program):
    with open(program) as f:
        text = f.read()
    return "transformed parameters" in text or "generated quantities" in text


def main():
    a = arguments()
    row = "| {} | {} | {} | {} | {} | {} | {} | {} |" if a.markdown else "{:45} {:>7} {:>10} {:>10} {:>6} {:>9} {:>5} {:>5}"
    print(row.format("model", "columns", "nodes, µs", "tape, µs", "ratio", "text, µs", "tape", "nodes"))
    if a.markdown:
        print("|---|" + "---:|" * 7)
    rows = Rows(a.csv, "model", "instruction_set", "columns", "nodes_us", "tape_us", "text_us", "statements_by_tape", "statements_by_nodes")
    ratios = []
    for name, program, data in listed_models(a.list, a.only):
        if not has_more_than_parameters(program):
            continue
        found = best(a, program, data)
        if isinstance(found, str):
            print(f"{name}: {found}", file=sys.stderr)
            continue
        nodes, tape = found["interp"], found["replay"]
        ratios.append(tape["us_values"] / nodes["us_values"])
        print(row.format(name, tape["columns"], f'{nodes["us_values"]:.1f}', f'{tape["us_values"]:.1f}', f"{ratios[-1]:.2f}",
                         f'{tape["us_text"]:.1f}', tape["statements_by_tape"], tape["statements_by_nodes"]), flush=True)
        rows.add(name, tape["isa"], tape["columns"], nodes["us_values"], tape["us_values"], tape["us_text"], tape["statements_by_tape"],
                 tape["statements_by_nodes"])
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\n{len(ratios)} models, tape over nodes in the geometric mean: {mean:.3f}")


if __name__ == "__main__":
    main()
