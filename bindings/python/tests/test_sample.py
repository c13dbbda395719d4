"""Sampling: shapes, seeds, ends from outside, progress."""

import io
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import fermiac
from conftest import ROOT
from fermiac._progress import ProgressLine, progress_line

FOREVER = {"chains": 2, "warmup": 100, "samples": 100_000_000, "seed": 1, "no_summary": True}


@pytest.fixture(scope="module")
def fit(every_type):
    with pytest.warns() as _:
        return every_type.sample(chains=3, warmup=100, samples=50, seed=1)


def test_shapes(fit):
    assert fit["mu"].shape == (3, 50)
    assert fit["M"].shape == (3, 50, 2, 3)
    assert fit["t"][0].shape == (3, 50, 2) and fit["t"][1].shape == (3, 50, 2, 2)
    assert fit["c"].shape == (3, 50) and fit["c"].dtype == complex
    assert fit["cm"].shape == (3, 50, 2, 2)
    assert fit["ez"].shape == (3, 50, 2, 0) and fit["v0"].shape == (3, 50, 0)
    assert fit["k"].shape == (3, 50, 2, 2) and fit["k"].dtype == np.int64
    assert fit["ta"][1].shape == (3, 50, 2, 2, 2, 3)
    np.testing.assert_allclose(fit["s"].sum(-1), 1)
    np.testing.assert_array_equal(fit["twice"], 2 * fit["mu"])
    assert set(fit.dict()) == set(fit) == set(fit.keys()) and len(fit) == 14


def test_the_sampler_speaks(fit):
    names = ["lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"]
    assert list(fit.sampler) == names
    assert fit.sampler["lp__"].shape == (3, 50)
    np.testing.assert_array_equal(fit["energy__"], fit.sampler["energy__"])
    assert fit.divergences == fit["divergent__"].sum()
    assert fit.method == "sample" and fit.seed == 1 and fit.seconds > 0 and not fit.stopped


def test_names_that_are_not_there(fit):
    assert "mu" in fit and "lp__" in fit and "nu" not in fit
    with pytest.raises(KeyError, match="no variable 'nu'; there are mu, M"):
        fit["nu"]


def test_one_seed_one_result(normal):
    first, second = (normal.sample(chains=2, warmup=50, samples=50, seed=3, threads=t, no_summary=True) for t in (1, 2))
    np.testing.assert_array_equal(first.draws, second.draws)
    other = normal.sample(chains=2, warmup=50, samples=50, seed=4, no_summary=True)
    assert not np.array_equal(first.draws, other.draws)


def test_draws_are_those_of_the_command_line(tmp_path):
    command = os.environ.get("FERMIAC_COMMAND", str(ROOT / "build" / "bin" / "fermiac"))
    if not os.path.exists(command):
        pytest.skip("the command fermiac is not built")
    source = tmp_path / "m.stan"
    source.write_text("transformed data { real m = normal_rng(0, 9); } parameters { real x; } model { x ~ normal(m, 1); }")
    options = {"chains": 2, "warmup": 30, "samples": 20, "seed": 5, "no_summary": True}
    flags = [f"--{n.replace('_', '-')}" + (f"={v}" if v is not True else "") for n, v in options.items()]
    files = ["--output", str(tmp_path / "out"), "--sig-figs=18"]
    subprocess.run([command, "sample", str(source), *flags, *files], check=True, capture_output=True)
    rows = [np.loadtxt(tmp_path / "out" / f"m_{c}.csv", delimiter=",", comments=("#", "lp__")) for c in (1, 2)]
    np.testing.assert_array_equal(fermiac.Model(source).sample(**options).draws, np.stack(rows))


def test_a_warm_up_that_is_kept(normal):
    fit = normal.sample(chains=2, warmup=40, samples=10, seed=1, save_warmup=True, no_summary=True)
    assert fit.draws.shape[:2] == (2, 10)
    assert [w.shape for w in fit.warmup] == [(40, len(fit.columns))] * 2
    assert normal.sample(chains=1, warmup=40, samples=10, no_summary=True).warmup == []


def test_initial_values(normal):
    options = {"fixed_param": True, "samples": 1, "warmup": 0, "no_summary": True}
    one = normal.sample(init={"x": np.array([1.0, 2.0])}, chains=2, **options)
    assert one["x"].tolist() == [[[1, 2]], [[1, 2]]]
    each = normal.sample(init=[{"x": [1, 2]}, {"x": [3, 4]}], chains=2, **options)
    assert each["x"].tolist() == [[[1, 2]], [[3, 4]]]
    assert normal.sample(init=0, chains=1, **options)["x"].tolist() == [[[0, 0]]]
    optimum = normal.optimize(init={"x": [5, 5]}, seed=1)
    np.testing.assert_allclose(normal.sample(init=optimum, chains=1, **options)["x"][0, 0], optimum["x"])
    with pytest.raises(fermiac.ArgumentError, match="init has 'y', which is no parameter; there are x"):
        normal.sample(init={"y": 1}, chains=1, **options)


def test_initial_values_with_tuples(every_type):
    values = every_type.constrain(np.linspace(-1, 1, every_type.unconstrained_size))
    fit = every_type.sample(init=values, fixed_param=True, chains=1, samples=1, warmup=0, no_summary=True)
    np.testing.assert_allclose(fit["t"][1][0, 0], values["t"][1])
    np.testing.assert_allclose(fit["cm"][0, 0], values["cm"])


@pytest.mark.filterwarnings("ignore::fermiac.RunWarning")
def test_every_draw_is_told(normal):
    seen = []
    fit = normal.sample(chains=2, warmup=10, samples=5, seed=1, on_draw=lambda c, i, row: seen.append((c, i, row)))
    assert sorted((c, i) for c, i, _ in seen) == [(c, i) for c in range(2) for i in range(5)]
    for chain, index, row in seen:
        np.testing.assert_array_equal(row, fit.draws[chain, index])


def test_an_exception_of_a_callback_arrives(normal):
    def fails(chain, index, row):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        normal.sample(on_draw=fails, **FOREVER)


def test_nothing_need_be_kept(normal):
    seen = []
    options = {"keep": False, "no_summary": True, "on_draw": lambda c, i, row: seen.append(i)}
    fit = normal.sample(chains=1, warmup=10, samples=30, **options)
    assert len(seen) == 30 and fit["x"].shape == (1, 0, 2)


def test_an_event_ends_it_from_another_thread(normal):
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.warns(fermiac.RunWarning, match="interrupted") as caught:
        fit = normal.sample(stop=stop, **FOREVER)
    assert caught[0].filename == __file__
    assert len(fit["x"][0]) > 10 and "interrupted" in fit.stopped
    assert "stopped: interrupted" in repr(fit)


def test_an_event_that_is_set_before(normal):
    stop = threading.Event()
    stop.set()
    try:
        with pytest.warns(fermiac.RunWarning):
            fit = normal.sample(stop=stop, **FOREVER)
        assert fit.stopped
    except fermiac.StoppedError:  # before there was a draw
        pass


def test_a_time_limit_keeps_the_draws(normal):
    with pytest.warns(fermiac.RunWarning, match="time limit"):
        fit = normal.sample(timeout=0.3, **FOREVER)
    assert fit["x"].shape[1] > 10


def test_a_stop_reaches_into_a_long_evaluation(slow):
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    with pytest.raises(fermiac.StoppedError):
        slow.sample(chains=1, stop=stop)
    assert time.monotonic() - start < 30


INTERRUPTED = """
import os, signal, sys, threading, warnings
import fermiac
warnings.simplefilter("ignore")
model = fermiac.Model(code="parameters {{ real x; }} model {{ {body} }}").bind()
threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    fit = model.sample(chains=2, warmup=100, samples=100_000_000, seed=1, no_summary=True)
    print("kept", fit["x"].size > 20)
except KeyboardInterrupt:
    print("KeyboardInterrupt")
"""


def interrupted(body):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    code = INTERRUPTED.format(body=body)
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def test_ctrl_c_keeps_the_draws():
    assert interrupted("x ~ normal(0, 1);") == "kept True\n"


def test_ctrl_c_before_the_first_draw():
    slow = "real s = 0; for (i in 1:2000000000) s += sin(i * 1e-9); x ~ normal(s, 1);"
    assert interrupted(slow) == "KeyboardInterrupt\n"


def test_runs_in_several_threads(normal):
    alone = normal.sample(chains=1, seed=2, samples=200, no_summary=True).draws
    found = []
    work = lambda: found.append(normal.sample(chains=1, seed=2, samples=200, no_summary=True).draws)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 4
    for draws in found:
        np.testing.assert_array_equal(draws, alone)


def test_a_stream_that_is_closed_ends_the_run(normal, monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    before = threading.active_count()
    monkeypatch.setattr(sys, "stderr", Closed())
    with pytest.raises(BrokenPipeError):
        normal.sample(progress=True, **FOREVER)
    deadline = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() == before


def test_what_the_program_prints_arrives(capsys):
    model = fermiac.Model(code='parameters { real x; } model { x ~ normal(0, 1); } generated quantities { print("here"); }')
    model.sample(chains=1, warmup=5, samples=3, seed=1, no_summary=True)
    assert capsys.readouterr().out.count("here\n") >= 3


def test_no_initial_point():
    model = fermiac.Model(code='parameters { real x; } model { reject("never ", 1); }')
    with pytest.raises(fermiac.MethodError, match="for one reason:\n  never 1"):
        model.sample(chains=1, seed=1)


def test_problems_are_a_warning_with_options_of_this_package():
    code = "parameters { real t; vector[9] x; } model { t ~ normal(0, 3); x ~ normal(0, exp(t)); }"
    with pytest.warns(fermiac.RunWarning, match="Divergences") as caught:
        fit = fermiac.Model(code=code).sample(seed=1)
    assert caught[0].filename == __file__
    assert "Raise adapt_delta" in fit.problems and "--" not in fit.problems
    assert fit.divergences > 0


@pytest.mark.filterwarnings("ignore::fermiac.RunWarning")
def test_no_parameters_at_all():
    fit = fermiac.Model(code="generated quantities { int k = poisson_rng(3); }").sample(chains=2, samples=20, seed=1)
    assert fit["k"].shape == (2, 20) and fit["k"].dtype == np.int64


def test_files_only_where_asked(normal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"chains": 2, "samples": 10, "warmup": 10, "no_summary": True}
    normal.sample(**options)
    assert list(tmp_path.iterdir()) == []
    normal.sample(output=tmp_path / "out", **options)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["normal_1.csv", "normal_2.csv"]


def test_progress_is_one_line(normal):
    out = io.StringIO()
    line = ProgressLine(out)
    line.update(1, 50, 200, True)
    line.update(0, 200, 200, False)
    assert line.text() == "1: 100%  2: 25% warmup"
    line.show(now=True)
    line.update(1, 200, 200, False)
    line.end()
    assert out.getvalue() == "\r1: 100%  2: 25% warmup\r1: 100%  2: 100%      \n"


def test_progress_only_where_somebody_looks(normal, capsys):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    assert progress_line(None, Terminal()) and progress_line(True, io.StringIO())
    assert progress_line(None, io.StringIO()) is None and progress_line(False, Terminal()) is None
    options = {"chains": 2, "samples": 500, "warmup": 500, "no_summary": True}
    normal.sample(**options)
    assert capsys.readouterr().err == ""
    normal.sample(progress=True, **options)
    assert capsys.readouterr().err.endswith("1: 100%  2: 100%\n")
