#!/usr/bin/env python3
"""Gradients for an effective draw: settings of `fermiac sample` beside each other over posteriordb.

    sampler.py --posteriordb DIR --setting base="--metric diag_e" --setting new="" [--only TEXT] [--seeds 3] [--csv FILE] > table.tsv

DIR is the folder posterior_database. The first setting is the one the others are compared with. For each posterior,
setting and seed: leapfrogs of all chains, warm-up and the evaluations that the starts took included, divided by the smallest bulk effective sample size of the
model's quantities; the table has the geometric mean over the seeds, the share of it in the warm-up, the worst R-hat, and,
where there are reference values, the largest difference of means and of standard deviations in units of their standard
errors. A run that takes longer than --timeout seconds leaves its posterior out (said on standard error).
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from rows import Rows

SAMPLER_COLUMNS = "__"


def posteriors(folder):
    """(name, model, data file or zip) of every posterior that has a Stan program."""
    for path in sorted((folder / "posteriors").glob("*.json")):
        entry = json.loads(path.read_text())
        model = folder / "models" / "stan" / (entry["model_name"] + ".stan")
        data = folder / "data" / "data" / (entry["data_name"] + ".json")
        if model.exists() and (data.exists() or data.with_suffix(".json.zip").exists()):
            yield path.stem, model, data, entry.get("reference_posterior_name")


def plain_data(data, scratch):
    if data.exists():
        return data
    with zipfile.ZipFile(str(data) + ".zip") as archive:
        name = next(n for n in archive.namelist() if n.endswith(".json") and not n.startswith("__MACOSX"))
        return pathlib.Path(archive.extract(name, scratch))


def leapfrogs(csv):
    """(warm-up, sampling) of one chain."""
    sums, column, phase = [0, 0], None, 0
    for line in csv.open():
        if line.startswith("# Adaptation terminated"):
            phase = 1
        elif line.startswith("#"):
            continue
        elif column is None:
            column = line.rstrip().split(",").index("n_leapfrog__")
        else:
            sums[phase] += int(line.split(",", column + 1)[column])
    return sums


def summary(fermiac, files):
    """Rows of the table by name: mean, MCSE, sd, bulk ESS, R-hat."""
    text = subprocess.run([fermiac, "summary", "--sig-figs", "8", *map(str, files)], capture_output=True, text=True, check=True).stdout
    rows, header = {}, None
    for line in text.splitlines():
        parts = line.split()
        if header is None:
            header = parts if "ESS_bulk" in parts else None
        elif len(parts) == len(header) + 1:
            row = dict(zip(header, map(float, parts[1:])))
            rows[parts[0]] = row
    return {name: row for name, row in rows.items() if not name.endswith(SAMPLER_COLUMNS)}


def distances(rows, reference, folder):
    """The largest |difference| / standard error of the means, and of the standard deviations."""
    if not reference:
        return math.nan, math.nan
    kinds = folder / "reference_posteriors" / "summary_statistics"
    try:
        mean = json.loads((kinds / "mean_value" / "mean_value" / (reference + ".json")).read_text())
        square = json.loads((kinds / "mean_squared_value" / "mean_squared_value" / (reference + ".json")).read_text())
    except OSError:
        return math.nan, math.nan
    worst = [0.0, 0.0]
    for name, m, m_error, s, s_error in zip(mean["names"], mean["mean_value"], mean["mcse_mean"], square["mean_squared_value"],
                                            square["mcse_mean_squared"] if "mcse_mean_squared" in square else square["mcse_mean"]):
        row = rows.get(name)
        if row is None or not row["MCSE"] > 0:
            continue
        worst[0] = max(worst[0], abs(row["Mean"] - m) / math.hypot(row["MCSE"], m_error))
        sd = math.sqrt(max(s - m * m, 0))
        # Of a normal quantity: sd / sqrt(2 ESS) for the run's, and the reference's from those of its moments.
        error = math.hypot(row["StdDev"] / math.sqrt(2 * row["ESS_bulk"]), math.hypot(s_error, 2 * m * m_error) / (2 * sd) if sd else 0)
        worst[1] = max(worst[1], abs(row["StdDev"] - sd) / error)
    return worst


def run(options, folder, model, data, reference, words, seed):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        command = [options.fermiac, "sample", str(model), "--data", str(plain_data(data, scratch)), "--output",
                   str(scratch / "out"), "--seed", str(seed), "--threads", "1", "--save-warmup", "--no-summary", "--refresh", "0",
                   "--chains", str(options.chains), *options.common.split(), *words.split()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed")
        files = sorted((scratch / "out").glob("*.csv"))
        counts = [leapfrogs(f) for f in files]
        starts = sum(map(int, re.findall(r"(\d+) evaluations of the density", done.stderr)))
        warm, total = starts + sum(c[0] for c in counts), starts + sum(map(sum, counts))
        rows = summary(options.fermiac, files)
        ess = min(r["ESS_bulk"] for r in rows.values() if r["ESS_bulk"] > 0)
        rhat = max(r["R_hat"] for r in rows.values() if r["ESS_bulk"] > 0)
        return [total / ess, warm / total, rhat, *distances(rows, reference, folder), ess, total]


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def measure(options, settings, posterior):
    name, model, data, reference = posterior
    folder = pathlib.Path(options.posteriordb)
    results = {}
    for label, words in settings:
        runs = []
        for seed in range(1, options.seeds + 1):
            try:
                runs.append(run(options, folder, model, data, reference, words, seed))
            except (subprocess.TimeoutExpired, RuntimeError, ValueError) as problem:
                print(f"{name}, {label}: left out, {str(problem)[-200:]}", file=sys.stderr)
                return name, None
        results[label] = [geometric([r[0] for r in runs]), geometric([r[1] + 1e-9 for r in runs]), max(r[2] for r in runs),
                          max(r[3] for r in runs), max(r[4] for r in runs), geometric([r[5] for r in runs])]
    return name, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fermiac", default="build/bin/fermiac")
    parser.add_argument("--posteriordb", required=True)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=OPTIONS")
    parser.add_argument("--common", default="", help="options of every run")
    parser.add_argument("--only", default="", help="posteriors to measure, separated by commas (default: all)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--csv", metavar="FILE", help="also write the rows there (results/samplers.csv)")
    options = parser.parse_args()
    rows = Rows(options.csv, "posterior", "setting", "gradients_per_effective_draw", "ratio", "warmup_share", "worst_rhat", "worst_mean_error",
                "worst_sd_error", "smallest_ess")
    settings = [s.split("=", 1) for s in options.setting] or [["diag_e", "--metric diag_e"], ["default", ""]]
    wanted = set(filter(None, options.only.split(",")))
    todo = [p for p in posteriors(pathlib.Path(options.posteriordb)) if not wanted or p[0] in wanted]
    base = settings[0][0]
    print("posterior", *(f"{label}:{what}" for label, _ in settings
                         for what in ("cost", "ratio", "warmup", "rhat", "mean_z", "sd_z", "ess")), sep="\t")
    ratios = {label: [] for label, _ in settings}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, results in pool.map(lambda p: measure(options, settings, p), todo):
            if results is None:
                continue
            cells = []
            for label, _ in settings:
                cost, warm, rhat, mean_z, sd_z, ess = results[label]
                ratio = cost / results[base][0]
                ratios[label].append(ratio)
                rows.add(name, label, cost, ratio, warm, rhat, mean_z, sd_z, ess)
                cells += [f"{cost:.1f}", f"{ratio:.2f}", f"{warm:.2f}", f"{rhat:.3f}", f"{mean_z:.1f}", f"{sd_z:.1f}", f"{ess:.0f}"]
            print(name, *cells, sep="\t", flush=True)
    for label, _ in settings:
        if ratios[label]:
            print(f"# {label}: geometric mean {geometric(ratios[label]):.3f} of {base} over {len(ratios[label])} posteriors, "
                  f"largest {max(ratios[label]):.2f}")


if __name__ == "__main__":
    main()
