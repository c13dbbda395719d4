"""Programs to compare: from a list in JSON lines, from posteriordb, or random ones."""

import dataclasses
import json
import os
import re
import subprocess
import zipfile

# Newer than the headers as a matter of language only: the text they become needs nothing new.
LANGUAGE_ONLY = {"tuples-unpack", "tuple-one", "jacobian-statement", "fatal-error"}
SOLVERS = re.compile(r"\b(ode_\w+|integrate_\w+|dae\w*|solve_\w+|algebra_solver\w*)\s*\(")
SIMPLEX = re.compile(r"\b(simplex|column_stochastic_matrix|row_stochastic_matrix)\s*\[")


@dataclasses.dataclass
class Program:
    id: str
    code: str
    data: str
    flags: tuple = ()
    files: dict = dataclasses.field(default_factory=dict)
    header: str = ""
    since: tuple = (2, 0)
    covers: tuple = ()
    reference_differs: str = ""

    @property
    def stem(self):
        return re.sub(r"\W", "_", self.id)

    @property
    def title(self):
        return " ".join([self.id, *(f for f in self.flags if f.startswith(("--O", "--use", "-f")))])

    @property
    def solver_tolerance(self):
        return bool(SOLVERS.search(self.code))

    @property
    def standalone(self):
        return "--standalone-functions" in self.flags

    def needs_newer(self, version):
        return self.since > version and self.id not in LANGUAGE_ONLY


def number_list(version):
    return tuple(int(part) for part in version.split("."))


def from_record(record, extra):
    base = dict(id=record["id"], code=record["code"], data=json.dumps(record.get("data") or {}),
                files=record.get("files", {}), header=record.get("header", ""),
                since=number_list(record.get("since", "2.0")), covers=tuple(record.get("covers", ())),
                reference_differs=record.get("reference_cpp", ""))
    flags = tuple(record.get("flags", ()))
    also = [tuple(more) for more in record.get("also", [])]
    return [Program(flags=flags + more + extra, **base) for more in [(), *also]]


def from_list(path, extra):
    with open(path, encoding="utf-8") as lines:
        return [p for line in lines if line.strip() for p in from_record(json.loads(line), extra)]


def zipped_json(path):
    with zipfile.ZipFile(path) as archive:
        return archive.read(archive.namelist()[0]).decode("utf-8")


def from_posteriordb(folder, extra):
    """The folder posterior_database of posteriordb: every posterior with a Stan model and data."""
    programs = []
    posteriors = os.path.join(folder, "posteriors")
    for name in sorted(os.listdir(posteriors)):
        with open(os.path.join(posteriors, name), encoding="utf-8") as file:
            posterior = json.load(file)
        model = os.path.join(folder, "models", "stan", posterior["model_name"] + ".stan")
        data = os.path.join(folder, "data", "data", posterior["data_name"] + ".json.zip")
        if os.path.exists(model) and os.path.exists(data):
            with open(model, encoding="utf-8") as file:
                programs.append(Program(id=posterior["name"], code=file.read(), data=zipped_json(data), flags=extra))
    return programs


def random_programs(generator, count, first, extra):
    """What the project's generator of random programs prints: one JSON object per line."""
    out = subprocess.run([generator, str(first), str(count)], check=True, capture_output=True, text=True).stdout
    return [p for line in out.splitlines() for p in from_record(json.loads(line), extra)]
