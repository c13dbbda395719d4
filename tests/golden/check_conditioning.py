#!/usr/bin/env python3
"""Runs the cases of a conditioning file through the commands of fermiac and compares what they print and write.

    check_conditioning.py [--fermiac PATH] [--only REGEX] [--jobs 1] [--verbose] [--exceptions FILE] FILE.jsonl

A case is one JSON object: a program, its data, what to ask (`do` names the command) and what to expect. What stands for what:

 1. A case runs in an empty folder of its own: `fermiac COMMAND model.stan --data data.json [--conditioning conditioning.json] …`
    (always --data, if only `{}`), one thread (STAN_NUM_THREADS=1), --seed 4711 wherever random numbers are drawn.
 2. A member of `ask` is the option of its name (`k_threshold` is --k-threshold), a member that is true a flag; others are
    jacobian: false --no-jacobian (optimize takes it too, though it is its default), adapt: false --no-adapt, draws_wanted
    --num-draws, blocks --block once each; what and alpha are one argument with commas; r_eff is --r-eff NUMBER (loo,
    sensitivity); kfold is a word or a file with a JSON array, one fold for each observation.
 3. Draws are a CSV file with the columns of the sampler and those named. It is given by --draws (sensitivity too), to loo as
    the argument behind the data.
 4. trace gets --elements --format jsonl, sites, loo, sbc and sensitivity --format json: then standard output holds nothing but
    JSON, one object on a line; for loo, sbc and sensitivity one line. `query` and `marginals` print JSON lines anyway.
 5. sample, optimize, predict and log-lik get --output out and write out/model_1.csv … (one for each chain),
    out/model_optimize.csv (the last row counts), out/model_predict_1.csv, out/model_log_lik_1.csv. Columns that end in `__` are the
    sampler's, all others the model's. predict writes as many rows as --num-draws says, with --draws one for each draw.
 6. log-lik gets --log-lik --lprior --sig-figs 17; its file holds these columns only, and the comment
    `#   log_lik = y[1], y[3], …` names all observations, none left out.
 7. loo --reloo lists the refitted observations as "refitted"; `pointwise` is in the order of the observations.
 8. sbc gets --band with the tolerance; its ranks are compared with the band here, by exact probabilities, and "inside" must say
    the same unless it is close.
 9. A command or option that the program does not know is a failure. `skipped` counts the cases that --only leaves out.
"""
import argparse
import concurrent.futures
import functools
import glob
import json
import math
import os
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

SEED = 4711
SHORT, LONG = 30, 120  # seconds for a case; LONG where it samples
SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
CONDITIONING = ("context", "weights", "fix", "condition", "missing", "roles")
SAMPLER = "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__"


class Wrong(Exception):
    """A difference after which nothing else of a case can be compared."""


# ---------------------------------------------------------------------------------------------------------- comparing

def number(x):
    """The number that a value of the JSON stands for, or None."""
    if isinstance(x, bool):
        return None
    if isinstance(x, (int, float)):
        return float(x)
    return SPECIAL.get(x) if isinstance(x, str) else None


def spell(path):
    text = ""
    for p in path:
        text += f"[{p + 1}]" if isinstance(p, int) else ("." if text else "") + p
    return text or "value"


def short(x, length=160):
    text = x if isinstance(x, str) else json.dumps(x, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= length else text[:length] + "…"


class Comparison:
    """Differences between what a case expects and what was found, under its tolerance."""

    def __init__(self, tolerance):
        self.tolerance = tolerance
        self.differences = []

    def differ(self, path, want, got, remark=""):
        found = "nothing" if got is None else short(got if isinstance(want, str) else json.dumps(got, ensure_ascii=False))
        self.differences.append(f"{spell(path)}: expected {short(want)}, found {found}{remark}")

    def allowed(self, path, want):
        node = self.tolerance
        if isinstance(node, dict):
            for key in path:
                if not isinstance(node, dict):
                    break
                node = node.get(key)
            if isinstance(node, (int, float)):
                return node
        relative = node if isinstance(node, (int, float)) else 1e-9
        return relative * max(1.0, abs(want))

    def numbers(self, path, want, got):
        x, y = number(want), number(got)
        if y is None:
            self.differ(path, want, got)
        elif math.isnan(x) or math.isinf(x):
            if not (x == y or (math.isnan(x) and math.isnan(y))):
                self.differ(path, want, got)
        elif not abs(x - y) <= self.allowed(path, x):
            self.differ(path, want, got, f" (off by {abs(x - y):.3g}, allowed {self.allowed(path, x):.3g})")

    def same(self, path, want, got, subset=False):
        """subset: members of `got` that `want` does not have are not looked at."""
        if isinstance(want, bool) or want is None:
            if got is not want:
                self.differ(path, want, got)
        elif number(want) is not None:
            self.numbers(path, want, got)
        elif isinstance(want, str):
            if got != want:
                self.differ(path, want, got)
        elif isinstance(want, list):
            if not isinstance(got, list) or len(got) != len(want):
                self.differ(path, want, got, f" ({len(want)} and {len(got)} long)" if isinstance(got, list) else "")
            else:
                for i, (a, b) in enumerate(zip(want, got)):
                    self.same(path + (i,), a, b)
        elif not isinstance(got, dict):
            self.differ(path, want, got)
        else:
            for key, value in want.items():
                if key in got:
                    self.same(path + (key,), value, got[key])
                else:
                    self.differ(path + (key,), value, None)
            for key in ([] if subset else got.keys() - want.keys()):
                self.differ(path + (key,), "nothing", got[key])


# ----------------------------------------------------------------------------------------------------------- CSV files

class Table:
    """A CSV file as fermiac writes it: comments, header, rows; columns by name."""

    def __init__(self, path):
        self.comments, self.header, self.rows = [], None, []
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                line = line.rstrip("\n")
                if line.startswith("#"):
                    self.comments.append(line)
                elif line and self.header is None:
                    self.header = line.split(",")
                elif line:
                    self.rows.append(self.row(line, path))
        if self.header is None:
            raise Wrong(f"{os.path.basename(path)} has no header")

    def row(self, line, path):
        try:
            values = [float(x) for x in line.split(",")]
        except ValueError:
            raise Wrong(f"{os.path.basename(path)} has a row that is not numbers: {short(line, 80)}")
        if len(values) != len(self.header):
            raise Wrong(f"{os.path.basename(path)} has a row of {len(values)} numbers under {len(self.header)} columns")
        return values

    def model_columns(self):
        return [c for c in self.header if not c.endswith("__")]

    def comment(self, key):
        for line in self.comments:
            match = re.match(r"#\s*" + re.escape(key) + r" = (.*)", line)
            if match:
                return match.group(1).strip()
        return None

    def column(self, name):
        """The draws of a variable, by its name as the summary (`y[3]`) or as the file (`y.3`) has it."""
        for spelled in (name, re.sub(r"\[([^\]]*)\]", lambda m: "." + m.group(1).replace(",", "."), name.replace(".", ":"))):
            if spelled in self.header:
                i = self.header.index(spelled)
                return [row[i] for row in self.rows]
        raise Wrong(f"no column for {name}: there are {', '.join(self.header)}")


def split_names(text):
    """`y[1,2],z` is `y[1,2]` and `z`."""
    return [name.strip() for name in re.split(r",(?![^\[]*\])", text)]


def mean_sd(values):
    if len(values) < 2:
        raise Wrong(f"{len(values)} rows are no sample")
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))


def correlation(a, b):
    (ma, sa), (mb, sb) = mean_sd(a), mean_sd(b)
    if not sa * sb > 0:
        return math.nan
    return sum((x - ma) * (y - mb) for x, y in zip(a, b)) / ((len(a) - 1) * sa * sb)


def moments(comparison, expect, table):
    """The members of `expect` that are computed from columns."""
    for member in ("mean", "sd"):
        for name, value in expect.pop(member, {}).items():
            comparison.numbers((member, name), value, mean_sd(table.column(name))[member == "sd"])
    for name, value in expect.pop("constant", {}).items():
        for i, found in enumerate(table.column(name)):
            before = len(comparison.differences)
            comparison.numbers(("constant", name), value, found)
            if len(comparison.differences) > before:
                break
    for name, masses in expect.pop("pmf", {}).items():
        column = table.column(name)
        for key, value in masses.items():
            comparison.numbers(("pmf", name, key), value, column.count(float(key)) / max(1, len(column)))
    for pair, value in expect.pop("correlation", {}).items():
        comparison.numbers(("correlation", pair), value, correlation(*map(table.column, split_names(pair))))
    if "columns" in expect:
        comparison.same(("columns",), expect.pop("columns"), table.model_columns())


# ------------------------------------------------------------------------------------------------------ ECDF of ranks

def binomial(n, p):
    """Probabilities of 0 … n."""
    logs = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p)
            for k in range(n + 1)]
    return [math.exp(x) for x in logs]


def tails(probabilities):
    """P(X <= k) and P(X >= k)."""
    low, high, total = [], [], 0.0
    for p in probabilities:
        total += p
        low.append(total)
    total = 0.0
    for p in reversed(probabilities):
        total += p
        high.append(total)
    return low, high[::-1]


@functools.lru_cache(maxsize=8)
def ecdf_tails(n, cells):
    """For i = 1 … cells - 1 the tails of the number of ranks below i, of n that are uniform on 0 … cells - 1."""
    return [tails(binomial(n, i / cells)) for i in range(1, cells)]


def ecdf_probability(ranks, largest):
    """For ranks that should be uniform on 0 … largest: the probability that an ECDF comes somewhere to a point that is as
    unlikely there as the most unlikely point of this one. It is inside the simultaneous band of probability B just if that
    is above 1 - B (Säilynoja, Bürkner and Vehtari 2022; here the probability is exact)."""
    n, cells = len(ranks), largest + 1
    counts = [0] * cells
    for r in ranks:
        counts[r] += 1
    sides, smallest, seen = ecdf_tails(n, cells), 1.0, 0
    for i, (low, high) in enumerate(sides):
        seen += counts[i]
        smallest = min(smallest, low[seen], high[seen])
    if 2 * cells * smallest < 1e-7:
        return 2 * cells * smallest
    limit = smallest * (1 + 1e-12)
    state = {0: 1.0}  # number of ranks below i -> probability that it is this and none before was as unlikely
    for i, (low, high) in enumerate(sides, 1):
        keep = [k for k in range(n + 1) if low[k] > limit and high[k] > limit]
        if not keep:
            return 1.0
        after, p = dict.fromkeys(keep, 0.0), 1 / (cells - i + 1)
        for k, mass in state.items():
            left = n - k
            step, j = mass * (1 - p) ** left, 0
            while k + j <= keep[-1]:
                if k + j in after:
                    after[k + j] += step
                if j == left:
                    break
                step *= (left - j) / (j + 1) * p / (1 - p)
                j += 1
        state = after
    return max(0.0, 1 - sum(state.values()))


# ------------------------------------------------------------------------------------------------------------ commands

FLAGS = ("gradient", "propto", "nan_is_missing", "normalised", "waic", "refit", "moment_match")
SWITCHED_OFF = ("jacobian", "adapt")
VALUES = ("chains", "samples", "warmup", "stepsize", "max_treedepth", "simulations", "missing_columns", "group", "k_threshold",
          "r_eff", "sampler", "max_energy_error")
ALWAYS = {
    "trace": ["--elements", "--format", "jsonl"],
    "sites": ["--format", "json"],
    "names": ["--names"],
    "predict": ["--seed", SEED, "--output", "out"],
    "sample": ["--seed", SEED, "--output", "out", "--no-summary", "--refresh", 0],
    "optimize": ["--seed", SEED, "--output", "out", "--refresh", 0],
    "log-lik": ["--log-lik", "--lprior", "--sig-figs", 17, "--output", "out"],
    "loo": ["--format", "json"],
    "sbc": ["--seed", SEED, "--format", "json"],
    "sensitivity": ["--format", "json"],
}


def option(name):
    return "--" + name.replace("_", "-")


class Trial:
    """One case in one folder: writes the files, builds command lines, runs them."""

    def __init__(self, case, program, folder):
        self.case, self.program, self.folder = case, program, folder
        self.log, self.status = [], None
        self.deadline = time.monotonic() + (LONG if self.samples() else SHORT)

    def samples(self):
        ask = self.case["ask"]
        return ask["do"] in ("sample", "sbc") or "sample" in ask

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return name

    def draws(self, draws):
        if "normal" in draws:
            d = draws["normal"]
            quantile = statistics.NormalDist().inv_cdf
            names = [d["name"]]
            rows = [[d["mean"] + d["sd"] * quantile((i + 0.5) / d["size"])] for i in range(d["size"])]
        else:
            names, rows = draws["names"], draws["rows"]
        lines = ["# model = model_model", "# method = sample (Default)", "#   sample", f"#     num_samples = {len(rows)}",
                 "#     num_warmup = 0", "#     save_warmup = false (Default)", "#     thin = 1 (Default)", "# id = 1 (Default)",
                 ",".join([SAMPLER] + names)]
        lines += [",".join(["0,1,1,1,1,0,0"] + [repr(float(x)) for x in row]) for row in rows]
        return self.write("draws.csv", "\n".join(lines) + "\n")

    def command(self, do, ask):
        """The command line after `fermiac`, options in the order in which the document shows them."""
        ask, line = dict(ask), ["sites" if do == "names" else do, "model.stan", "--data", "data.json"]
        self.write("model.stan", self.case["model"])
        self.write("data.json", self.case["data"])
        if do == "query":
            line.append(ask.pop("text"))
        if do == "loo" and "draws" in ask:
            line.append(self.draws(ask.pop("draws")))
        given = {m: ask.pop(m) for m in CONDITIONING if m in ask}
        if given:
            line += ["--conditioning", self.write("conditioning.json", given)]
        source = ask.pop("from", None)
        if source not in (None, "prior", "at", "draws"):
            raise Wrong(f"this script does not know \"from\": {json.dumps(source)}")
        if source == "prior":
            line.append("--prior")
        if "at" in ask:
            point = ask.pop("at")
            line += ["--at", self.write("at.json", [point] if do == "log-prob" else point)]
        if isinstance(ask.get("draws"), dict):
            line += ["--draws", self.draws(ask.pop("draws"))]
        line += self.options(do, ask)
        if do == "sbc" and isinstance(self.case.get("tolerance"), dict):
            line += ["--band", self.case["tolerance"]["uniform"]]
        return [str(x) for x in line + ALWAYS.get(do, [])]

    def options(self, do, ask):
        line = []
        for name, value in ask.items():
            if name in FLAGS and isinstance(value, bool):
                line += [option(name)] if value else []
            elif name in SWITCHED_OFF and isinstance(value, bool):
                line += [] if value else ["--no-" + name]
            elif name in VALUES or (name == "draws" and do == "sbc"):
                line += [option(name), value]
            elif name == "draws_wanted":
                line += ["--num-draws", value]
            elif name in ("what", "alpha"):
                line += [option(name), ",".join(map(str, value))]
            elif name == "blocks":
                for block in value:
                    line += ["--block", block]
            elif name == "kfold":
                line += ["--kfold", value if isinstance(value, str) else self.write("folds.json", value)]
            elif name == "sample" and do == "loo":
                line += self.options(do, value) + ["--seed", SEED, "--refresh", 0]
            else:
                raise Wrong(f"this script does not know {json.dumps({name: value})} for {do}")
        return line

    def run(self, line, status=0):
        """status: the exit status expected, or None for any."""
        self.log.append("$ " + shlex.join([self.program] + line))
        process = subprocess.Popen([self.program] + line, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True, env=dict(os.environ, STAN_NUM_THREADS="1"))
        try:
            out, err = process.communicate(timeout=max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.log.append("stopped")
            raise Wrong(f"not finished after {LONG if self.samples() else SHORT} seconds: {line[0]}")
        out, err = (x.decode("utf-8", "replace") for x in (out, err))
        self.status = process.returncode
        self.log += [out[:2000].rstrip(), err[:2000].rstrip(), f"exit status {self.status}"]
        if self.status < 0:
            raise Wrong(f"{line[0]} was ended by signal {-self.status}: {quote(out, err)}")
        if status is not None and self.status != status:
            raise Wrong(f"{line[0]}: expected exit status {status}, found {self.status}: {quote(out, err)}")
        return out, err

    def json_lines(self, do, ask, status=0):
        out, err = self.run(self.command(do, ask), status)
        found = []
        for text in out.splitlines():
            if not text.strip():
                continue
            try:
                found.append(json.loads(text, parse_constant=bare))
            except ValueError as reason:
                raise Wrong(f"{do}: expected JSON on standard output, found {short(text, 80)} ({reason})")
            if not isinstance(found[-1], dict):
                raise Wrong(f"{do}: expected a JSON object, found {short(text, 80)}")
        if not found:
            raise Wrong(f"{do}: nothing on standard output: {quote(out, err)}")
        return found

    def one_line(self, do, ask):
        found = self.json_lines(do, ask)
        if len(found) != 1:
            raise Wrong(f"{do}: expected one line, found {len(found)}")
        return found[0]

    def table(self, name):
        path = self.path(os.path.join("out", name))
        if not os.path.isfile(path):
            there = sorted(os.path.relpath(p, self.folder) for p in glob.glob(self.path("out/*")))
            raise Wrong(f"expected the file out/{name}, found {', '.join(there) or 'none'}")
        return Table(path)


def bare(name):
    raise ValueError(f"{name} without quotes")


def quote(out, err):
    """The line of a failed command's output that says most."""
    lines = [line.strip() for line in (err + "\n" + out).splitlines() if line.strip()]
    told = [line for line in lines if line.startswith("fermiac:")] or lines[-1:] or ["no output"]
    return short(told[0], 200)


# ---------------------------------------------------------------------------------------------------------- judgements
# Each takes the trial, `ask` without `do`, a copy of `expect` from which it takes what it compares, and the comparison.

def log_prob(trial, ask, expect, comparison):
    names = ask.pop("names", False)
    failing = expect.pop("error", False)
    found = trial.json_lines("log-prob", ask, None if failing else 0)
    if len(found) != 1:
        raise Wrong(f"log-prob: expected one line for one point, found {len(found)}")
    if failing:
        if not isinstance(found[0].get("error"), str):
            comparison.differ(("error",), "a message", found[0])
        return
    for member in ("lp", "grad"):
        if member in expect:
            comparison.same((member,), expect.pop(member), found[0].get(member))
    if names:
        given = {m: ask[m] for m in CONDITIONING + ("nan_is_missing",) if m in ask}
        comparison.same(("names",), expect.pop("names"), trial.one_line("names", given).get("names"))


def elements_of(found, kind):
    """Lines of a listing without its last, which holds totals."""
    if "target" not in found[-1] and kind == "trace" or "generative" not in found[-1] and kind == "sites":
        raise Wrong(f"{kind}: the last line holds no totals: {short(found[-1])}")
    return [x for x in found[:-1] if "component" not in x]


def listing(comparison, path, want, got, place):
    if len(want) != len(got):
        comparison.differ(path, f"{len(want)} lines", f"{len(got)}: " + ", ".join(str(x.get(place)) for x in got))
        return
    for i, (a, b) in enumerate(zip(want, got)):
        comparison.same(path + (i,), a, b, subset=True)


def trace(trial, ask, expect, comparison):
    found = trial.json_lines("trace", ask)
    elements = elements_of(found, "trace")
    if "elements" in expect:
        listing(comparison, ("elements",), expect.pop("elements"), elements, "name")
    for member in ("target", "prior", "likelihood", "unclear", "jacobian"):
        if member in expect:
            comparison.same((member,), expect.pop(member), found[-1].get(member))


def sites(trial, ask, expect, comparison):
    found = trial.json_lines("sites", ask)
    if "sites" in expect:
        listing(comparison, ("sites",), expect.pop("sites"), elements_of(found, "sites"), "line")
    comparison.same(("generative",), expect.pop("generative"), found[-1].get("generative"))


def names(trial, ask, expect, comparison):
    found = trial.one_line("names", ask)
    for member in ("unconstrained", "names"):
        if member in expect:
            comparison.same((member,), expect.pop(member), found.get(member))


def query(trial, ask, expect, comparison):
    found = trial.one_line("query", ask)
    for member in ("logprob", "prob"):
        if member in expect:
            comparison.same((member,), expect.pop(member), found.get(member))


def marginals(trial, ask, expect, comparison):
    found = trial.json_lines("marginals", ask)
    listed = [x.get("name") for x in found]
    if listed != list(expect["probability"]):
        comparison.differ(("names",), list(expect["probability"]), listed)
        listed = [n for n in listed if n in expect["probability"]]
    by_name = {x.get("name"): x for x in found}
    for member in ("probability", "values"):
        for name, value in expect.pop(member, {}).items():
            comparison.same((member, name), value, by_name.get(name, {}).get(member))


def rows_of(table, wanted, what):
    if wanted is not None and len(table.rows) != wanted:
        raise Wrong(f"{what}: expected {wanted} rows, found {len(table.rows)}")


def predict(trial, ask, expect, comparison):
    trial.run(trial.command("predict", ask))
    table = trial.table("model_predict_1.csv")
    rows_of(table, ask.get("draws_wanted"), "predict")
    moments(comparison, expect, table)
    if "rows" in expect:
        comparison.same(("rows",), expect.pop("rows"), len(table.rows))
    if "values" in expect:
        columns = table.model_columns()
        values = [[row[table.header.index(c)] for c in columns] for row in table.rows]
        comparison.same(("values",), expect.pop("values"), values)
    if "acceptance" in expect:
        text = table.comment("acceptance")
        try:
            comparison.numbers(("acceptance",), expect.pop("acceptance"), float(text or ""))
        except ValueError:
            raise Wrong(f"expected a comment '#   acceptance = …' in the CSV file, found {text}")


def sample(trial, ask, expect, comparison):
    trial.run(trial.command("sample", ask))
    table = trial.table("model_1.csv")
    rows_of(table, ask.get("samples"), "model_1.csv")
    for chain in range(2, ask.get("chains", 4) + 1):
        other = trial.table(f"model_{chain}.csv")
        rows_of(other, ask.get("samples"), f"model_{chain}.csv")
        if other.header != table.header:
            raise Wrong(f"model_{chain}.csv has other columns than model_1.csv")
        table.rows += other.rows
    moments(comparison, expect, table)


def optimize(trial, ask, expect, comparison):
    trial.run(trial.command("optimize", ask))
    table = trial.table("model_optimize.csv")
    if not table.rows:
        raise Wrong("model_optimize.csv has no row")
    for name, value in expect.pop("value").items():
        comparison.numbers(("value", name), value, table.column(name)[-1])
    moments(comparison, expect, table)


def log_lik(trial, ask, expect, comparison):
    trial.run(trial.command("log-lik", ask))
    table = trial.table("model_log_lik_1.csv")
    columns = table.model_columns()
    comparison.same(("columns",), expect.pop("columns"), columns)
    which = [table.header.index(c) for c in columns if c != "lprior"]
    if "log_lik" in expect:
        comparison.same(("log_lik",), expect.pop("log_lik"), [[row[i] for i in which] for row in table.rows])
    if "lprior" in expect:
        comparison.same(("lprior",), expect.pop("lprior"), table.column("lprior"))
    if "observations" in expect:
        text = table.comment("log_lik")
        comparison.same(("observations",), expect.pop("observations"), None if text is None else split_names(text))


def loo(trial, ask, expect, comparison):
    found = trial.one_line("loo", ask)
    for member, key in (("pointwise", "elpd"), ("k", "k")):
        if member in expect:
            points = found.get("pointwise")
            if not isinstance(points, list) or not all(isinstance(x, dict) for x in points):
                raise Wrong("loo: expected a list \"pointwise\" of objects")
            comparison.same((member,), expect.pop(member), [x.get(key) for x in points])
    for member in ("elpd_loo", "se", "p_loo", "looic", "elpd_waic", "p_waic", "elpd_kfold", "bad", "refitted"):
        if member in expect:
            comparison.same((member,), expect.pop(member), found.get(member))


def sbc(trial, ask, expect, comparison):
    band = trial.case["tolerance"]["uniform"]
    found = trial.one_line("sbc", ask).get("quantities")
    if not isinstance(found, list) or not found:
        raise Wrong("sbc: expected a list \"quantities\"")
    if "quantities" in expect:
        comparison.same(("quantities",), expect.pop("quantities"), [q.get("name") for q in found])
    largest, outside = ask.get("draws", 99), []
    for quantity in found:
        name, ranks = quantity.get("name"), quantity.get("ranks")
        if not isinstance(ranks, list) or len(ranks) != ask.get("simulations", 200):
            raise Wrong(f"sbc: expected {ask.get('simulations', 200)} ranks of {name}, found {short(ranks, 60)}")
        odd = [r for r in ranks if not (isinstance(r, int) and 0 <= r <= largest)]
        if odd:
            raise Wrong(f"sbc: expected ranks from 0 to {largest} of {name}, found {short(odd[0])} among them")
        p = ecdf_probability(ranks, largest)
        if p <= 1 - band:
            outside.append(f"{name} (probability {p:.2g})")
        close = (1 - band) / 4 < p < (1 - band) * 4
        if not isinstance(quantity.get("inside"), bool) or (quantity["inside"] != (p > 1 - band) and not close):
            comparison.differ(("inside", str(name)), p > 1 - band, quantity.get("inside"), f" (probability {p:.2g})")
    uniform = expect.pop("uniform")
    if uniform != (not outside):
        comparison.differ(("uniform",), uniform, not outside, ": outside the band is " + (", ".join(outside) or "none"))


def sensitivity(trial, ask, expect, comparison):
    found = trial.one_line("sensitivity", ask)
    keys = {"quantities": lambda x: x.get("name"), "scaled": lambda x: (x.get("component"), number(x.get("alpha")))}
    for member, key in keys.items():
        entries = found.get(member)
        by_key = {key(x): x for x in entries} if isinstance(entries, list) else {}
        for want in expect.pop(member, []):
            label = " ".join(map(str, key(want))) if member == "scaled" else key(want)
            if key(want) not in by_key:
                comparison.differ((member, label), want, None)
                continue
            got = by_key[key(want)]
            for name, value in want.items():  # of means and sds too only those given
                comparison.same((member, label, name), value, got.get(name), subset=True)


def error(trial, ask, expect, comparison):
    out, err = trial.run(trial.command(ask.pop("command"), ask), expect.pop("exit"))
    wanted = expect.pop("stderr")
    for text in [wanted] if isinstance(wanted, str) else wanted:
        if text not in err:
            comparison.differ(("stderr",), text, quote("", err))


JUDGES = {"log-prob": log_prob, "trace": trace, "sites": sites, "names": names, "query": query, "marginals": marginals,
          "predict": predict, "sample": sample, "optimize": optimize, "log-lik": log_lik, "loo": loo, "sbc": sbc,
          "sensitivity": sensitivity, "error": error}


# ---------------------------------------------------------------------------------------------------------------- main

def judge(case, program):
    """Differences (none for a case that passes), and what was run."""
    folder = tempfile.mkdtemp(prefix="conditioning-")
    trial, comparison = Trial(case, program, folder), Comparison(case.get("tolerance"))
    ask, expect = dict(case["ask"]), dict(case["expect"])
    do = ask.pop("do")
    try:
        if do not in JUDGES:
            raise Wrong(f"this script does not know \"do\": {json.dumps(do)}")
        JUDGES[do](trial, ask, expect, comparison)
        for member in expect:
            comparison.differences.append(f"this script does not compare {json.dumps(member)} for {do}")
    except Wrong as wrong:
        comparison.differences.append(str(wrong))
    except Exception as surprise:  # output of a shape nobody thought of: the case fails, the others go on
        comparison.differences.append(f"{do}: output of an unexpected form ({type(surprise).__name__}: {surprise})")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return comparison.differences, trial.log


def find_program(given):
    path = given or os.environ.get("FERMIAC") or "build/bin/fermiac"
    path = path if os.path.isfile(path) else shutil.which(path if given else "fermiac")
    if not path or not os.access(path, os.X_OK):
        sys.exit(f"{given or 'fermiac'} is no program (say --fermiac PATH)")
    return os.path.abspath(path)


def read_exceptions(path, known):
    """Ids with their reasons. A line about no case is a mistake."""
    out = {}
    if path:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, _, why = line.strip().partition(" ")
                    if name not in known or not why.strip():
                        sys.exit(f"{path}: {line.strip()}")
                    out[name] = why.strip()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--fermiac", metavar="PATH", help="the program (default: FERMIAC, build/bin/fermiac, or on the path)")
    parser.add_argument("--only", metavar="REGEX", default="", help="cases whose id this matches somewhere")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="cases at the same time (1)")
    parser.add_argument("--verbose", action="store_true", help="show every command and its output")
    parser.add_argument("--exceptions", metavar="FILE", help="cases that do not pass yet, one a line: id, blanks, why")
    parser.add_argument("file", metavar="FILE.jsonl")
    arguments = parser.parse_args()
    program = find_program(arguments.fermiac)
    with open(arguments.file, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file if line.strip()]
    chosen = [c for c in cases if re.search(arguments.only, c["id"])]
    exceptions = read_exceptions(arguments.exceptions, {c["id"] for c in cases})
    counts, failed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for case, (differences, log) in zip(chosen, pool.map(lambda c: judge(c, program), chosen)):
            if arguments.verbose:
                print("\n".join([f"== {case['id']}: {case['why']}"] + [line for line in log if line]))
            if case["id"] in exceptions:
                differences = [] if differences else ["passes: take it off the list of exceptions"]
            if differences:
                failed += 1
                more = f"; {len(differences) - 3} more" if len(differences) > 3 else ""
                print(f"{case['id']}: {'; '.join(differences[:3])}{more}", flush=True)
            count = counts.setdefault(case["ask"]["do"], [0, 0])
            count[0] += not differences
            count[1] += 1
    if counts:
        print("by do: " + ", ".join(f"{do} {good}/{all_}" for do, (good, all_) in sorted(counts.items())))
    print(f"{len(chosen) - failed} passed, {failed} failed, {len(cases) - len(chosen)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
