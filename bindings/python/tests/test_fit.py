"""Summaries, tables, other packages."""

import copy
import math
import pickle
import sys
import threading

import numpy as np
import pytest

import fermiac
from fermiac._inference_data import groups_of
from fermiac.variables import pretty_name


@pytest.fixture(scope="module")
def fit(schools):
    return schools.sample(seed=2, adapt_delta=0.95)


def test_the_summary_is_a_table(fit):
    summary = fit.summary()
    lines = str(summary).splitlines()
    assert lines[0] == "sample of eight_schools: 4 chains of 1000 draws"
    assert lines[1].split() == ["mean", "mcse", "sd", "mad", "q5", "q50", "q95", "ess_bulk", "ess_tail", "rhat"]
    assert len(lines) == 2 + len(summary) == 2 + len(fit.columns)
    assert len({len(line) for line in lines[1:]}) == 1


def test_the_summary_has_the_numbers_of_the_draws(fit):
    row = fit.summary()["theta[2]"]
    x = fit["theta"][..., 1]
    assert row["mean"] == pytest.approx(x.mean())
    assert row["sd"] == pytest.approx(x.std(ddof=1))
    assert row["q5"] == pytest.approx(np.quantile(x, 0.05), rel=0.01)
    assert 0.99 < row["rhat"] < 1.02 and row["ess_bulk"] > 400
    assert fit.summary().dict()["theta[2]"] == row


def test_a_summary_of_some(fit):
    assert list(fit.summary(["mu", "theta"])) == ["mu"] + [f"theta[{i}]" for i in range(1, 9)]
    assert list(fit.summary(["theta[2]"])) == ["theta[2]"]
    with pytest.raises(KeyError, match="no row 'x'"):
        fit.summary()["x"]


def test_a_summary_of_independent_draws(schools):
    summary = schools.laplace(seed=1, draws=100).summary(["mu"])
    assert "rhat" not in str(summary) and math.isnan(summary["mu"]["rhat"])


def test_html(fit):
    html = fit.summary(["mu"])._repr_html_()
    assert html.startswith("<table><tr><th></th><th>mean</th>") and "<td>mu</td>" in html


def test_words(fit):
    assert fit.problems == ""
    assert repr(fit).count("\n") == 1
    assert repr(fit).splitlines()[:2] == [
        "sample of eight_schools: 4 chains of 1000 draws",
        "variables: mu, tau, theta_raw, theta, log_lik",
    ]


def test_fits_are_pickled(fit):
    again = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(again["theta"], fit["theta"])
    assert str(again.summary()) == str(fit.summary()) and again.seed == fit.seed


@pytest.mark.parametrize("make", [copy.deepcopy, pickle.dumps])
def test_models_are_neither_copied_nor_pickled(schools, make):
    for one in (fermiac.Model(code="model {}"), schools, fermiac.Rng(1)):
        with pytest.raises((TypeError, ValueError), match="fermiac|ctypes"):
            make(one)


def test_no_draws_at_all(normal):
    assert normal.sample(chains=2, samples=0, warmup=10)["x"].shape == (2, 0, 2)


def test_a_program_that_generates_nothing(normal):
    again = normal.generate(normal.sample(chains=2, samples=5, warmup=10, no_summary=True))
    assert list(again) == [] and again.draws.size == 0


def test_pandas(fit):
    pytest.importorskip("pandas")
    frame = fit.pandas()
    assert frame.shape == (4000, len(fit.columns) + 2)
    row = frame[(frame.chain__ == 2) & (frame.draw__ == 7)]
    assert row["theta.3"].item() == fit["theta"][2, 7, 2]
    assert fit.summary().pandas().loc["mu", "mean"] == fit.summary()["mu"]["mean"]


def test_groups_for_arviz(fit, every_type):
    groups = groups_of(fit)
    assert set(groups) == {"posterior", "sample_stats", "log_likelihood"}
    assert set(groups["posterior"]) == {"mu", "tau", "theta_raw", "theta"}
    assert groups["log_likelihood"]["log_lik"].shape == (4, 1000, 8)
    assert groups["sample_stats"]["diverging"].dtype == bool
    assert set(groups["sample_stats"]) >= {"lp", "acceptance_rate", "step_size", "tree_depth", "n_steps", "energy"}
    tuples = groups_of(every_type.sample(chains=1, warmup=10, samples=5, no_summary=True))["posterior"]
    assert tuples["t.2"].shape == (1, 5, 2, 2) and tuples["nested.2.1"].shape == (1, 5, 1, 2)


def test_arviz(fit):
    arviz = pytest.importorskip("arviz")
    data = fit.to_inference_data(observed_data={"y": np.arange(8.0)})
    assert set(data.groups()) >= {"posterior", "sample_stats", "log_likelihood", "observed_data"}
    assert data.posterior["theta"].shape == (4, 1000, 8)
    assert arviz.summary(data, var_names=["mu"])["r_hat"].item() == pytest.approx(fit.summary()["mu"]["rhat"], abs=0.01)


@pytest.mark.parametrize("version, as_one", [("0.17.1", False), ("1.2.0", True)])
def test_both_ways_to_call_arviz(fit, monkeypatch, version, as_one):
    import types

    told = {}
    stand_in = types.SimpleNamespace(__version__=version, from_dict=lambda *a, **k: told.update(a[0] if as_one else k))
    monkeypatch.setitem(sys.modules, "arviz", stand_in)
    fit.to_inference_data(observed_data={"y": 1})
    assert set(told) == {"posterior", "sample_stats", "log_likelihood", "observed_data"}


def test_without_arviz_it_says_so(fit, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match="needs arviz"):
        fit.to_inference_data()


def test_chains_of_different_lengths(normal):
    stop = threading.Event()

    def ends(chain, index, row):
        if index == 500:
            stop.set()

    with pytest.warns(fermiac.RunWarning):
        fit = normal.sample(
            chains=2, threads=1, warmup=10, samples=100_000_000, seed=1, no_summary=True, on_draw=ends, stop=stop
        )
    lengths = [len(c) for c in fit.chains if len(c)]
    assert lengths[0] > 500
    assert fit.draws.shape[:2] == (len(lengths), min(lengths))


def test_names_are_pretty():
    assert pretty_name("theta.1.2") == "theta[1,2]"
    assert pretty_name("t.2:1.3") == "t[2].1[3]"
    assert pretty_name("z.1.real") == "z[1].real"
    assert pretty_name("lp__") == "lp__"
