#!/usr/bin/env python3
"""How many runs of `fermiac sample` end with all R-hat <= 1.01, by setting, over seeds.

    starts.py --posteriordb DIR --only arma-arma11,… --seeds 50 --setting random="--init 2" --setting default="" [--csv FILE] > table.tsv

A run that fails or takes longer than --timeout seconds counts as one that did not.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

from rows import Rows
from sampler import plain_data, posteriors, summary

LIMIT = 1.01


def agrees(options, model, data, words, seed):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        command = [options.fermiac, "sample", str(model), "--data", str(plain_data(data, scratch)), "--output", str(scratch / "out"),
                   "--seed", str(seed), "--threads", "1", "--no-summary", "--refresh", "0", *words.split()]
        try:
            if subprocess.run(command, capture_output=True, timeout=options.timeout).returncode != 0:
                return False
        except subprocess.TimeoutExpired:
            return False
        rows = summary(options.fermiac, sorted((scratch / "out").glob("*.csv")))
        # A quantity that is constant within every chain but not the same in all has no number: it counts as well.
        return all(r["R_hat"] <= LIMIT for r in rows.values() if r["StdDev"] > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fermiac", default="build/bin/fermiac")
    parser.add_argument("--posteriordb", required=True)
    parser.add_argument("--setting", action="append", required=True, metavar="NAME=OPTIONS")
    parser.add_argument("--only", required=True, help="posteriors, separated by commas")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--csv", metavar="FILE", help="also write the rows there (results/starts.csv)")
    options = parser.parse_args()
    rows = Rows(options.csv, "posterior", "setting", "agreeing_runs", "runs")
    settings = [s.split("=", 1) for s in options.setting]
    wanted = options.only.split(",")
    known = {name: (model, data) for name, model, data, _ in posteriors(pathlib.Path(options.posteriordb))}
    if missing := [name for name in wanted if name not in known]:
        sys.exit("not in the database: " + ", ".join(missing))
    print("posterior", *(label for label, _ in settings), sep="\t")
    totals = [0] * len(settings)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name in wanted:
            model, data = known[name]
            counts = [sum(pool.map(lambda seed, words=words: agrees(options, model, data, words, seed), range(1, options.seeds + 1)))
                      for _, words in settings]
            for count, (label, _) in zip(counts, settings):
                rows.add(name, label, count, options.seeds)
            totals = [t + c for t, c in zip(totals, counts)]
            print(name, *(f"{c}/{options.seeds}" for c in counts), sep="\t", flush=True)
    print("all", *(f"{t / options.seeds / len(wanted):.2f}" for t in totals), sep="\t")


if __name__ == "__main__":
    main()
