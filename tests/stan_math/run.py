#!/usr/bin/env python3
"""Compiles the C++ that stanc emits against the Stan headers and compares what it computes with the interpreter, and
with --against with the text of the reference compiler. docs/howto/check-cpp-output.md says how to run it."""

import argparse
import collections
import dataclasses
import json
import os
import shlex
import sys

import build
import compare
import programs

FINE = ("same", "compiled", "emitted", "newer", "headers")
HEADERS_FAIL = "Please file a bug report."  # an assertion of the headers that says so itself
ROOT = os.path.dirname(os.path.dirname(build.HERE))


@dataclasses.dataclass
class Verdict:
    program: programs.Program
    state: str  # one of FINE, stanc, compile, or the kind of the first difference
    detail: str = ""


class Emitter:
    """Text of a program by the project's stanc, or by the reference compiler where the command ends with .js."""

    def __init__(self, command, folder):
        self.command, self.folder = shlex.split(command), folder
        os.makedirs(folder, exist_ok=True)

    def emit(self, all_programs):
        """A list of (text, error)."""
        if self.command[0].endswith(".js"):
            return self.by_reference(all_programs)
        return [self.by_stanc(p) for p in all_programs]

    def by_reference(self, all_programs):
        jobs = [{"name": p.stem + "_model", "code": p.code,
                 "flags": [f for f in p.flags if not f.startswith("--include")] + [f"--filename-in-msg={p.stem}.stan"]}
                for p in all_programs]
        done = build.run(["node", os.path.join(build.HERE, "reference_stanc.js"), self.command[0]], input=json.dumps(jobs))
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        return [(out.get("text", ""), out.get("error", "")) for out in json.loads(done.stdout)]

    def by_stanc(self, program):
        folder = program_folder(self.folder, program)
        out = os.path.join(folder, program.stem + ".hpp")
        if os.path.exists(out):
            os.remove(out)
        done = build.run([*self.command, *program.flags, f"--o={out}", program.stem + ".stan"], cwd=folder)
        if done.returncode or not os.path.exists(out):
            return "", (done.stderr + done.stdout).strip() or "nothing was written"
        return build.read(out), ""


def program_folder(folder, program):
    """Holds the program and the files beside it."""
    path = os.path.join(folder, program.folder)
    os.makedirs(path, exist_ok=True)
    for name, text in {**program.files, program.stem + ".stan": program.code, "data.json": program.data}.items():
        build.write(os.path.join(path, name), text)
    return path


class Runner:
    """Runs driver and interpreter on one program."""

    def __init__(self, interpreter, folder, points, timeout):
        self.interpreter, self.folder, self.points, self.timeout = interpreter, folder, points, timeout

    def report(self, command, inits=()):
        try:
            done = build.run([*command, *inits], timeout=self.timeout)
        except build.subprocess.TimeoutExpired:
            raise compare.Difference("run", f"no end after {self.timeout} s: {' '.join(command)}") from None
        if done.returncode or not done.stdout:
            raise compare.Difference("run", f"status {done.returncode} of {' '.join(command)}: {done.stderr[:300]}")
        return json.loads(done.stdout)

    def seeds(self, program):
        return 12 if "_rng" in program.code else 1

    def interpreted(self, program):
        """The interpreter's report, and files of constrained values at its points and then a little beside them."""
        folder = program_folder(self.folder, program)
        command = [self.interpreter, os.path.join(folder, program.stem + ".stan"), os.path.join(folder, "data.json"),
                   str(self.seeds(program)), str(self.points), "--include-path", folder]
        first = self.report(command)
        if compare.error_of(first):
            return first, []
        points = [(k, by) for by in (1.0, compare.MOVED) for k in range(self.points)]
        inits = [build.write(os.path.join(folder, f"inits{n}.json"), json.dumps(compare.parameters_as_json(first, k, by)))
                 for n, (k, by) in enumerate(points)]
        return self.report(command, inits), inits

    def emitted(self, program, model, inits):
        data = os.path.join(program_folder(self.folder, program), "data.json")
        return self.report([model.program, model.id, data, str(self.seeds(program)), str(self.points)], inits)


def unusable(program, text_error, model, version, opencl):
    """Why a program cannot be run, if so."""
    if text_error:
        return Verdict(program, "stanc", text_error)
    if program.needs_newer(version):
        return Verdict(program, "newer", "emitted only: the headers are older")
    if program.opencl and not opencl:
        return Verdict(program, "emitted", "not compiled: needs --opencl")
    if model.error:
        return Verdict(program, "compile", model.error)
    if program.standalone or not model.program:
        return Verdict(program, "compiled", "functions only" if program.standalone else "")
    return None


def difference_from_interpreter(program, emitted, interpreted, older_simplex):
    if not interpreted:
        return None
    try:
        other_simplex = older_simplex and bool(programs.SIMPLEX.search(program.code))
        compare.with_interpreter(emitted, interpreted, program.tolerance, other_simplex, program.optimised)
    except compare.Difference as difference:
        return difference
    return None


def left_out(program, emitted):
    names = compare.decided_by_rounding(emitted, program.tolerance)
    return f" (rounding decides {', '.join(names)})" if names else ""


def judge(program, model, reference, runner, older_simplex):
    interpreted, inits = ({}, []) if program.header else runner.interpreted(program)
    emitted = runner.emitted(program, model, inits)
    difference = difference_from_interpreter(program, emitted, interpreted, older_simplex)
    if not reference or not reference.program or program.reference_differs:
        if difference:
            raise difference
        return Verdict(program, "same", "as interpreter" + left_out(program, emitted) if interpreted else "runs")
    try:
        compare.with_reference(emitted, runner.emitted(program, reference, inits), 1e-12)
    except compare.Difference as from_reference:
        if difference or not interpreted or HEADERS_FAIL not in str(from_reference):
            raise
        return Verdict(program, "headers", f"as interpreter{left_out(program, emitted)}, but reference: {from_reference}")
    if difference:
        return Verdict(program, "headers", f"as reference, but {difference}")
    return Verdict(program, "same",
                   f"as interpreter{left_out(program, emitted)} and reference" if interpreted else "as reference")


def verdict(program, emission, reference, runner, version, opencl):
    text_error, model = emission
    reason = unusable(program, text_error, model, version, opencl)
    if reason:
        return reason
    try:
        return judge(program, model, reference, runner, version < (2, 37))
    except compare.Difference as difference:
        return Verdict(program, difference.kind, str(difference))


class Builders:
    """One for texts as usual, one for those that use OpenCL, if asked for."""

    def __init__(self, args, headers):
        defines = (build.HESSIAN if args.hessian else ()) + (build.FEW_MEMBERS if args.few else ())
        make = lambda more: build.Builder(build.Compiler(headers, os.path.join(args.keep, "compiled"), args.compiler,
                                                         defines + more), args.jobs, args.batch, args.syntax)
        self.version = headers.version
        self.by_kind = {False: make(()), **({True: make(build.OPENCL)} if args.opencl else {})}

    def emissions(self, emitter, all_programs):
        """(error of stanc, model) per program, compiled."""
        out = [(error, build.Model(text, program.header, program.standalone))
               for program, (text, error) in zip(all_programs, emitter.emit(all_programs))]
        for opencl, builder in self.by_kind.items():
            builder.build([m for p, (error, m) in zip(all_programs, out)
                           if not error and not p.needs_newer(self.version) and p.opencl == opencl])
        return out


def show(verdicts):
    for v in verdicts:
        print(f"{v.state:10} {v.program.title:40} {' | '.join(v.detail.strip().splitlines())[:400]}")
    totals = collections.Counter(v.state for v in verdicts)
    print(f"\n{len(verdicts)} programs: " + ", ".join(f"{n} {state}" for state, n in totals.most_common()))


def chosen(args):
    extra = tuple(args.flags or ())
    out = []
    if args.programs:
        out += programs.from_list(args.programs, extra)
    if args.posteriordb:
        out += programs.from_posteriordb(args.posteriordb, extra)
    if args.random:
        out += programs.random_programs(args.generator, args.random, args.first, extra)
    only = set(args.only.split(",")) if args.only else None
    return [p for p in out if not only or p.id in only]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headers", required=True, help="the source package StanHeaders, unpacked")
    parser.add_argument("--stanc", default=os.path.join(ROOT, "build/bin/stanc"), help="command, or a stanc.js")
    parser.add_argument("--against", metavar="STANC.js", help="compare with the text of this compiler too")
    parser.add_argument("--programs", metavar="JSONL", help="programs and data, one JSON object per line")
    parser.add_argument("--posteriordb", metavar="DIR", help="the folder posterior_database")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="random programs")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="seed of the first random program")
    parser.add_argument("--only", metavar="ID,...")
    parser.add_argument("--flags", nargs=1, action="extend", metavar="--O1", help="further options of stanc: --flags=--O1")
    parser.add_argument("--compiler", default="clang++", help="clang++ is several times as fast as g++ here")
    parser.add_argument("--hessian", action="store_true", help="build for second derivatives too")
    parser.add_argument("--few", action="store_true", help="instantiate what is looked at only: a third of the time")
    parser.add_argument("--opencl", action="store_true", help="compile and run programs with --use-opencl too")
    parser.add_argument("--syntax", action="store_true", help="let the compiler check the texts only")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=6, help="models per file that is compiled")
    parser.add_argument("--points", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS", help="of one run of a model")
    parser.add_argument("--keep", default="/tmp/fermiac-stan-math", metavar="DIR", help="texts, programs, what was compiled")
    parser.add_argument("--interpreter", default=os.path.join(ROOT, "build/tests/stan_math_interpreter"))
    parser.add_argument("--generator", default=os.path.join(ROOT, "build/tests/random_programs"))
    return parser.parse_args()


def main():
    args = arguments()
    builders = Builders(args, build.Headers(args.headers))
    all_programs = chosen(args)
    emitted = builders.emissions(Emitter(args.stanc, os.path.join(args.keep, "emitted")), all_programs)
    references = [None] * len(all_programs)
    if args.against:
        emitter = Emitter(args.against, os.path.join(args.keep, "reference"))
        references = [model for _, model in builders.emissions(emitter, all_programs)]
    runner = Runner(args.interpreter, os.path.join(args.keep, "programs"), args.points, args.timeout)
    verdicts = [verdict(p, e, r, runner, builders.version, args.opencl)
                for p, e, r in zip(all_programs, emitted, references)]
    show(verdicts)
    sys.exit(any(v.state not in FINE for v in verdicts))


if __name__ == "__main__":
    main()
