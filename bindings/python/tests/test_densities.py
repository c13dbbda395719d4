"""Densities, derivatives, the two scales, threads."""

import threading
import time

import numpy as np
import pytest

import fermiac


def test_values_and_derivatives_of_a_normal(normal):
    theta = np.array([0.5, -2.0])
    assert normal.log_density(theta) == pytest.approx(-0.125 - 0.5)
    full = -0.625 - np.log(2 * np.pi) - np.log(2)
    assert normal.log_density(theta, propto=False) == pytest.approx(full)
    np.testing.assert_allclose(normal.gradient(theta), [-0.5, 0.5])
    np.testing.assert_allclose(normal.hessian(theta), [[-1, 0], [0, -0.25]], atol=1e-9)
    np.testing.assert_allclose(normal.hessian_times(theta, [1, 4]), [-1, -1], atol=1e-9)
    lp, gradient = normal.log_density_and_gradient([0.5, -2])
    assert isinstance(lp, float) and lp == normal.log_density(theta)
    assert gradient.tolist() == normal.gradient(theta).tolist()


def test_many_points_at_once(normal):
    points = np.random.default_rng(1).normal(size=(3, 4, 2))
    lp = normal.log_density(points)
    assert lp.shape == (3, 4)
    assert lp[2, 1] == normal.log_density(points[2, 1])
    assert normal.gradient(points).shape == (3, 4, 2)
    assert normal.hessian(points).shape == (3, 4, 2, 2)
    assert normal.hessian_times(points, [1, 0]).shape == (3, 4, 2)
    assert normal.log_density(np.empty((0, 2))).shape == (0,)
    np.testing.assert_array_equal(normal.gradient(points)[1, 2], normal.gradient(points[1, 2]))


def test_points_of_other_layouts(normal):
    points = np.asfortranarray(np.arange(6, dtype=np.int32).reshape(3, 2))
    assert normal.log_density(points[::2]).tolist() == [normal.log_density([0, 1]), normal.log_density([4, 5])]


def test_the_jacobian_is_a_choice():
    model = fermiac.Model(code="parameters { real<lower=0> x; } model { x ~ exponential(1); }").bind()
    assert model.log_density([0.3], jacobian=True) - model.log_density([0.3], jacobian=False) == pytest.approx(0.3)


@pytest.mark.parametrize("theta", [[1], [1, 2, 3], 1.0, np.zeros((2, 3)), []])
def test_wrong_sizes_are_named(normal, theta):
    with pytest.raises(fermiac.ArgumentError, match=r"theta has shape .* must be 2"):
        normal.log_density(theta)


@pytest.mark.parametrize("theta", [["a", "b"], [1 + 2j, 0], [[1, 2], [3]], None])
def test_what_are_no_numbers(normal, theta):
    with pytest.raises(fermiac.ArgumentError, match="theta"):
        normal.gradient(theta)


def test_rejections_have_a_place():
    model = fermiac.Model(code='parameters { real x; } model { if (x > 0) reject("x is ", x); }').bind()
    assert model.log_density([-1]) == 0
    with pytest.raises(fermiac.RejectedError, match="x is 1") as caught:
        model.log_density([1])
    assert (caught.value.place.line, caught.value.place.file) == (1, "model")
    assert isinstance(caught.value, ArithmeticError)


def test_numbers_that_are_not_finite_are_results(normal):
    assert normal.log_density([np.inf, 0]) == -np.inf


def test_the_scales_are_inverse(every_type):
    theta = np.random.default_rng(1).normal(size=every_type.unconstrained_size)
    values = every_type.constrain(theta)
    assert list(values) == ["mu", "M", "t", "c", "ez", "cm", "s", "v0"]
    assert isinstance(values["mu"], float)
    assert values["M"].shape == (2, 3) and values["ez"].shape == (2, 0) and values["v0"].shape == (0,)
    assert values["cm"].shape == (2, 2) and values["cm"].dtype == complex
    assert values["t"][0].shape == (2,) and values["t"][1].shape == (2, 2)
    np.testing.assert_allclose(every_type.unconstrain(values), theta, rtol=1e-12)
    numbers = every_type.constrain_numbers(theta)
    np.testing.assert_allclose(every_type.unconstrain(numbers), theta, rtol=1e-12)
    np.testing.assert_allclose(every_type.unconstrain(np.stack([numbers] * 3)), np.stack([theta] * 3), rtol=1e-12)


def test_values_lie_where_their_names_say(every_type):
    theta = np.random.default_rng(2).normal(size=every_type.unconstrained_size)
    everything = {"transformed": True, "generated": True, "rng": 1}
    numbers = dict(zip(every_type.constrained_names(), every_type.constrain_numbers(theta, **everything)))
    v = every_type.constrain(theta, **everything)
    assert v["M"][1, 2] == numbers["M.2.3"]
    assert v["t"][1][1, 0] == numbers["t.2:2.1"]
    assert v["cm"][0, 1] == complex(numbers["cm.1.2.real"], numbers["cm.1.2.imag"])
    assert v["twice"] == 2 * v["mu"]
    assert v["ta"][0].tolist() == [[11, 12], [21, 22]]
    assert v["ta"][1][1, 0].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert v["ta"][1].dtype == v["k"].dtype == np.int64
    assert v["nested"][0] == 7 and v["nested"][1][0].tolist() == [[1, 2]] and v["nested"][1][1] == 1 + 2j
    assert v["copy"].tolist() == [[4, 5, 6], [7, 8, 9]]


def test_many_points_have_their_dimensions_first(every_type):
    values = every_type.constrain(np.zeros((5, every_type.unconstrained_size)), generated=True, rng=1)
    assert values["M"].shape == (5, 2, 3) and values["ta"][1].shape == (5, 2, 2, 2, 3)
    assert "twice" not in values


def test_generated_quantities_need_random_numbers():
    model = fermiac.Model(code="generated quantities { real y = normal_rng(0, 1); }").bind()
    with pytest.raises(fermiac.ArgumentError, match="rng"):
        model.constrain([], generated=True)
    rng = fermiac.Rng(1)
    first, second = (model.constrain([], generated=True, rng=rng)["y"] for _ in range(2))
    assert first != second
    assert first == model.constrain([], generated=True, rng=1)["y"]
    for seed in (-1, 2**64, 1.5, "1", True):
        with pytest.raises(fermiac.ArgumentError, match="the seed is"):
            fermiac.Rng(seed)


def test_values_that_break_a_constraint(every_type):
    values = every_type.constrain(np.zeros(every_type.unconstrained_size))
    with pytest.raises(fermiac.RejectedError, match="(?i)simplex"):
        every_type.unconstrain({**values, "s": [0.5, 0.2, 0.2]})
    values.pop("mu")
    with pytest.raises(fermiac.DataError, match="mu"):
        every_type.unconstrain(values)


def test_names_and_dimensions(every_type):
    assert every_type.unconstrained_names[:3] == ["mu", "M.1.1", "M.2.1"]
    assert len(every_type.unconstrained_names) == every_type.unconstrained_size == 25
    assert every_type.dims["M"] == (2, 3) and every_type.dims["mu"] == () and every_type.dims["ta"] == (2, 2)
    assert every_type.variables["k"].block == "generated quantities"
    assert every_type.constrained_names(False, False)[-1] == "s.3"
    assert "  simplex" not in repr(every_type) and "  vector[3] s" in repr(every_type)


def test_threads_evaluate_at_once(schools):
    points = np.random.default_rng(1).normal(size=(200, schools.unconstrained_size))
    alone = schools.gradient(points)
    found = {}

    def work(i):
        found[i] = schools.gradient(points)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 8
    for gradients in found.values():
        np.testing.assert_array_equal(gradients, alone)


def test_another_thread_ends_an_evaluation(slow):
    timer = threading.Timer(0.2, slow.stop)
    timer.start()
    start = time.monotonic()
    with pytest.raises(fermiac.StoppedError):
        slow.log_density([0])
    with pytest.raises(fermiac.StoppedError):
        slow.log_density([0])
    assert time.monotonic() - start < 20
    timer.join()
    slow.resume()


def test_a_model_outlives_its_program():
    bound = fermiac.Model(code='parameters { real x; } model { print("x"); x ~ normal(0, 1); }').bind()
    assert bound.log_density([1]) == -0.5


def test_print_goes_to_python(capsys):
    bound = fermiac.Model(code='parameters { real x; } model { print("x = ", x); }').bind()
    bound.log_density([1.5])
    assert "x = 1.5\n" in capsys.readouterr().out
