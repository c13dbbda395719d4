"""Rows of a measurement as CSV (tests/bench/results has the files), next to what a script prints."""
import csv
import math
import subprocess


class Rows:
    """Appends rows to the CSV file `path`, each at once. Without a path nothing is written."""

    def __init__(self, path, *header):
        self.file = open(path, "w", encoding="utf-8", newline="") if path else None
        self.writer = csv.writer(self.file, lineterminator="\n") if path else None
        self.add(*header)

    def add(self, *cells):
        if self.file:
            self.writer.writerow(map(cell, cells))
            self.file.flush()


def cell(value):
    """Six digits of a number; an empty cell for NaN."""
    if not isinstance(value, float):
        return value
    return "" if math.isnan(value) else f"{value:.6g}"


def listed_models(path, word=""):
    """(name, program, data) of each line of a list, between tabs, whose name contains `word`."""
    with open(path, encoding="utf-8") as lines:
        models = [tuple(line.rstrip("\n").split("\t")) for line in lines if line.strip()]
    return [m for m in models if word in m[0]]


def instruction_set(fermiac):
    """The instruction set whose kernels the program chooses on this machine."""
    done = subprocess.run([fermiac, "--version"], capture_output=True, text=True, check=True)
    return next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("kernels:"))
