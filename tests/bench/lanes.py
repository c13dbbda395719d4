#!/usr/bin/env python3
"""Chains on one thread, one after another and together: time of a gradient, and of whole runs.

The list has one model a line: name, program and data, between tabs. Both ways are timed in turn, processor time of the whole process, the
smaller of the rounds each; the draws must be the same. Without runs (--runs 0) gradients alone are timed, of all models that have a tape for it.
    tests/bench/lanes.py LIST.tsv [--fermiac build/bin/fermiac] [--chains 8] [--runs 3] [--rounds 3] [--seconds 0.3] [--only WORD] [--markdown]
                                   [--csv FILE]
"""

import argparse
import glob
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

from rows import Rows, listed_models


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("list")
    p.add_argument("--fermiac", default="build/bin/fermiac")
    p.add_argument("--chains", type=int, default=8)
    p.add_argument("--samples", type=int, default=1000)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", default="0.3")
    p.add_argument("--only", default="")
    p.add_argument("--markdown", action="store_true")
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (results/lanes.csv)")
    return p.parse_args()


def gradients(a, model, data):
    """The fastest of the rounds; None where there is no tape for it."""
    best = None
    for _ in range(a.rounds):
        command = [a.fermiac, "bench", "--lanes", model, "--data", data, "--seconds", a.seconds, "--timeout", "60"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return None
        got = json.loads(done.stdout)
        if got["us_together"] is None:
            return None
        if best is None:
            best = got
        for key in ("us_alone", "us_together"):
            best[key] = min(best[key], got[key])
    return best


def draws(folder):
    out = []
    for path in sorted(glob.glob(os.path.join(folder, "*_[0-9]*.csv"))):
        with open(path) as f:
            out.append([line for line in f if not line.startswith("#")])
    return out


def run(a, model, data, lanes):
    """Processor seconds and draws."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([a.fermiac, "sample", model, "--data", data, "--seed", "1", "--threads", "1", "--chains", str(a.chains), "--samples", str(a.samples),
                        "--refresh", "0", "--no-summary", "--output", folder, "--lanes", str(lanes)], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, draws(folder)


def runs(a, model, data):
    """Seconds one after another, and together as it pays."""
    best = [math.inf, math.inf]
    for _ in range(a.runs):
        seen = []
        for way, lanes in enumerate((1, 0)):
            seconds, got = run(a, model, data, lanes)
            best[way] = min(best[way], seconds)
            seen.append(got)
        if seen[0] != seen[1]:
            sys.exit(model + ": the draws differ")
    return best


def main():
    a = arguments()
    header = ["model", "parameters", "alone, µs", "together, µs", "ratio", "pays from"] + (["one after another, s", "together, s", "ratio"] if a.runs else [])
    row = "| " + " | ".join(["{}"] * len(header)) + " |" if a.markdown else "{:45} " + " ".join(["{:>12}"] * (len(header) - 1))
    print(row.format(*header))
    if a.markdown:
        print("|---|" + "---:|" * (len(header) - 1))
    rows = Rows(a.csv, "model", "instruction_set", "points", "alone_us", "together_us", "serial_run_s", "together_run_s")
    logs = [[], []]
    left_out = 0
    for name, program, data in listed_models(a.list, a.only):
        g = gradients(a, program, data)
        if g is None:
            left_out += 1
            continue
        ratio = g["us_alone"] / g["us_together"]
        logs[0].append(math.log(ratio))
        cells = [name, g["params"], f"{g['us_alone']:.3g}", f"{g['us_together']:.3g}", f"{ratio:.2f}", g["pays_from"] or "-"]
        apart = together = ""
        if a.runs:
            apart, together = runs(a, program, data)
            logs[1].append(math.log(apart / together))
            cells += [f"{apart:.3g}", f"{together:.3g}", f"{apart / together:.2f}"]
        print(row.format(*cells), flush=True)
        rows.add(name, g["isa"], g["lanes"], g["us_alone"], g["us_together"], apart, together)
    means = [f"{math.exp(sum(x) / len(x)):.2f}" for x in logs if x]
    print(f"{len(logs[0])} models, {left_out} others; geometric means: {', '.join(means)}")


if __name__ == "__main__":
    main()
