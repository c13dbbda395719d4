"""Programs and models that several files of tests use."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
if "FERMIAC_INSTALLED" not in os.environ:  # else the package that was installed is tested
    sys.path.insert(0, str(ROOT / "bindings" / "python"))

import fermiac  # noqa: E402

EVERY_TYPE = """
data { int N; matrix[2, 3] A; tuple(int, vector[2]) tt; complex z; array[N, 0] real e; }
parameters {
  real mu; matrix[2, 3] M; array[2] tuple(real, vector[2]) t; complex c; array[2] vector[0] ez; complex_matrix[2, 2] cm;
  simplex[3] s; vector[0] v0;
}
transformed parameters { real twice = mu * 2; }
model {
  mu ~ normal(0, 1);
  to_vector(M) ~ std_normal();
  for (i in 1:2) { t[i].1 ~ std_normal(); t[i].2 ~ std_normal(); }
  get_real(c) ~ std_normal();
  get_imag(c) ~ std_normal();
  for (i in 1:2) for (j in 1:2) { get_real(cm[i, j]) ~ std_normal(); get_imag(cm[i, j]) ~ std_normal(); }
}
generated quantities {
  array[2, 2] int k = {{1, 2}, {3, 4}};
  tuple(int, tuple(matrix[1, 2], complex)) nested = (7, ([[1, 2]], to_complex(1, 2)));
  array[2, 2] tuple(real, array[2, 3] int) ta;
  vector[2] log_lik = [mu, mu]';
  matrix[2, 3] copy = A + N + tt.1;
  for (i in 1:2) for (j in 1:2) ta[i, j] = (10 * i + j, {{1, 2, 3}, {4, 5, 6}});
}
"""
EVERY_DATA = {"N": 2, "A": [[1, 2, 3], [4, 5, 6]], "tt": (1, [1, 2]), "z": 1 + 2j, "e": [[], []]}


@pytest.fixture(scope="session")
def every_type():
    return fermiac.Model(code=EVERY_TYPE).bind(EVERY_DATA)


@pytest.fixture(scope="session")
def schools():
    folder = ROOT / "examples" / "eight_schools"
    return fermiac.Model(folder / "eight_schools.stan").bind(folder / "eight_schools.json")


@pytest.fixture(scope="session")
def normal():
    code = "parameters { vector[2] x; } model { x ~ normal(0, [1, 2]'); }"
    return fermiac.Model(code=code, name="normal").bind()


@pytest.fixture(scope="session")
def slow():
    """Whose gradient takes minutes."""
    code = "parameters { real x; } model { real s = 0; for (i in 1:2000000000) s += sin(i * 1e-9); x ~ normal(s, 1); }"
    return fermiac.Model(code=code).bind()
