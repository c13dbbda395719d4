#!/usr/bin/env python3
"""NUTS and WALNUTS on posteriors whose scales span orders of magnitude: gradients for an effective draw, and what is missing.

    funnels.py [--fermiac build/bin/fermiac] [--chains 16] [--samples 20000] [--thin 1] [--only funnel,…] [--setting NAME=OPTIONS …]
               [--csv FILE]

Of the logarithm of the scale, for each posterior and setting: gradients per draw, gradients (warm-up included) for an effective
draw of the bulk, share of divergent draws, mean and standard deviation with their standard errors (from the chains, which are
independent) and the difference of the standard deviation from the truth in per cent. The truth is known for Neal's funnel in ten
dimensions, and integrated numerically for the centred eight schools and for the stochastic volatility of 60 days of simulated returns.
With --thin every so many of the draws are kept, which is enough where they hardly move from one to the next.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

from rows import Rows

FUNNEL = "parameters { real log_scale; vector[9] x; } model { log_scale ~ normal(0, 3); x ~ normal(0, exp(log_scale / 2)); }"
SCHOOLS = """data { int J; vector[J] y; vector[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, sigma); }
generated quantities { real log_scale = log(tau); }"""
SCHOOLS_DATA = {"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}
VOLATILITY = """data { int T; vector[T] y; }
parameters { real log_scale; vector[T] h; }
model { log_scale ~ normal(-2, 1); h[1] ~ normal(0, 1); h[2 : T] ~ normal(h[1 : T - 1], exp(log_scale)); y ~ normal(0, exp(h / 2)); }"""


def volatility_data(days=60):
    rng, h, y = random.Random(20260101), 0.0, []
    for _ in range(days):
        h += rng.gauss(0, 0.15)
        y.append(round(rng.gauss(0, math.exp(h / 2)), 4))
    return {"T": days, "y": y}


def schools_truth():
    """Mean and sd of log tau: mu and theta integrated out exactly, tau by the rectangle rule on its logarithm."""
    sums = [0.0, 0.0, 0.0]
    for i in range(-4000, 1200):
        u = i / 200
        tau2 = math.exp(2 * u)
        w = [1 / (s * s + tau2) for s in SCHOOLS_DATA["sigma"]]
        precision = 1 / 25 + sum(w)
        mean = sum(wi * yi for wi, yi in zip(w, SCHOOLS_DATA["y"])) / precision
        log_density = (u - math.log1p(tau2 / 25) - 0.5 * math.log(precision) + 0.5 * sum(map(math.log, w))
                       - 0.5 * (sum(wi * yi * yi for wi, yi in zip(w, SCHOOLS_DATA["y"])) - precision * mean * mean))
        for k in range(3):
            sums[k] += math.exp(log_density) * u**k
    mean = sums[1] / sums[0]
    return mean, math.sqrt(sums[2] / sums[0] - mean * mean)


def volatility_evidence(log_scale, returns):
    """Logarithm of the density of the returns given the scale, without constants. The walk of h is filtered on a grid as fine as its steps,
    where sums in place of the integrals of normal densities are exact to eight digits."""
    sigma = math.exp(log_scale)
    grid_step = min(sigma, 0.3)
    half, width = math.ceil((8 + 7 * sigma * math.sqrt(len(returns))) / grid_step), math.ceil(7 * sigma / grid_step)
    grid = [k * grid_step for k in range(-half, half + 1)]
    kernel = [math.exp(-0.5 * (k * grid_step / sigma) ** 2) * grid_step / sigma for k in range(-width, width + 1)]
    precisions, rim = [math.exp(-h) for h in grid], [0.0] * width
    weights, total = [math.exp(-0.5 * h * h) * grid_step for h in grid], 0.0
    for day, y in enumerate(returns):
        if day > 0:
            before, weights = rim + weights + rim, [0.0] * len(grid)
            for k, share in enumerate(kernel):
                weights = [w + share * b for w, b in zip(weights, before[k:k + len(grid)])]
            total -= 0.5 * math.log(2 * math.pi)
        weights = [w * math.exp(-0.5 * (h + y * y * p)) for w, h, p in zip(weights, grid, precisions)]
        all_of_them = sum(weights)
        total += math.log(all_of_them)
        weights = [w / all_of_them for w in weights]
    return total


def volatility_truth():
    """Mean and sd of the logarithm of the scale, by the rectangle rule. Below exp(-5.5) the walk stands still: the density is that there."""
    points = [i / 4 for i in range(-28, 5)]
    logs = [volatility_evidence(max(u, -5.5), volatility_data()["y"]) - 0.5 * (u + 2) ** 2 for u in points]
    weights = [math.exp(x - max(logs)) for x in logs]
    mean = sum(w * u for w, u in zip(weights, points)) / sum(weights)
    return mean, math.sqrt(sum(w * (u - mean) ** 2 for w, u in zip(weights, points)) / sum(weights))


def columns_of(csv, wanted):
    """Sums of the warm-up's and the draws' leapfrogs, divergent draws, and the draws of log_scale."""
    grads, divergent, draws, names, phase = [0, 0], 0, [], None, 0
    for line in csv.open():
        if line.startswith("# Adaptation terminated"):
            phase = 1
        elif line.startswith("#"):
            continue
        elif names is None:
            names = line.rstrip().split(",")
            leapfrog, bad, at = names.index("n_leapfrog__"), names.index("divergent__"), names.index(wanted)
        else:
            cells = line.split(",", max(at, bad) + 1)
            grads[phase] += int(cells[leapfrog])
            if phase == 1:
                divergent += int(cells[bad])
                draws.append(float(cells[at]))
    return grads, divergent, draws


def with_error(values):
    n = len(values)
    mean = sum(values) / n
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (n * (n - 1)))


def bulk_ess(fermiac, files, name):
    text = subprocess.run([fermiac, "summary", "--sig-figs", "8", "--pars", name, "--", *map(str, files)], capture_output=True, text=True,
                          check=True).stdout.splitlines()
    header = next(line.split() for line in text if "ESS_bulk" in line)
    row = next(line.split() for line in text if line.startswith(name + " "))
    return float(row[1 + header.index("ESS_bulk")])


def measure(options, program, data, words, scratch):
    scratch.mkdir()
    (scratch / "m.stan").write_text(program)
    (scratch / "d.json").write_text(json.dumps(data))
    subprocess.run([options.fermiac, "sample", scratch / "m.stan", "--data", scratch / "d.json", "--output", scratch / "out", "--save-warmup",
                    "--chains", str(options.chains), "--samples", str(options.samples), "--seed", str(options.seed), "--no-summary", "--refresh",
                    "0", "--checkpoint-interval", "1000", "--thin", str(options.thin), *words.split()], check=True, capture_output=True, text=True)
    files = sorted((scratch / "out").glob("m_*.csv"))
    read = [columns_of(f, "log_scale") for f in files]
    ess = bulk_ess(options.fermiac, files, "log_scale")
    for f in files:
        f.unlink()
    warm, grads = (sum(r[0][k] for r in read) * options.thin for k in (0, 1))
    n = sum(len(r[2]) for r in read)
    mean, mean_error = with_error([sum(r[2]) / len(r[2]) for r in read])
    # The variance about the overall mean, chain by chain; that of the sd by the delta method.
    variance, variance_error = with_error([sum((x - mean) ** 2 for x in r[2]) / len(r[2]) for r in read])
    return {"grads": grads / n / options.thin, "per ess": (warm + grads) / ess, "divergent": sum(r[1] for r in read) / n, "mean": mean, "mean error": mean_error,
            "sd": math.sqrt(variance), "sd error": variance_error / (2 * math.sqrt(variance))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fermiac", default="build/bin/fermiac")
    parser.add_argument("--chains", type=int, default=16)
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--thin", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="funnel,schools,volatility")
    parser.add_argument("--setting", action="append", metavar="NAME=OPTIONS")
    parser.add_argument("--csv", metavar="FILE", help="also write the rows there (results/funnels.csv)")
    options = parser.parse_args()
    rows = Rows(options.csv, "posterior", "sampler", "chains", "gradients_per_draw", "gradients_per_effective_draw", "divergent_share", "mean",
                "mean_error", "sd", "sd_error", "true_mean", "true_sd")
    options.fermiac = str(pathlib.Path(options.fermiac).resolve())
    settings = [s.split("=", 1) for s in options.setting or ["NUTS=", "NUTS, 0.95=--adapt-delta 0.95", "WALNUTS=--sampler walnuts"]]
    print("| posterior | sampler | gradients per draw | per effective draw | divergent | mean | sd | sd − truth |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        posteriors = {"funnel": (FUNNEL, {}, lambda: (0, 3)), "schools": (SCHOOLS, SCHOOLS_DATA, schools_truth),
                      "volatility": (VOLATILITY, volatility_data(), volatility_truth)}
        for name in options.only.split(","):
            program, data, truth = posteriors[name]
            mean, sd = truth()
            print(f"| {name} | truth | | | | {mean:.3f} | {sd:.4f} | |", flush=True)
            for k, (label, words) in enumerate(settings):
                r = measure(options, program, data, words, scratch / f"{name}{k}")
                rows.add(name, label, options.chains, r["grads"], r["per ess"], r["divergent"], r["mean"], r["mean error"], r["sd"], r["sd error"], mean, sd)
                print(f"| {name} | {label} | {r['grads']:.0f} | {r['per ess']:.0f} | {r['divergent']:.2%} | {r['mean']:.3f} ± {r['mean error']:.3f} | "
                      f"{r['sd']:.4f} ± {r['sd error']:.4f} | {100 * (r['sd'] / sd - 1):+.1f} ± {100 * r['sd error'] / sd:.1f} % |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
