#!/usr/bin/env python3
"""Times emitted C++, compiled with -O3 against the Stan headers, beside the interpreter: a gradient, and the values of a draw.

    tests/stan_math/time_models.py --headers StanHeaders --posteriordb DIR [--only ID,...] [--rounds 3] [--csv FILE]

Each model takes up to two minutes to compile; what was compiled is kept. docs/howto/check-cpp-output.md says what is needed.
"""

import argparse
import json
import math
import os
import subprocess
import sys

import build
import programs

sys.path.append(os.path.join(build.HERE, "../bench"))
from rows import Rows, instruction_set

DEFAULT = os.path.join(build.HERE, "../../build/bin")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--headers", required=True)
    p.add_argument("--posteriordb", required=True, metavar="DIR")
    p.add_argument("--bin", default=DEFAULT, help="the folder of stanc and fermiac")
    p.add_argument("--only", default="", metavar="ID,...")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", default="0.3")
    p.add_argument("--compiler", default="g++")
    p.add_argument("--keep", default="/tmp/fermiac-stan-math", metavar="DIR")
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (tests/bench/results/compiled.csv)")
    return p.parse_args()


class Timer:
    def __init__(self, a):
        self.a = a
        self.compiler = build.Compiler(build.Headers(a.headers), a.keep, a.compiler)
        self.folder = os.path.join(a.keep, "timed")
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def emitted(self, program):
        source, text = build.write(self.path(program.name + ".stan"), program.code), self.path(program.name + ".hpp")
        build.must([os.path.join(self.a.bin, "stanc"), source, "--o=" + text])
        return source, text

    def compiled(self, program):
        """The Stan program, its data, and the program that times it."""
        source, text = self.emitted(program)
        data = build.write(self.path(program.id + ".json"), program.data)
        timer = os.path.join(build.HERE, "timer.cpp")
        made = self.path("t" + build.digest(build.read(text), build.read(timer), self.a.compiler))
        if not os.path.exists(made):
            flags = ["-O3" if f == "-O0" else f for f in self.compiler.flags if f != "-DSTAN_THREADS"]
            build.must([self.a.compiler, *flags, "-include", text, timer, *self.compiler.sundials(), *self.compiler.libraries, "-o", made])
        return source, data, made

    def ours(self, source, data, *more):
        done = build.run([os.path.join(self.a.bin, "fermiac"), "bench", source, "--data", data, "--seconds", self.a.seconds, *more])
        return json.loads(done.stdout) if not done.returncode else sys.exit(done.stderr)

    def times(self, program):
        """Of both, the smallest of the rounds: gradients, draws, columns."""
        source, data, made = self.compiled(program)
        theirs, mine = [], []
        for _ in range(self.a.rounds):
            theirs.append(json.loads(subprocess.run([made, data, self.a.seconds], check=True, capture_output=True, text=True).stdout))
            draw = self.ours(source, data, "--draws")
            mine.append({"us_per_grad": self.ours(source, data)["us_per_grad"], "us_per_draw": draw["us_values"]})
        least = lambda rows, key: min(row[key] for row in rows)
        return [least(theirs, "us_per_grad"), least(mine, "us_per_grad"), least(theirs, "us_per_draw"), least(mine, "us_per_draw")]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    a = arguments()
    timer = Timer(a)
    chosen = [p for p in programs.from_posteriordb(a.posteriordb, ()) if not a.only or p.id in a.only.split(",")]
    print("| model | compiled gradient, µs | ours | ratio | compiled draw, µs | ours | ratio |\n|---|---:|---:|---:|---:|---:|---:|")
    isa = instruction_set(os.path.join(a.bin, "fermiac"))
    rows = Rows(a.csv, "model", "instruction_set", "compiled_gradient_us", "gradient_us", "compiled_draw_us", "draw_us")
    gradients, draws = [], []
    for p in chosen:
        g, og, d, od = timer.times(p)
        gradients.append(og / g)
        draws.append(od / d)
        rows.add(p.id, isa, g, og, d, od)
        print(f"| {p.id} | {g:.2f} | {og:.2f} | {og / g:.2f} | {d:.2f} | {od:.2f} | {od / d:.2f} |", flush=True)
    print(f"| geometric mean, worst | | | {mean(gradients):.2f}, {max(gradients):.2f} | | | {mean(draws):.2f}, {max(draws):.2f} |")


if __name__ == "__main__":
    main()
