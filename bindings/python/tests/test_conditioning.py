"""Models under a conditioning: what counts, what is known."""

import math

import numpy as np
import pytest

import fermiac

CODE = """
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> tau; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); y ~ normal(mu, tau); }
"""
NORMAL = -0.5 * math.log(2 * math.pi) - math.log(5)


@pytest.fixture(scope="module")
def bound():
    return fermiac.Model(code=CODE).bind({"N": 2, "y": [1.0, 3.0]})


def test_what_is_fixed_is_no_parameter(bound):
    fixed = bound.condition(context="prior", fix={"tau": 3})
    assert fixed.unconstrained_names == ["mu"]
    assert list(fixed.variables) == ["mu"]
    assert fixed.log_density([0.0], propto=False) == pytest.approx(NORMAL, abs=1e-12)


def test_weights_and_missing_data(bound):
    half = bound.condition(weights={"y": 0.5})
    theta = np.array([0.3, 0.1])
    parts = [bound.condition(weights={"y": w}).log_density(theta, propto=False) for w in (0, 1)]
    assert half.log_density(theta, propto=False) == pytest.approx(sum(parts) / 2, rel=1e-12)
    assert bound.condition(missing="y[2]").unconstrained_names == ["mu", "tau", "y.2"]


def test_one_adds_to_the_other(bound):
    both = bound.condition(fix={"tau": 3}).condition(condition={"mu": np.float64(1)})
    assert both.unconstrained_size == 0


def test_what_does_not_fit_is_told(bound):
    with pytest.raises(fermiac.DataError, match="no site matches 'zeta'"):
        bound.condition(weights={"zeta": 1})


def test_it_is_sampled(bound):
    fit = bound.condition(context="prior", fix={"tau": 3}).sample(chains=1, seed=1, samples=2000)
    assert abs(float(np.std(fit["mu"])) - 5) < 1
