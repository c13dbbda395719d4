#!/usr/bin/env python3
"""Processor time of whole commands, programs in turn: the run of ./quickstart, and a summary of many columns.

    runs.py --fermiac build/bin/fermiac [--fermiac other/fermiac …] [--rounds 20] [--only schools,summary,…] [--csv FILE]

    schools   fermiac sample of the eight schools as ./quickstart does it: loading, 4 chains of 2000 iterations, files, table
    summary   fermiac summary of 10 000 columns x 4000 draws in four files (some 400 MB, in a temporary folder)

User and system time of the process, in milliseconds: the least and the median of the rounds, and the median of the ratios to the first program.
"""
import argparse
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

from rows import Rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS, DRAWS, CHAINS = 10000, 1000, 4


def milliseconds(words):
    """Of one run, user and system."""
    with open(os.devnull, "w") as nowhere:
        child = subprocess.Popen([str(w) for w in words], stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    if status != 0:
        raise SystemExit(f"failed: {' '.join(map(str, words))}")
    return 1000 * (usage.ru_utime + usage.ru_stime)


def schools(scratch):
    example = ROOT / "examples" / "eight_schools" / "eight_schools"
    return lambda fermiac: [fermiac, "sample", f"{example}.stan", "--data", f"{example}.json", "--seed", "1", "--output", scratch / "schools", "--overwrite"]


def summary(scratch):
    """Autoregressive columns, so that effective sample sizes look at some lags."""
    files = []
    for chain in range(1, CHAINS + 1):
        rng = random.Random(chain)
        files.append(scratch / f"wide_{chain}.csv")
        with files[-1].open("w") as out:
            out.write(",".join(f"x.{i + 1}" for i in range(COLUMNS)) + "\n")
            row = [rng.gauss(0, 1) for _ in range(COLUMNS)]
            for _ in range(DRAWS):
                row = [0.5 * x + 0.866 * rng.gauss(0, 1) for x in row]
                out.write(",".join(f"{x:.8g}" for x in row) + "\n")
    return lambda fermiac: [fermiac, "summary", *files]


CASES = {"schools": schools, "summary": summary}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fermiac", action="append", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--csv", metavar="FILE", help="also write the rows there")
    options = parser.parse_args()
    rows = Rows(options.csv, "command", "program", "least_ms", "median_ms", "ratio")
    print("| command | program | least, ms | median, ms | ratio |\n|---|---|---|---|---|")
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            words = CASES[name](pathlib.Path(scratch))
            times = [[milliseconds(words(program)) for program in options.fermiac] for _ in range(options.rounds)]
        for k, program in enumerate(options.fermiac):
            ratio = statistics.median(t[k] / t[0] for t in times)
            rows.add(name, program, min(t[k] for t in times), statistics.median(t[k] for t in times), ratio)
            print(f"| {name} | {program} | {min(t[k] for t in times):.0f} | {statistics.median(t[k] for t in times):.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
