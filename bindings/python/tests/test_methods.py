"""Methods besides sampling."""

import numpy as np
import pytest

import fermiac


def test_optimize(schools, every_type):
    optimum = schools.optimize(seed=1, jacobian=True)
    assert optimum["theta"].shape == (8,) and isinstance(optimum["mu"], float)
    assert optimum["theta"][0] == pytest.approx(optimum["mu"] + optimum["tau"] * optimum["theta_raw"][0])
    assert optimum.log_density == optimum["lp__"]
    assert repr(optimum).startswith(f"optimum of eight_schools: lp__ = {optimum.log_density:.6g}\nmu = ")
    every = every_type.optimize(seed=1)
    assert every["M"].shape == (2, 3) and every["k"].tolist() == [[1, 2], [3, 4]] and isinstance(every["c"], complex)


def test_the_mode_of_a_normal(normal):
    optimum = normal.optimize(seed=1, save_iterations=True)
    np.testing.assert_allclose(optimum["x"], [0, 0], atol=1e-6)
    assert optimum.iterations["x"].shape[1:] == (2,)
    np.testing.assert_array_equal(optimum.iterations["x"][-1], optimum["x"])
    assert len(optimum.iterations["x"]) > 1


def test_pathfinder(normal):
    fit = normal.pathfinder(seed=1, num_paths=3, draws=100, psis_draws=50, save_single_paths=True)
    assert fit["x"].shape == (1, 50, 2)
    assert [p["x"].shape for p in fit.paths] == [(1, 100, 2)] * 3
    assert list(fit.sampler)[:2] == ["lp_approx__", "lp__"]


def test_laplace(normal):
    alone = normal.laplace(seed=1, draws=2000)
    assert alone["x"].shape == (1, 2000, 2)
    np.testing.assert_allclose(alone["x"].std(axis=(0, 1)), [1, 2], rtol=0.1)
    at_optimum = normal.laplace(mode=normal.optimize(seed=1, jacobian=True), seed=1, draws=10)
    at_values = normal.laplace(mode={"x": [0, 0]}, seed=1, draws=10)
    np.testing.assert_allclose(at_optimum["x"], at_values["x"], atol=1e-5)


def test_laplace_with_tuples(every_type):
    assert every_type.laplace(seed=1, draws=5)["t"][1].shape == (1, 5, 2, 2)


def test_variational(normal):
    fit = normal.variational(seed=1, draws=200)
    assert fit["x"].shape == (1, 200, 2)
    assert fit.mean["x"].shape == (2,) and abs(fit.mean["x"]).max() < 1


def test_generate(every_type):
    fit = every_type.sample(chains=2, warmup=50, samples=20, seed=1, no_summary=True)
    again = every_type.generate(fit, seed=2)
    assert set(again) == {"k", "nested", "ta", "log_lik", "copy"}
    np.testing.assert_array_equal(again["log_lik"], fit["log_lik"])


def test_generate_with_another_program_and_files(normal, tmp_path):
    fit = normal.sample(chains=2, warmup=50, samples=20, seed=1, no_summary=True, output=tmp_path, sig_figs=17)
    more = fermiac.Model(code="parameters { vector[2] x; } generated quantities { real s = sum(x); int n = poisson_rng(2); }")
    of_fit, of_files = more.generate(fit, seed=1), more.generate([tmp_path / f"normal_{c}.csv" for c in (1, 2)], seed=1)
    np.testing.assert_allclose(of_fit["s"], fit["x"].sum(-1))
    np.testing.assert_array_equal(of_fit["n"], of_files["n"])
    assert of_fit["n"].dtype == np.int64
    assert more.generate(tmp_path / "normal_1.csv", seed=1)["s"].shape == (1, 20)


def test_generate_for_what_has_no_such_parameter(normal, every_type):
    fit = normal.sample(chains=1, warmup=10, samples=5, no_summary=True)
    with pytest.raises(fermiac.MethodError, match="mu"):
        every_type.generate(fit)
    with pytest.raises(fermiac.ArgumentError, match="not int"):
        every_type.generate(3)
    with pytest.raises(fermiac.MethodError, match="nowhere.csv"):
        every_type.generate("nowhere.csv")


def test_diagnose(normal):
    assert "finite diff" in repr(normal.diagnose(seed=1))
    with pytest.raises(fermiac.ArgumentError, match="epsilon"):
        normal.diagnose(epsilon=-1)


@pytest.mark.parametrize("method", ["optimize", "pathfinder", "variational", "laplace"])
def test_models_take_data(method):
    model = fermiac.Model(code="data { int n; } parameters { real x; } model { x ~ normal(n, 1); }")
    fit = getattr(model, method)({"n": 3}, seed=1)
    assert np.mean(fit["x"]) == pytest.approx(3, abs=0.5)
