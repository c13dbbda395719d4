#!/usr/bin/env python3
"""Gradients of the models of devices/ on one core, on many and on a device: milliseconds, the fastest of the rounds.

    tests/bench/devices.py path/to/fermiac [MODEL …] [--device gpu] [--threads 16] [--rounds 2] [--csv FILE]
"""
import argparse
import json
import subprocess
from pathlib import Path

from rows import Rows

FOLDER = Path(__file__).with_name("devices")


def milliseconds(a, model, *options):
    command = [a.fermiac, "bench", FOLDER / f"{model}.stan", "--seconds", a.seconds, *options]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(a.rounds)]
    return min(run["us_per_grad"] for run in runs) / 1000


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("fermiac")
    p.add_argument("model", nargs="*", help="without: all of devices/")
    p.add_argument("--device", default="gpu")
    p.add_argument("--threads", default="16")
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--seconds", default="1")
    p.add_argument("--csv", metavar="FILE", help="also write the rows there (results/devices.csv)")
    a = p.parse_args()
    rows = Rows(a.csv, "model", "device", "threads", "one_core_ms", "threads_ms", "device_ms")
    for model in a.model or sorted(path.stem for path in FOLDER.glob("*.stan")):
        one, many, device = (milliseconds(a, model, *options) for options in ((), ("--threads", a.threads), ("--device", a.device)))
        print(f"{model}: one core {one:.3g} ms, {a.threads} threads {many:.3g}, {a.device} {device:.3g}", flush=True)
        rows.add(model, a.device, a.threads, one, many, device)


if __name__ == "__main__":
    main()
