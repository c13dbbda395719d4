#!/usr/bin/env python3
"""Times of gradients of models whose path through the program depends on parameters: microseconds per gradient for every model of
paths/, the parameters at rest and moving at every evaluation, the fastest of five windows.

    tests/bench/paths.py path/to/fermiac [--csv FILE]
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

from rows import Rows, instruction_set

N = 300
DATA = {"N": N, "t": [(i - N / 2) / 100 for i in range(N)], "y": [math.sin(i) for i in range(N)], "g": [-2 + 0.2 * i for i in range(20)]}


def time(program, model, file, spread):
    command = [program, "bench", model, "--data", file, "--seconds", "0.4", "--spread", str(spread)]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5)]
    return min(run["us_per_grad"] for run in runs)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("fermiac")
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (results/paths.csv)")
    a = p.parse_args()
    isa = instruction_set(a.fermiac)
    rows = Rows(a.csv, "model", "instruction_set", "rest_us", "moving_us")
    print("| model | µs at rest | moving |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "data.json")
        file.write_text(json.dumps(DATA))
        for model in sorted(Path(__file__).with_name("paths").glob("*.stan")):
            rest, moving = (time(a.fermiac, model, file, spread) for spread in (0, 0.5))
            print(f"| {model.stem} | {rest:.3g} | {moving:.3g} |", flush=True)
            rows.add(model.stem, isa, rest, moving)


main()
