"""Programs to compare: from a list in JSON lines, from posteriordb, or random ones."""

import dataclasses
import json
import os
import re
import subprocess
import zipfile

# Newer than the headers as a matter of language only: the text they become needs nothing new.
LANGUAGE_ONLY = {"tuples-unpack", "tuple-one", "jacobian-statement", "fatal-error"}
# What programs may use that came later, with the version that has it.
TRANSFORMED = (r"(cholesky_factor_corr|cholesky_factor_cov|corr_matrix|cov_matrix|lower_bound|upper_bound|lower_upper_bound|"
               r"offset_multiplier|ordered|positive_ordered|simplex|stochastic_column|stochastic_row|sum_to_zero|unit_vector)"
               r"_(constrain|jacobian|unconstrain)\s*\(")
NEWER = tuple((version, re.compile(r"\b" + names)) for version, names in (
    ((2, 34), r"(binomial_logit_glm|dirichlet_multinomial)"),
    ((2, 36), r"(beta_neg_binomial|sum_to_zero_vector|(column|row)_stochastic_matrix)"),
    ((2, 37), r"(hypergeometric_(1F0|2F1|3F2|pFq)|sum_to_zero_matrix)"),
    ((2, 37), TRANSFORMED),
    ((2, 38), r"wiener_lc?cdf_unnorm"),
    ((2, 39), r"(yule_simon|trace_dot|laplace_(marginal|latent)|generate_laplace_options)"),
))
# The tolerances that end a call of a solver. Two solvers agree to what they are asked for.
ASKED = re.compile(r",\s*\d+(\.\d+)?e-\d+,\s*\d+(\.\d+)?e-\d+,\s*\d+(\.\d+)?(e\d+)?\s*\)")
SOLVERS = re.compile(r"\b(ode_\w+|integrate_\w+|dae\w*|solve_\w+|algebra_solver\w*)\s*\(")
# Stan Math fits the derivative of the normal distribution function, and others are not exact either.
TAILS = re.compile(r"_(l?cdf|lccdf)\s*\(|\bT\s*\[")
SIMPLEX = re.compile(r"\b(simplex|column_stochastic_matrix|row_stochastic_matrix)\s*\[")


@dataclasses.dataclass
class Program:
    id: str
    code: str
    data: str
    name: str = ""  # of its file, if not made from the id
    flags: tuple = ()
    files: dict = dataclasses.field(default_factory=dict)
    header: str = ""
    since: tuple = (2, 0)
    covers: tuple = ()
    reference_differs: str = ""

    @property
    def stem(self):
        return re.sub(r"\W", "_", self.name or self.id)

    @property
    def folder(self):
        """A name for what belongs to this program with these options."""
        return "_".join([re.sub(r"\W", "_", self.id), *(re.sub(r"\W", "_", f.strip("-")) for f in self.flags)])

    @property
    def title(self):
        return " ".join([self.id, *(f for f in self.flags if f.startswith(("--O", "--use", "-f")))])

    @property
    def tolerance(self):
        """Of comparisons with the interpreter, relative to the largest number of an array."""
        return 1e-5 if SOLVERS.search(self.code) or TAILS.search(self.code) else 1e-9

    @property
    def opencl(self):
        return "--use-opencl" in self.flags

    @property
    def optimised(self):
        return "--O1" in self.flags or "--Oexperimental" in self.flags

    @property
    def standalone(self):
        return "--standalone-functions" in self.flags

    def needs_newer(self, version):
        if self.since > version and self.id not in LANGUAGE_ONLY:
            return True
        return any(since > version and names.search(self.code) for since, names in NEWER)


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


def solved_closely(code):
    """The program with its solvers asked for more digits than are compared."""
    return ASKED.sub(", 1e-10, 1e-10, 1000000)", code) if SOLVERS.search(code) else code


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
                programs.append(Program(id=posterior["name"], name=posterior["model_name"],
                                        code=solved_closely(file.read()),
                                        data=zipped_json(data), flags=extra))
    return programs


def random_programs(generator, count, first, extra):
    """What the project's generator of random programs prints: one JSON object per line."""
    out = subprocess.run([generator, str(first), str(count)], check=True, capture_output=True, text=True).stdout
    return [p for line in out.splitlines() for p in from_record(json.loads(line), extra)]
