"""Functions of a program."""

import numpy as np
import pytest

import fermiac

CODE = """
functions {
  real f(int n, vector x) { return n * sum(x); }
  int f(int n) { return n; }
  vector f(complex z) { return [get_real(z), get_imag(z)]'; }
  tuple(int, vector) pair(real a) { return (1, [a, a]'); }
  array[] tuple(int, complex) pairs(int n) {
    array[n] tuple(int, complex) out; for (i in 1:n) out[i] = (n, to_complex(n, 1));
    return out;
  }
  complex square(complex z) { return z * z; }
  complex_vector squares(complex_vector z) { return z .* z; }
  array[,] int table(int n) { return {{n, n}}; }
  matrix empty(int n) { return rep_matrix(1, n, 0); }
  real first(tuple(real, int) t) { return t.1; }
  real draw_rng(real m) { return normal_rng(m, 1); }
  void say(int n) { print("n is ", n); }
  real fails(real x) { reject("not ", x); }
  real g_lpdf(real y, real m) { return normal_lpdf(y | m, 1); }
  real lambda(real x) { return x; }
}
"""


@pytest.fixture(scope="module")
def functions():
    return fermiac.Model(code=CODE).functions


def test_results_have_the_types_of_the_program(functions):
    assert functions.f(2, [1, 2]) == 6.0
    assert functions.f(2, np.array([1.0, 2.0])) == 6.0
    number, vector = functions.pair(1.5)
    assert number == 1 and vector.tolist() == [1.5, 1.5]
    assert functions.pairs(2) == [(2, 2 + 1j), (2, 2 + 1j)]
    assert functions.pairs(0) == []
    assert functions.square(1 + 2j) == -3 + 4j
    assert functions.squares(np.array([1j, 2])).tolist() == [-1, 4]
    assert functions.table(3).tolist() == [[3, 3]] and functions.table(3).dtype == np.int64
    assert functions.empty(2).shape == (2, 0)
    assert functions.first((2.5, 1)) == 2.5
    assert functions.g_lpdf(0, 0) == pytest.approx(-0.5 * np.log(2 * np.pi))


def test_arguments_have_names(functions):
    assert functions.f(n=2, x=[1, 2]) == 6.0
    with pytest.raises(fermiac.ArgumentError, match="not both"):
        functions.f(2, x=[1])


def test_a_name_with_types_chooses(functions):
    assert functions["f(int, vector)"](2, [1, 2]) == 6.0
    assert functions["f(complex)"](3 + 0j).tolist() == [3, 0]
    assert functions["f(int)"](3) == 3 and isinstance(functions["f(int)"](3), int)
    assert isinstance(functions["f(int, vector)"](2, [1, 2]), float)


def test_names_that_python_has_for_itself(functions):
    assert functions["lambda"](2) == 2
    assert "lambda" in dir(functions) and "f" in list(functions)
    assert functions.f.__doc__.splitlines()[1] == "f(int n) => int"
    assert "square(complex z) => complex" in repr(functions)


def test_random_numbers(functions):
    assert functions.draw_rng(1, rng=1) == functions.draw_rng(1, rng=fermiac.Rng(1))
    rng = fermiac.Rng(1)
    assert functions.draw_rng(1, rng=rng) != functions.draw_rng(1, rng=rng)
    with pytest.raises(fermiac.ArgumentError, match="rng"):
        functions.draw_rng(1)


def test_print_and_nothing(functions, capsys):
    assert functions.say(3) is None
    assert capsys.readouterr().out == "n is 3\n"


def test_misuse(functions):
    with pytest.raises(AttributeError, match="no function 'nothing'.*there are f, pair"):
        functions.nothing
    with pytest.raises(fermiac.ArgumentError, match="square"):
        functions.square(1, 2)
    with pytest.raises(fermiac.DataError):
        functions.square("a")
    with pytest.raises(fermiac.RejectedError, match="not 1") as caught:
        functions.fails(1)
    assert caught.value.place.line == 18
    assert fermiac.Model(code="model {}").functions.signatures == ()
