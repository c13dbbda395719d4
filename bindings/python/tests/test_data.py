"""Data from whatever Python has numbers in."""

import json

import numpy as np
import pytest

import fermiac
from conftest import EVERY_DATA, EVERY_TYPE


def echoed(declaration, **data):
    """The value that a program sees for x, after a way through generated quantities."""
    type = declaration.replace(" x;", "")
    model = fermiac.Model(code=f"data {{ int n; {declaration} }} generated quantities {{ {type} y = x; }}")
    return model.bind({"n": 0, **data}).constrain([], generated=True, rng=1)["y"]


@pytest.mark.parametrize(
    "declaration, value",
    [
        ("real x;", 1.5),
        ("int x;", np.int32(3)),
        ("int x;", True),
        ("real x;", np.float32(0.5)),
        ("vector[3] x;", [1, 2, 3]),
        ("vector[3] x;", range(3)),
        ("array[2] int x;", np.array([True, False])),
        ("matrix[2, 3] x;", np.arange(6.0).reshape(2, 3)),
        ("matrix[2, 3] x;", np.asfortranarray(np.arange(6.0).reshape(2, 3))),
        ("array[2] matrix[3, 1] x;", np.arange(6.0).reshape(2, 3, 1)),
        ("matrix[0, 3] x;", np.empty((0, 3))),
        ("matrix[3, 0] x;", np.empty((3, 0))),
        ("vector[0] x;", []),
        ("complex x;", 1 - 2j),
        ("complex_vector[2] x;", np.array([1j, 2])),
        ("array[3] real x;", [np.inf, -np.inf, 1]),
    ],
)
def test_values_arrive(declaration, value):
    seen = echoed(declaration, x=value)
    np.testing.assert_array_equal(seen, np.asarray(value))
    assert np.shape(seen) == np.shape(value)


def test_nan_arrives():
    assert np.isnan(echoed("real x;", x=float("nan")))
    assert np.isnan(echoed("vector[2] x;", x=np.array([1, np.nan]))).tolist() == [False, True]


def test_tuples_are_tuples():
    number, vector = echoed("tuple(int, vector[2]) x;", x=(3, np.array([1.0, 2.0])))
    assert number == 3 and vector.tolist() == [1, 2]


def test_lists_of_tuples_are_arrays_of_tuples():
    numbers, vectors = echoed("array[2] tuple(int, vector[2]) x;", x=[(3, [1, 2]), (4, [5, 6])])
    assert numbers.tolist() == [3, 4] and vectors.tolist() == [[1, 2], [5, 6]]


def test_columns_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.5, 2.5, 3.5], "k": [1, 2, 3]})
    assert echoed("vector[3] x;", x=frame["x"]).tolist() == [1.5, 2.5, 3.5]
    assert echoed("array[3] int x;", x=frame["k"]).tolist() == [1, 2, 3]
    model = fermiac.Model(code="data { vector[3] x; array[3] int k; } generated quantities { real s = sum(x) + sum(k); }")
    assert model.bind(frame).constrain([], generated=True, rng=1)["s"] == 13.5
    with pytest.raises(fermiac.DataError, match=r"data\['x'\]\[1\] is 'b' \(str\)"):
        echoed("array[2] int x;", x=pandas.Series([1, "b"]))


def test_a_file(tmp_path):
    file = tmp_path / "d.json"
    file.write_text(json.dumps({"x": [1, 2]}))
    model = fermiac.Model(code="data { vector[2] x; } generated quantities { real s = sum(x); }")
    assert model.bind(file).constrain([], generated=True, rng=1)["s"] == 3
    assert model.bind(str(file)).constrain([], generated=True, rng=1)["s"] == 3
    with pytest.raises(fermiac.DataError, match="none.json"):
        model.bind(tmp_path / "none.json")


@pytest.mark.parametrize(
    "change, says",
    [
        ({"N": None}, r"data\['N'\] is None \(NoneType\), but must be a number"),
        ({"N": "two"}, r"data\['N'\] is 'two' \(str\)"),
        ({"A": [[1, 2, 3], [4, 5, {6}]]}, r"data\['A'\]\[1\]\[2\] is \{6\} \(set\)"),
        ({"A": np.array(["a"])}, r"data\['A'\] is an array of <U1"),
        ({"N": 2.5}, "N.*2.5.*integer"),
        ({"e": [[1], [2]]}, "'e'.*declared as"),
        ({"A": [[1, 2], [3, 4]]}, "'A'.*matrix"),
        ({"tt": (1,)}, "tt"),
        ({1: 2}, r"a key of data is 1 \(int\)"),
    ],
)
def test_what_does_not_fit_is_named(change, says):
    with pytest.raises(fermiac.DataError, match=says):
        fermiac.Model(code=EVERY_TYPE).bind({**EVERY_DATA, **change})


def test_tuples_are_lists_where_there_are_no_tuples():
    assert echoed("vector[3] x;", x=(1, 2, 3)).tolist() == [1, 2, 3]
    assert echoed("matrix[2, 2] x;", x=((1, 2), (3, 4))).tolist() == [[1, 2], [3, 4]]


def test_what_the_program_does_not_declare_is_left_alone():
    assert echoed("real x;", x=1, names=["Ann", "Ben"], when=object()) == 1


def test_masked_elements_are_refused():
    with pytest.raises(fermiac.DataError, match=r"data\['x'\] has 1 masked"):
        echoed("vector[2] x;", x=np.ma.masked_array([1, 2], [0, 1]))
    assert echoed("vector[2] x;", x=np.ma.masked_array([1, 2])).tolist() == [1, 2]


def test_missing_data_are_named():
    model = fermiac.Model(code=EVERY_TYPE)
    with pytest.raises(fermiac.DataError, match="'N' is missing; it is declared as int"):
        model.bind({})
    with pytest.raises(fermiac.ArgumentError, match="not list"):
        model.bind([1, 2])
    with pytest.raises(fermiac.ArgumentError, match="seed is 1.5"):
        model.bind(EVERY_DATA, seed=1.5)


def test_transformed_data_may_print_and_reject(capsys):
    model = fermiac.Model(code='data { int n; } transformed data { print("n = ", n); if (n > 1) reject("too many"); }')
    model.bind({"n": 1})
    assert capsys.readouterr().out == "n = 1\n"
    with pytest.raises(fermiac.DataError, match="too many") as caught:
        model.bind({"n": 2})
    assert caught.value.place.line == 1


def test_the_seed_reaches_transformed_data():
    model = fermiac.Model(code="transformed data { real x = normal_rng(0, 1); } generated quantities { real y = x; }")
    one, same, two = (model.bind(seed=s).constrain([], generated=True, rng=1)["y"] for s in (1, 1, 2))
    assert one == same != two
