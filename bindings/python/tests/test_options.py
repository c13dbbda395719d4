"""The table of options beside what the library takes."""

import inspect
import re

import pytest

import fermiac
from fermiac.options import OF_METHOD, OWN


def known_to_the_library(normal, method):
    from fermiac._runner import execute

    with pytest.raises(fermiac.ArgumentError) as caught:
        execute(normal._handle, method, {"fitted": ["x"], "mode": {}, "no such option": 1})
    names = re.search("its options are (.*)", str(caught.value)).group(1).split(", ")
    return {n.replace("-", "_") for n in names}


@pytest.mark.parametrize("method", OF_METHOD)
def test_the_table_has_what_the_library_has(normal, method):
    table = set(OF_METHOD[method].__annotations__) - set(OWN)
    # `method` is the name of the function; `fitted` its argument; rows of other methods than sample are always kept.
    theirs = known_to_the_library(normal, method) - {"method", "fitted"} - ({"keep"} if method != "sample" else set())
    missing, unknown = theirs - table, table - theirs
    assert not missing and not unknown


@pytest.mark.parametrize("method", OF_METHOD)
@pytest.mark.parametrize("kind", [fermiac.Model, fermiac.BoundModel])
def test_signatures_and_documents_have_every_option(kind, method):
    function = getattr(kind, method)
    parameters = inspect.signature(function).parameters
    for name in OF_METHOD[method].__annotations__:
        assert name in parameters and f"    {name}: " in function.__doc__


def test_every_method_is_a_method_of_both():
    for method in OF_METHOD:
        assert callable(getattr(fermiac.Model, method)) and callable(getattr(fermiac.BoundModel, method))


@pytest.mark.parametrize(
    "options, says",
    [
        ({"chain": 4}, "no option 'chain'; its options are .*chains"),
        ({"chains": 0}, "chains is 0, but must be a whole number from 1"),
        ({"chains": 1.5}, "chains is 1.5"),
        ({"adapt_delta": 2}, "adapt.delta is 2"),
        ({"metric": "round"}, "low_rank, fisher_diag, diag_e, dense_e or unit_e"),
        ({"seed": -1}, "seed is -1"),
        ({"save_warmup": 3}, "save.warmup"),
        ({"init": -1}, "init"),
        ({"samples": "many"}, "samples"),
        ({"stop": 3}, "stop is 3, but must be a threading.Event"),
        ({"on_draw": 3}, "on_draw is 3"),
    ],
)
def test_wrong_options_are_named(normal, options, says):
    with pytest.raises(fermiac.ArgumentError, match=says):
        normal.sample(**options)
