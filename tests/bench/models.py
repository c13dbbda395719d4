#!/usr/bin/env python3
"""Gradients of a list of models: instruction sets and optimization levels in turn, the fastest of the rounds each.

The list has one model a line: name, program and data, between tabs. --compiled is a CSV file with the columns model and
compiled_gradient_us (or compiled_us): times of compiled Stan, to which the ratios refer.
    tests/bench/models.py LIST.tsv [--fermiac build/bin/fermiac] [--instruction-sets avx512,avx2,sse2] [--levels O0,O1,Oexperimental]
                          [--compiled FILE] [--rounds 2] [--seconds 0.3] [--only WORD] [--csv FILE]
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys

from rows import Rows, instruction_set, listed_models


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("list")
    p.add_argument("--fermiac", default="build/bin/fermiac")
    p.add_argument("--instruction-sets", default="", help="separated by commas (default: that of this machine)")
    p.add_argument("--levels", default="O0", help="separated by commas")
    p.add_argument("--compiled", metavar="FILE")
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--seconds", default="0.3")
    p.add_argument("--only", default="")
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (results/models.csv, results/levels.csv)")
    return p.parse_args()


def compiled_times(path):
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    column = "compiled_gradient_us" if "compiled_gradient_us" in rows[0] else "compiled_us"
    return {row["model"]: float(row[column]) for row in rows if row[column]}


def bench(a, program, data, isa, level):
    """The numbers of one window, or the message of a failure."""
    command = [a.fermiac, "bench", program, "--data", data, "--" + level, "--seconds", a.seconds, "--timeout", "120"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "FERMIAC_ISA": isa})
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def best(a, program, data, settings):
    """By setting, the round with the fastest gradient; or the message of the first that fails."""
    found = {}
    for _ in range(a.rounds):
        for setting in settings:
            got = bench(a, program, data, *setting)
            if isinstance(got, str):
                return got
            if setting not in found or got["us_per_grad"] < found[setting]["us_per_grad"]:
                found[setting] = got
    return found


def main():
    a = arguments()
    sets = a.instruction_sets.split(",") if a.instruction_sets else [instruction_set(a.fermiac)]
    settings = [(isa, level) for isa in sets for level in a.levels.split(",")]
    compiled, logs = compiled_times(a.compiled), {s: [] for s in settings}
    rows = Rows(a.csv, "model", "instruction_set", "level", "gradient_us", "first_gradient_ms", "operations_recorded", "operations", "compiled_us", "ratio")
    for name, program, data in listed_models(a.list, a.only):
        found = best(a, program, data, settings)
        if isinstance(found, str):
            print(f"{name}: {found}", file=sys.stderr)
            continue
        for setting, got in found.items():
            time = got["us_per_grad"]
            reference = compiled.get(name, "")
            ratio = time / reference if reference else ""
            logs[setting] += [math.log(ratio)] if ratio else []
            print(name, *setting, f"{time:.3g} µs", f"{ratio:.3f}" if ratio else "", flush=True)
            rows.add(name, *setting, time, got["prep_ms"], got["ops_recorded"], got["ops"], reference, ratio)
    for setting, ratios in logs.items():
        if ratios:
            print(f"{len(ratios)} models, {' '.join(setting)} over compiled, geometric mean: {math.exp(sum(ratios) / len(ratios)):.3f}")


if __name__ == "__main__":
    main()
